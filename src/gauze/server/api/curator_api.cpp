#include "gauze/server/api/curator_api.h"

#include <algorithm>

#include "gauze/files/sha256.h"
#include "gauze/server/api/api_answer.h"
#include "gauze/server/people/secret_text.h"

namespace gauze::server {
namespace {

/// Refused requests for records leave an entry each: so many a minute of one person, of all devices, of all strangers, or a flood would
/// fill the disk. Strangers cannot use up what a person's attempts need.
constexpr std::uint64_t kMostRefusalsAudited = 60;

constexpr std::string_view kPage =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>A curator of Gauze</title></head>\n"
    "<body><h1>A curator of Gauze</h1>\n"
    "<p>This server receives reports from devices that agreed to send them, keeps them sealed and only as long as each task promises, "
    "and answers analysts with noise, within a budget. Nobody can read single reports here: no page and no command shows them.</p>\n"
    "<p lang=\"zh\">本服务器接收已同意的设备发送的报告，密封保存，到期即删，并在预算之内以加噪的方式回答分析者。"
    "任何人都不能在此读取单份报告：没有任何页面或命令显示它们。</p>\n"
    "<p>For programs: <code>/v1/openapi.json</code>. What is collected: <code>/v1/statement</code> on the listener for devices.</p>\n"
    "</body></html>\n";

HttpResponse page() {
  return {.content_type = "text/html; charset=utf-8",
          .body = std::string(kPage),
          .headers = {{"Content-Security-Policy", "default-src 'none'"}, {"X-Frame-Options", "DENY"}}};
}

HttpResponse method_not_allowed(const std::string& allowed) {
  HttpResponse answer = error_answer(405, "method_not_allowed", "this path is not asked in this way");
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

HttpResponse unauthorised() {
  HttpResponse answer =
      error_answer(401, "unauthorised", "a valid credential is needed here: Authorization: Bearer ...");
  answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

}  // namespace

CuratorApi::CuratorApi(Curator& curator, std::function<HttpServer::Figures()> listeners)
    : curator_(curator),
      listeners_(std::move(listeners)),
      answers_(curator),
      limits_(curator.config().requests),
      people_(curator.config().people) {}
CuratorApi::~CuratorApi() = default;

void CuratorApi::set_limits(const RequestLimits& limits) {
  const std::lock_guard guard(settings_mutex_);
  limits_ = limits;
}

void CuratorApi::set_people(std::vector<Person> people) {
  const std::lock_guard guard(settings_mutex_);
  people_ = std::move(people);
}

CuratorApi::Identity CuratorApi::identify(const std::string& bearer) const {
  if (bearer.empty()) return Stranger{};
  const std::string digest = sha256_hex(bearer);
  {
    const std::lock_guard guard(settings_mutex_);
    for (const Person& person : people_)
      if (person.token_sha256 == digest) return person;
  }
  if (const auto device = curator_.enrolment().find(bearer)) return *device;
  return Stranger{};
}

bool CuratorApi::is_spared(const HttpRequest& request) const {
  const std::lock_guard guard(settings_mutex_);
  return limits_.spares_loopback && request.is_loopback;
}

std::optional<HttpResponse> CuratorApi::refuse(const Route& route, const Call& call) const {
  if (route.access == Access::anybody || route.access == Access::nobody) return std::nullopt;
  if (std::holds_alternative<Stranger>(call.who)) return unauthorised();
  const auto* person = std::get_if<Person>(&call.who);
  const bool is_right = route.access == Access::device ? person == nullptr
                                                       : person != nullptr && (person->role == Role::admin) ==
                                                                                  (call.listener == Listener::admin);
  if (is_right) return std::nullopt;
  return error_answer(403, "not_authorised", "this credential is for another role");
}

std::optional<HttpResponse> CuratorApi::limit(const Route& route, const Call& call) {
  RequestLimits limits;
  {
    const std::lock_guard guard(settings_mutex_);
    limits = limits_;
  }
  const std::int64_t now = curator_.now();
  std::int64_t wait = 0;
  if (route.access == Access::nobody) {
    const auto* person = std::get_if<Person>(&call.who);
    const std::string who = person != nullptr                            ? "person " + person->name
                            : std::holds_alternative<DeviceId>(call.who) ? "devices"
                                                                         : "strangers";
    wait = rates_.take("records of " + who, 1, kMostRefusalsAudited, now);
  } else if (is_spared(call.request)) {
    return std::nullopt;
  } else if (route.action == Action::enrol) {
    wait = rates_.take("a" + call.request.address, 1, limits.enrolments_per_address, now);
  } else if (const auto* device = std::get_if<DeviceId>(&call.who)) {
    wait = rates_.take("d" + std::string(reinterpret_cast<const char*>(device->data()), device->size()), 1,
                       limits.requests_per_credential, now);
  } else if (const auto* person = std::get_if<Person>(&call.who)) {
    wait = rates_.take("p" + person->name, 1, limits.requests_per_credential, now);
  }
  return wait == 0 ? std::nullopt : std::optional(too_many(wait));
}

HttpResponse CuratorApi::handle(Listener listener, const HttpRequest& request) {
  std::string allowed;
  const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  for (const Route& route : routes()) {
    if (!route.listeners[static_cast<std::size_t>(listener)]) continue;
    auto argument = match(route, request.path);
    if (!argument) continue;
    if (route.method != "*" && route.method != method) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
      continue;
    }
    const Call call{
        .request = request, .listener = listener, .argument = std::move(*argument), .who = identify(request.bearer)};
    if (auto refused = refuse(route, call)) return std::move(*refused);
    if (auto limited = limit(route, call)) return std::move(*limited);
    HttpResponse answer = act(route, call);
    if (answer.status >= 500 && route.action != Action::ready)
      curator_.log({.level = "error",
                    .event = "request failed",
                    .fields = Json::object({{"route", route.path}, {"status", answer.status}})});
    return answer;
  }
  if (!allowed.empty()) return method_not_allowed(allowed);
  return error_answer(404, "not_found", "there is no such path on this listener");
}

HttpResponse CuratorApi::act(const Route& route, const Call& call) {
  switch (route.action) {
    case Action::page:
      return page();
    case Action::openapi:
      return {.body = openapi_document()};
    case Action::records:
      return refuse_records(call);
    case Action::enrol:
      return enrol(call);
    case Action::keys:
      return json_answer(200, curator_.sealing().to_json());
    case Action::device_tasks:
      return device_tasks();
    case Action::device_task:
      return device_task(call);
    case Action::reports:
      return reports(call);
    case Action::remove:
      return remove(call);
    case Action::statement:
      return statement();
    case Action::estimate:
      return estimate(call);
    case Action::state:
      return state(call);
    case Action::query:
      return query(call);
    case Action::budget:
      return budget();
    case Action::task_list:
      return task_list();
    case Action::add_task:
      return add_task(call);
    case Action::show_task:
      return show_task(call);
    case Action::approve_task:
      return approve_task(call);
    case Action::close_task:
      return close_task(call);
    case Action::rotate_keys:
      return rotate_keys(call);
    case Action::rewrap_keys:
      return rewrap_keys(call);
    case Action::token:
      return make_token(call);
    case Action::audit:
      return audit(call);
    case Action::sweep:
      return sweep(call);
    case Action::check:
      return check(call);
    case Action::backup:
      return backup(call);
    case Action::metrics:
      return metrics();
    case Action::health:
      return json_answer(200, Json::object({{"status", "running"}}));
    case Action::ready:
      return ready();
  }
  return error_answer(500, "internal", "a route without an answer");
}

}  // namespace gauze::server
