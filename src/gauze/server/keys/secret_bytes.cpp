#include "gauze/server/keys/secret_bytes.h"

#include <openssl/crypto.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

#include "gauze/base/kernel_random.h"

namespace gauze::server {

SecretBytes::SecretBytes(std::size_t size) : size_(size) {
  if (size == 0) return;
  void* pages = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  // Both are done as far as they are allowed: without them secrets are as safe as any other memory.
  static_cast<void>(::mlock(pages, size));
  static_cast<void>(::madvise(pages, size, MADV_DONTDUMP));
  data_ = static_cast<unsigned char*>(pages);
}

SecretBytes SecretBytes::copy_of(std::span<const unsigned char> bytes) {
  SecretBytes copy(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.data_);
  return copy;
}

SecretBytes SecretBytes::copy_of(std::string_view bytes) {
  return copy_of(std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

SecretBytes SecretBytes::random(std::size_t size) {
  SecretBytes bytes(size);
  fill_from_kernel(bytes.writable());
  return bytes;
}

SecretBytes::SecretBytes(SecretBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SecretBytes& SecretBytes::operator=(SecretBytes&& other) noexcept {
  if (this == &other) return *this;
  release();
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

SecretBytes::~SecretBytes() { release(); }

void SecretBytes::release() {
  if (data_ == nullptr) return;
  OPENSSL_cleanse(data_, size_);
  ::munmap(data_, size_);
}

bool SecretBytes::equals(const SecretBytes& other) const {
  return size_ == other.size_ && (size_ == 0 || CRYPTO_memcmp(data_, other.data_, size_) == 0);
}

}  // namespace gauze::server
