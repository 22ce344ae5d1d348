#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "gauze/base/error.h"
#include "gauze/collect/task/central_task.h"
#include "gauze/collect/task/task.h"
#include "gauze/encoder/ledger_figures.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/files/json.h"

namespace gauze::collect {

/// A whole device in a folder, for tests and demonstrations: its secret, its ledger and its consents, as an app keeps them.
///
/// The ledger is on the disk before a report is handed out: a crash in between loses the report, never the charge. Processes that use
/// one folder take turns.
class DeviceFolder {
 public:
  struct Limits {
    std::int64_t window_seconds = 30 * 86'400;
    std::uint64_t window_nano = GAUZE_NO_LIMIT;
    std::uint64_t lifetime_nano = GAUZE_NO_LIMIT;
  };
  /// Makes the folder with a new secret and an empty ledger. `usage` when there is a device already.
  [[nodiscard]] static Result<void> make(const std::filesystem::path& folder, const Limits& limits);
  [[nodiscard]] static bool is_there(const std::filesystem::path& folder);
  /// `io` when there is none, `bad_data` when it is damaged.
  [[nodiscard]] static Result<DeviceFolder> open(const std::filesystem::path& folder);

  /// Keeps the user's consent to the statement, in English or Chinese.
  [[nodiscard]] Result<void> grant(const DeviceTask& task, bool in_chinese, std::uint64_t time);
  /// Forgets it; whether there was one.
  [[nodiscard]] Result<bool> withdraw(const DeviceTask& task);

  /// One report in a block of its own. `not_authorised` without consent, `budget_exhausted` when a limit would be exceeded,
  /// `cost_above_claim`, `bad_data` for a damaged ledger.
  [[nodiscard]] Result<std::string> encode(const Task& task, const gauze_value& value, std::uint64_t time);
  /// One record of a central task, a value for each field: it charges nothing. `not_authorised` without consent.
  [[nodiscard]] Result<std::string> encode(const CentralTask& task, std::span<const gauze_value> values,
                                           std::uint64_t time);

  /// {"window":{"spent","left"},"lifetime":{"spent","left"}} at that time; left is null without a limit.
  [[nodiscard]] Result<Json> ledger_json(std::uint64_t time) const;
  /// The same, with limits, windows, reports so far and the tasks that have consent.
  [[nodiscard]] Result<Json> to_json(std::uint64_t time) const;

 private:
  DeviceFolder(std::filesystem::path folder, FileDescriptor lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}
  [[nodiscard]] Result<gauze_device> device(const DeviceTask& task) const;
  [[nodiscard]] Result<gauze_ledger_figures> figures(std::uint64_t time) const;
  [[nodiscard]] Result<std::string> encode_report(const DeviceTask& task, std::span<const gauze_value> values,
                                                  std::uint64_t time);
  [[nodiscard]] std::filesystem::path consent_path(const DeviceTask& task) const;

  std::filesystem::path folder_;
  FileDescriptor lock_;  ///< held while the object lives
  gauze_ledger ledger_ = {};
};

}  // namespace gauze::collect
