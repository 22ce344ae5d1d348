// The commands on the Adult data. ARX 3.9.2 found the figures of the optimal search; the thesis those of inspect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/base/error.h"
#include "gauze/base/testing/watched.h"
#include "gauze/cli/core/table_testing.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::cli {
namespace adult_commands_test {

constexpr const char* kQuasi =
    "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class";

class AdultCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    if (is_watched()) GTEST_SKIP() << "of figures, not of memory";
  }

  Folder folder_;
  std::string out_ = folder_ / "out.csv";

  Json anonymize(const std::string& table, const std::vector<std::string>& flags) {
    std::vector<std::string> args = {"anonymize", table, "--quasi", kQuasi, "--k", "5", "-o", out_, "--json"};
    const std::string folder = std::filesystem::path(table).parent_path().string();
    for (const char* column : {"sex", "age", "race", "marital-status", "education", "native-country", "workclass",
                               "occupation", "salary-class"}) {
      args.emplace_back("--hierarchy");
      args.push_back(std::string(column) + "=" + folder + "/adult_hierarchy_" + column + ".csv");
    }
    args.insert(args.end(), flags.begin(), flags.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    return json_of(ran);
  }

  /// The written file has the figures of the run that made it.
  void expect_same_figures(const Json& made) {
    const Json read = json_of(run({"check", out_, "--quasi", kQuasi, "--k", "5", "--json"}));
    EXPECT_EQ(at(read, {"satisfied"}), "true");
    EXPECT_EQ(at(read, {"rows"}), "30162");
    for (const char* key : {"classes", "suppressed", "smallest_class", "largest_class"})
      EXPECT_EQ(at(read, {key}), at(made, {key})) << key;
    EXPECT_EQ(read.find("risk")->dump(), made.find("risk")->dump());
  }
};

TEST_F(AdultCommands, FindsTheOptimumOfArx) {
  GAUZE_SHARED_DATA_OR_SKIP(table, "arx-adult/adult.csv");
  struct Known {
    const char* limit;
    double loss;
    const char* classes;
    const char* suppressed;
  };
  for (const Known& known : {Known{"0", 0.6355438467, "24", "0"}, Known{"0.02", 0.3574824899, "222", "506"},
                             Known{"0.05", 0.2696346628, "397", "1346"}}) {
    const Json made = anonymize(table, {"--suppression", known.limit, "--metric", "loss"});
    EXPECT_NEAR(number_at(made, {"metric", "value"}), known.loss, 1e-8 * known.loss) << known.limit;
    EXPECT_EQ(at(made, {"classes"}), known.classes);
    EXPECT_EQ(at(made, {"suppressed"}), known.suppressed);
    EXPECT_EQ(at(made, {"optimal"}), "true");
    expect_same_figures(made);
  }
}

TEST_F(AdultCommands, LocalRecodingReachesTheGranularityOfArx) {
  GAUZE_SHARED_DATA_OR_SKIP(table, "arx-adult/adult.csv");
  const Json made = anonymize(table, {"--search", "local"});
  EXPECT_LE(number_at(made, {"metric", "value"}), 0.067);
  EXPECT_EQ(at(made, {"suppressed"}), "0");
  expect_same_figures(made);
}

TEST_F(AdultCommands, ColumnsHaveTheInformationOfTheThesis) {
  GAUZE_SHARED_DATA_OR_SKIP(table, "adult/adult.data");
  const Ran ran =
      run({"inspect", table, "--no-header", "--names",
           "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
           "capital-gain,capital-loss,hours-per-week,native-country,income",
           "--target", "income", "--columns",
           "relationship,marital-status,age,education,occupation,hours-per-week,native-country", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  const Json found = json_of(ran);
  EXPECT_EQ(at(found, {"rows"}), "32561");
  const std::map<std::string, double> known = {
      {"relationship", 1},   {"marital-status", 0.944}, {"age", 0.578},         {"education", 0.542},
      {"occupation", 0.538}, {"hours-per-week", 0.334}, {"native-country", 0.0}};
  std::size_t seen = 0;
  for (const Json& column : *found.find("columns")->elements()) {
    const auto expected = known.find(std::string(column.find("name")->text()));
    if (expected == known.end()) continue;
    EXPECT_NEAR(number_at(column, {"normalized_mutual_information"}), expected->second, 5e-4) << expected->first;
    ++seen;
  }
  EXPECT_EQ(seen, known.size());
}

TEST_F(AdultCommands, AFileWithoutHeaderIsSeenAsOne) {
  GAUZE_SHARED_DATA_OR_SKIP(table, "adult/adult.data");
  const Ran ran = run({"check", table, "--quasi", "age,sex"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("--names"), std::string::npos) << ran.err;
  EXPECT_EQ(run({"check", table, "--quasi", "column1,column10"}).status, 0);
}

}  // namespace adult_commands_test
}  // namespace gauze::cli
