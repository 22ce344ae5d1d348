#include "gauze/patterns/hiding/hide.h"

#include <algorithm>
#include <cmath>

#include "gauze/patterns/hiding/internal/hiding_work.h"
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
      work.notices.push_back(fmt::format("line {}: hidden from the start", one.line));
      if (work.options.as_published) work.counted.push_back(p);
      continue;
    }
    work.live.push_back(p);
    for (const HiddenPattern& other : work.patterns)
      if (other.pattern.items.size() < one.items.size() && holds(one.items, other.pattern.items))
        work.notices.push_back(fmt::format("line {}: holds the pattern of line {}; hiding that one hides it",
                                           one.line, other.pattern.line));
  }
  if (work.options.random_margin == 0) return;
  Draws draws(work.options);
  for (const std::size_t p : work.live)
    work.patterns[p].threshold.margin += draws.below(work.options.random_margin + 1);
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
    case HidingAlgorithm::exact:
      return run_exact(work);
    default:
      return run_by_pattern(work);
  }
}

/// A mark on a shared item leaves more rows open for patterns that were hidden already: looks again until all are.
Result<void> run_until_hidden(HidingWork& work) {
  while (!work.live.empty()) {
    GAUZE_TRY_VOID(run_algorithm(work));
    for (std::size_t p = 0; p < work.patterns.size(); ++p)
      if (!work.is_hidden(p) && std::find(work.stuck.begin(), work.stuck.end(), p) == work.stuck.end())
        work.live.push_back(p);
  }
  return {};
}

/// For each item that was marked in a pattern: rows that hold the pattern without it, and lack it. To a reader who knows
/// how marks come about such a row looks like one that held the pattern.
DecoyCount place_decoys(HidingWork& work) {
  DecoyCount count;
  Draws draws(work.options);
  std::map<Item, std::uint64_t> marked;
  for (const Edit& edit : work.state.edits())
    if (edit.operation == Operation::mark) ++marked[edit.item];
  for (const auto& [item, marks] : marked) {
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
    count.possible += rows.size();
    for (std::size_t i = 0; i < std::min<std::size_t>(wanted, rows.size()); ++i) {
      std::swap(rows[i], rows[i + draws.below(rows.size() - i)]);
      work.state.edit({rows[i], item, Operation::decoy});
      ++count.placed;
    }
  }
  if (count.placed < count.wanted)
    work.notices.push_back(
        fmt::format("{} of {} decoys have a place: a decoy needs a transaction that holds the rest of a pattern",
                    count.placed, count.wanted));
  return count;
}

}  // namespace

Result<HidingResult> hide(const Database& database, const SensitiveList& sensitive, const HidingOptions& options,
                          Progress& progress) {
  GAUZE_TRY_VOID(check(options));
  HidingWork work(database, sensitive, options, progress);
  prepare(work);
  GAUZE_TRY_VOID(run_until_hidden(work));
  HidingResult result;
  if (options.decoys > 0) {
    result.decoys = place_decoys(work);
    // Decoys leave more rows open, so that more must be marked.
    for (std::size_t p = 0; p < work.patterns.size(); ++p)
      if (!work.is_hidden(p) && std::find(work.stuck.begin(), work.stuck.end(), p) == work.stuck.end())
        work.live.push_back(p);
    GAUZE_TRY_VOID(run_until_hidden(work));
  }
  result.released = work.state.released();
  // The verdict is that of the released transactions, looked at anew.
  std::vector<PatternShape> shapes;
  for (const HiddenPattern& one : work.patterns) shapes.push_back({one.pattern.items, one.pattern.left});
  const std::vector<PatternStanding> after = standings_in(result.released, shapes);
  for (std::size_t p = 0; p < work.patterns.size(); ++p) {
    work.patterns[p].after = after[p];
    work.patterns[p].level = level_of(after[p], work.patterns[p].threshold, database.rows());
    result.level = std::min(result.level, work.patterns[p].level);
  }
  result.edits = work.state.edits();
  result.patterns = std::move(work.patterns);
  result.stuck = std::move(work.stuck);
  result.notices = std::move(work.notices);
  result.trace = std::move(work.trace);
  result.bound = work.bound;
  result.objective = work.objective;
  return result;
}

}  // namespace gauze::patterns
