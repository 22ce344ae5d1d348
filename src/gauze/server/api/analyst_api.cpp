// What the listener for analysts answers.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <thread>

#include "gauze/collect/job/collected_result.h"
#include "gauze/collect/reports/state_file.h"
#include "gauze/server/api/api_answer.h"
#include "gauze/server/api/curator_api.h"

namespace gauze::server {
namespace {

/// What a histogram can have at most.
constexpr std::uint32_t kMostNamedValues = 4'096;

/// A period in a query string: nothing when it is not there.
tl::expected<std::optional<std::uint32_t>, HttpResponse> period_of(const HttpRequest& request,
                                                                   std::string_view name) {
  const auto text = request.parameter(name);
  if (!text) {
    for (const auto& [key, value] : request.query)
      if (key == name)
        return tl::unexpected<HttpResponse>(
            error_answer(400, "invalid_parameter", fmt::format("'{}' stands there twice", name)));
    return std::optional<std::uint32_t>();
  }
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (problem != std::errc() || end != text->data() + text->size())
    return tl::unexpected<HttpResponse>(
        error_answer(400, "invalid_parameter", fmt::format("'{}' is the number of a period", name)));
  return std::optional(number);
}

tl::expected<PeriodRange, HttpResponse> periods_of(const HttpRequest& request) {
  PeriodRange range;
  const auto from = period_of(request, "from");
  if (!from) return tl::unexpected<HttpResponse>(from.error());
  const auto to = period_of(request, "to");
  if (!to) return tl::unexpected<HttpResponse>(to.error());
  if (*from) range.from = **from;
  if (*to) range.to = **to;
  if (range.from > range.to)
    return tl::unexpected<HttpResponse>(error_answer(400, "invalid_parameter", "from lies behind to"));
  return range;
}

/// What may be asked about: fields in their order, categories with their values.
Json fields_json(const collect::CentralTask& task) {
  Json fields = Json::array();
  for (const collect::RecordField& field : task.spec().fields) {
    Json object = Json::object({{"name", field.name}, {"type", field.is_category() ? "category" : "number"}});
    if (field.is_category()) {
      Json values = Json::array();
      for (std::uint32_t i = 0; i < std::min(field.values.size(), kMostNamedValues); ++i)
        values.push(field.values.text(i));
      object.set("values", std::move(values));
    } else {
      object.set("low", Json::number(field.number.text(field.number.low)));
      object.set("high", Json::number(field.number.text(field.number.high)));
    }
    fields.push(std::move(object));
  }
  return fields;
}

/// The version that is asked for: by its hash, else the present one.
tl::expected<TaskVersion, HttpResponse> version_of(const TaskRegistry::Snapshot& versions, const std::string& name,
                                                   const HttpRequest& request) {
  const auto hash = request.parameter("version");
  const bool is_named = std::any_of(request.query.begin(), request.query.end(),
                                    [](const auto& pair) { return pair.first == "version"; });
  if (is_named && !hash)
    return tl::unexpected<HttpResponse>(error_answer(400, "invalid_parameter", "'version' stands there twice"));
  const TaskVersion* found = hash ? version_of_hash(*versions, *hash) : current_version(*versions, name);
  if (found == nullptr || found->name != name)
    return tl::unexpected<HttpResponse>(
        error_answer(404, "not_found", "there is no such task, or no such version of it"));
  return *found;
}

}  // namespace

HttpResponse CuratorApi::task_list() const {
  const auto versions = curator_.tasks().snapshot();
  Json all = Json::array();
  for (const TaskVersion& version : *versions) {
    Json object = version.to_json(false);
    object.set("mode", version.central() != nullptr ? "central" : "local");
    object.set("retention_days", version.retention_days());
    if (version.central() != nullptr) object.set("fields", fields_json(*version.central()));
    // How many records a central task has is no figure for analysts: it would be an answer without noise.
    Json reports;
    if (version.local() != nullptr && version.was_approved())
      if (const auto counted = curator_.store().aggregate(collect::report_task(*version.local())))
        reports = Json(counted->aggregate.reports());
    object.set("reports", std::move(reports));
    all.push(std::move(object));
  }
  return json_answer(200, Json::object({{"curator", curator_.config().name}, {"tasks", std::move(all)}}));
}

HttpResponse CuratorApi::budget() const {
  const auto balances = curator_.balances();
  if (!balances) return error_answer(balances.error());
  Json all = Json::array();
  for (const Balance& balance : *balances) all.push(balance.to_json());
  return json_answer(200, Json::object({{"budgets", std::move(all)}}));
}

HttpResponse CuratorApi::estimate(const Call& call) const {
  const auto periods = periods_of(call.request);
  if (!periods) return periods.error();
  const auto versions = curator_.tasks().snapshot();
  const auto version = version_of(versions, call.argument, call.request);
  if (!version) return version.error();
  if (version->local() == nullptr)
    return error_answer(409, "no_state", "a central task is asked by a query: its records are no estimate's");
  const auto counted = curator_.store().aggregate(collect::report_task(*version->local()), *periods);
  if (!counted) return error_answer(counted.error());
  collect::Aggregate aggregate = counted->aggregate;
  aggregate.rejected = {};
  aggregate.duplicates = 0;
  const auto result = collect::make_result(*version->local(), aggregate, {});
  if (!result) return error_answer(result.error());
  Json object = collect::to_json(*result);
  object.set("warnings", to_json(result->warnings));
  return json_answer(200, std::move(object));
}

HttpResponse CuratorApi::state(const Call& call) const {
  const auto versions = curator_.tasks().snapshot();
  const auto version = version_of(versions, call.argument, call.request);
  if (!version) return version.error();
  if (version->local() == nullptr)
    return error_answer(409, "no_state", "a central task has no state that could be merged");
  const auto counted = curator_.store().aggregate(collect::report_task(*version->local()));
  if (!counted) return error_answer(counted.error());
  collect::Aggregate aggregate = counted->aggregate;
  aggregate.rejected = {};
  aggregate.duplicates = 0;
  aggregate.sources = {curator_.identity()};
  // Of this task alone: the store's own sequence moves with every record of a central task, which is an answer without noise.
  return {
      .content_type = "application/vnd.gauze.state",
      .body = collect::encode_state(aggregate),
      .headers = {{"Gauze-Curator", curator_.identity()}, {"Gauze-Sequence", std::to_string(aggregate.reports())}}};
}

HttpResponse CuratorApi::query(const Call& call) {
  const auto body = json_body(call.request);
  if (!body) return body.error();
  HttpResponse answer = answers_.answer(call.argument, *body, call.person());
  if (answer.status == 200)
    ++queries_answered_;
  else
    ++queries_refused_;
  // Its delay since the request came is a multiple of a public step, so that it says little about the records; and this worker is free no
  // sooner, so that neither does the delay of what waits behind it.
  const std::chrono::duration<double> step(curator_.config().answer_step_seconds);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - call.request.received;
  const double steps = std::floor(taken / step) + 1;
  const auto delay = std::chrono::duration_cast<std::chrono::steady_clock::duration>(steps * step);
  std::this_thread::sleep_until(call.request.received + delay);
  return answer;
}

}  // namespace gauze::server
