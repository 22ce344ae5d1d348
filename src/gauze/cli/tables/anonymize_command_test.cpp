// What `gauze anonymize` computes: searches, criteria, policies, figures.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace anonymize_command_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

class AnonymizeCommand : public ::testing::Test {
 protected:
  Folder folder_;
  std::string people_ = folder_.write("people.csv", kPeople);
  std::string out_ = folder_ / "out.csv";

  Ran anonymize(const std::vector<std::string>& flags, const std::string& file = "") {
    std::vector<std::string> args = {"anonymize",   file.empty() ? people_ : file, "-o", out_, "--json",
                                     "--keep-order"};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
  Json done(const std::vector<std::string>& flags, const std::string& file = "") {
    const Ran ran = anonymize(flags, file);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    return json_of(ran);
  }
  Json check(const std::vector<std::string>& flags, int status = 0) {
    std::vector<std::string> args = {"check", out_, "--json"};
    args.insert(args.end(), flags.begin(), flags.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, status) << ran.out << ran.err;
    return json_of(ran);
  }
};

TEST_F(AnonymizeCommand, GivesTheKeysOfTheInterface) {
  const Json json = done({"--quasi", "age,zip,sex", "--k", "3", "--suppression", "0.1"});
  EXPECT_THAT(keys_of(json),
              IsSupersetOf({"levels", "metric", "all_metrics", "classes", "suppressed", "smallest_class",
                            "largest_class", "risk", "nodes", "optimal", "seconds", "label"}));
  EXPECT_THAT(keys_of(*json.find("levels")), ElementsAre("age", "sex", "zip"));
  EXPECT_THAT(keys_of(*json.find("metric")), ElementsAre("name", "value"));
  EXPECT_THAT(keys_of(*json.find("all_metrics")),
              ElementsAre("loss", "loss_geometric", "discernibility", "aecs", "entropy", "precision"));
  EXPECT_THAT(keys_of(*json.find("nodes")), ElementsAre("checked", "total"));
  EXPECT_THAT(keys_of(*json.find("seconds")), IsSupersetOf({"read", "search", "write"}));
  EXPECT_EQ(at(json, {"metric", "name"}), "loss");
  EXPECT_EQ(at(json, {"metric", "value"}), at(json, {"all_metrics", "loss"}));
  EXPECT_EQ(at(json, {"optimal"}), "true");
  EXPECT_EQ(at(json, {"label", "definition"}), "k-anonymity");
  EXPECT_GE(number_at(json, {"smallest_class"}), 3);
}

TEST_F(AnonymizeCommand, PrintsWhatPeopleNeedToKnow) {
  const Ran ran = run({"anonymize", people_, "--quasi", "age,sex", "--k", "4", "-o", out_});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* word :
       {"rows ", "search ", "loss ", "levels ", "classes ", "suppressed ", "highest risk", "proved best"})
    EXPECT_THAT(ran.out, HasSubstr(word));
  EXPECT_THAT(ran.err, HasSubstr("wrote "));
  const Ran quiet =
      run({"anonymize", people_, "--quasi", "age,sex", "--k", "4", "-o", out_, "--drop", "guest,zip", "--quiet"});
  EXPECT_EQ(quiet.err, "");
}

TEST_F(AnonymizeCommand, SaysOfWhichColumnsNothingIsLeft) {
  for (const char* search : {"optimal", "local", "mondrian"}) {
    const Json lost = done({"--quasi", "age,sex", "--k", "16", "--search", search});
    EXPECT_EQ(lost.find("lost")->dump(), R"(["age","sex"])") << search;
  }
  EXPECT_EQ(done({"--quasi", "age,sex", "--k", "1"}).find("lost")->dump(), "[]");
  const Ran ran = run({"anonymize", people_, "--quasi", "age", "--k", "16", "-o", out_});
  EXPECT_THAT(ran.out, HasSubstr("lost         age: nothing of it is left\n"));
}

TEST_F(AnonymizeCommand, KOfOneIsAcceptedWithAWarning) {
  const Ran ran = anonymize({"--quasi", "age,zip", "--k", "1"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("k = 1"));
  EXPECT_EQ(at(json_of(ran), {"metric", "value"}), "0");
  EXPECT_EQ(folder_.read("out.csv"), kPeople);
}

TEST_F(AnonymizeCommand, EveryMetricCanBeTheOneThatCounts) {
  const std::vector<std::string> metrics = {"loss", "loss_geometric", "discernibility",
                                            "aecs", "entropy",        "precision"};
  std::map<std::string, double> best;
  std::vector<Json> runs;
  for (const std::string& metric : metrics) {
    runs.push_back(done({"--quasi", "age,zip,sex", "--k", "3", "--suppression", "0.2", "--metric", metric}));
    best[metric] = number_at(runs.back(), {"metric", "value"});
    EXPECT_EQ(at(runs.back(), {"optimal"}), "true");
  }
  for (const Json& one : runs)
    for (const std::string& metric : metrics)
      EXPECT_GE(number_at(one, {"all_metrics", metric}), best[metric] - 1e-12)
          << metric << " would not have been smallest";
}

TEST_F(AnonymizeCommand, LargerKAndLessSuppressionNeverLowerTheLoss) {
  double last = 0;
  for (int k = 1; k <= 16; ++k) {
    const double loss = number_at(done({"--quasi", "age,zip,sex", "--k", std::to_string(k)}), {"metric", "value"});
    EXPECT_GE(loss, last);
    last = loss;
  }
  for (const char* limit : {"0", "0.1", "0.2", "0.5", "1"}) {
    const double loss =
        number_at(done({"--quasi", "age,zip,sex", "--k", "4", "--suppression", limit}), {"metric", "value"});
    EXPECT_LE(loss, last);
    last = loss;
  }
}

TEST_F(AnonymizeCommand, WeightsMoveTheLossElsewhere) {
  const std::string file = folder_.write("cross.csv", "age,zip\n1,1\n1,1\n1,2\n1,2\n2,1\n2,1\n2,2\n2,2\n");
  const Json age = done({"--quasi", "age,zip", "--k", "4", "--weight", "age=100"}, file);
  EXPECT_EQ(age.find("levels")->dump(), R"({"age":0,"zip":1})");
  const Json zip = done({"--quasi", "age,zip", "--k", "4", "--weight", "zip=100"}, file);
  EXPECT_EQ(zip.find("levels")->dump(), R"({"age":1,"zip":0})");
}

TEST_F(AnonymizeCommand, EveryCriterionHoldsInTheOutput) {
  folder_.write("illness.csv", "flu;lung;*\nasthma;lung;*\ngastritis;belly;*\n");
  const std::vector<std::vector<std::string>> criteria = {
      {"--l-diversity", "illness:distinct:3"},
      {"--l-diversity", "illness:entropy:2.5"},
      {"--l-diversity", "illness:recursive:2:3"},
      {"--t-closeness", "illness:equal:0.2"},
      {"--t-closeness", "illness:ordered:0.2"},
      {"--delta-disclosure", "illness:1"},
      {"--beta-likeness", "illness:basic:1"},
      {"--beta-likeness", "illness:enhanced:1"},
      {"--t-closeness", "illness:hierarchical:0.15", "--hierarchy", "illness=" + (folder_ / "illness.csv")}};
  for (const auto& criterion : criteria)
    for (const char* search : {"optimal", "local", "mondrian"}) {
      std::vector<std::string> flags = {"--quasi", "age,sex", "--k", "2", "--suppression", "0.3", "--search", search};
      flags.insert(flags.end(), criterion.begin(), criterion.end());
      const Ran ran = anonymize(flags);
      ASSERT_EQ(ran.status, 0) << search << ' ' << criterion[1] << ran.out;
      std::vector<std::string> asked = {"--quasi", "age,sex", "--k", "2"};
      asked.insert(asked.end(), criterion.begin(), criterion.end());
      const Json checked = check(asked);
      EXPECT_EQ(at(checked, {"satisfied"}), "true") << search << ' ' << criterion[1];
      EXPECT_EQ(checked.find("requirements")->elements()->size(), 2U);
    }
}

// ARX rejects this class by rounding: its entropy is log 3 exactly.
TEST_F(AnonymizeCommand, TwoTwoTwoPassesEntropyThree) {
  const std::string file =
      folder_.write("six.csv", "age,illness\n1,a\n1,b\n1,c\n1,a\n1,b\n1,c\n2,a\n2,a\n2,b\n2,b\n2,c\n2,c\n");
  const Json json = done({"--quasi", "age", "--k", "2", "--l-diversity", "illness:entropy:3"}, file);
  EXPECT_EQ(at(json, {"levels", "age"}), "0");
  EXPECT_EQ(at(json, {"classes"}), "2");
  const Json checked = check({"--quasi", "age", "--l-diversity", "illness:entropy:3"});
  EXPECT_EQ(at(checked, {"satisfied"}), "true");
}

TEST_F(AnonymizeCommand, LocalAndMondrianLoseNoMoreThanTheBestLevels) {
  const double optimal = number_at(done({"--quasi", "age,sex", "--k", "3"}), {"metric", "value"});
  for (const std::vector<std::string>& search : std::vector<std::vector<std::string>>{
           {"--search", "local"}, {"--search", "mondrian"}, {"--search", "mondrian", "--relaxed"}}) {
    std::vector<std::string> flags = {"--quasi", "age,sex", "--k", "3"};
    flags.insert(flags.end(), search.begin(), search.end());
    const Json json = done(flags);
    EXPECT_EQ(at(json, {"levels"}), "null");
    EXPECT_LE(number_at(json, {"metric", "value"}), optimal);
    const Json checked = check({"--quasi", "age,sex", "--k", "3"});
    EXPECT_EQ(at(checked, {"classes"}), at(json, {"classes"}));
    EXPECT_EQ(at(checked, {"k"}), at(json, {"smallest_class"}));
  }
}

TEST_F(AnonymizeCommand, AWrittenPolicyEqualsTheFlags) {
  folder_.write("sex.csv", "F;*\nM;*\n");
  const std::string policy = folder_ / "policy.yaml";
  const Json first = done({"--quasi",
                           "age,zip,sex",
                           "--hierarchy",
                           "sex=" + (folder_ / "sex.csv"),
                           "--k",
                           "3",
                           "--suppression",
                           "0.15",
                           "--metric",
                           "entropy",
                           "--l-diversity",
                           "illness:distinct:2",
                           "--drop",
                           "guest",
                           "--weight",
                           "age=2",
                           "--missing",
                           "any",
                           "--null",
                           "none",
                           "--write-policy",
                           policy});
  const std::string output = folder_.read("out.csv");
  EXPECT_THAT(folder_.read("policy.yaml"), HasSubstr("provenance"));
  const Json second = done({"--policy", policy});
  EXPECT_EQ(folder_.read("out.csv"), output);
  for (const char* key : {"levels", "metric", "all_metrics", "classes", "suppressed", "risk"})
    EXPECT_EQ(first.find(key)->dump(), second.find(key)->dump()) << key;
}

TEST_F(AnonymizeCommand, APlaceThatTakesNothingIsFoundBeforeRowsAreRead) {
  const Ran ran =
      run({"anonymize", folder_ / "none.csv", "--quasi", "age,zip,sex", "--k", "3", "-o", "/proc/out.csv"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("/proc/out.csv")) << "not the input, which is not there either";
}

TEST_F(AnonymizeCommand, ATimeLimitGivesTheBestSoFarOrSaysThatThereIsNone) {
  const Ran ran = anonymize({"--quasi", "age,zip,sex", "--k", "3", "--time-limit", "1e-9"});
  if (ran.status == 3) {
    EXPECT_EQ(at(json_of(ran), {"error", "code"}), "infeasible");
  } else {
    ASSERT_EQ(ran.status, 0) << ran.out;
    EXPECT_LE(number_at(json_of(ran), {"lower_bound"}), number_at(json_of(ran), {"metric", "value"}));
    check({"--quasi", "age,zip,sex", "--k", "3"});
  }
  EXPECT_EQ(at(done({"--quasi", "age,zip,sex", "--k", "3", "--time-limit", "60"}), {"optimal"}), "true");
}

TEST_F(AnonymizeCommand, MissingIsAValueOfItsOwnOrMatchesAny) {
  std::string text = "age,zip\n";
  for (int i = 0; i < 6; ++i) text += "40,81667\n";
  const std::string file = folder_.write("missing.csv", text + "40,?\n");
  const Json own = done({"--quasi", "age,zip", "--k", "3", "--missing", "own"}, file);
  EXPECT_NE(at(own, {"metric", "value"}), "0") << "the row without a postcode is alone";
  const Json any = done({"--quasi", "age,zip", "--k", "3", "--missing", "any"}, file);
  EXPECT_EQ(at(any, {"metric", "value"}), "0") << "it agrees with the others wherever it has a value";
}

TEST_F(AnonymizeCommand, APopulationSaysHowManyPeopleLookAlike) {
  std::string everybody = "age,zip,sex\n";
  for (const std::string& line : lines_of(kPeople)) {
    if (line.starts_with("guest")) continue;
    const std::string row = line.substr(line.find(',') + 1, line.rfind(',') - line.find(',') - 1);
    for (int copy = 0; copy < 4; ++copy) everybody += row + "\n";
  }
  const std::string population = folder_.write("everybody.csv", everybody);
  const Json mapped = done({"--quasi", "age,zip,sex", "--k-map", "4", "--population", population});
  EXPECT_EQ(at(mapped, {"metric", "value"}), "0") << "four people look like every row";
  const Json more = done({"--quasi", "age,zip,sex", "--k-map", "8", "--population", population});
  EXPECT_GT(number_at(more, {"metric", "value"}), 0);
  const Json present = done({"--quasi", "age,zip,sex", "--delta-presence", "0:0.5", "--population", population});
  EXPECT_EQ(at(present, {"metric", "value"}), "0") << "one in four is in the table";
  EXPECT_EQ(anonymize({"--quasi", "age,zip,sex", "--delta-presence", "0:0.1", "--population", population}).status, 3);
  EXPECT_EQ(anonymize({"--quasi", "age,zip,sex", "--k-map", "4"}).status, 2);
  EXPECT_EQ(anonymize({"--quasi", "age,zip,sex", "--k", "4", "--population", population}).status, 2);
}

TEST_F(AnonymizeCommand, ThreadsDoNotChangeTheResult) {
  std::string first;
  for (const char* threads : {"1", "2", "7"}) {
    done({"--quasi", "age,zip,sex", "--k", "3", "--suppression", "0.2", "--threads", threads});
    if (first.empty()) first = folder_.read("out.csv");
    EXPECT_EQ(folder_.read("out.csv"), first);
  }
}

}  // namespace anonymize_command_test
}  // namespace gauze::cli
