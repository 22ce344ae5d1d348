#include "gauze/server/query/central_answers.h"

#include <algorithm>

#include "gauze/accounting/profiles.h"
#include "gauze/collect/central/central_query.h"
#include "gauze/files/json_reader.h"
#include "gauze/publish/publication.h"
#include "gauze/server/api/api_answer.h"
#include "gauze/server/curator.h"

namespace gauze::server {
namespace {

/// The records of one version of a task as the store keeps them.
class StoredRecords final : public collect::RecordSource {
 public:
  StoredRecords(ReportStore& store, const collect::TaskHash& task) : store_(store), task_(task) {}
  Result<void> read(std::uint32_t from, std::uint32_t to, const collect::RecordSink& sink) override {
    return store_.scan(task_, {.from = from, .to = to}, [&](const StoredBlock& block) -> Result<void> {
      sink(block.payloads);
      return {};
    });
  }

 private:
  ReportStore& store_;
  collect::TaskHash task_;
};

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const char c = text[i];
    const bool is_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (is_dash ? c != '-' : !is_digit) return false;
  }
  return true;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// The body with its keys in order and its amounts as exact decimals: two requests are the same when these are.
Json canonical(const Json& body) {
  const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::vector<Json::Member> members = *body.members();
  std::sort(members.begin(), members.end(), by_key);
  for (auto& [key, value] : members) {
    if (key == "request") value = Json(lower_case(value.text()));
    if (key == "where" && value.members() != nullptr) {  // its keys are names of fields, its values texts
      std::vector<Json::Member> where = *value.members();
      std::sort(where.begin(), where.end(), by_key);
      value = Json::object(std::move(where));
    }
    if (key != "epsilon" && key != "tau" && key != "from" && key != "to") continue;
    const auto amount = Rational::parse(value.text());
    if (amount) value = Json(amount->to_decimal());
  }
  return Json::object(std::move(members));
}

Rational lifetime_of(const TaskVersion& version) {
  return Rational(static_cast<std::int64_t>(version.terms().epsilon_nano), 1'000'000'000);
}

/// Whether a budget is for exactly this epsilon and no delta.
bool grants(const Balance& balance, const Rational& epsilon) {
  const Json total = balance.terms->total_json();
  const Json* granted = total.find("epsilon");
  const Json* delta = total.find("delta");
  const bool is_pure = delta == nullptr || delta->is_null() || delta->text() == "0";
  const auto amount = granted != nullptr ? Rational::parse(granted->text()) : Result<Rational>(Rational(-1));
  return is_pure && amount && *amount == epsilon;
}

HttpResponse refused(const Refusal& refusal) {
  HttpResponse answer = error_answer(refusal);
  Json object = *read_json(answer.body);
  const Json details = refusal.details();
  if (details.members() != nullptr)
    for (const auto& [key, value] : *details.members()) object.set(key, value);
  return json_answer(answer.status, std::move(object));
}

HttpResponse reused() {
  return error_answer(409, "request_reused", "this request id was used for another question, or by somebody else");
}

}  // namespace

/// A request that is worked on: whoever asks under the same id meanwhile waits for its end.
class CentralAnswers::Turn {
 public:
  Turn(CentralAnswers& answers, std::string task, std::string id)
      : answers_(answers), request_(std::move(task), std::move(id)) {
    std::unique_lock lock(answers_.mutex_);
    answers_.finished_.wait(lock, [this] { return !answers_.running_.contains(request_); });
    answers_.running_.insert(request_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    {
      const std::lock_guard guard(answers_.mutex_);
      answers_.running_.erase(request_);
    }
    answers_.finished_.notify_all();
  }

 private:
  CentralAnswers& answers_;
  std::pair<std::string, std::string> request_;
};

Result<void> CentralAnswers::open_budget(const TaskVersion& version) {
  if (version.central() == nullptr) return {};
  GAUZE_TRY(const auto balances, curator_.balances());
  const Rational epsilon = lifetime_of(version);
  for (const Balance& balance : balances) {
    if (balance.terms->name != version.name) continue;
    if (grants(balance, epsilon)) return {};
    return invalid_parameter(
        "the ledger holds another budget under the name '{}', of an approval that was not finished: take another name, or the "
        "epsilon that stands there",
        version.name);
  }
  DatasetOptions options;
  options.name = version.name;
  options.unit = std::string(collect::kEnrolment);
  options.neighbours = Neighbours::add_remove;
  options.epsilon = epsilon;
  GAUZE_TRY(const DatasetTerms terms, DatasetTerms::make(options));
  return curator_.create_dataset(terms);
}

HttpResponse CentralAnswers::answer(const std::string& task, const Json& body, const std::string& analyst) {
  const Json* id = body.find("request");
  if (id == nullptr)
    return error_answer(400, "invalid_parameter",
                        "request is missing: a UUID that the client makes, so that a retry is the same request");
  if (kind_of(*id) != JsonKind::string || !is_uuid(id->text()))
    return error_answer(400, "invalid_parameter",
                        "request must be a UUID such as 123e4567-e89b-42d3-a456-426614174000");
  const auto versions = curator_.tasks().snapshot();
  if (current_version(*versions, task) == nullptr) return error_answer(404, "not_found", "there is no such task");
  const Turn turn(*this, task, lower_case(id->text()));
  const RequestId request{.id = lower_case(id->text()),
                          .digest = publish::request_digest("curator query", canonical(body), analyst, task)};
  // Before anything is looked at that may be another by now: a request that was answered gets its answer.
  const auto known = curator_.ledger()->find_request(task, request.id);
  if (known && *known) {
    if ((*known)->digest != request.digest) return reused();
    if ((*known)->is_committed() && (*known)->outcome.answer) return {.body = *(*known)->outcome.answer};
  }
  return draw(task, *versions, body, {.analyst = analyst, .request = request});
}

HttpResponse CentralAnswers::draw(const std::string& task, const std::vector<TaskVersion>& versions, const Json& body,
                                  const Asker& asker) {
  const Json* hash = body.find("version");
  if (hash != nullptr && kind_of(*hash) != JsonKind::string)
    return error_answer(400, "invalid_parameter", "version is the hash of a version");
  const TaskVersion* version =
      hash != nullptr ? version_of_hash(versions, hash->text()) : current_version(versions, task);
  if (version == nullptr || version->name != task)
    return error_answer(404, "not_found", "there is no such version of the task");
  if (version->central() == nullptr)
    return error_answer(400, "invalid_parameter", "a local task is asked by its estimate, which costs nothing");
  const std::int64_t period = version->terms().period();
  const std::pair<std::uint32_t, std::uint32_t> periods = {
      static_cast<std::uint32_t>(version->approved_at / period),
      static_cast<std::uint32_t>(std::max(version->approved_at, curator_.now()) / period)};
  const auto query = collect::CentralQuery::parse(*version->central(), body, periods);
  if (!query) return error_answer(query.error());
  if (const auto allowed = check_epsilon(*version, query->options().epsilon); !allowed)
    return error_answer(allowed.error());

  auto publication = publish::Publication::begin({.account = publish::Account{.ledger = curator_.ledger(),
                                                                              .dataset = task,
                                                                              .analyst = asker.analyst,
                                                                              .purpose = "query of a curator",
                                                                              .request = asker.request,
                                                                              .resume = true}});
  if (!publication) return error_answer(publication.error());
  if (const auto reserved = publication->reserve(query->cost()); !reserved) return refused(reserved.error());

  // Before a record is read: an answer without its entry in the trail does not exist.
  const Json charged = publication->to_json();
  const auto recorded = curator_.trail().record(
      {.kind = "query charged",
       .who = asker.analyst,
       .subject = task,
       .details = Json::object({{"kind", word_of(collect::kQueryKindWords, query->options().kind)},
                                {"epsilon", query->options().epsilon.to_decimal()},
                                {"entry", *charged.find("entry")},
                                {"entry_hash", *charged.find("head")}})});
  if (!recorded)
    return error_answer(503, "io", fmt::format("the charge cannot be recorded; {}", publication->aftermath()));

  StoredRecords records(curator_.store(), version->device_task().hash_bytes());
  const auto drawn = query->answer(records, SecureRandom::of_thread());
  if (!drawn) return error_answer(503, "io", fmt::format("{}; {}", drawn.error().message, publication->aftermath()));
  const auto finished = finish(*publication, *query, *drawn);
  if (!finished)
    return error_answer(503, "io", fmt::format("{}; {}", finished.error().message, publication->aftermath()));
  return {.body = *finished};
}

Result<std::string> CentralAnswers::finish(publish::Publication& publication, const collect::CentralQuery& query,
                                           const collect::CentralAnswer& drawn) {
  PrivacyLabel label = query.label();
  GAUZE_TRY_VOID(publication.open(label));
  const Json ledger = publication.to_json();
  Json object = drawn.to_json();
  object.set("cost", *ledger.find("charged")).set("left", *ledger.find("left")).set("label", label.to_json());
  object.set("warnings", Json::array());
  std::string text = object.dump() + "\n";
  publication.keep_answer(text);
  GAUZE_TRY_VOID(publication.finish(label, {}));
  return text;
}

Result<void> CentralAnswers::check_epsilon(const TaskVersion& version, const Rational& epsilon) const {
  const CuratorConfig& config = curator_.config();
  if (epsilon < config.least_query_epsilon)
    return invalid_parameter("epsilon is at least {} here: answers that say nothing would fill the ledger",
                             config.least_query_epsilon.to_decimal());
  GAUZE_TRY(const auto balances, curator_.balances());
  const auto budget = std::find_if(balances.begin(), balances.end(),
                                   [&](const Balance& balance) { return balance.terms->name == version.name; });
  if (budget == balances.end() || !grants(*budget, lifetime_of(version)))
    return make_error(ErrorCode::internal, "the ledger's budget for '{}' is not the one that its users were told of",
                      version.name);
  if (config.profile.empty() || !config.deviation.empty()) return {};
  GAUZE_TRY(const SpendingProfile profile, find_profile(config.profile));
  if (epsilon <= profile.central_epsilon) return {};
  return make_error(ErrorCode::not_private,
                    "epsilon {} is above {}, the ceiling of the profile '{}' for a trusted curator",
                    epsilon.to_decimal(), profile.central_epsilon.to_decimal(), config.profile);
}

Result<void> CentralAnswers::check_budgets() const {
  GAUZE_TRY(const auto balances, curator_.balances());
  for (const TaskVersion& version : *curator_.tasks().snapshot()) {
    if (version.central() == nullptr || !version.was_approved()) continue;
    const bool is_there = std::any_of(balances.begin(), balances.end(), [&](const Balance& balance) {
      return balance.terms->name == version.name && grants(balance, lifetime_of(version));
    });
    if (!is_there)
      return make_error(
          ErrorCode::bad_data,
          "the ledger has not the budget of '{}' that its users were told of: it is another ledger, or an older one",
          version.name);
  }
  return {};
}

}  // namespace gauze::server
