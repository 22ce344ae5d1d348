#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gauze::audit {

/// One line that a program printed: numbers where all its fields, separated by blanks, tabs or commas, are numbers (infinite ones and
/// NaN too); any other line, an empty one too, is a text.
struct ProgramLine {
  /// Of more numbers one more is kept, to show that there are too many.
  static constexpr std::size_t kMostNumbers = 1'000;
  /// Of a longer text its SHA-256 is kept.
  static constexpr std::size_t kLongestText = 256;

  std::vector<double> numbers = {};
  std::optional<std::string> text = {};
  std::size_t bytes = 0;  ///< of the line

  [[nodiscard]] static ProgramLine read(std::string_view line);
};

/// What one start prints, read as it comes: memory for the lines that were asked for, however much there is.
class ProgramLines {
 public:
  /// Lines longer than that are a flood, and so are lines beyond those that were asked for, once they fill so many bytes.
  static constexpr std::size_t kMostBytes = 1U << 20U;

  explicit ProgramLines(std::uint64_t expected) : expected_(expected) {}

  /// Returns false when there is no end to be seen.
  [[nodiscard]] bool add(std::string_view bytes);
  /// The last line may lack its end.
  void finish();

  /// How many there were; not all of them are kept.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Those that were asked for.
  [[nodiscard]] std::vector<ProgramLine>& lines() { return lines_; }
  /// The most numbers of a line.
  [[nodiscard]] std::size_t dimensions() const { return dimensions_; }

 private:
  void end_line();

  std::uint64_t expected_;
  std::uint64_t count_ = 0;
  std::size_t dimensions_ = 0;
  std::size_t surplus_ = 0;  ///< bytes beyond what was asked for
  bool has_begun_ = false;   ///< a line, whose end is still to come
  std::string line_;
  std::vector<ProgramLine> lines_;
};

}  // namespace gauze::audit
