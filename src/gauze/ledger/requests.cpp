// Request ids: what the same request gives a second time.
#include <algorithm>

#include "gauze/base/utf8.h"
#include "gauze/ledger/internal/ledger_parts.h"

namespace gauze {

namespace {

constexpr std::size_t kLongestRequest = 200;

/// Whether the reservation covers what is asked for now: a request that has become dearer is another one.
bool covers(const Entry& reserved, const ChargeRequest& request) {
  return reserved.analyst == request.analyst && reserved.charge.kind == request.charge.kind &&
         reserved.charge.amount >= request.charge.amount && reserved.charge.delta >= request.charge.delta &&
         (request.unit.empty() || request.unit == reserved.unit) &&
         request.neighbours.value_or(reserved.neighbours) == reserved.neighbours &&
         request.planned_steps == reserved.planned_steps;
}

tl::unexpected<Error> another_request(const ChargeRequest& request, std::int64_t entry) {
  return invalid_parameter(
      "the request id '{}' belongs to another request on '{}', that of entry {}; nothing was charged. A new request needs "
      "a new id",
      request.request->id, request.dataset, entry);
}

Refusal known(ErrorCode code, std::string message, RequestRecord record) {
  Refusal refusal(Error{code, std::move(message)});
  refusal.request = std::move(record);
  return refusal;
}

}  // namespace

Result<void> check_request(const RequestId& request) {
  GAUZE_TRY_VOID(check_text("a request id", request.id, kLongestRequest));
  if (request.id.empty()) return invalid_parameter("a request id must not be empty");
  GAUZE_TRY_VOID(check_visible("a request id", request.id));
  if (is_hash(request.digest)) return {};
  return invalid_parameter("the digest of a request must be 64 lower-case hexadecimal digits");
}

Result<void> check_outcome(const Outcome& outcome) {
  if (!outcome.output_sha256.empty() && !is_hash(outcome.output_sha256)) {
    return invalid_parameter("the digest of an output must be 64 lower-case hexadecimal digits");
  }
  if (outcome.label.size() > kLargestKept) {
    return invalid_parameter("the ledger keeps labels of at most {} bytes, and this one has {}", kLargestKept,
                             outcome.label.size());
  }
  if (find_invalid_utf8(outcome.label) || outcome.label.find('\0') != std::string::npos) {
    return invalid_parameter("a label that the ledger keeps must be UTF-8 text");
  }
  if (outcome.answer && outcome.answer->size() > kLargestKept) {
    return invalid_parameter("the ledger keeps answers of at most {} bytes, and this one has {}", kLargestKept,
                             outcome.answer->size());
  }
  return {};
}

Result<std::optional<RequestRecord>> Ledger::find_request(const std::string& dataset, const std::string& id) const {
  SqliteFile& file = *parts_->file;
  GAUZE_TRY(const SqliteTransaction transaction, SqliteTransaction::begin(file, false));
  GAUZE_TRY(const bool possible, internal::has_table(file, "requests"));
  if (!possible) return std::nullopt;
  internal::StoredAccounts accounts(file, parts_->terms);
  return internal::read_request(file, accounts, dataset, id);
}

Granted Ledger::Change::repeat(RequestRecord record, const ChargeRequest& request) {
  const std::int64_t entry = record.entry;
  if (record.digest != request.request->digest) return another_request(request, entry);
  if (record.is_committed()) {
    return tl::unexpected<Refusal>(
        known(ErrorCode::invalid_parameter,
              fmt::format("the request '{}' on '{}' was answered already, by entry {}; nothing was charged",
                          request.request->id, request.dataset, record.committed_by),
              std::move(record)));
  }
  if (!request.resume) {
    return tl::unexpected<Refusal>(known(
        ErrorCode::request_unfinished,
        fmt::format("the request '{}' on '{}' was charged as reservation {}, and its release is not recorded as "
                    "done: it may be under way, or was interrupted. Nothing was charged now; ask again later, or "
                    "with a new id, which is charged anew",
                    request.request->id, request.dataset, entry),
        std::move(record)));
  }
  GAUZE_TRY(const ChainedEntry reserved, internal::entry_at(*parts_.file, entry));
  if (!covers(reserved.entry, request)) return another_request(request, entry);
  GAUZE_TRY(const internal::DatasetState* dataset, accounts_.dataset(request.dataset));
  Grant grant = internal::grant_of(reserved, dataset->balance(time_));
  grant.resumed = true;
  return grant;
}

}  // namespace gauze
