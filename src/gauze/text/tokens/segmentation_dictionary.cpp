#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "gauze/base/utf8.h"
#include "gauze/files/atomic_file.h"
#include "gauze/text/tokens/tokenizer.h"
#include "gauze/text/vectors/word_form.h"

namespace gauze::text {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
/// Longer words are cut off: a run costs its length times this.
constexpr std::size_t kLongestWord = 16;  // in characters
constexpr double kNoWord = -std::numeric_limits<double>::infinity();

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

}  // namespace

struct SegmentationDictionary::Words {
  /// ln frequency of each word; kNoWord for the beginnings of words that are none: where a beginning is missing no longer
  /// word need be looked for.
  std::unordered_map<std::string, double, TextHash, std::equal_to<>> logs;
  double unknown = 0;  // ln of less than any
  double total = 0;    // ln of the sum

  void add(const std::string& word, double frequency);
};

void SegmentationDictionary::Words::add(const std::string& word, double frequency) {
  std::size_t end = 0;
  for (std::size_t length = 1; length <= kLongestWord && end < word.size(); ++length) {
    end += std::max<std::size_t>(1, utf8_length(std::string_view(word).substr(end)));
    logs.try_emplace(word.substr(0, end), kNoWord);
  }
  logs.insert_or_assign(word, std::log(frequency));
}

SegmentationDictionary::SegmentationDictionary() : words_(std::make_unique<Words>()) {}
SegmentationDictionary::SegmentationDictionary(SegmentationDictionary&&) noexcept = default;
SegmentationDictionary& SegmentationDictionary::operator=(SegmentationDictionary&&) noexcept = default;
SegmentationDictionary::~SegmentationDictionary() = default;

Result<SegmentationDictionary> SegmentationDictionary::parse(std::string_view text) {
  SegmentationDictionary result;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  double sum = 0;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const auto bad = [&] {
      return make_error(ErrorCode::bad_data, "line {} of the dictionary is not \"word frequency [tag]\"", number);
    };
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == std::string_view::npos) return bad();
    const std::string_view rest = trimmed(line.substr(blank));
    double frequency = 0;
    const char* const last = rest.data() + std::min(rest.find_first_of(" \t"), rest.size());
    const auto [stop, problem] = std::from_chars(rest.data(), last, frequency);
    if (problem != std::errc() || stop != last || !(frequency >= 0) || !std::isfinite(frequency)) return bad();
    auto word = normal_form(line.substr(0, blank));
    if (!word) return bad();
    frequency = std::max(frequency, 0.5);
    sum += frequency;
    result.words_->add(*word, frequency);
  }
  if (result.words_->logs.empty()) return make_error(ErrorCode::bad_data, "the dictionary has no words");
  result.words_->total = std::log(sum);
  result.words_->unknown = std::log(0.25);
  return result;
}

Result<SegmentationDictionary> SegmentationDictionary::read(const std::string& path) {
  GAUZE_TRY(const std::string text, read_file(path, kMostBytes));
  auto result = parse(text);
  if (!result) return make_error(result.error().code, "{}: {}", path, result.error().message);
  return result;
}

void SegmentationDictionary::divide(std::string_view run, std::vector<std::size_t>& ends) const {
  std::vector<std::size_t> starts = {0};  // of each character, and the end
  while (starts.back() < run.size())
    starts.push_back(starts.back() + std::max<std::size_t>(1, utf8_length(run.substr(starts.back()))));
  const std::size_t characters = starts.size() - 1;
  // best[i]: the largest sum of logarithms for the first i characters, and where its last word begins.
  std::vector<double> best(characters + 1, -1e300);
  std::vector<std::size_t> from(characters + 1, 0);
  best[0] = 0;
  for (std::size_t i = 0; i < characters; ++i) {
    for (std::size_t length = 1; length <= kLongestWord && i + length <= characters; ++length) {
      const auto word = words_->logs.find(run.substr(starts[i], starts[i + length] - starts[i]));
      const bool goes_on = word != words_->logs.end();
      const bool is_word = goes_on && word->second != kNoWord;
      const double value = best[i] - words_->total + (is_word ? word->second : words_->unknown);
      if ((is_word || length == 1) && value > best[i + length]) {
        best[i + length] = value;
        from[i + length] = i;
      }
      if (!goes_on) break;
    }
  }
  ends.clear();
  for (std::size_t i = characters; i > 0; i = from[i]) ends.push_back(starts[i]);
  std::reverse(ends.begin(), ends.end());
}

}  // namespace gauze::text
