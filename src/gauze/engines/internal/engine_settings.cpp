#include "gauze/engines/internal/engine_settings.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "gauze/base/parallel.h"

namespace gauze::engines {
namespace {

/// What the machine has, or what the process may use of it.
std::uint64_t usable_memory() {
  auto memory =
      static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::ifstream limit("/sys/fs/cgroup/memory.max");
  if (std::uint64_t bytes = 0; limit >> bytes) memory = std::min(memory, bytes);
  return memory;
}

std::filesystem::path default_temporary() {
  std::error_code failure;
  auto folder = std::filesystem::temp_directory_path(failure);
  return failure ? std::filesystem::path("/tmp") : folder;
}

}  // namespace

EngineSettings::EngineSettings(const EngineOptions& options)
    : threads(options.threads > 0 ? options.threads : thread_count()),
      memory(options.memory_limit ? *options.memory_limit : usable_memory() / 10 * 6),
      temporary(options.temporary ? std::filesystem::path(*options.temporary) : default_temporary()),
      values_in_memory(options.values_in_memory) {}

}  // namespace gauze::engines
