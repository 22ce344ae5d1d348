// The noise that is drawn has the law that was promised, and naming groups keeps (epsilon, delta).
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gauze/mechanisms/testing/closed_forms.h"
#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace drawn_noise_test {

testing::Database grid_of_cells() {
  return testing::Database(
      {{"t.csv", "id,a,b,x\n1,0,0,3\n1,0,0,4\n1,0,0,4\n2,7,7,1\n"}},
      "version: 1\nunit: {name: one person, table: t, key: id}\nlimits: {groups: 3, rows: 2}\ntables:\n  t:\n    source: t.csv\n    unit: {column: id}\n"
      "    columns: {id: {type: integer}, a: {type: integer, bounds: [0, 999], nullable: false}, b: {type: integer, bounds: [0, 99], nullable: false}, x: {type: integer, bounds: [0, 4]}}\n"
      "provenance: {bounds: public, values: public, limits: public}\n");
}

/// The lag correlation of two columns, which are as long; of n independent pairs it is beyond 4.9 / sqrt(n) with p <= 1e-6.
double correlation(const std::vector<std::int64_t>& x, const std::vector<std::int64_t>& y, std::size_t lag) {
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i + lag < x.size(); ++i) {
    const auto a = static_cast<double>(x[i]);
    const auto b = static_cast<double>(y[i + lag]);
    xy += a * b;
    xx += a * a;
    yy += b * b;
  }
  return xy / std::sqrt(xx * yy);
}

// n = 100,000 cells: each comparison alarms on correct noise with p <= 1e-6 (DKW: 0.0085); a scale that is 10 % off moves the
// distribution function by 0.018 (Laplace) or 0.024 (Gaussian) and is caught in > 99.9 % of runs.
TEST(QueryNoise, OfAHundredThousandCellsHasTheLawThatWasPlanned) {
  const testing::Database cells = grid_of_cells();
  SchemaTables tables = cells.load(1);
  for (const bool is_laplace : {true, false}) {
    QueryParameters parameters = testing::with_epsilon(1);
    if (!is_laplace) parameters.budget = {.rho = Rational(1, 2)};
    const auto plan = cells.plan("SELECT a, b, COUNT(*), SUM(x) FROM t GROUP BY a, b", parameters);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    Progress progress;
    SeededRandom seeded(1);
    Chance silent = Chance::none(seeded);
    const NoisyTable exact = measure(*plan, tables, silent, progress).value();
    Chance chance(SecureRandom::of_thread());
    const NoisyTable drawn = measure(*plan, tables, chance, progress).value();
    ASSERT_EQ(drawn.rows.size(), 100'000U);
    std::vector<std::vector<std::int64_t>> noise(2);
    for (std::size_t row = 0; row < drawn.rows.size(); ++row)
      for (std::size_t i = 0; i < 2; ++i)
        noise[i].push_back(static_cast<std::int64_t>(drawn.rows[row].steps[i] - exact.rows[row].steps[i]));
    // R = 2, G = 3, m = 2: COUNT(*) has S = 2, SUM(x) has S = 8. Laplace: G S m / epsilon; Gaussian: S sqrt(G m / (2 rho)).
    const double spread[] = {is_laplace ? 12 : 2 * std::sqrt(6.0), is_laplace ? 48 : 8 * std::sqrt(6.0)};
    for (std::size_t i = 0; i < 2; ++i) {
      const double steps = spread[i] / plan->noise.measurements[i].step(plan->measurements.all[i]).to_double();
      const auto cdf = [&](std::int64_t x) {
        return is_laplace ? gauze::testing::discrete_laplace_cdf(steps, x)
                          : gauze::testing::rounded_gaussian_cdf(steps, x);
      };
      EXPECT_LT(gauze::testing::worst_cdf_gap(noise[i], cdf), gauze::testing::kolmogorov_bound(noise[i].size()))
          << (is_laplace ? "laplace" : "gaussian") << ", measurement " << i;
      EXPECT_LT(std::abs(correlation(noise[i], noise[i], 1)), 4.9 / std::sqrt(1e5));
    }
    EXPECT_LT(std::abs(correlation(noise[0], noise[1], 0)), 4.9 / std::sqrt(1e5));
  }
}

/// What is seen of one group: nothing, or a noisy count.
using Seen = std::map<std::int64_t, double>;
constexpr std::int64_t kNothing = -1'000'000;

/// All that can be seen of a group of n units, with its probability.
Seen outcomes(const QueryPlan& plan, std::int64_t units, std::int64_t threshold, std::int64_t reach) {
  const NoiseLaw& law = *plan.noise.measurements[*plan.measurements.naming].law;
  Seen seen;
  if (units == 0) return {{kNothing, 1}};
  double above = law.tail(threshold - units).middle();
  seen[kNothing] = 1 - above;
  for (std::int64_t count = threshold; count < threshold + reach; ++count) {
    const double next = law.tail(count + 1 - units).middle();
    seen[count] = above - next;
    above = next;
  }
  seen[threshold + reach] = above;
  return seen;
}

/// The two of several independent groups together, as texts.
std::map<std::string, double> together(const std::vector<Seen>& groups) {
  std::map<std::string, double> all{{"", 1}};
  for (const Seen& group : groups) {
    std::map<std::string, double> more;
    for (const auto& [text, p] : all)
      for (const auto& [count, q] : group) more[fmt::format("{}/{}", text, count)] += p * q;
    all = std::move(more);
  }
  return all;
}

/// The smallest delta for which P <= e^epsilon Q + delta holds of every set.
double delta_of(const std::map<std::string, double>& p, const std::map<std::string, double>& q, double epsilon) {
  double delta = 0;
  for (const auto& [seen, probability] : p) {
    const auto other = q.find(seen);
    delta += std::max(0.0, probability - std::exp(epsilon) * (other == q.end() ? 0 : other->second));
  }
  return delta;
}

/// How many units each note has, as the engine counts them; the person with this number is left out.
std::map<std::string, std::int64_t> units_by_note(const std::string& people, int without, const QueryParameters& how,
                                                  std::optional<QueryPlan>& plan,
                                                  std::unique_ptr<testing::Database>& kept) {
  std::string csv = "id,note\n";
  std::istringstream lines(people);
  for (std::string line; std::getline(lines, line);)
    if (std::stoi(line) != without) csv += line + "\n";
  kept = std::make_unique<testing::Database>(
      std::vector<std::pair<std::string, std::string>>{{"t.csv", csv}},
      "version: 1\nunit: {name: one person, table: t, key: id}\nlimits: {groups: 2, rows: 1}\ntables:\n  t: {source: t.csv, unit: {column: id}, columns: {id: {type: integer}, note: {type: text}}}\n"
      "provenance: {bounds: public, values: public, limits: public}\n");
  auto made = kept->plan("SELECT note, COUNT(DISTINCT id) FROM t GROUP BY note", how);
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
  plan = std::move(*made);
  SchemaTables tables = kept->load(1);
  SeededRandom seeded(1);
  Chance chance = Chance::none(seeded);
  Progress progress;
  std::map<std::string, std::int64_t> units;
  const NoisyTable table = measure(*plan, tables, chance, progress).value();
  for (const auto& row : table.rows)
    units[*row.keys[0]] = static_cast<std::int64_t>(row.steps[*plan->measurements.naming]);
  return units;
}

TEST(QueryPrivateKeys, KeepEpsilonAndDeltaExactlyAndOneStepLowerTheyDoNot) {
  // Person 9 is alone in a group, or in two, or shares them.
  const std::string databases[] = {"1,a\n2,a\n9,b\n", "1,a\n9,b\n9,c\n", "1,a\n2,b\n9,a\n9,b\n", "1,a\n9,a\n9,c\n"};
  for (const bool is_laplace : {true, false}) {
    bool is_tight = false;
    for (const std::string& people : databases) {
      QueryParameters how = testing::with_epsilon(1, Rational::parse("1e-3").value());
      how.budget.noise = is_laplace ? NoiseKind::laplace : NoiseKind::gaussian;
      std::unique_ptr<testing::Database> kept[2];
      std::optional<QueryPlan> plan;
      auto with = units_by_note(people, -1, how, plan, kept[0]);
      auto without = units_by_note(people, 9, how, plan, kept[1]);
      const auto threshold = static_cast<std::int64_t>(*plan->noise.threshold);
      for (const std::int64_t step : {0, 1}) {
        std::vector<Seen> here, there;
        for (const auto& [note, units] : with) {
          if (units == without[note]) continue;  // seen alike
          EXPECT_EQ(units, without[note] + 1);
          here.push_back(outcomes(*plan, units, threshold - step, 150));
          there.push_back(outcomes(*plan, without[note], threshold - step, 150));
        }
        ASSERT_LE(here.size(), 2U);
        const double delta =
            std::max(delta_of(together(here), together(there), 1), delta_of(together(there), together(here), 1));
        // A bound of the doubles' own error is far below 1e-12.
        if (step == 0) {
          EXPECT_LE(delta, 1e-3 + 1e-12) << people;
        } else {
          is_tight = is_tight || delta > (is_laplace ? 1e-3 : 0.5e-3);
        }
      }
    }
    // Of Gaussian noise half of delta is the threshold's: a group of one unit alone exceeds that.
    EXPECT_TRUE(is_tight) << (is_laplace ? "laplace" : "gaussian");
  }
}

}  // namespace drawn_noise_test
}  // namespace gauze::query
