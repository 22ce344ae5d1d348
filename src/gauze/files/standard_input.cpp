#include "gauze/files/standard_input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "gauze/files/unpacking.h"

namespace gauze {
namespace {

class StandardInput final : public ByteSource {
 public:
  explicit StandardInput(const Progress* progress) : progress_(progress) {}
  Result<std::size_t> read(std::span<char> block) override {
    for (;;) {
      if (progress_ != nullptr) GAUZE_TRY_VOID(wait());
      const ::ssize_t got = ::read(STDIN_FILENO, block.data(), block.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return make_error(ErrorCode::io, "the standard input cannot be read");
    }
  }

 private:
  /// Until there is something to read. In short turns: a signal that comes just before a read would not end it.
  [[nodiscard]] Result<void> wait() const {
    constexpr int kMilliseconds = 200;
    for (int ready = 0; ready == 0 || (ready < 0 && errno == EINTR);) {
      GAUZE_TRY_VOID(progress_->check());
      pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
      ready = ::poll(&input, 1, kMilliseconds);
    }
    return {};
  }

  const Progress* progress_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_input(const std::string& path, const Progress* progress) {
  if (path != "-") return open_unpacked(path);
  return unpack(std::make_unique<StandardInput>(progress), "standard input");
}

}  // namespace gauze
