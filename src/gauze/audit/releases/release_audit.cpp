#include "gauze/audit/releases/release_audit.h"

#include <algorithm>

#include "gauze/audit/figures/figure_json.h"
#include "gauze/audit/releases/release_numbers.h"
#include "gauze/base/parallel.h"

namespace gauze::audit {
namespace {

using release::PreparedRelease;
using release::Release;
using release::ReleasePlan;

/// So many releases are drawn before they are read: they may be large.
constexpr std::size_t kAtATime = 512;
constexpr std::size_t kPiece = 16;

Result<void> draw_side(const ReleaseDraw& draw, std::uint64_t streams, Outcomes& side, ReleaseNumbers& reader,
                       const ReleaseAuditRequest& request, Progress& progress) {
  std::vector<double> numbers;
  for (std::uint64_t begin = 0; begin < request.runs; begin += kAtATime) {
    GAUZE_TRY_VOID(progress.check());
    const std::size_t runs = std::min<std::uint64_t>(kAtATime, request.runs - begin);
    std::vector<std::optional<Result<Release>>> drawn(runs);
    parallel_for(runs, kPiece, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) drawn[i] = draw(request.random, streams + begin + i);
    });
    for (const auto& one : drawn) {
      if (!*one) return tl::unexpected(one->error());
      reader.read(**one, numbers);
      side.add_numbers(numbers);
    }
    progress.advance(runs);
  }
  return {};
}

/// What is audited of each pair: bounds are divided by their number.
EventAuditRequest event_request(const ReleaseAuditRequest& request, std::string claim, std::size_t pairs) {
  return {.claim = std::move(claim),
          .claimed = request.claimed,
          .delta = request.claimed.delta,
          .levels = request.levels,
          .choices = pairs};
}

ReleaseDraw draws_of(const PreparedRelease& prepared) {
  return [&prepared](const AuditRandom& random, std::uint64_t run) {
    return random.draw(
        run, [&](SecureRandom& secure) { return prepared.release(secure); },
        [&](SeededRandom& seeded) { return prepared.simulate(seeded); });
  };
}

/// The classes of a table as the published method sees them, and its draws.
class PublishedDraws {
 public:
  static Result<PublishedDraws> make(const schema::Policy& policy, const release::PublishedRelease::Options& options,
                                     const table::TupleCounts& tuples) {
    GAUZE_TRY(release::PublishedRelease mechanism, release::PublishedRelease::make(options));
    GAUZE_TRY(std::vector<schema::Domain::Axis> axes, release::published_axes(policy, tuples));
    PublishedDraws draws(std::move(mechanism));
    for (const schema::Domain::Axis& axis : axes) draws.levels_.push_back(axis.level);
    const auto coded = schema::CodedTuples::observed(std::move(axes), tuples);
    draws.domain_ = coded.domain;
    draws.histogram_ = schema::count_rows(coded, tuples.counts);
    return draws;
  }

  [[nodiscard]] Release draw(const AuditRandom& random, std::uint64_t run) const {
    Release made;
    made.domain = domain_;
    made.levels = levels_;
    const auto classes = random.draw(run, [&](RandomWords& words) { return mechanism_.draw(words, histogram_); });
    for (const auto& one : classes) made.histogram.cells.push_back({.cell = one.cell, .count = one.count});
    return made;
  }

 private:
  explicit PublishedDraws(release::PublishedRelease mechanism) : mechanism_(std::move(mechanism)) {}
  release::PublishedRelease mechanism_;
  std::shared_ptr<const schema::Domain> domain_;
  std::vector<int> levels_;
  schema::Histogram histogram_;
};

}  // namespace

Claim claim_of_release(const ReleasePlan& plan) {
  return {.epsilon = plan.budget.epsilon.to_double_up(), .delta = plan.budget.delta.to_double_up()};
}

Result<ClaimAudit> audit_draws(const ReleasePlan& plan, const TableRows& differing, const ReleaseDraw& left,
                               const ReleaseDraw& right, const EventAuditRequest& event,
                               const ReleaseAuditRequest& request, Progress& progress) {
  OutcomePair outcomes;
  ReleaseNumbers reader(plan, differing);
  progress.begin("releasing", 2 * request.runs);
  GAUZE_TRY_VOID(draw_side(left, 0, outcomes.left, reader, request, progress));
  GAUZE_TRY_VOID(draw_side(right, kRightStreams, outcomes.right, reader, request, progress));
  outcomes.names = reader.names();
  return audit_outcomes(outcomes, event);
}

Result<std::vector<AuditedPair>> audit_release(const ReleasePlan& plan, const std::vector<NeighbourTables>& pairs,
                                               const ReleaseAuditRequest& request, Progress& progress) {
  const std::size_t width = plan.columns.size() + (plan.counts_persons() ? 1 : 0);
  std::vector<AuditedPair> audited;
  for (const NeighbourTables& pair : pairs) {
    const table::TupleCounts left = tuples_of(pair.left, width);
    const table::TupleCounts right = tuples_of(pair.right, width);
    GAUZE_TRY(const PreparedRelease of_left, PreparedRelease::make(left, plan));
    GAUZE_TRY(const PreparedRelease of_right, PreparedRelease::make(right, plan));
    const EventAuditRequest event = event_request(request, "release", pairs.size());
    GAUZE_TRY(ClaimAudit audit,
              audit_draws(plan, pair.differing, draws_of(of_left), draws_of(of_right), event, request, progress));
    audited.push_back({pair.what, std::move(audit)});
  }
  return audited;
}

Result<ReleasePlan> plan_of_published(const schema::Policy& policy, const table::TupleCounts& tuples) {
  GAUZE_TRY(const std::vector<schema::Domain::Axis> axes, release::published_axes(policy, tuples));
  ReleasePlan plan;
  plan.release.mode = schema::ReleaseMode::stability;  // classes are those that occur
  plan.k = policy.privacy.k;
  for (const schema::PolicyColumn& column : policy.columns) {
    if (!column.has(schema::Role::quasi)) continue;
    const schema::Domain::Axis& axis = axes[plan.columns.size()];
    plan.columns.push_back(column.name);
    plan.levels.push_back(axis.level);
    const bool is_declared = column.hierarchy || !column.values.empty();
    plan.domains.push_back(is_declared ? axis.column : nullptr);
  }
  plan.quasi = plan.columns;
  return plan;
}

Result<std::vector<AuditedPair>> audit_published(const ReleasePlan& plan, const schema::Policy& policy,
                                                 const release::PublishedRelease::Options& options,
                                                 const std::vector<NeighbourTables>& pairs,
                                                 const ReleaseAuditRequest& request, Progress& progress) {
  std::vector<AuditedPair> audited;
  for (const NeighbourTables& pair : pairs) {
    GAUZE_TRY(const PublishedDraws left,
              PublishedDraws::make(policy, options, tuples_of(pair.left, plan.columns.size())));
    GAUZE_TRY(const PublishedDraws right,
              PublishedDraws::make(policy, options, tuples_of(pair.right, plan.columns.size())));
    const auto draws = [](const PublishedDraws& side) -> ReleaseDraw {
      return
          [&side](const AuditRandom& random, std::uint64_t run) -> Result<Release> { return side.draw(random, run); };
    };
    const EventAuditRequest event = event_request(request, "release, as published", pairs.size());
    GAUZE_TRY(ClaimAudit audit,
              audit_draws(plan, pair.differing, draws(left), draws(right), event, request, progress));
    audited.push_back({pair.what, std::move(audit)});
  }
  return audited;
}

const AuditedPair& worst_of(const std::vector<AuditedPair>& pairs) {
  const auto less = [](const AuditedPair& a, const AuditedPair& b) {
    const auto key = [](const AuditedPair& one) {
      return std::pair(one.audit.alarm_lower.value_or(-1), one.audit.epsilon_lower.value_or(-1));
    };
    return key(a) < key(b);
  };
  return *std::max_element(pairs.begin(), pairs.end(), less);
}

Json to_json(const std::vector<AuditedPair>& pairs) {
  Json list = Json::array();
  for (const AuditedPair& pair : pairs)
    list.push(Json::object({{"pair", pair.what}, {"epsilon_lower", figure_json(pair.audit.epsilon_lower)}}));
  return list;
}

}  // namespace gauze::audit
