#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/scratch_folder.h"
#include "gauze/random/random_words.h"

namespace gauze::text {

/// The lines of a text in a uniformly random order. The text waits in a temporary file that only this user can read; memory
/// is eight bytes a line.
class LineShuffle {
 public:
  /// `memory`: the most bytes for the places of lines.
  [[nodiscard]] static Result<LineShuffle> make(std::size_t memory);
  LineShuffle(LineShuffle&& other) noexcept;
  LineShuffle& operator=(LineShuffle&&) = delete;
  ~LineShuffle();

  /// The next bytes of the text, cut anywhere. `invalid_parameter` when there are more lines than memory was given for.
  [[nodiscard]] Result<void> add(std::string_view bytes);

  /// All lines in a random order, each with its line end; a last line without one gets one. A byte order mark stays at the
  /// beginning. Ends the shuffle.
  [[nodiscard]] Result<void> write(RandomWords& random, const std::function<Result<void>(std::string_view)>& sink);

 private:
  LineShuffle(ScratchFolder folder, int file, std::size_t memory);
  [[nodiscard]] Result<void> flush();

  ScratchFolder folder_;
  int file_;
  std::size_t most_lines_;
  std::string buffer_;
  std::uint64_t size_ = 0;     ///< bytes so far
  bool line_is_open_ = false;  ///< what came last does not end with a line
  std::vector<std::uint64_t> starts_;
};

}  // namespace gauze::text
