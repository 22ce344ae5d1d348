// A central task's document, read back.
#include "gauze/collect/plan/planner.h"
#include "gauze/collect/task/central_task.h"
#include "gauze/collect/task/internal/document_parts.h"
#include "gauze/files/base64.h"
#include "gauze/files/json_reader.h"

namespace gauze::collect {
namespace {

using internal::broken;
using internal::Members;

Result<RecordField> read_field(const std::string& name, const Json& written) {
  RecordField field;
  field.name = name;
  const Members members(&written, "fields.");
  GAUZE_TRY(const std::string type, members.text("type"));
  if (type != "category") {
    GAUZE_TRY(field.number, internal::read_number_field(members, false));
    return field;
  }
  GAUZE_TRY(field.other, members.flag("other"));
  const Json* listed = members.find("values");
  if (listed == nullptr || listed->elements() == nullptr) return broken("'values' of a field must be a list");
  std::vector<std::string> texts;
  for (const Json& one : *listed->elements()) {
    if (kind_of(one) != JsonKind::string) return broken("'values' of a field must be texts");
    texts.emplace_back(one.text());
  }
  auto values = ValueList::listed(std::move(texts));
  if (!values) return broken("{}", values.error().message);
  field.values = std::move(*values);
  return field;
}

Result<CentralSpec> read_central_spec(const Members& document) {
  CentralSpec spec;
  GAUZE_TRY_VOID(internal::read_opening(document, spec));
  GAUZE_TRY(const std::string mode, document.text("mode"));
  if (mode == "local")
    return invalid_parameter("the task is a local one: its reports are counted, and this takes central tasks alone");
  if (mode != "central") return broken("this version does not know its mode");
  GAUZE_TRY(const auto epsilon, document.object("epsilon").count("lifetime", Rational(1'000'000'000)));
  if (!epsilon) return broken("'epsilon.lifetime' is missing");
  spec.epsilon_nano = *epsilon;
  GAUZE_TRY(const auto reports, document.object("limits").count("reports_per_period"));
  if (!reports || *reports == 0 || *reports > UINT32_MAX) return broken("'limits.reports_per_period' is missing");
  spec.reports_per_period = static_cast<std::uint32_t>(*reports);
  const Json* fields = document.find("fields");
  if (fields == nullptr || fields->members() == nullptr) return broken("'fields' must be an object");
  for (const auto& [name, written] : *fields->members()) {
    GAUZE_TRY(RecordField field, read_field(name, written));
    spec.fields.push_back(std::move(field));
  }
  GAUZE_TRY_VOID(internal::read_organisation(document, spec));
  return spec;
}

}  // namespace

Result<CentralTask> CentralTask::parse(std::string_view json) {
  const auto read = read_json(json);
  if (!read) return broken("it is no JSON document");
  const Members document(&*read, "");
  CentralTask task;
  GAUZE_TRY(task.spec_, read_central_spec(document));
  // A ceiling binds whoever makes a task; that it is kept is nothing that a reader could change.
  CentralSpec unbound = task.spec_;
  unbound.profile.clear();
  if (const auto allowed = check_central_spec(unbound); !allowed) return broken("{}", allowed.error().message);
  const Members statement = document.object("statement");
  GAUZE_TRY(task.statement_.en, statement.text("en"));
  GAUZE_TRY(task.statement_.zh, statement.text("zh"));
  GAUZE_TRY(const std::string written_block, document.text("block"));
  const auto block = from_base64(written_block);
  if (!block) return broken("'block' is no base64");
  task.block_ = *block;
  GAUZE_TRY_VOID(task.load_block());
  GAUZE_TRY_VOID(task.compare_with_block(*read));
  return task;
}

Result<void> CentralTask::compare_with_block(const Json& read) const {
  GAUZE_TRY(const std::string written_hash, Members(&read, "").text("hash"));
  if (written_hash != hash_) return broken("'hash' is not the SHA-256 of 'block'");
  // Everything that is written must be what this text gives, and the block must hold its digest.
  const Json expected = document();
  GAUZE_TRY_VOID(internal::compare_documents(read, expected));
  if (make_block(expected) != block_) return broken("text and block disagree");
  return {};
}

}  // namespace gauze::collect
