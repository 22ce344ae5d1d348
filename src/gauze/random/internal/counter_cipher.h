#pragma once

#include <openssl/crypto.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

struct evp_cipher_ctx_st;

namespace gauze::internal {

/// A 256-bit key that is wiped when it goes out of scope.
struct CipherKey {
  std::array<unsigned char, 32> bytes{};
  ~CipherKey() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
};

/// The key stream of AES-256-CTR in blocks of words. Each block is produced under a key of its own: its first 32
/// bytes become the key of the next block and are wiped from the buffer.
class CounterCipher {
 public:
  CounterCipher();
  ~CounterCipher();
  CounterCipher(const CounterCipher&) = delete;
  CounterCipher& operator=(const CounterCipher&) = delete;

  void rekey(const CipherKey& key);
  /// The next words, for the caller to take and wipe; valid until the next call.
  [[nodiscard]] std::span<std::uint64_t> next_block();

 private:
  static constexpr std::size_t kBlockBytes = 32 * 1024;

  evp_cipher_ctx_st* context_;
  std::unique_ptr<std::array<unsigned char, kBlockBytes>> buffer_;
};

}  // namespace gauze::internal
