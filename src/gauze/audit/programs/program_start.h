#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"

namespace gauze::audit {

/// One start of a program, without a shell: its words are handed over as they are.
struct ProgramStart {
  std::vector<std::string> words = {};    ///< the program, found as a shell finds it, and its arguments
  std::optional<std::string> input = {};  ///< what its standard input holds; none: nothing
  std::chrono::milliseconds time_limit{60'000};
  bool keeps_errors = false;  ///< the end of its standard error is kept; else it goes nowhere
};

/// How a start ended.
struct ProgramEnd {
  enum class Kind {
    exited,
    signalled,
    timed_out,
    flooded,  ///< whoever read its output wanted no more
    stopped   ///< the progress was asked to stop: nothing is known of this start
  };
  Kind kind = Kind::exited;
  int code = 0;             ///< the exit status, or the signal
  std::string errors = {};  ///< the end of its standard error, where that is kept
};

/// Hands over what the program prints, piece by piece; ends the program with what it started when `on_output` returns false, at
/// the time limit, and when a stop is asked for. What it left running when it ended is ended too. From any thread.
///
/// An `io` error means that nothing was started: there is no such program, or the system has no room for it.
[[nodiscard]] Result<ProgramEnd> run_program(const ProgramStart& start,
                                             const std::function<bool(std::string_view)>& on_output,
                                             const Progress& progress);

}  // namespace gauze::audit
