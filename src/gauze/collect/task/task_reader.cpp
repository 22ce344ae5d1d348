// A task's document, read back.
#include <algorithm>

#include "gauze/collect/plan/planner.h"
#include "gauze/collect/task/task.h"
#include "gauze/encoder/task_block.h"
#include "gauze/files/base64.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze::collect {
namespace {

template <class... Args>
tl::unexpected<Error> broken(fmt::format_string<Args...> format, Args&&... args) {
  return make_error(ErrorCode::bad_data, "the task: {}", fmt::format(format, std::forward<Args>(args)...));
}

/// Reads members of one object of the document; the first mistake stays.
class Members {
 public:
  Members(const Json* object, std::string place) : object_(object), place_(std::move(place)) {}

  /// A text; null and absent are empty.
  [[nodiscard]] Result<std::string> text(std::string_view name) const {
    const Json* member = find(name);
    if (member == nullptr || member->is_null()) return std::string();
    if (kind_of(*member) != JsonKind::string) return wrong(name, "a text");
    return std::string(member->text());
  }
  [[nodiscard]] Result<bool> flag(std::string_view name) const {
    const Json* member = find(name);
    if (member == nullptr || kind_of(*member) != JsonKind::boolean) return wrong(name, "true or false");
    return member->dump() == "true";
  }
  /// A number; nothing when null or absent.
  [[nodiscard]] Result<std::optional<Rational>> number(std::string_view name) const {
    const Json* member = find(name);
    if (member == nullptr || member->is_null()) return std::optional<Rational>();
    const auto value = kind_of(*member) == JsonKind::number ? Rational::parse(member->text())
                                                            : Result<Rational>(Rational(0.0 / 0.0));
    if (!value || !value->is_defined()) return wrong(name, "a number");
    return std::optional(*value);
  }
  [[nodiscard]] Result<std::optional<std::uint64_t>> count(std::string_view name, Rational unit = Rational(1)) const {
    GAUZE_TRY(const auto value, number(name));
    if (!value) return std::optional<std::uint64_t>();
    const auto whole = (*value * unit).to_int64();
    if (!whole || *whole < 0) return wrong(name, "a number that is not negative, in whole units");
    return std::optional(static_cast<std::uint64_t>(*whole));
  }
  [[nodiscard]] Result<std::optional<std::int64_t>> duration(std::string_view name) const {
    GAUZE_TRY(const std::string written, text(name));
    if (written.empty()) return std::optional<std::int64_t>();
    const auto seconds = parse_window(written);
    if (!seconds) return wrong(name, "a duration");
    return std::optional(*seconds);
  }
  [[nodiscard]] Members object(std::string_view name) const { return {find(name), place_ + std::string(name) + "."}; }
  [[nodiscard]] const Json* find(std::string_view name) const {
    return object_ == nullptr || object_->members() == nullptr ? nullptr : object_->find(name);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> wrong(std::string_view name, std::string_view what) const {
    return broken("'{}{}' must be {}", place_, name, what);
  }

  const Json* object_;
  std::string place_;
};

Result<void> read_field(const Members& document, TaskSpec& spec) {
  const Members field = document.object("field");
  if (spec.question == Question::mean) {
    GAUZE_TRY(const auto low, field.number("low"));
    GAUZE_TRY(const auto high, field.number("high"));
    GAUZE_TRY(const auto places, field.count("places"));
    if (!low || !high || !places || *places > 18) return broken("'field' needs low, high and places");
    const auto number = NumberField::make(*low, *high, static_cast<int>(*places), spec.variance);
    if (!number) return broken("'field': {}", number.error().message);
    spec.number = *number;
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

Result<void> read_organisation(const Members& document, TaskSpec& spec) {
  GAUZE_TRY(spec.purpose, document.text("purpose"));
  GAUZE_TRY(spec.legal_basis, document.text("legal_basis"));
  const Members collection = document.object("collection");
  GAUZE_TRY(spec.period_seconds, collection.duration("period"));
  GAUZE_TRY(spec.validity, collection.text("validity"));
  GAUZE_TRY(spec.detection, collection.text("detection"));
  GAUZE_TRY(spec.entry, collection.text("entry"));
  GAUZE_TRY(spec.depth, collection.text("depth"));
  GAUZE_TRY(spec.retention_seconds, document.duration("retention"));
  const Members classification = document.object("classification");
  GAUZE_TRY(spec.source, classification.text("source"));
  GAUZE_TRY(spec.type, classification.text("type"));
  GAUZE_TRY(spec.importance, classification.text("importance"));
  GAUZE_TRY(spec.profile, document.text("profile"));
  GAUZE_TRY(spec.deviation, document.text("deviation"));
  GAUZE_TRY(spec.justification, document.text("justification"));
  GAUZE_TRY(spec.contact, document.text("contact"));
  return {};
}

Result<TaskSpec> read_spec(const Members& document) {
  TaskSpec spec;
  GAUZE_TRY(const std::string format, document.text("format"));
  GAUZE_TRY(const auto version, document.count("version"));
  if (format != "gauze-task" || version != std::uint64_t{1}) return broken("it is no gauze-task of version 1");
  GAUZE_TRY(spec.name, document.text("name"));
  GAUZE_TRY(const std::string mode, document.text("mode"));
  if (mode != "local") return broken("this version knows no other mode than local");
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
  GAUZE_TRY(spec.users, document.count("users"));
  GAUZE_TRY_VOID(read_field(document, spec));
  GAUZE_TRY_VOID(read_organisation(document, spec));
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
  for (const auto& [name, value] : *expected.members()) {
    const Json* given = document.find(name);
    if (given == nullptr || given->dump() != value.dump()) return broken("text and block disagree about '{}'", name);
  }
  for (const auto& [name, value] : *read.members())
    if (expected.find(name) == nullptr && name != "hash" && name != "block" && name != "warnings" && name != "label")
      return broken("it has a member '{}' that does not belong there", name);
  if (make_block(expected) != block_) return broken("text and block disagree");
  return {};
}

}  // namespace gauze::collect
