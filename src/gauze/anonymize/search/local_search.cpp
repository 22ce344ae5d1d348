#include "gauze/anonymize/search/local_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "gauze/anonymize/classes/class_judge.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 17U;

/// Some of the records, with the place of each tuple among all.
struct OpenRecords {
  Records records;
  std::vector<std::uint32_t> origin;
};

OpenRecords take(const Records& all, const std::vector<std::uint32_t>& tuples) {
  OpenRecords open;
  open.origin = tuples;
  open.records.quasi = all.quasi;
  open.records.sensitive = all.sensitive;  // shares are those of all records
  open.records.total = all.total;
  auto pick = [&](const std::vector<std::uint32_t>& from) {
    std::vector<std::uint32_t> to;
    to.reserve(tuples.size());
    for (const std::uint32_t tuple : tuples) to.push_back(from[tuple]);
    return to;
  };
  for (const auto& column : all.ground) open.records.ground.push_back(pick(column));
  for (const auto& column : all.values) open.records.values.push_back(pick(column));
  open.records.counts = pick(all.counts);
  if (!all.population.empty()) open.records.population = pick(all.population);
  return open;
}

/// The nodes in ascending order of what they cost without suppression. Lattices that are too large are thinned: some
/// levels in the middle are left out, and tightening finds them again.
std::vector<Levels> ascending_nodes(const Records& records, Metric metric) {
  std::vector<std::vector<std::uint8_t>> levels;
  for (const QuasiIdentifier& quasi : records.quasi) {
    levels.emplace_back();
    for (int level = 0; level < quasi.hierarchy->levels(); ++level)
      levels.back().push_back(static_cast<std::uint8_t>(level));
  }
  auto product = [&] {
    double nodes = 1;
    for (const auto& choice : levels) nodes *= static_cast<double>(choice.size());
    return nodes;
  };
  while (product() > static_cast<double>(kMostNodes)) {
    auto longest = std::max_element(levels.begin(), levels.end(),
                                    [](const auto& a, const auto& b) { return a.size() < b.size(); });
    longest->erase(longest->begin() + static_cast<std::ptrdiff_t>(longest->size() > 2 ? longest->size() / 2 : 0));
  }
  const InformationLoss loss(metric == Metric::discernibility || metric == Metric::aecs ? Metric::loss : metric,
                             records);
  const InformationLoss::Terms terms = loss.terms({});
  std::vector<std::pair<double, Levels>> nodes;
  std::vector<std::size_t> places(levels.size(), 0);
  for (;;) {
    Levels node(levels.size());
    for (std::size_t quasi = 0; quasi < levels.size(); ++quasi) node[quasi] = levels[quasi][places[quasi]];
    const double cost = InformationLoss::sum(terms, node);
    nodes.emplace_back(cost, std::move(node));
    std::size_t quasi = 0;
    while (quasi < levels.size() && places[quasi] + 1 == levels[quasi].size()) places[quasi++] = 0;
    if (quasi == levels.size()) break;
    ++places[quasi];
  }
  std::sort(nodes.begin(), nodes.end());
  std::vector<Levels> order;
  order.reserve(nodes.size());
  for (auto& entry : nodes) order.push_back(std::move(entry.second));
  return order;
}

class LocalSearch {
 public:
  LocalSearch(const Records& records, const CriteriaSet& criteria, const SearchOptions& options, Progress& progress)
      : all_(records), criteria_(criteria), judge_(records, criteria), options_(options), progress_(progress) {
    if (options.time_limit)
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*options.time_limit);
  }

  Result<LocalRecoding> run() {
    std::vector<std::uint32_t> open(all_.size());
    for (std::uint32_t tuple = 0; tuple < open.size(); ++tuple) open[tuple] = tuple;
    const std::vector<Levels> nodes = ascending_nodes(all_, options_.metric);
    LocalRecoding answer;
    answer.nodes_total = nodes.size();
    GAUZE_TRY(answer.nodes_checked, settle(nodes, open));
    answer.complete = answer.nodes_checked == nodes.size() || open.empty();
    GAUZE_TRY_VOID(place_rest(open));
    answer.recoding = recode_classes(all_, classes_);
    suppress_failures(answer.recoding);
    if (answer.recoding.suppressed > options_.suppression_limit)
      return make_error(ErrorCode::infeasible,
                        "{} records fit into no class that satisfies the criteria, and at most {} may be suppressed",
                        answer.recoding.suppressed, options_.suppression_limit);
    return answer;
  }

 private:
  // Settles classes node by node; `open` keeps what no node could settle. Returns how many nodes were looked at.
  Result<std::uint64_t> settle(const std::vector<Levels>& nodes, std::vector<std::uint32_t>& open) {
    progress_.begin("recoding locally", nodes.size());
    std::uint64_t checked = 0;
    OpenRecords part = take(all_, open);
    std::optional<NodeEvaluation> evaluation(std::in_place, part.records, criteria_, 0, false);
    NodeEvaluation::Scratch scratch;
    std::size_t left = part.origin.size();
    for (std::size_t place = 0; place < nodes.size() && left > 0; ++place, ++checked) {
      GAUZE_TRY_VOID(progress_.check());
      progress_.advance();
      const bool last = place + 1 == nodes.size();
      if (deadline_ && !last && Clock::now() > *deadline_) place = nodes.size() - 1;  // only the top remains
      evaluation->judge_each(nodes[place], scratch);
      left -= settle_kept(scratch, part);
      if (left < part.origin.size() - part.origin.size() / 8) {
        // Enough is settled to make a fresh start with the rest worth its while.
        std::vector<std::uint32_t> rest;
        for (std::size_t tuple = 0; tuple < part.origin.size(); ++tuple)
          if (part.records.counts[tuple] > 0) rest.push_back(part.origin[tuple]);
        evaluation.reset();
        part = take(all_, rest);
        evaluation.emplace(part.records, criteria_, std::uint64_t{0}, false);
      }
    }
    open.clear();
    for (std::size_t tuple = 0; tuple < part.origin.size(); ++tuple)
      if (part.records.counts[tuple] > 0) open.push_back(part.origin[tuple]);
    return checked;
  }

  // Makes the kept classes final and takes their records out of the open ones. Returns the number of tuples.
  std::size_t settle_kept(const NodeEvaluation::Scratch& scratch, OpenRecords& part) {
    std::vector<std::uint32_t> class_of_slot;
    std::size_t settled = 0;
    for (std::size_t tuple = 0; tuple < part.origin.size(); ++tuple) {
      const std::uint32_t slot = scratch.groups.slot[tuple];
      if (part.records.counts[tuple] == 0 || scratch.kept[slot] == 0) continue;
      if (class_of_slot.empty()) class_of_slot.assign(scratch.groups.slots, UINT32_MAX);
      if (class_of_slot[slot] == UINT32_MAX) {
        class_of_slot[slot] = static_cast<std::uint32_t>(classes_.size());
        classes_.emplace_back();
      }
      classes_[class_of_slot[slot]].push_back(part.origin[tuple]);
      part.records.counts[tuple] = 0;
      ++settled;
    }
    return settled;
  }

  // Each tuple that is left joins the class whose cells grow least, provided the criteria still hold there.
  Result<void> place_rest(const std::vector<std::uint32_t>& rest) {
    progress_.begin("placing the last records", rest.size());
    std::vector<std::uint32_t> homeless;
    for (const std::uint32_t tuple : rest) {
      GAUZE_TRY_VOID(progress_.check());
      progress_.advance();
      if (!join_best(tuple)) homeless.push_back(tuple);
    }
    if (!homeless.empty()) dissolve_into(std::move(homeless));
    return {};
  }

  bool join_best(std::uint32_t tuple) {
    constexpr std::size_t kMostHosts = 32;
    std::vector<std::pair<double, std::size_t>> hosts;
    for (std::size_t host = 0; host < classes_.size(); ++host)
      if (const double cost = added_cost(host, tuple); cost < HUGE_VAL) hosts.emplace_back(cost, host);
    const std::size_t tried = std::min(kMostHosts, hosts.size());
    std::partial_sort(hosts.begin(), hosts.begin() + static_cast<std::ptrdiff_t>(tried), hosts.end());
    for (std::size_t i = 0; i < tried; ++i) {
      std::vector<std::uint32_t>& host = classes_[hosts[i].second];
      host.push_back(tuple);
      if (holds(host)) return true;
      host.pop_back();
    }
    return false;
  }

  // Records that no class takes in are put together with more and more of the classes settled last, the most
  // generalised ones, until they make a class. In the end that is the class of all records.
  void dissolve_into(std::vector<std::uint32_t> pool) {
    if (holds(pool) && has_common_values(pool)) {
      classes_.push_back(std::move(pool));
      return;
    }
    std::size_t kept = classes_.size();
    for (std::size_t step = 1; kept > 0; step *= 2) {
      for (std::size_t i = 0; i < step && kept > 0; ++i) {
        --kept;
        pool.insert(pool.end(), classes_[kept].begin(), classes_[kept].end());
      }
      if (!holds(pool)) continue;
      if (!has_common_values(pool)) return;  // suppressed
      classes_.resize(kept);
      classes_.push_back(std::move(pool));
      return;
    }
  }

  bool has_common_values(const std::vector<std::uint32_t>& tuples) const {
    for (std::size_t quasi = 0; quasi < all_.quasi.size(); ++quasi) {
      const Hierarchy& hierarchy = *all_.quasi[quasi].hierarchy;
      for (const std::uint32_t tuple : tuples)
        if (hierarchy.code(hierarchy.height(), all_.ground[quasi][tuple]) !=
            hierarchy.code(hierarchy.height(), all_.ground[quasi][tuples.front()]))
          return false;
    }
    return true;
  }

  double added_cost(std::size_t host, std::uint32_t tuple) const {
    double cost = 0;
    double members = 0;
    for (const std::uint32_t member : classes_[host]) members += all_.counts[member];
    for (std::size_t quasi = 0; quasi < all_.quasi.size(); ++quasi) {
      const Hierarchy& hierarchy = *all_.quasi[quasi].hierarchy;
      const std::vector<std::uint32_t>& ground = all_.ground[quasi];
      const std::uint32_t first = ground[classes_[host].front()];
      int before = 0;
      for (const std::uint32_t member : classes_[host])
        while (hierarchy.code(before, ground[member]) != hierarchy.code(before, first)) ++before;
      int after = before;
      while (after < hierarchy.height() && hierarchy.code(after, ground[tuple]) != hierarchy.code(after, first))
        ++after;
      if (hierarchy.code(after, ground[tuple]) != hierarchy.code(after, first)) return HUGE_VAL;  // no common value
      const double wide = hierarchy.rows_under(after, hierarchy.code(after, first));
      const double narrow = hierarchy.rows_under(before, hierarchy.code(before, first));
      cost += all_.quasi[quasi].weight * (members * (wide - narrow) + all_.counts[tuple] * wide) / hierarchy.size();
    }
    return cost;
  }

  // Classes were settled against the distribution of all records, and classes of different nodes may have come out with
  // the same values and so have been joined. Where the criteria do not survive that, classes go.
  void suppress_failures(Recoding& recoding) const {
    for (;;) {
      std::vector<std::vector<TupleShare>> members(recoding.classes.size());
      for (std::uint32_t tuple = 0; tuple < all_.size(); ++tuple)
        if (recoding.class_of[tuple] != Recoding::kSuppressed)
          members[recoding.class_of[tuple]].push_back({tuple, all_.counts[tuple]});
      const std::vector<bool> kept = judge_.kept(members);
      std::vector<std::vector<std::uint32_t>> sound;
      for (std::size_t place = 0; place < members.size(); ++place) {
        if (!kept[place]) continue;
        sound.emplace_back();
        for (const TupleShare& share : members[place]) sound.back().push_back(share.tuple);
      }
      if (sound.size() == members.size()) return;
      recoding = recode_classes(all_, sound);
    }
  }

  bool holds(const std::vector<std::uint32_t>& tuples) const {
    std::vector<TupleShare> members;
    for (const std::uint32_t tuple : tuples) members.push_back({tuple, all_.counts[tuple]});
    return judge_.holds(members);
  }

  const Records& all_;
  const CriteriaSet& criteria_;
  ClassJudge judge_;
  const SearchOptions& options_;
  Progress& progress_;
  std::optional<Clock::time_point> deadline_;
  std::vector<std::vector<std::uint32_t>> classes_;
};

}  // namespace

Result<LocalRecoding> recode_locally(const Records& records, const CriteriaSet& criteria,
                                     const SearchOptions& options, Progress& progress) {
  if (criteria.needs_population() || criteria.missing_matches_everything())
    return invalid_parameter(
        "the local search knows neither population models nor missing values that match everything: "
        "take the search `optimal`");
  return LocalSearch(records, criteria, options, progress).run();
}

}  // namespace gauze::anonymize
