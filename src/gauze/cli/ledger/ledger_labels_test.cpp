// Labels and the ledger: ledger verify --labels, label check --ledger, label open; and what a dataset is about.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"
#include "gauze/label/commitment.h"
#include "gauze/label/label_file.h"
#include "gauze/label/label_testing.h"
#include "gauze/ledger/ledger.h"
#include "gauze/publish/testing/write_labelled.h"

namespace gauze::cli {
namespace ledger_labels_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class LedgerLabels : public ::testing::Test {
 protected:
  LedgerLabels() {
    std::string name = (fs::temp_directory_path() / "gauze-cli-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    ledger_ = (folder_ / "budget.ledger").string();
    EXPECT_EQ(run({"ledger", "create", "visits", "--ledger", ledger_, "--epsilon", "9"}).status, 0);
  }
  ~LedgerLabels() override { fs::remove_all(folder_); }

  /// Charges, writes an output with its label, commits: as a release does. Returns the output.
  std::string publish(const std::string& name, const std::string& epsilon = "1") {
    auto ledger = *Ledger::open(ledger_);
    const auto key = *CommitmentKey::generate();
    ChargeRequest request;
    request.dataset = "visits";
    request.analyst = "owner";
    request.purpose = "release " + name;
    request.charge = *Charge::make(Charge::Kind::epsilon, *Rational::parse(epsilon));
    request.commitment_key = &key;
    const auto grant = ledger.reserve(request);
    EXPECT_TRUE(grant);
    PrivacyLabel label = plain_label();
    label.cost.epsilon = epsilon;
    label.budget = {.recorded = true, .dataset = "visits", .entry = std::to_string(grant->entry)};
    Commitment commitment(key, "input");
    commitment.add("secret rows of " + name);
    label.commitments.input = commitment.finish();
    const std::string output = (folder_ / name).string();
    EXPECT_TRUE(publish::write_labelled(output, "counts of " + name, label));
    EXPECT_TRUE(ledger.commit(grant->entry));
    return output;
  }

  /// The label of an output with one thing changed, its digest made anew.
  static void rewrite(const std::string& output, const std::function<void(PrivacyLabel&)>& change) {
    PrivacyLabel label = *read_label_file(label_path_for(output));
    change(label);
    ASSERT_TRUE(write_file(label_path_for(output), label.to_json().dump(2)));
  }

  Ran verify(std::vector<std::string> labels) {
    labels.insert(labels.begin(), {"ledger", "verify", "--json", "--ledger", ledger_, "--labels"});
    return run(labels);
  }

  fs::path folder_;
  std::string ledger_;
};

TEST_F(LedgerLabels, LabelsThatWerePaidForFit) {
  const std::string first = publish("a.csv");
  const std::string second = publish("b.csv", "0.5");
  const Ran ran = verify({first, second + ".label.json"});
  EXPECT_EQ(ran.status, 0) << ran.out;
  const Json json = *read_json(ran.out);
  EXPECT_EQ(json.find("labels")->elements()->size(), 2U);
  for (const Json& label : *json.find("labels")->elements()) EXPECT_EQ(label.find("fits")->dump(), "true");
  EXPECT_TRUE(json.find("unlabelled")->elements()->empty());
  const Ran plain = run({"ledger", "verify", "--ledger", ledger_, "--labels", first, second});
  EXPECT_THAT(plain.out, HasSubstr("a.csv.label.json: entry 2 of 'visits'"));
}

TEST_F(LedgerLabels, ChargesWithoutALabelAreListedAndThoseByHandMarked) {
  const std::string first = publish("a.csv");
  publish("b.csv");
  ASSERT_EQ(run({"ledger", "spend", "visits", "--ledger", ledger_, "--analyst", "ana", "--epsilon", "0.1"}).status,
            0);
  ASSERT_EQ(run({"ledger", "reserve", "visits", "--ledger", ledger_, "--analyst", "ana", "--epsilon", "0.1"}).status,
            0);
  ASSERT_EQ(run({"ledger", "create", "other", "--ledger", ledger_, "--epsilon", "1"}).status, 0);
  ASSERT_EQ(run({"ledger", "spend", "other", "--ledger", ledger_, "--analyst", "ana", "--epsilon", "0.1"}).status, 0);
  const Ran ran = verify({first});
  EXPECT_EQ(ran.status, 0) << ran.out;
  const Json json = *read_json(ran.out);
  const auto& missing = *json.find("unlabelled")->elements();
  ASSERT_EQ(missing.size(), 2U) << "neither the open reservation nor the other dataset";
  EXPECT_EQ(missing[0].find("entry")->text(), "4");
  EXPECT_EQ(missing[0].find("manual")->dump(), "false");
  EXPECT_EQ(missing[1].find("manual")->dump(), "true");
  EXPECT_THAT(run({"ledger", "verify", "--ledger", ledger_, "--labels", first}).out, HasSubstr("charged by hand"));
}

TEST_F(LedgerLabels, ALabelThatDoesNotFitExitsOne) {
  const std::string fine = publish("a.csv");
  const std::vector<std::pair<std::function<void(PrivacyLabel&)>, std::string>> changes = {
      {[](PrivacyLabel& label) { label.cost.epsilon = "0.5"; }, "another cost"},
      {[](PrivacyLabel& label) { label.budget.entry = "77"; }, "no entry"},
      {[](PrivacyLabel& label) { label.budget.dataset = "stays"; }, "another dataset"},
      {[](PrivacyLabel& label) { label.privacy_unit = "one person"; }, "another privacy unit"},
      {[](PrivacyLabel& label) { label.neighbours = Neighbours::replace_one; }, "other neighbours"},
      {[](PrivacyLabel& label) { label.budget = {}; }, "not recorded"},
      {[](PrivacyLabel& label) { label.budget.entry = "2"; }, "another label names the same entry"},
  };
  for (const auto& [change, reason] : changes) {
    const std::string forged = publish("b.csv");
    rewrite(forged, change);
    const Ran ran = verify({fine, forged});
    EXPECT_EQ(ran.status, 1) << reason;
    const Json json = *read_json(ran.out);
    EXPECT_EQ(json.find("error")->find("code")->text(), "bad_data");
    EXPECT_EQ(json.find("verified")->dump(), "true") << "the ledger itself is in order";
    const auto& labels = *json.find("labels")->elements();
    EXPECT_EQ(labels[0].find("fits")->dump(), "true");
    EXPECT_EQ(labels[1].find("fits")->dump(), "false");
    EXPECT_THAT(std::string(labels[1].find("problem")->text()), HasSubstr(reason));
  }
  EXPECT_EQ(verify({fine, fine}).status, 0) << "the same label twice is one";
  EXPECT_EQ(verify({(folder_ / "none.csv").string()}).status, 1);
  EXPECT_EQ(run({"ledger", "verify", "--ledger", ledger_, "--labels"}).status, 2);
}

TEST_F(LedgerLabels, CheckComparesOneLabelWithTheLedger) {
  const std::string output = publish("a.csv");
  EXPECT_THAT(run({"label", "check", output}).out, Not(HasSubstr("charged")));
  const Ran plain = run({"label", "check", output, "--ledger", ledger_});
  EXPECT_EQ(plain.status, 0);
  EXPECT_THAT(plain.out, HasSubstr("charged epsilon 1 to 'visits' by entry 2"));
  EXPECT_EQ(read_json(run({"label", "check", output, "--ledger", ledger_, "--json"}).out)->find("entry")->text(),
            "2");
  rewrite(output, [](PrivacyLabel& label) { label.cost.epsilon = "0.1"; });
  const Ran ran = run({"label", "check", output, "--ledger", ledger_, "--json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(read_json(ran.out)->find("in_ledger")->dump(), "false");
  EXPECT_EQ(run({"label", "check", output, "--ledger", (folder_ / "none").string()}).status, 1);
}

TEST_F(LedgerLabels, AChargeWhoseReleaseDidNotComeToItsEndIsTold) {
  const std::string output = publish("a.csv");
  const Ran reserved =
      run({"ledger", "reserve", "visits", "--ledger", ledger_, "--analyst", "owner", "--epsilon", "1", "--json"});
  ASSERT_EQ(reserved.status, 0) << reserved.out;
  const std::string entry(read_json(reserved.out)->find("reservation")->text());
  rewrite(output, [&](PrivacyLabel& label) { label.budget.entry = entry; });
  EXPECT_THAT(run({"label", "check", output, "--ledger", ledger_}).out, HasSubstr("never committed"));
  const Ran json = run({"label", "check", output, "--ledger", ledger_, "--json"});
  EXPECT_EQ(read_json(json.out)->find("committed")->dump(), "false");
  EXPECT_THAT(run({"ledger", "verify", "--ledger", ledger_, "--labels", output}).out, HasSubstr("never committed"));
}

TEST_F(LedgerLabels, OpenTellsTheOwnerWhetherTheInputIsTheOne) {
  const std::string output = publish("a.csv");
  const std::string input = (folder_ / "input.csv").string();
  ASSERT_TRUE(write_file(input, "secret rows of a.csv"));
  EXPECT_EQ(run({"label", "open", output, "--ledger", ledger_, input}).status, 0);
  EXPECT_EQ(run({"label", "open", output + ".label.json", input, "--ledger", ledger_}).status, 0);
  ASSERT_TRUE(write_file(input, "secret rows of b.csv"));
  const Ran ran = run({"label", "open", output, "--ledger", ledger_, input, "--json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(read_json(ran.out)->find("opens")->dump(), "false");
  EXPECT_THAT(ran.out, Not(HasSubstr("secret")));
  EXPECT_EQ(run({"label", "open", output, "--ledger", ledger_, (folder_ / "none").string()}).status, 1);
  EXPECT_EQ(run({"label", "open", output, "--ledger", ledger_}).status, 2);
  EXPECT_EQ(run({"label", "open", output, input}).status, 2);
  rewrite(output, [](PrivacyLabel& label) { label.commitments.input.reset(); });
  EXPECT_THAT(run({"label", "open", output, "--ledger", ledger_, input}).err, HasSubstr("commits to no input"));
}

TEST_F(LedgerLabels, UnitAndNeighboursBelongToTheDataset) {
  const auto ledger = [this](std::vector<std::string> args) {
    args.insert(args.begin(), "ledger");
    args.insert(args.end(), {"--ledger", ledger_, "--json"});
    return run(args);
  };
  const Json created = *read_json(
      ledger({"create", "stays", "--epsilon", "1", "--unit", "one patient", "--neighbours", "replace-one"}).out);
  EXPECT_EQ(created.find("unit")->text(), "one patient");
  EXPECT_EQ(created.find("neighbours")->text(), "replace-one");
  EXPECT_EQ(read_json(ledger({"show", "visits"}).out)->find("neighbours")->text(), "add-remove");
  const std::vector<std::string> spend = {"spend", "stays", "--analyst", "ana", "--epsilon", "0.1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), spend.begin(), spend.end());
    return ledger(more);
  };
  EXPECT_EQ(with({}).status, 0);
  EXPECT_EQ(with({"--unit", "one patient", "--neighbours", "replace-one"}).status, 0);
  EXPECT_EQ(with({"--unit", "one row"}).status, 2);
  const Json group = *read_json(with({"--neighbours", "add-remove"}).out);
  EXPECT_EQ(group.find("charged")->dump(), R"({"epsilon":0.2})");
  EXPECT_EQ(group.find("left")->find("epsilon")->text(), "0.6");
  EXPECT_EQ(
      ledger({"reserve", "visits", "--analyst", "ana", "--epsilon", "0.1", "--neighbours", "replace-one"}).status, 2);
  EXPECT_EQ(with({"--neighbours", "any"}).status, 2);
  EXPECT_EQ(ledger({"declare", "visits", "--neighbours", "add-remove"}).status, 2) << "it is declared";
  EXPECT_EQ(ledger({"declare", "visits"}).status, 2);
  EXPECT_THAT(ledger({"history", "stays"}).out, HasSubstr(R"("charge":{"epsilon":0.1},"unit":"one patient")"));
  EXPECT_EQ(ledger({"verify"}).status, 0);
}

TEST_F(LedgerLabels, NamesThatCannotBeSeenAreRefused) {
  for (const char* hidden : {"\u200b", "\ufeff", "\u202e", "\x01", "\x1b", "\x7f"}) {
    const std::string name = std::string("vis") + hidden + "its";
    EXPECT_EQ(run({"ledger", "create", name, "--ledger", ledger_, "--epsilon", "1"}).status, 2) << name;
    EXPECT_EQ(run({"ledger", "create", "d", "--ledger", ledger_, "--epsilon", "1", "--unit", name}).status, 2);
    EXPECT_EQ(run({"ledger", "spend", "visits", "--ledger", ledger_, "--analyst", name, "--epsilon", "1"}).status, 2);
    EXPECT_EQ(run({"ledger", "analysts", "visits", "--ledger", ledger_, "--set", name + "=0.1"}).status, 2);
    EXPECT_EQ(run({"ledger", "spend", "visits", "--ledger", ledger_, "--analyst", "ana", "--epsilon", "1",
                   "--purpose", name})
                  .status,
              2);
  }
  EXPECT_EQ(read_json(run({"ledger", "show", "visits", "--ledger", ledger_, "--json"}).out)->find("queries")->text(),
            "0");
}

}  // namespace ledger_labels_test
}  // namespace gauze::cli
