#include "gauze/schema/policy/policy_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <set>

#include "gauze/files/atomic_file.h"
#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace policy_writer_test {

using ::testing::HasSubstr;

bool coin() { return *rc::gen::arbitrary<bool>(); }

template <class Value>
Value one_of(std::vector<Value> values) {
  return *rc::gen::elementOf(std::move(values));
}

/// Names and values as unpleasant as they come.
std::string any_text() {
  static const std::vector<std::string> kTexts = {
      "a",  "b",  "age", "native-country", "年龄", "a: b",  "- x", "#",    "null", "~",  "true", "1", "0.10",
      "\"", "\\", "'",   "x\ny",           "\t",   "[a]",   "{b}", "a, b", "*",    "&a", "!t",   "%", "@",
      "?",  "é",  " a ", "\x01",           "=",    "C:\\x", ">50K"};
  return *rc::gen::elementOf(kTexts);
}

std::vector<std::string> any_texts() {
  std::set<std::string> texts;
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) texts.insert(any_text());
  return {texts.begin(), texts.end()};
}

Rational any_share() { return {*rc::gen::inRange<std::int64_t>(0, 1000), 1000}; }
Rational any_positive() {
  return *Rational::parse(one_of<std::string>({"1", "0.1", "3", "1e-9", "12345.678901234567890123456789", "1e300"}));
}
std::string any_path() {
  return one_of<std::string>({"x.csv", "a/b.csv", "../c.csv", "/abs/d e.csv", "年.csv", "a:b#.csv"});
}

HierarchySpec any_hierarchy() {
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return CsvSpec{any_path(), coin() ? std::optional<char>(one_of<char>({';', ',', '\t', '|'})) : std::nullopt};
    case 1:
      return IntervalsSpec{{{0, any_share() + 1, 5}, {0, 5}}};
    case 2:
      return WidthsSpec{-any_share(), 100, 5, coin() ? std::vector<Rational>{10, 20} : std::vector<Rational>{}};
    case 3:
      return GroupsSpec{{{{any_text(), any_texts()}}}};
    case 4:
      return MaskSpec{one_of<MaskSpec::Side>({MaskSpec::Side::left, MaskSpec::Side::right}), {1, 4}};
    case 5:
      return DatesSpec{
          {DatesSpec::Unit::month, DatesSpec::Unit::decade},
          coin() ? std::optional(one_of<DateOrder>({DateOrder::day_first, DateOrder::month_first})) : std::nullopt};
    case 6:
      return OrderSpec{coin() ? any_texts() : std::vector<std::string>{}, 3};
    default:
      return AutomaticSpec{};
  }
}

PolicyColumn any_column(const std::string& name) {
  PolicyColumn column;
  column.name = name;
  column.roles = one_of<std::vector<Role>>({{Role::quasi},
                                            {Role::identifier},
                                            {Role::sensitive},
                                            {Role::insensitive},
                                            {Role::quasi, Role::protected_group},
                                            {Role::sensitive, Role::target}});
  const bool described = !column.has(Role::identifier) && !column.has(Role::insensitive);
  if (described && coin()) column.hierarchy = any_hierarchy();
  if (described && coin()) column.values = any_texts();
  if (column.has(Role::quasi) && coin()) column.weight = any_positive();
  if (column.has(Role::identifier) && coin()) {
    column.action = IdentifierAction::pseudonym;
    if (coin()) column.key_file = any_path();
  }
  if (column.has(Role::target) && coin())
    column.positive = column.values.empty() ? any_text() : column.values.front();
  return column;
}

Criteria any_criteria(const std::vector<std::string>& sensitive) {
  Criteria criteria;
  criteria.k = *rc::gen::inRange<std::uint64_t>(1, 1000);
  for (const std::string& column : sensitive) {
    if (coin()) criteria.l_diversity.push_back({column, DiversityKind::entropy, any_share() + 1, 0});
    if (coin()) criteria.l_diversity.push_back({column, DiversityKind::recursive, 3, any_positive()});
    if (coin())
      criteria.t_closeness.push_back({column, one_of<Distance>({Distance::equal, Distance::ordered}), any_share()});
    if (coin()) criteria.delta_disclosure.push_back({column, any_positive()});
    if (coin()) criteria.beta_likeness.push_back({column, coin(), any_positive()});
  }
  if (coin()) criteria.k_map = KMap{*rc::gen::inRange<std::uint64_t>(1, 9), any_path()};
  if (coin()) criteria.delta_presence = DeltaPresence{any_share() / 2, 1, any_path()};
  criteria.missing_matches_everything = coin();
  return criteria;
}

PolicyRelease any_release(const Policy& policy) {
  PolicyRelease release;
  release.mode = one_of<ReleaseMode>({ReleaseMode::grid, ReleaseMode::stability, ReleaseMode::select});
  for (const std::string& column : policy.names_with(Role::quasi)) {
    if (coin()) release.levels.emplace_back(column, *rc::gen::inRange(0, 2));
  }
  release.kind = one_of<ReleaseKind>({ReleaseKind::counts, ReleaseKind::records});
  release.neighbours = one_of<Neighbours>({Neighbours::add_remove, Neighbours::replace_one});
  if (coin()) release.unit = PersonUnit{any_text(), 3, 4, coin() ? "one person: 'a'" : ""};
  release.noise = one_of<ReleaseNoise>({ReleaseNoise::laplace, ReleaseNoise::gaussian});
  if (coin()) release.cut = *rc::gen::inRange<std::uint64_t>(0, 100);
  release.total_share = any_share() / 4;
  release.select_share = Rational(1, 8);
  if (release.mode != ReleaseMode::stability && release.total_share.sign() > 0)
    release.fit = one_of<ReleaseFit>({ReleaseFit::none, ReleaseFit::total});
  return release;
}

Policy any_policy() {
  Policy policy;
  if (coin()) policy.input.delimiter = one_of<std::string>({";", "\t", "，"});
  if (coin()) policy.input.header = coin();
  if (coin()) policy.input.names = any_texts();
  if (coin()) policy.input.null_tokens = any_texts();
  if (coin()) policy.input.encoding = one_of<std::string>({"utf-8", "gb18030", "latin-1"});
  if (coin())
    policy.input.decimal = one_of<table::DecimalSign>({table::DecimalSign::point, table::DecimalSign::comma});
  bool has_target = false;
  for (const std::string& name : any_texts()) {
    PolicyColumn column = any_column(name);
    if (column.has(Role::target) && has_target) continue;
    has_target = has_target || column.has(Role::target);
    policy.columns.push_back(std::move(column));
  }
  policy.privacy = any_criteria(policy.names_with(Role::sensitive));
  policy.search.kind = one_of<SearchKind>({SearchKind::optimal, SearchKind::local, SearchKind::mondrian});
  policy.search.relaxed = policy.search.kind == SearchKind::mondrian && coin();
  policy.search.metric = one_of<Metric>({Metric::loss, Metric::loss_geometric, Metric::precision});
  policy.search.suppression = any_share();
  if (coin()) policy.search.time_limit_seconds = any_share() + Rational(1, 8);
  if (coin()) policy.release = any_release(policy);
  const auto source = [] {
    return one_of<Provenance>({Provenance::public_knowledge, Provenance::selected, Provenance::data});
  };
  policy.provenance = {source(), source(), source(), source(), source()};
  return policy;
}

RC_GTEST_PROP(PolicyWriterProperty, WhatIsWrittenReadsBack, ()) {
  const Policy policy = any_policy();
  const auto checked = check(policy);
  RC_LOG() << (checked ? "" : checked.error().message) << '\n';
  RC_ASSERT(checked.has_value());
  const std::string folder = one_of<std::string>({".", "out", "a/b"});
  const std::string text = format_policy(policy, folder);
  RC_LOG() << text;
  const auto back = parse_policy(text, "written", folder);
  RC_LOG() << (back ? "" : back.error().message) << '\n';
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == policy);
}

TEST(PolicyWriter, WritesWhatPeopleCanReview) {
  Policy policy;
  policy.input.delimiter = ";";
  policy.columns = {
      {.name = "age", .roles = {Role::quasi}, .hierarchy = CsvSpec{"data/age.csv", {}}},
      {.name = "疾病", .roles = {Role::sensitive, Role::target}, .values = {"flu", "a: b"}, .positive = "flu"}};
  policy.privacy.k = 5;
  policy.privacy.l_diversity = {{"疾病", DiversityKind::recursive, 3, 4}};
  policy.search.suppression = Rational(1, 20);
  EXPECT_EQ(format_policy(policy, "."), R"(version: 1
input: {delimiter: ";"}
columns:
  age: {role: quasi, hierarchy: {csv: data/age.csv}}
  疾病: {role: [sensitive, target], values: [flu, "a: b"], positive: flu}
privacy:
  k: 5
  l_diversity:
    - {column: 疾病, kind: recursive, l: 3, c: 4}
  missing: own
search:
  kind: optimal
  metric: loss
  suppression: 0.05
provenance: {quasi: data, hierarchies: data, levels: data, k: data, epsilon: data}
)");
}

TEST(PolicyWriter, PathsFollowTheFile) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("gauze-policy-{}", ::getpid());
  std::filesystem::create_directories(folder / "policies");
  Policy policy;
  policy.columns = {{.name = "age", .roles = {Role::quasi}, .hierarchy = CsvSpec{"h/age.csv", {}}}};
  policy.privacy.k = 2;
  ASSERT_TRUE(write_policy_file(folder / "policies" / "p.yaml", policy));
  const auto back = read_policy_file(folder / "policies" / "p.yaml");
  ASSERT_TRUE(back) << back.error().message;
  // Not the same text any more, but the same file.
  const auto& csv = std::get<CsvSpec>(*back->columns[0].hierarchy);
  EXPECT_EQ(std::filesystem::absolute(csv.path).lexically_normal(), std::filesystem::absolute("h/age.csv"));
  std::filesystem::remove_all(folder);
}

TEST(PolicyWriter, RefusesToWriteWhatCouldNotBeRead) {
  Policy policy;
  policy.columns = {{.name = "age"}};
  EXPECT_THAT(error_of(write_policy_file("never.yaml", policy)), HasSubstr("needs a role"));
  EXPECT_FALSE(std::filesystem::exists("never.yaml"));
}

}  // namespace policy_writer_test
}  // namespace gauze::schema
