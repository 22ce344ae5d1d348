#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "gauze/server/keys/key_file.h"
#include "gauze/server/store/internal/report_rows.h"
#include "gauze/server/store/internal/sealed_rows.h"

namespace gauze::server::internal {

/// What the names of data keys begin with in the key file.
inline constexpr std::string_view kReportKeyPrefix = "report-key/";

/// The blocks of one expiry date.
struct ReportFamily {
  ReportFamily(const ExpiryDate& of, Database& database, FamilyPointer family, CryptoProfile profile, SecretBytes key)
      : date(of), rows(database, std::move(family), profile, std::move(key)) {}
  ExpiryDate date;
  SealedRows rows;
  bool is_registered = false;    ///< its first block is on the disk; for whoever writes blocks
  std::shared_mutex being_read;  ///< shared by readers: it is not dropped under them
};
using ReportFamilyPointer = std::shared_ptr<ReportFamily>;

/// Where a family is in its life, as the register in the store says.
enum class FamilyState : char { live = 1, sweeping = 2, settled = 3 };

/// One column family and one data key for each expiry date, and a register of them.
///
/// A key is in the key file before the first block under it can be acknowledged. A register entry is written with the first block; a family
/// without one was left by an end in between, and is removed; a key without one when its date is past.
class ReportFamilies {
 public:
  /// `bad_data` when the key of a date that is not past is missing.
  [[nodiscard]] static Result<std::unique_ptr<ReportFamilies>> open(Database& database, KeyFile& keys,
                                                                    std::int64_t today);

  /// The family that takes blocks of this date now; made when there is none. For one writer at a time.
  [[nodiscard]] Result<ReportFamilyPointer> family_of(std::uint32_t day);
  /// Puts the entry of a new family into the batch with its first block.
  static void add_entry(const ReportFamily& family, FamilyState state, const Database& database,
                        rocksdb::WriteBatch& batch);
  /// The batch is on the disk.
  void note_entry(ReportFamily& family);

  /// Those that hold blocks, by date.
  [[nodiscard]] std::vector<ReportFamilyPointer> live() const;
  /// Those whose sweep began and has not been reported as done, by date.
  [[nodiscard]] std::vector<ExpiryDate> sweeping() const;
  [[nodiscard]] bool is_live(const ExpiryDate& date) const;

  /// The steps of a sweep, each of which may be done again. After take_out() new blocks of the date go to another family.
  void take_out(const ExpiryDate& date);
  [[nodiscard]] Result<void> remove_keys(std::span<const ExpiryDate> dates);
  [[nodiscard]] Result<void> drop(std::span<const ExpiryDate> dates);
  [[nodiscard]] Result<void> settle(const ExpiryDate& date);

 private:
  ReportFamilies(Database& database, KeyFile& keys) : database_(database), keys_(keys) {}
  [[nodiscard]] Result<void> read_register(std::int64_t today);
  [[nodiscard]] Result<void> remove_leftovers(std::int64_t today);

  Database& database_;
  KeyFile& keys_;
  mutable std::mutex mutex_;
  std::map<ExpiryDate, FamilyState> register_;
  std::map<ExpiryDate, ReportFamilyPointer> live_;
  std::map<ExpiryDate, ReportFamilyPointer> taken_out_;
};

}  // namespace gauze::server::internal
