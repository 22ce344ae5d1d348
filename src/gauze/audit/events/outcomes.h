#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gauze::audit {

/// What came of runs on one input, one outcome a run: numbers, a text, or a failure.
class Outcomes {
 public:
  enum class Kind : std::uint8_t { numbers, text, failure };

  /// A coordinate that is NaN was not there. `bytes`: how long they were as a text, where they were one.
  void add_numbers(std::span<const double> values, std::size_t bytes = 0);
  void add_number(double value) { add_numbers(std::span(&value, 1)); }

  [[nodiscard]] std::size_t size() const { return kinds_.size(); }
  [[nodiscard]] Kind kind(std::size_t run) const { return kinds_[run]; }
  /// The numbers of a run; none unless it gave numbers.
  [[nodiscard]] std::span<const double> numbers(std::size_t run) const {
    const std::size_t begin = run == 0 ? 0 : ends_[run - 1];
    return std::span(numbers_).subspan(begin, ends_[run] - begin);
  }
  /// The number of its text, or of its failure, in OutcomePair::words; of numbers how long they were.
  [[nodiscard]] std::uint32_t word(std::size_t run) const { return words_[run]; }
  /// The most numbers of any run.
  [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
  [[nodiscard]] bool has(Kind kind) const { return seen_[static_cast<std::size_t>(kind)]; }
  /// Whether outcomes were texts once, so that they have a length.
  [[nodiscard]] bool has_lengths() const { return has(Kind::text) || has_written_numbers_; }

 private:
  friend class OutcomePair;
  void add(Kind kind, std::uint32_t word);

  std::vector<Kind> kinds_;
  std::vector<std::size_t> ends_;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> words_;
  std::size_t dimensions_ = 0;
  bool seen_[3] = {};
  bool has_written_numbers_ = false;
};

/// Runs on two neighbouring inputs.
class OutcomePair {
 public:
  Outcomes left = {};
  Outcomes right = {};
  /// What coordinates are called in the description of an event; a single number without a name is the "value".
  std::vector<std::string> names = {};

  void add_text(Outcomes& side, std::string_view text) { add_text(side, text, text.size()); }
  /// The same of a text of so many bytes that something shorter stands for, such as its digest.
  void add_text(Outcomes& side, std::string_view text, std::size_t bytes) {
    side.add(Outcomes::Kind::text, number_of(text, bytes));
  }
  /// How it failed, in words: "exit status 3", "time limit".
  void add_failure(Outcomes& side, std::string_view how) { side.add(Outcomes::Kind::failure, number_of(how, 0)); }
  [[nodiscard]] const std::string& word(std::uint32_t number) const { return words_[number].text; }
  /// How long a text was.
  [[nodiscard]] std::size_t length(std::uint32_t number) const { return words_[number].bytes; }

 private:
  struct Word {
    std::string text;
    std::size_t bytes = 0;
  };
  [[nodiscard]] std::uint32_t number_of(std::string_view word, std::size_t bytes);

  std::vector<Word> words_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

}  // namespace gauze::audit
