#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"

namespace gauze::cli {
namespace ledger_commands_test {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class LedgerCommands : public ::testing::Test {
 protected:
  LedgerCommands() {
    std::string name = (fs::temp_directory_path() / "gauze-cli-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    ledger_ = (folder_ / "budget.ledger").string();
  }
  ~LedgerCommands() override { fs::remove_all(folder_); }

  /// gauze ledger VERB ... --ledger FILE
  Ran ledger(std::vector<std::string> args, const std::string& in = "") {
    args.insert(args.begin(), "ledger");
    args.insert(args.end(), {"--ledger", ledger_});
    return run(args, in);
  }

  /// The same with --json; the status must be the one given.
  Json json(std::vector<std::string> args, int status = 0, const std::string& in = "") {
    args.emplace_back("--json");
    const Ran ran = ledger(args, in);
    EXPECT_EQ(ran.status, status) << ran.out << ran.err;
    const auto document = read_json(ran.out);
    EXPECT_TRUE(document) << ran.out;
    return document ? *document : Json::object();
  }

  Json spend(const std::string& epsilon, int status = 0, const std::string& analyst = "ana") {
    return json({"spend", "visits", "--analyst", analyst, "--epsilon", epsilon}, status);
  }

  fs::path folder_;
  std::string ledger_;
};

std::string text(const Json& json, std::string_view key) {
  const Json* member = json.find(key);
  return member == nullptr ? "absent" : member->text().empty() ? member->dump() : std::string(member->text());
}

TEST_F(LedgerCommands, AMistypedDatasetIsAnsweredWithTheOneThatWasMeant) {
  json({"create", "claims", "--epsilon", "1"});
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"spend", "claim", "--analyst", "ana", "--epsilon", "0.1"}, {"show", "claim"}}) {
    const Ran ran = ledger(args);
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("did you mean 'claims'?"));
  }
}

TEST_F(LedgerCommands, TenTimesATenthExhaustsOne) {
  const Json created = json({"create", "visits", "--epsilon", "1"});
  EXPECT_EQ(text(created, "accountant"), "basic");
  EXPECT_EQ(text(created, "total"), "{\"epsilon\":1,\"delta\":0}");
  EXPECT_EQ(text(created, "left"), "{\"epsilon\":1,\"delta\":0}");
  EXPECT_EQ(text(created, "head").size(), 64U);
  for (int i = 0; i < 10; ++i) {
    const Json spent = spend("0.1");
    for (const char* key : {"entry", "charged", "spent", "left", "head"}) EXPECT_NE(spent.find(key), nullptr) << key;
    EXPECT_EQ(text(spent, "charged"), "{\"epsilon\":0.1}");
  }
  const Json refused = spend("1e-9", 3);
  EXPECT_EQ(text(*refused.find("error"), "code"), "budget_exhausted");
  EXPECT_EQ(text(refused, "left"), "{\"epsilon\":0,\"delta\":0}");
  EXPECT_EQ(text(refused, "allowed"), "{\"epsilon\":0}");
  EXPECT_EQ(text(refused, "limit"), "total");
}

TEST_F(LedgerCommands, ARefusalTellsPeopleWhatIsLeft) {
  ASSERT_EQ(ledger({"create", "visits", "--epsilon", "1"}).status, 0);
  ASSERT_EQ(ledger({"spend", "visits", "--analyst", "ana", "--epsilon", "0.7"}).status, 0);
  const Ran refused = ledger({"spend", "visits", "--analyst", "ana", "--epsilon", "0.5"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, HasSubstr("left: epsilon 0.3"));
  EXPECT_THAT(refused.err, HasSubstr("at most epsilon 0.3 would be allowed"));
}

TEST_F(LedgerCommands, EveryAccountantTakesItsCharges) {
  json({"create", "pure", "--epsilon", "1"});
  json({"create", "basic", "--epsilon", "1", "--delta", "1e-6", "--accountant", "basic"});
  json({"create", "zcdp", "--epsilon", "1", "--delta", "1e-6"});
  json({"create", "rho", "--rho", "0.5"});
  json({"create", "rdp", "--epsilon", "1", "--delta", "1e-6", "--accountant", "rdp:20"});
  json({"create", "gdp", "--epsilon", "1", "--delta", "1e-6", "--accountant", "gdp"});
  const auto charge = [&](const std::string& dataset, std::vector<std::string> amount) {
    amount.insert(amount.begin(), {"spend", dataset, "--analyst", "ana", "--json"});
    return ledger(amount).status;
  };
  const std::vector<std::string> epsilon = {"--epsilon", "0.001"};
  const std::vector<std::string> with_delta = {"--epsilon", "0.001", "--delta", "1e-9"};
  const std::vector<std::string> rho = {"--rho", "0.0001"};
  const std::vector<std::string> mu = {"--mu", "0.001"};
  const std::vector<std::string> rdp = {"--rdp", "0.0001"};
  const std::vector<std::pair<std::string, std::vector<int>>> expected = {
      {"pure", {0, 2, 2, 2, 2}}, {"basic", {0, 0, 2, 2, 2}}, {"zcdp", {0, 0, 0, 0, 2}},
      {"rho", {0, 2, 0, 0, 2}},  {"rdp", {0, 0, 0, 0, 0}},   {"gdp", {2, 2, 2, 0, 2}}};
  for (const auto& [dataset, statuses] : expected) {
    EXPECT_EQ((std::vector<int>{charge(dataset, epsilon), charge(dataset, with_delta), charge(dataset, rho),
                                charge(dataset, mu), charge(dataset, rdp)}),
              statuses)
        << dataset;
  }
  EXPECT_EQ(text(*json({"show", "rho"}).find("left"), "rho").substr(0, 5), "0.499");
  EXPECT_EQ(ledger({"verify"}).status, 0);
}

TEST_F(LedgerCommands, ATotalInRhoMayHaveADelta) {
  const Json created = json({"create", "scans", "--rho", "0.5", "--delta", "1e-6"});
  EXPECT_EQ(text(created, "accountant"), "zcdp");
  EXPECT_EQ(text(created, "total"), "{\"rho\":0.5,\"delta\":0.000001}");
  const Json spent = json({"spend", "scans", "--analyst", "ana", "--rho", "0.1", "--delta", "4e-7"});
  EXPECT_EQ(text(spent, "charged"), "{\"rho\":0.1,\"delta\":0.0000004}");
  EXPECT_EQ(text(spent, "left"), "{\"rho\":0.4,\"delta\":0.0000006}");
  const Json refused = json({"spend", "scans", "--analyst", "ana", "--rho", "0.1", "--delta", "7e-7"}, 3);
  EXPECT_EQ(text(refused, "limit"), "delta");
  json({"create", "replaced", "--rho", "0.5", "--delta", "1e-6", "--neighbours", "replace-one"});
  const Json group = json(
      {"spend", "replaced", "--analyst", "ana", "--rho", "0.1", "--delta", "1e-9", "--neighbours", "add-remove"}, 2);
  EXPECT_THAT(text(*group.find("error"), "message"), HasSubstr("replace-one"));
  EXPECT_EQ(ledger({"verify"}).status, 0);
}

TEST_F(LedgerCommands, TellWhatATotalIsWorthAsOnePureRelease) {
  EXPECT_EQ(text(json({"create", "pure", "--epsilon", "1"}), "as_one_pure_release"), "null");
  EXPECT_EQ(text(json({"create", "rho", "--rho", "0.5"}), "as_one_pure_release"), "{\"epsilon\":1}");
  for (const char* accountant : {"zcdp", "rdp:20"}) {
    const Json created =
        json({"create", accountant, "--epsilon", "1", "--delta", "1e-6", "--accountant", accountant});
    const Json* worth = created.find("as_one_pure_release")->find("epsilon");
    ASSERT_NE(worth, nullptr) << accountant;
    EXPECT_GT(std::stod(std::string(worth->text())), 0.1) << accountant;
    EXPECT_LT(std::stod(std::string(worth->text())), 1) << accountant;
  }
  EXPECT_THAT(ledger({"create", "other", "--rho", "0.125"}).out,
              HasSubstr("as one pure release: at most epsilon 0.5"));
  EXPECT_THAT(ledger({"show", "rho"}).out, HasSubstr("as one pure release: at most epsilon 1"));
  EXPECT_EQ(text(json({"show", "rho"}), "as_one_pure_release"), "{\"epsilon\":1}");
  const std::vector<std::string> gdp = {"create", "mu", "--epsilon", "1", "--delta", "1e-6", "--accountant", "gdp"};
  EXPECT_THAT(ledger(gdp).out, HasSubstr("takes charges in mu alone"));
  EXPECT_EQ(text(json({"show", "mu"}), "as_one_pure_release"), "null");
}

TEST_F(LedgerCommands, ADeltaWithoutAnAccountantSaysWhatThatSuits) {
  EXPECT_THAT(ledger({"create", "a", "--epsilon", "1", "--delta", "1e-6"}).err, HasSubstr("--accountant basic"));
  EXPECT_EQ(ledger({"create", "b", "--epsilon", "1"}).err, "");
  EXPECT_EQ(ledger({"create", "c", "--epsilon", "1", "--delta", "1e-6", "--accountant", "zcdp"}).err, "");
  // 0.5 of an epsilon of 1 is refused, because it is rho 0.125 of 0.0229.
  const Json refused = json({"spend", "a", "--analyst", "ana", "--epsilon", "0.5"}, 3);
  EXPECT_THAT(text(*refused.find("error"), "message"),
              AllOf(HasSubstr("The reason is the accountant, zcdp"), HasSubstr("costs rho 0.125"),
                    HasSubstr("as one pure release: at most epsilon 0.21")));
}

TEST_F(LedgerCommands, ASpendUnderARequestIdIsChargedOnce) {
  json({"create", "visits", "--epsilon", "1"});
  const std::vector<std::string> asked = {"spend",     "visits", "--analyst", "ana",
                                          "--epsilon", "0.1",    "--request", "r1"};
  const Json first = json(asked);
  EXPECT_EQ(text(first, "request"), "r1");
  EXPECT_EQ(text(first, "repeated"), "false");
  const Json again = json(asked);
  EXPECT_EQ(text(again, "repeated"), "true");
  EXPECT_EQ(text(again, "entry"), "2");
  EXPECT_EQ(text(again, "committed_by"), "2");
  EXPECT_EQ(text(again, "left"), "{\"epsilon\":0.9,\"delta\":0}");
  EXPECT_EQ(text(again, "head"), text(first, "head"));
  EXPECT_THAT(ledger(asked).out, HasSubstr("nothing is charged"));
  for (const auto& [flag, value] : std::vector<std::pair<std::string, std::string>>{
           {"--epsilon", "0.2"}, {"--analyst", "ben"}, {"--purpose", "more"}, {"--unit", "one row"}}) {
    std::vector<std::string> other = asked;
    const auto place = std::find(other.begin(), other.end(), flag);
    if (place == other.end()) {
      other.insert(other.end(), {flag, value});
    } else {
      *(place + 1) = value;
    }
    const Json refused = json(other, 2);
    EXPECT_THAT(text(*refused.find("error"), "message"), HasSubstr("'r1'")) << flag;
  }
  std::vector<std::string> reserved = asked;
  reserved[0] = "reserve";
  json(reserved, 2);
  EXPECT_EQ(text(json({"show", "visits"}), "queries"), "1");
}

TEST_F(LedgerCommands, AReservationUnderARequestIdIsCommittedOnce) {
  json({"create", "visits", "--epsilon", "1"});
  const std::vector<std::string> asked = {"reserve",   "visits", "--analyst", "ana",
                                          "--epsilon", "0.1",    "--request", "r1"};
  EXPECT_EQ(text(json(asked), "reservation"), "2");
  const Json unfinished = json(asked, 3);
  EXPECT_EQ(text(*unfinished.find("error"), "code"), "request_unfinished");
  EXPECT_EQ(text(unfinished, "reservation"), "2");
  json({"commit", "2", "--request", "other"}, 2);
  json({"commit", "1", "--request", "r1"}, 2);
  json({"commit", "9", "--request", "r1"}, 2);
  EXPECT_EQ(text(json({"commit", "2", "--request", "r1"}), "entry"), "3");
  const Json committed = json({"commit", "2", "--request", "r1"});
  EXPECT_EQ(text(committed, "repeated"), "true");
  EXPECT_EQ(text(committed, "committed_by"), "3");
  json({"commit", "2"}, 2);
  EXPECT_EQ(text(json(asked), "repeated"), "true");
  const Json history = json({"history", "visits"});
  EXPECT_EQ(text((*history.find("entries")->elements())[1], "request"), "r1");
  EXPECT_EQ(text((*history.find("entries")->elements())[1], "request_digest").size(), 64U);
  EXPECT_THAT(ledger({"history", "visits"}).out, HasSubstr("request r1"));
  EXPECT_EQ(ledger({"verify"}).status, 0);
}

TEST_F(LedgerCommands, CreateRefusesWhatDoesNotFitAndLeavesNoFile) {
  const std::vector<std::vector<std::string>> bad = {
      {"create", "d"},
      {"create", "d", "--epsilon", "1", "--rho", "1"},
      {"create", "d", "--rho", "1", "--delta", "1e-6", "--accountant", "rdp:8"},
      {"create", "d", "--rho", "1", "--delta", "1"},
      {"create", "d", "--epsilon", "0"},
      {"create", "d", "--epsilon", "x"},
      {"create", "d", "--epsilon", "1", "--accountant", "pld"},
      {"create", "d", "--epsilon", "1", "--accountant", "zcdp"},
      {"create", "d", "--rho", "1", "--accountant", "basic"},
      {"create", "d", "--epsilon", "1", "--window", "30d"},
      {"create", "d", "--epsilon", "1", "--window", "30x", "--window-epsilon", "1"},
      {"create", "d", "--epsilon", "1", "--window", "30d", "--window-epsilon", "2"},
      {"create", "d", "--epsilon", "1", "--window", "30d", "--window-rho", "1"},
      {"create", "d", "--epsilon", "1", "--max-queries", "0"},
      {"create", "d", "--epsilon", "1", "--max-per-query", "2"},
      {"create", "a=b", "--epsilon", "1"},
  };
  for (const auto& args : bad) {
    EXPECT_EQ(ledger(args).status, 2) << ::testing::PrintToString(args);
    EXPECT_FALSE(fs::exists(ledger_));
  }
  EXPECT_EQ(ledger({"create", "d", "--epsilon", "1"}).status, 0);
  EXPECT_EQ(ledger({"create", "d", "--epsilon", "5"}).status, 2);
}

TEST_F(LedgerCommands, SpendRefusesWhatItCannotRead) {
  json({"create", "visits", "--epsilon", "1"});
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"--analyst", "ana"},
                                             {"--epsilon", "0.1"},
                                             {"--analyst", "ana", "--epsilon", "0"},
                                             {"--analyst", "ana", "--epsilon", "-1"},
                                             {"--analyst", "ana", "--epsilon", "0.1", "--rho", "0.1"},
                                             {"--analyst", "ana", "--rho", "0.1", "--delta", "1e-6"},
                                             {"--analyst", "ana", "--epsilon", "0.1", "--delta", "1"},
                                             {"--analyst", "ana", "--epsilon", "0.1", "--corrects", "9"}}) {
    std::vector<std::string> args = {"spend", "visits"};
    args.insert(args.end(), bad.begin(), bad.end());
    EXPECT_EQ(ledger(args).status, 2) << ::testing::PrintToString(args);
  }
  EXPECT_EQ(ledger({"spend", "nowhere", "--analyst", "ana", "--epsilon", "0.1"}).status, 2);
  EXPECT_EQ(text(json({"show", "visits"}), "queries"), "0");
}

TEST_F(LedgerCommands, ReserveThenCommit) {
  json({"create", "visits", "--epsilon", "1"});
  const Json reserved = json({"reserve", "visits", "--analyst", "ana", "--epsilon", "0.4"});
  EXPECT_EQ(text(reserved, "left"), "{\"epsilon\":0.6,\"delta\":0}");
  const Json committed = json({"commit", text(reserved, "reservation")});
  EXPECT_EQ(text(committed, "dataset"), "visits");
  EXPECT_EQ(text(committed, "reservation"), text(reserved, "reservation"));
  EXPECT_EQ(ledger({"commit", text(reserved, "reservation")}).status, 2);
  EXPECT_EQ(ledger({"commit", "x"}).status, 2);
  EXPECT_EQ(text(json({"show", "visits"}), "left"), "{\"epsilon\":0.6,\"delta\":0}");
}

TEST_F(LedgerCommands, ShowSaysSpentAgainstATotal) {
  json({"create", "visits", "--epsilon", "1", "--window", "30d", "--window-epsilon", "0.5", "--max-queries", "7",
        "--max-per-query", "0.25", "--unit", "one patient"});
  spend("0.2");
  const Ran plain = ledger({"show"});
  EXPECT_THAT(plain.out, HasSubstr("visits: spent against a total of epsilon 1\n"));
  EXPECT_THAT(plain.out, HasSubstr("spent    epsilon 0.2\n"));
  EXPECT_THAT(plain.out, HasSubstr("left     epsilon 0.8\n"));
  EXPECT_THAT(plain.out, HasSubstr("queries  1 of 7\n"));
  EXPECT_THAT(plain.out, HasSubstr("epsilon 0.5 every 30d; left epsilon 0.3 until"));
  EXPECT_THAT(plain.out, HasSubstr("at most epsilon 0.25"));
  EXPECT_THAT(plain.out, HasSubstr("protects one patient, neighbours add-remove; accountant basic"));
  EXPECT_EQ(plain.out.find('#'), std::string::npos);
  const Json one = json({"show", "visits"});
  EXPECT_EQ(text(one, "spent"), "{\"epsilon\":0.2,\"delta\":0}");
  EXPECT_EQ(text(*one.find("window"), "left"), "{\"epsilon\":0.3}");
  EXPECT_EQ(json({"show"}).find("datasets")->elements()->size(), 1U);
  EXPECT_EQ(ledger({"show", "nowhere"}).status, 2);
}

TEST_F(LedgerCommands, ShowDrawsABarOnATerminal) {
  json({"create", "visits", "--epsilon", "1"});
  spend("0.25");
  Ran ran;
  Streams streams = string_streams(ran);
  streams.out_is_terminal = true;
  streams.no_color = true;
  const Registry registry = make_registry();
  ran.status = run_command_line(registry, std::vector<std::string>{"ledger", "show", "--ledger", ledger_}, streams);
  EXPECT_THAT(ran.out, HasSubstr("[##########------------------------------] 25 %"));
}

TEST_F(LedgerCommands, AnalystsHaveSharesAndHandThemOn) {
  json({"create", "visits", "--epsilon", "1"});
  EXPECT_THAT(ledger({"analysts", "visits"}).out, HasSubstr("No one has spent"));
  const Json set = json({"analysts", "visits", "--set", "ana=0.5", "--set", "ben=0.2"});
  EXPECT_EQ(set.find("analysts")->elements()->size(), 2U);
  EXPECT_EQ(text((*set.find("analysts")->elements())[0], "share"), "0.5");
  EXPECT_EQ(text(*spend("0.1", 4, "cleo").find("error"), "code"), "not_authorised");
  const Json refused = spend("0.3", 3, "ben");
  EXPECT_EQ(text(refused, "allowed"), "{\"epsilon\":0.2}");
  EXPECT_EQ(text(refused, "limit"), "share");
  json({"analysts", "visits", "--delegate", "ana=ben:0.1"});
  spend("0.3", 0, "ben");
  EXPECT_THAT(ledger({"analysts", "visits"}).out,
              HasSubstr("ben: share 0.3; spent epsilon 0.3; left epsilon 0; 1 query"));
  for (const char* bad : {"ana", "ana=", "ana=x", "=0.1", "ana=2"}) {
    EXPECT_EQ(ledger({"analysts", "visits", "--set", bad}).status, 2) << bad;
  }
  for (const char* bad : {"ana", "ana=ben", "ana=:0.1", "ana=ben:", "ana=ana:0.1", "zoe=ben:0.1"}) {
    EXPECT_EQ(ledger({"analysts", "visits", "--delegate", bad}).status, 2) << bad;
  }
  // Together or not at all.
  EXPECT_EQ(ledger({"analysts", "visits", "--set", "zoe=0.1", "--set", "yan=0.9"}).status, 2);
  EXPECT_EQ(json({"analysts", "visits"}).find("analysts")->elements()->size(), 2U);
}

TEST_F(LedgerCommands, HistoryTellsWhoSpentWhat) {
  json({"create", "visits", "--epsilon", "1"});
  json({"spend", "visits", "--analyst", "ana", "--epsilon", "0.1", "--purpose", "ages"});
  json({"spend", "visits", "--analyst", "ben", "--epsilon", "0.2", "--corrects", "2"});
  json({"reserve", "visits", "--analyst", "ben", "--epsilon", "0.2"});
  json({"commit", "4"});
  json({"analysts", "visits", "--set", "ana=0.2", "--delegate", "ana=ben:0.1"});
  const Json all = json({"history"});
  EXPECT_EQ(all.find("entries")->elements()->size(), 7U);
  const Ran plain = ledger({"history", "visits"});
  for (const char* part : {"create", "total epsilon 1", "ana  epsilon 0.1  ages", "corrects 2", "reservation 4",
                           "ana has 0.2", "ana gives ben 0.1"}) {
    EXPECT_THAT(plain.out, HasSubstr(part));
  }
  EXPECT_EQ(json({"history", "--analyst", "ben"}).find("entries")->elements()->size(), 3U);
  EXPECT_EQ(json({"history", "--last", "1"}).find("entries")->elements()->size(), 1U);
  EXPECT_EQ(ledger({"history", "nowhere"}).status, 2);
  EXPECT_EQ(ledger({"history", "--last", "0"}).status, 2);
}

TEST_F(LedgerCommands, VerifyFindsARolledBackFile) {
  json({"create", "visits", "--epsilon", "1"});
  fs::copy_file(ledger_, folder_ / "old");
  const std::string head = text(spend("0.1"), "head");
  const Json fine = json({"verify", "--head", head});
  EXPECT_EQ(text(fine, "verified"), "true");
  EXPECT_EQ(text(fine, "newer_entries"), "0");
  EXPECT_THAT(ledger({"verify"}).out, HasSubstr("2 entries on 1 dataset fit together"));
  fs::rename(folder_ / "old", ledger_);
  EXPECT_EQ(ledger({"verify"}).status, 0);
  const Json rolled_back = json({"verify", "--head", head}, 1);
  EXPECT_EQ(text(*rolled_back.find("error"), "code"), "bad_data");
  EXPECT_EQ(text(rolled_back, "verified"), "false");
  EXPECT_EQ(ledger({"verify", "--head", "abc"}).status, 2);
}

TEST_F(LedgerCommands, VerifyFindsADamagedFile) {
  json({"create", "visits", "--epsilon", "1"});
  spend("0.1");
  std::string bytes = *read_file(ledger_);
  const auto at = bytes.rfind(R"("analyst":"ana")");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 15, R"("analyst":"eve")");
  ASSERT_TRUE(write_file(ledger_, bytes));
  EXPECT_EQ(ledger({"verify"}).status, 1);
  ASSERT_TRUE(write_file(ledger_, "garbage"));
  for (const char* verb : {"show", "history", "verify", "export"}) EXPECT_EQ(ledger({verb}).status, 1) << verb;
  fs::remove(ledger_);
  EXPECT_EQ(text(*json({"show"}, 1).find("error"), "code"), "io");
}

TEST_F(LedgerCommands, ExportThenImportGivesTheSameLedger) {
  json({"create", "visits", "--epsilon", "1"});
  const std::string head = text(spend("0.1"), "head");
  const std::string exported = ledger({"export"}).out;
  EXPECT_EQ(std::count(exported.begin(), exported.end(), '\n'), 3);
  const std::string file = (folder_ / "out.jsonl").string();
  EXPECT_EQ(text(json({"export", "-o", file}), "head"), head);
  EXPECT_EQ(*read_file(file), exported);
  EXPECT_EQ(json({"export"}).find("lines")->elements()->size(), 3U);

  const std::string original = ledger_;
  ledger_ = (folder_ / "copy.ledger").string();
  EXPECT_EQ(text(json({"import", file, "--head", head}), "entries"), "2");
  EXPECT_EQ(ledger({"export"}).out, exported);
  EXPECT_EQ(ledger({"import", file}).status, 2) << "it has entries already";
  ledger_ = (folder_ / "third.ledger").string();
  EXPECT_THAT(ledger({"import", "-"}, exported).out, HasSubstr("2 entries on 1 dataset were checked and imported"));
  ledger_ = (folder_ / "fourth.ledger").string();
  EXPECT_EQ(ledger({"import", "-"}, exported.substr(0, exported.size() - 5)).status, 1);
  EXPECT_EQ(ledger({"import", "-"}, "").status, 1);
  EXPECT_FALSE(fs::exists(ledger_));
}

TEST_F(LedgerCommands, AnExportDoesNotReplaceTheLedger) {
  json({"create", "visits", "--epsilon", "1"});
  fs::create_symlink(ledger_, folder_ / "link");
  for (const std::string& place :
       {ledger_, (folder_ / "." / "budget.ledger").string(), (folder_ / "link").string()}) {
    EXPECT_THAT(ledger({"export", "-o", place}).err, HasSubstr("-o would replace what --ledger names")) << place;
  }
  EXPECT_EQ(ledger({"verify"}).status, 0);
}

TEST_F(LedgerCommands, TheDeltaOfAQueryIsLimited) {
  const Json created =
      json({"create", "visits", "--epsilon", "1", "--delta", "1e-6", "--max-delta-per-query", "1e-8"});
  EXPECT_EQ(text(created, "max_delta_per_query"), "0.00000001");
  EXPECT_THAT(ledger({"show"}).out, HasSubstr("a query  at most delta 0.00000001\n"));
  const Json refused = json({"spend", "visits", "--analyst", "ana", "--epsilon", "0.1", "--delta", "2e-8"}, 3);
  EXPECT_EQ(text(refused, "limit"), "per_query");
  EXPECT_EQ(text(refused, "allowed"), R"({"epsilon":0.1,"delta":0.00000001})");
  EXPECT_EQ(ledger({"create", "pure", "--epsilon", "1", "--max-delta-per-query", "1e-8"}).status, 2);
}

TEST_F(LedgerCommands, NeedTheirLedger) {
  EXPECT_EQ(run({"ledger", "show"}).status, 2);
  EXPECT_EQ(run({"ledger"}).status, 2);
  EXPECT_EQ(run({"ledger", "refund"}).status, 2);
}

}  // namespace ledger_commands_test
}  // namespace gauze::cli
