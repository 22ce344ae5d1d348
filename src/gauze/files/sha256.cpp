#include "gauze/files/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include "gauze/files/internal/io_error.h"

namespace gauze {

// SHA-256 cannot fail on a working machine, only when the library is broken or memory is gone.
Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  GAUZE_CHECK(context_ != nullptr);
  GAUZE_CHECK(EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() { EVP_MD_CTX_free(context_); }

void Sha256::add(std::string_view piece) { GAUZE_CHECK(EVP_DigestUpdate(context_, piece.data(), piece.size()) == 1); }

std::array<unsigned char, 32> Sha256::finish_bytes() {
  std::array<unsigned char, 32> digest{};
  GAUZE_CHECK(EVP_DigestFinal_ex(context_, digest.data(), nullptr) == 1);
  return digest;
}

std::string Sha256::finish() {
  const std::array<unsigned char, 32> digest = finish_bytes();
  return to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.finish();
}

Result<std::string> sha256_of_file(const std::filesystem::path& path) {
  const auto cannot_read = [&] { return internal::io_error("read", fmt::format("'{}'", path.string()), errno); };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (file == nullptr) return cannot_read();
  Sha256 hash;
  std::string block(1U << 18, '\0');
  for (;;) {
    errno = 0;
    const std::size_t got = std::fread(block.data(), 1, block.size(), file.get());
    hash.add(std::string_view(block).substr(0, got));
    if (got == block.size()) continue;
    if (std::ferror(file.get()) != 0) return cannot_read();
    return hash.finish();
  }
}

std::string to_hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4U];
    out += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return out;
}

std::optional<std::string> from_hex(std::string_view digits) {
  const auto value = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = value(digits[i]);
    const int low = value(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(16 * high + low);
  }
  return bytes;
}

bool is_digest(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace gauze
