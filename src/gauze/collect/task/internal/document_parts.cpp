#include "gauze/collect/task/internal/document_parts.h"

#include "gauze/collect/plan/planner.h"
#include "gauze/collect/reports/crc32c.h"
#include "gauze/encoder/task_block.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze::collect::internal {

Result<std::string> Members::text(std::string_view name) const {
  const Json* member = find(name);
  if (member == nullptr || member->is_null()) return std::string();
  if (kind_of(*member) != JsonKind::string) return wrong(name, "a text");
  return std::string(member->text());
}

Result<bool> Members::flag(std::string_view name) const {
  const Json* member = find(name);
  if (member == nullptr || kind_of(*member) != JsonKind::boolean) return wrong(name, "true or false");
  return member->dump() == "true";
}

Result<std::optional<Rational>> Members::number(std::string_view name) const {
  const Json* member = find(name);
  if (member == nullptr || member->is_null()) return std::optional<Rational>();
  const auto value =
      kind_of(*member) == JsonKind::number ? Rational::parse(member->text()) : Result<Rational>(Rational(0.0 / 0.0));
  if (!value || !value->is_defined()) return wrong(name, "a number");
  return std::optional(*value);
}

Result<std::optional<std::uint64_t>> Members::count(std::string_view name, Rational unit) const {
  GAUZE_TRY(const auto value, number(name));
  if (!value) return std::optional<std::uint64_t>();
  const auto whole = (*value * unit).to_int64();
  if (!whole || *whole < 0) return wrong(name, "a number that is not negative, in whole units");
  return std::optional(static_cast<std::uint64_t>(*whole));
}

Result<std::optional<std::int64_t>> Members::duration(std::string_view name) const {
  GAUZE_TRY(const std::string written, text(name));
  if (written.empty()) return std::optional<std::int64_t>();
  const auto seconds = parse_window(written);
  if (!seconds) return wrong(name, "a duration");
  return std::optional(*seconds);
}

tl::unexpected<Error> Members::wrong(std::string_view name, std::string_view what) const {
  return broken("'{}{}' must be {}", place_, name, what);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json nano_or_null(const std::optional<std::uint64_t>& nano) { return nano ? Json::number(nano_text(*nano)) : Json(); }
Json duration_or_null(const std::optional<std::int64_t>& seconds) {
  return seconds ? Json(window_text(*seconds)) : Json();
}

std::string digest_bytes(std::string_view text) {
  Sha256 digest;
  digest.add(text);
  const auto bytes = digest.finish_bytes();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Json opening_json(const TaskTerms& terms) {
  std::vector<Json> missing;
  for (const std::string& name : terms.missing()) missing.emplace_back(name);
  Json document = Json::object({{"format", "gauze-task"}, {"version", 1}, {"name", terms.name}});
  document.set("state", missing.empty() ? "complete" : "draft");
  document.set("missing", Json::array(std::move(missing)));
  return document;
}

void put_organisation(Json& document, const TaskTerms& terms) {
  document.set("users", terms.users ? Json(*terms.users) : Json());
  document.set("purpose", text_or_null(terms.purpose)).set("legal_basis", text_or_null(terms.legal_basis));
  document.set("collection", Json::object({{"period", duration_or_null(terms.period_seconds)},
                                           {"validity", text_or_null(terms.validity)},
                                           {"detection", text_or_null(terms.detection)},
                                           {"entry", text_or_null(terms.entry)},
                                           {"depth", text_or_null(terms.depth)}}));
  document.set("retention", duration_or_null(terms.retention_seconds));
  document.set("classification", Json::object({{"source", text_or_null(terms.source)},
                                               {"type", text_or_null(terms.type)},
                                               {"importance", text_or_null(terms.importance)}}));
  document.set("profile", text_or_null(terms.profile)).set("deviation", text_or_null(terms.deviation));
  document.set("justification", text_or_null(terms.justification)).set("contact", text_or_null(terms.contact));
}

Result<void> read_opening(const Members& document, TaskTerms& terms) {
  GAUZE_TRY(const std::string format, document.text("format"));
  GAUZE_TRY(const auto version, document.count("version"));
  if (format != "gauze-task" || version != std::uint64_t{1}) return broken("it is no gauze-task of version 1");
  GAUZE_TRY(terms.name, document.text("name"));
  return {};
}

Result<void> read_organisation(const Members& document, TaskTerms& terms) {
  GAUZE_TRY(terms.users, document.count("users"));
  GAUZE_TRY(terms.purpose, document.text("purpose"));
  GAUZE_TRY(terms.legal_basis, document.text("legal_basis"));
  const Members collection = document.object("collection");
  GAUZE_TRY(terms.period_seconds, collection.duration("period"));
  GAUZE_TRY(terms.validity, collection.text("validity"));
  GAUZE_TRY(terms.detection, collection.text("detection"));
  GAUZE_TRY(terms.entry, collection.text("entry"));
  GAUZE_TRY(terms.depth, collection.text("depth"));
  GAUZE_TRY(terms.retention_seconds, document.duration("retention"));
  const Members classification = document.object("classification");
  GAUZE_TRY(terms.source, classification.text("source"));
  GAUZE_TRY(terms.type, classification.text("type"));
  GAUZE_TRY(terms.importance, classification.text("importance"));
  GAUZE_TRY(terms.profile, document.text("profile"));
  GAUZE_TRY(terms.deviation, document.text("deviation"));
  GAUZE_TRY(terms.justification, document.text("justification"));
  GAUZE_TRY(terms.contact, document.text("contact"));
  return {};
}

Result<NumberField> read_number_field(const Members& field, bool squares) {
  GAUZE_TRY(const auto low, field.number("low"));
  GAUZE_TRY(const auto high, field.number("high"));
  GAUZE_TRY(const auto places, field.count("places"));
  if (!low || !high || !places || *places > 18) return broken("a field of numbers needs low, high and places");
  const auto number = NumberField::make(*low, *high, static_cast<int>(*places), squares);
  if (!number) return broken("a field: {}", number.error().message);
  return *number;
}

Json number_json(const NumberField& field) {
  return Json::object({{"type", field.places == 0 ? "integer" : "decimal"},
                       {"low", Json::number(field.text(field.low))},
                       {"high", Json::number(field.text(field.high))},
                       {"places", field.places}});
}

Result<void> compare_documents(const Json& read, const Json& expected) {
  for (const auto& [name, value] : *expected.members()) {
    const Json* given = read.find(name);
    if (given == nullptr || given->dump() != value.dump()) return broken("text and block disagree about '{}'", name);
  }
  for (const auto& [name, value] : *read.members())
    if (expected.find(name) == nullptr && name != "hash" && name != "block" && name != "warnings" && name != "label")
      return broken("it has a member '{}' that does not belong there", name);
  return {};
}

BlockWriter::BlockWriter(std::size_t bytes, unsigned char mechanism, const TaskTerms& terms,
                         const Statement& statement, const Json& document)
    : block_(bytes, '\0') {
  put(0, GAUZE_TASK_MAGIC, 4);
  put(GAUZE_TASK_AT_VERSION, GAUZE_TASK_VERSION, 2);
  put(GAUZE_TASK_AT_MECHANISM, mechanism, 1);
  put(GAUZE_TASK_AT_CLAIMED, terms.epsilon_nano, 8);
  put(GAUZE_TASK_AT_PERIOD, static_cast<std::uint64_t>(terms.period()), 8);
  put(GAUZE_TASK_AT_WINDOW_NANO, GAUZE_NO_LIMIT, 8);
  put(GAUZE_TASK_AT_LIFETIME_NANO, GAUZE_NO_LIMIT, 8);
  put_digest(GAUZE_TASK_AT_TEXTS, digest_bytes(statement.en));
  put_digest(GAUZE_TASK_AT_TEXTS + 32, digest_bytes(statement.zh));
  put_digest(GAUZE_TASK_AT_DOCUMENT, digest_bytes(document.dump()));
}

void BlockWriter::put(std::size_t at, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) block_[at + i] = static_cast<char>(number >> (8 * i) & 0xff);
}

std::string BlockWriter::finish() {
  const std::size_t checked = block_.size() - 4;
  put(checked, crc32c({reinterpret_cast<const unsigned char*>(block_.data()), checked}), 4);
  return std::move(block_);
}

}  // namespace gauze::collect::internal
