#include "gauze/models/internal/tree_grower.h"

#include <algorithm>
#include <cmath>

#include "gauze/models/internal/logistic_loss.h"

namespace gauze::models::internal {
namespace {

constexpr double kTie = 1e-12;     ///< scores that differ by less, relatively, are equal
constexpr double kNoGain = 1e-18;  ///< of a node's curvature: below it a gain is rounding

}  // namespace

TreeGrower::TreeGrower(const TrainingRows& rows, const TreeOptions& options)
    : rows_(rows), options_(options), row_sums_(rows.size()), node_of_(rows.size()) {}

const Tree& TreeGrower::grow(std::span<double> scores) {
  start(scores);
  std::size_t first_open = 0;
  for (int level = 0; level < options_.depth && first_open < tree_.nodes.size(); ++level) {
    fill_histograms(first_open, level == 0);
    const std::size_t end = tree_.nodes.size();
    for (std::size_t node = first_open; node < end; ++node) {
      const Sums* const histogram = histograms_.data() + (node - first_open) * rows_.column_count();
      const Split split = best_split(histogram, node_sums_[node]);
      if (split.prefix > 0) divide(node, histogram, split);
    }
    first_open = end;
  }
  for (std::size_t node = 0; node < tree_.nodes.size(); ++node) {
    if (tree_.nodes[node].left == 0) tree_.nodes[node].value = leaf_value(node_sums_[node]);
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    descend(row);
    scores[row] += tree_.nodes[node_of_[row]].value;
  }
  return tree_;
}

void TreeGrower::start(std::span<const double> scores) {
  tree_.nodes.assign(1, {});
  tree_.routes.clear();
  Sums all;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const LossSlope slope = loss_slope(scores[row], rows_.positive[row], rows_.negative[row]);
    row_sums_[row] = {slope.gradient, slope.curvature};
    all += row_sums_[row];
  }
  node_sums_.assign(1, all);
  std::fill(node_of_.begin(), node_of_.end(), 0);
}

/// Moves a row to the child of its node, if the node has been split.
inline void TreeGrower::descend(std::size_t row) {
  const TreeNode& node = tree_.nodes[node_of_[row]];
  if (node.left == 0) return;
  const std::uint32_t value = rows_.columns[row * rows_.features + node.feature] - rows_.first_column[node.feature];
  node_of_[row] = node.left + tree_.routes[node.route + value];
}

void TreeGrower::fill_histograms(std::size_t first_open, bool at_root) {
  const std::size_t columns = rows_.column_count();
  histograms_.assign((tree_.nodes.size() - first_open) * columns, {});
  const std::uint32_t* column = rows_.columns.data();
  for (std::size_t row = 0; row < rows_.size(); ++row, column += rows_.features) {
    if (!at_root) descend(row);
    if (node_of_[row] < first_open) continue;  // in a leaf already
    Sums* const histogram = histograms_.data() + (node_of_[row] - first_open) * columns;
    const Sums sums = row_sums_[row];
    for (std::size_t f = 0; f < rows_.features; ++f) histogram[column[f]] += sums;
  }
}

double TreeGrower::score(const Sums& sums) const {
  const double below = sums.curvature + options_.l2;
  return below > 0 ? sums.gradient * sums.gradient / below : 0;
}

/// A Newton step times the learning rate, but never beyond log(1 + |G| / (H + l2)). Up to there the loss decreases for
/// certain: with |f'''| <= f'' it is at most G d + H (exp|d| - |d| - 1) more, which is least there (Bach, Self-concordant
/// analysis for logistic regression, 2010, lemma 1). Only leaves with rare outcomes and large weights get so far.
double TreeGrower::leaf_value(const Sums& sums) const {
  const double below = sums.curvature + options_.l2;
  if (sums.gradient == 0 || !(below > 0)) return 0;
  const double newton = std::abs(sums.gradient) / below;
  return std::copysign(std::min(options_.learning_rate * newton, std::log1p(newton)), -sums.gradient);
}

/// The values of a feature that occur in a node, by g / h.
void TreeGrower::sort_values(const Sums* histogram, std::uint32_t feature) {
  values_.clear();
  for (std::uint32_t column = rows_.first_column[feature]; column < rows_.first_column[feature + 1]; ++column) {
    const Sums& sums = histogram[column];
    if (sums.curvature > 0 || sums.gradient != 0) values_.push_back({sums.gradient / sums.curvature, column});
  }
  std::sort(values_.begin(), values_.end(), [](const Value& a, const Value& b) {
    return a.ratio < b.ratio || (a.ratio == b.ratio && a.column < b.column);
  });
}

void TreeGrower::try_feature(const Sums* histogram, std::uint32_t feature, Split& best) {
  sort_values(histogram, feature);
  if (values_.size() < 2) return;
  suffixes_.resize(values_.size());
  Sums right;
  for (std::size_t k = values_.size(); k-- > 0;) suffixes_[k] = right += histogram[values_[k].column];
  Sums left;
  for (std::size_t prefix = 1; prefix < values_.size(); ++prefix) {
    left += histogram[values_[prefix - 1].column];
    if (left.curvature < options_.min_child_weight) continue;
    if (suffixes_[prefix].curvature < options_.min_child_weight) break;
    const double total = score(left) + score(suffixes_[prefix]);
    if (total > best.score + kTie * best.score) best = {total, feature, prefix, left, suffixes_[prefix]};
  }
}

TreeGrower::Split TreeGrower::best_split(const Sums* histogram, const Sums& node) {
  Split best{.score = score(node) + kNoGain * node.curvature};
  if (node.curvature < 2 * options_.min_child_weight) return best;
  for (std::uint32_t feature = 0; feature < rows_.features; ++feature) try_feature(histogram, feature, best);
  return best;
}

void TreeGrower::divide(std::size_t node, const Sums* histogram, const Split& split) {
  sort_values(histogram, split.feature);
  const std::uint32_t first = rows_.first_column[split.feature];
  const std::size_t route = tree_.routes.size();
  const bool heavier_right = split.right.curvature > split.left.curvature;
  tree_.routes.resize(route + rows_.first_column[split.feature + 1] - first, heavier_right ? 1 : 0);
  for (std::size_t k = 0; k < values_.size(); ++k) {
    tree_.routes[route + values_[k].column - first] = k < split.prefix ? 0 : 1;
  }
  tree_.nodes[node] = {.left = static_cast<std::uint32_t>(tree_.nodes.size()),
                       .feature = split.feature,
                       .route = route,
                       .heavier_right = heavier_right};
  tree_.nodes.resize(tree_.nodes.size() + 2);
  node_sums_.push_back(split.left);
  node_sums_.push_back(split.right);
}

}  // namespace gauze::models::internal
