#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/label/commitment.h"

namespace gauze::anonymize {

/// Replaces identifiers by keyed pseudonyms: equal values of a column become equal pseudonyms, and without the key nobody
/// can tell which value one stands for, not even by trying all of them, as a plain hash would allow.
///
/// HMAC-SHA256 of column and value, cut to 128 bits, in hexadecimal. Whoever has the key can link and re-identify.
/// Thread safety: const members may be called concurrently.
class Pseudonyms {
 public:
  /// Reads the key (64 hexadecimal digits); a file that does not exist is made with a fresh key, for its owner's eyes.
  [[nodiscard]] static Result<Pseudonyms> open(const std::filesystem::path& key_file);

  [[nodiscard]] std::string of(std::string_view column, std::string_view value) const;
  [[nodiscard]] bool key_is_new() const { return is_new_; }

 private:
  Pseudonyms(CommitmentKey key, bool is_new)
      : key_(std::make_shared<CommitmentKey>(std::move(key))), is_new_(is_new) {}
  std::shared_ptr<const CommitmentKey> key_;
  bool is_new_;
};

/// Whether a text has the form of a pseudonym: 32 hexadecimal digits.
[[nodiscard]] bool looks_like_pseudonym(std::string_view text);

}  // namespace gauze::anonymize
