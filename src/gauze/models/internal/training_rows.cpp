#include "gauze/models/internal/training_rows.h"

#include <algorithm>
#include <limits>

#include "gauze/models/internal/logistic_loss.h"

namespace gauze::models::internal {
namespace {

constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

/// The tuples that weigh something.
std::vector<std::size_t> weighty_tuples(const Examples& examples) {
  std::vector<std::size_t> tuples;
  tuples.reserve(examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (examples.positive[i] > 0 || examples.negative[i] > 0) tuples.push_back(i);
  }
  return tuples;
}

/// Numbers the codes of one feature that occur, in their order, and writes each row's number.
void add_feature(TrainingRows& rows, std::size_t feature, const std::vector<std::uint32_t>& codes,
                 std::uint32_t cardinality, std::span<const std::size_t> tuples) {
  std::vector<std::uint32_t> column_of(cardinality, kUnseen);
  for (const std::size_t tuple : tuples) column_of[codes[tuple]] = 0;
  for (std::uint32_t code = 0; code < cardinality; ++code) {
    if (column_of[code] == kUnseen) continue;
    column_of[code] = static_cast<std::uint32_t>(rows.code_of.size());
    rows.code_of.push_back(code);
  }
  rows.first_column.push_back(static_cast<std::uint32_t>(rows.code_of.size()));
  std::uint32_t* target = rows.columns.data() + feature;
  for (const std::size_t tuple : tuples) {
    *target = column_of[codes[tuple]];
    target += rows.features;
  }
}

}  // namespace

void check_codes(CodeColumns codes, std::span<const std::uint32_t> cardinalities, std::size_t tuples) {
  GAUZE_CHECK(codes.size() == cardinalities.size());
  for (std::size_t feature = 0; feature < codes.size(); ++feature) {
    GAUZE_CHECK(codes[feature].size() == tuples);
    const std::uint32_t bound = cardinalities[feature];
    GAUZE_CHECK(std::all_of(codes[feature].begin(), codes[feature].end(),
                            [bound](std::uint32_t code) { return code < bound; }));
  }
}

Result<TrainingRows> training_rows(const Examples& examples, double at_least) {
  check_codes(examples.codes, examples.cardinalities, examples.size());
  GAUZE_TRY_VOID(check_weights(examples.positive, examples.negative));
  const std::vector<std::size_t> tuples = weighty_tuples(examples);
  TrainingRows rows;
  rows.features = examples.codes.size();
  for (const std::size_t tuple : tuples) {
    rows.total_positive += examples.positive[tuple];
    rows.total_negative += examples.negative[tuple];
  }
  const double total = std::max(rows.total_positive + rows.total_negative, at_least);
  if (total > 0) rows.unit = power_of_two_below(total);
  rows.positive.reserve(tuples.size());
  rows.negative.reserve(tuples.size());
  for (const std::size_t tuple : tuples) {
    rows.positive.push_back(examples.positive[tuple] / rows.unit);
    rows.negative.push_back(examples.negative[tuple] / rows.unit);
  }
  rows.columns.resize(tuples.size() * rows.features);
  rows.first_column.push_back(0);
  for (std::size_t feature = 0; feature < rows.features; ++feature) {
    add_feature(rows, feature, examples.codes[feature], examples.cardinalities[feature], tuples);
  }
  return rows;
}

}  // namespace gauze::models::internal
