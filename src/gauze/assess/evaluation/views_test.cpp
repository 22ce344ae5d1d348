// What an evaluation sees of a table before any noise, by hand on a table of twelve people.
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/assess/evaluation/lattice_view.h"
#include "gauze/assess/evaluation/level_view.h"
#include "gauze/assess/evaluation/sweep.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::assess {
namespace views_test {

constexpr const char* kPolicy = R"(
version: 1
columns:
  age:  {role: quasi, weight: 3, hierarchy: {intervals: [[0, 30, 60, 120], [0, 60, 120]]}}
  town: {role: quasi, hierarchy: {groups: [{north: [Kiel, Oslo], south: [Rom, Wien]}]}}
  sex:  {role: protected}
  sick: {role: target, values: ["yes", "no"], positive: "yes"}
privacy: {k: 2}
release: {mode: grid, levels: {age: 1, town: 1}}
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}
)";

/// Level 1 has the classes young north 4, young south 1, middle north 3, old south 2; two people are outside.
table::MemoryTable twelve() {
  return {{"age", "town", "sex", "sick"},
          {{"10", "Kiel", "f", "no"},
           {"10", "Oslo", "f", "no"},
           {"20", "Oslo", "m", "yes"},
           {"29", "Kiel", "m", "no"},
           {"20", "Rom", "f", "no"},
           {"30", "Kiel", "m", "yes"},
           {"40", "Kiel", "m", "yes"},
           {"59", "Oslo", "f", "no"},
           {"60", "Rom", "m", "yes"},
           {"99", "Wien", "f", "yes"},
           {"300", "Wien", "f", "no"},
           {"50", "Mars", "m", "no"}}};
}

struct Fixture {
  EvaluationSetting setting;
  EvaluationData data;
  ReleasedColumns columns;

  explicit Fixture(int repetitions = 3) {
    auto policy = schema::parse_policy(kPolicy);
    EXPECT_TRUE(policy) << policy.error().message;
    setting.policy = *policy;
    setting.take_roles_from_policy();
    setting.epsilons = {Rational(1'000'000), Rational(100'000'000)};  // noise of 0 but once in e^500,000 draws
    setting.repetitions = repetitions;
    setting.minimum_group = 0;
    table::MemoryTable table = twelve();
    Progress progress;
    data = EvaluationData::read(table, setting, progress).value();
    columns = ReleasedColumns::make(setting, data).value();
  }
  [[nodiscard]] LevelView view(std::vector<int> levels = {1, 1}) const {
    return LevelView::make(setting, data, columns, levels).value();
  }
};

std::string name_of(const LevelView& view, std::uint64_t cell) {
  return view.domain->text(cell, 0) + " " + view.domain->text(cell, 1);
}

TEST(LevelView, CountsTheClassesOfTheLevel) {
  const LevelView view = Fixture().view();
  std::map<std::string, std::uint64_t> classes;
  for (const auto& one : view.histogram.cells) classes[name_of(view, one.cell)] = one.count;
  EXPECT_EQ(classes, (std::map<std::string, std::uint64_t>{
                         {"[0, 30) north", 4}, {"[0, 30) south", 1}, {"[30, 60) north", 3}, {"[60, 120] south", 2}}));
  EXPECT_EQ(view.histogram.outside, 2U) << "too old, and from nowhere";
  EXPECT_EQ(view.histogram.total, 12U);
  EXPECT_EQ(view.cell_ends, (std::vector<std::uint64_t>{4, 5, 8, 10}));
  EXPECT_EQ(view.sampled_classes, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(view.truth.total(), 12);
  EXPECT_EQ(view.truth.rest, 2);
}

TEST(LevelView, LosesTheShareOfTheDomainThatAValueStandsFor) {
  const Fixture fixture;
  const LevelView view = fixture.view();
  // Ages: five of a quarter of the range, four of a quarter, two of a half, one outside. A town stands for two of four and
  // loses (1/2 - 1/4) / (1 - 1/4) = 1/3, outside all.
  const double age = (5 * 0.25 + 4 * 0.25 + 2 * 0.5 + 1) / 12, town = (11.0 / 3 + 1) / 12;
  ASSERT_EQ(view.column_losses.size(), 2U);
  EXPECT_NEAR(view.column_losses[0], age, 1e-12);
  EXPECT_NEAR(view.column_losses[1], town, 1e-12);
  EXPECT_NEAR(view.loss, (3 * age + town) / 4, 1e-12) << "age weighs three times as much";
  EXPECT_NEAR(fixture.view({3, 2}).loss, 1, 1e-12) << "everything stands for everything";
  EXPECT_NEAR(fixture.view({1, 0}).column_losses[1], 1.0 / 12, 1e-12) << "a value as it is loses nothing";
}

TEST(LevelView, KnowsWhatBelongingToAGroupMeans) {
  const LevelView view = Fixture().view();
  ASSERT_EQ(view.group_shares.size(), 1U);
  // Groups in the order of their names: f, m.
  EXPECT_EQ(view.group_rows[0], (std::vector<double>{6, 6}));
  EXPECT_EQ(view.group_outside[0], (std::vector<double>{1, 1}));
  std::map<std::string, std::vector<double>> rows;
  for (std::size_t i = 0; i < view.histogram.cells.size(); ++i) {
    auto& list = rows[name_of(view, view.histogram.cells[i].cell)] = {0, 0};
    for (const auto& share : view.group_shares[0][i]) list[share.group] = share.rows;
  }
  EXPECT_EQ(rows, (std::map<std::string, std::vector<double>>{{"[0, 30) north", {2, 2}},
                                                              {"[0, 30) south", {1, 0}},
                                                              {"[30, 60) north", {1, 2}},
                                                              {"[60, 120] south", {1, 1}}}));
  // f: ages 1/4 x 4, 1/2, outside 1; towns 1/3 each. m: ages 1/4 x 5, 1/2; towns 1/3 x 5, outside 1. Mean of both columns.
  EXPECT_NEAR(view.group_losses[0][0], ((4 * 0.25 + 0.5 + 1) + 6.0 / 3) / 2 / 6, 1e-12);
  EXPECT_NEAR(view.group_losses[0][1], ((5 * 0.25 + 0.5) + (5.0 / 3 + 1)) / 2 / 6, 1e-12);
}

TEST(LevelView, SplitsTheRowsThatModelsLearnFromByOutcome) {
  const Fixture fixture;
  const LevelView view = fixture.view();
  EXPECT_EQ(view.cells_a_class, 2U);
  std::uint64_t train = 0, positive = 0, negative = 0, joint = view.joint.outside;
  for (const std::uint64_t rows : fixture.data.train) train += rows;
  EXPECT_EQ(train + fixture.data.test_rows, 12U);
  for (const auto& one : view.joint.cells) joint += one.count;
  EXPECT_EQ(joint, train);
  for (const auto& [cell, outcomes] : view.train_outcomes) {
    positive += outcomes.positive;
    negative += outcomes.negative;
  }
  EXPECT_EQ(positive + negative + view.joint.outside, train);
  const models::Examples examples = view.examples(to_class_table(view.joint));
  double learnt_positive = 0, learnt_negative = 0;
  for (const double rows : examples.positive) learnt_positive += rows;
  for (const double rows : examples.negative) learnt_negative += rows;
  EXPECT_EQ(learnt_positive, static_cast<double>(positive));
  EXPECT_EQ(learnt_negative, static_cast<double>(negative));
}

TEST(LevelView, ASensitiveValueOutsideTheDomainIsInNoCell) {
  auto policy = schema::parse_policy(R"(
version: 1
columns:
  town: {role: quasi, values: [Kiel, Rom]}
  pain: {role: sensitive, hierarchy: {intervals: [[0, 5, 10]]}}
  sick: {role: target, values: ["yes", "no"], positive: "yes"}
privacy: {k: 1}
release: {mode: grid, kind: records}
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}
)");
  ASSERT_TRUE(policy) << policy.error().message;
  EvaluationSetting setting;
  setting.policy = *policy;
  setting.take_roles_from_policy();
  setting.epsilons = {Rational(1)};
  table::MemoryTable::Rows rows;
  for (int i = 0; i < 300; ++i) rows.push_back({"Kiel", i % 3 == 0 ? "77" : i % 3 == 1 ? "2" : "7", "yes"});
  table::MemoryTable table({"town", "pain", "sick"}, std::move(rows));
  Progress progress;
  const EvaluationData data = EvaluationData::read(table, setting, progress).value();
  EXPECT_EQ(data.of_records, (std::vector<std::string>{"pain", "sick"}));
  const ReleasedColumns columns = ReleasedColumns::make(setting, data).value();
  const LevelView view = LevelView::make(setting, data, columns, {0}).value();
  ASSERT_TRUE(view.records);
  EXPECT_EQ(view.records->histogram.outside, 100U);
  EXPECT_EQ(view.histogram.outside, 0U) << "the class is known";
  std::uint64_t outside = 0;
  for (std::size_t i = 0; i < data.tuples.size(); ++i)
    if (data.tuples.dictionaries[1].values[data.tuples.codes[1][i]] == "77") outside += data.train[i];
  EXPECT_EQ(view.joint.outside, outside) << "not taken for the first value";
}

const Json& node_at(const Json& lattice, const std::string& levels) {
  static const Json kNone;
  for (const Json& node : *lattice.find("nodes")->elements())
    if (node.find("levels")->dump() == levels) return node;
  ADD_FAILURE() << "no node " << levels;
  return kNone;
}

TEST(LatticeView, DescribesEveryCombinationOfLevels) {
  const Fixture fixture;
  const Json lattice = describe_lattice(fixture.setting, fixture.data, fixture.columns, fixture.view()).value();
  EXPECT_EQ(lattice.find("columns")->dump(), R"(["age","town"])");
  EXPECT_EQ(lattice.find("complete")->dump(), "true");
  EXPECT_EQ(lattice.find("heights")->dump(), "[3,2]");
  EXPECT_EQ(lattice.find("nodes")->elements()->size(), 9U) << "ages have levels 1 to 3, towns 0 to 2";
  const Json& chosen = node_at(lattice, "[1,1]");
  EXPECT_EQ(chosen.find("chosen")->dump(), "true");
  EXPECT_EQ(chosen.find("classes")->dump(), "4");
  EXPECT_EQ(chosen.find("smallest")->dump(), "1");
  EXPECT_NEAR(std::stod(std::string(chosen.find("below_k")->text())), 3.0 / 12, 1e-12) << "one alone, two outside";
  const double age = (9 * 0.25 + 2 * 0.5 + 1) / 12, town = (11.0 / 3 + 1) / 12;
  EXPECT_NEAR(std::stod(std::string(chosen.find("loss")->text())), (3 * age + town) / 4, 1e-12) << "weighted";
  // Level 2 of ages: up to 60 and above; with towns grouped: north 7, south 1 and 2.
  const Json& wider = node_at(lattice, "[2,1]");
  EXPECT_EQ(wider.find("classes")->dump(), "3");
  EXPECT_EQ(wider.find("chosen")->dump(), "false");
  int chosen_nodes = 0;
  for (const Json& node : *lattice.find("nodes")->elements()) chosen_nodes += node.find("chosen")->dump() == "true";
  EXPECT_EQ(chosen_nodes, 1);
}

/// A sweep without noise to speak of.
struct QuietSweep {
  Fixture fixture;
  Sweep sweep;
  SweepRuns runs;

  explicit QuietSweep(std::uint64_t k) : sweep(fixture.setting, fixture.data, fixture.columns, 0.9) {
    fixture.setting.policy.privacy.k = k;
    Progress progress;
    EXPECT_TRUE(sweep.prepare());
    runs = sweep.run(progress).value();
  }
  [[nodiscard]] double figure(const FigurePath& path, std::size_t epsilon = 0) const {
    const auto found = runs.estimate_of(epsilon, path);
    EXPECT_TRUE(found) << path.back();
    if (!found) return std::nan("");
    EXPECT_NEAR(found->sd, 0, 1e-12) << path.back() << " differs from run to run";
    return found->mean;
  }
};

TEST(Sweep, WithoutNoiseAndSmallClassesMeasuresTheTruth) {
  const QuietSweep quiet(1);
  for (const std::size_t epsilon : {0U, 1U}) {
    EXPECT_NEAR(quiet.figure({"tvd"}, epsilon), 0, 1e-12);
    EXPECT_EQ(quiet.figure({"tvd_raw"}, epsilon), 0);
    EXPECT_EQ(quiet.figure({"classes"}, epsilon), 4);
    EXPECT_EQ(quiet.figure({"k_noisy"}, epsilon), 1);
    EXPECT_EQ(quiet.figure({"total"}, epsilon), 12);
    EXPECT_EQ(quiet.figure({"privacy", "highest_risk"}, epsilon), 1);
    // Whoever is in one of the four classes is picked with probability 1 / size: one expected hit a class.
    EXPECT_NEAR(quiet.figure({"privacy", "linkage"}, epsilon), 4.0 / 12, 1e-12);
    EXPECT_NEAR(quiet.figure({"utility", "parts", "distribution"}, epsilon), 1, 1e-12);
    EXPECT_NEAR(quiet.figure({"utility", "parts", "marginals"}, epsilon), 1, 1e-12);
    EXPECT_NEAR(quiet.figure({"utility", "parts", "detail"}, epsilon), 1 - quiet.sweep.view().loss, 1e-12);
    EXPECT_NEAR(quiet.figure({"utility", "range_queries", "error"}, epsilon), 0, 1e-12);
    EXPECT_NEAR(quiet.figure({"utility", "chi_square", "age", "statistic"}, epsilon), 0, 1e-12);
    EXPECT_EQ(quiet.figure({"utility", "chi_square", "town", "rejected"}, epsilon), 0);
    EXPECT_NEAR(quiet.figure({"fairness", "sex", "groups", "f", "count_error"}, epsilon), 0, 1e-12);
    for (const ClassError& one : quiet.runs.errors[epsilon]) EXPECT_EQ(one.error, 0);
    EXPECT_EQ(quiet.runs.errors[epsilon].size(), 3U * 4) << "every class in every run";
  }
}

TEST(Sweep, WithoutNoiseLosesTheClassesBelowK) {
  // k = 3: the classes of 4 and 3 are named, those of 1 and 2 go to the rest with the two outside.
  const QuietSweep quiet(3);
  EXPECT_EQ(quiet.figure({"classes"}), 2);
  EXPECT_EQ(quiet.figure({"k_noisy"}), 3);
  EXPECT_EQ(quiet.figure({"total"}), 12);
  EXPECT_NEAR(quiet.figure({"tvd"}), 3.0 / 12, 1e-12) << "three people moved to the rest";
  EXPECT_NEAR(quiet.figure({"privacy", "linkage"}), 2.0 / 12, 1e-12);
  EXPECT_NEAR(quiet.figure({"privacy", "highest_risk"}), 1.0 / 3, 1e-12);
  // Of the women inside, two of five are in classes that vanish, of the men one of five: off by all of them.
  EXPECT_NEAR(quiet.figure({"fairness", "sex", "groups", "f", "count_error"}), 2.0 / 5, 1e-12);
  EXPECT_NEAR(quiet.figure({"fairness", "sex", "groups", "m", "count_error"}), 1.0 / 5, 1e-12);
  double lost = 0;
  for (const ClassError& one : quiet.runs.errors[0]) lost += one.error == -1 ? 1 : 0;
  EXPECT_EQ(lost, 3 * 2) << "two classes in three runs";
}

TEST(Sweep, ScoresAreTheMeansOfTheirParts) {
  const QuietSweep quiet(1);
  for (std::size_t run = 0; run < 3; ++run) {
    const auto value = [&](const FigurePath& path) {
      return quiet.runs.values[0][quiet.runs.figures.find(path)][run];
    };
    double sum = 0, parts = 0;
    for (const char* part : {"distribution", "detail", "marginals", "model"}) {
      const double one = value({"utility", "parts", part});
      if (std::isnan(one)) continue;
      sum += one;
      parts += 1;
    }
    EXPECT_NEAR(value({"utility", "score"}), sum / parts, 1e-12);
    EXPECT_EQ(quiet.runs.scores[0][run].utility, value({"utility", "score"}));
    EXPECT_NEAR(value({"privacy", "score"}), 0, 1e-12) << "epsilon of a million promises nothing";
  }
}

TEST(Sweep, HasNoFigureThatWasNotListed) {
  const QuietSweep quiet(1);
  EXPECT_FALSE(quiet.runs.estimate_of(0, {"fairness", "town", "eod_sum"}));
  EXPECT_FALSE(quiet.runs.estimate_of(0, {"nothing"}));
}

TEST(FigureList, NumbersPathsOnceAndPutsThemInPlace) {
  FigureList list;
  EXPECT_EQ(list.add({"a", "b"}), 0U);
  EXPECT_EQ(list.add({"a", "c"}), 1U);
  EXPECT_EQ(list.add({"a", "b"}), 0U);
  EXPECT_EQ(list.find({"a"}), list.size());
  Json object = Json::object();
  put(object, {"a", "b"}, 1);
  put(object, {"a", "c", "d"}, 2);
  put(object, {"a", "b"}, 3);
  EXPECT_EQ(object.dump(), R"({"a":{"b":3,"c":{"d":2}}})");
}

}  // namespace views_test
}  // namespace gauze::assess
