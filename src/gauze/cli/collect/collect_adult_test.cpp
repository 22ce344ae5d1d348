// From a question to an estimate on the 48,842 people of the Adult data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gauze/base/testing/watched.h"
#include "gauze/cli/core/table_testing.h"
#include "gauze/files/atomic_file.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::cli {
namespace collect_adult_test {

/// Both halves of Adult as one table with names, and what is true of it.
struct Adult {
  std::string csv = "age,education,hours\n";
  std::map<std::string, double> education;
  double rows = 0;
  double age = 0;
  double hours = 0;
  double hours_squared = 0;
};

Adult read_adult() {
  Adult adult;
  for (const char* name : {"adult/adult.data", "adult/adult.test"}) {
    const std::string text = *read_file(*table::shared_data(name));
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::vector<std::string> cells(1);
      for (const char c : text.substr(begin, end - begin)) {
        if (c == ',')
          cells.emplace_back();
        else if (c != ' ' && c != '\r')
          cells.back() += c;
      }
      begin = end + 1;
      if (cells.size() != 15) continue;
      adult.csv += cells[0] + "," + cells[3] + "," + cells[12] + "\n";
      adult.rows += 1;
      adult.education[cells[3]] += 1;
      adult.age += std::stod(cells[0]);
      adult.hours += std::stod(cells[12]);
      adult.hours_squared += std::stod(cells[12]) * std::stod(cells[12]);
    }
  }
  return adult;
}

class CollectAdult : public ::testing::Test {
 protected:
  void SetUp() override {
    if (is_watched()) GTEST_SKIP() << "of figures, not of memory";
    if (!table::shared_data("adult/adult.data")) GTEST_SKIP() << "the Adult data is not there";
    adult_ = read_adult();
    ASSERT_EQ(adult_.rows, 48842);
    table_ = folder_.write("adult.csv", adult_.csv);
  }
  /// Makes a task, encodes the column, and estimates.
  Json collected(const std::string& name, const std::string& column, std::vector<std::string> flags) {
    const std::string task = folder_ / (name + ".json");
    std::vector<std::string> make = {"collect", "task", "--name", name, "-o", task, "--quiet"};
    make.insert(make.end(), flags.begin(), flags.end());
    EXPECT_EQ(run(make).status, 0);
    const std::string reports = folder_ / (name + ".bin");
    const Ran encoded =
        run({"collect", "encode", table_, "--column", column, "--task", task, "-o", reports, "--json"});
    EXPECT_EQ(encoded.status, 0) << encoded.err;
    EXPECT_EQ(at(json_of(encoded), {"reports"}), "48842");
    const Ran result = run({"collect", "aggregate", reports, "--task", task, "--json"});
    EXPECT_EQ(result.status, 0) << result.err;
    return json_of(result);
  }
  static double number(const Json& object, const char* key) {
    return std::stod(std::string(object.find(key)->text()));
  }
  /// Six standard deviations: false alarms below 1e-8.
  static void expect_near(const Json& figure, double truth, const std::string& what) {
    EXPECT_NEAR(number(figure, "estimate"), truth, 6 * number(figure, "sd")) << what;
    EXPECT_GT(number(figure, "sd"), 0) << what;
  }

  Folder folder_;
  Adult adult_;
  std::string table_;
};

TEST_F(CollectAdult, EstimatesEducation) {
  std::string values;
  for (const auto& [value, count] : adult_.education) values += (values.empty() ? "" : ",") + value;
  for (const char* mechanism : {"auto", "de", "oue", "olh", "hr"}) {
    const Json result = collected(std::string("education-") + mechanism, "education",
                                  {"--epsilon", "1", "--values", values, "--mechanism", mechanism});
    double percent = 0;
    for (const Json& one : *result.find("values")->elements()) {
      expect_near(one, adult_.education.at(std::string(one.find("value")->text())) / adult_.rows,
                  std::string(mechanism) + " " + std::string(one.find("value")->text()));
      percent += std::round(100 * number(one, "percent"));
    }
    EXPECT_EQ(percent, 10'000) << mechanism;
  }
}

TEST_F(CollectAdult, EstimatesMeansOfAgeAndHours) {
  expect_near(
      *collected("age", "age", {"--epsilon", "1", "--question", "mean", "--low", "17", "--high", "90"}).find("mean"),
      adult_.age / adult_.rows, "age");
  const Json hours = collected("hours", "hours",
                               {"--epsilon", "4", "--question", "mean", "--low", "1", "--high", "99", "--variance"});
  const double mean = adult_.hours / adult_.rows;
  expect_near(*hours.find("mean"), mean, "hours");
  expect_near(*hours.find("variance"), adult_.hours_squared / adult_.rows - mean * mean, "variance of hours");
}

TEST_F(CollectAdult, SimulatesOnThePeopleThemselvesAndMakesAPage) {
  std::string ages;
  for (std::size_t begin = adult_.csv.find('\n') + 1; begin < adult_.csv.size();) {
    const std::size_t end = adult_.csv.find('\n', begin);
    ages += adult_.csv.substr(begin, adult_.csv.find(',', begin) - begin) + "\n";
    begin = end + 1;
  }
  const std::string task = folder_ / "age.json";
  ASSERT_EQ(run({"collect", "task", "--name", "age", "--epsilon", "1", "--question", "mean", "--low", "17", "--high",
                 "90", "-o", task})
                .status,
            0);
  const Ran ran = run({"collect", "simulate", "--task", task, "--users", "48842", "--distribution",
                       folder_.write("ages", ages), "--mechanism", "duchi", "--mechanism", "piecewise", "--mechanism",
                       "hybrid", "--seed", "1", "--report", folder_ / "page.html", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(json_of(ran).find("results")->elements()->size(), 3U);
  EXPECT_THAT(*read_file(folder_ / "page.html"), ::testing::HasSubstr("collect-simulation"));
  EXPECT_EQ(run({"label", "check", folder_ / "page.html"}).status, 0);
}

}  // namespace collect_adult_test
}  // namespace gauze::cli
