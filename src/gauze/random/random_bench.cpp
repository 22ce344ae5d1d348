#include <benchmark/benchmark.h>
#include <openssl/evp.h>

#include <array>
#include <vector>

#include "gauze/random/secure_random.h"

namespace gauze {
namespace {

void secure_random_bytes(benchmark::State& state) {
  SecureRandom random;
  std::vector<std::uint64_t> words(1U << 13);
  for (auto _ : state) {
    random.fill(words);
    benchmark::DoNotOptimize(words.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(words.size() * 8));
}
BENCHMARK(secure_random_bytes)->Name("secure random bytes");

/// The limit: AES-256-CTR itself, under one key, over a buffer that stays in the cache.
void cipher_bytes(benchmark::State& state) {
  const std::array<unsigned char, 32> key{};
  const std::array<unsigned char, 16> counter{};
  std::vector<unsigned char> zeros(1U << 15), bytes(zeros.size());
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nullptr, key.data(), counter.data());
  for (auto _ : state) {
    int written = 0;
    EVP_EncryptUpdate(context, bytes.data(), &written, zeros.data(), static_cast<int>(zeros.size()));
    benchmark::DoNotOptimize(bytes.data());
  }
  EVP_CIPHER_CTX_free(context);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
  state.SetLabel("AES-256-CTR");
}
BENCHMARK(cipher_bytes)->Name("limit/secure random bytes");

}  // namespace
}  // namespace gauze
