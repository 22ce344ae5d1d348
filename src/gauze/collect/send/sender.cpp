#include "gauze/collect/send/sender.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <random>
#include <thread>

#include "gauze/base/utc_date.h"
#include "gauze/collect/channel/batch.h"
#include "gauze/files/json_reader.h"

namespace gauze::collect {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFirstPause = 0.2;
constexpr double kLongestPause = 10;
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20U;

std::uint64_t whole_of(const Json* figure) {
  std::uint64_t value = 0;
  if (figure != nullptr) std::from_chars(figure->text().data(), figure->text().data() + figure->text().size(), value);
  return value;
}

/// What a curator's error says, or the status.
std::string told(const HttpsClient::Response& response) {
  if (const auto read = read_json(response.body))
    if (const Json* error = read->find("error"))
      if (const Json* message = error->find("message")) return std::string(message->text());
  return fmt::format("it answers with status {}", response.status);
}

/// Waits in small steps, so that Ctrl-C is heard.
Result<void> wait(double seconds, Progress& progress) {
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < until) {
    GAUZE_TRY_VOID(progress.check());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return progress.check();
}

/// Between half and one and a half times as long: devices that failed together do not come back together.
double with_jitter(double seconds) {
  static thread_local std::minstd_rand random(std::random_device{}());
  return seconds * std::uniform_real_distribution<double>(0.5, 1.5)(random);
}

}  // namespace

Json SendOutcome::to_json() const {
  Json reasons = Json::object();
  for (const auto& [reason, count] : rejected) reasons.set(reason, count);
  return Json::object(
      {{"accepted", accepted}, {"duplicates", duplicates}, {"rejected", std::move(reasons)}, {"batches", batches}});
}

Result<Sender> Sender::make(const SendOptions& options) {
  if (!options.url.starts_with("https://"))
    return invalid_parameter("a curator's address begins with https://: reports and credentials go over TLS alone");
  GAUZE_TRY(HttpsClient client, HttpsClient::make({.ca = options.ca, .connect_seconds = 5, .seconds = 30}));
  GAUZE_TRY(CuratorAccount account, CuratorAccount::open(options.device_folder, options.url));
  return Sender(options, std::move(client), std::move(account));
}

Result<void> Sender::enqueue(ByteSource& source) {
  std::string bytes;
  std::string batch;
  std::uint64_t malformed = 0;
  const auto add = [&](std::string_view block) -> Result<void> {
    if (batch.size() + block.size() > CuratorAccount::kMostQueuedBytes) {
      GAUZE_TRY_VOID(account_.enqueue(batch));
      batch.clear();
    }
    batch += block;
    return {};
  };
  std::string piece(kReadAtOnce, '\0');
  for (bool is_end = false; !is_end;) {
    GAUZE_TRY(const std::size_t got, read_fully(source, piece));
    is_end = got < piece.size();
    bytes.append(piece, 0, got);
    GAUZE_TRY(const std::size_t read, for_each_block(bytes, is_end, malformed, add));
    bytes.erase(0, read);
  }
  if (!batch.empty()) GAUZE_TRY_VOID(account_.enqueue(batch));
  if (malformed > 0) outcome_.rejected["malformed"] += malformed;
  return {};
}

Result<HttpsClient::Response> Sender::ask(HttpsClient::Request request, Progress& progress) {
  const auto begun = Clock::now();
  double pause = kFirstPause;
  request.url = options_.url + request.url;
  for (;;) {
    auto response = client_.send(request);
    GAUZE_TRY_VOID(progress.check());
    if (response && response->status != 429 && response->status != 503) return std::move(*response);
    if (!response && response.error().kind != HttpsClient::Failure::Kind::unreachable)
      return tl::unexpected<Error>(std::move(response).error().error);
    const double waited = std::chrono::duration<double>(Clock::now() - begun).count();
    double next = with_jitter(pause);
    // "Too many" is an answer: the curator is there, and says when to come back.
    const bool is_asked_to_wait = response && response->status == 429;
    if (is_asked_to_wait)
      next = static_cast<double>(std::clamp<std::int64_t>(response->retry_after.value_or(1), 1, 60));
    if (!is_asked_to_wait && waited + next > options_.patience_seconds) {
      is_out_of_patience_ = true;
      if (!response) return tl::unexpected<Error>(std::move(response).error().error);
      return make_error(ErrorCode::io, "the curator takes nothing at present: {}", told(*response));
    }
    GAUZE_TRY_VOID(wait(next, progress));
    pause = std::min(2 * pause, kLongestPause);
  }
}

Result<void> Sender::enrol(Progress& progress) {
  if (!account_.credential().empty()) return {};
  if (!options_.token)
    return asking_for("enrol", make_error(ErrorCode::not_authorised,
                                          "this device is not enrolled with that curator: a token admits it"));
  const std::string body = Json::object({{"token", *options_.token}}).dump();
  GAUZE_TRY(const auto response,
            ask({.method = "POST", .url = "/v1/enrol", .content_type = "application/json", .body = body}, progress));
  if (response.status != 201)
    return make_error(ErrorCode::not_authorised, "the curator does not admit this device: {}", told(response));
  GAUZE_TRY(const Json answer, read_json(response.body));
  const Json* credential = answer.find("credential");
  if (credential == nullptr || credential->text().empty())
    return make_error(ErrorCode::bad_data, "the curator's answer holds no credential");
  return account_.keep_credential(std::string(credential->text()));
}

Result<void> Sender::fetch_key(Progress& progress) {
  key_.reset();
  GAUZE_TRY(const auto response, ask({.url = "/v1/keys"}, progress));
  if (response.status != 200) return make_error(ErrorCode::io, "the curator lists no keys: {}", told(response));
  GAUZE_TRY(const Json answer, read_json(response.body));
  const Json* keys = answer.find("keys");
  if (keys == nullptr || keys->elements() == nullptr)
    return make_error(ErrorCode::bad_data, "the curator's answer holds no keys");
  for (const Json& key : *keys->elements()) {
    const Json* state = key.find("state");
    const Json* bytes = key.find("public_key");
    if (state == nullptr || bytes == nullptr || state->text() != "active" ||
        whole_of(key.find("suite")) != number_of(options_.suite))
      continue;
    GAUZE_TRY(key_, SealingPublicKey::from_base64url(options_.suite, bytes->text()));
    return {};
  }
  return make_error(ErrorCode::invalid_parameter, "the curator has no active key of suite {}",
                    number_of(options_.suite));
}

Result<HttpsClient::Response> Sender::post(std::string_view blocks, Progress& progress) {
  for (int attempt = 0;; ++attempt) {
    if (!key_) GAUZE_TRY_VOID(fetch_key(progress));
    GAUZE_TRY(const std::string batch, seal_batch(*key_, blocks));
    GAUZE_TRY(auto response, ask({.method = "POST",
                                  .url = "/v1/reports",
                                  .bearer = account_.credential(),
                                  .content_type = "application/vnd.gauze.batch",
                                  .body = batch},
                                 progress));
    if (response.status != 409 || attempt > 0) return response;
    key_.reset();  // expired meanwhile: sealed anew to the present one, once
  }
}

Result<SendOutcome> Sender::send(Progress& progress) {
  GAUZE_TRY(const std::vector<std::string> names, account_.queue());
  progress.begin("sending", names.size());
  const auto send_all = [&]() -> Result<void> {
    if (names.empty()) return {};
    GAUZE_TRY_VOID(enrol(progress));
    for (const std::string& name : names) {
      GAUZE_TRY(const std::string blocks, account_.queued(name));
      GAUZE_TRY(const auto response, post(blocks, progress));
      if (response.status == 401)
        return make_error(ErrorCode::not_authorised, "the curator does not know this device's credential");
      if (response.status != 200) return make_error(ErrorCode::io, "the curator refuses a batch: {}", told(response));
      GAUZE_TRY(const Json answer, read_json(response.body));
      outcome_.accepted += whole_of(answer.find("accepted"));
      outcome_.duplicates += whole_of(answer.find("duplicates"));
      if (const Json* reasons = answer.find("rejected"); reasons != nullptr && reasons->members() != nullptr)
        for (const auto& [reason, count] : *reasons->members())
          if (const std::uint64_t reports = whole_of(&count); reports > 0) outcome_.rejected[reason] += reports;
      ++outcome_.batches;
      const bool is_kept = whole_of(answer.find("accepted")) + whole_of(answer.find("duplicates")) > 0;
      GAUZE_TRY_VOID(account_.settle(name, is_kept ? blocks : std::string_view(), utc_now()));
      progress.advance();
    }
    return {};
  };
  if (auto sent = send_all(); !sent) {
    if (!is_out_of_patience_) return tl::unexpected<Error>(std::move(sent).error());
    outcome_.given_up = std::move(sent).error();
  }
  return std::move(outcome_);
}

Result<void> delete_sent_block(const std::filesystem::path& device_folder, std::string_view id,
                               const std::filesystem::path& ca) {
  GAUZE_TRY(const std::vector<SentBlock> sent, sent_blocks(device_folder));
  const auto block = std::find_if(sent.begin(), sent.end(), [&](const SentBlock& one) { return one.id == id; });
  if (block == sent.end()) return invalid_parameter("this device has sent no block with that id");
  GAUZE_TRY(const CuratorAccount account, CuratorAccount::open(device_folder, block->url));
  GAUZE_TRY(HttpsClient client, HttpsClient::make({.ca = ca, .connect_seconds = 5, .seconds = 30}));
  const auto response = client.send(
      {.method = "DELETE", .url = fmt::format("{}/v1/reports/{}", block->url, id), .bearer = account.credential()});
  if (!response) return tl::unexpected<Error>(response.error().error);
  if (response->status == 204) return {};
  if (response->status == 401)
    return make_error(ErrorCode::not_authorised, "the curator does not know this device's credential");
  return make_error(ErrorCode::io, "the curator does not delete the block: {}", told(*response));
}

}  // namespace gauze::collect
