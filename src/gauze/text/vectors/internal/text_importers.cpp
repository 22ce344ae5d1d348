// GloVe, word2vec and fastText as text.
#include <algorithm>
#include <vector>

#include "gauze/text/vectors/internal/importers.h"
#include "gauze/text/vectors/internal/vector_line.h"

namespace gauze::text::internal {
namespace {

tl::unexpected<Error> bad_line(const ByteReader& reader, LineFault fault, std::size_t dimensions) {
  switch (fault) {
    case LineFault::too_few:
      return reader.bad_line("has no word and {} values, as the lines before", dimensions);
    case LineFault::too_many:
      return reader.bad_line("has more than {} values", dimensions);
    case LineFault::not_a_number:
      return reader.bad_line("one of the last {} fields is not a number", dimensions);
    case LineFault::not_finite:
      return reader.bad_line("a value is not a finite number");
    default:
      return reader.bad_line("has no word");
  }
}

/// Adds the row of a line.
Result<void> add_line(VectorBuilder& builder, const ByteReader& reader, std::string_view line,
                      std::span<float> values) {
  const ParsedLine parsed = parse_vector_line(line, values);
  if (parsed.fault != LineFault::none) return bad_line(reader, parsed.fault, values.size());
  if (const auto added = builder.add(parsed.word, values); !added)
    return reader.bad_line("{}", added.error().message);
  return {};
}

bool is_blank_line(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

Result<std::uint32_t> checked_dimensions(const ByteReader& reader, std::uint64_t dimensions) {
  if (dimensions == 0) return reader.bad_line("has no values after the word");
  if (dimensions > kMostDimensions)
    return reader.bad_line("says {} dimensions, at most {} are read", dimensions, kMostDimensions);
  return static_cast<std::uint32_t>(dimensions);
}

}  // namespace

Imported import_glove(ByteReader& reader, std::uint64_t limit, Progress& progress) {
  std::string_view line;
  GAUZE_TRY(const bool any, reader.line(line));
  if (!any) return make_error(ErrorCode::bad_data, "{}: the file is empty", reader.name());
  GAUZE_TRY(const std::uint32_t dimensions, checked_dimensions(reader, trailing_numbers(line)));
  VectorBuilder builder(dimensions);
  std::vector<float> values(dimensions);
  for (bool more = true; more;) {
    GAUZE_TRY_VOID(progress.check());
    if (is_blank_line(line)) {
      GAUZE_TRY(const bool end, reader.at_end());
      if (!end) return reader.bad_line("is empty");
      break;
    }
    GAUZE_TRY_VOID(add_line(builder, reader, line, values));
    progress.advance();
    if (builder.size() == limit) break;
    GAUZE_TRY(more, reader.line(line));
  }
  return builder.finish(reader.name());
}

Imported import_word2vec_text(ByteReader& reader, std::uint64_t limit, Progress& progress) {
  std::string_view line;
  GAUZE_TRY(const bool any, reader.line(line));
  if (!any) return make_error(ErrorCode::bad_data, "{}: the file is empty", reader.name());
  const auto header = parse_header(line);
  if (!header) return reader.bad_line("is not the header \"count dimensions\"");
  GAUZE_TRY(const std::uint32_t dimensions, checked_dimensions(reader, header->dimensions));
  VectorBuilder builder(dimensions);
  std::vector<float> values(dimensions);
  for (std::uint64_t row = 0; row < header->count; ++row) {
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY(const bool more, reader.line(line));
    if (!more) return reader.bad_line("the file ends after {} of {} words", row, header->count);
    GAUZE_TRY_VOID(add_line(builder, reader, line, values));
    progress.advance();
    if (builder.size() == limit) return builder.finish(reader.name());
  }
  for (;;) {
    GAUZE_TRY(const bool more, reader.line(line));
    if (!more) return builder.finish(reader.name());
    if (!is_blank_line(line)) return reader.bad_line("there are more words than the {} of the header", header->count);
  }
}

Imported import_vectors(ByteReader& reader, VectorFormat format, std::uint64_t limit, Progress* progress) {
  Progress silent;
  Progress& listener = progress != nullptr ? *progress : silent;
  listener.begin("reading word vectors", limit);
  switch (format) {
    case VectorFormat::glove:
      return import_glove(reader, limit, listener);
    case VectorFormat::word2vec_text:
      return import_word2vec_text(reader, limit, listener);
    case VectorFormat::word2vec_binary:
      return import_word2vec_binary(reader, limit, listener);
    case VectorFormat::fasttext_binary:
      return import_fasttext_binary(reader, limit, listener);
    case VectorFormat::wink_json:
      return import_wink(reader, limit, listener);
    case VectorFormat::gvec:
      break;
  }
  return make_error(ErrorCode::internal, "{}: a .gvec is not imported", reader.name());
}

}  // namespace gauze::text::internal
