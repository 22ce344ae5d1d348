#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/atomic_file.h"
#include "gauze/ledger/internal/ledger_parts.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace transfer_test {

using ::testing::HasSubstr;

class LedgerTransfer : public LedgerTest {
 protected:
  std::string filled_export() {
    Ledger ledger = create();
    DatasetOptions windowed = epsilon_options("visits", "10");
    windowed.window_seconds = kDay;
    windowed.window_limit = Rational(5);
    windowed.max_per_query = Rational(2);
    windowed.max_queries = 50;
    add(ledger, windowed);
    add(ledger, epsilon_options("stays", "1", "1e-6"));
    EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1"))));
    EXPECT_TRUE(ledger.spend(request("stays", charge_of(Charge::Kind::rho, "0.001"))));
    now_ += 3 * kDay;
    EXPECT_TRUE(ledger.commit(ledger.reserve(request("visits", epsilon_charge("0.5")))->entry));
    EXPECT_TRUE(ledger.set_share("visits", "ana", decimal("0.8")));
    EXPECT_TRUE(ledger.delegate("visits", "ana", "ben", decimal("0.2")));
    return export_text(ledger);
  }

  std::string refusal(const std::string& text) {
    const auto imported = Ledger::import_text(folder_ / "new.ledger", text, {});
    EXPECT_FALSE(std::filesystem::exists(folder_ / "new.ledger"));
    if (imported) return "";
    EXPECT_EQ(imported.error().code, ErrorCode::bad_data);
    return imported.error().message;
  }
};

TEST_F(LedgerTransfer, AnImportIsTheSameLedger) {
  const std::string text = filled_export();
  const auto imported = Ledger::import_text(folder_ / "new.ledger", text, {});
  ASSERT_TRUE(imported) << imported.error().message;
  Ledger copy = *Ledger::open(folder_ / "new.ledger", options());
  EXPECT_EQ(export_text(copy), text);
  EXPECT_EQ(*copy.head(), *open().head());
  EXPECT_EQ(imported->head, *copy.head());
  EXPECT_TRUE(verify(copy));
  EXPECT_EQ(copy.balance("visits")->left().amount, open().balance("visits")->left().amount);
  EXPECT_EQ(copy.balance("visits")->window_spent, 500'000'000);
  // It goes on where the other one stopped.
  EXPECT_TRUE(copy.spend(request("visits", epsilon_charge("0.1"), "ben")));
  EXPECT_TRUE(verify(copy));
}

TEST_F(LedgerTransfer, AnExportNamesItsOwnHead) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  Ledger other = open();
  std::string text;
  const auto head = ledger.export_lines([&](std::string_view line) -> Result<void> {
    if (text.empty()) {
      EXPECT_TRUE(other.spend(request("visits", epsilon_charge("0.1"))));
    }
    text += line;
    return {};
  });
  ASSERT_TRUE(head);
  EXPECT_NE(*head, *ledger.head()) << "what came meanwhile is not in the export";
  EXPECT_EQ(internal::read_export(text)->replay.head(), *head);
}

TEST_F(LedgerTransfer, AnEmptyLedgerCanBeExported) {
  create();
  const std::string text = export_text(open());
  EXPECT_EQ(text, "{\"format\":\"gauze-ledger\",\"version\":4,\"entries\":0,\"head\":\"" + genesis_hash() + "\"}\n");
  EXPECT_TRUE(Ledger::import_text(folder_ / "new.ledger", text, {}));
}

TEST_F(LedgerTransfer, ALedgerWithEntriesIsNotOverwritten) {
  const std::string text = filled_export();
  const auto refused = Ledger::import_text(path_, text, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(export_text(open()), text);
}

TEST_F(LedgerTransfer, AKeptHeadMustBeInTheExport) {
  const std::string text = filled_export();
  const std::string head = *open().head();
  const auto found = Ledger::import_text(folder_ / "new.ledger", text, head);
  EXPECT_EQ(found->head_entry, found->entries);
  EXPECT_EQ(Ledger::import_text(folder_ / "other", text, std::string(64, 'a')).error().code, ErrorCode::bad_data);
  EXPECT_EQ(Ledger::import_text(folder_ / "other", text, "x").error().code, ErrorCode::invalid_parameter);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other"));
}

TEST_F(LedgerTransfer, EveryChangeIsRefusedAndLeavesNoFile) {
  const std::string text = filled_export();
  const auto lines = [&] {
    std::vector<std::string> found;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
      found.push_back(text.substr(begin, end + 1 - begin));
    }
    return found;
  }();
  const auto joined = [](const std::vector<std::string>& pieces) {
    std::string all;
    for (const auto& piece : pieces) all += piece;
    return all;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto without = lines;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(refusal(joined(without)), "") << "without line " << i;
    auto twice = lines;
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    EXPECT_NE(refusal(joined(twice)), "") << "line twice " << i;
    if (i + 1 == lines.size()) continue;
    auto swapped = lines;
    std::swap(swapped[i], swapped[i + 1]);
    EXPECT_NE(refusal(joined(swapped)), "") << "swapped " << i;
  }
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::string changed = text;
    changed[i] = changed[i] == '7' ? '8' : '7';
    EXPECT_NE(refusal(changed), "") << i;
    EXPECT_NE(refusal(text.substr(0, i)), "") << i;
  }
  EXPECT_NE(refusal(text + "\n"), "");
  EXPECT_NE(refusal(text + "x"), "");
  EXPECT_THAT(refusal("hello\n"), HasSubstr("not an exported ledger"));
  EXPECT_THAT(refusal("{\"format\":\"gauze-ledger\",\"version\":5}\n"), HasSubstr("version"));
}

TEST_F(LedgerTransfer, MessagesQuoteNothingOfTheFile) {
  std::string text = filled_export();
  text.replace(text.find("visits"), 6, "SECRET");
  EXPECT_EQ(refusal(text).find("SECRET"), std::string::npos);
}

TEST_F(LedgerTransfer, AForgedChainMustStillObeyTheRules) {
  filled_export();
  std::vector<std::string> bodies;
  const auto all = *open().history({});
  for (const auto& one : all) bodies.push_back(one.entry.canonical());
  EXPECT_TRUE(internal::read_export(forged_export(bodies)));
  const std::vector<std::tuple<std::size_t, std::string, std::string>> changes = {
      {0, R"("capacity":{"amount":10000000000)", R"("capacity":{"amount":20000000000)"},
      {0, R"("capacity":{"amount":10000000000)", R"("capacity":{"amount":10000000001)"},
      {0, R"("capacity":{"amount":10000000000)", R"("capacity":{"amount":9999999999)"},
      {0, R"("total":{"epsilon":10000000000)", R"("total":{"epsilon":9000000000000000000)"},
      {0, R"("total":{"epsilon":10000000000)", R"("total":{"epsilon":-1)"},
      {0, "\"seconds\":86400", "\"seconds\":1"},
      {0, "\"seconds\":86400", "\"seconds\":9000000000000000000"},
      {0, "\"limit\":5000000000", "\"limit\":6000000000"},
      {0, "\"limit\":5000000000", "\"limit\":5000000001"},
      {0, "\"max_queries\":50", "\"max_queries\":0"},
      {0, "\"max_queries\":50", R"("max_delta_per_query":1,"max_queries":50)"},
      {4, R"("spent":500000000})", R"("spent":500000000},"corrects":1)"},
      {4, R"("spent":500000000})", R"("spent":500000000},"corrects":4)"},
      {4, R"("spent":500000000})", R"("spent":500000000},"corrects":5)"},
      {0, R"("unit":"one row")", R"("unit":"")"},
      {0, "\"entry\":1", "\"entry\":2"},
      {0, "\"time\":1800000000", "\"time\":-1"},
      {1, "\"delta\":500000000000", "\"delta\":600000000000"},
      {2, "\"time\":1800000000", "\"time\":1799999999"},
      {2, "\"time\":1800000000", "\"time\":9000000000000000000"},
      {2, R"("charge":{"epsilon":100000000})", R"("charge":{"epsilon":200000000})"},
      {2, R"("charged":{"epsilon":100000000})", R"("charged":{"epsilon":50000000})"},
      {2, R"("unit":"one row")", R"("unit":"one patient")"},
      {2, R"("neighbours":"add-remove")", R"("neighbours":"replace-one")"},
      {2, R"("neighbours":"add-remove")", R"("neighbours":"not-applicable")"},
      {2, R"("queries":1)", R"("queries":0)"},
      {2, R"("window":{"index":0,"spent":100000000})", R"("window":{"index":0,"spent":0})"},
      {2, R"("nonce":")", R"("nonce":"0)"},
      {0, R"("neighbours":"add-remove")", R"("neighbours":"any-two-inputs")"},
      {2, R"("charge":{"epsilon":100000000})", R"("charge":{"epsilon":0})"},
      {2, R"("charge":{"epsilon":100000000})", R"("charge":{"epsilon":-5})"},
      {2, R"("charge":{"epsilon":100000000})", R"("charge":{"rho":100000000})"},
      {2, R"("charge":{"epsilon":100000000})", R"("charge":{"epsilon":100000000,"delta":1})"},
      {2, R"("cost":{"amount":100000000)", R"("cost":{"amount":1)"},
      {2, R"("spent":{"amount":100000000)", R"("spent":{"amount":1)"},
      {2, R"("dataset":"visits")", R"("dataset":"nowhere")"},
      {2, R"("analyst":"ana")", R"("analyst":"")"},
      {5, R"("dataset":"visits")", R"("dataset":"stays")"},
      {5, "\"reservation\":5", "\"reservation\":4"},
      {6, "\"share\":800000000", "\"share\":1800000000"},
      {7, "\"share\":200000000", "\"share\":900000000"},
      {7, R"("receiver":"ben")", R"("receiver":"ana")"},
  };
  for (const auto& [index, from, to] : changes) {
    auto forged = bodies;
    const auto at = forged.at(index).find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << forged[index];
    forged[index].replace(at, from.size(), to);
    const auto read = internal::read_export(forged_export(forged));
    EXPECT_FALSE(read) << from << " -> " << to;
  }
}

}  // namespace transfer_test
}  // namespace gauze
