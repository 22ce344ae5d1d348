#include <gtest/gtest.h>

#include <cmath>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace select_command_test {

TEST(SelectCommand, EveryMechanismChooses) {
  for (const char* mechanism : {"exponential", "base2-exponential", "permute-and-flip", "noisy-max"}) {
    const Ran ran = run({"select", mechanism, "--scores", "9,0,-4", "--epsilon", "1000", "--count", "4", "--quiet"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "0\n0\n0\n0\n");
  }
}

TEST(SelectCommand, ProbabilitiesAreInternalAndOnlyOnRequest) {
  const Json plain = json_of(run({"select", "exponential", "--scores", "3,2,0", "--epsilon", "1", "--json"}));
  EXPECT_EQ(plain.find("probabilities"), nullptr);
  EXPECT_EQ(plain.find("label")->find("definition")->text(), "pure");
  const Json open =
      json_of(run({"select", "exponential", "--scores", "3,2,0", "--epsilon", "2", "--probabilities", "--json"}));
  ASSERT_NE(open.find("probabilities"), nullptr);
  EXPECT_NEAR(std::stod(std::string(open.find("probabilities")->elements()->at(0).text())),
              1 / (1 + std::exp(-1) + std::exp(-3)), 1e-12);
  EXPECT_NE(open.find("label")->find("warning")->text().find("INTERNAL"), std::string::npos);
  EXPECT_EQ(open.find("selected")->elements()->size(), 1U);
}

TEST(SelectCommand, ScoresAreNeverQuoted) {
  const Ran ran = run({"select", "exponential", "--scores", "31337,x", "--epsilon", "1"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err.find("31337"), std::string::npos);
  const Json done = json_of(run({"select", "exponential", "--scores", "31337,1", "--epsilon", "1", "--json"}));
  EXPECT_EQ(done.dump().find("31337"), std::string::npos);
}

TEST(SelectCommand, RefusesWhatIsUnsound) {
  const auto status = [](std::vector<std::string> args) { return run(args).status; };
  EXPECT_EQ(status({"select", "exponential", "--scores", "1,2", "--epsilon", "1", "--monotone", "--adjacency",
                    "replace-one"}),
            2);
  EXPECT_EQ(status({"select", "exponential", "--scores", "", "--epsilon", "1"}), 2);
  EXPECT_EQ(status({"select", "exponential", "--scores", "1,,2", "--epsilon", "1"}), 2);
  EXPECT_EQ(status({"select", "exponential", "--scores", "1,nan", "--epsilon", "1"}), 2);
  EXPECT_EQ(status({"select", "base2-exponential", "--scores", "1,0.5", "--epsilon", "1"}), 2);
  EXPECT_EQ(status({"select", "exponential", "--scores", "1,2", "--epsilon", "0"}), 2);
  EXPECT_EQ(status({"select", "exponential", "--scores", "1,2"}), 2);
}

}  // namespace select_command_test
}  // namespace gauze::cli
