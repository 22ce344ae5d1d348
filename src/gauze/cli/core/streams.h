#pragma once

#include <functional>
#include <string>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/cli/core/output_writer.h"

namespace gauze::cli {

/// The world as a command line sees it. Tests put strings in its place.
struct Streams {
  Sink out;
  Sink err;
  std::function<Result<std::string>(std::size_t limit)> read_in;  ///< all of stdin
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool no_color = false;  ///< the environment has NO_COLOR
  int columns = 100;      ///< width for help and labels
  /// Called with the progress of a command before it runs, and with nullptr after it: whoever listens to Ctrl-C may
  /// ask it to stop meanwhile.
  std::function<void(Progress*)> on_progress;
  /// Called before a command runs, unless --allow-core-dumps is given: from then on no core dump is written, and no other
  /// process of the same user looks into the memory.
  std::function<void()> hide_memory;
};

/// Those of this process. Ignores SIGPIPE (a reader that went away is an `io` error) and turns the first Ctrl-C into
/// a request to stop; the second one ends the process at once. Call once, first thing in main().
[[nodiscard]] Streams process_streams();

}  // namespace gauze::cli
