// `same`, `valid`, `outside` and `provenance: cleaning` in a policy: read, refused with the line, written and read back.

#include <gtest/gtest.h>

#include "gauze/schema/domain/domain_column.h"
#include "gauze/schema/hierarchies/hierarchy_spec.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/schema/policy/policy_writer.h"

namespace gauze::schema {
namespace cleaning_policy_test {

std::string with_column(const std::string& keys) {
  return "version: 1\ninput: {null: [unknown]}\ncolumns:\n  zip: {role: quasi}\n  c: {" + keys +
         "}\nprivacy: {k: 2}\n";
}

std::string error_of(const std::string& text) {
  const auto policy = parse_policy(text);
  return policy ? "read" : policy.error().message;
}

TEST(CleaningPolicy, ReadsSpellingsAndBounds) {
  const auto policy =
      parse_policy(with_column("role: quasi, same: {male: [Male, M, 男], ' f ': F}, valid: [1.5, 4e2]"));
  ASSERT_TRUE(policy) << policy.error().message;
  const PolicyColumn& column = *policy->find("c");
  EXPECT_EQ(column.same, (std::vector<SameValues>{{"male", {"Male", "M", "男"}}, {"f", {"F"}}}));
  ASSERT_TRUE(column.valid);
  EXPECT_EQ(std::get<NumberBounds>(column.valid->range), (NumberBounds{Rational(3, 2), 400}));
  EXPECT_EQ(column.valid->outside, OutsideCells::other);
  EXPECT_TRUE(policy->cleans());
  EXPECT_EQ(policy->provenance.cleaning, Provenance::data);
}

TEST(CleaningPolicy, ReadsDates) {
  const auto policy = parse_policy(with_column("role: quasi, valid: [1920-01-01, 31.12.2024], outside: clamp"));
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(std::get<DateRange>(policy->find("c")->valid->range), (DateRange{{1920, 1, 1}, {2024, 12, 31}}));
  EXPECT_EQ(policy->find("c")->valid->outside, OutsideCells::clamp);
}

TEST(CleaningPolicy, RefusesWhatContradictsItselfWithItsLine) {
  struct Case {
    const char* keys;
    const char* says;
  };
  for (const Case& one : {
           Case{"role: quasi, same: {}", "same is a map"},
           Case{"role: quasi, same: [a, b]", "same is a map"},
           Case{"role: quasi, same: {a: []}", "'a' lists nothing"},
           Case{"role: quasi, same: {a: [x], b: [x]}", "'x' is listed under 'a' and under 'b'"},
           Case{"role: quasi, same: {a: [x, x]}", "'x' is listed twice under 'a'"},
           Case{"role: quasi, same: {a: [b], b: [c]}", "'b' is a name, and is listed under 'a'"},
           Case{"role: quasi, same: {a: [c], b: [a]}", "'a' is a name, and is listed under 'b'"},
           Case{"role: quasi, same: {a: [unknown]}", "'unknown' means missing"},
           Case{"role: quasi, same: {'?': [x]}", "'?' means missing"},
           Case{"role: quasi, same: {a: ['  ']}", "an empty text means missing"},
           Case{"role: quasi, same: {a: [b]}, values: [b, c]", "values names 'b', which same turns into 'a'"},
           Case{"role: target, same: {a: [b]}, positive: b", "positive names 'b', which same turns into 'a'"},
           Case{"role: quasi, valid: [2, 1]", "the lower bound comes first, but 2 stands before 1"},
           Case{"role: quasi, valid: [2024-01-01, 1920-01-01]", "the first day comes first"},
           Case{"role: quasi, valid: [1920-01, 2024-01]", "a whole day"},
           Case{"role: quasi, valid: [a, z]", "two numbers or two whole days"},
           Case{"role: quasi, valid: [1, 2024-01-01]", "two numbers or two whole days"},
           Case{"role: quasi, valid: [1]", "two numbers or two whole days"},
           Case{"role: quasi, valid: 5", "two numbers or two whole days"},
           Case{"role: quasi, outside: other", "outside needs valid"},
           Case{"role: quasi, valid: [1, 2], outside: drop", "outside"},
       }) {
    const std::string message = error_of(with_column(one.keys));
    EXPECT_TRUE(message.starts_with("policy:5: ")) << one.keys << ": " << message;
    EXPECT_NE(message.find(one.says), std::string::npos) << one.keys << ": " << message;
  }
}

TEST(CleaningPolicy, NamesTheLineOfTheEntryItself) {
  const std::string text =
      "version: 1\ncolumns:\n  c:\n    role: quasi\n    same:\n      a: [x]\n      b:\n        - y\n        - x\nprivacy: {k: 2}\n";
  EXPECT_TRUE(error_of(text).starts_with("policy:9: ")) << error_of(text);
}

TEST(CleaningPolicy, OtherThatMeansMissingIsRefused) {
  std::string text = with_column("role: quasi, valid: [1, 2]");
  text.replace(text.find("unknown"), 7, "other");
  EXPECT_NE(error_of(text).find("outside: missing"), std::string::npos) << error_of(text);
}

TEST(CleaningPolicy, TheColumnThatTellsPersonsApartIsNeverCleaned) {
  const std::string text =
      "version: 1\ncolumns:\n  age: {role: quasi}\n  id: {role: identifier, same: {a: [A]}}\nprivacy: {k: 2}\n"
      "release: {mode: stability, unit: {id: id, max_classes: 1, max_rows: 1}}\n";
  const std::string message = error_of(text);
  EXPECT_NE(message.find("the column 'id' tells persons apart"), std::string::npos) << message;
  EXPECT_TRUE(message.starts_with("policy:6: ")) << message;
}

TEST(CleaningPolicy, IsWrittenAndReadBack) {
  const std::string text =
      with_column(
          "role: quasi, same: {male: [Male, '男', 'a: b', '\"'], '1': ['01']}, valid: [-0.5, 120], outside: missing") +
      "provenance: {cleaning: public}\n";
  auto policy = parse_policy(text);
  ASSERT_TRUE(policy) << policy.error().message;
  policy->columns.push_back({.name = "born", .roles = {Role::insensitive}});
  policy->columns.back().valid = ValidBounds{.range = DateRange{{1920, 1, 1}, {2024, 12, 31}}};
  const std::string written = format_policy(*policy, ".");
  const auto back = parse_policy(written);
  ASSERT_TRUE(back) << back.error().message << "\n" << written;
  EXPECT_EQ(*back, *policy) << written;
  EXPECT_NE(written.find("cleaning: public"), std::string::npos);
}

TEST(CleaningPolicy, ProvenanceOfCleaningIsWrittenOnlyWhereThereIsAny) {
  const auto policy = parse_policy(with_column("role: quasi"));
  EXPECT_EQ(format_policy(*policy, ".").find("cleaning"), std::string::npos);
}

// ---- what bounds make of a hierarchy and of a domain

table::Dictionary dictionary_of(std::vector<std::string> texts) {
  table::Dictionary values;
  values.values = std::move(texts);
  return values;
}

table::Dictionary ages_with_other() {
  table::Dictionary values = dictionary_of({"25", "41", "other"});
  values.outside = 2;
  return values;
}

TEST(OtherInHierarchies, StaysItselfBelowTheTop) {
  const IntervalsSpec spec{{{0, 30, 60}, {0, 60}}};
  const auto hierarchy = materialise(HierarchySpec(spec), "age", ages_with_other()).value();
  const auto row = hierarchy.find("other");
  ASSERT_TRUE(row);
  EXPECT_EQ(hierarchy.text(1, hierarchy.code(1, *row)), "other");
  EXPECT_EQ(hierarchy.text(2, hierarchy.code(2, *row)), "[0, 60]") << "the top of one value holds all";
  EXPECT_EQ(hierarchy.size(), 3U) << "one more ground value";
}

TEST(OtherInHierarchies, DoesNotDisturbWhatIsComposedFromTheData) {
  const auto hierarchy = materialise(HierarchySpec(AutomaticSpec{}), "age", ages_with_other());
  ASSERT_TRUE(hierarchy) << hierarchy.error().message;
  EXPECT_EQ(hierarchy->text(0, 0), "25");
  const auto row = hierarchy->find("other");
  ASSERT_TRUE(row);
  for (int level = 0; level < hierarchy->height(); ++level)
    EXPECT_EQ(hierarchy->text(level, hierarchy->code(level, *row)), "other");
}

TEST(OtherInHierarchies, AGroupOfThatNameIsRefusedUnlessItListsIt) {
  table::Dictionary values = dictionary_of({"a", "b", "other"});
  values.outside = 2;
  const GroupsSpec clash{{{{"other", {"a"}}, {"rest", {"b"}}}}};
  const auto refused = materialise(HierarchySpec(clash), "c", values);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("give the group another name"), std::string::npos);
  const GroupsSpec listed{{{{"odd", {"a", "other"}}, {"rest", {"b"}}}}};
  const auto hierarchy = materialise(HierarchySpec(listed), "c", values).value();
  EXPECT_EQ(hierarchy.text(1, hierarchy.code(1, *hierarchy.find("other"))), "odd");
}

PolicyColumn bounded(HierarchySpec spec) {
  PolicyColumn column{.name = "age", .roles = {Role::quasi}, .hierarchy = std::move(spec)};
  column.valid = ValidBounds{.range = NumberBounds{0, 60}};
  return column;
}

TEST(OtherInDomains, IsOneMoreValueWhetherItOccursOrNot) {
  const PolicyColumn column = bounded(IntervalsSpec{{{0, 30, 60}, {0, 60}}});
  const auto domain = DomainColumn::make(column).value();
  EXPECT_EQ(domain.size(1), 3U);
  EXPECT_EQ(domain.text(1, 2), "other");
  EXPECT_EQ(domain.size(2), 1U) << "the top of one value holds all";
  EXPECT_EQ(domain.encode(ages_with_other(), 1), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(domain.encode(ages_with_other(), 2), (std::vector<std::uint32_t>{0, 0, 0}));
  PolicyColumn clamped = column;
  clamped.valid->outside = OutsideCells::clamp;
  EXPECT_EQ(DomainColumn::make(clamped)->size(1), 2U);
}

TEST(OtherInDomains, SharesOfAListStillAddUpToAll) {
  const auto domain = DomainColumn::make(bounded(GroupsSpec{{{{"low", {"1", "2"}}, {"high", {"3"}}}}})).value();
  for (int level = 0; level <= domain.height(); ++level) {
    Rational sum = 0;
    for (std::uint32_t code = 0; code < domain.size(level); ++code) sum += domain.share(level, code);
    EXPECT_EQ(sum, Rational(1)) << level;
  }
  EXPECT_EQ(domain.share(0, 3), Rational(1, 4));
  const auto numbers = DomainColumn::make(bounded(IntervalsSpec{{{0, 30, 60}}})).value();
  EXPECT_EQ(numbers.share(1, 2), Rational(0)) << "one value among all numbers";
}

TEST(OtherInDomains, IsTheOneThatIsListed) {
  PolicyColumn column = bounded(GroupsSpec{{{{"low", {"1", "other"}}, {"high", {"2"}}}}});
  const auto domain = DomainColumn::make(column).value();
  EXPECT_EQ(domain.size(1), 2U);
  table::Dictionary values = dictionary_of({"1", "other"});
  EXPECT_EQ(domain.encode(values, 1), (std::vector<std::uint32_t>{0, 0}));
  column.hierarchy = GroupsSpec{{{{"other", {"1"}}, {"high", {"2"}}}}};
  EXPECT_FALSE(DomainColumn::make(column));
  column.hierarchy.reset();
  column.values = {"1", "2"};
  EXPECT_EQ(DomainColumn::make(column)->size(0), 3U) << "values have their own other";
}

}  // namespace cleaning_policy_test
}  // namespace gauze::schema
