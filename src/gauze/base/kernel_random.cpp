#include "gauze/base/kernel_random.h"

#include <sys/random.h>

#include <cerrno>
#include <cstddef>

#include "gauze/base/error.h"

namespace gauze {

void fill_from_kernel(std::span<unsigned char> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    GAUZE_CHECK(got > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace gauze
