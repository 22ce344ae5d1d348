#include "gauze/cli/curator/curator_demo.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "gauze/base/utc_date.h"
#include "gauze/cli/curator/curator_client.h"
#include "gauze/collect/channel/batch.h"
#include "gauze/collect/encode/draw_reports.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"

namespace gauze::cli {
namespace {

constexpr int kDevices = 10'000;
constexpr int kConnections = 16;

/// Which page somebody opens first; nobody exists.
std::uint32_t invented_value(int device) {
  constexpr int kShares[] = {38, 60, 80, 91, 97, 100};
  const int hundredth = static_cast<int>((static_cast<std::uint32_t>(device) * 2'654'435'761U >> 8U) % 100);
  std::uint32_t value = 0;
  while (hundredth >= kShares[value]) ++value;
  return value;
}

/// One connection's devices: each enrols, seals one report to the curator and sends it.
class SimulatedDevices {
 public:
  SimulatedDevices(const server::CuratorFiles& files, const server::RunningCurator& running,
                   const collect::Task& task)
      : files_(files), running_(running), task_(task) {}

  /// Until all have sent, or `leaving`.
  Result<void> send(int first, int step, std::string_view token, std::atomic<int>& done,
                    const std::atomic<bool>& leaving) {
    GAUZE_TRY(HttpsClient client, HttpsClient::make({.ca = files_.ca}));
    GAUZE_TRY(const Json keys, ask(client, {.url = running_.device + "/v1/keys"}, 200));
    GAUZE_TRY(const auto key,
              collect::SealingPublicKey::from_base64url(
                  collect::Suite::p256, (*keys.find("keys")->elements())[0].find("public_key")->text()));
    for (int device = first; device < kDevices && !leaving; device += step) {
      const std::string body = Json::object({{"token", token}}).dump();
      GAUZE_TRY(const Json enrolled, ask(client,
                                         {.method = "POST",
                                          .url = running_.device + "/v1/enrol",
                                          .content_type = "application/json",
                                          .body = body},
                                         201));
      GAUZE_TRY(const std::string batch, collect::seal_batch(key, block_of(device)));
      GAUZE_TRY(const Json taken, ask(client,
                                      {.method = "POST",
                                       .url = running_.device + "/v1/reports",
                                       .bearer = std::string(enrolled.find("credential")->text()),
                                       .content_type = "application/vnd.gauze.batch",
                                       .body = batch},
                                      200));
      ++done;
    }
    return {};
  }

 private:
  static Result<Json> ask(HttpsClient& client, const HttpsClient::Request& request, long expected) {
    const auto response = client.send(request);
    if (!response) return tl::unexpected<Error>(response.error().error);
    if (response->status != expected)
      return make_error(ErrorCode::io, "the curator answers a simulated device with status {}", response->status);
    return read_json(response->body);
  }

  std::string block_of(int device) const {
    const gauze_value value{.kind = 0, .number = invented_value(device), .text = nullptr, .length = 0};
    std::string payload(task_.payload_bytes(), '\0');
    collect::draw_reports(task_, SecureRandom::of_thread(), {&value, 1},
                          reinterpret_cast<unsigned char*>(payload.data()));
    collect::BlockHeader header{.task = task_.hash_bytes(),
                                .period = static_cast<std::uint32_t>(utc_now() / task_.spec().period()),
                                .payload_bytes = static_cast<std::uint16_t>(payload.size()),
                                .count = 1};
    fill_from_kernel(header.id);
    return collect::encode_block(header, payload);
  }

  const server::CuratorFiles& files_;
  const server::RunningCurator& running_;
  const collect::Task& task_;
};

Result<void> send_all(Invocation& invocation, const server::CuratorFiles& files,
                      const server::RunningCurator& running, const collect::Task& task) {
  GAUZE_TRY(std::string token, read_file(files.tokens.at("enrolment"), 1'024));
  token.resize(token.find_last_not_of('\n') + 1);
  SimulatedDevices devices(files, running, task);
  std::atomic<int> done{0};
  std::atomic<int> ended{0};
  std::atomic<bool> leaving{false};
  std::vector<Result<void>> outcomes(kConnections);
  std::vector<std::thread> threads;
  for (int i = 0; i < kConnections; ++i)
    threads.emplace_back([&, i] {
      outcomes[static_cast<std::size_t>(i)] = devices.send(i, kConnections, token, done, leaving);
      ++ended;
    });
  invocation.progress().begin("sending reports of simulated devices", kDevices);
  for (int told = 0; ended < kConnections;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const int now = done;
    invocation.progress().advance(static_cast<std::uint64_t>(now - told));
    told = now;
    if (invocation.progress().stop_requested()) leaving = true;
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& outcome : outcomes)
    if (!outcome) return outcome;
  return {};
}

}  // namespace

Result<void> show_curator(Invocation& invocation, const server::CuratorFiles& files,
                          const server::RunningCurator& running) {
  GAUZE_TRY(const std::string document, read_file(files.example_task));
  GAUZE_TRY(const collect::Task task, collect::Task::parse(document));
  for (const auto& [who, path, body] :
       {std::tuple("admin-1", std::string("/v1/tasks"), document),
        std::tuple("admin-2", "/v1/tasks/" + task.spec().name + "/approve", std::string())}) {
    GAUZE_TRY(CuratorClient client,
              CuratorClient::make({.url = running.admin, .ca = files.ca, .token_file = files.tokens.at(who)}));
    GAUZE_TRY(const Json answer, client.ask(invocation, "POST", path, body));
  }
  GAUZE_TRY_VOID(send_all(invocation, files, running, task));
  if (invocation.json() || invocation.progress().stop_requested()) return {};
  const std::string config = files.config.string();
  invocation.out().print(
      "\nA task is open and {} simulated devices have sent a report each. Look at it from another terminal:\n\n"
      "  gauze curator estimate {} --config {}\n"
      "  gauze curator status --config {}\n"
      "  gauze curator audit --verify --config {}\n"
      "  gauze curator check --config {}\n"
      "  curl --cacert {} {}/v1/statement\n\n"
      "Ctrl-C ends the curator.\n",
      kDevices, task.spec().name, config, config, config, config, files.ca.string(), running.device);
  return invocation.out().flush();
}

}  // namespace gauze::cli
