// A curator under load on loopback: processor time of the server, which is a process of its own, for each request.
#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <thread>

#include "gauze/base/kernel_random.h"
#include "gauze/base/utc_date.h"
#include "gauze/collect/channel/batch.h"
#include "gauze/collect/reports/block_format.h"
#include "gauze/collect/task/any_task.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/https_client.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/testing/folder.h"
#include "gauze/server/config/curator_folder.h"
#include "gauze/server/run/curator_server.h"

namespace gauze::server {
namespace {

constexpr std::size_t kPayload = 4'096 - collect::kBlockHeaderBytes - collect::kBlockCheckBytes;
const char* const kTask =
    "version: 1\nname: pages\nmode: local\nquestion: frequency\nmechanism: de\nfield: {type: category, values: [a, b, c]}\nepsilon: 1\n"
    "purpose: bench\nlegal_basis: consent\ncollection: {period: 1d, validity: 2099-12-31, detection: intake, entry: settings, depth: value}\n"
    "retention: 30d\nclassification: {source: device, type: usage, importance: low}\njustification: bench\ncontact: nobody\n";

volatile std::sig_atomic_t is_asked_to_end = 0;

/// A server in a process of its own; nothing else runs in this one when it is made.
class ServerProcess {
 public:
  /// `empty`: one listener that answers every request at once, instead of a curator.
  explicit ServerProcess(bool is_empty) {
    std::signal(SIGPIPE, SIG_IGN);
    // In a process of its own: RocksDB's threads would be missing in what is forked after it was used.
    const std::filesystem::path folder = folder_.path() / "curator";
    const pid_t maker = ::fork();
    if (maker == 0) ::_exit(make_curator_folder({.folder = folder, .sm = true, .spares_loopback = true}) ? 0 : 1);
    int status = 1;
    GAUZE_CHECK(::waitpid(maker, &status, 0) == maker && status == 0);
    files_ = {.config = folder / "curator.yaml",
              .ca = folder / "ca.pem",
              .example_task = folder / "example-task.json",
              .tokens = {}};
    for (const char* name : {"admin-1", "admin-2", "analyst", "enrolment"})
      files_.tokens[name] = folder / "tokens" / name;
    id_ = ::fork();
    if (id_ == 0) ::_exit(is_empty ? serve_nothing() : serve());
    while (!folder_.has("ready")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::string text = folder_.read("ready");
    urls_ = {text.substr(0, text.find(' ')), text.substr(text.find(' ') + 1)};
    GAUZE_CHECK(::clock_getcpuclockid(id_, &clock_) == 0);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess() {
    ::kill(id_, SIGTERM);
    ::waitpid(id_, nullptr, 0);
  }
  const std::string& url() const { return urls_[0]; }
  const std::string& admin() const { return urls_[1]; }
  const CuratorFiles& files() const { return files_; }
  double cpu_seconds() const {
    timespec time{};
    ::clock_gettime(clock_, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

 private:
  void wait_for_the_end(const std::string& first, const std::string& second) const {
    std::signal(SIGTERM, [](int) { is_asked_to_end = 1; });
    static_cast<void>(write_file(folder_.path() / "ready", first + " " + second));
    while (is_asked_to_end == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  int serve() const {
    const auto server = CuratorServer::start(*read_curator_config(files_.config), {});
    if (!server) return 1;
    wait_for_the_end((*server)->running().device, (*server)->running().admin);
    (*server)->stop();
    return 0;
  }
  int serve_nothing() const {
    const auto tls = folder_.path() / "curator" / "tls";
    auto server = HttpServer::start({{.name = "device",
                                      .address = "127.0.0.1",
                                      .port = 0,
                                      .certificate = tls / "device.pem",
                                      .key = tls / "device.key",
                                      .workers = 64,
                                      .handler = [](const HttpRequest&) { return HttpResponse{.body = "{}"}; }}},
                                    {.spares_loopback = true});
    if (!server) return 1;
    wait_for_the_end(server->addresses()[0], server->addresses()[0]);
    server->stop(1);
    return 0;
  }
  Folder folder_;
  CuratorFiles files_;
  std::vector<std::string> urls_;
  pid_t id_ = 0;
  clockid_t clock_ = 0;
};

std::string token(const ServerProcess& server, const std::string& name) {
  std::string text = *read_file(server.files().tokens.at(name));
  text.pop_back();
  return text;
}

HttpsClient client_of(const ServerProcess& server) { return *HttpsClient::make({.ca = server.files().ca}); }

collect::AnyTask open_task(const ServerProcess& server) {
  auto task = collect::make_any_task(*collect::parse_any_task_spec(kTask)).value();
  HttpsClient client = client_of(server);
  const std::string document = collect::device_task(task).to_json().dump();
  GAUZE_CHECK(client
                  .send({.method = "POST",
                         .url = server.admin() + "/v1/tasks",
                         .bearer = token(server, "admin-1"),
                         .body = document})
                  ->status == 201);
  GAUZE_CHECK(client
                  .send({.method = "POST",
                         .url = server.admin() + "/v1/tasks/pages/approve",
                         .bearer = token(server, "admin-2")})
                  ->status == 200);
  return task;
}

/// A block of 4 KiB with a new id.
std::string block_of(const collect::AnyTask& task) {
  collect::BlockHeader header{.task = collect::device_task(task).hash_bytes(),
                              .period = static_cast<std::uint32_t>(utc_now() / 86'400),
                              .payload_bytes = 1,
                              .count = static_cast<std::uint32_t>(kPayload)};
  fill_from_kernel(header.id);
  return collect::encode_block(header, std::string(kPayload, '\1'));
}

/// Every connection sends what `body` makes, so many times; the server's processor time for all of it.
template <class Body>
double load(const ServerProcess& server, int connections, int each, const std::string& path,
            const std::string& bearer, Body body) {
  std::vector<std::vector<std::string>> bodies(static_cast<std::size_t>(connections));
  for (auto& of_one : bodies)
    for (int i = 0; i < each; ++i) of_one.push_back(body());
  std::vector<HttpsClient> clients;
  for (int i = 0; i < connections; ++i) {
    clients.push_back(client_of(server));
    GAUZE_CHECK(clients.back().send({.url = server.url() + "/"}).has_value());  // the handshake is not counted here
  }
  const double before = server.cpu_seconds();
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < clients.size(); ++i)
    threads.emplace_back([&, i] {
      for (const std::string& one : bodies[i]) {
        const auto answer = clients[i].send({.method = "POST",
                                             .url = server.url() + path,
                                             .bearer = bearer,
                                             .content_type = "application/vnd.gauze.batch",
                                             .body = one});
        GAUZE_CHECK(answer && answer->status == 200);
      }
    });
  for (std::thread& thread : threads) thread.join();
  return server.cpu_seconds() - before;
}

void empty_handler(benchmark::State& state) {
  const ServerProcess server(true);
  const std::string body(4'096, 'x');
  for (auto _ : state) state.SetIterationTime(load(server, 16, 200, "/", "", [&] { return body; }));
  state.SetItemsProcessed(state.iterations() * 16 * 200);
}

void batches(benchmark::State& state, collect::Suite suite) {
  const auto connections = static_cast<int>(state.range(0));
  const int each = 3'200 / connections;
  const ServerProcess server(false);
  const collect::AnyTask task = open_task(server);
  HttpsClient client = client_of(server);
  const std::string enrolment = "{\"token\":\"" + token(server, "enrolment") + "\"}";
  const std::string credential(
      read_json(client.send({.method = "POST", .url = server.url() + "/v1/enrol", .body = enrolment})->body)
          ->find("credential")
          ->text());
  const Json keys = *read_json(client.send({.url = server.url() + "/v1/keys"})->body);
  std::optional<collect::SealingPublicKey> key;
  for (const Json& one : *keys.find("keys")->elements())
    if (one.find("suite")->text() == std::to_string(number_of(suite)))
      key = *collect::SealingPublicKey::from_base64url(suite, one.find("public_key")->text());
  for (auto _ : state)
    state.SetIterationTime(load(server, connections, each, "/v1/reports", credential,
                                [&] { return *collect::seal_batch(*key, block_of(task)); }));
  state.SetItemsProcessed(state.iterations() * connections * each);
}

void handshakes(benchmark::State& state) {
  const ServerProcess server(true);
  for (auto _ : state) {
    const double before = server.cpu_seconds();
    for (int i = 0; i < 200; ++i) {
      HttpsClient client = client_of(server);
      GAUZE_CHECK(client.send({.url = server.url() + "/"}).has_value());
    }
    state.SetIterationTime(server.cpu_seconds() - before);
  }
  state.SetItemsProcessed(state.iterations() * 200);
}

BENCHMARK(empty_handler)->Name("curator: request of 4 KiB, empty handler")->UseManualTime();
BENCHMARK(handshakes)->Name("curator: new connection and a request, empty handler")->UseManualTime();
BENCHMARK_CAPTURE(batches, p256, collect::Suite::p256)
    ->Name("curator: batch of 4 KiB, suite 1")
    ->Arg(1)
    ->Arg(16)
    ->Arg(256)
    ->UseManualTime();
BENCHMARK_CAPTURE(batches, x25519, collect::Suite::x25519)
    ->Name("curator: batch of 4 KiB, suite 2")
    ->Arg(16)
    ->UseManualTime();
BENCHMARK_CAPTURE(batches, sm, collect::Suite::sm)
    ->Name("curator: batch of 4 KiB, suite 3")
    ->Arg(16)
    ->UseManualTime();

}  // namespace
}  // namespace gauze::server
