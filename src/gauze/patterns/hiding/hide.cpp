#include "gauze/patterns/hiding/hide.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gauze/patterns/hiding/internal/hiding_work.h"
#include "gauze/patterns/hiding/internal/kept_sets.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze::patterns {
namespace {

using internal::HidingWork;

/// Cryptographic, unless a seed is given.
class Draws {
 public:
  explicit Draws(const HidingOptions& options) {
    if (options.seed) seeded_.emplace(*options.seed);
  }
  std::uint64_t below(std::uint64_t bound) { return seeded_ ? seeded_->below(bound) : secure_.below(bound); }

 private:
  SecureRandom secure_;
  std::optional<SeededRandom> seeded_;
};

Result<void> check(const HidingOptions& options) {
  if (options.level == HidingLevel::h3 && options.change == ChangeKind::mark)
    return invalid_parameter("H3 cannot be reached by marks: whoever fills them in finds the pattern; use deletion");
  if (options.as_published && options.algorithm != HidingAlgorithm::psh)
    return invalid_parameter("only psh has a published form of its own");
  if (options.as_published &&
      (options.margin > 0 || options.random_margin > 0 || options.decoys > 0 || options.change != ChangeKind::mark ||
       options.min_confidence || options.mark_style != MarkStyle::anchored))
    return invalid_parameter("psh as published writes anchored marks, without margins, decoys and confidences");
  if (options.decoys > 0 && (options.level == HidingLevel::h3 || options.change == ChangeKind::remove))
    return invalid_parameter("decoys are marks: they help only where other marks are, not with deletion or at H3");
  if (!(options.decoys >= 0) || options.decoys > 1000)
    return invalid_parameter("decoys for each mark lie between 0 and 1000");
  if (options.window == 0) return invalid_parameter("a window holds at least one transaction");
  for (const double weight : {options.objective.losses, options.objective.marks, options.objective.rows})
    if (!(weight >= 0) || !std::isfinite(weight))
      return invalid_parameter("the weights of an objective are not negative");
  return {};
}

/// Says what of the list needs no change, and draws margins.
void prepare(HidingWork& work) {
  for (std::size_t p = 0; p < work.patterns.size(); ++p) {
    const SensitivePattern& one = work.patterns[p].pattern;
    if (work.is_hidden(p)) {
      work.warnings.push_back(
          {"below_from_start",
           fmt::format("line {}: nothing to hide: below the threshold from the start", one.line)});
      if (work.options.as_published) work.counted.push_back(p);
      continue;
    }
    work.live.push_back(p);
    for (const HiddenPattern& other : work.patterns)
      if (other.pattern.items.size() < one.items.size() && holds(one.items, other.pattern.items))
        work.warnings.push_back(
            {"nested_pattern", fmt::format("line {}: holds the pattern of line {}; hiding that one hides it",
                                           one.line, other.pattern.line)});
  }
  if (work.options.random_margin == 0) return;
  Draws draws(work.options);
  for (const std::size_t p : work.live) {
    HidingThreshold& threshold = work.patterns[p].threshold;
    // Never so much that no support would do.
    const std::uint64_t room = threshold.count - std::min(threshold.count, threshold.margin + 1);
    threshold.margin += draws.below(std::min(work.options.random_margin, room) + 1);
  }
}

Result<void> run_algorithm(HidingWork& work) {
  switch (work.options.algorithm) {
    case HidingAlgorithm::border:
      return run_border(work);
    case HidingAlgorithm::psh:
      return run_psh(work);
    case HidingAlgorithm::iga:
      return run_iga(work);
    case HidingAlgorithm::swa:
      return run_swa(work);
    case HidingAlgorithm::fhsar:
      return run_fhsar(work);
    case HidingAlgorithm::exact:
      return run_exact(work);
    default:
      return run_by_pattern(work);
  }
}

/// Patterns that are not hidden (any more) and not given up come to life.
void look_again(HidingWork& work) {
  for (std::size_t p = 0; p < work.patterns.size(); ++p)
    if (!work.is_hidden(p) && std::find(work.stuck.begin(), work.stuck.end(), p) == work.stuck.end())
      work.live.push_back(p);
}

/// A mark on a shared item leaves more rows open for patterns that were hidden already: looks again until all are.
Result<void> run_until_hidden(HidingWork& work) {
  while (!work.live.empty()) {
    GAUZE_TRY_VOID(run_algorithm(work));
    look_again(work);
  }
  return {};
}

/// At H3 rows that may hold a pattern count like those that do: an item of it that is there is deleted from them first.
void close_open_rows(HidingWork& work) {
  if (work.options.level != HidingLevel::h3 || !work.state.database().has_marks()) return;
  for (const std::size_t p : work.live) {
    for (std::size_t row = 0; row < work.state.database().rows() && !work.is_hidden(p); ++row) {
      if (!work.state.may_hold(row, p)) continue;
      for (const Item item : work.victims(p)) {
        if (!work.state.holds_now(row, {item})) continue;
        work.change(row, item);
        break;
      }
    }
  }
  work.drop_hidden();
}

/// For each item that was marked in a pattern: rows that hold the pattern without it, and lack it. To a reader who knows
/// how marks come about such a row looks like one that held the pattern.
DecoyCount place_decoys(HidingWork& work, Draws& draws) {
  DecoyCount count;
  std::map<Item, std::pair<std::uint64_t, std::uint64_t>> marked;  // marks and decoys
  for (const Edit& edit : work.state.edits()) {
    if (edit.operation == Operation::mark) ++marked[edit.item].first;
    if (edit.operation == Operation::decoy) ++marked[edit.item].second;
  }
  for (const auto& entry : marked) {
    const Item item = entry.first;
    const auto [marks, decoys] = entry.second;
    std::vector<std::size_t> rows;
    for (std::size_t p = 0; p < work.patterns.size(); ++p) {
      Itemset rest = work.items(p);
      if (std::erase(rest, item) == 0 || rest.empty()) continue;
      for (std::size_t row = 0; row < work.state.database().rows(); ++row)
        if (holds(work.state.database().row(row), rest) && work.state.holds_now(row, rest) &&
            work.state.lacks(row, item))
          rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const auto wanted =
        static_cast<std::uint64_t>(std::ceil(work.options.decoys * static_cast<double>(marks) - 1e-9));
    count.wanted += wanted;
    count.possible += decoys + rows.size();
    count.placed += decoys;
    for (std::size_t i = 0; i < rows.size() && decoys + i < wanted; ++i) {
      std::swap(rows[i], rows[i + draws.below(rows.size() - i)]);
      work.state.edit({rows[i], item, Operation::decoy});
      ++count.placed;
    }
  }
  return count;
}

/// Decoys leave more rows open, so that more must be marked, which wants more decoys.
Result<DecoyCount> hide_among_decoys(HidingWork& work) {
  constexpr int kRounds = 20;
  Draws draws(work.options);
  DecoyCount count = place_decoys(work, draws);
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t before = work.state.edits().size();
    look_again(work);
    GAUZE_TRY_VOID(run_until_hidden(work));
    if (work.state.edits().size() == before) break;
    count = place_decoys(work, draws);
  }
  look_again(work);  // decoys of the last round
  GAUZE_TRY_VOID(run_until_hidden(work));
  if (count.placed < count.wanted)
    work.warnings.push_back(Warning::of_privacy(
        "few_decoys",
        fmt::format("{} of {} decoys have a place: a decoy needs a transaction that holds the rest of a pattern",
                    count.placed, count.wanted)));
  return count;
}

/// The border is greedy; where one of the published rules happens to lose less, its changes are taken.
Result<std::vector<Edit>> cheapest_changes(HidingWork& work, const SensitiveList& sensitive) {
  std::vector<Edit> best = work.state.edits();
  if (!work.kept || work.options.objective.losses <= 0 || work.options.objective.marks > 0 ||
      work.options.objective.rows > 0 || !work.stuck.empty())
    return best;
  const auto cost = [&](const std::vector<Edit>& edits) {
    work.kept->reset();
    for (const Edit& edit : edits) work.kept->lose(edit.row, edit.item);
    return work.kept->lost();
  };
  std::vector<std::uint64_t> least = cost(best);
  if (least.front() == 0) return best;
  for (const HidingAlgorithm algorithm : {HidingAlgorithm::minfia, HidingAlgorithm::gih, HidingAlgorithm::psh}) {
    HidingOptions options = work.options;
    options.algorithm = algorithm;
    options.trace = false;
    HidingWork other(work.state.database(), sensitive, options, work.progress);
    for (std::size_t p = 0; p < other.patterns.size(); ++p) other.patterns[p].threshold = work.patterns[p].threshold;
    look_again(other);
    close_open_rows(other);
    GAUZE_TRY_VOID(run_until_hidden(other));
    if (!other.stuck.empty()) continue;
    std::vector<std::uint64_t> lost = cost(other.state.edits());
    if (lost >= least) continue;
    least = std::move(lost);
    best = other.state.edits();
  }
  return best;
}

}  // namespace

std::uint64_t HidingResult::rows_touched() const {
  std::set<std::size_t> rows;
  for (const Edit& edit : edits) rows.insert(edit.row);
  return rows.size();
}

HidingLevel judge(const Database& released, std::vector<HiddenPattern>& patterns) {
  std::vector<PatternShape> shapes;
  for (const HiddenPattern& one : patterns) shapes.push_back({one.pattern.items, one.pattern.left});
  const std::vector<PatternStanding> after = standings_in(released, shapes);
  HidingLevel lowest = HidingLevel::h3;
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    patterns[p].after = after[p];
    patterns[p].level = level_of(after[p], patterns[p].threshold, released.rows());
    lowest = std::min(lowest, patterns[p].level);
  }
  return lowest;
}

std::vector<Itemset> itemsets_of(const std::vector<HiddenPattern>& patterns) {
  std::vector<Itemset> sets;
  for (const HiddenPattern& one : patterns) sets.push_back(one.pattern.items);
  return sets;
}

Result<HidingResult> hide(const Database& database, const SensitiveList& sensitive, const HidingOptions& options,
                          Progress& progress) {
  GAUZE_TRY_VOID(check(options));
  HidingWork work(database, sensitive, options, progress);
  prepare(work);
  close_open_rows(work);
  GAUZE_TRY_VOID(run_until_hidden(work));
  if (options.algorithm == HidingAlgorithm::border && options.decoys == 0) {
    GAUZE_TRY(const std::vector<Edit> edits, cheapest_changes(work, sensitive));
    if (edits != work.state.edits()) {
      work.state.start_again(edits);
      work.trace.clear();
      work.warnings.push_back(
          {"published_rule_taken",
           "a published rule loses less here than the border's own choices: its changes are taken"});
    }
  }
  HidingResult result;
  if (options.decoys > 0) {
    GAUZE_TRY(result.decoys, hide_among_decoys(work));
  }
  result.released = work.state.released();
  result.level = judge(result.released, work.patterns);
  result.edits = work.state.edits();
  result.patterns = std::move(work.patterns);
  result.stuck = std::move(work.stuck);
  result.warnings = std::move(work.warnings);
  result.trace = std::move(work.trace);
  result.bound = work.bound;
  result.objective = work.objective;
  return result;
}

}  // namespace gauze::patterns
