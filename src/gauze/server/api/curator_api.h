#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "gauze/server/api/rate_limits.h"
#include "gauze/server/api/routes.h"
#include "gauze/server/curator.h"
#include "gauze/server/http/http_server.h"
#include "gauze/server/query/central_answers.h"

namespace gauze::server {

/// Requests in, answers out: who may ask, how often, and what for. Knows no sockets.
///
/// The answer to a batch of reports is no function of a payload that is in range. No route gives out a record.
/// Thread safety: handle() may be called from any thread.
class CuratorApi {
 public:
  CuratorApi(Curator& curator, std::function<HttpServer::Figures()> listeners);
  ~CuratorApi();

  /// `bad_data` unless the ledger holds the budgets that users were told of.
  [[nodiscard]] Result<void> check_budgets() const { return answers_.check_budgets(); }
  [[nodiscard]] HttpResponse handle(Listener listener, const HttpRequest& request);
  /// Takes new limits over.
  void set_limits(const RequestLimits& limits);
  /// From now on these people may ask, and no others.
  void set_people(std::vector<Person> people);

 private:
  struct Stranger {};
  /// Who asks: nobody known, a device, or a person.
  using Identity = std::variant<Stranger, DeviceId, Person>;
  struct Call {
    const HttpRequest& request;
    Listener listener;
    std::string argument;  ///< of the path
    Identity who;
    [[nodiscard]] const std::string& person() const { return std::get<Person>(who).name; }
  };

  [[nodiscard]] Identity identify(const std::string& bearer) const;
  [[nodiscard]] std::optional<HttpResponse> refuse(const Route& route, const Call& call) const;
  [[nodiscard]] std::optional<HttpResponse> limit(const Route& route, const Call& call);
  [[nodiscard]] HttpResponse act(const Route& route, const Call& call);
  [[nodiscard]] bool is_spared(const HttpRequest& request) const;

  // device_api.cpp
  [[nodiscard]] HttpResponse enrol(const Call& call);
  [[nodiscard]] HttpResponse device_tasks() const;
  [[nodiscard]] HttpResponse device_task(const Call& call) const;
  [[nodiscard]] HttpResponse statement() const;
  [[nodiscard]] HttpResponse reports(const Call& call);
  [[nodiscard]] HttpResponse remove(const Call& call);
  // analyst_api.cpp
  [[nodiscard]] HttpResponse task_list() const;
  [[nodiscard]] HttpResponse budget() const;
  [[nodiscard]] HttpResponse estimate(const Call& call) const;
  [[nodiscard]] HttpResponse state(const Call& call) const;
  [[nodiscard]] HttpResponse query(const Call& call);
  // admin_api.cpp
  [[nodiscard]] HttpResponse refuse_records(const Call& call);
  [[nodiscard]] HttpResponse add_task(const Call& call);
  [[nodiscard]] HttpResponse show_task(const Call& call) const;
  [[nodiscard]] HttpResponse approve_task(const Call& call);
  [[nodiscard]] HttpResponse close_task(const Call& call);
  [[nodiscard]] HttpResponse rotate_keys(const Call& call);
  [[nodiscard]] HttpResponse rewrap_keys(const Call& call);
  [[nodiscard]] HttpResponse make_token(const Call& call);
  [[nodiscard]] HttpResponse audit(const Call& call) const;
  [[nodiscard]] HttpResponse sweep(const Call& call);
  [[nodiscard]] HttpResponse check(const Call& call);
  [[nodiscard]] HttpResponse backup(const Call& call);
  [[nodiscard]] HttpResponse metrics() const;
  [[nodiscard]] HttpResponse ready() const;

  Curator& curator_;
  std::function<HttpServer::Figures()> listeners_;
  CentralAnswers answers_;
  RateLimits rates_;
  mutable std::mutex settings_mutex_;
  RequestLimits limits_;
  std::vector<Person> people_;
  std::atomic<std::uint64_t> malformed_batches_{0};
  std::atomic<std::uint64_t> expired_key_batches_{0};
  std::atomic<std::uint64_t> queries_answered_{0};
  std::atomic<std::uint64_t> queries_refused_{0};
};

}  // namespace gauze::server
