#include "gauze/anonymize/job/anonymization_label.h"

#include <fmt/format.h>

#include "gauze/schema/policy/criterion_text.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

constexpr std::string_view kRowsDropped = "rows dropped";

std::vector<std::string> criteria_texts(const Criteria& criteria) {
  std::vector<std::string> texts;
  for (const auto& rule : criteria.l_diversity) texts.push_back("l-diversity " + format_criterion(rule));
  for (const auto& rule : criteria.t_closeness) texts.push_back("t-closeness " + format_criterion(rule));
  for (const auto& rule : criteria.delta_disclosure) texts.push_back("delta-disclosure " + format_criterion(rule));
  for (const auto& rule : criteria.beta_likeness) texts.push_back("beta-likeness " + format_criterion(rule));
  if (criteria.k_map) texts.push_back(fmt::format("k-map {}", criteria.k_map->k));
  if (criteria.delta_presence)
    texts.push_back(fmt::format("delta-presence {} to {}", criteria.delta_presence->minimum.to_decimal(),
                                criteria.delta_presence->maximum.to_decimal()));
  return texts;
}

std::string_view suppression_text(SuppressedRows suppressed) {
  switch (suppressed) {
    case SuppressedRows::blank:
      return "rows are *, but for insensitive columns of k rows or more";
    case SuppressedRows::drop:
      return kRowsDropped;
    case SuppressedRows::keep:
      break;
  }
  return "quasi-identifiers are *";
}

Json names_json(const std::vector<std::string>& names) { return Json::array({names.begin(), names.end()}); }

std::vector<std::string> names_of(const Json* list) {
  std::vector<std::string> names;
  if (list == nullptr || list->elements() == nullptr) return names;
  for (const Json& name : *list->elements()) names.emplace_back(name.text());
  return names;
}

}  // namespace

PrivacyLabel make_label(const TableRecords& table, const Policy& policy, const Anonymization& result,
                        const WrittenRows& written) {
  const Criteria& criteria = policy.privacy;
  const std::vector<std::string> texts = criteria_texts(criteria);
  PrivacyLabel label;
  label.released.kind = "anonymised table";
  label.mechanism =
      fmt::format("generalisation and suppression, search {}", word_of(kSearchWords, policy.search.kind));
  Json quasi = Json::array();
  Json levels = Json::object();
  Json heights = Json::object();
  for (std::size_t i = 0; i < table.records.quasi.size(); ++i) {
    const QuasiIdentifier& one = table.records.quasi[i];
    quasi.push(one.name);
    if (result.levels) levels.set(one.name, static_cast<int>((*result.levels)[i]));
    heights.set(one.name, one.hierarchy->height());
  }
  label.parameters =
      Json::object({{"k", criteria.k},
                    {"criteria", Json::array({texts.begin(), texts.end()})},
                    {"quasi_identifiers", std::move(quasi)},
                    {"levels", result.levels ? std::move(levels) : Json()},
                    {"heights", std::move(heights)},
                    {"metric", word_of(kMetricWords, policy.search.metric)},
                    {"suppression_limit", Json::number(policy.search.suppression.to_decimal())},
                    {"suppression", suppression_text(written.suppressed)},
                    {"row_order", written.keep_order ? "that of the input" : "random"},
                    {"missing", criteria.missing_matches_everything ? "matches everything" : "a value of its own"},
                    {"decimal", word_of(table::kDecimalSignWords, written.decimal)},
                    {"columns_unchanged", names_json(written.columns_unchanged)}});
  if (!written.null_tokens.empty()) label.parameters.set("null_tokens", names_json(written.null_tokens));
  if (!written.columns_pseudonymous.empty())
    label.parameters.set("columns_pseudonymous", names_json(written.columns_pseudonymous));
  if (policy.cleans()) {
    std::vector<std::string> cleaned;
    for (const PolicyColumn& column : policy.columns)
      if (column.is_cleaned()) cleaned.push_back(column.name);
    label.parameters.set("columns_cleaned", names_json(cleaned));
  }
  label.privacy_unit = "one row";
  label.definition = Definition::k_anonymity;
  if (criteria.k == 1) label.warning = "k = 1: a row may be the only one with its quasi-identifiers";
  label.covers = {
      criteria.missing_matches_everything
          ? fmt::format(
                "every row that is not suppressed agrees with at least {} others wherever no value is missing",
                criteria.k - 1)
          : fmt::format("every row that is not suppressed has the same quasi-identifiers as at least {} others",
                        criteria.k - 1)};
  for (const std::string& text : texts)
    label.covers.push_back(fmt::format("every class of such rows satisfies {}", text));
  label.does_not_cover = {
      "columns that are not quasi-identifiers: they are as they were",
      "attackers who know more than the quasi-identifiers",
      "other releases from the same rows: together they may tell more",
      "differential privacy: whether a row is there can change the levels of all others",
  };
  if (written.suppressed == SuppressedRows::keep)
    label.does_not_cover.emplace_back(
        "suppressed rows: only their quasi-identifiers are *, the rest tells about the few people who fit no class");
  if (written.keep_order)
    label.does_not_cover.emplace_back("the order of the rows: it is that of the input, and links them to it");
  if (criteria.l_diversity.empty() && criteria.t_closeness.empty() && criteria.delta_disclosure.empty() &&
      criteria.beta_likeness.empty())
    label.does_not_cover.insert(label.does_not_cover.begin(),
                                "what a class has in common: if all its rows share a value, that value is known");
  label.provenance = {{"quasi_identifiers", policy.provenance.quasi},
                      {"hierarchies", policy.provenance.hierarchies},
                      {"levels", Provenance::data},
                      {"k", policy.provenance.k}};
  if (policy.cleans()) label.provenance.emplace("cleaning", policy.provenance.cleaning);
  return label;
}

std::optional<LabelledRelease> read_label(const PrivacyLabel& label) {
  const Json* quasi = label.parameters.find("quasi_identifiers");
  if (label.definition != Definition::k_anonymity || quasi == nullptr || quasi->elements() == nullptr)
    return std::nullopt;
  LabelledRelease release;
  release.quasi = names_of(quasi);
  release.pseudonymous = names_of(label.parameters.find("columns_pseudonymous"));
  const Json* suppression = label.parameters.find("suppression");
  release.suppressed_dropped = suppression != nullptr && suppression->text() == kRowsDropped;
  if (const Json* decimal = label.parameters.find("decimal"))
    release.decimal = value_of(table::kDecimalSignWords, decimal->text());
  release.null_tokens = names_of(label.parameters.find("null_tokens"));
  return release;
}

}  // namespace gauze::anonymize
