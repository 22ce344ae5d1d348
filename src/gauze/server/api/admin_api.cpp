// What the listener for admins answers.
#include <charconv>

#include "gauze/base/utc_date.h"
#include "gauze/files/json_reader.h"
#include "gauze/ledger/ledger.h"
#include "gauze/server/api/api_answer.h"
#include "gauze/server/api/curator_api.h"

namespace gauze::server {
namespace {

constexpr std::int64_t kMostEntries = 1'000;

Json version_answer(const TaskVersion& version) { return version.to_json(false); }

std::optional<std::int64_t> whole(std::string_view text, std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < 0 || number > most) return std::nullopt;
  return number;
}

/// A text of the body; empty when it is not there or none.
std::string text_of(const Json& body, std::string_view key) {
  const Json* value = body.find(key);
  return value != nullptr && kind_of(*value) == JsonKind::string ? std::string(value->text()) : std::string();
}

}  // namespace

HttpResponse CuratorApi::refuse_records(const Call& call) {
  const auto* person = std::get_if<Person>(&call.who);
  const std::string who = person != nullptr                            ? person->name
                          : std::holds_alternative<DeviceId>(call.who) ? "a device"
                                                                       : "a stranger";
  const auto recorded = curator_.trail().record(
      {.kind = "raw reports refused",
       .who = who,
       .subject =
           current_version(*curator_.tasks().snapshot(), call.argument) != nullptr ? call.argument : std::string(),
       .details = Json::object({{"listener", word_of(kListenerWords, call.listener)}})});
  if (!recorded) return error_answer(recorded.error());
  return error_answer(403, "not_authorised",
                      "nobody can read single reports here, whatever their role; this was recorded");
}

HttpResponse CuratorApi::add_task(const Call& call) {
  if (!call.request.content_type.empty() && call.request.content_type != "application/json")
    return error_answer(415, "unsupported_type", "the body must be application/json");
  const auto added = curator_.tasks().add(call.request.body, call.person());
  if (!added) return error_answer(added.error());
  return json_answer(201, version_answer(*added));
}

HttpResponse CuratorApi::show_task(const Call& call) const {
  Json all = Json::array();
  for (const TaskVersion& version : *curator_.tasks().snapshot())
    if (version.name == call.argument) all.push(version.to_json(true));
  if (all.elements()->empty()) return error_answer(404, "not_found", "there is no task of that name");
  return json_answer(200, Json::object({{"versions", std::move(all)}}));
}

HttpResponse CuratorApi::approve_task(const Call& call) {
  const auto body = json_body(call.request);
  if (!body) return body.error();
  for (const auto& [key, value] : *body->members())
    if (key != "hash")
      return error_answer(400, "invalid_parameter", "the body of an approval has at most the key hash");
  std::optional<std::string> hash;
  if (body->find("hash") != nullptr) hash = text_of(*body, "hash");
  const auto approved =
      curator_.tasks().approve(call.argument, call.person(), hash,
                               [this](const TaskVersion& version) { return answers_.open_budget(version); });
  if (!approved) return error_answer(approved.error());
  return json_answer(200, version_answer(*approved));
}

HttpResponse CuratorApi::close_task(const Call& call) {
  const auto closed = curator_.tasks().close(call.argument, call.person());
  if (!closed) return error_answer(closed.error());
  return json_answer(200, version_answer(*closed));
}

HttpResponse CuratorApi::rotate_keys(const Call& call) {
  const auto changes = curator_.rotate_keys(call.person());
  if (!changes) return error_answer(changes.error());
  return json_answer(200, curator_.sealing().to_json());
}

HttpResponse CuratorApi::rewrap_keys(const Call& call) {
  const auto done = curator_.rewrap(call.person());
  if (!done) return error_answer(done.error());
  return json_answer(200, Json::object({{"rewrapped", true}}));
}

HttpResponse CuratorApi::make_token(const Call& call) {
  const auto body = json_body(call.request);
  if (!body) return body.error();
  const Json* devices = body->find("devices");
  const auto count = devices != nullptr && kind_of(*devices) == JsonKind::number
                         ? whole(devices->text(), static_cast<std::int64_t>(Enrolment::kMostDevices))
                         : std::nullopt;
  const auto until = parse_utc_date(text_of(*body, "until"));
  if (!count || *count < 1 || !until)
    return error_answer(400, "invalid_parameter", "the body is {\"devices\":N,\"until\":\"2027-01-31\"}");
  const auto token =
      curator_.enrolment().make_token(static_cast<std::uint64_t>(*count), (*until + 1) * kSecondsPerDay);
  if (!token) return error_answer(token.error());
  const auto recorded =
      curator_.trail().record({.kind = "enrolment token made",
                               .who = call.person(),
                               .details = Json::object({{"devices", *count}, {"until", utc_date_text(*until)}})});
  if (!recorded) return error_answer(recorded.error());
  return json_answer(201, Json::object({{"token", *token}, {"devices", *count}, {"until", utc_date_text(*until)}}));
}

HttpResponse CuratorApi::audit(const Call& call) const {
  const HttpRequest& request = call.request;
  if (request.parameter("tasks")) {
    Json all = Json::array();
    for (const TaskVersion& version : *curator_.tasks().snapshot())
      if (version.was_approved()) all.push(version.to_json(true));
    return json_answer(200, Json::object({{"tasks", std::move(all)}}));
  }
  const auto head = request.parameter("head");
  if (request.parameter("verify") || head) {
    const auto tasks = curator_.tasks().verify();
    if (!tasks) return error_answer(409, to_string(tasks.error().code), tasks.error().message);
    const auto verified = curator_.trail().verify(head);
    if (!verified) return error_answer(409, to_string(verified.error().code), verified.error().message);
    Json object = Json::object({{"verified", true}, {"entries", verified->entries}, {"head", verified->head}});
    if (head) object.set("head_entry", *verified->head_entry);
    return json_answer(200, std::move(object));
  }
  const auto from = whole(request.parameter("from").value_or("1"), INT64_MAX);
  const auto limit = whole(request.parameter("limit").value_or("100"), kMostEntries);
  if (!from || !limit)
    return error_answer(400, "invalid_parameter",
                        fmt::format("from and limit are numbers; limit is at most {}", kMostEntries));
  const auto entries = curator_.trail().entries(*from, *limit);
  if (!entries) return error_answer(entries.error());
  Json all = Json::array();
  for (const TrailEntry& entry : *entries) all.push(entry.to_json());
  return json_answer(200, Json::object({{"entries", std::move(all)}, {"head", curator_.trail().head()}}));
}

HttpResponse CuratorApi::sweep(const Call& call) {
  const auto body = json_body(call.request);
  if (!body) return body.error();
  const std::string text = text_of(*body, "as_of");
  const auto day = body->find("as_of") == nullptr ? std::optional(utc_day_of(curator_.now())) : parse_utc_date(text);
  if (!day) return error_answer(400, "invalid_parameter", "as_of is a date such as 2027-01-31");
  const auto swept = curator_.sweep(*day, call.person());
  if (!swept) return error_answer(swept.error());
  Json dates = Json::array();
  for (const SweptDate& date : *swept) dates.push(utc_date_text(date.day));
  return json_answer(200, Json::object({{"as_of", utc_date_text(*day)}, {"swept", std::move(dates)}}));
}

HttpResponse CuratorApi::check(const Call& call) {
  const auto checked = curator_.store().check(*curator_.directory());
  if (!checked) return error_answer(checked.error());
  const auto recorded = curator_.trail().record(
      {.kind = "store checked", .who = call.person(), .details = Json::object({{"different", checked->different}})});
  if (!recorded) return error_answer(recorded.error());
  return json_answer(200, to_json(*checked));
}

HttpResponse CuratorApi::backup(const Call& call) {
  const auto body = json_body(call.request);
  if (!body) return body.error();
  const std::filesystem::path folder = text_of(*body, "folder");
  if (folder.empty() || !folder.is_absolute())
    return error_answer(400, "invalid_parameter",
                        "folder is an absolute path on the server, of a folder that is not there yet");
  const auto done = curator_.backup(folder, call.person());
  if (!done) return error_answer(done.error());
  return json_answer(200, Json::object({{"folder", folder.string()}}));
}

HttpResponse CuratorApi::ready() const {
  const std::vector<std::string> troubles = curator_.troubles();
  Json reasons = Json::array();
  for (const std::string& trouble : troubles) reasons.push(trouble);
  return json_answer(troubles.empty() ? 200 : 503,
                     Json::object({{"ready", troubles.empty()}, {"reasons", std::move(reasons)}}));
}

HttpResponse CuratorApi::metrics() const {
  std::string text;
  const auto describe = [&](std::string_view name, std::string_view type, std::string_view help) {
    text += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
  };
  const auto one = [&](std::string_view name, std::string_view type, std::string_view help, std::uint64_t value) {
    describe(name, type, help);
    text += fmt::format("{} {}\n", name, value);
  };
  const StoreFigures store = curator_.store().figures();
  describe("gauze_reports_total", "counter", "Reports by what became of them, since the start.");
  text += fmt::format("gauze_reports_total{{result=\"accepted\"}} {}\n", store.results.accepted);
  text += fmt::format("gauze_reports_total{{result=\"duplicate\"}} {}\n", store.results.duplicates);
  for (const auto& [reason, word] : kRejectionWords)
    text += fmt::format("gauze_reports_total{{result=\"{}\"}} {}\n", word, store.results.of(reason));
  describe("gauze_batches_refused_total", "counter", "Batches that were not opened, since the start.");
  text += fmt::format("gauze_batches_refused_total{{reason=\"malformed\"}} {}\n", malformed_batches_.load());
  text += fmt::format("gauze_batches_refused_total{{reason=\"key_expired\"}} {}\n", expired_key_batches_.load());
  one("gauze_blocks_deleted_total", "counter", "Blocks that their devices deleted, since the start.",
      store.deleted_blocks);
  describe("gauze_queries_total", "counter", "Queries of central tasks, since the start.");
  text += fmt::format("gauze_queries_total{{result=\"answered\"}} {}\n", queries_answered_.load());
  text += fmt::format("gauze_queries_total{{result=\"refused\"}} {}\n", queries_refused_.load());
  one("gauze_store_expiry_dates", "gauge", "Dates on which stored reports expire.", store.families);
  one("gauze_store_bytes", "gauge", "Bytes of the store on the disk.", store.bytes);
  one("gauze_store_sequence", "gauge", "The number of the last change of the store.", store.sequence);
  one("gauze_disk_free_bytes", "gauge", "Bytes that are free where the store is.", store.disk_free);
  one("gauze_devices_enrolled", "gauge", "Credentials that were given out.", curator_.enrolment().devices());
  one("gauze_ready", "gauge", "1 when nothing stands in the way.", curator_.troubles().empty() ? 1 : 0);
  const HttpServer::Figures http = listeners_();
  one("gauze_http_connections", "gauge", "Connections that are open.", http.connections);
  one("gauze_http_connections_total", "counter", "Connections that were accepted, since the start.", http.accepted);
  one("gauze_http_connections_refused_total", "counter", "Connections beyond a limit, since the start.",
      http.refused);
  one("gauze_http_handshakes_total", "counter", "TLS handshakes, since the start.", http.handshakes);
  one("gauze_http_handshakes_resumed_total", "counter", "TLS handshakes with a ticket, since the start.",
      http.resumed);
  one("gauze_http_handshake_failures_total", "counter",
      "Connections without TLS or with a wrong one, since the start.", http.handshake_failures);
  one("gauze_http_requests_total", "counter", "Requests, since the start.", http.requests);
  one("gauze_http_timeouts_total", "counter", "Requests that did not come in time, since the start.", http.time_outs);
  one("gauze_http_malformed_total", "counter", "What was no request, or too large, since the start.", http.malformed);
  return {.content_type = "text/plain; version=0.0.4", .body = std::move(text)};
}

}  // namespace gauze::server
