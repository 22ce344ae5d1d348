// What a question is charged: the price that --explain names, in every accountant, also where the answer never comes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/testing/folder.h"

namespace gauze::cli {
namespace query_ledger_test {

Json told_by(const Ran& ran) {
  auto read = read_json(ran.out);
  EXPECT_TRUE(read.has_value()) << ran.out << ran.err;
  return read ? *read : Json();
}

constexpr const char* kByTown = "SELECT town, COUNT(*), AVG(age) FROM people GROUP BY town";
constexpr const char* kByName = "SELECT name, COUNT(*) FROM people GROUP BY name";
constexpr const char* kMedian = "SELECT MEDIAN(age), COUNT(*) FROM people";

class QueryLedger : public ::testing::Test {
 protected:
  void write_people(int count) {
    std::string people = "id,town,age,name\n";
    for (int i = 0; i < count; ++i)
      people += fmt::format("{},{},{},n{}\n", i, i % 3 == 0 ? "Kiel" : "Oslo", 20 + i % 50, i % 2);
    folder_.write("people.csv", people);
  }
  void create(const std::string& dataset, const std::vector<std::string>& total) {
    std::vector<std::string> args{"ledger", "create",     dataset,        "--ledger",  ledger_,
                                  "--unit", "one person", "--neighbours", "add-remove"};
    args.insert(args.end(), total.begin(), total.end());
    const Ran created = run(args);
    ASSERT_EQ(created.status, 0) << created.err;
  }
  Json show(const std::string& dataset) {
    return told_by(run({"ledger", "show", dataset, "--ledger", ledger_, "--json"}));
  }

  Folder folder_;
  std::string ledger_ = folder_ / "l.ledger";
  std::string schema_ = folder_.write(
      "schema.yaml",
      "version: 1\nunit: {name: one person, table: people, key: id}\nlimits: {groups: 1, rows: 1}\ntables:\n  people:\n    source: people.csv\n"
      "    unit: {column: id}\n    columns: {id: {type: integer}, town: {type: text, values: [Kiel, Oslo]}, age: {type: integer, bounds: [0, 100]}, name: {type: text}}\n"
      "provenance: {bounds: public, values: public, limits: public}\n");
};

struct Case {
  const char* sql;
  std::vector<std::string> budget;
  bool absorbed = true;  ///< else refused before anything is charged
};

TEST_F(QueryLedger, ChargesExactlyWhatExplainSaysInEveryAccountant) {
  write_people(300);
  struct Dataset {
    const char* name;
    std::vector<std::string> total;
    std::vector<Case> cases;
  };
  const std::vector<std::string> pure{"--epsilon", "0.3"};
  const std::vector<std::string> approximate{"--epsilon", "0.3", "--delta", "1e-7"};
  const std::vector<std::string> gaussian{"--epsilon", "0.3", "--delta", "1e-7", "--noise", "gaussian"};
  const std::vector<std::string> rho{"--rho", "0.01"};
  const std::vector<std::string> rho_delta{"--rho", "0.01", "--delta", "1e-7"};
  const Dataset datasets[] = {
      {"pure", {"--epsilon", "10"}, {{kByTown, pure}, {kMedian, pure}, {kByName, approximate, false}}},
      {"basic",
       {"--epsilon", "10", "--delta", "1e-5", "--accountant", "basic"},
       {{kByTown, pure}, {kByTown, gaussian}, {kByName, approximate}, {kMedian, gaussian}}},
      {"zcdp of epsilon",
       {"--epsilon", "10", "--delta", "1e-5"},
       {{kByTown, pure},
        {kByTown, gaussian},
        {kByTown, rho},
        {kByName, gaussian},
        {kByName, rho_delta},
        {kMedian, rho}}},
      {"zcdp of rho",
       {"--rho", "2", "--accountant", "zcdp"},
       {{kByTown, rho}, {kMedian, rho}, {kByTown, gaussian}, {kByTown, pure}, {kByName, rho_delta, false}}},
      {"zcdp of rho and delta",
       {"--rho", "2", "--delta", "1e-5", "--accountant", "zcdp"},
       {{kByTown, rho}, {kByName, rho_delta}, {kByName, gaussian}}},
      {"rdp", {"--epsilon", "10", "--delta", "1e-5", "--accountant", "rdp:20"}, {{kByTown, pure}, {kByTown, rho}}},
      {"gdp",
       {"--epsilon", "10", "--delta", "1e-5", "--accountant", "gdp"},
       {{kByTown, gaussian},
        {kByTown, rho},
        {kByTown, pure, false},
        {kByName, rho_delta, false},
        {kMedian, rho, false}}},
  };
  for (const Dataset& dataset : datasets) {
    create(dataset.name, dataset.total);
    for (const Case& one : dataset.cases) {
      std::vector<std::string> args{"query", one.sql,     "--schema",   schema_, "--ledger",
                                    ledger_, "--dataset", dataset.name, "--json"};
      args.insert(args.end(), one.budget.begin(), one.budget.end());
      SCOPED_TRACE(fmt::format("{}: {} {} {}", dataset.name, one.sql, one.budget[0], one.budget.size()));
      const std::string before = show(dataset.name).find("left")->dump();
      std::vector<std::string> explain = args;
      explain.emplace_back("--explain");
      const Ran told = run(explain);
      const Ran asked = run(args);
      EXPECT_EQ(asked.status, one.absorbed ? 0 : 2) << asked.out << asked.err;
      const std::string after = show(dataset.name).find("left")->dump();
      if (!one.absorbed) {
        EXPECT_EQ(told.status, 2) << told.out;
        EXPECT_EQ(after, before);
        continue;
      }
      ASSERT_EQ(told.status, 0) << told.out << told.err;
      ASSERT_EQ(asked.status, 0);
      const Json explained = told_by(told);
      const Json answered = told_by(asked);
      EXPECT_NE(after, before);
      EXPECT_EQ(answered.find("ledger")->find("left")->dump(), after);
      EXPECT_EQ(explained.find("left_after")->dump(), after);
      for (const char* figure : {"epsilon", "delta", "rho"})
        EXPECT_EQ(explained.find("price")->find(figure)->dump(), answered.find(figure)->dump()) << figure;
    }
  }
}

/// What the killed process does; started by the test below in a process of its own, never by itself.
TEST(QueryLedgerVictim, DISABLED_Asks) {
  const char* const folder = std::getenv("GAUZE_VICTIM_FOLDER");
  ASSERT_NE(folder, nullptr);
  const std::string at = std::string(folder) + "/";
  const Ran ran = run({"query", kByTown, "--schema", at + "schema.yaml", "--epsilon", "0.001", "--ledger",
                       at + "l.ledger", "--dataset", "d", "-o", at + "answer.csv"});
  EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST_F(QueryLedger, KilledAfterItsChargeAQuestionStaysChargedAndAnswersNothing) {
  const int wanted = std::getenv("GAUZE_LONG_TESTS") != nullptr ? 100 : 5;
  write_people(60'000);  // so that reading takes longer than killing
  create("d", {"--epsilon", "1"});
  const std::string folder = std::filesystem::path(ledger_).parent_path();
  ASSERT_EQ(::setenv("GAUZE_VICTIM_FOLDER", folder.c_str(), 1), 0);
  for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) ::unsetenv(name);  // the victim is one test
  std::mt19937_64 random(4);
  std::uint64_t charged = 0;
  int killed = 0;
  for (int round = 0; killed < wanted && round < 10 * wanted; ++round) {
    const char* const args[] = {"gauze_cli_tests", "--gtest_filter=QueryLedgerVictim.*",
                                "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr};
    pid_t child = 0;
    ASSERT_EQ(::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(args), environ), 0);
    int status = 0;
    for (bool answered = false;;) {
      answered = answered || folder_.has("answer.csv");
      if (show("d").find("queries")->dump() != std::to_string(charged)) break;
      ASSERT_FALSE(answered) << "an answer before its charge";
      ASSERT_EQ(::waitpid(child, &status, WNOHANG), 0) << "it ended without a charge";
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    ++charged;
    const Json after = show("d");
    EXPECT_EQ(after.find("queries")->dump(), std::to_string(charged));
    EXPECT_EQ(after.find("left")->find("epsilon")->dump(),
              fmt::format("{}", (1000.0 - static_cast<double>(charged)) / 1000));
    // Whether the question comes to its end before it is killed is a race that is mostly won; there is no half of an answer.
    EXPECT_TRUE(!folder_.has("answer.csv") || folder_.has("answer.csv.label.json"));
    if (!folder_.has("answer.csv") && !folder_.has("answer.csv.label.json")) ++killed;
    std::filesystem::remove(folder_ / "answer.csv");
    std::filesystem::remove(folder_ / "answer.csv.label.json");
  }
  EXPECT_EQ(killed, wanted);
}

}  // namespace query_ledger_test
}  // namespace gauze::cli
