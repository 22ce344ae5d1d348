#include "gauze/audit/scores/score_audit.h"

#include "gauze/audit/bounds/independent_runs.h"
#include "gauze/audit/figures/figure_json.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace {

/// "Score at least this" is chosen on the first half of either kind and counted on the second.
struct MeasuredThreshold {
  double threshold = 0;
  EventCounts counts = {};
};

std::optional<MeasuredThreshold> measured_threshold(std::span<const double> members, std::span<const double> others,
                                                    RandomWords& random) {
  if (members.size() < 2 || others.size() < 2) return std::nullopt;
  const auto [first, second] = random_halves(members, others, random);
  MeasuredThreshold measured{.threshold = first.best_threshold()};
  measured.counts = {.true_positives = second.members_reaching(measured.threshold),
                     .positives = second.members().size(),
                     .false_positives = second.others_reaching(measured.threshold),
                     .negatives = second.others().size()};
  return measured;
}

}  // namespace

Result<ScoreAudit> audit_scores(std::span<const double> members, std::span<const double> others,
                                const ScoreRequest& request) {
  if (members.empty() || others.empty())
    return invalid_parameter("an attack is measured on members and on others: there are none of the {}",
                             members.empty() ? "members" : "others");
  SeededRandom random(request.seed);
  ScoreAudit audit{.figures = membership_figures(members, others, request.false_rates, random),
                   .claimed = request.claimed,
                   .alarm_rate = request.levels.alarm};
  if (request.origin == ScoreOrigin::unknown) {
    audit.warnings.push_back(Warning::of_privacy(
        "no_bound",
        "no bound on epsilon: it follows from scores only where each record was a member by its own fair coin, or where "
        "each score comes from a run of its own"));
    return audit;
  }
  bool can_alarm = true;
  if (request.origin == ScoreOrigin::fair_coins) {
    const SortedScores sorted({members.begin(), members.end()}, {others.begin(), others.end()});
    const double alarm_risk = request.levels.alarm_risk(kNumbersOfGuesses);
    const OneRunBound bound =
        one_run_bound(sorted, request.claimed.delta, request.levels.printed_risk(kNumbersOfGuesses));
    audit.one_run = {bound.guesses, bound.correct, bound.epsilon_lower};
    audit.alarm_lower = one_run_bound(sorted, request.claimed.delta, alarm_risk).epsilon_lower;
    can_alarm = 2 * request.claimed.delta < alarm_risk;
    if (!can_alarm)
      audit.warnings.push_back(Warning::of_privacy(
          "cannot_alarm", "at the claimed delta no bound from one run can lie above 0 at the level of the alarm"));
  } else if (const auto measured = measured_threshold(members, others, random)) {
    const auto lower = [&](double risk) {
      return proven_bound(measured->counts, request.claimed.delta, risk).epsilon_lower;
    };
    audit.clopper_pearson = {lower(request.levels.printed_risk()), measured->threshold};
    audit.alarm_lower = lower(request.levels.alarm_risk());
  } else {
    audit.clopper_pearson.emplace();
  }
  if (request.claimed.epsilon && can_alarm) audit.holds = audit.alarm_lower <= *request.claimed.epsilon;
  return audit;
}

bool ScoreAudit::is_doubtful() const {
  if (holds != std::optional(true)) return false;
  return (one_run && one_run->epsilon_lower > *claimed.epsilon) ||
         (clopper_pearson && clopper_pearson->epsilon_lower > *claimed.epsilon);
}

Json ScoreAudit::to_json() const {
  Json json = figures.to_json();
  json.set("one_run", one_run ? Json::object({{"guesses", one_run->guesses},
                                              {"correct", one_run->correct},
                                              {"epsilon_lower", one_run->epsilon_lower}})
                              : Json());
  json.set("clopper_pearson", clopper_pearson ? Json::object({{"epsilon_lower", clopper_pearson->epsilon_lower},
                                                              {"threshold", figure_json(clopper_pearson->threshold)}})
                                              : Json());
  json.set("claimed", Json::object({{"epsilon", figure_json(claimed.epsilon)}, {"delta", claimed.delta}}));
  const bool bounded = one_run || clopper_pearson;
  json.set("alarm", Json::object({{"epsilon_lower", bounded ? Json(alarm_lower) : Json()}, {"rate", alarm_rate}}));
  json.set("holds", holds ? Json(*holds) : Json());
  return json;
}

}  // namespace gauze::audit
