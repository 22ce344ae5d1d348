#include "gauze/accounting/internal/loss_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gauze::internal {
namespace {

constexpr std::size_t kMostGroups = 8;

/// A step not much smaller that leads from one end of a bounded loss with atoms there to the other, and to the middle. Of
/// several such losses the one that spreads the sum most counts; of several such steps the one that ends shortly below
/// the upper ends of the others.
double shared_step(const LossGroup& group, double step) {
  std::vector<std::pair<double, double>> atoms;  // spread, width
  for (const auto& [part, range, unused] : group.members) {
    const double width = range.high - range.low;
    if (width > step && has_atoms_at_ends(*part.loss, range)) atoms.emplace_back(part.count * width * width, width);
  }
  if (atoms.empty()) return step;
  std::sort(atoms.rbegin(), atoms.rend());
  const double width = atoms.front().second, least = std::ceil(width / (2 * step));
  double fitting = width / (2 * least), smallest = std::numeric_limits<double>::infinity();
  const int candidates = static_cast<int>(std::min(0.3 * least + 1, 400.0));
  for (int more = 0; more < candidates; ++more) {
    const double candidate = width / (2 * (least + more));
    double missed = 0;
    for (std::size_t i = 1; i < atoms.size(); ++i) {
      const double cells = atoms[i].second / candidate;
      missed += atoms[i].first * (cells - std::floor(cells + 1e-12)) / cells;
    }
    if (missed < 0.9 * smallest) {
      smallest = missed;
      fitting = candidate;
    }
    if (smallest <= 0) break;
  }
  return fitting;
}

/// Of the places for the grid the one that keeps more of the loss.
LossGrid best_grid_below(const PrivacyLoss& loss, const LossRange& range, double step, double order, bool exact) {
  const auto at = [&](double offset) { return grid_below(loss, range, step, std::remainder(offset, step)); };
  LossGrid grid = at(best_offset_below(loss, range, step));
  if (!exact && (range.high - range.low < 2 * step || !has_atoms_at_ends(loss, range))) return grid;
  LossGrid fitting = at(offset_at_low_end(loss, range));
  return log_moment(fitting, order) > log_moment(grid, order) ? fitting : grid;
}

/// The step for one loss: such a one, or one that leads from where most of the loss lies to an atom at the upper end;
/// whichever keeps more of it.
double single_step(const LossGroup& group, double step, double order) {
  const auto& [part, range, unused] = group.members.front();
  const double usual = shared_step(group, step), near = 1e-9 * (range.high - range.low);
  const double atom = part.loss->above(range.high - near).p - part.loss->above(range.high + near).p;
  const double distance = range.high - best_offset(*part.loss, range, step);
  if (atom < 1e-9 || distance < 2 * step) return usual;
  const double other = distance / std::ceil(distance / step);
  const auto kept = [&, &loss = *part.loss, &within = range](double tried) {
    return log_moment(best_grid_below(loss, within, tried, order, false), order);
  };
  return kept(other) > kept(usual) ? other : usual;
}

std::vector<std::pair<LossGrid, double>> on_grids(const LossGroup& group, double step, Side side, double order) {
  std::vector<std::pair<LossGrid, double>> result;
  for (const auto& [part, range, unused] : group.members) {
    const PrivacyLoss& loss = *part.loss;
    if (side == Side::below) {
      result.emplace_back(best_grid_below(loss, range, step, order, group.exact), part.count);
      continue;
    }
    const double offset = group.exact ? range.high : best_offset(loss, range, step);
    result.emplace_back(grid_above(loss, range, step, std::remainder(offset, step)), part.count);
  }
  return result;
}

}  // namespace

double LossGroup::count() const {
  double sum = 0;
  for (const Member& member : members) sum += member.part.count;
  return sum;
}

double LossGroup::widest() const {
  double width = 0;
  for (const Member& member : members) width = std::max(width, member.range.high - member.range.low);
  return width;
}

double LossGroup::finest_step() const { return 4 * widest() / static_cast<double>(TiltedComposition::kLargestGrid); }

void LossGroup::choose_step(double order, double goal, double cheap_points) {
  double variance = 0;
  for (const Member& member : members) variance += moments({member.sketch}, order).variance;
  // A grid adds at most step^2 / 4 to the variance of each loss, which moves epsilon by half of that times the order.
  step = std::min({std::sqrt(3 * goal / (order * count())),
                   std::max(std::sqrt(variance / count()) / 2, widest() / 4096), widest() / 64});
  if (cheap_points > 0) step = std::min(step, std::max(widest(), 20 * std::sqrt(variance)) / cheap_points);
}

void LossGroup::fit(double order) {
  const double wanted = std::max(step, finest_step());
  if (members.size() > 1) {
    fitted = shared_step(*this, wanted);
    return;
  }
  const PrivacyLoss& loss = *members.front().part.loss;
  const LossRange& range = members.front().range;
  const auto lattice = lattice_step(loss, range);
  exact = lattice && *lattice > wanted / 2;  // a much finer one is no better than any other grid
  if (!exact) {
    fitted = single_step(*this, wanted, order);
    return;
  }
  // Errors grow by e^(order step) from one point to the next below.
  const double parts = std::clamp(std::ceil(2 * order * *lattice), 1.0, std::ceil(*lattice / wanted));
  fitted = *lattice / parts;
}

std::vector<LossGroup> separated(const LossGroup& all) {
  std::vector<LossGroup::Member> members = all.members;
  // Those that a foreign grid would cost most come first: atoms, then by how far all runs together may go.
  const auto reach = [](const LossGroup::Member& member) {
    const double width = member.range.high - member.range.low;
    return std::pair(has_atoms_at_ends(*member.part.loss, member.range), member.part.count * width);
  };
  std::stable_sort(members.begin(), members.end(), [&](const auto& a, const auto& b) { return reach(a) > reach(b); });
  std::vector<LossGroup> groups;
  for (auto& member : members) {
    if (groups.size() < kMostGroups) groups.emplace_back();
    groups.back().members.push_back(std::move(member));
  }
  return groups;
}

TiltedComposition compose(const std::vector<LossGroup>& groups, Side side, double order,
                          TiltedComposition::Transform transform, double common_step, std::size_t& work) {
  std::vector<TiltedComposition> sums;
  for (const LossGroup& group : groups) {
    sums.emplace_back(on_grids(group, group.fitted, side, order), order, transform);
    work += sums.back().size() * (group.members.size() + 1) / 2;
    if (!sums.back().valid()) return std::move(sums.back());
  }
  if (sums.size() == 1) return std::move(sums.front());
  TiltedComposition result = TiltedComposition::sum_of(sums, common_step, side == Side::above ? 1 : -1, transform);
  work += result.size() * (groups.size() + 1) / 2;
  return result;
}

}  // namespace gauze::internal
