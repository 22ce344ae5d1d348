#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gauze::engines {

/// What an engine may use of the machine.
struct EngineOptions {
  int threads = 0;                                 ///< 0: gauze::thread_count()
  std::optional<std::uint64_t> memory_limit = {};  ///< bytes; default: 60 % of the machine's, or of what it may use
  std::optional<std::string> temporary = {};       ///< folder for temporary files; default: TMPDIR, else /tmp
  std::size_t values_in_memory = 20'000'000;       ///< that the summaries of all columns together keep
};

}  // namespace gauze::engines
