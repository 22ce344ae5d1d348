// Plans and labels of every kind of release: the noise is enough for what one unit moves, the shares add up to what was asked
// for, and the label says these figures and no others.
#include "gauze/release/job/release_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/schema/testing/small_tables.h"

namespace gauze::release {
namespace release_label_test {

using namespace schema;  // the vocabulary of this file

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// One kind of release, with what a unit moves by its definition.
struct Kind {
  std::string keys;  ///< of the section `release`
  bool gaussian = false;
  bool stability = false;
  bool select = false;
  double classes = 1;  ///< that one unit touches; replaced: those of both
  double rows = 1;     ///< in each of them
  double total = 1;    ///< by which the total moves; 0: it is public
  bool persons = false;
};

std::vector<Kind> kinds() {
  const std::string unit = ", unit: {id: p, name: one patient, max_classes: 3, max_rows: 2}";
  const std::string replace = ", neighbours: replace-one", gaussian = ", noise: gaussian";
  std::vector<Kind> all;
  for (const bool select : {false, true}) {
    const std::string mode = select ? "mode: select" : "mode: grid, levels: {age: 1, town: 1}";
    for (const bool normal : {false, true}) {
      const std::string noise = normal ? gaussian : "";
      all.push_back({.keys = mode + noise, .gaussian = normal, .select = select});
      all.push_back({.keys = mode + noise + replace, .gaussian = normal, .select = select, .classes = 2, .total = 0});
      all.push_back({.keys = mode + noise + unit,
                     .gaussian = normal,
                     .select = select,
                     .classes = 3,
                     .rows = 2,
                     .total = 6,
                     .persons = true});
      all.push_back({.keys = mode + noise + unit + replace,
                     .gaussian = normal,
                     .select = select,
                     .classes = 6,
                     .rows = 2,
                     .total = 6,
                     .persons = true});
    }
  }
  const std::string stability = "mode: stability, levels: {age: 1, town: 1}";
  all.push_back({.keys = stability, .stability = true});
  all.push_back({.keys = stability + replace, .stability = true, .classes = 2, .total = 0});
  all.push_back({.keys = stability + unit, .stability = true, .classes = 3, .total = 3, .persons = true});
  all.push_back({.keys = stability + unit + replace, .stability = true, .classes = 6, .total = 3, .persons = true});
  return all;
}

schema::Policy policy_of(const Kind& kind) {
  const auto policy = schema::parse_policy(fmt::format(R"(
version: 1
columns:
  age:  {{role: quasi, hierarchy: {{intervals: [[0, 30, 60, 120], [0, 60, 120]]}}}}
  town: {{role: quasi, hierarchy: {{groups: [{{north: [Kiel, Oslo], south: [Rom]}}]}}}}
privacy: {{k: 4}}
release: {{{}}}
provenance: {{quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}}
)",
                                                       kind.keys));
  EXPECT_TRUE(policy) << policy.error().message;
  return *policy;
}

const Rational kEpsilon(3, 2), kDelta(1, 100'000);

ReleasePlan plan_of(const Kind& kind) {
  const auto plan = ReleasePlan::make(
      policy_of(kind), {.epsilon = kEpsilon, .delta = kind.gaussian || kind.stability ? kDelta : Rational(0)});
  EXPECT_TRUE(plan) << kind.keys << ": " << plan.error().message;
  return *plan;
}

/// The epsilon of rho-zCDP at a delta, over all orders: Canonne, Kamath, Steinke 2020, proposition 12.
double epsilon_by_hand(double rho, double delta) {
  double best = HUGE_VAL;
  for (double a = 1.001; a < 1000; a *= 1.001)
    best = std::min(best, a * rho + std::log1p(-1 / a) - (std::log(a) + std::log(delta)) / (a - 1));
  return best;
}

TEST(ReleasePlans, SharesAddUpToWhatWasAskedFor) {
  for (const Kind& kind : kinds()) {
    const ReleasePlan plan = plan_of(kind);
    EXPECT_EQ(plan.budget.epsilon_select + plan.budget.epsilon_total + plan.budget.epsilon_cells, kEpsilon)
        << kind.keys;
    EXPECT_EQ(plan.budget.epsilon_select.sign() > 0, kind.select) << kind.keys;
    EXPECT_EQ(plan.budget.total_noise.has_value(), kind.total > 0) << kind.keys;
  }
}

TEST(ReleasePlans, LaplaceNoiseIsMadeForWhatOneUnitMoves) {
  for (const Kind& kind : kinds()) {
    if (kind.gaussian) continue;
    const ReleasePlan plan = plan_of(kind);
    const double epsilon = plan.budget.epsilon_cells.to_double();
    EXPECT_NEAR(plan.budget.spread.to_double(), kind.classes * kind.rows / epsilon, 1e-12) << kind.keys;
    // The law that is drawn: a discrete Laplace has variance 1 / (2 sinh^2(1 / (2 scale))).
    const double half = std::sinh(epsilon / (2 * kind.classes * kind.rows));
    EXPECT_NEAR(plan.budget.cell_noise.law->variance() * 2 * half * half, 1, 1e-12) << kind.keys;
    if (kind.total == 0) continue;
    EXPECT_NEAR(plan.budget.total_spread.to_double(), kind.total / plan.budget.epsilon_total.to_double(), 1e-12)
        << kind.keys;
  }
}

TEST(ReleasePlans, GaussianNoiseKeepsTheBudgetInRho) {
  for (const Kind& kind : kinds()) {
    if (!kind.gaussian) continue;
    const ReleasePlan plan = plan_of(kind);
    const double sigma = plan.budget.spread.to_double(), total_sigma = plan.budget.total_spread.to_double();
    double rho = kind.classes * kind.rows * kind.rows / (2 * sigma * sigma);
    if (kind.total > 0) rho += kind.total * kind.total / (2 * total_sigma * total_sigma);
    const double allowed = (kEpsilon - plan.budget.epsilon_select).to_double();
    EXPECT_LE(epsilon_by_hand(rho, kDelta.to_double()), allowed * (1 + 1e-6)) << kind.keys;
    EXPECT_GE(epsilon_by_hand(rho, kDelta.to_double()), allowed * 0.999)
        << kind.keys << ": no more noise than needed";
  }
}

TEST(ReleasePlans, AClassOfKIsNamedWithItsShareOfDeltaAtMost) {
  for (const Kind& kind : kinds()) {
    if (!kind.stability) continue;
    const ReleasePlan plan = plan_of(kind);
    EXPECT_EQ(plan.delta_per_class * Rational(static_cast<std::int64_t>(kind.classes)), kDelta) << kind.keys;
    // P[Z >= m] = r^m / (1 + r).
    const double r = std::exp(-1 / plan.budget.spread.to_double());
    const auto tail = [&](std::int64_t m) { return std::pow(r, static_cast<double>(m)) / (1 + r); };
    const std::int64_t above = plan.histogram_release(1)->cut() - 4;
    EXPECT_LE(tail(above), plan.delta_per_class.to_double()) << kind.keys;
    EXPECT_GT(tail(above - 1), plan.delta_per_class.to_double()) << kind.keys << ": the smallest that does";
  }
}

table::TupleCounts tuples_of(const Kind& kind, std::uint64_t many) {
  if (kind.persons) return make_tuples({{"10", "Kiel", "a"}, {"70", "Rom", "b"}, {"x", "Oslo", "c"}}, {many, 2, 1});
  return make_tuples({{"10", "Kiel"}, {"70", "Rom"}, {"x", "Oslo"}}, {many, 2, 1});
}

PrivacyLabel label_of(const Kind& kind, const ReleasePlan& plan, const schema::Policy& policy,
                      std::uint64_t many = 9) {
  SeededRandom random(1);
  auto release = simulate_release(random, tuples_of(kind, many), plan).value();
  // The levels are chosen at random; for labels to be compared they are the same ones.
  if (kind.select) release.levels = {1, 1};
  if (kind.select) release.cut = 1;
  return make_label(plan, policy, release);
}

double number(const Json& object, std::string_view key) {
  const Json* found = object.find(key);
  return found == nullptr ? 0 : std::stod(std::string(found->text()));
}

TEST(ReleaseLabels, KeepTheRulesAndStateTheWholeCost) {
  for (const Kind& kind : kinds()) {
    const ReleasePlan plan = plan_of(kind);
    const PrivacyLabel label = label_of(kind, plan, policy_of(kind));
    EXPECT_TRUE(label.check_rules()) << kind.keys << ": " << label.check_rules().error().message;
    EXPECT_EQ(label.cost.epsilon, "1.5") << kind.keys;
    const bool pure = !kind.gaussian && !kind.stability;
    EXPECT_EQ(label.definition, pure ? Definition::pure : Definition::approximate) << kind.keys;
    EXPECT_EQ(label.cost.delta, pure ? std::nullopt : std::optional<std::string>("0.00001")) << kind.keys;
    EXPECT_EQ(label.privacy_unit, kind.persons ? "one patient" : "one row") << kind.keys;
    EXPECT_EQ(label.neighbours == Neighbours::replace_one, kind.keys.find("replace-one") != std::string::npos);
    EXPECT_FALSE(label.warning) << kind.keys;
  }
}

TEST(ReleaseLabels, ParametersAreThoseOfThePlan) {
  for (const Kind& kind : kinds()) {
    const ReleasePlan plan = plan_of(kind);
    const Json parameters = label_of(kind, plan, policy_of(kind)).parameters;
    if (!kind.gaussian) {
      EXPECT_NEAR(number(parameters, "epsilon_counts") + number(parameters, "epsilon_total") +
                      number(parameters, "epsilon_select"),
                  1.5, 1e-9)
          << kind.keys;
    }
    EXPECT_NEAR(number(parameters, kind.gaussian ? "sigma" : "scale"), plan.budget.spread.to_double(), 1e-9);
    EXPECT_EQ(parameters.find(kind.gaussian ? "scale" : "sigma"), nullptr);
    EXPECT_EQ(parameters.find("epsilon_select") != nullptr, kind.select) << kind.keys;
    EXPECT_EQ(parameters.find("threshold") != nullptr, kind.stability) << kind.keys;
    EXPECT_EQ(parameters.find("domain_size") != nullptr, !kind.stability) << "the classes that occur are no domain";
    EXPECT_EQ(parameters.find("fit") != nullptr, !kind.stability);
    EXPECT_EQ(parameters.find("expected_phantom_cells") != nullptr, !kind.stability);
    if (!kind.stability) {
      const double pass =
          plan.budget.cell_noise.law->upper_tail(static_cast<std::int64_t>(number(parameters, "cut"))).middle();
      EXPECT_NEAR(number(parameters, "expected_phantom_cells"), number(parameters, "domain_size") * pass, 1e-6);
    }
    EXPECT_EQ(parameters.find(kind.gaussian ? "sigma_total" : "scale_total") != nullptr, kind.total > 0) << kind.keys;
    EXPECT_EQ(number(parameters, "max_classes"), kind.persons ? 3 : 0) << kind.keys;
    EXPECT_EQ(parameters.find("levels")->dump(), R"({"age":1,"town":1})") << kind.keys;
    EXPECT_EQ(number(parameters, "k"), 4);
  }
}

TEST(ReleaseLabels, DoNotDependOnTheData) {
  for (const Kind& kind : kinds()) {
    if (kind.select) continue;  // the domain is that of the chosen levels, which are a noisy result
    const ReleasePlan plan = plan_of(kind);
    EXPECT_EQ(label_of(kind, plan, policy_of(kind), 1).to_json().dump(),
              label_of(kind, plan, policy_of(kind), 5000).to_json().dump())
        << kind.keys;
  }
}

TEST(ReleaseLabels, SayWhatIsCoveredAndWhatIsNot) {
  for (const Kind& kind : kinds()) {
    const ReleasePlan plan = plan_of(kind);
    const PrivacyLabel label = label_of(kind, plan, policy_of(kind));
    const auto covers = [&](const char* text) { return ::testing::Matches(Contains(HasSubstr(text)))(label.covers); };
    const auto leaves_out = [&](const char* text) {
      return ::testing::Matches(Contains(HasSubstr(text)))(label.does_not_cover);
    };
    EXPECT_EQ(covers("choice of the levels"), kind.select) << kind.keys;
    EXPECT_EQ(covers("the total: it is noisy"), kind.total > 0) << kind.keys;
    EXPECT_EQ(covers("never named"), kind.stability) << kind.keys;
    EXPECT_EQ(covers("empty ones included"), !kind.stability) << kind.keys;
    EXPECT_EQ(leaves_out("the number of rows: it is public"), kind.total == 0) << kind.keys;
    EXPECT_EQ(leaves_out("belong to nobody"), kind.persons) << kind.keys;
    EXPECT_EQ(leaves_out("may hold no record at all"), !kind.stability) << kind.keys;
    EXPECT_TRUE(leaves_out("their costs add up")) << kind.keys;
    EXPECT_FALSE(leaves_out("chosen on this data")) << kind.keys;
  }
}

TEST(ReleaseLabels, NameEverythingThatWasChosenOnTheData) {
  const Kind kind = kinds().front();
  const ReleasePlan plan = plan_of(kind);
  const auto text = [&](const schema::Policy& policy) {
    return ::testing::PrintToString(label_of(kind, plan, policy).does_not_cover);
  };
  using Field = Provenance schema::PolicyProvenance::*;
  const std::vector<std::pair<Field, std::string>> fields = {
      {&schema::PolicyProvenance::quasi, "the quasi-identifiers were chosen on this data"},
      {&schema::PolicyProvenance::levels, "the levels were chosen on this data"},
      {&schema::PolicyProvenance::k, "\"k was chosen on this data"},
      {&schema::PolicyProvenance::epsilon, "\"epsilon was chosen on this data"}};
  for (const auto& [field, sentence] : fields) {
    schema::Policy one = policy_of(kind);
    one.provenance.*field = Provenance::data;
    EXPECT_THAT(text(one), HasSubstr(sentence));
  }
  schema::Policy all = policy_of(kind);
  all.provenance.quasi = all.provenance.levels = all.provenance.k = all.provenance.epsilon = Provenance::data;
  EXPECT_THAT(text(all), HasSubstr("the quasi-identifiers, the levels, k and epsilon were chosen on this data"));
  EXPECT_EQ(label_of(kind, plan, all).provenance.at("k"), Provenance::data);
}

TEST(ReleaseLabels, LevelsThatWereSelectedAreNotHeldAgainstThePolicy) {
  for (const Kind& kind : kinds()) {
    if (!kind.select) continue;
    schema::Policy policy = policy_of(kind);
    policy.provenance.levels = Provenance::data;
    const PrivacyLabel label = label_of(kind, plan_of(kind), policy);
    EXPECT_THAT(label.does_not_cover, Not(Contains(HasSubstr("chosen on this data")))) << kind.keys;
    EXPECT_EQ(label.provenance.at("levels"), Provenance::selected);
  }
}

}  // namespace release_label_test
}  // namespace gauze::release
