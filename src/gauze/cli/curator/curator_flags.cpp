#include "gauze/cli/curator/curator_flags.h"

#include "gauze/server/run/curator_server.h"

namespace gauze::cli {
namespace {

namespace fs = std::filesystem;

/// Tokens and certificates lie beside the configuration, where --init puts them; a name with a slash is a file of its own.
fs::path token_file_of(const fs::path& config, const std::string& as) {
  if (as.find('/') != std::string::npos) return as;
  return config.parent_path() / "tokens" / as;
}

Result<CuratorClient> connect(const Invocation& invocation, const std::string& url) {
  GAUZE_TRY(const std::string config, invocation.text("config"));
  GAUZE_TRY(const std::string as, invocation.text("as"));
  std::error_code problem;
  fs::path ca = invocation.optional_text("ca").value_or("");
  if (ca.empty() && fs::exists(fs::path(config).parent_path() / "ca.pem", problem))
    ca = fs::path(config).parent_path() / "ca.pem";
  const fs::path token = token_file_of(config, as);
  if (!fs::exists(token, problem))
    return asking_for("as", make_error(ErrorCode::io, "there is no token '{}'", token.string()));
  return CuratorClient::make({.url = url, .ca = ca, .token_file = token});
}

std::string trimmed(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

const std::string& url_of(const server::RunningCurator& running, server::Listener listener) {
  switch (listener) {
    case server::Listener::device:
      return running.device;
    case server::Listener::analyst:
      return running.analyst;
    case server::Listener::admin:
      break;
  }
  return running.admin;
}

}  // namespace

std::vector<Flag> curator_flags(const std::string& as) {
  return {{.name = "config",
           .placeholder = "FILE",
           .help = "the curator's configuration",
           .required = true,
           .is_file = true},
          {.name = "as",
           .placeholder = "TOKEN",
           .help = "whose token is shown: a name in the folder `tokens` beside the configuration, or a file",
           .default_text = as},
          {.name = "ca",
           .placeholder = "FILE",
           .help = "certificates to trust (default: ca.pem beside the configuration, else the system's)",
           .is_file = true},
          {.name = "url",
           .placeholder = "URL",
           .help = "the listener's address (default: as the server left it in its folder)"}};
}

Result<server::CuratorConfig> curator_config_of(const Invocation& invocation) {
  GAUZE_TRY(const std::string config, invocation.text("config"));
  return server::read_curator_config(config);
}

Result<CuratorClient> connect_to_curator(const Invocation& invocation, server::Listener listener) {
  if (const auto url = invocation.optional_text("url")) return connect(invocation, trimmed(*url));
  GAUZE_TRY(const server::CuratorConfig config, curator_config_of(invocation));
  GAUZE_TRY(const server::RunningCurator running, server::find_running(config));
  return connect(invocation, url_of(running, listener));
}

Result<std::optional<CuratorClient>> connect_if_running(const Invocation& invocation, server::Listener listener) {
  if (!invocation.has("url")) {
    GAUZE_TRY(const server::CuratorConfig config, curator_config_of(invocation));
    if (!server::find_running(config)) return std::nullopt;
  }
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, listener));
  return std::optional<CuratorClient>(std::move(client));
}

}  // namespace gauze::cli
