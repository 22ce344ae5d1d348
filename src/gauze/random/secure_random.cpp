#include "gauze/random/secure_random.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "gauze/base/error.h"
#include "gauze/base/kernel_random.h"
#include "gauze/random/internal/counter_cipher.h"

namespace gauze {
namespace {

/// A word that the kernel sets to zero in a forked child (MADV_WIPEONFORK, also after a raw clone). Where the kernel
/// cannot, a fork handler does.
class ForkSentinel {
 public:
  static ForkSentinel& instance() {
    static ForkSentinel* sentinel = new ForkSentinel;  // never destroyed: streams of other threads may outlive main
    return *sentinel;
  }

  [[nodiscard]] const volatile std::uint64_t* word() const { return word_; }

  /// The present epoch; in a forked child a new one, made at the first call.
  [[nodiscard]] std::uint64_t epoch() {
    std::atomic_ref<std::uint64_t> word(*word_);
    std::uint64_t seen = word.load();
    if (seen == 0) {
      const std::uint64_t fresh = ++last_epoch_;
      seen = word.compare_exchange_strong(seen, fresh) ? fresh : seen;
    }
    return seen;
  }

 private:
  ForkSentinel() {
    const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    GAUZE_CHECK(page != MAP_FAILED);
    word_ = static_cast<std::uint64_t*>(page);
    if (madvise(page, size, MADV_WIPEONFORK) != 0) {
      pthread_atfork(nullptr, nullptr, [] { *instance().word_ = 0; });
    }
  }

  std::uint64_t* word_ = nullptr;
  std::atomic<std::uint64_t> last_epoch_{0};
};

}  // namespace

struct SecureRandom::State {
  internal::CounterCipher cipher;
  bool keyed = false;
};

SecureRandom::SecureRandom() : state_(std::make_unique<State>()) {
  epoch_now_ = ForkSentinel::instance().word();
  epoch_of_buffer_ = 0;
}

SecureRandom::~SecureRandom() = default;

SecureRandom& SecureRandom::of_thread() {
  thread_local SecureRandom stream;
  return stream;
}

void SecureRandom::refill() {
  const std::uint64_t epoch = ForkSentinel::instance().epoch();
  if (!state_->keyed || epoch != epoch_of_buffer_) {
    internal::CipherKey key;
    // Not from a library's generator: those tell a child from its parent by process ids, which repeat in containers.
    fill_from_kernel(key.bytes);
    state_->cipher.rekey(key);
    state_->keyed = true;
    epoch_of_buffer_ = epoch;
  }
  const auto words = state_->cipher.next_block();
  position_ = words.data();
  end_ = words.data() + words.size();
}

}  // namespace gauze
