// A task's document, read back.
#include <algorithm>

#include "gauze/collect/plan/planner.h"
#include "gauze/collect/task/internal/document_parts.h"
#include "gauze/collect/task/task.h"
#include "gauze/encoder/task_block.h"
#include "gauze/files/base64.h"
#include "gauze/files/json_reader.h"

namespace gauze::collect {
namespace {

using internal::broken;
using internal::Members;

Result<void> read_field(const Members& document, TaskSpec& spec) {
  const Members field = document.object("field");
  if (spec.question == Question::mean) {
    GAUZE_TRY(spec.number, internal::read_number_field(field, spec.variance));
    return {};
  }
  GAUZE_TRY(spec.other, field.flag("other"));
  GAUZE_TRY(const auto size, document.count("size"));
  const Json* listed = document.find("values");
  if (listed == nullptr || !size) return broken("'size' and 'values' must be there");
  if (listed->is_null()) {
    const auto values = ValueList::numbered(*size);
    if (!values) return broken("{}", values.error().message);
    spec.values = *values;
    return {};
  }
  if (listed->elements() == nullptr) return broken("'values' must be a list");
  std::vector<std::string> texts;
  bool is_numbered = true;
  for (const Json& one : *listed->elements()) {
    if (kind_of(one) != JsonKind::string) return broken("'values' must be texts");
    is_numbered = is_numbered && one.text() == std::to_string(texts.size());
    texts.emplace_back(one.text());
  }
  if (texts.size() != *size) return broken("'size' is not the number of values");
  auto values = is_numbered ? ValueList::numbered(texts.size()) : ValueList::listed(std::move(texts));
  if (!values) return broken("{}", values.error().message);
  spec.values = std::move(*values);
  return {};
}

Result<TaskSpec> read_spec(const Members& document) {
  TaskSpec spec;
  GAUZE_TRY_VOID(internal::read_opening(document, spec));
  GAUZE_TRY(const std::string mode, document.text("mode"));
  if (mode == "central")
    return invalid_parameter(
        "the task is a central one: its records are asked by a curator's queries, and this takes "
        "tasks of local differential privacy alone");
  if (mode != "local") return broken("this version does not know its mode");
  GAUZE_TRY(const std::string question, document.text("question"));
  const auto known = value_of(kQuestionWords, question);
  if (!known) return broken("this version does not know its question");
  spec.question = *known;
  GAUZE_TRY(spec.mechanism, document.text("mechanism"));
  GAUZE_TRY(spec.variance, document.flag("variance"));
  const Rational nano(1'000'000'000);
  const Members epsilon = document.object("epsilon");
  GAUZE_TRY(const auto report, epsilon.count("report", nano));
  if (!report) return broken("'epsilon.report' is missing");
  spec.epsilon_nano = *report;
  GAUZE_TRY(spec.limits.window_nano, epsilon.count("window", nano));
  GAUZE_TRY(spec.limits.lifetime_nano, epsilon.count("lifetime", nano));
  const Members limits = document.object("limits");
  GAUZE_TRY(const auto reports, limits.count("reports_per_period"));
  if (reports) spec.limits.reports_per_period = static_cast<std::uint32_t>(*reports);
  GAUZE_TRY(spec.limits.window_seconds, limits.duration("window"));
  GAUZE_TRY_VOID(read_field(document, spec));
  GAUZE_TRY_VOID(internal::read_organisation(document, spec));
  return spec;
}

}  // namespace

Result<Task> Task::parse(std::string_view json) {
  const auto read = read_json(json);
  if (!read) return broken("it is no JSON document");
  const Members document(&*read, "");
  Task task;
  GAUZE_TRY(task.spec_, read_spec(document));
  const Members statement = document.object("statement");
  GAUZE_TRY(task.statement_.en, statement.text("en"));
  GAUZE_TRY(task.statement_.zh, statement.text("zh"));
  task.mechanism_ = find_local_mechanism(task.spec_.mechanism);
  if (task.mechanism_ == nullptr || task.mechanism_->question != task.spec_.question)
    return broken("this version does not know its mechanism");
  GAUZE_TRY(const std::string written_block, document.text("block"));
  const auto block = from_base64(written_block);
  if (!block) return broken("'block' is no base64");
  task.block_ = *block;
  GAUZE_TRY_VOID(task.load_block());
  if (const auto agrees = task.compare_with_block(*read); !agrees) {
    // That the block costs more than it claims is the graver of the two, and does not depend on the text.
    GAUZE_TRY_VOID(task.check_claim());
    return tl::unexpected(agrees.error());
  }
  return task;
}

Result<void> Task::compare_with_block(const Json& read) {
  const Members document(&read, "");
  GAUZE_TRY(const std::string written_hash, document.text("hash"));
  if (written_hash != hash_) return broken("'hash' is not the SHA-256 of 'block'");
  if (loaded_.mechanism != mechanism_->number) return broken("text and block name different mechanisms");
  law_ = {{{loaded_.law[0], loaded_.law[1], loaded_.law[2]}, loaded_.parameter}, loaded_.size};
  if (law_.size != spec_.size()) return broken("text and block have different numbers of values");

  // Everything that is written must be what this text and this law give, and the block must hold its digest.
  Json expected = this->document();
  // Rounded figures for people, which another machine may round in another way; the digest covers them.
  if (const Json* parameters = document.find("parameters")) expected.set("parameters", *parameters);
  GAUZE_TRY_VOID(internal::compare_documents(read, expected));
  if (make_block(expected) != block_) return broken("text and block disagree");
  return {};
}

}  // namespace gauze::collect
