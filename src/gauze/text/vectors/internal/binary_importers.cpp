// word2vec and fastText as they write their own binary files.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "gauze/text/vectors/internal/importers.h"
#include "gauze/text/vectors/internal/subwords.h"
#include "gauze/text/vectors/internal/vector_line.h"

namespace gauze::text::internal {
namespace {

Result<void> add_row(VectorBuilder& builder, const ByteReader& reader, std::string_view word,
                     std::span<const float> values) {
  if (const auto added = builder.add(word, values); !added) return reader.bad_byte("{}", added.error().message);
  return {};
}

template <class T>
Result<T> number(ByteReader& reader) {
  std::array<char, sizeof(T)> bytes;
  GAUZE_TRY_VOID(reader.exactly(bytes));
  return std::bit_cast<T>(bytes);
}

Result<void> read_floats(ByteReader& reader, std::span<float> values) {
  return reader.exactly({reinterpret_cast<char*>(values.data()), values.size_bytes()});
}

/// What fastText stores of a model, as far as it decides which rows make up the vector of a word.
struct FastTextModel {
  std::int32_t dimensions = 0;
  std::int32_t buckets = 0;
  std::int32_t shortest = 0;  // n-grams of this many characters ...
  std::int32_t longest = 0;   // ... to this many
  std::int32_t words = 0;
  std::vector<std::string> entries;  // words only; labels are passed over
};

Result<FastTextModel> read_model(ByteReader& reader) {
  FastTextModel model;
  GAUZE_TRY(const auto magic, number<std::int32_t>(reader));
  GAUZE_TRY(const auto version, number<std::int32_t>(reader));
  if (magic != 793712314) return reader.bad_byte("this is not a fastText model");
  if (version != 11 && version != 12) return reader.bad_byte("version {} of fastText's format is not known", version);
  std::array<std::int32_t, 12> settings{};
  for (std::int32_t& setting : settings) {
    GAUZE_TRY(setting, number<std::int32_t>(reader));
  }
  GAUZE_TRY([[maybe_unused]] const auto sampling, number<double>(reader));
  model.dimensions = settings[0];
  model.buckets = settings[8];
  model.shortest = settings[9];
  model.longest = settings[10];
  if (version == 11 && settings[7] == 3) model.longest = 0;  // as fastText does for old supervised models
  GAUZE_TRY(const auto entries, number<std::int32_t>(reader));
  GAUZE_TRY(model.words, number<std::int32_t>(reader));
  GAUZE_TRY(const auto labels, number<std::int32_t>(reader));
  GAUZE_TRY([[maybe_unused]] const auto tokens, number<std::int64_t>(reader));
  GAUZE_TRY(const auto pruned, number<std::int64_t>(reader));
  if (model.dimensions <= 0 || std::uint64_t(model.dimensions) > kMostDimensions || model.buckets < 0 ||
      model.words <= 0 || labels < 0 || std::int64_t{model.words} + labels != entries || model.longest > 100) {
    return reader.bad_byte("the model has counts that cannot be");
  }
  if (pruned > 0) return make_error(ErrorCode::unsupported, "{}: a pruned fastText model is not read", reader.name());
  for (std::int32_t i = 0; i < entries; ++i) {
    GAUZE_TRY(const std::string_view word, reader.until('\0', kLongestWord));
    std::string kept(word);
    GAUZE_TRY([[maybe_unused]] const auto count, number<std::int64_t>(reader));
    GAUZE_TRY(const auto kind, number<std::int8_t>(reader));
    if ((kind == 0) != (i < model.words)) return reader.bad_byte("words and labels are mixed up");
    if (kind == 0) model.entries.push_back(std::move(kept));
  }
  return model;
}

}  // namespace

Imported import_word2vec_binary(ByteReader& reader, std::uint64_t limit, Progress& progress) {
  std::string_view line;
  GAUZE_TRY(const bool any, reader.line(line));
  const auto header = any ? parse_header(line) : std::nullopt;
  if (!header) return reader.bad_line("is not the header \"count dimensions\"");
  if (header->dimensions > kMostDimensions) {
    return reader.bad_line("says {} dimensions, at most {} are read", header->dimensions, kMostDimensions);
  }
  VectorBuilder builder(static_cast<std::uint32_t>(header->dimensions));
  std::vector<float> values(header->dimensions);
  for (std::uint64_t row = 0; row < header->count && (limit == 0 || builder.size() < limit); ++row) {
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY_VOID(reader.skip_if('\n'));
    GAUZE_TRY(const bool end, reader.at_end());
    if (end) return reader.bad_byte("the file ends after {} of {} words", row, header->count);
    GAUZE_TRY(const std::string_view word, reader.until(' ', kLongestWord));
    const std::string kept(word);
    GAUZE_TRY_VOID(read_floats(reader, values));
    GAUZE_TRY_VOID(add_row(builder, reader, kept, values));
    progress.advance();
  }
  if (limit == 0 || builder.size() < limit) {
    GAUZE_TRY_VOID(reader.skip_if('\n'));
    GAUZE_TRY(const bool end, reader.at_end());
    if (!end) return reader.bad_byte("there is more than the {} words of the header", header->count);
  }
  return builder.finish(reader.name());
}

Imported import_fasttext_binary(ByteReader& reader, std::uint64_t limit, Progress& progress) {
  GAUZE_TRY(const FastTextModel model, read_model(reader));
  GAUZE_TRY(const auto quantised, number<std::uint8_t>(reader));
  if (quantised != 0)
    return make_error(ErrorCode::unsupported, "{}: a quantised fastText model (.ftz) is not read", reader.name());
  GAUZE_TRY(const auto rows, number<std::int64_t>(reader));
  GAUZE_TRY(const auto columns, number<std::int64_t>(reader));
  if (columns != model.dimensions || rows < model.words || rows - model.words > model.buckets) {
    return reader.bad_byte("the matrix has {} x {} values, which does not fit {} words of {} dimensions", rows,
                           columns, model.words, model.dimensions);
  }
  VectorBuilder builder(static_cast<std::uint32_t>(model.dimensions));
  std::vector<float> values(static_cast<std::size_t>(model.dimensions));
  SubwordSums sums(model.shortest, model.longest, static_cast<std::uint32_t>(rows - model.words));
  for (const std::string& word : model.entries) {
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY_VOID(read_floats(reader, values));
    if (limit != 0 && builder.size() >= limit) continue;
    GAUZE_TRY_VOID(add_row(builder, reader, word, values));
    if (builder.added_last()) sums.add_word(word);
    progress.advance();
  }
  sums.begin();
  for (std::uint32_t bucket = 0; bucket < std::uint64_t(rows - model.words) && (limit == 0 || !sums.done());
       ++bucket) {
    GAUZE_TRY_VOID(read_floats(reader, values));
    sums.add_bucket(builder, bucket, values);
  }
  sums.finish(builder);
  for (std::size_t i = 0; i < builder.size(); ++i) {
    for (std::size_t d = 0; d < builder.dimensions(); ++d) {
      if (!std::isfinite(builder.value(i, d))) {
        return make_error(ErrorCode::bad_data, "{}: word {}: a value is not a finite number", reader.name(), i + 1);
      }
    }
  }
  return builder.finish(reader.name());
}

}  // namespace gauze::text::internal
