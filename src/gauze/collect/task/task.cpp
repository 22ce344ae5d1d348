#include "gauze/collect/task/task.h"

#include "gauze/collect/plan/planner.h"
#include "gauze/collect/task/internal/document_parts.h"
#include "gauze/collect/task/statement.h"
#include "gauze/encoder/task_block.h"
#include "gauze/label/privacy_cost.h"

namespace gauze::collect {
namespace {

/// Values are listed in the document up to here; beyond, those that are called 0, 1, 2, ... are told by their number.
constexpr std::uint32_t kMostListedNumbers = 65'536;

/// Who expects no number of devices is planned for this many; the choice does not depend on it.
constexpr std::uint64_t kUsualUsers = 100'000;

Json law_json(const LocalMechanism& mechanism, const LocalLaw& law) {
  Json numbers = Json::object();
  for (std::size_t i = 0; i < law.numbers.size(); ++i)
    if (!mechanism.law_names[i].empty()) numbers.set(mechanism.law_names[i], std::to_string(law.numbers[i]));
  return numbers;
}

Json field_json(const TaskSpec& spec) {
  if (spec.question == Question::frequency) return Json::object({{"type", "category"}, {"other", spec.other}});
  return internal::number_json(spec.number);
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
                       {"window", internal::nano_or_null(spec.limits.window_nano)},
                       {"lifetime", internal::nano_or_null(spec.limits.lifetime_nano)}});
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
  Json document = internal::opening_json(spec_);
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
                             {"window", internal::duration_or_null(spec_.limits.window_seconds)}}));
  internal::put_organisation(document, spec_);
  document.set("statement", Json::object({{"en", statement_.en}, {"zh", statement_.zh}}));
  return document;
}

std::string Task::make_block(const Json& document) const {
  internal::BlockWriter block(GAUZE_TASK_BLOCK, mechanism_->number, spec_, statement_, document);
  block.put(
      GAUZE_TASK_AT_FLAGS,
      (spec_.other ? std::uint64_t{GAUZE_FLAG_OTHER} : 0) | (spec_.variance ? std::uint64_t{GAUZE_FLAG_VARIANCE} : 0),
      1);
  block.put(GAUZE_TASK_AT_SIZE, spec_.size(), 4);
  block.put(GAUZE_TASK_AT_PARAMETER, law_.law.parameter, 4);
  if (spec_.question == Question::mean) {
    block.put(GAUZE_TASK_AT_LOW, static_cast<std::uint64_t>(spec_.number.low), 8);
    block.put(GAUZE_TASK_AT_HIGH, static_cast<std::uint64_t>(spec_.number.high), 8);
  }
  for (std::size_t i = 0; i < 3; ++i) block.put(GAUZE_TASK_AT_LAW + 8 * i, law_.law.numbers[i], 8);
  block.put(GAUZE_TASK_AT_WINDOW_SECONDS, static_cast<std::uint64_t>(spec_.limits.window_seconds.value_or(0)), 8);
  block.put(GAUZE_TASK_AT_WINDOW_NANO, spec_.limits.window_nano.value_or(GAUZE_NO_LIMIT), 8);
  block.put(GAUZE_TASK_AT_LIFETIME_NANO, spec_.limits.lifetime_nano.value_or(GAUZE_NO_LIMIT), 8);
  block.put(GAUZE_TASK_AT_REPORTS, spec_.limits.reports_per_period.value_or(0), 4);
  block.put_digest(GAUZE_TASK_AT_VALUES, spec_.values.sha256_bytes());
  return block.finish();
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
  label.parameters.set("epsilon_window", internal::nano_or_null(spec_.limits.window_nano));
  label.parameters.set("window", internal::duration_or_null(spec_.limits.window_seconds));
  label.parameters.set("epsilon_lifetime", internal::nano_or_null(spec_.limits.lifetime_nano));
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
