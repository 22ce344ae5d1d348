#include "gauze/collect/task/task.h"

#include <cstring>

#include "gauze/collect/plan/planner.h"
#include "gauze/collect/reports/crc32c.h"
#include "gauze/collect/task/statement.h"
#include "gauze/encoder/task_block.h"
#include "gauze/files/base64.h"
#include "gauze/files/sha256.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze::collect {
namespace {

/// Values are listed in the document up to here; beyond, those that are called 0, 1, 2, ... are told by their number.
constexpr std::uint32_t kMostListedNumbers = 65'536;

/// Who expects no number of devices is planned for this many; the choice does not depend on it.
constexpr std::uint64_t kUsualUsers = 100'000;

std::string digest_bytes(std::string_view text) {
  Sha256 digest;
  digest.add(text);
  const auto bytes = digest.finish_bytes();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json nano_or_null(const std::optional<std::uint64_t>& nano) { return nano ? Json::number(nano_text(*nano)) : Json(); }
template <class Integer>
Json duration_or_null(const std::optional<Integer>& seconds) {
  return seconds ? Json(window_text(*seconds)) : Json();
}

Json law_json(const LocalMechanism& mechanism, const LocalLaw& law) {
  Json numbers = Json::object();
  for (std::size_t i = 0; i < law.numbers.size(); ++i)
    if (!mechanism.law_names[i].empty()) numbers.set(mechanism.law_names[i], std::to_string(law.numbers[i]));
  return numbers;
}

Json field_json(const TaskSpec& spec) {
  if (spec.question == Question::frequency) return Json::object({{"type", "category"}, {"other", spec.other}});
  return Json::object({{"type", spec.number.places == 0 ? "integer" : "decimal"},
                       {"low", Json::number(spec.number.text(spec.number.low))},
                       {"high", Json::number(spec.number.text(spec.number.high))},
                       {"places", spec.number.places}});
}

Json values_json(const TaskSpec& spec) {
  if (spec.question != Question::frequency) return {};
  if (spec.values.is_numbered() && spec.values.size() > kMostListedNumbers) return {};
  std::vector<Json> values;
  for (std::uint32_t i = 0; i < spec.values.size(); ++i) values.emplace_back(spec.values.text(i));
  return Json::array(std::move(values));
}

}  // namespace

Json epsilon_json(const TaskSpec& spec, std::uint64_t report_nano) {
  return Json::object({{"report", Json::number(nano_text(report_nano))},
                       {"permanent", Json()},
                       {"window", nano_or_null(spec.limits.window_nano)},
                       {"lifetime", nano_or_null(spec.limits.lifetime_nano)}});
}

Result<Task> Task::make(TaskSpec spec) {
  GAUZE_TRY_VOID(check_task_spec(spec));
  PlanRequest request;
  request.question = spec.question;
  request.epsilon_nano = spec.epsilon_nano;
  request.users = spec.users.value_or(kUsualUsers);
  request.size = spec.size();
  if (spec.mechanism != "auto") request.mechanisms = {spec.mechanism};
  GAUZE_TRY(const CollectionPlan plan, plan_collection(request));
  for (const auto& limit : {spec.limits.window_nano, spec.limits.lifetime_nano})
    if (limit && *limit < plan.chosen().cost_nano)
      return invalid_parameter("a report costs epsilon {}, which a limit of {} never allows: no device would report",
                               nano_text(plan.chosen().cost_nano), nano_text(*limit));
  Task task;
  task.spec_ = std::move(spec);
  task.mechanism_ = plan.chosen().mechanism;
  task.law_ = plan.chosen().law;
  task.spec_.mechanism = task.mechanism_->name;
  task.statement_ = make_statement(task.spec_, *task.mechanism_, plan.chosen().cost_nano);
  task.loaded_.cost_nano = plan.chosen().cost_nano;
  task.loaded_.payload_size = static_cast<std::uint32_t>(plan.chosen().bytes + (task.spec_.variance ? 1 : 0));
  task.block_ = task.make_block(task.document());
  GAUZE_TRY_VOID(task.load_block());
  return task;
}

Result<void> Task::load_block() {
  const int state = gauze_task_load(&loaded_, reinterpret_cast<const unsigned char*>(block_.data()), block_.size());
  if (state != GAUZE_OK)
    return make_error(ErrorCode::bad_data,
                      "the task's block is damaged, or its law is none: its cost is not positive and finite");
  hash_ = to_hex({reinterpret_cast<const char*>(loaded_.hash), sizeof loaded_.hash});
  return {};
}

Result<void> Task::check_claim() const {
  if (loaded_.cost_nano <= loaded_.claimed_nano) return {};
  return make_error(ErrorCode::cost_above_claim,
                    "a report of the task '{}' costs epsilon {}, but the task claims {}: nothing is encoded",
                    spec_.name, nano_text(loaded_.cost_nano), nano_text(loaded_.claimed_nano));
}

Result<void> Task::check() const {
  if (const auto claim = check_claim(); !claim) return make_error(ErrorCode::bad_data, "{}", claim.error().message);
  const Statement expected = make_statement(spec_, *mechanism_, loaded_.cost_nano);
  if (expected.en != statement_.en || expected.zh != statement_.zh)
    return make_error(ErrorCode::bad_data, "the statement is not the one that belongs to this task");
  return {};
}

Json Task::document() const {
  const auto chances =
      mechanism_->frequency != nullptr ? mechanism_->frequency->chances(law_) : std::optional<SupportChances>();
  std::vector<Json> missing;
  for (const std::string& name : spec_.missing()) missing.emplace_back(name);
  Json document = Json::object({{"format", "gauze-task"}, {"version", 1}, {"name", spec_.name}});
  document.set("state", missing.empty() ? "complete" : "draft");
  document.set("missing", Json::array(std::move(missing)));
  document.set("mode", "local").set("question", word_of(kQuestionWords, spec_.question));
  document.set("mechanism", mechanism_->name);
  document.set("parameters", mechanism_->parameters(law_, spec_.epsilon_nano));
  document.set("law", law_json(*mechanism_, law_.law));
  document.set("p", chances ? Json(chances->p) : Json()).set("q", chances ? Json(chances->q) : Json());
  document.set("epsilon", epsilon_json(spec_, spec_.epsilon_nano));
  document.set("cost", Json::number(nano_text(loaded_.cost_nano)));
  document.set("field", field_json(spec_));
  document.set("size", spec_.question == Question::frequency ? Json(spec_.size()) : Json());
  document.set("values", values_json(spec_)).set("variance", spec_.variance);
  document.set("period_seconds", spec_.period()).set("payload_bytes", payload_bytes());
  document.set("limits",
               Json::object({{"reports_per_period",
                              spec_.limits.reports_per_period ? Json(*spec_.limits.reports_per_period) : Json()},
                             {"window", duration_or_null(spec_.limits.window_seconds)}}));
  document.set("users", spec_.users ? Json(*spec_.users) : Json());
  document.set("purpose", text_or_null(spec_.purpose)).set("legal_basis", text_or_null(spec_.legal_basis));
  document.set("collection", Json::object({{"period", duration_or_null(spec_.period_seconds)},
                                           {"validity", text_or_null(spec_.validity)},
                                           {"detection", text_or_null(spec_.detection)},
                                           {"entry", text_or_null(spec_.entry)},
                                           {"depth", text_or_null(spec_.depth)}}));
  document.set("retention", duration_or_null(spec_.retention_seconds));
  document.set("classification", Json::object({{"source", text_or_null(spec_.source)},
                                               {"type", text_or_null(spec_.type)},
                                               {"importance", text_or_null(spec_.importance)}}));
  document.set("profile", text_or_null(spec_.profile)).set("deviation", text_or_null(spec_.deviation));
  document.set("justification", text_or_null(spec_.justification)).set("contact", text_or_null(spec_.contact));
  document.set("statement", Json::object({{"en", statement_.en}, {"zh", statement_.zh}}));
  return document;
}

std::string Task::make_block(const Json& document) const {
  std::string block(GAUZE_TASK_BLOCK, '\0');
  const auto put = [&](std::size_t at, std::uint64_t number, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) block[at + i] = static_cast<char>(number >> (8 * i) & 0xff);
  };
  const auto put_digest = [&](std::size_t at, const std::string& digest) { block.replace(at, 32, digest); };
  put(0, GAUZE_TASK_MAGIC, 4);
  put(GAUZE_TASK_AT_VERSION, GAUZE_TASK_VERSION, 2);
  put(GAUZE_TASK_AT_MECHANISM, mechanism_->number, 1);
  put(GAUZE_TASK_AT_FLAGS,
      (spec_.other ? std::uint64_t{GAUZE_FLAG_OTHER} : 0) | (spec_.variance ? std::uint64_t{GAUZE_FLAG_VARIANCE} : 0),
      1);
  put(GAUZE_TASK_AT_SIZE, spec_.size(), 4);
  put(GAUZE_TASK_AT_PARAMETER, law_.law.parameter, 4);
  if (spec_.question == Question::mean) {
    put(GAUZE_TASK_AT_LOW, static_cast<std::uint64_t>(spec_.number.low), 8);
    put(GAUZE_TASK_AT_HIGH, static_cast<std::uint64_t>(spec_.number.high), 8);
  }
  for (std::size_t i = 0; i < 3; ++i) put(GAUZE_TASK_AT_LAW + 8 * i, law_.law.numbers[i], 8);
  put(GAUZE_TASK_AT_CLAIMED, spec_.epsilon_nano, 8);
  put(GAUZE_TASK_AT_PERIOD, static_cast<std::uint64_t>(spec_.period()), 8);
  put(GAUZE_TASK_AT_WINDOW_SECONDS, static_cast<std::uint64_t>(spec_.limits.window_seconds.value_or(0)), 8);
  put(GAUZE_TASK_AT_WINDOW_NANO, spec_.limits.window_nano.value_or(GAUZE_NO_LIMIT), 8);
  put(GAUZE_TASK_AT_LIFETIME_NANO, spec_.limits.lifetime_nano.value_or(GAUZE_NO_LIMIT), 8);
  put(GAUZE_TASK_AT_REPORTS, spec_.limits.reports_per_period.value_or(0), 4);
  put_digest(GAUZE_TASK_AT_VALUES, spec_.values.sha256_bytes());
  put_digest(GAUZE_TASK_AT_TEXTS, digest_bytes(statement_.en));
  put_digest(GAUZE_TASK_AT_TEXTS + 32, digest_bytes(statement_.zh));
  put_digest(GAUZE_TASK_AT_DOCUMENT, digest_bytes(document.dump()));
  put(GAUZE_TASK_AT_CHECKSUM, crc32c({reinterpret_cast<const unsigned char*>(block.data()), GAUZE_TASK_AT_CHECKSUM}),
      4);
  return block;
}

Json Task::to_json() const {
  Json object = document();
  object.set("hash", hash_).set("block", to_base64(block_));
  return object;
}

std::vector<Warning> Task::warnings() const {
  if (!is_draft()) return {};
  return {
      {"draft_task", "the task is a draft: it can be tried, but no server accepts it while something is missing"}};
}

PrivacyLabel Task::label(std::string_view kind) const {
  PrivacyLabel label;
  label.released.kind = kind;
  label.mechanism = mechanism_->name;
  PrivacyCost cost = PrivacyCost::of_epsilon(Rational(static_cast<std::int64_t>(cost_nano()), 1'000'000'000));
  cost.unit = "one device's value, in one report";
  cost.neighbours = Neighbours::any_two_inputs;
  cost.put_into(label);
  label.parameters.set("task", spec_.name).set("task_sha256", hash_);
  label.parameters.set("question", word_of(kQuestionWords, spec_.question));
  label.parameters.set("nominal_epsilon", Json::number(nano_text(spec_.epsilon_nano)));
  label.parameters.set("epsilon_window", nano_or_null(spec_.limits.window_nano));
  label.parameters.set("window", duration_or_null(spec_.limits.window_seconds));
  label.parameters.set("epsilon_lifetime", nano_or_null(spec_.limits.lifetime_nano));
  if (spec_.question == Question::frequency) label.parameters.set("categories", spec_.size());
  if (!spec_.profile.empty()) label.parameters.set("profile", spec_.profile);
  if (!spec_.deviation.empty()) label.parameters.set("deviation", spec_.deviation);
  label.covers = {
      "What a device's value is, from whoever reads a report, the collector included: it was disturbed on the device.",
      "Several reports of a device: their costs add up, within the limits of window and lifetime that its ledger keeps."};
  label.does_not_cover = {
      "That a device takes part, and when.", "How long a device takes to encode a report.",
      "Devices whose ledger is lost, such as after the app is installed anew: their budget is a fresh one.",
      "What all values together show: estimates are meant to be seen."};
  label.provenance = {{"values", Provenance::public_knowledge}, {"law", Provenance::public_knowledge}};
  return label;
}

}  // namespace gauze::collect
