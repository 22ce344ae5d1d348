#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "gauze/server/keys/value_cipher.h"
#include "gauze/server/store/internal/database.h"

namespace gauze::server::internal {

/// Seals the values of one family by one key, and opens them.
///
/// No nonce is used twice, whatever ends the process: each start derives a subkey from a random salt, which is on the disk before anything
/// is sealed under it, and numbers its messages. The row's key is authenticated.
/// A value: number of the salt u32, number of the message u64, clear bytes, sealed text.
/// Thread safety: all members may be called concurrently.
class SealedRows {
 public:
  SealedRows(Database& database, FamilyPointer family, CryptoProfile profile, SecretBytes key)
      : database_(database), family_(std::move(family)), profile_(profile), key_(std::move(key)) {}

  /// `clear` is authenticated and can be read without the key.
  [[nodiscard]] Result<std::string> seal(std::string_view row, std::string_view clear, std::string_view message);
  /// `bad_data` when the value is not that of the row.
  [[nodiscard]] Result<std::string> open(std::string_view row, std::string_view value,
                                         std::size_t clear_bytes = 0) const;
  /// The clear bytes of a value, not authenticated; empty when it is too short.
  [[nodiscard]] static std::string_view clear_bytes_of(std::string_view value, std::size_t clear_bytes);

  [[nodiscard]] rocksdb::ColumnFamilyHandle* handle() const { return family_->handle(); }
  [[nodiscard]] const FamilyPointer& family() const { return family_; }

 private:
  [[nodiscard]] Result<void> begin();
  [[nodiscard]] Result<std::shared_ptr<const ValueCipher>> cipher_of(std::uint32_t salt_number) const;
  [[nodiscard]] std::shared_ptr<const ValueCipher> make_cipher(std::string_view salt) const;

  Database& database_;
  FamilyPointer family_;
  CryptoProfile profile_;
  SecretBytes key_;
  mutable std::mutex mutex_;
  mutable std::map<std::uint32_t, std::shared_ptr<const ValueCipher>> ciphers_;
  std::shared_ptr<const ValueCipher> own_;  ///< of this start, once something was sealed
  std::uint32_t own_number_ = 0;
  std::uint64_t next_message_ = 0;
};

}  // namespace gauze::server::internal
