#include "gauze/text/mechanisms/sensitive_words.h"

#include <algorithm>
#include <charconv>

#include "gauze/base/utf8.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/files/unpacking.h"
#include "gauze/text/tokens/word_shape.h"
#include "gauze/text/vectors/internal/byte_reader.h"
#include "gauze/text/vectors/word_list.h"

namespace gauze::text {
namespace {

constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 53;

Result<void> parse(internal::ByteReader& reader, const WordVectors& vectors, std::vector<std::uint64_t>& counts,
                   std::uint64_t& others) {
  bool any = false;
  for (;;) {
    std::string_view line;
    GAUZE_TRY(const bool more, reader.line(line));
    if (!more) break;
    line = trimmed(line);
    if (reader.line_number() == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.empty()) continue;
    const std::size_t blank = line.find_last_of(" \t");
    if (blank == std::string_view::npos) return reader.bad_line("is not \"word count\"");
    const std::string_view number = line.substr(blank + 1);
    const std::string_view word = trimmed(line.substr(0, blank));
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (word.empty() || error != std::errc() || end != number.data() + number.size() || count > kLargestCount) {
      return reader.bad_line("is not \"word count\" with a whole number up to 2^53");
    }
    if (find_invalid_utf8(word)) return reader.bad_line("the word is not UTF-8");
    any = true;
    auto found = vectors.find(word);
    if (!found) found = vectors.find(small_letters(lookup_form(word)));  // as words of a text are looked for
    std::uint64_t& sum = found ? counts[*found] : others;
    sum = std::min(sum + count, kLargestCount);
  }
  if (!any) return make_error(ErrorCode::bad_data, "{}: there is no word in it", reader.name());
  return {};
}

}  // namespace

Result<WordFrequencies> WordFrequencies::read(std::unique_ptr<ByteSource> source, const std::string& name,
                                              const WordVectors& vectors) {
  GAUZE_TRY(const auto unpacked, unpack(std::move(source), name));
  internal::ByteReader reader(*unpacked, name);
  WordFrequencies result;
  result.counts_.resize(vectors.size());
  GAUZE_TRY_VOID(parse(reader, vectors, result.counts_, result.others_));
  return result;
}

Result<WordFrequencies> WordFrequencies::open(const std::string& path, const WordVectors& vectors) {
  GAUZE_TRY(auto source, open_unpacked(path));
  return read(std::move(source), path, vectors);
}

Result<std::vector<bool>> WordFrequencies::least_frequent(const Rational& share) const {
  if (!share.is_defined() || share.sign() <= 0 || share > Rational(1)) {
    return invalid_parameter("the share of sensitive words must be above 0 and at most 1, but is {}",
                             share.to_decimal());
  }
  GAUZE_TRY(const std::int64_t wanted,
            (share * Rational(static_cast<std::int64_t>(counts_.size()))).ceil().to_int64());
  std::vector<std::uint32_t> order(counts_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    return counts_[a] != counts_[b] ? counts_[a] < counts_[b] : a > b;
  });
  std::vector<bool> sensitive(counts_.size());
  for (std::int64_t i = 0; i < wanted; ++i) sensitive[order[static_cast<std::size_t>(i)]] = true;
  return sensitive;
}

double WordFrequencies::expected_pass_through(const std::vector<bool>& sensitive, const Rational& p) const {
  double all = 0;
  double open = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    all += static_cast<double>(counts_[i]);
    if (!sensitive[i]) open += static_cast<double>(counts_[i]);
  }
  return all == 0 ? 0 : (Rational(1) - p).to_double() * open / all;
}

Result<SensitiveWords> SensitiveWords::least_frequent(const std::string& path, const Rational& w,
                                                      const WordVectors& vectors) {
  SensitiveWords result{.w = w};
  GAUZE_TRY(result.list_sha256, sha256_of_file(path));
  GAUZE_TRY(WordFrequencies frequencies, WordFrequencies::open(path, vectors));
  result.frequencies = std::make_shared<const WordFrequencies>(std::move(frequencies));
  GAUZE_TRY(result.marked, result.frequencies->least_frequent(w));
  return result;
}

Result<SensitiveWords> SensitiveWords::listed(const std::string& path, const WordVectors& vectors) {
  SensitiveWords result;
  GAUZE_TRY(result.list_sha256, sha256_of_file(path));
  GAUZE_TRY(const std::string list, read_file(path));
  GAUZE_TRY(result.marked, marked_words(list, path, vectors));
  return result;
}

}  // namespace gauze::text
