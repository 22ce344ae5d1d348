#include "gauze/label/label.h"

#include <utility>

#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/label/internal/label_fields.h"
#include "gauze/label/internal/label_format.h"
#include "gauze/label/meaning.h"
#include "gauze/label/version.h"

namespace gauze {
namespace {

using internal::LabelFields;

Json number_or_null(const std::optional<std::string>& digits) {
  if (!digits) return {};
  // What is no JSON number becomes a text, so that the document stays readable; check_rules() refuses it.
  return internal::is_json_number(*digits) ? Json::number(*digits) : Json(*digits);
}

Json texts(const std::vector<std::string>& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push(value);
  return list;
}

Json released_json(const PrivacyLabel::Released& released) {
  Json json = Json::object({{"kind", released.kind}});
  if (released.count) json.set("count", *released.count);
  if (!released.file.empty()) json.set("file", released.file);
  if (!released.sha256.empty()) json.set("sha256", released.sha256);
  return json;
}

Json cost_json(const PrivacyLabel::Cost& cost) {
  Json json = Json::object({{"epsilon", number_or_null(cost.epsilon)},
                            {"delta", number_or_null(cost.delta)},
                            {"rho", number_or_null(cost.rho)}});
  if (cost.mu) json.set("mu", number_or_null(cost.mu));
  if (cost.renyi_order || cost.renyi_epsilon)
    json.set("renyi", Json::object({{"order", number_or_null(cost.renyi_order)},
                                    {"epsilon", number_or_null(cost.renyi_epsilon)}}));
  return json;
}

Json meaning_json(const PrivacyLabel::Meaning& meaning) {
  Json json = Json::object();
  if (meaning.belief) json.set("belief", number_or_null(meaning.belief));
  json.set("advantage", number_or_null(meaning.advantage));
  if (meaning.epsilon) json.set("epsilon", number_or_null(meaning.epsilon));
  if (meaning.delta) json.set("delta", number_or_null(meaning.delta));
  return json.set("text", meaning.text);
}

Json budget_json(const PrivacyLabel::Budget& budget) {
  if (!budget.recorded) return Json::object({{"recorded", false}});
  return Json::object({{"recorded", true}, {"dataset", budget.dataset}, {"entry", budget.entry}});
}

Json commitments_json(const PrivacyLabel::Commitments& commitments) {
  Json json = Json::object({{"scheme", internal::kCommitmentScheme}});
  if (commitments.input) json.set("input", *commitments.input);
  if (!commitments.inputs.empty()) {
    Json inputs = Json::object();
    for (const auto& [name, commitment] : commitments.inputs) inputs.set(name, commitment);
    json.set("inputs", std::move(inputs));
  }
  if (commitments.policy) json.set("policy", *commitments.policy);
  return json;
}

/// The document without its digest. The digest is taken of this text on one line.
Json content(const PrivacyLabel& label) {
  Json json = Json::object({{"format", internal::kLabelFormat}, {"version", internal::kLabelVersion}});
  if (label.warning) json.set("warning", *label.warning);
  json.set("released", released_json(label.released));
  json.set("mechanism", label.mechanism);
  json.set("parameters", label.parameters);
  json.set("privacy_unit", label.privacy_unit);
  json.set("neighbours", to_string(label.neighbours));
  json.set("definition", to_string(label.definition));
  json.set("cost", cost_json(label.cost));
  if (const auto meaning = label.meaning()) json.set("meaning", meaning_json(*meaning));
  json.set("covers", texts(label.covers));
  json.set("does_not_cover", texts(label.does_not_cover));
  Json provenance = Json::object();
  for (const auto& [choice, origin] : label.provenance) provenance.set(choice, to_string(origin));
  json.set("provenance", std::move(provenance));
  json.set("budget", budget_json(label.budget));
  if (label.commitments.any()) json.set("commitments", commitments_json(label.commitments));
  const std::string version(label.producer.version.empty() ? gauze::version() : label.producer.version);
  json.set("producer", Json::object({{"name", label.producer.name}, {"version", version}}));
  return json;
}

Result<void> read_format(LabelFields& fields) {
  GAUZE_TRY(const std::string format, fields.text("format"));
  if (format != internal::kLabelFormat) {
    return make_error(ErrorCode::bad_data, "this is not a privacy label: 'format' must be '{}'",
                      internal::kLabelFormat);
  }
  GAUZE_TRY(const std::string version, fields.number("version"));
  if (version != std::to_string(internal::kLabelVersion)) {
    return make_error(ErrorCode::bad_data,
                      "this label has format version {}, but this Gauze ({}) reads version {}; use a newer one",
                      version.substr(0, 20), gauze::version(), internal::kLabelVersion);
  }
  return {};
}

Result<void> read_released(LabelFields& fields, PrivacyLabel::Released& released) {
  GAUZE_TRY(LabelFields inner, fields.object("released"));
  GAUZE_TRY(released.kind, inner.text("kind"));
  GAUZE_TRY(released.count, inner.optional_count("count"));
  GAUZE_TRY(released.file, inner.text_or("file", ""));
  GAUZE_TRY(released.sha256, inner.text_or("sha256", ""));
  return inner.expect_no_more();
}

Result<void> read_cost(LabelFields& fields, PrivacyLabel::Cost& cost) {
  GAUZE_TRY(LabelFields inner, fields.object("cost"));
  GAUZE_TRY(cost.epsilon, inner.optional_number("epsilon"));
  GAUZE_TRY(cost.delta, inner.optional_number("delta"));
  GAUZE_TRY(cost.rho, inner.optional_number("rho"));
  if (inner.has("mu")) {
    GAUZE_TRY(cost.mu, inner.optional_number("mu"));
  }
  if (inner.has("renyi")) {
    GAUZE_TRY(LabelFields renyi, inner.object("renyi"));
    GAUZE_TRY(cost.renyi_order, renyi.optional_number("order"));
    GAUZE_TRY(cost.renyi_epsilon, renyi.optional_number("epsilon"));
    GAUZE_TRY_VOID(renyi.expect_no_more());
  }
  return inner.expect_no_more();
}

Result<void> read_meaning(LabelFields& fields, std::optional<PrivacyLabel::Meaning>& stated) {
  if (!fields.has("meaning")) return {};
  GAUZE_TRY(LabelFields inner, fields.object("meaning"));
  PrivacyLabel::Meaning meaning;
  const auto read = [&](std::string_view key, std::optional<std::string>& into) -> Result<void> {
    if (!inner.has(key)) return {};
    GAUZE_TRY(into, inner.number(key));
    return {};
  };
  GAUZE_TRY_VOID(read("belief", meaning.belief));
  GAUZE_TRY(meaning.advantage, inner.number("advantage"));
  GAUZE_TRY_VOID(read("epsilon", meaning.epsilon));
  GAUZE_TRY_VOID(read("delta", meaning.delta));
  GAUZE_TRY(meaning.text, inner.text("text"));
  stated = std::move(meaning);
  return inner.expect_no_more();
}

Result<void> read_budget(LabelFields& fields, PrivacyLabel::Budget& budget) {
  GAUZE_TRY(LabelFields inner, fields.object("budget"));
  GAUZE_TRY(budget.recorded, inner.boolean("recorded"));
  GAUZE_TRY(budget.dataset, inner.text_or("dataset", ""));
  GAUZE_TRY(budget.entry, inner.text_or("entry", ""));
  return inner.expect_no_more();
}

Result<void> read_commitments(LabelFields& fields, PrivacyLabel::Commitments& commitments) {
  if (!fields.has("commitments")) return {};
  GAUZE_TRY(LabelFields inner, fields.object("commitments"));
  GAUZE_TRY(const std::string scheme, inner.text("scheme"));
  if (scheme != internal::kCommitmentScheme) {
    return make_error(ErrorCode::bad_data, "'commitments.scheme' must be '{}'", internal::kCommitmentScheme);
  }
  GAUZE_TRY(commitments.input, inner.optional_text("input"));
  if (inner.has("inputs")) {
    GAUZE_TRY(const Json inputs, inner.raw_object("inputs"));
    for (const auto& [name, commitment] : *inputs.members()) {
      if (kind_of(commitment) != JsonKind::string)
        return make_error(ErrorCode::bad_data, "every entry of 'commitments.inputs' must be a text");
      commitments.inputs.insert_or_assign(name, std::string(commitment.text()));
    }
  }
  GAUZE_TRY(commitments.policy, inner.optional_text("policy"));
  return inner.expect_no_more();
}

Result<void> read_provenance(LabelFields& fields, std::map<std::string, Provenance>& provenance) {
  GAUZE_TRY(const Json map, fields.raw_object("provenance"));
  for (const auto& [choice, origin] : *map.members()) {
    const auto value = value_of(kProvenanceWords, origin.text());
    if (!value || kind_of(origin) != JsonKind::string) {
      return make_error(ErrorCode::bad_data, "every entry of 'provenance' must be 'public', 'selected' or 'data'");
    }
    provenance[choice] = *value;
  }
  return {};
}

Result<void> read_guarantee(LabelFields& fields, PrivacyLabel& label) {
  GAUZE_TRY(label.privacy_unit, fields.text("privacy_unit"));
  GAUZE_TRY(label.neighbours, fields.one_of("neighbours", kNeighboursWords));
  GAUZE_TRY(label.definition, fields.one_of("definition", kDefinitionWords));
  GAUZE_TRY_VOID(read_cost(fields, label.cost));
  GAUZE_TRY_VOID(read_meaning(fields, label.stated_meaning));
  GAUZE_TRY(label.covers, fields.texts("covers"));
  GAUZE_TRY(label.does_not_cover, fields.texts("does_not_cover"));
  return {};
}

Result<void> read_producer(LabelFields& fields, PrivacyLabel::Producer& producer) {
  GAUZE_TRY(LabelFields inner, fields.object("producer"));
  GAUZE_TRY(producer.name, inner.text("name"));
  GAUZE_TRY(producer.version, inner.text("version"));
  return inner.expect_no_more();
}

}  // namespace

std::string_view to_string(Definition definition) { return word_of(kDefinitionWords, definition); }
std::string_view to_string(Provenance provenance) { return word_of(kProvenanceWords, provenance); }

std::optional<PrivacyLabel::Meaning> PrivacyLabel::meaning() const {
  return is_read ? stated_meaning : meaning_of(*this);
}

Json PrivacyLabel::to_json() const {
  Json json = content(*this);
  const std::string digest = sha256_hex(json.dump());
  json.set("digest", digest);
  return json;
}

Result<PrivacyLabel> PrivacyLabel::parse(std::string_view text) {
  GAUZE_TRY(const Json document, read_json(text));
  return from_json(document);
}

Result<PrivacyLabel> PrivacyLabel::from_json(const Json& document) {
  if (document.members() == nullptr) {
    return make_error(ErrorCode::bad_data, "this is not a privacy label: it is not a JSON object");
  }
  LabelFields fields(document, "");
  GAUZE_TRY_VOID(read_format(fields));
  PrivacyLabel label;
  label.is_read = true;
  GAUZE_TRY(label.warning, fields.optional_text("warning"));
  GAUZE_TRY_VOID(read_released(fields, label.released));
  GAUZE_TRY(label.mechanism, fields.text("mechanism"));
  GAUZE_TRY(label.parameters, fields.raw_object("parameters"));
  GAUZE_TRY_VOID(read_guarantee(fields, label));
  GAUZE_TRY_VOID(read_provenance(fields, label.provenance));
  GAUZE_TRY_VOID(read_budget(fields, label.budget));
  GAUZE_TRY_VOID(read_commitments(fields, label.commitments));
  GAUZE_TRY_VOID(read_producer(fields, label.producer));
  GAUZE_TRY(const std::string digest, fields.text("digest"));
  GAUZE_TRY_VOID(fields.expect_no_more());
  if (digest != sha256_hex(content(label).dump())) {
    return make_error(ErrorCode::bad_data, "the label was changed after it was written: its digest does not fit");
  }
  GAUZE_TRY_VOID(label.check_rules());
  return label;
}

}  // namespace gauze
