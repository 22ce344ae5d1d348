#include "gauze/anonymize/search/optimal_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gauze/anonymize/internal/score_bounds.h"
#include "gauze/base/parallel.h"

namespace gauze::anonymize {

namespace {

using internal::ScoreBounds;
using Clock = std::chrono::steady_clock;

// The same number of nodes is looked at together whatever the number of threads, so that the answer and the count of
// checked nodes do not depend on it.
constexpr std::size_t kBatch = 4;

class Search {
 public:
  Search(const Records& records, const CriteriaSet& criteria, const SearchOptions& options, Lattice lattice,
         Progress& progress)
      : lattice_(std::move(lattice)),
        loss_(options.metric, records),
        evaluation_(records, criteria, options.suppression_limit, !loss_.additive()),
        bounds_(lattice_, loss_, evaluation_),
        progress_(progress),
        scratch_(kBatch) {
    if (options.time_limit)
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*options.time_limit);
  }

  Result<OptimalNode> run() {
    progress_.begin("searching the lattice", 0);
    GAUZE_TRY_VOID(descend());
    // What lies above many nodes comes first: if it is infeasible, so are they, mostly.
    GAUZE_TRY_VOID(sweep());
    return finish();
  }

 private:
  // From the top to ever cheaper feasible nodes: a first solution, close to the best one.
  Result<void> descend() {
    std::uint32_t here = lattice_.top();
    GAUZE_TRY_VOID(check_all({here}));
    for (bool moved = true; moved && !out_of_time();) {
      moved = false;
      std::vector<std::pair<double, std::uint32_t>> children;
      for (std::size_t quasi = 0; quasi < lattice_.width(); ++quasi) {
        if (lattice_.level(here, quasi) == 0) continue;
        const std::uint32_t child = here - lattice_.stride(quasi);
        if (is_open(child)) children.emplace_back(bounds_.bound(child), child);
      }
      std::sort(children.begin(), children.end());
      for (const auto& [bound, child] : children) {
        if (!is_open(child)) continue;
        GAUZE_TRY_VOID(check_all({child}));
        if (last_feasible_ != child) continue;
        here = child;
        moved = true;
        break;
      }
    }
    return {};
  }

  std::vector<std::uint32_t> open_nodes() const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> open;
    for (std::uint32_t node = 0; node < lattice_.size(); ++node)
      if (is_open(node)) open.emplace_back(UINT64_MAX - lattice_.nodes_below(node), node);
    std::sort(open.begin(), open.end());
    std::vector<std::uint32_t> nodes;
    nodes.reserve(open.size());
    for (const auto& entry : open) nodes.push_back(entry.second);
    return nodes;
  }

  Result<void> sweep() {
    const std::vector<std::uint32_t> nodes = open_nodes();
    progress_.begin("searching the lattice", nodes.size());
    std::vector<std::uint32_t> batch;
    for (std::size_t place = 0; place < nodes.size() && !timed_out_;) {
      const std::size_t from = place;
      batch.clear();
      for (; place < nodes.size() && batch.size() < kBatch; ++place) {
        if (!is_open(nodes[place])) continue;
        // A node of the batch may turn out to prune this one: then it is not worth looking at yet.
        if (std::any_of(batch.begin(), batch.end(),
                        [&](std::uint32_t other) { return lattice_.is_below(nodes[place], other); }))
          break;
        batch.push_back(nodes[place]);
      }
      GAUZE_TRY_VOID(check_all(batch));
      progress_.advance(place - from);
      timed_out_ = out_of_time();
    }
    return {};
  }

  Result<void> check_all(const std::vector<std::uint32_t>& nodes) {
    GAUZE_TRY_VOID(progress_.check());
    std::vector<NodeOutcome> outcomes(nodes.size());
    parallel_for(nodes.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) outcomes[i] = evaluate(nodes[i], scratch_[i]);
    });
    for (std::size_t i = 0; i < nodes.size(); ++i) take(nodes[i], std::move(outcomes[i]));
    return {};
  }

  /// A node that cannot beat the best one by what k alone suppresses is not looked at any closer. Entropy has no bound on what
  /// a record can cost, and class sizes are no sums: there every node is.
  [[nodiscard]] NodeOutcome evaluate(std::uint32_t node, NodeEvaluation::Scratch& scratch) const {
    const Levels levels = lattice_.levels(node);
    if (!loss_.additive() || loss_.metric() == schema::Metric::entropy || !std::isfinite(best_score_))
      return evaluation_.evaluate(levels, scratch);
    const auto total = static_cast<double>(evaluation_.records().total);
    return evaluation_.evaluate(levels, scratch, [&](std::uint64_t suppressed, const auto& list) {
      // A suppressed record costs at most its share of the whole table.
      if (bounds_.bound(node) + static_cast<double>(suppressed) / total < best_score_) return true;
      const double least = InformationLoss::sum(loss_.terms(list()), levels);
      return least - 1e-12 * std::abs(least) <= best_score_;
    });
  }

  void take(std::uint32_t node, NodeOutcome outcome) {
    ++checked_;
    bounds_.learn(node, outcome);
    bounds_.close(node);
    if (!outcome.feasible) return;
    last_feasible_ = node;
    const double score = loss_.score(lattice_.levels(node), outcome);
    if (score < best_score_ || (score == best_score_ && node < best_node_)) {
      best_score_ = score;
      best_node_ = node;
      best_ = std::move(outcome);
    }
  }

  // Whether the node may still be the answer.
  [[nodiscard]] bool is_open(std::uint32_t node) const {
    return !bounds_.closed(node) &&
           (bounds_.bound(node) < best_score_ || (bounds_.bound(node) == best_score_ && node < best_node_));
  }
  [[nodiscard]] bool out_of_time() const { return deadline_ && Clock::now() > *deadline_; }

  Result<OptimalNode> finish() {
    if (!std::isfinite(best_score_)) {
      if (timed_out_) return make_error(ErrorCode::infeasible, "no solution was found within the time limit");
      return make_error(ErrorCode::infeasible,
                        "no choice of levels satisfies the criteria with at most {} suppressed records: allow more "
                        "suppression, or ask for less",
                        evaluation_.suppression_limit());
    }
    OptimalNode answer;
    answer.levels = lattice_.levels(best_node_);
    answer.value = loss_.value(best_score_);
    answer.nodes_checked = checked_;
    answer.nodes_total = lattice_.size();
    answer.optimal = true;
    double least = best_score_;
    for (std::uint32_t node = 0; timed_out_ && node < lattice_.size(); ++node) {
      if (!is_open(node)) continue;
      answer.optimal = false;
      least = std::min(least, bounds_.bound(node));
    }
    answer.lower_bound = loss_.value(least);
    answer.outcome = std::move(best_);
    return answer;
  }

  Lattice lattice_;
  InformationLoss loss_;
  NodeEvaluation evaluation_;
  ScoreBounds bounds_;
  Progress& progress_;
  std::vector<NodeEvaluation::Scratch> scratch_;
  std::optional<Clock::time_point> deadline_;
  bool timed_out_ = false;
  std::uint64_t checked_ = 0;
  std::uint32_t last_feasible_ = std::numeric_limits<std::uint32_t>::max();
  double best_score_ = std::numeric_limits<double>::infinity();
  std::uint32_t best_node_ = std::numeric_limits<std::uint32_t>::max();
  NodeOutcome best_;
};

}  // namespace

Result<OptimalNode> find_optimal_node(const Records& records, const CriteriaSet& criteria,
                                      const SearchOptions& options, Progress& progress) {
  std::vector<int> levels;
  for (const QuasiIdentifier& quasi : records.quasi) levels.push_back(quasi.hierarchy->levels());
  GAUZE_TRY(Lattice lattice, Lattice::make(levels));
  return Search(records, criteria, options, std::move(lattice), progress).run();
}

}  // namespace gauze::anonymize
