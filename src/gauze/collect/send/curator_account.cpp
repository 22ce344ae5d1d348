#include "gauze/collect/send/curator_account.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <system_error>

#include "gauze/base/utc_date.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/ledger/ledger.h"

namespace gauze::collect {
namespace {

namespace fs = std::filesystem;

fs::path accounts_of(const fs::path& device) { return device / "curators"; }
fs::path sent_of(const fs::path& account) { return account / "sent.jsonl"; }
fs::path queue_of(const fs::path& account) { return account / "queue"; }

tl::unexpected<Error> cannot(std::string_view what, const fs::path& path, int problem) {
  return make_error(ErrorCode::io, "cannot {} {}: {}", what, path.string(), std::generic_category().message(problem));
}

Result<FileDescriptor> lock(const fs::path& place) {
  FileDescriptor file(::open(place.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (file.number() < 0) return cannot("open", place, errno);
  while (::flock(file.number(), LOCK_EX) != 0)
    if (errno != EINTR) return cannot("lock", place, errno);
  return file;
}

/// Adds lines to a file, and has them on the disk. A last line that was cut off by a crash is ended first.
Result<void> append(const fs::path& place, std::string text) {
  const FileDescriptor file(::open(place.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (file.number() < 0) return cannot("open", place, errno);
  char last = '\n';
  if (const off_t size = ::lseek(file.number(), 0, SEEK_END);
      size > 0 && ::pread(file.number(), &last, 1, size - 1) != 1)
    return cannot("read", place, errno);
  if (last != '\n') text.insert(text.begin(), '\n');
  GAUZE_TRY_VOID(write_all(file, text, place.string()));
  if (::fdatasync(file.number()) != 0) return cannot("write", place, errno);
  return {};
}

std::optional<std::uint64_t> number_of_name(const std::string& name) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (problem != std::errc() || std::string_view(end) != ".blocks") return std::nullopt;
  return number;
}

std::string_view text_of(const unsigned char* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

Json SentBlock::to_json() const {
  return Json::object({{"id", id},
                       {"task", task},
                       {"period", period},
                       {"reports", reports},
                       {"sent", time_text(time)},
                       {"curator", url}});
}

Result<CuratorAccount> CuratorAccount::open(const fs::path& device_folder, std::string_view url) {
  const fs::path folder = accounts_of(device_folder) / sha256_hex(url).substr(0, 16);
  std::error_code problem;
  fs::create_directories(queue_of(folder), problem);
  if (problem) return make_error(ErrorCode::io, "cannot make the folder {}: {}", folder.string(), problem.message());
  fs::permissions(folder, fs::perms::owner_all, problem);
  GAUZE_TRY(FileDescriptor locked, lock(folder / "lock"));
  CuratorAccount account(folder, std::move(locked));
  if (fs::exists(folder / "account.json", problem)) {
    GAUZE_TRY(const std::string text, read_file(folder / "account.json", 65'536));
    const auto read = read_json(text);
    const Json* credential = read ? read->find("credential") : nullptr;
    if (credential == nullptr || credential->text().empty())
      return make_error(ErrorCode::bad_data, "{} is damaged: without it the device is not known to the curator",
                        (folder / "account.json").string());
    account.credential_ = std::string(credential->text());
  } else {
    GAUZE_TRY_VOID(write_file(folder / "curator.json", Json::object({{"url", url}}).dump() + "\n"));
  }
  GAUZE_TRY(const std::vector<std::string> names, account.queue());
  if (!names.empty()) account.next_ = *number_of_name(names.back()) + 1;
  return account;
}

Result<void> CuratorAccount::keep_credential(const std::string& credential) {
  GAUZE_TRY_VOID(write_file(folder_ / "account.json", Json::object({{"credential", credential}}).dump() + "\n",
                            FileReaders::owner_alone));
  credential_ = credential;
  return {};
}

Result<void> CuratorAccount::enqueue(std::string_view blocks) {
  return write_file(queue_of(folder_) / fmt::format("{:012}.blocks", next_++), blocks, FileReaders::owner_alone);
}

Result<std::vector<std::string>> CuratorAccount::queue() const {
  std::vector<std::string> names;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(queue_of(folder_), problem))
    if (number_of_name(entry.path().filename().string())) names.push_back(entry.path().filename().string());
  if (problem) return make_error(ErrorCode::io, "cannot read {}: {}", queue_of(folder_).string(), problem.message());
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> CuratorAccount::queued(const std::string& name) const {
  return read_file(queue_of(folder_) / name, kMostQueuedBytes);
}

Result<void> CuratorAccount::settle(const std::string& name, std::string_view blocks, std::int64_t now) {
  std::string lines;
  std::uint64_t malformed = 0;
  const auto note = [&](std::string_view block) -> Result<void> {
    const BlockHeader header = parse_block_header(reinterpret_cast<const unsigned char*>(block.data()));
    const SentBlock sent{.id = to_hex(text_of(header.id.data(), header.id.size())),
                         .task = to_hex(text_of(header.task.data(), header.task.size())),
                         .period = header.period,
                         .reports = header.count,
                         .time = now};
    lines += sent.to_json().dump() + "\n";
    return {};
  };
  GAUZE_TRY_VOID(for_each_block(blocks, true, malformed, note));
  GAUZE_TRY_VOID(append(sent_of(folder_), std::move(lines)));
  std::error_code problem;
  fs::remove(queue_of(folder_) / name, problem);
  if (problem) return make_error(ErrorCode::io, "cannot remove {} from the queue: {}", name, problem.message());
  return {};
}

Result<std::vector<SentBlock>> sent_blocks(const fs::path& device_folder) {
  std::vector<SentBlock> found;
  std::error_code problem;
  std::vector<fs::path> accounts;
  for (const auto& entry : fs::directory_iterator(accounts_of(device_folder), problem))
    accounts.push_back(entry.path());
  std::sort(accounts.begin(), accounts.end());
  for (const fs::path& account : accounts) {
    if (!fs::exists(sent_of(account), problem)) continue;
    std::string url;
    if (const auto text = read_file(account / "curator.json", 65'536))
      if (const auto read = read_json(*text))
        if (const Json* given = read->find("url")) url = given->text();
    GAUZE_TRY(const std::string text, read_file(sent_of(account)));
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      const auto read = read_json(line);
      if (!read || read->find("id") == nullptr) continue;  // cut off by a crash: it is sent again and noted again
      const auto number = [&](const char* name) {
        std::uint32_t value = 0;
        if (const Json* figure = read->find(name))
          std::from_chars(figure->text().data(), figure->text().data() + figure->text().size(), value);
        return value;
      };
      SentBlock sent{.url = url,
                     .id = std::string(read->find("id")->text()),
                     .task = {},
                     .period = number("period"),
                     .reports = number("reports")};
      if (const Json* task = read->find("task")) sent.task = task->text();
      if (const Json* time = read->find("sent")) sent.time = parse_utc_time(time->text()).value_or(0);
      found.push_back(std::move(sent));
    }
  }
  // What was sent again is one block: the last time counts.
  std::reverse(found.begin(), found.end());
  std::set<std::pair<std::string, std::string>> known;
  std::erase_if(found, [&](const SentBlock& block) { return !known.insert({block.url, block.id}).second; });
  std::reverse(found.begin(), found.end());
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return found;
}

Result<std::size_t> for_each_block(std::string_view bytes, bool is_end, std::uint64_t& malformed,
                                   const std::function<Result<void>(std::string_view)>& take) {
  std::size_t at = 0;
  bool searching = false;
  while (at < bytes.size()) {
    const std::string_view rest = bytes.substr(at);
    if (!is_end && rest.size() < kMostBlockBytes) return at;
    if (rest.starts_with(kBlockMagic) && rest.size() >= kBlockHeaderBytes) {
      const BlockHeader header = parse_block_header(reinterpret_cast<const unsigned char*>(rest.data()));
      if (header.within_limits() && header.bytes() <= rest.size()) {
        GAUZE_TRY_VOID(take(rest.substr(0, header.bytes())));
        at += header.bytes();
        searching = false;
        continue;
      }
    }
    if (!searching) ++malformed;
    searching = true;
    const std::size_t next = rest.find(kBlockMagic, 1);
    at = next == std::string_view::npos
             ? bytes.size() - (is_end ? 0 : std::min(rest.size() - 1, kBlockMagic.size() - 1))
             : at + next;
  }
  return at;
}

}  // namespace gauze::collect
