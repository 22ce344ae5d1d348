#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/server/api/curator_api.h"
#include "gauze/server/config/curator_config.h"
#include "gauze/server/curator.h"
#include "gauze/server/http/http_server.h"

namespace gauze::server {

/// A curator with its listeners, from the first connection to the last.
class CuratorServer {
 public:
  /// Opens the curator's folder and its listeners, and leaves the addresses in the folder, where the verbs find them.
  [[nodiscard]] static Result<std::unique_ptr<CuratorServer>> start(CuratorConfig config,
                                                                    Curator::Surroundings surroundings);
  ~CuratorServer();

  [[nodiscard]] const RunningCurator& running() const { return running_; }
  [[nodiscard]] Curator& curator() { return *curator_; }

  /// Certificates, limits and people of the configuration as it is now; the rest of it holds from the next start on.
  [[nodiscard]] Result<void> reload(const CuratorConfig& config);
  /// Accepts nothing more, finishes what was received (ten seconds), and ends.
  void stop();

 private:
  CuratorServer() = default;

  std::unique_ptr<Curator> curator_;
  std::unique_ptr<CuratorApi> api_;
  std::unique_ptr<HttpServer> http_;
  std::atomic<const HttpServer*> counted_{nullptr};  ///< whose figures are shown, once it listens
  RunningCurator running_;
  bool is_stopped_ = false;
};

/// What a server left in its folder: `io` when none is at work there.
[[nodiscard]] Result<RunningCurator> find_running(const CuratorConfig& config);
/// {"device","analyst","admin","pid"}
[[nodiscard]] Json to_json(const RunningCurator& running);

}  // namespace gauze::server
