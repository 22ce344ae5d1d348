#include "gauze/server/run/curator_server.h"

#include <unistd.h>

#include <charconv>
#include <csignal>

#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"

namespace gauze::server {
namespace {

/// Devices wait for the disk together, the others for a computation.
constexpr std::size_t kDeviceWorkers = 64;
constexpr std::size_t kAnalystWorkers = 8;
constexpr std::size_t kAdminWorkers = 4;
/// Queries hold theirs until the step of their answer ends: what else analysts ask does not wait for it.
constexpr std::size_t kQueryWorkers = 16;
constexpr double kLastSeconds = 10;

}  // namespace

Json to_json(const RunningCurator& running) {
  return Json::object(
      {{"device", running.device}, {"analyst", running.analyst}, {"admin", running.admin}, {"pid", running.pid}});
}

Result<RunningCurator> find_running(const CuratorConfig& config) {
  const auto none = [&] {
    return make_error(ErrorCode::io, "no curator is at work in '{}'", config.folder.string());
  };
  std::error_code problem;
  if (!std::filesystem::exists(running_file(config), problem)) return none();
  GAUZE_TRY(const std::string text, read_file(running_file(config), 65'536));
  const auto read = read_json(text);
  RunningCurator running;
  if (!read) return none();
  for (auto [key, place] : {std::pair("device", &running.device), std::pair("analyst", &running.analyst),
                            std::pair("admin", &running.admin)}) {
    const Json* value = read->find(key);
    if (value == nullptr || value->text().empty()) return none();
    *place = value->text();
  }
  if (const Json* pid = read->find("pid"))
    std::from_chars(pid->text().data(), pid->text().data() + pid->text().size(), running.pid);
  // A server that was killed leaves its file behind.
  if (running.pid <= 0 || (::kill(static_cast<pid_t>(running.pid), 0) != 0 && errno == ESRCH)) return none();
  return running;
}

Result<std::unique_ptr<CuratorServer>> CuratorServer::start(CuratorConfig config,
                                                            Curator::Surroundings surroundings) {
  std::unique_ptr<CuratorServer> server(new CuratorServer);
  GAUZE_TRY(server->curator_, Curator::open(std::move(config), std::move(surroundings)));
  const CuratorConfig& known = server->curator_->config();
  CuratorServer* self = server.get();
  server->api_ = std::make_unique<CuratorApi>(*server->curator_, [self] {
    const HttpServer* counted = self->counted_.load();
    return counted != nullptr ? counted->figures() : HttpServer::Figures{};
  });
  GAUZE_TRY_VOID(server->api_->check_budgets());
  std::vector<ListenerOptions> listeners;
  for (const auto& [kind, place, workers] : {std::tuple(Listener::device, &known.device, kDeviceWorkers),
                                             std::tuple(Listener::analyst, &known.analyst, kAnalystWorkers),
                                             std::tuple(Listener::admin, &known.admin, kAdminWorkers)})
    listeners.push_back(
        {.name = std::string(word_of(kListenerWords, kind)),
         .address = place->address,
         .port = place->port,
         .certificate = place->certificate,
         .key = place->key,
         .workers = workers,
         .handler = [self, kind = kind](const HttpRequest& request) { return self->api_->handle(kind, request); },
         .reserved = kind != Listener::device,
         .slow_workers = kind == Listener::analyst ? kQueryWorkers : 0,
         .is_slow = [](const HttpRequest& request) { return request.path.ends_with("/query"); }});
  GAUZE_TRY(HttpServer http, HttpServer::start(std::move(listeners), known.http));
  server->http_ = std::make_unique<HttpServer>(std::move(http));
  server->counted_ = server->http_.get();
  const std::vector<std::string>& addresses = server->http_->addresses();
  server->running_ = {.device = addresses[0], .analyst = addresses[1], .admin = addresses[2], .pid = ::getpid()};
  GAUZE_TRY_VOID(write_file(running_file(known), to_json(server->running_).dump() + "\n"));
  server->curator_->log({.level = "info", .event = "listening", .fields = Json::object()});
  return server;
}

CuratorServer::~CuratorServer() { stop(); }

Result<void> CuratorServer::reload(const CuratorConfig& config) {
  GAUZE_TRY_VOID(http_->reload(config.http));
  api_->set_limits(config.requests);
  api_->set_people(config.people);
  return curator_->trail().record({.kind = "certificates, limits and people read again", .who = "curator"});
}

void CuratorServer::stop() {
  if (is_stopped_) return;
  is_stopped_ = true;
  if (http_) {
    http_->stop(kLastSeconds);
    std::error_code ignored;
    std::filesystem::remove(running_file(curator_->config()), ignored);
  }
  http_.reset();
  api_.reset();
  if (curator_ && !running_.device.empty())
    curator_->log({.level = "info", .event = "stopped", .fields = Json::object()});
  curator_.reset();
}

}  // namespace gauze::server
