// What the listener for devices answers.
#include "gauze/files/json_reader.h"
#include "gauze/ledger/ledger.h"
#include "gauze/server/api/api_answer.h"
#include "gauze/server/api/curator_api.h"

namespace gauze::server {
namespace {

constexpr std::string_view kBatchType = "application/vnd.gauze.batch";

Json outcome_json(const IngestOutcome& outcome) {
  Json reasons = Json::object();
  for (const auto& [reason, word] : kRejectionWords)
    if (outcome.of(reason) > 0) reasons.set(word, outcome.of(reason));
  return Json::object(
      {{"accepted", outcome.accepted}, {"duplicates", outcome.duplicates}, {"rejected", std::move(reasons)}});
}

/// How many reports a batch states at most, for the limit a minute: by its headers, whatever their blocks are worth.
std::uint64_t stated_reports(std::string_view blocks) {
  std::uint64_t reports = 0;
  while (blocks.size() >= collect::kBlockHeaderBytes && blocks.starts_with(collect::kBlockMagic)) {
    const auto header = collect::parse_block_header(reinterpret_cast<const unsigned char*>(blocks.data()));
    if (!header.within_limits() || header.bytes() > blocks.size()) break;
    reports += header.count;
    blocks.remove_prefix(header.bytes());
  }
  return reports;
}

std::optional<collect::BlockId> block_id_of(std::string_view hex) {
  collect::BlockId id{};
  if (hex.size() != 2 * id.size()) return std::nullopt;
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  for (std::size_t i = 0; i < id.size(); ++i) {
    const int high = digit(hex[2 * i]);
    const int low = digit(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return id;
}

/// What devices are told of an error: nothing of this machine.
HttpResponse told_to_devices(const Curator& curator, const Error& error) {
  if (error.code != ErrorCode::io && error.code != ErrorCode::internal && error.code != ErrorCode::bad_data)
    return error_answer(error);
  curator.log({.level = "error", .event = "not taken", .fields = Json::object({{"error", error.message}})});
  return error_answer(503, "io", "the curator can take nothing at present");
}

/// Whether devices may report under it now.
bool is_open(const TaskVersion& version, std::int64_t now) {
  return version.state == VersionState::active && now < version.ends_at();
}

}  // namespace

HttpResponse CuratorApi::enrol(const Call& call) {
  const auto body = json_body(call.request);
  if (!body) return body.error();
  const Json* token = body->find("token");
  if (token == nullptr || token->text().empty() || kind_of(*token) != JsonKind::string)
    return error_answer(400, "bad_data", "the body is {\"token\":TEXT}");
  const auto credential = curator_.enrolment().enrol(std::string(token->text()));
  if (!credential) return told_to_devices(curator_, credential.error());
  return json_answer(201, Json::object({{"credential", *credential}}));
}

HttpResponse CuratorApi::device_tasks() const {
  const auto versions = curator_.tasks().snapshot();
  Json open = Json::array();
  Json closed = Json::array();
  for (const TaskVersion& version : *versions) {
    if (is_open(version, curator_.now())) {
      if (auto document = read_json(version.document)) open.push(std::move(*document));
    } else if (version.state == VersionState::active || version.state == VersionState::closed) {
      const std::int64_t since = version.closed_at != 0 ? version.closed_at : version.ends_at();
      closed.push(Json::object({{"name", version.name}, {"hash", version.hash}, {"since", time_text(since)}}));
    }
  }
  return json_answer(200, Json::object({{"tasks", std::move(open)}, {"closed", std::move(closed)}}));
}

HttpResponse CuratorApi::device_task(const Call& call) const {
  const auto versions = curator_.tasks().snapshot();
  for (const TaskVersion& version : *versions)
    if (version.name == call.argument && is_open(version, curator_.now()))
      return {.body = version.document + "\n"};  // as it is: its hash is over these bytes' meaning
  return error_answer(404, "not_found", "there is no active task of that name");
}

HttpResponse CuratorApi::statement() const {
  const auto versions = curator_.tasks().snapshot();
  Json all = Json::array();
  for (const TaskVersion& version : *versions) {
    if (!version.was_approved()) continue;  // also what was closed: it still holds for what was sent
    const collect::DeviceTask& task = version.device_task();
    const collect::TaskTerms& terms = task.terms();
    all.push(Json::object({{"name", version.name},
                           {"hash", version.hash},
                           {"state", is_open(version, curator_.now()) ? "open" : "ended"},
                           {"mode", version.central() != nullptr ? "central" : "local"},
                           {"purpose", terms.purpose},
                           {"legal_basis", terms.legal_basis},
                           {"contact", terms.contact},
                           {"validity", terms.validity},
                           {"retention_days", version.retention_days()},
                           {"statement", Json::object({{"en", task.statement().en}, {"zh", task.statement().zh}})}}));
  }
  return json_answer(200, Json::object({{"curator", curator_.config().name}, {"collected", std::move(all)}}));
}

HttpResponse CuratorApi::reports(const Call& call) {
  if (call.request.content_type != kBatchType)
    return error_answer(415, "unsupported_type", "a batch is application/vnd.gauze.batch");
  const SealingKeys::Opened opened = curator_.sealing().open(call.request.body);
  switch (opened.outcome) {
    case SealingKeys::Opening::malformed:
      ++malformed_batches_;
      return error_answer(400, "malformed", "this is no batch that opens under the key it names");
    case SealingKeys::Opening::key_expired:
      ++expired_key_batches_;
      return error_answer(409, "key_expired",
                          "the batch is sealed to a key that is not, or no longer, in use: see /v1/keys");
    case SealingKeys::Opening::opened:
      break;
  }
  const auto& device = std::get<DeviceId>(call.who);
  if (!is_spared(call.request)) {
    std::uint64_t allowance = 0;
    {
      const std::lock_guard guard(settings_mutex_);
      allowance = limits_.reports_per_credential;
    }
    const std::string key = "r" + std::string(reinterpret_cast<const char*>(device.data()), device.size());
    const std::int64_t wait =
        rates_.take(key, std::min(stated_reports(opened.blocks), allowance), allowance, curator_.now());
    if (wait != 0) return too_many(wait);
  }
  const auto outcome = curator_.store().ingest(device, opened.blocks, *curator_.directory());
  if (!outcome) return told_to_devices(curator_, outcome.error());
  return json_answer(200, outcome_json(*outcome));
}

HttpResponse CuratorApi::remove(const Call& call) {
  const auto id = block_id_of(call.argument);
  if (!id) return error_answer(400, "bad_data", "an id of a block has 32 hexadecimal digits");
  const auto removed = curator_.store().remove(*id, *curator_.directory());
  if (!removed) return told_to_devices(curator_, removed.error());
  return {.status = 204};
}

}  // namespace gauze::server
