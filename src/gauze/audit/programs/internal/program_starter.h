#pragma once

#include <string>
#include <vector>

#include "gauze/audit/programs/program_audit.h"
#include "gauze/audit/programs/program_lines.h"
#include "gauze/base/progress.h"

namespace gauze::audit::internal {

/// What one start came to.
struct StartOutcome {
  enum class Kind { lines, silent, wrong_count, too_wide, failed, stopped };
  Kind kind = Kind::lines;
  std::string failure = {};  ///< in words, of whatever is not the lines that were wanted
  std::vector<ProgramLine> lines = {};
  std::uint64_t count = 0;     ///< of lines, where it ended well
  std::size_t dimensions = 0;  ///< the most numbers of a line
  std::string errors = {};     ///< of a trial: the end of what it wrote to its standard error

  [[nodiscard]] bool is_well() const { return kind == Kind::lines; }
};

/// Starts the program of a request, which must outlive it, on one input or the other. From any thread.
class ProgramStarter {
 public:
  explicit ProgramStarter(const ProgramAuditRequest& request) : request_(&request) {}

  /// Whether the left side comes first in a pair of starts: by a coin, so that what changes from one start to the next, such as a
  /// process number, tells nothing.
  [[nodiscard]] bool left_comes_first(std::uint64_t pair) const;
  /// A start that does not count, to see whether the program works.
  [[nodiscard]] Result<StartOutcome> trial(bool on_left, const Progress& progress) const;
  [[nodiscard]] Result<StartOutcome> run(bool on_left, std::uint64_t start, const Progress& progress) const;

 private:
  /// How many lines it is to print; the last one prints what is left, where it is told.
  [[nodiscard]] std::uint64_t expected(std::uint64_t start) const;
  [[nodiscard]] Result<StartOutcome> run(bool on_left, std::uint64_t expected, std::uint64_t stream, bool is_trial,
                                         const Progress& progress) const;

  const ProgramAuditRequest* request_;
};

}  // namespace gauze::audit::internal
