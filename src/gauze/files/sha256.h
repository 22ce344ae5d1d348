#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/error.h"

struct evp_md_ctx_st;

namespace gauze {

/// SHA-256 of bytes given in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view piece);
  /// 64 lower-case hexadecimal digits. Call one of the two, once.
  [[nodiscard]] std::string finish();
  [[nodiscard]] std::array<unsigned char, 32> finish_bytes();

 private:
  evp_md_ctx_st* context_;
};

[[nodiscard]] std::string sha256_hex(std::string_view bytes);
/// The digest of a file of any size, read in blocks.
[[nodiscard]] Result<std::string> sha256_of_file(const std::filesystem::path& path);

[[nodiscard]] std::string to_hex(std::string_view bytes);
/// The bytes back; nothing when the text is not exactly what to_hex() writes.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view digits);
/// Whether the text is a 256-bit digest: 64 lower-case hexadecimal digits.
[[nodiscard]] bool is_digest(std::string_view text);

}  // namespace gauze
