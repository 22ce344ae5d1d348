// The fewest losses, by an integer program.
#include <algorithm>
#include <cmath>
#include <map>

#include "gauze/patterns/hiding/internal/integer_program.h"
#include "gauze/patterns/hiding/internal/kept_sets.h"

namespace gauze::patterns::internal {
namespace {

constexpr std::size_t kMostVariables = 20'000;

using Variable = IntegerProgram::Variable;

/// The program of one job: a variable for each item that may be changed in each row, and what follows from it.
class ExactProgram {
 public:
  explicit ExactProgram(const HidingWork& work) : work_(work) {
    for (const std::size_t p : work.live)
      for (const std::size_t row : work.state.original_rows_of(p))
        for (const Item item : work.items(p)) changes_.try_emplace({row, item}, 0);
    const HidingObjective& objective = work.options.objective;
    // Among equally good solutions the one with fewer changes; all of them together weigh less than one loss.
    const double least = objective.losses > 0 && objective.rows > 0 ? std::min(objective.losses, objective.rows)
                                                                    : objective.losses + objective.rows;
    ties_ = objective.marks > 0 ? 0 : 0.1 * least;
    const double tie = ties_ / static_cast<double>(changes_.size() + 1);
    for (auto& [place, variable] : changes_) variable = program_.add_variable(objective.marks + tie);
    if (objective.rows > 0) add_rows(objective.rows);
  }

  Result<void> run(HidingWork& work) {
    if (program_.variables() <= kMostVariables) {
      // Those that are hidden from the start must stay so.
      for (std::size_t p = 0; p < work.patterns.size(); ++p) hide(p);
      GAUZE_TRY(const KeptSets kept, KeptSets::find(work));
      if (!kept.is_whole())
        return make_error(
            ErrorCode::unsupported,
            "more than {} other itemsets are frequent, too many for exact: raise the threshold, or take border",
            work.options.protected_sets);
      keep(kept);
    }
    if (program_.variables() > kMostVariables)
      return make_error(
          ErrorCode::unsupported,
          "more than {} choices are too many for exact: take border, which comes close, or fewer patterns",
          kMostVariables);
    GAUZE_TRY(const auto solution, program_.solve(work.options.time_limit_seconds, work.progress));
    if (!solution) {
      while (!work.live.empty()) work.give_up(work.live.front());
      return {};
    }
    std::vector<std::pair<std::size_t, Item>> chosen;
    for (const auto& [place, variable] : changes_)
      if (solution->values[variable]) chosen.push_back(place);
    double lost = 0;
    for (const Variable variable : lost_) lost += solution->values[variable] ? 1 : 0;
    std::map<std::size_t, bool> rows;
    for (const auto& [row, item] : chosen) {
      work.change(row, item);
      if (work.options.trace) work.trace.push_back({item, std::nullopt, 0, {}, {}, {row}, {}});
      rows[row] = true;
    }
    const HidingObjective& objective = work.options.objective;
    work.objective = objective.losses * lost + objective.marks * static_cast<double>(chosen.size()) +
                     objective.rows * static_cast<double>(rows.size());
    work.bound =
        solution->is_best ? *work.objective : std::max(0.0, std::min(solution->bound - ties_, *work.objective));
    if (!solution->is_best)
      work.warnings.push_back(
          {"not_proven_best", "exact stopped by its time limit: the solution may not be the best"});
    work.drop_hidden();
    while (!work.live.empty()) work.give_up(work.live.front());
    return {};
  }

 private:
  void add_rows(double cost) {
    std::map<std::size_t, Variable> rows;
    for (const auto& [place, variable] : changes_) {
      const auto [found, added] = rows.try_emplace(place.first, 0);
      if (added) found->second = program_.add_variable(cost);
      program_.at_least({{1, found->second}, {-1, variable}}, 0);
    }
  }

  /// Variables of the items of a set in a row.
  [[nodiscard]] std::vector<Variable> of_row(std::size_t row, const Itemset& items) const {
    std::vector<Variable> result;
    for (const Item item : items) {
      const auto found = changes_.find({row, item});
      if (found != changes_.end()) result.push_back(found->second);
    }
    return result;
  }

  /// 1 where any of the changes is made.
  Variable any_of(const std::vector<Variable>& changes, double cost = 0) {
    if (changes.size() == 1 && cost == 0) return changes.front();
    const Variable any = program_.add_variable(cost);
    IntegerProgram::Terms sum = {{-1, any}};
    for (const Variable one : changes) {
      program_.at_least({{1, any}, {-1, one}}, 0);
      sum.emplace_back(1, one);
    }
    program_.at_least(std::move(sum), 0);
    return any;
  }

  /// The level as sums, with s transactions that hold the pattern and z of them changed: s - z + margin < count, and for
  /// marks at H2 also s - z < share (N - t), t transactions with a mark on an item of it; t >= z.
  void hide(std::size_t p) {
    const HidingThreshold& threshold = work_.patterns[p].threshold;
    const auto rows = static_cast<double>(work_.state.database().rows());
    const auto held = static_cast<double>(work_.state.standing(p).definite);
    IntegerProgram::Terms hidden;
    std::map<std::size_t, Variable> of_rows;
    for (const std::size_t row : work_.state.original_rows_of(p)) {
      const std::vector<Variable> changes = of_row(row, work_.items(p));
      if (changes.empty()) continue;
      const Variable any = any_of(changes);
      hidden.emplace_back(1, any);
      of_rows.emplace(row, any);
    }
    program_.at_least(hidden,
                      held + static_cast<double>(threshold.margin) - static_cast<double>(threshold.count) + 1);
    if (work_.options.level != HidingLevel::h2 || work_.options.change == ChangeKind::remove) return;
    const double part = mpz_get_d(mpq_numref(threshold.share.gmp()));
    const double whole = mpz_get_d(mpq_denref(threshold.share.gmp()));
    IntegerProgram::Terms terms;
    for (const auto& [row, any] : of_rows) terms.emplace_back(whole - part, any);
    std::map<std::size_t, std::vector<Variable>> touched;
    for (const auto& [place, variable] : changes_)
      if (!of_rows.contains(place.first) &&
          std::binary_search(work_.items(p).begin(), work_.items(p).end(), place.second))
        touched[place.first].push_back(variable);
    for (const auto& [row, changes] : touched) terms.emplace_back(-part, any_of(changes));
    program_.at_least(std::move(terms), whole * held - part * rows + 1);
  }

  /// A set stays frequent unless its loss is paid for.
  void keep(const KeptSets& kept) {
    std::vector<std::vector<std::size_t>> rows(kept.sets().size());
    std::size_t last = ~std::size_t{0};
    for (const auto& [place, variable] : changes_) {
      if (place.first == last) continue;
      last = place.first;
      for (const std::uint32_t set : kept.held_by(last)) rows[set].push_back(last);
    }
    for (std::size_t i = 0; i < rows.size() && program_.variables() <= kMostVariables; ++i) {
      const std::uint64_t slack = kept.sets()[i].support - work_.options.min_count;
      IntegerProgram::Terms terms;
      for (const std::size_t row : rows[i]) {
        const std::vector<Variable> changes = of_row(row, kept.sets()[i].items);
        if (changes.empty()) continue;
        terms.emplace_back(1, changes.size() == 1 ? changes.front() : any_of(changes));
      }
      if (terms.size() <= slack) continue;
      const Variable lost = program_.add_variable(work_.options.objective.losses);
      lost_.push_back(lost);
      terms.emplace_back(-static_cast<double>(terms.size() - slack), lost);
      program_.at_most(std::move(terms), static_cast<double>(slack));
    }
  }

  const HidingWork& work_;
  IntegerProgram program_;
  std::map<std::pair<std::size_t, Item>, Variable> changes_;
  std::vector<Variable> lost_;
  double ties_ = 0;  // what all ties together cost
};

}  // namespace

Result<void> run_exact(HidingWork& work) {
  if (work.live.empty()) return {};
  const bool plain = !work.state.database().has_marks() && work.options.change != ChangeKind::both &&
                     (work.options.mark_style == MarkStyle::anchored || work.options.level == HidingLevel::h1);
  if (!plain)
    return make_error(
        ErrorCode::unsupported,
        "exact takes files without marks, and writes deletions, anchored marks or, at H1, anonymous ones");
  const auto has_confidence = [](const HiddenPattern& one) { return one.threshold.confidence.has_value(); };
  if (std::any_of(work.patterns.begin(), work.patterns.end(), has_confidence))
    return make_error(ErrorCode::unsupported, "exact hides rules by their support: ask for no confidence");
  if (!work.state.edits().empty()) {  // after decoys a few more: no longer what was proven
    work.objective.reset();
    work.bound.reset();
    return run_border(work);
  }
  return ExactProgram(work).run(work);
}

}  // namespace gauze::patterns::internal
