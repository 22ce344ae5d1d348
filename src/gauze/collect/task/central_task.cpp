#include "gauze/collect/task/central_task.h"

#include "gauze/collect/plan/planner.h"
#include "gauze/collect/task/central_statement.h"
#include "gauze/collect/task/internal/document_parts.h"
#include "gauze/encoder/task_block.h"

namespace gauze::collect {
namespace {

Json field_json(const RecordField& field) {
  if (!field.is_category()) return internal::number_json(field.number);
  std::vector<Json> values;
  for (std::uint32_t i = 0; i < field.values.size(); ++i) values.emplace_back(field.values.text(i));
  return Json::object({{"type", "category"}, {"values", Json::array(std::move(values))}, {"other", field.other}});
}

/// Each text after its length in four bytes: names of fields, and after each the values of a category.
std::string digest_of_fields(const CentralSpec& spec) {
  std::string all;
  const auto add = [&](std::string_view text) {
    for (int i = 0; i < 4; ++i) all += static_cast<char>(text.size() >> (8 * i) & 0xff);
    all += text;
  };
  for (const RecordField& field : spec.fields) {
    add(field.name);
    for (std::uint32_t i = 0; i < field.values.size(); ++i) add(field.values.text(i));
  }
  return internal::digest_bytes(all);
}

std::uint64_t kind_of_field(const RecordField& field) {
  return !field.is_category() ? GAUZE_FIELD_NUMBER : field.other ? GAUZE_FIELD_OTHER : GAUZE_FIELD_CATEGORY;
}

}  // namespace

Result<CentralTask> CentralTask::make(CentralSpec spec) {
  GAUZE_TRY_VOID(check_central_spec(spec));
  CentralTask task;
  task.spec_ = std::move(spec);
  task.statement_ = make_central_statement(task.spec_);
  for (const RecordField& field : task.spec_.fields)
    task.loaded_.payload_size += static_cast<std::uint32_t>(field.bytes());
  task.block_ = task.make_block(task.document());
  GAUZE_TRY_VOID(task.load_block());
  return task;
}

Result<void> CentralTask::check() const {
  const Statement expected = make_central_statement(spec_);
  if (expected.en != statement_.en || expected.zh != statement_.zh)
    return make_error(ErrorCode::bad_data, "the statement is not the one that belongs to this task");
  return {};
}

Json CentralTask::document() const {
  Json document = internal::opening_json(spec_);
  document.set("mode", "central");
  document.set("epsilon", Json::object({{"report", Json()},
                                        {"permanent", Json()},
                                        {"window", Json()},
                                        {"lifetime", Json::number(nano_text(spec_.epsilon_nano))}}));
  document.set("cost", 0);
  Json fields = Json::object();
  for (const RecordField& field : spec_.fields) fields.set(field.name, field_json(field));
  document.set("fields", std::move(fields));
  document.set("period_seconds", spec_.period()).set("payload_bytes", payload_bytes());
  document.set("limits", Json::object({{"reports_per_period", spec_.reports_per_period}}));
  internal::put_organisation(document, spec_);
  document.set("statement", Json::object({{"en", statement_.en}, {"zh", statement_.zh}}));
  return document;
}

std::string CentralTask::make_block(const Json& document) const {
  internal::BlockWriter block(GAUZE_CENTRAL_BLOCK, GAUZE_CENTRAL, spec_, statement_, document);
  block.put(GAUZE_TASK_AT_SIZE, spec_.fields.size(), 4);
  block.put(GAUZE_TASK_AT_REPORTS, spec_.reports_per_period, 4);
  block.put_digest(GAUZE_TASK_AT_VALUES, digest_of_fields(spec_));
  std::size_t at = GAUZE_CENTRAL_AT_FIELDS;
  for (const RecordField& field : spec_.fields) {
    block.put(at, kind_of_field(field), 1);
    block.put(at + 1, static_cast<std::uint64_t>(field.low()), 8);
    block.put(at + 9, static_cast<std::uint64_t>(field.high()), 8);
    at += GAUZE_CENTRAL_FIELD;
  }
  return block.finish();
}

PrivacyCost CentralTask::lifetime_cost() const {
  PrivacyCost cost = PrivacyCost::of_epsilon(Rational(static_cast<std::int64_t>(spec_.epsilon_nano), 1'000'000'000));
  cost.unit = kEnrolment;
  cost.neighbours = Neighbours::add_remove;
  return cost;
}

PrivacyLabel CentralTask::label() const {
  PrivacyLabel label;
  label.released.kind = "task of central collection";
  label.mechanism = "noise that the curator adds to each answer";
  lifetime_cost().put_into(label);
  label.parameters.set("task", spec_.name).set("task_sha256", hash_);
  label.parameters.set("reports_per_period", spec_.reports_per_period);
  if (!spec_.profile.empty()) label.parameters.set("profile", spec_.profile);
  if (!spec_.deviation.empty()) label.parameters.set("deviation", spec_.deviation);
  label.covers = {
      "All records of one enrolment, from whoever sees the curator's answers: they cost at most this, all together, for life."};
  label.does_not_cover = {"Anything from the curator, who is trusted with the records as they are.",
                          "That a device is enrolled, and when it sends.",
                          "A device that enrols again: that is another enrolment."};
  label.provenance = {{"bounds", Provenance::public_knowledge}, {"values", Provenance::public_knowledge}};
  return label;
}

PrivacyLabel CentralTask::label_of_records(std::string_view kind) const {
  PrivacyLabel label;
  label.warning = "INTERNAL: private as they are, for the curator alone";
  label.definition = Definition::internal;
  label.released.kind = kind;
  label.mechanism = "none: records as they are";
  label.parameters.set("task", spec_.name).set("task_sha256", hash_);
  label.does_not_cover = {
      "Anything: whoever reads these records reads the values. They are for the curator alone, sealed to its key."};
  return label;
}

}  // namespace gauze::collect
