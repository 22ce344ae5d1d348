#include "gauze/server/store/internal/sealed_rows.h"

#include "gauze/base/kernel_random.h"
#include "gauze/server/store/internal/row_bytes.h"

namespace gauze::server::internal {
namespace {

constexpr char kSaltRow = 'K';
constexpr std::size_t kRowSaltBytes = 32;
constexpr std::size_t kSealedHeadBytes = 12;
constexpr std::string_view kRowsInfo = "gauze-store-rows-1";

std::string salt_row(std::uint32_t number) {
  std::string row(1, kSaltRow);
  append_big(row, number, 4);
  return row;
}

tl::unexpected<Error> row_is_damaged() {
  return make_error(ErrorCode::bad_data,
                    "a row of the store of reports cannot be opened: it was changed, or its key is another one");
}

}  // namespace

std::shared_ptr<const ValueCipher> SealedRows::make_cipher(std::string_view salt) const {
  return std::make_shared<const ValueCipher>(profile_, key_, salt, kRowsInfo);
}

Result<void> SealedRows::begin() {
  std::uint32_t number = 0;
  GAUZE_TRY_VOID(for_rows(database_, handle(), nullptr, salt_row(0),
                          [&](std::string_view row, std::string_view) -> Result<bool> {
                            if (row.empty() || row.front() != kSaltRow) return false;
                            number = static_cast<std::uint32_t>(read_big(row.substr(1))) + 1;
                            return true;
                          }));
  std::string salt(kRowSaltBytes, '\0');
  fill_from_kernel({reinterpret_cast<unsigned char*>(salt.data()), salt.size()});
  rocksdb::WriteBatch batch;
  batch.Put(handle(), salt_row(number), salt);
  GAUZE_TRY_VOID(database_.write(batch, true));
  own_number_ = number;
  own_ = make_cipher(salt);
  ciphers_.emplace(number, own_);
  return {};
}

Result<std::shared_ptr<const ValueCipher>> SealedRows::cipher_of(std::uint32_t salt_number) const {
  const std::lock_guard lock(mutex_);
  const auto place = ciphers_.find(salt_number);
  if (place != ciphers_.end()) return place->second;
  GAUZE_TRY(const auto salt, database_.get(handle(), salt_row(salt_number)));
  if (!salt) return row_is_damaged();
  auto cipher = make_cipher(*salt);
  ciphers_.emplace(salt_number, cipher);
  return cipher;
}

Result<std::string> SealedRows::seal(std::string_view row, std::string_view clear, std::string_view message) {
  std::shared_ptr<const ValueCipher> cipher;
  std::string value;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (own_ == nullptr) GAUZE_TRY_VOID(begin());
    cipher = own_;
    number = next_message_++;
    append_little(value, own_number_, 4);
  }
  append_little(value, number, 8);
  value += clear;
  value += cipher->seal(number, std::string(row).append(clear), message);
  return value;
}

std::string_view SealedRows::clear_bytes_of(std::string_view value, std::size_t clear_bytes) {
  if (value.size() < kSealedHeadBytes + clear_bytes) return {};
  return value.substr(kSealedHeadBytes, clear_bytes);
}

Result<std::string> SealedRows::open(std::string_view row, std::string_view value, std::size_t clear_bytes) const {
  if (value.size() < kSealedHeadBytes + clear_bytes) return row_is_damaged();
  GAUZE_TRY(const auto cipher, cipher_of(static_cast<std::uint32_t>(read_little(value.substr(0, 4)))));
  const std::string_view clear = clear_bytes_of(value, clear_bytes);
  auto message = cipher->open(read_little(value.substr(4, 8)), std::string(row).append(clear),
                              value.substr(kSealedHeadBytes + clear_bytes));
  if (!message) return row_is_damaged();
  return *std::move(message);
}

}  // namespace gauze::server::internal
