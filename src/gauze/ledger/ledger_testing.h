#pragma once
// What the tests of the ledger share: a folder of their own, short ways to make requests, and a hand that changes the
// file behind the ledger's back.

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/ledger/ledger.h"

namespace gauze {

inline constexpr std::int64_t kDay = 86'400;  ///< seconds

inline Rational decimal(std::string_view text) { return *Rational::parse(text); }

inline Charge epsilon_charge(std::string_view amount, std::string_view delta = "0") {
  return *Charge::make(Charge::Kind::epsilon, decimal(amount), decimal(delta));
}

inline Charge charge_of(Charge::Kind kind, std::string_view amount) { return *Charge::make(kind, decimal(amount)); }

inline ChargeRequest request(const std::string& dataset, const Charge& charge, const std::string& analyst = "ana") {
  return {.dataset = dataset, .analyst = analyst, .charge = charge};
}

/// Several charges in one transaction.
inline Result<std::vector<Granted>> spend_many(Ledger& ledger, const std::vector<ChargeRequest>& requests) {
  std::vector<BudgetStep> steps;
  for (const ChargeRequest& one : requests) steps.push_back({.kind = EntryKind::spend, .request = &one});
  GAUZE_TRY(std::vector<StepAnswer> answers, ledger.change_many(steps));
  std::vector<Granted> grants;
  for (StepAnswer& answer : answers) grants.push_back(std::get<Granted>(std::move(answer)));
  return grants;
}

/// Terms of a dataset with an epsilon total and, unless it is 0, a delta.
inline DatasetOptions epsilon_options(const std::string& name, std::string_view epsilon,
                                      std::string_view delta = "0") {
  DatasetOptions options;
  options.name = name;
  options.epsilon = decimal(epsilon);
  options.delta = decimal(delta);
  return options;
}

inline DatasetOptions rho_options(const std::string& name, std::string_view rho) {
  DatasetOptions options;
  options.name = name;
  options.rho = decimal(rho);
  return options;
}

/// Recomputes the hashes of an export whose bodies were changed: what a forger would do.
inline std::string forged_export(const std::vector<std::string>& bodies) {
  std::string lines;
  std::string head = genesis_hash();
  for (const auto& body : bodies) {
    const std::string hash = chain_hash(head, body);
    lines += fmt::format(R"({{"previous":"{}","hash":"{}","body":{}}})", head, hash, body);
    lines += '\n';
    head = hash;
  }
  return R"({"format":"gauze-ledger","version":4,"entries":)" + std::to_string(bodies.size()) + R"(,"head":")" +
         head + "\"}\n" + lines;
}

/// A ledger in a folder of its own, with a clock that stands where the test puts it.
class LedgerTest : public ::testing::Test {
 protected:
  LedgerTest() {
    // In memory where there is such a place: these tests kill processes, not machines, and a sync costs nothing there.
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK | X_OK) == 0;
    std::string name = ((usable ? memory : std::filesystem::temp_directory_path()) / "gauze-ledger-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ / "budget.ledger";
  }
  ~LedgerTest() override { std::filesystem::remove_all(folder_); }

  Ledger create() { return *Ledger::create(path_, options()); }
  Ledger open() { return *Ledger::open(path_, options()); }
  Ledger::Options options() {
    Ledger::Options options;
    options.clock = [this] { return now_; };
    return options;
  }
  /// A new ledger with one dataset.
  Ledger with_dataset(const DatasetOptions& dataset) {
    Ledger ledger = create();
    add(ledger, dataset);
    return ledger;
  }
  static void add(Ledger& ledger, const DatasetOptions& dataset) {
    const auto terms = DatasetTerms::make(dataset);
    ASSERT_TRUE(terms) << terms.error().message;
    const auto created = ledger.create_dataset(*terms);
    ASSERT_TRUE(created) << created.error().message;
  }

  static Result<LedgerVerification> verify(const Ledger& ledger, const std::optional<std::string>& head = {}) {
    Progress silent;
    return ledger.verify(head, silent);
  }
  static std::string export_text(const Ledger& ledger) {
    std::string text;
    EXPECT_TRUE(ledger.export_lines([&](std::string_view line) -> Result<void> {
      text += line;
      return {};
    }));
    return text;
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
  std::int64_t now_ = 1'800'000'000;
};

/// SQL on the file, around the ledger. The triggers that guard it are taken away and put back as they were.
class Intruder {
 public:
  explicit Intruder(const std::filesystem::path& path) { EXPECT_EQ(sqlite3_open(path.c_str(), &file_), SQLITE_OK); }
  Intruder(const Intruder&) = delete;
  Intruder& operator=(const Intruder&) = delete;
  ~Intruder() { sqlite3_close(file_); }

  int run(const std::string& sql) { return sqlite3_exec(file_, sql.c_str(), nullptr, nullptr, nullptr); }

  void change(const std::string& sql) {
    const auto triggers = column("SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid");
    for (const auto& name : column("SELECT name FROM sqlite_master WHERE type = 'trigger'")) {
      EXPECT_EQ(run("DROP TRIGGER " + name), SQLITE_OK);
    }
    EXPECT_EQ(run(sql), SQLITE_OK) << sqlite3_errmsg(file_);
    for (const auto& trigger : triggers) EXPECT_EQ(run(trigger), SQLITE_OK);
  }

  std::vector<std::string> column(const std::string& sql) {
    std::vector<std::string> values;
    const auto take = [](void* target, int, char** texts, char**) {
      static_cast<std::vector<std::string>*>(target)->emplace_back(texts[0] == nullptr ? "" : texts[0]);
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(file_, sql.c_str(), take, &values, nullptr), SQLITE_OK) << sqlite3_errmsg(file_);
    return values;
  }

 private:
  sqlite3* file_ = nullptr;
};

}  // namespace gauze
