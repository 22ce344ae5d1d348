#include "gauze/audit/events/event_audit.h"
#include "gauze/audit/model/recipe.h"
#include "gauze/audit/self/internal/claim_lists.h"
#include "gauze/learn/job/score_job.h"

namespace gauze::audit::internal {
namespace {

constexpr std::uint64_t kScoreRuns = 1'000;

constexpr const char* kScorePolicy = R"(
version: 1
learn:
  rows: 20
  {}features: {{x: {{numeric: [-1, 1]}}}}
  target: {{column: y, values: [no, yes]}}
  groups: {{town: {{values: [Kiel, Oslo]}}}}
provenance: {{features: public, hyperparameters: public}}
)";

using Cells = std::vector<std::string_view>;

/// A model of a few steps: whatever it answers, its figures must keep their promise.
Result<learn::ModelFile> small_model(const schema::Policy& policy) {
  learn::TrainingOptions options;
  options.unprotected = true;
  options.steps = 3;
  options.batch = 4;
  GAUZE_TRY(learn::TrainingPlan plan, learn::TrainingPlan::make(std::move(options), *policy.learn));
  const Recipe recipe(std::move(plan));
  learn::LearningRows rows(*policy.learn, recipe.encoding(), table::DecimalSign::point, {});
  const bool has_id = policy.learn->unit.has_value();
  for (int i = 0; i < 8; ++i) {
    const std::string id = fmt::format("p{}", i);
    Cells cells = {i % 2 == 0 ? "-0.5" : "0.5", i % 2 == 0 ? "no" : "yes"};
    if (has_id) cells.push_back(id);
    rows.add(cells);
  }
  rows.finish();
  Progress silent;
  return recipe.train(policy, rows, 1, silent);
}

/// With or without one unit; a person has more rows than count.
Result<ClaimAudit> audit_score(const std::string& unit, bool by_groups, const SelfAuditRequest& request,
                               Progress& progress) {
  GAUZE_TRY(const schema::Policy policy, schema::parse_policy(fmt::format(fmt::runtime(kScorePolicy), unit)));
  GAUZE_TRY(const learn::ModelFile model, small_model(policy));
  const learn::ScoreRequest score{.epsilon = Rational(1), .by = by_groups ? "town" : "", .min_group = 1};
  const bool has_id = policy.learn->unit.has_value();
  const auto rows_of = [&](bool with_unit) -> Result<learn::ScoredRows> {
    GAUZE_TRY(learn::ScoredRows rows, learn::ScoredRows::make(model, *policy.learn, score.by, false));
    const auto add = [&](const std::string& id, const char* x, const char* y) {
      Cells cells = {x, y};
      if (has_id) cells.push_back(id);
      if (by_groups) cells.push_back("Kiel");
      rows.add(cells);
    };
    for (int i = 0; i < 6; ++i) add(fmt::format("q{}", i), "0.5", i % 2 == 0 ? "yes" : "no");
    for (int i = 0; with_unit && i < (has_id ? 5 : 1); ++i) add("one", "0.5", "yes");
    rows.finish();
    return rows;
  };
  OutcomePair pair;
  progress.begin("scoring", 2 * request.runs(kScoreRuns));
  for (const bool with_unit : {false, true}) {
    GAUZE_TRY(const learn::ScoredRows rows, rows_of(with_unit));
    for (std::uint64_t run = 0; run < request.runs(kScoreRuns); ++run) {
      GAUZE_TRY_VOID(progress.check());
      GAUZE_TRY(
          const learn::ModelScore made,
          request.random.draw(
              run + (with_unit ? kRightStreams : 0),
              [&](SecureRandom& secure) { return learn::paid_score(rows, *policy.learn, score, secure); },
              [&](SeededRandom& seeded) { return learn::simulate_paid_score(rows, *policy.learn, score, seeded); }));
      std::vector<double> numbers;
      for (const auto& row : made.confusion) numbers.insert(numbers.end(), row.begin(), row.end());
      for (const auto& group : made.groups) numbers.push_back(group.size);
      (with_unit ? pair.right : pair.left).add_numbers(numbers);
      progress.advance(1);
    }
  }
  return audit_outcomes(pair, {.claimed = {.epsilon = 1, .delta = 0}, .levels = request.levels});
}

}  // namespace

std::vector<SelfClaim> score_claims() {
  const auto claim = [](std::string name, std::string unit, bool by_groups) {
    return SelfClaim{"score" + std::move(name),
                     {"score"},
                     [unit = std::move(unit), by_groups](const SelfAuditRequest& request, Progress& progress) {
                       return audit_score(unit, by_groups, request, progress);
                     }};
  };
  return {claim("", "", false), claim(", by groups", "", true),
          claim(", persons", "unit: {id: person, max_rows: 2}\n  ", false)};
}

}  // namespace gauze::audit::internal
