#include "gauze/learn/score/scored_rows.h"

#include <algorithm>
#include <cmath>

#include "gauze/base/utf8.h"

namespace gauze::learn {
namespace {

constexpr std::size_t kRowsAtOnce = 256;

std::vector<std::string> columns_of(const ModelFile& model, const schema::LearnPolicy& policy,
                                    const std::string& by) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  };
  for (const schema::LearnFeature& feature : model.description.policy.features) add(feature.name);
  add(model.description.policy.target.column);
  if (policy.unit) add(policy.unit->id);
  add(by);
  return columns;
}

std::size_t place_of(const std::vector<std::string>& columns, const std::string& name) {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
}

/// The target of the model without weights, which figures do not have.
schema::LearnPolicy target_of(const ModelFile& model) {
  schema::LearnPolicy policy;
  policy.target = model.description.policy.target;
  return policy;
}

}  // namespace

RowPredictor::RowPredictor(const ModelFile& model, std::unique_ptr<Predictor> predictor)
    : encoder_(model.description.policy.features, model.description.encoding, model.description.decimal,
               model.description.null_tokens),
      predictor_(std::move(predictor)),
      loss_(model.description.loss),
      numeric_(model.description.policy.target.numeric),
      low_(model.description.policy.target.low.to_double()),
      high_(model.description.policy.target.high.to_double()) {}

/// Outputs of immense weights, which a sound file may have, may overflow: they stay numbers that can be put into an order.
float RowPredictor::ordered(float output) {
  constexpr float kLargest = 1e30F;
  return std::isnan(output) ? 0.0F : std::clamp(output, -kLargest, kLargest);
}

Result<RowPredictor> RowPredictor::make(const ModelFile& model) {
  GAUZE_TRY(auto predictor, make_predictor(model));
  return RowPredictor(model, std::move(predictor));
}

void RowPredictor::outputs_of(std::span<const std::uint32_t> codes, std::size_t rows, std::vector<float>& scores) {
  const std::size_t features = encoder_.features().size();
  const std::size_t width = encoder_.inputs();
  inputs_.resize(rows * width);
  for (std::size_t row = 0; row < rows; ++row)
    encoder_.encode(codes.subspan(row * features, features), std::span(inputs_).subspan(row * width, width));
  scores.resize(rows * outputs());
  predictor_->predict(inputs_, rows, scores);
  for (float& score : scores) score = ordered(score);
}

void RowPredictor::answer(std::span<const std::uint32_t> codes, std::size_t rows, std::vector<Answer>& answers,
                          std::vector<float>& scores) {
  const std::size_t out = outputs();
  outputs_of(codes, rows, scores);
  answers.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<const float> own = std::span<const float>(scores).subspan(row * out, out);
    if (numeric_) {
      const double scaled = std::clamp(static_cast<double>(own.front()), -1.0, 1.0);
      answers[row].value = low_ + (scaled + 1) / 2 * (high_ - low_);
    } else {
      answers[row].label = static_cast<std::uint32_t>(std::max_element(own.begin(), own.end()) - own.begin());
    }
  }
  if (has_probabilities()) softmax_rows<float>(scores, out);
}

ScoredRows::ScoredRows(RowPredictor predictor, const schema::LearnPolicy& policy, const ModelFile& model,
                       std::string by, bool keep_scores)
    : predictor_(std::move(predictor)),
      target_encoder_(target_of(model), model.description.decimal, model.description.null_tokens),
      columns_(columns_of(model, policy, by)),
      features_(model.description.policy.features.size()),
      low_(model.description.policy.target.low.to_double()),
      high_(model.description.policy.target.high.to_double()),
      keep_scores_(keep_scores),
      missing_(model.description.null_tokens) {
  const schema::LearnTarget& target = model.description.policy.target;
  numeric = target.numeric;
  ordered = target.ordered;
  has_probabilities = predictor_.has_probabilities();
  for (const schema::LearnTarget::Class& one : target.classes) class_names.push_back(one.name);
  target_column_ = place_of(columns_, target.column);
  if (policy.unit) id_column_ = place_of(columns_, policy.unit->id);
}

Result<ScoredRows> ScoredRows::make(const ModelFile& model, const schema::LearnPolicy& policy, const std::string& by,
                                    bool keep_scores) {
  GAUZE_TRY(RowPredictor predictor, RowPredictor::make(model));
  ScoredRows rows(std::move(predictor), policy, model, by, keep_scores);
  if (!by.empty()) {
    const auto group = std::find_if(policy.groups.begin(), policy.groups.end(),
                                    [&](const schema::LearnGroup& one) { return one.column == by; });
    if (group == policy.groups.end())
      return invalid_parameter("'{}' is not among the groups of the policy: its values must be listed there", by);
    rows.group_column_ = place_of(rows.columns_, by);
    rows.group_names = group->values;
    rows.group_names.emplace_back("other");
    for (std::uint32_t i = 0; i < group->values.size(); ++i) rows.group_codes_.add(group->values[i], i);
    rows.group_codes_.add_spellings(group->same);
  }
  return rows;
}

void ScoredRows::add(std::span<const std::string_view> cells) {
  const RowTarget target = target_encoder_.target(cells[target_column_]);
  if (target.weight == 0) return;
  auto unit = static_cast<std::uint32_t>(units_);
  if (id_column_) {
    const std::string_view id = trimmed(cells[*id_column_]);
    if (missing_.contains(id) || find_invalid_utf8(id)) return;
    unit = unit_codes_.find(id, unit);
    if (unit == units_) unit_codes_.add(std::string(id), unit);
  }
  if (unit == units_) ++units_;
  unit_of_row.push_back(unit);
  truths.push_back(target.label);
  if (numeric) true_values.push_back(low_ + (static_cast<double>(target.value) + 1) / 2 * (high_ - low_));
  if (group_column_) {
    const auto other = static_cast<std::uint32_t>(group_names.size() - 1);
    groups.push_back(group_codes_.find(trimmed(cells[*group_column_]), other));
  }
  for (std::size_t i = 0; i < features_; ++i) pending_.push_back(predictor_.encoder().code(i, cells[i]));
  if (pending_.size() == kRowsAtOnce * features_) answer_pending();
}

void ScoredRows::answer_pending() {
  if (pending_.empty()) return;
  predictor_.answer(pending_, pending_.size() / features_, answers_, made_scores_);
  for (const Answer& answer : answers_) {
    predicted.push_back(answer.label);
    if (numeric) predicted_values.push_back(answer.value);
  }
  if (keep_scores_ && !numeric) scores.insert(scores.end(), made_scores_.begin(), made_scores_.end());
  pending_.clear();
}

}  // namespace gauze::learn
