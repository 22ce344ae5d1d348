#include <gtest/gtest.h>

#include <cmath>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/json_reader.h"

namespace gauze::cli {
namespace threshold_command_test {

double number(const std::vector<std::string>& args, std::string_view key) {
  const Json document = read_json(run(args).out).value_or(Json::object());
  const Json* member = document.find(key);
  return member == nullptr || member->is_null() ? std::nan("") : std::stod(std::string(member->text()));
}

TEST(ThresholdCommand, PrintsTheThresholdOfEachMechanism) {
  const auto threshold = [](const char* mechanism) {
    return number({"threshold", "--epsilon", "1", "--delta", "1e-5", "--mechanism", mechanism, "--json"},
                  "threshold");
  };
  EXPECT_NEAR(threshold("laplace"), 1 - std::log(2e-5), 1e-9);
  EXPECT_EQ(threshold("geometric"), 13);
  EXPECT_NEAR(threshold("gaussian"), 18.1569, 1e-4);
  EXPECT_EQ(threshold("optimal"), 23);
}

TEST(ThresholdCommand, KeepProbabilityIsForUsers) {
  const std::vector<std::string> base = {"threshold", "--epsilon", "1", "--delta", "1e-5", "--json"};
  EXPECT_TRUE(std::isnan(number(base, "keep_probability")));
  auto with_users = base;
  with_users.insert(with_users.end(), {"--users", "1"});
  EXPECT_NEAR(number(with_users, "keep_probability"), 1e-5, 1e-8);
  with_users.insert(with_users.end(), {"--min-group", "2"});
  EXPECT_EQ(number(with_users, "keep_probability"), 0);
}

TEST(ThresholdCommand, RefusesBadParameters) {
  const auto status = [](std::vector<std::string> args) { return run(args).status; };
  EXPECT_EQ(status({"threshold", "--epsilon", "1"}), 2);
  EXPECT_EQ(status({"threshold", "--epsilon", "1", "--delta", "0"}), 2);
  EXPECT_EQ(status({"threshold", "--epsilon", "1", "--delta", "1"}), 2);
  EXPECT_EQ(status({"threshold", "--epsilon", "1", "--delta", "1e-5", "--max-partitions", "0"}), 2);
  EXPECT_EQ(status({"threshold", "--epsilon", "1", "--delta", "1e-5", "--min-group", "0"}), 2);
  EXPECT_EQ(status({"threshold", "--epsilon", "1", "--delta", "1e-5", "--users", "-1"}), 2);
  EXPECT_EQ(status({"threshold", "--epsilon", "1", "--delta", "1e-5", "--mechanism", "laplac"}), 2);
}

}  // namespace threshold_command_test
}  // namespace gauze::cli
