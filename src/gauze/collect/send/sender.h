#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/collect/channel/sealing_key.h"
#include "gauze/collect/send/curator_account.h"
#include "gauze/files/byte_source.h"
#include "gauze/files/https_client.h"
#include "gauze/files/json.h"

namespace gauze::collect {

struct SendOptions {
  std::string url;  ///< of the curator's device listener, without a slash at its end
  std::filesystem::path ca;
  std::filesystem::path device_folder;
  std::optional<std::string> token = {};  ///< to enrol with, where the device has no credential yet
  Suite suite = Suite::p256;
  double patience_seconds = 60;  ///< how long a curator that does not answer is asked again
};

/// What the curator made of the reports, as it says.
struct SendOutcome {
  std::uint64_t accepted = 0;
  std::uint64_t duplicates = 0;
  std::map<std::string, std::uint64_t> rejected = {};
  std::uint64_t batches = 0;
  std::optional<Error> given_up = {};  ///< why the rest stays in the queue

  [[nodiscard]] bool is_all_taken() const { return rejected.empty() && !given_up; }
  /// {"accepted","duplicates","rejected","batches"}
  [[nodiscard]] Json to_json() const;
};

/// Sends blocks of reports to a curator: queued on the disk first, sealed a batch at a time, tried again with growing pauses while nobody
/// answers. Nothing is counted twice whatever fails: a block keeps its id, and the curator knows it again.
class Sender {
 public:
  /// `io` when the folder cannot be used.
  [[nodiscard]] static Result<Sender> make(const SendOptions& options);

  /// Puts the blocks of a source in the queue. What is no block counts as rejected: malformed.
  [[nodiscard]] Result<void> enqueue(ByteSource& source);
  /// Enrols if that is needed, and sends all that waits. `io` at once for a certificate that does not verify, `not_authorised` when the curator
  /// does not admit the device; then, and when patience ends, the queue stays.
  [[nodiscard]] Result<SendOutcome> send(Progress& progress);

 private:
  Sender(const SendOptions& options, HttpsClient client, CuratorAccount account)
      : options_(options), client_(std::move(client)), account_(std::move(account)) {}

  /// A response other than "ask later", or why there is none.
  [[nodiscard]] Result<HttpsClient::Response> ask(HttpsClient::Request request, Progress& progress);
  [[nodiscard]] Result<void> enrol(Progress& progress);
  [[nodiscard]] Result<void> fetch_key(Progress& progress);
  [[nodiscard]] Result<HttpsClient::Response> post(std::string_view blocks, Progress& progress);

  SendOptions options_;
  HttpsClient client_;
  CuratorAccount account_;
  std::optional<SealingPublicKey> key_ = {};
  SendOutcome outcome_ = {};
  bool is_out_of_patience_ = false;
};

/// Has the curator that a block was sent to delete it. `invalid_parameter` for a block that the device in the folder did not send.
[[nodiscard]] Result<void> delete_sent_block(const std::filesystem::path& device_folder, std::string_view id,
                                             const std::filesystem::path& ca);

}  // namespace gauze::collect
