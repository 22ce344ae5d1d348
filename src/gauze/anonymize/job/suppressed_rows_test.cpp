// What becomes of rows that fit no class, and that every output passes the check by which it was made.
#include "gauze/anonymize/job/suppressed_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "gauze/anonymize/job/row_recoding.h"
#include "gauze/anonymize/job/verification.h"
#include "gauze/schema/policy/criterion_text.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::anonymize {
namespace suppressed_rows_test {

using namespace schema;  // the vocabulary of this file
using table::MemoryTable;

const std::vector<std::string> kColumns = {"age", "zip", "illness", "ward", "note"};

PolicyColumn column(const char* name, Role role) {
  PolicyColumn made;
  made.name = name;
  made.roles = {role};
  return made;
}

/// Age and zip are quasi-identifiers, illness is sensitive, ward insensitive, note undecided.
Policy base_policy(std::uint64_t k, const char* suppression) {
  Policy made;
  made.columns = {column("age", Role::quasi), column("zip", Role::quasi), column("illness", Role::sensitive),
                  column("ward", Role::insensitive)};
  made.privacy.k = k;
  made.search.suppression = *Rational::parse(suppression);
  return made;
}

/// The rows of the output, cells as they are in it.
Result<MemoryTable::Rows> output_of(MemoryTable& table, const Policy& policy, SuppressedRows suppressed) {
  Progress progress;
  const table::SourceOpener none = [](const std::string&,
                                      const table::ReadOptions&) -> Result<std::unique_ptr<table::Source>> {
    return make_error(ErrorCode::io, "there is no population");
  };
  GAUZE_TRY(const TableRecords records, read_records(table, none, policy, progress));
  GAUZE_TRY(const Anonymization result, anonymize(records, policy, suppressed, progress));
  RowRecodingOptions options;
  options.suppressed = suppressed;
  GAUZE_TRY(options.stars, star_rows(table, policy, result.recoding, suppressed, {}, {}, progress));
  const std::string text = table.rewritten(make_rewrite(table, records, result.recoding, options));
  MemoryTable::Rows rows(1, MemoryTable::Rows::value_type(1));
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) rows.back().emplace_back();
    if (c == '\n') rows.emplace_back(1);
    if ((c != ',' || quoted) && c != '\n' && c != '"') rows.back().back() += c;
  }
  rows.erase(rows.begin());  // the names
  rows.pop_back();
  return rows;
}

/// Eight rows of one class, and `odd` rows that fit none.
MemoryTable with_odd_rows(int odd) {
  MemoryTable::Rows rows;
  for (int i = 0; i < 8; ++i) rows.push_back({"30", "8", i % 2 == 0 ? "flu" : "asthma", "a", "n"});
  for (int i = 0; i < odd; ++i) rows.push_back({std::to_string(50 + 10 * i), std::to_string(i), "HIV", "b", "m"});
  return {kColumns, rows};
}

TEST(SuppressedRows, AreBlankButForInsensitiveColumns) {
  MemoryTable table = with_odd_rows(3);
  const auto rows = output_of(table, base_policy(3, "0.3"), SuppressedRows::blank);
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(rows->size(), 11U);
  EXPECT_EQ(rows->back(), (std::vector<std::string>{"*", "*", "*", "b", "*"}));
  EXPECT_EQ(rows->front(), (std::vector<std::string>{"30", "8", "flu", "a", "n"}));
}

TEST(SuppressedRows, AreBlankAltogetherWhenFewerThanK) {
  MemoryTable table = with_odd_rows(2);
  const auto rows = output_of(table, base_policy(3, "0.3"), SuppressedRows::blank);
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->back(), (std::vector<std::string>{"*", "*", "*", "*", "*"}));
}

TEST(SuppressedRows, AreLeftOutOrKeptWhenAsked) {
  MemoryTable table = with_odd_rows(2);
  const auto dropped = output_of(table, base_policy(3, "0.3"), SuppressedRows::drop);
  ASSERT_TRUE(dropped.has_value());
  EXPECT_EQ(dropped->size(), 8U);
  const auto kept = output_of(table, base_policy(3, "0.3"), SuppressedRows::keep);
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->back(), (std::vector<std::string>{"*", "*", "HIV", "b", "m"}));
}

TEST(SuppressedRows, AreBlankAltogetherWhenFewerThanKOfThemShowSomething) {
  MemoryTable::Rows rows;
  for (int i = 0; i < 8; ++i) rows.push_back({"30", "8", "flu", "a", "n"});
  for (int i = 0; i < 3; ++i) rows.push_back({std::to_string(50 + 10 * i), "1", "HIV", i == 0 ? "b" : "*", "m"});
  MemoryTable table(kColumns, rows);
  const auto written = output_of(table, base_policy(3, "0.3"), SuppressedRows::blank);
  ASSERT_TRUE(written.has_value()) << written.error().message;
  EXPECT_EQ((*written)[8], (std::vector<std::string>{"*", "*", "*", "*", "*"}));
}

TEST(SuppressedRows, AClassOfNothingButStarsShowsSomethingInAtLeastKRowsOrInNone) {
  // One value for everybody at the top; all but one row are `*` in the other columns already.
  MemoryTable::Rows rows;
  for (int i = 0; i < 4; ++i) rows.push_back({"a" + std::to_string(i), "b" + std::to_string(i), "*", "*", "*"});
  rows.back().back() = "seen";
  MemoryTable table(kColumns, rows);
  const auto written = output_of(table, base_policy(4, "0"), SuppressedRows::blank);
  ASSERT_TRUE(written.has_value()) << written.error().message;
  for (const auto& row : *written) EXPECT_EQ(row, std::vector<std::string>(5, "*"));
}

TEST(SuppressedRows, StarsAsSensitiveValuesAreRefusedWhereACriterionJudgesThem) {
  MemoryTable table(kColumns, {{"30", "8", "*", "a", "n"}, {"30", "8", "flu", "a", "n"}});
  Policy policy = base_policy(2, "0");
  EXPECT_TRUE(output_of(table, policy, SuppressedRows::blank).has_value());
  policy.privacy.l_diversity = {{"illness", DiversityKind::distinct, 2, 0}};
  EXPECT_EQ(output_of(table, policy, SuppressedRows::blank).error().code, ErrorCode::bad_data);
}

/// A random criterion on illness.
void add_criterion(Criteria& criteria, std::mt19937_64& random) {
  const auto fraction = [&](int most) { return *Rational::parse("0." + std::to_string(1 + random() % most)); };
  switch (random() % 7) {
    case 0:
      criteria.l_diversity = {{"illness", DiversityKind::distinct, 2, 0}};
      break;
    case 1:
      criteria.l_diversity = {{"illness", DiversityKind::entropy, 2, 0}};
      break;
    case 2:
      criteria.l_diversity = {{"illness", DiversityKind::recursive, 2, 3}};
      break;
    case 3:
      criteria.t_closeness = {{"illness", Distance::equal, fraction(5)}};
      break;
    case 4:
      criteria.t_closeness = {{"illness", Distance::ordered, fraction(4)}};
      break;
    case 5:
      criteria.delta_disclosure = {{"illness", Rational(1 + static_cast<int>(random() % 2))}};
      break;
    default:
      criteria.beta_likeness = {{"illness", random() % 2 == 0, Rational(1 + static_cast<int>(random() % 2))}};
      break;
  }
}

/// Whether what was written satisfies the criteria by which it was made; nothing when there is no admissible solution.
std::optional<Verification> check_output(const MemoryTable::Rows& rows, const Policy& policy,
                                         SuppressedRows suppressed) {
  MemoryTable table(kColumns, rows);
  const auto written = output_of(table, policy, suppressed);
  if (!written) return std::nullopt;
  MemoryTable output(kColumns, *written);
  Progress progress;
  VerificationRequest request{.quasi = {"age", "zip"}};
  request.criteria = policy.privacy;
  request.k_is_asked = true;
  auto found = verify(output, request, progress);
  EXPECT_TRUE(found.has_value()) << found.error().message;
  return found.has_value() ? std::optional(*std::move(found)) : std::nullopt;
}

void expect_all_hold(const Verification& found, const Policy& policy, SuppressedRows suppressed, int round) {
  for (const auto& requirement : found.requirements)
    EXPECT_TRUE(requirement.holds) << "round " << round << ": " << requirement.text << ", "
                                   << word_of(kSearchWords, policy.search.kind) << ", "
                                   << word_of(kSuppressedRowsWords, suppressed);
}

Policy random_policy(int round, std::mt19937_64& random) {
  Policy policy = base_policy(2 + random() % 3, round % 3 == 0 ? "0.1" : "0.5");
  constexpr SearchKind kKinds[] = {SearchKind::optimal, SearchKind::local, SearchKind::mondrian};
  policy.search.kind = kKinds[random() % 3];
  return policy;
}

// 600 random tables: whatever was suppressed, the written rows satisfy what was asked for.
TEST(SuppressedRows, EveryOutputPassesTheCheckByWhichItWasMade) {
  std::mt19937_64 random(29);
  std::size_t with_suppressed = 0;
  for (int round = 0; round < 600; ++round) {
    MemoryTable::Rows rows;
    const std::size_t count = 8 + random() % 40;
    for (std::size_t i = 0; i < count; ++i)
      rows.push_back({std::to_string(20 + random() % 6 * 7), std::to_string(80 + random() % 4),
                      std::to_string(random() % 4), random() % 2 == 0 ? "a" : "b", "n"});
    Policy policy = random_policy(round, random);
    add_criterion(policy.privacy, random);
    const SuppressedRows suppressed = random() % 2 == 0 ? SuppressedRows::blank : SuppressedRows::drop;
    const auto found = check_output(rows, policy, suppressed);
    if (!found) continue;
    with_suppressed += found->suppressed > 0 || found->rows < rows.size() ? 1 : 0;
    expect_all_hold(*found, policy, suppressed, round);
  }
  EXPECT_GT(with_suppressed, 100U) << "the property must be tried where it can fail";
}

// 900 random tables with cells that are `*` already, in any column; most cells of some.
TEST(SuppressedRows, OutputsOfTablesWithStarsPassTheirChecksToo) {
  std::mt19937_64 random(41);
  std::size_t with_class_of_stars = 0;
  for (int round = 0; round < 900; ++round) {
    Policy policy = random_policy(round, random);
    const bool judged = random() % 2 == 0;
    if (judged) add_criterion(policy.privacy, random);
    const std::uint64_t stars = 1 + random() % 9;  // of ten cells
    const auto cell = [&](const std::string& text) { return random() % 10 < stars ? std::string("*") : text; };
    MemoryTable::Rows rows;
    const std::size_t count = 8 + random() % 20;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string illness = std::to_string(random() % 3);
      rows.push_back({cell("a" + std::to_string(random() % 3)), cell("z" + std::to_string(random() % 3)),
                      judged ? illness : cell(illness), cell("w"), cell("n")});
    }
    const SuppressedRows suppressed = random() % 2 == 0 ? SuppressedRows::blank : SuppressedRows::drop;
    const auto found = check_output(rows, policy, suppressed);
    if (!found) continue;
    with_class_of_stars += found->suppressed_class.rows > 0 ? 1 : 0;
    expect_all_hold(*found, policy, suppressed, round);
  }
  EXPECT_GT(with_class_of_stars, 100U) << "the property must be tried where it can fail";
}

}  // namespace suppressed_rows_test
}  // namespace gauze::anonymize
