#include "gauze/learn/rows/learning_rows.h"

#include <algorithm>
#include <cmath>

#include "gauze/base/utf8.h"

namespace gauze::learn {

TargetEncoder::TargetEncoder(const schema::LearnPolicy& policy, table::DecimalSign sign,
                             const std::vector<std::string>& null_tokens)
    : numeric_(policy.target.numeric), sign_(sign), missing_(null_tokens) {
  low_ = policy.target.low.to_double();
  high_ = policy.target.high.to_double();
  std::uint32_t number = 0;
  for (const schema::LearnTarget::Class& one : policy.target.classes) {
    for (const std::string& value : one.values) classes_.add(value, number);
    const auto weight = policy.class_weights.find(one.name);
    class_weights_.push_back(weight == policy.class_weights.end() ? 1.0F
                                                                  : static_cast<float>(weight->second.to_double()));
    ++number;
  }
  classes_.add_spellings(policy.target.same);
  if (policy.weights) {
    weighted_ = true;
    least_weight_ = policy.weights->low.to_double();
    most_weight_ = policy.weights->high.to_double();
  }
}

RowTarget TargetEncoder::target(std::string_view cell) const {
  const std::string_view text = trimmed(cell);
  if (missing_.contains(text)) return {.weight = 0};
  if (numeric_) {
    const double value = number_of_cell(text, sign_);
    if (std::isnan(value)) return {.weight = 0};
    return {.value = static_cast<float>(2 * (std::clamp(value, low_, high_) - low_) / (high_ - low_) - 1)};
  }
  const auto none = static_cast<std::uint32_t>(class_weights_.size());
  const std::uint32_t label = classes_.find(text, none);
  if (label == none) return {.weight = 0};
  return {.label = label, .weight = class_weights_[label]};
}

float TargetEncoder::survey_weight(std::string_view cell) const {
  if (!weighted_) return 1.0F;
  const std::string_view text = trimmed(cell);
  const double value = missing_.contains(text) ? least_weight_ : number_of_cell(text, sign_);
  return static_cast<float>(std::isnan(value) ? least_weight_ : std::clamp(value, least_weight_, most_weight_));
}

LearningRows::LearningRows(const schema::LearnPolicy& policy, InputEncoding encoding, table::DecimalSign sign,
                           const std::vector<std::string>& null_tokens)
    : encoder_(policy.features, encoding, sign, null_tokens),
      target_encoder_(policy, sign, null_tokens),
      stride_(policy.features.size()),
      missing_(null_tokens) {
  const std::vector<std::string> columns = policy.columns();
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
  };
  target_column_ = place(policy.target.column);
  if (policy.weights) {
    has_weights_ = true;
    weight_column_ = place(policy.weights->column);
  }
  if (policy.unit) {
    has_ids_ = true;
    id_column_ = place(policy.unit->id);
  }
}

void LearningRows::add(std::span<const std::string_view> cells) {
  if (!has_ids_) {
    keep(cells, static_cast<std::uint32_t>(units_++));
    return;
  }
  const std::string_view id = trimmed(cells[id_column_]);
  if (missing_.contains(id) || find_invalid_utf8(id)) return;
  const auto next = static_cast<std::uint32_t>(units_);
  const std::uint32_t unit = unit_codes_.find(id, next);
  if (unit == next) {
    unit_codes_.add(std::string(id), next);
    ++units_;
  }
  keep(cells, unit);
}

void LearningRows::add_unreadable() {
  if (has_ids_) return;
  ++units_;  // a row, of which nothing is known: it has no target
}

void LearningRows::keep(std::span<const std::string_view> cells, std::uint32_t unit) {
  RowTarget target = target_encoder_.target(cells[target_column_]);
  if (has_weights_) target.weight *= target_encoder_.survey_weight(cells[weight_column_]);
  if (target.weight == 0) return;
  std::uint32_t* const place = place_for_row();
  for (std::size_t i = 0; i < stride_; ++i) place[i] = encoder_.code(i, cells[i]);
  targets_.push_back(target);
  unit_of_row_.push_back(unit);
  ++rows_;
}

std::uint32_t* LearningRows::place_for_row() {
  if (rows_ % kChunk == 0) chunks_.push_back(std::make_unique<std::uint32_t[]>(kChunk * stride_));
  return chunks_.back().get() + rows_ % kChunk * stride_;
}

LearningRows::LearningRows(const LearningRows& like, std::size_t units)
    : encoder_(like.encoder_), target_encoder_(like.target_encoder_), stride_(like.stride_), units_(units) {}

void LearningRows::copy_rows(const LearningRows& from, std::uint32_t from_unit, std::uint32_t unit) {
  for (const std::uint32_t row : from.rows_of(from_unit)) {
    const std::span<const std::uint32_t> own = from.codes(row);
    std::copy(own.begin(), own.end(), place_for_row());
    targets_.push_back(from.targets_[row]);
    unit_of_row_.push_back(unit);
    ++rows_;
  }
}

LearningRows LearningRows::select(std::span<const std::uint32_t> units) const {
  LearningRows selected(*this, units.size());
  for (std::uint32_t i = 0; i < units.size(); ++i) selected.copy_rows(*this, units[i], i);
  selected.finish();
  return selected;
}

LearningRows LearningRows::only(std::span<const std::uint8_t> marks) const {
  LearningRows selected(*this, units_);
  for (std::uint32_t unit = 0; unit < units_; ++unit)
    if (marks[unit] != 0) selected.copy_rows(*this, unit, unit);
  selected.finish();
  return selected;
}

void LearningRows::finish() {
  unit_starts_.assign(units_ + 1, 0);
  for (const std::uint32_t unit : unit_of_row_) ++unit_starts_[unit + 1];
  for (std::size_t i = 0; i < units_; ++i) unit_starts_[i + 1] += unit_starts_[i];
  rows_by_unit_.resize(rows_);
  std::vector<std::uint64_t> next(unit_starts_.begin(), unit_starts_.end() - 1);
  for (std::size_t row = 0; row < rows_; ++row)
    rows_by_unit_[next[unit_of_row_[row]]++] = static_cast<std::uint32_t>(row);
  unit_of_row_ = {};
}

}  // namespace gauze::learn
