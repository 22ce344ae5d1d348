#include "gauze/collect/device/device_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "gauze/base/kernel_random.h"
#include "gauze/collect/encode/draw_reports.h"
#include "gauze/collect/plan/planner.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze::collect {
namespace {

namespace fs = std::filesystem;

fs::path secret_of(const fs::path& folder) { return folder / "secret"; }
fs::path ledger_of(const fs::path& folder) { return folder / "ledger"; }
fs::path consents_of(const fs::path& folder) { return folder / "consents"; }

template <class Bytes>
std::string_view as_text(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(&bytes), sizeof bytes};
}

/// A file of exactly this size, into `out`.
Result<void> read_exactly(const fs::path& path, void* out, std::size_t size, std::string_view what) {
  GAUZE_TRY(const std::string bytes, read_file(path, size + 1));
  if (bytes.size() != size)
    return make_error(ErrorCode::bad_data, "{} of the device in {} is damaged", what, path.parent_path().string());
  std::memcpy(out, bytes.data(), size);
  return {};
}

Json nano_json(std::uint64_t nano) { return nano == GAUZE_NO_LIMIT ? Json() : Json::number(nano_text(nano)); }

Json part_json(std::uint64_t spent, std::uint64_t limit) {
  return Json::object({{"spent", nano_json(spent)},
                       {"left", limit == GAUZE_NO_LIMIT ? Json() : nano_json(limit - std::min(limit, spent))}});
}

}  // namespace

bool DeviceFolder::is_there(const fs::path& folder) {
  std::error_code problem;
  return fs::exists(ledger_of(folder), problem);
}

Result<void> DeviceFolder::make(const fs::path& folder, const Limits& limits) {
  std::error_code error;
  if (fs::exists(secret_of(folder), error) || fs::exists(ledger_of(folder), error))
    return make_error(ErrorCode::usage, "there is a device in {} already: its budget is not made anew",
                      folder.string());
  fs::create_directories(consents_of(folder), error);
  if (error) return make_error(ErrorCode::io, "cannot make the folder {}: {}", folder.string(), error.message());
  gauze_ledger ledger;
  if (gauze_ledger_init(&ledger, static_cast<std::uint64_t>(limits.window_seconds), limits.window_nano,
                        limits.lifetime_nano) != GAUZE_OK)
    return invalid_parameter("a window must have at least a second");
  std::array<unsigned char, 32> secret{};
  random_bytes_of_thread(nullptr, secret.data(), secret.size());
  GAUZE_TRY_VOID(write_file(secret_of(folder), as_text(secret), FileReaders::owner_alone));
  return write_file(ledger_of(folder), as_text(ledger), FileReaders::owner_alone);
}

Result<DeviceFolder> DeviceFolder::open(const fs::path& folder) {
  FileDescriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.number() < 0)
    return make_error(ErrorCode::io, "there is no device in {}: {}", folder.string(), std::strerror(errno));
  while (::flock(lock.number(), LOCK_EX) != 0 && errno == EINTR) continue;
  DeviceFolder device(folder, std::move(lock));
  GAUZE_TRY_VOID(read_exactly(ledger_of(folder), &device.ledger_, sizeof device.ledger_, "the ledger"));
  gauze_ledger_figures figures;
  if (gauze_ledger_open(&device.ledger_, &figures) != GAUZE_OK)
    return make_error(ErrorCode::bad_data, "the ledger of the device in {} is damaged: nothing is encoded",
                      folder.string());
  return device;
}

fs::path DeviceFolder::consent_path(const DeviceTask& task) const { return consents_of(folder_) / task.hash(); }

Result<gauze_device> DeviceFolder::device(const DeviceTask& task) const {
  gauze_device device = {};
  GAUZE_TRY_VOID(read_exactly(secret_of(folder_), device.secret, sizeof device.secret, "the secret"));
  device.random = random_bytes_of_thread;
  std::error_code error;
  if (fs::exists(consent_path(task), error))
    GAUZE_TRY_VOID(read_exactly(consent_path(task), &device.consent, sizeof device.consent, "a consent"));
  return device;
}

Result<void> DeviceFolder::grant(const DeviceTask& task, bool in_chinese, std::uint64_t time) {
  GAUZE_TRY(gauze_device device, this->device(task));
  const unsigned char* text = task.loaded().text_sha256[in_chinese ? 1 : 0];
  if (gauze_consent_grant(&device.consent, &task.loaded(), device.secret, text, time) != GAUZE_OK)
    return make_error(ErrorCode::bad_data, "consent to this task cannot be recorded");
  return write_file(consent_path(task), as_text(device.consent), FileReaders::owner_alone);
}

Result<bool> DeviceFolder::withdraw(const DeviceTask& task) {
  std::error_code error;
  const bool was_there = fs::remove(consent_path(task), error);
  if (error) return make_error(ErrorCode::io, "cannot remove {}: {}", consent_path(task).string(), error.message());
  return was_there;
}

Result<std::string> DeviceFolder::encode(const Task& task, const gauze_value& value, std::uint64_t time) {
  return encode_report(task, {&value, 1}, time);
}

Result<std::string> DeviceFolder::encode(const CentralTask& task, std::span<const gauze_value> values,
                                         std::uint64_t time) {
  return encode_report(task, values, time);
}

Result<std::string> DeviceFolder::encode_report(const DeviceTask& task, std::span<const gauze_value> values,
                                                std::uint64_t time) {
  GAUZE_TRY(const gauze_device device, this->device(task));
  gauze_ledger charged = ledger_;
  std::string payload(task.payload_bytes(), '\0');
  const int state = gauze_encode(&task.loaded(), &device, time, values.data(), values.size(), &charged, nullptr,
                                 reinterpret_cast<unsigned char*>(payload.data()));
  switch (state) {
    case GAUZE_OK:
      break;
    case GAUZE_E_CONSENT:
      return make_error(ErrorCode::not_authorised,
                        "the user of this device has not agreed to the task '{}' as its text is now",
                        task.terms().name);
    case GAUZE_E_COST:
      GAUZE_TRY_VOID(task.check_claim());
      break;
    case GAUZE_E_BUDGET:
      return make_error(
          ErrorCode::budget_exhausted,
          "a report of the task '{}' costs epsilon {}, which a limit of the device or of the task does not allow",
          task.terms().name, nano_text(task.cost_nano()));
    case GAUZE_E_LEDGER:
      return make_error(ErrorCode::bad_data, "the ledger of the device is damaged: nothing is encoded");
    default:
      return make_error(ErrorCode::internal, "the encoder answered {}", state);
  }
  // Before anything is sent: a report that nobody has seen costs nothing to lose.
  GAUZE_TRY_VOID(write_file(ledger_of(folder_), as_text(charged), FileReaders::owner_alone));
  ledger_ = charged;
  std::string block(GAUZE_LARGEST_BLOCK, '\0');
  std::size_t size = block.size();
  if (gauze_block(&task.loaded(), &device, time, reinterpret_cast<const unsigned char*>(payload.data()), 1,
                  reinterpret_cast<unsigned char*>(block.data()), &size) != GAUZE_OK)
    return invalid_parameter("the time is too far in the future for the task's periods");
  block.resize(size);
  return block;
}

Result<gauze_ledger_figures> DeviceFolder::figures(std::uint64_t time) const {
  gauze_ledger_figures figures;
  GAUZE_CHECK(gauze_ledger_open(&ledger_, &figures) == GAUZE_OK);
  gauze_ledger_advance(&figures, time);
  return figures;
}

Result<Json> DeviceFolder::ledger_json(std::uint64_t time) const {
  GAUZE_TRY(const gauze_ledger_figures now, figures(time));
  return Json::object({{"window", part_json(now.window_spent, now.window_limit)},
                       {"lifetime", part_json(now.lifetime_spent, now.lifetime_limit)}});
}

Result<Json> DeviceFolder::to_json(std::uint64_t time) const {
  GAUZE_TRY(const gauze_ledger_figures now, figures(time));
  GAUZE_TRY(Json ledger, ledger_json(time));
  std::vector<std::string> tasks;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(consents_of(folder_), error))
    if (is_digest(entry.path().filename().string())) tasks.push_back(entry.path().filename().string());
  std::sort(tasks.begin(), tasks.end());
  std::vector<Json> consents(tasks.begin(), tasks.end());
  return Json::object(
      {{"ledger", std::move(ledger)},
       {"limits", Json::object({{"window", window_text(static_cast<std::int64_t>(now.window_seconds))},
                                {"epsilon_window", nano_json(now.window_limit)},
                                {"epsilon_lifetime", nano_json(now.lifetime_limit)}})},
       {"reports", now.reports},
       {"consents", Json::array(std::move(consents))}});
}

}  // namespace gauze::collect
