// serve: the curator as a server.
#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>

#include "gauze/base/utc_date.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/curator/curator_demo.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/scratch_folder.h"
#include "gauze/ledger/ledger.h"
#include "gauze/server/config/curator_folder.h"
#include "gauze/server/run/curator_server.h"

namespace gauze::cli {
namespace {

namespace fs = std::filesystem;

std::atomic<bool> reload_asked{false};

/// SIGHUP reads certificates and limits again, as with other servers; elsewhere it ends a command.
void listen_to_hangup() {
  struct sigaction action {};
  action.sa_handler = [](int) { reload_asked.store(true); };
  sigemptyset(&action.sa_mask);
  sigaction(SIGHUP, &action, nullptr);
}

/// One line of JSON for each event, on the standard error; several threads write.
server::LogSink log_to(Invocation& invocation) {
  auto mutex = std::make_shared<std::mutex>();
  return [&invocation, mutex](const server::LogLine& line) {
    if (invocation.quiet() && line.level == "info") return;
    Json object = Json::object({{"time", time_text(utc_now())}, {"level", line.level}, {"event", line.event}});
    if (line.fields.members() != nullptr)
      for (const auto& [key, value] : *line.fields.members()) object.set(key, value);
    const std::lock_guard guard(*mutex);
    invocation.err().write(object.dump() + "\n");
    static_cast<void>(invocation.err().flush());
  };
}

Result<std::array<std::uint16_t, 3>> ports_of(const Invocation& invocation) {
  std::array<std::uint16_t, 3> ports{};
  if (!invocation.has("ports")) return ports;
  GAUZE_TRY(const std::vector<Rational> given, invocation.rationals("ports"));
  if (given.size() != ports.size())
    return invalid_parameter("--ports takes three: of devices, analysts and admins; 0 is any free one");
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const auto port = given[i].to_int64();
    if (!given[i].is_integer() || !port || *port < 0 || *port > 65'535)
      return invalid_parameter("--ports takes numbers from 0 to 65535");
    ports[i] = static_cast<std::uint16_t>(*port);
  }
  return ports;
}

Json files_json(const server::CuratorFiles& files) {
  Json tokens = Json::object();
  for (const auto& [name, path] : files.tokens) tokens.set(name, path.string());
  return Json::object({{"config", files.config.string()}, {"ca", files.ca.string()}, {"tokens", std::move(tokens)}});
}

Result<server::NewCurator> new_curator(const Invocation& invocation, const std::string& folder) {
  server::NewCurator request{.folder = folder};
  GAUZE_TRY(request.host, invocation.text("host"));
  GAUZE_TRY(request.ports, ports_of(invocation));
  request.sm = invocation.has("sm");
  return request;
}

Result<int> run_init(Invocation& invocation, const std::string& folder) {
  GAUZE_TRY(const server::NewCurator request, new_curator(invocation, folder));
  GAUZE_TRY(const server::CuratorFiles files, server::make_curator_folder(request));
  if (invocation.json()) {
    invocation.print_json(files_json(files));
    return 0;
  }
  invocation.out().print(
      "Made a curator: {0}\n\n"
      "  gauze serve --config {0}\n"
      "  gauze curator add {1} --config {0}\n"
      "  gauze curator approve home-page --config {0} --as admin-2\n\n"
      "Tokens are in {2}, the certificate that clients trust is {3}.\n"
      "Its authority is one for trying things out: docs/guide/curator.md says what to replace before real use.\n",
      files.config.string(), files.example_task.string(), files.tokens.at("analyst").parent_path().string(),
      files.ca.string());
  return 0;
}

/// Serves until it is asked to stop.
Result<int> serve(Invocation& invocation, const fs::path& place,
                  const std::function<Result<void>(server::CuratorServer&)>& started) {
  GAUZE_TRY(server::CuratorConfig config, server::read_curator_config(place));
  GAUZE_TRY(const auto server, server::CuratorServer::start(std::move(config), {.log = log_to(invocation)}));
  listen_to_hangup();
  if (const auto ready = invocation.optional_text("ready"))
    GAUZE_TRY_VOID(write_file(*ready, to_json(server->running()).dump() + "\n"));
  GAUZE_TRY_VOID(started(*server));
  while (!invocation.progress().stop_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!reload_asked.exchange(false)) continue;
    auto again = server::read_curator_config(place);
    const auto reloaded = again ? server->reload(*again) : Result<void>(tl::unexpected<Error>(again.error()));
    const server::LogLine failed{.level = "error",
                                 .event = "reload failed",
                                 .fields = Json::object({{"error", reloaded ? "" : reloaded.error().message}})};
    server->curator().log(reloaded ? server::LogLine{.level = "info", .event = "reloaded"} : failed);
  }
  server->stop();
  return 0;
}

Result<void> print_addresses(Invocation& invocation, const server::RunningCurator& running) {
  if (invocation.json()) {
    invocation.out().write(to_json(running).dump() + "\n");
  } else {
    invocation.out().print("devices  {}\nanalysts {}\nadmins   {}\n", running.device, running.analyst, running.admin);
  }
  return invocation.out().flush();
}

Result<int> run_demo(Invocation& invocation) {
  std::optional<ScratchFolder> scratch;
  fs::path folder;
  if (const auto given = invocation.optional_text("folder")) {
    folder = *given;
  } else {
    GAUZE_TRY(ScratchFolder made, ScratchFolder::make());
    scratch.emplace(std::move(made));
    folder = scratch->path() / "curator";
  }
  GAUZE_TRY(server::NewCurator request, new_curator(invocation, folder.string()));
  request.spares_loopback = true;
  GAUZE_TRY(const server::CuratorFiles files, server::make_curator_folder(request));
  return serve(invocation, files.config, [&](server::CuratorServer& server) -> Result<void> {
    GAUZE_TRY_VOID(print_addresses(invocation, server.running()));
    return show_curator(invocation, files, server.running());
  });
}

Result<int> run_serve(Invocation& invocation) {
  const bool is_demo = invocation.has("demo");
  const int ways = int{invocation.has("init")} + int{invocation.has("config")} + int{is_demo};
  if (ways != 1) return make_error(ErrorCode::usage, "one of --init DIR, --config FILE and --demo says what to do");
  if (invocation.has("folder") && !is_demo) return make_error(ErrorCode::usage, "a folder goes with --demo");
  if (invocation.has("config"))
    for (const char* name : {"host", "ports", "sm"})
      if (invocation.has(name))
        return make_error(ErrorCode::usage, "--{} goes with --init and --demo: later it stands in the configuration",
                          name);
  if (invocation.has("init") && invocation.has("ready"))
    return make_error(ErrorCode::usage, "--ready goes with a server that runs: --config or --demo");
  if (const auto folder = invocation.optional_text("init")) return run_init(invocation, *folder);
  if (is_demo) return run_demo(invocation);
  GAUZE_TRY(const std::string config, invocation.text("config"));
  return serve(invocation, config,
               [&](server::CuratorServer& server) { return print_addresses(invocation, server.running()); });
}

}  // namespace

void register_serve_command(Registry& registry) {
  registry.add(
      {.name = "serve",
       .group = "Run a curator",
       .summary = "Run a curator: sealed reports in, answers within a budget out",
       .description =
           "--init makes a new folder with everything: a development authority and certificates for the three listeners (devices, analysts, "
           "admins), a key-encryption key, tokens, curator.yaml with a comment for every key, an example task. --config runs the server until "
           "SIGTERM or Ctrl-C, then finishes what was received and exits with 0; SIGHUP reads certificates and limits again. --demo does both "
           "in a folder of its own, sends reports of 10,000 simulated devices, prints commands to look at the result, and goes on serving.\n\n"
           "Logs are lines of JSON on the standard error, without values, ids, credentials or addresses. --ready FILE is written when all "
           "listeners accept: device, analyst, admin (addresses), pid.\n\n"
           "With --json: --init prints config, ca, tokens; the others what --ready writes, on one line.",
       .examples = {{"gauze serve --init curator", "make a curator"},
                    {"gauze serve --config curator/curator.yaml", "run it"},
                    {"gauze serve --demo", "see one at work in two minutes"}},
       .positionals = {{.name = "folder",
                        .help = "with --demo: where, instead of a temporary folder",
                        .optional = true}},
       .flags = {{.name = "init", .placeholder = "DIR", .help = "make a curator in this new folder"},
                 {.name = "config",
                  .placeholder = "FILE",
                  .help = "run the curator with this configuration",
                  .is_file = true},
                 {.name = "demo", .help = "make one, fill it with simulated devices, and run it"},
                 {.name = "host",
                  .placeholder = "H",
                  .help = "address of the listeners, also in their certificates",
                  .default_text = "127.0.0.1"},
                 {.name = "ports",
                  .placeholder = "D,A,M",
                  .help = "ports of devices, analysts and admins; 0 is any free one (default: 0,0,0)"},
                 {.name = "sm", .help = "a sealing key of suite 3 too, and the store under SM4 and SM3"},
                 {.name = "ready",
                  .placeholder = "FILE",
                  .help = "write the addresses here when all listeners accept",
                  .is_file = true,
                  .makes = Makes::file}},
       .run = run_serve});
}

}  // namespace gauze::cli
