#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "gauze/base/error.h"

struct evp_mac_ctx_st;

namespace gauze {

/// The secret that commitments are made under: 32 random bytes of the operating system, wiped when done with.
///
/// It stays with the owner of the data (or in the ledger) and never enters a label: whoever holds it and knows all
/// rows but one can test guesses for the last one.
class CommitmentKey {
 public:
  /// Fresh from the operating system's generator.
  [[nodiscard]] static Result<CommitmentKey> generate();
  /// From the 64 hexadecimal digits that hex() gave.
  [[nodiscard]] static Result<CommitmentKey> from_hex(std::string_view digits);

  CommitmentKey(CommitmentKey&& other) noexcept;
  CommitmentKey& operator=(CommitmentKey&& other) noexcept;
  ~CommitmentKey();

  /// For the owner's safe keeping.
  [[nodiscard]] std::string hex() const;

 private:
  friend class Commitment;
  CommitmentKey() = default;
  std::array<unsigned char, 32> bytes_{};
};

/// Binds a label to private bytes without revealing anything about them: HMAC-SHA256 under a CommitmentKey.
///
/// A plain hash would let anyone who knows all rows but one test the last; without the key this tells nothing.
/// The purpose ("input", "policy") is part of what is committed to, so one commitment never passes for another.
/// Bytes may come in pieces; where they are cut does not matter.
class Commitment {
 public:
  Commitment(const CommitmentKey& key, std::string_view purpose);
  ~Commitment();
  Commitment(const Commitment&) = delete;
  Commitment& operator=(const Commitment&) = delete;

  void add(std::string_view piece);
  /// All bytes of a file: `io` when it cannot be read to its end.
  [[nodiscard]] Result<void> add_file(const std::filesystem::path& path);
  /// The commitment as 64 hexadecimal digits. Call once.
  [[nodiscard]] std::string finish();
  /// Whether the bytes added are those that `commitment` was made of, in constant time. Instead of finish().
  [[nodiscard]] bool verify(std::string_view commitment);

 private:
  evp_mac_ctx_st* context_;
};

}  // namespace gauze
