#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/collect/reports/block_format.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/files/json.h"

namespace gauze::collect {

/// What a device keeps about one curator, in a folder of its own within the device's folder: its credential, the blocks that wait to be
/// sent, and which were sent. Blocks have had their ids since they were encoded, so whatever is sent again is known again.
///
/// One process at a time has it; the others wait.
class CuratorAccount {
 public:
  /// `url` is the curator's address; another address is another account.
  [[nodiscard]] static Result<CuratorAccount> open(const std::filesystem::path& device_folder, std::string_view url);

  /// Empty before the device is enrolled.
  [[nodiscard]] const std::string& credential() const { return credential_; }
  [[nodiscard]] Result<void> keep_credential(const std::string& credential);

  /// Puts blocks at the end of the queue, on the disk, before any of them is sent: at most kMostQueuedBytes of whole blocks.
  static constexpr std::size_t kMostQueuedBytes = 64'000;
  [[nodiscard]] Result<void> enqueue(std::string_view blocks);
  /// The names of what waits, oldest first.
  [[nodiscard]] Result<std::vector<std::string>> queue() const;
  [[nodiscard]] Result<std::string> queued(const std::string& name) const;
  /// Takes it out of the queue, and takes note of blocks as sent: those the curator has.
  [[nodiscard]] Result<void> settle(const std::string& name, std::string_view blocks, std::int64_t now);

 private:
  CuratorAccount(std::filesystem::path folder, FileDescriptor lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;
  FileDescriptor lock_;
  std::string credential_;
  std::uint64_t next_ = 0;
};

/// One block that was sent, as `collect device show` lists it: only with its id it can be deleted at the curator.
struct SentBlock {
  std::string url = {};
  std::string id = {};    ///< 32 hexadecimal digits
  std::string task = {};  ///< the hash of the task
  std::uint32_t period = 0;
  std::uint32_t reports = 0;
  std::int64_t time = 0;

  [[nodiscard]] Json to_json() const;
};
/// All blocks that the device in a folder has sent, to whatever curator, oldest first; none where nothing was sent.
[[nodiscard]] Result<std::vector<SentBlock>> sent_blocks(const std::filesystem::path& device_folder);

/// Calls `take` with each whole block at the front of the bytes and returns how many bytes were read. Bytes that are no block are
/// passed over up to the next magic and counted in `malformed`, once a stretch. Without `is_end` a block that may go on is left.
[[nodiscard]] Result<std::size_t> for_each_block(std::string_view bytes, bool is_end, std::uint64_t& malformed,
                                                 const std::function<Result<void>(std::string_view)>& take);

}  // namespace gauze::collect
