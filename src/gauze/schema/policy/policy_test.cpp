#include "gauze/schema/policy/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace policy_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Policy parsed(std::string_view text, const std::filesystem::path& folder = {}) {
  auto policy = parse_policy(text, "p.yaml", folder);
  EXPECT_TRUE(policy) << policy.error().message;
  return policy ? *policy : Policy();
}

std::string error_in(std::string_view text) { return error_of(parse_policy(text, "p.yaml")); }

/// A policy with these columns and the rest as it must be; the columns begin on line 2.
std::string with_columns(std::string_view columns) {
  return fmt::format("columns:\n{}\nversion: 1\nprivacy: {{k: 2}}\n", columns);
}

/// A policy with a sensitive column `s`, a quasi-identifier `q`, and further sections from line 6 on.
std::string with_sections(std::string_view sections) {
  return fmt::format(
      "version: 1\ncolumns:\n  q: {{role: quasi, hierarchy: {{intervals: [[0, 5, 9]]}}}}\n"
      "  s: {{role: sensitive}}\n  t: {{role: target}}\n{}\n",
      sections);
}

// The example of the documentation, all of it.
constexpr std::string_view kWhole = R"(version: 1
input: {delimiter: ";", header: true, null: ["?"]}
columns:
  age:       {role: quasi, hierarchy: {csv: age.csv}, weight: 1}
  hours:     {role: quasi, hierarchy: {intervals: [[0,35,46,100], [0,46,100]]}}
  education: {role: quasi, hierarchy: {groups: [{school: [Preschool, 9th], college: [Bachelors]}]}}
  zip:       {role: quasi, hierarchy: {mask: {side: right, steps: [1, 3, 5]}}}
  name:      {role: identifier, action: drop}
  disease:   {role: sensitive, values: [flu, asthma]}
  sex:       {role: protected}
  income:    {role: target, positive: ">50K"}
privacy:
  k: 5
  l_diversity: [{column: disease, kind: distinct, l: 3}]
  t_closeness: [{column: disease, distance: equal, t: 0.2}]
search:  {kind: optimal, metric: loss, suppression: 0.05}
release:
  mode: grid
  levels: {age: 1, hours: 1, education: 1}
  kind: counts
  neighbours: add-remove
  unit: row
  noise: laplace
  cut: auto
  total_share: 0.1
  fit: none
  select_share: 0.2
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}
)";

TEST(Policy, ReadsTheWholeFormat) {
  const Policy policy = parsed(kWhole, "folder");
  EXPECT_EQ(policy.input.delimiter, ";");
  EXPECT_EQ(policy.input.header, true);
  EXPECT_THAT(policy.input.null_tokens, ElementsAre("?"));
  ASSERT_EQ(policy.columns.size(), 8U);
  EXPECT_THAT(policy.names_with(Role::quasi), ElementsAre("age", "hours", "education", "zip"));
  EXPECT_EQ(policy.find("age")->hierarchy, HierarchySpec(CsvSpec{"folder/age.csv", {}}));
  EXPECT_EQ(policy.find("zip")->hierarchy, HierarchySpec(MaskSpec{MaskSpec::Side::right, {1, 3, 5}}));
  EXPECT_EQ(policy.find("name")->action, IdentifierAction::drop);
  EXPECT_THAT(policy.find("disease")->values, ElementsAre("flu", "asthma"));
  EXPECT_TRUE(policy.find("sex")->has(Role::protected_group));
  EXPECT_EQ(policy.find("income")->positive, ">50K");
  EXPECT_EQ(policy.find("nobody"), nullptr);
  EXPECT_EQ(policy.privacy.k, 5U);
  EXPECT_THAT(policy.privacy.l_diversity, ElementsAre(LDiversity{"disease", DiversityKind::distinct, 3, 0}));
  EXPECT_THAT(policy.privacy.t_closeness, ElementsAre(TCloseness{"disease", Distance::equal, Rational(1, 5)}));
  EXPECT_EQ(policy.search.suppression, Rational(1, 20));
  ASSERT_TRUE(policy.release);
  EXPECT_THAT(policy.release->levels,
              ElementsAre(std::pair("age", 1), std::pair("hours", 1), std::pair("education", 1)));
  EXPECT_EQ(policy.release->cut, std::nullopt);
  EXPECT_EQ(policy.release->unit, std::nullopt);
  EXPECT_EQ(policy.provenance.epsilon, Provenance::public_knowledge);
}

TEST(Policy, DefaultsAreWhatTheDocumentationSays) {
  const Policy policy = parsed("version: 1\ncolumns: {a: {role: quasi}}\nprivacy: {k: 2}\n");
  EXPECT_EQ(policy.find("a")->hierarchy, std::nullopt);
  EXPECT_EQ(policy.find("a")->weight, 1);
  EXPECT_EQ(policy.search.kind, SearchKind::optimal);
  EXPECT_EQ(policy.search.metric, Metric::loss);
  EXPECT_EQ(policy.search.suppression, 0);
  EXPECT_FALSE(policy.search.time_limit_seconds);
  EXPECT_FALSE(policy.release);
  EXPECT_EQ(policy.provenance.hierarchies, Provenance::data);
  EXPECT_FALSE(policy.privacy.missing_matches_everything);
  const Policy releasing = parsed(with_sections("privacy: {k: 2}\nrelease: {}"));
  EXPECT_EQ(releasing.release->total_share, Rational(1, 10));
  EXPECT_EQ(releasing.release->select_share, Rational(1, 5));
  EXPECT_EQ(releasing.release->fit, ReleaseFit::none);
  EXPECT_EQ(parsed(with_sections("privacy: {k: 2}\nrelease: {fit: total}")).release->fit, ReleaseFit::total);
}

TEST(Policy, ReadsEveryCriterion) {
  const Policy policy = parsed(with_sections(R"(privacy:
  l_diversity: {column: s, kind: recursive, l: 3, c: 0.5}
  t_closeness: [{column: s, t: 0.2}, {column: s, distance: ordered, t: 1}]
  delta_disclosure: [{column: s, delta: 1.5}]
  beta_likeness: [{column: s, kind: basic, beta: 2}, {column: s, beta: 3}]
  k_map: {k: 7, population: people.csv}
  delta_presence: {min: 0, max: 0.5, population: people.csv}
  missing: any)"),
                               "f");
  EXPECT_EQ(policy.privacy.k, 1U);
  EXPECT_THAT(policy.privacy.l_diversity, ElementsAre(LDiversity{"s", DiversityKind::recursive, 3, Rational(1, 2)}));
  EXPECT_EQ(policy.privacy.t_closeness[0].distance, Distance::equal);
  EXPECT_EQ(policy.privacy.t_closeness[1].distance, Distance::ordered);
  EXPECT_EQ(policy.privacy.delta_disclosure[0].delta, Rational(3, 2));
  EXPECT_FALSE(policy.privacy.beta_likeness[0].enhanced);
  EXPECT_TRUE(policy.privacy.beta_likeness[1].enhanced);
  EXPECT_EQ(policy.privacy.k_map, (KMap{7, "f/people.csv"}));
  EXPECT_EQ(policy.privacy.delta_presence, (DeltaPresence{0, Rational(1, 2), "f/people.csv"}));
  EXPECT_TRUE(policy.privacy.missing_matches_everything);
}

TEST(Policy, ReadsSearchAndRelease) {
  const Policy policy = parsed(with_sections(R"(privacy: {k: 3}
search: {kind: mondrian, relaxed: true, metric: discernibility, suppression: 1, time_limit: 1.5m}
release:
  mode: select
  kind: records
  neighbours: replace-one
  unit: {id: patient, name: one patient of the ward, max_classes: 2, max_rows: 3}
  noise: gaussian
  cut: 4
  total_share: 0
  select_share: 0.5
provenance: {k: selected})"));
  EXPECT_TRUE(policy.search.relaxed);
  EXPECT_EQ(policy.search.metric, Metric::discernibility);
  EXPECT_EQ(policy.search.time_limit_seconds, Rational(90));
  EXPECT_EQ(policy.release->mode, ReleaseMode::select);
  EXPECT_EQ(policy.release->kind, ReleaseKind::records);
  EXPECT_EQ(policy.release->neighbours, Neighbours::replace_one);
  EXPECT_EQ(policy.release->unit, (PersonUnit{"patient", 2, 3, "one patient of the ward"}));
  EXPECT_EQ(policy.release->unit->privacy_unit(), "one patient of the ward");
  EXPECT_EQ((PersonUnit{"patient", 2, 3}).privacy_unit(), "one patient");
  EXPECT_EQ(policy.release->noise, ReleaseNoise::gaussian);
  EXPECT_EQ(policy.release->cut, 4U);
  EXPECT_EQ(policy.provenance.k, Provenance::selected);
  EXPECT_EQ(policy.provenance.quasi, Provenance::data);
  EXPECT_EQ(parsed(with_sections("privacy: {k: 3}\nsearch: {time_limit: 2h}")).search.time_limit_seconds,
            Rational(7200));
  EXPECT_EQ(parsed(with_sections("privacy: {k: 3}\nsearch: {time_limit: 9}")).search.time_limit_seconds, Rational(9));
}

TEST(Policy, ReadsInputOptions) {
  const Policy policy = parsed(
      "version: 1\ninput: {delimiter: \"\\t\", quote: none, header: false, names: [年龄, b], null: n/a, encoding: gb18030}\n"
      "columns: {年龄: {role: [protected, quasi]}}\nprivacy: {k: 2}\n");
  EXPECT_EQ(policy.input.delimiter, "\t");
  EXPECT_EQ(policy.input.header, false);
  EXPECT_THAT(policy.input.names, ElementsAre("年龄", "b"));
  EXPECT_THAT(policy.input.null_tokens, ElementsAre("n/a"));
  EXPECT_EQ(policy.input.encoding, "gb18030");
  EXPECT_EQ(policy.input.quote, "");
  EXPECT_THAT(policy.find("年龄")->roles, ElementsAre(Role::quasi, Role::protected_group));
}

TEST(Policy, ErrorsNameFileAndLine) {
  EXPECT_EQ(error_in("version: 1\ncolumns:\n  a: {role: quasi}\nprivacy:\n  k: 5\n  k: 6\n"),
            "p.yaml:6: the key 'k' is there twice, first on line 5");
  EXPECT_EQ(error_in(with_columns("  a: {role: quasi}\n  a: {role: quasi}")),
            "p.yaml:3: the key 'a' is there twice, first on line 2");
  EXPECT_EQ(error_in(with_columns("  a: {role: quasi, wieght: 2}")),
            "p.yaml:2: the column 'a' has an unknown key 'wieght'; did you mean 'weight'?");
  EXPECT_EQ(error_in("version: 1\nprivcy: {k: 2}\n"),
            "p.yaml:2: the policy has an unknown key 'privcy'; did you mean 'privacy'?");
  EXPECT_EQ(error_in(with_sections("privacy:\n  k: 0")),
            "p.yaml:7: k must be a whole number between 1 and 1000000000000000, but is 0");
  EXPECT_EQ(parse_policy("x: [", "p.yaml").error().code, ErrorCode::invalid_parameter);
}

TEST(Policy, RefusesWrongInput) {
  const auto with_input = [](std::string_view input) {
    return fmt::format("version: 1\ninput: {}\ncolumns: {{a: {{role: quasi}}}}\nprivacy: {{k: 2}}\n", input);
  };
  EXPECT_THAT(error_in(with_input("{delimiter: ab}")), HasSubstr("p.yaml:2: delimiter must be one character"));
  EXPECT_THAT(error_in(with_input("{header: 1}")), HasSubstr("header must be true or false"));
  EXPECT_THAT(error_in(with_input("{names: [a, b, a]}")), HasSubstr("names has 'a' twice"));
  EXPECT_THAT(error_in(with_input("{names: {a: b}}")), HasSubstr("list of texts"));
  EXPECT_THAT(error_in(with_input("{null: [[a]]}")), HasSubstr("list of texts"));
  EXPECT_THAT(error_in(with_input("{encoding: ebcdic}")), HasSubstr("p.yaml:2: encoding must be"));
  EXPECT_THAT(error_in(with_input("{quote: ab}")), HasSubstr("p.yaml:2: quote must be"));
  EXPECT_THAT(error_in(with_input("[]")), HasSubstr("input must be a map"));
  EXPECT_THAT(error_in(with_input("{sep: x}")), HasSubstr("unknown key 'sep'"));
}

TEST(Policy, RefusesWrongColumns) {
  const std::vector<std::pair<std::string_view, std::string_view>> wrong = {
      {"  a: quasi", "must be a map"},
      {"  a: {}", "needs a role"},
      {"  a: {role: []}", "needs a role"},
      {"  a: {role: quasy}",
       "role must be quasi, identifier, sensitive, protected, target or insensitive; did you mean 'quasi'?"},
      {"  a: {role: [quasi, quasi]}", "there twice"},
      {"  a: {role: [quasi, sensitive]}", "cannot be both quasi and sensitive"},
      {"  a: {role: [insensitive, quasi]}", "cannot be both"},
      {"  a: {role: [sensitive, insensitive]}", "cannot be both"},
      {"  a: {role: [protected, target]}", "cannot be both"},
      {"  a: {role: [protected, insensitive]}", "cannot be both"},
      {"  a: {role: [target, insensitive]}", "cannot be both"},
      {"  a: {role: [identifier, quasi]}", "can have no other role"},
      {"  a: {role: quasi, weight: 0}", "weight must be positive"},
      {"  a: {role: quasi, weight: heavy}", "decimal"},
      {"  a: {role: sensitive, weight: 1}", "weight belongs to the role quasi"},
      {"  a: {role: quasi, action: drop}", "action belongs to the role identifier"},
      {"  a: {role: quasi, action: keep}", "action belongs to the role identifier"},
      {"  a: {action: drop}", "needs a role, or action: keep"},
      {"  a: {action: keep, values: [x]}", "values belong"},
      {"  a: {role: identifier, action: hash}", "action must be drop, pseudonym or keep"},
      {"  a: {role: identifier, key: k.bin}", "key belongs to action: pseudonym"},
      {"  a: {role: quasi, key: k.bin}", "key belongs to the role identifier"},
      {"  a: {role: identifier, action: pseudonym, key: ''}", "name of a file"},
      {"  a: {role: identifier, values: [x]}", "values belong to"},
      {"  a: {role: insensitive, values: [x]}", "values belong to"},
      {"  a: {role: sensitive, values: []}", "must not be empty"},
      {"  a: {role: sensitive, values: [x, y, x]}", "'x' twice"},
      {"  a: {role: sensitive, positive: x}", "positive belongs to the role target"},
      {"  a: {role: target, values: [x], positive: y}", "one of its values"},
      {"  a: {role: target, positive: [y]}", "positive must be a text"},
      {"  a: {role: protected, hierarchy: automatic}", "a hierarchy belongs to"},
      {"  a: {role: identifier, hierarchy: automatic}", "a hierarchy belongs to"},
      {"  a: {role: quasi, hierarchy: {csv: [x]}}", "csv must be a text"},
      {"  a: {role: quasi, hierarchy: {groups: [{x: [a], y: [a]}]}}", "twice in level 1"},
      {"  a: {role: target}\n  b: {role: target}", "p.yaml:3: only one column"},
      {"  '': {role: quasi}", "a column needs a name"},
      {"  []", "columns must be a map"},
  };
  for (const auto& [columns, message] : wrong) {
    EXPECT_THAT(error_in(with_columns(columns)), HasSubstr(message)) << columns;
    EXPECT_THAT(error_in(with_columns(columns)), StartsWith("p.yaml:")) << columns;
  }
}

TEST(Policy, AcceptsRolesThatGoTogether) {
  const Policy policy = parsed(with_columns(
      "  a: {role: [quasi, protected]}\n  b: {role: [sensitive, target]}\n  c: {role: [sensitive, protected]}\n"
      "  d: {role: identifier, action: pseudonym, key: k.bin}\n  e: {role: insensitive}\n  h: {action: keep}\n"
      "  g: {role: identifier, action: keep}\n"
      "  f: {role: quasi, weight: 0.5, values: [x, y]}"));
  EXPECT_EQ(policy.columns.size(), 8U);
  EXPECT_EQ(policy.find("d")->key_file, "k.bin");
  EXPECT_EQ(policy.find("f")->weight, Rational(1, 2));
}

TEST(Policy, RefusesWrongSections) {
  const std::vector<std::pair<std::string_view, std::string_view>> wrong = {
      {"privacy: {}", "needs a criterion"},
      {"privacy: {missing: any}", "needs a criterion"},
      {"privacy: {k: 1.5}", "whole number"},
      {"privacy: {k: many}", "decimal"},
      {"privacy: {k: [5]}", "must be a number"},
      {"privacy: {k: 2, missing: some}", "missing must be own or any"},
      {"privacy: {l_diversity: []}", "must be a list"},
      {"privacy: {l_diversity: [{kind: distinct, l: 2}]}", "needs column"},
      {"privacy: {l_diversity: [{column: s, kind: distinct}]}", "needs l"},
      {"privacy: {l_diversity: [{column: s, kind: dist, l: 2}]}", "did you mean 'distinct'"},
      {"privacy: {l_diversity: [{column: s, l: 0.5}]}", "at least 1"},
      {"privacy: {l_diversity: [{column: s, kind: recursive, l: 2}]}", "needs c"},
      {"privacy: {l_diversity: [{column: s, l: 2, c: 1}]}", "c belongs to kind: recursive"},
      {"privacy: {l_diversity: [{column: q, l: 2}]}", "does not have the role sensitive"},
      {"privacy: {l_diversity: [{column: x, l: 2}]}", "not among the columns"},
      {"privacy: {t_closeness: [{column: s, t: 1.5}]}", "between 0 and 1"},
      {"privacy: {t_closeness: [{column: s, distance: hierarchical, t: 0.5}]}", "needs a hierarchy"},
      {"privacy: {t_closeness: [{column: s, distance: far, t: 0.5}]}", "equal, ordered or hierarchical"},
      {"privacy: {t_closeness: [{column: s, max: 0.5}]}", "unknown key 'max'"},
      {"privacy: {delta_disclosure: [{column: s, delta: 0}]}", "positive"},
      {"privacy: {delta_disclosure: [{column: q, delta: 1}]}", "role sensitive"},
      {"privacy: {beta_likeness: [{column: s, beta: -1}]}", "positive"},
      {"privacy: {beta_likeness: [{column: s, kind: strong, beta: 1}]}", "basic or enhanced"},
      {"privacy: {beta_likeness: [{column: t, beta: 1}]}", "role sensitive"},
      {"privacy: {k_map: {k: 2}}", "needs population"},
      {"privacy: {k_map: {k: 0, population: p.csv}}", "whole number"},
      {"privacy: {k_map: {k: 2, population: ''}}", "file of the population"},
      {"privacy: {delta_presence: {min: 0.5, max: 0.1, population: p.csv}}", "0 <= min <= max <= 1"},
      {"privacy: {delta_presence: {min: 0.5, population: p.csv}}", "needs max"},
      {"privacy: {k: 2}\nsearch: {kind: best}", "optimal, local or mondrian"},
      {"privacy: {k: 2}\nsearch: {metric: height}", "loss, loss_geometric, discernibility"},
      {"privacy: {k: 2}\nsearch: {suppression: 1.1}", "between 0 and 1"},
      {"privacy: {k: 2}\nsearch: {suppression: 5%}", "decimal"},
      {"privacy: {k: 2}\nsearch: {relaxed: true}", "belongs to kind: mondrian"},
      {"privacy: {k: 2}\nsearch: {relaxed: 1}", "true or false"},
      {"privacy: {k: 2}\nsearch: {time_limit: 0}", "must be positive"},
      {"privacy: {k: 2}\nsearch: {time_limit: 1e9h}", "at most 1000000000 seconds"},
      {"privacy: {k: 2}\nsearch: {time_limit: soon}", "number of seconds"},
      {"privacy: {k: 2}\nsearch: {time_limit: s}", "number of seconds"},
      {"privacy: {k: 2}\nrelease: {mode: dp}", "grid, stability or select"},
      {"privacy: {k: 2}\nrelease: {levels: [1]}", "levels must be a map"},
      {"privacy: {k: 2}\nrelease: {levels: {s: 1}}", "not a quasi-identifier"},
      {"privacy: {k: 2}\nrelease: {levels: {nobody: 1}}", "not a quasi-identifier"},
      {"privacy: {k: 2}\nrelease: {levels: {q: -1}}", "whole number"},
      {"privacy: {k: 2}\nrelease: {levels: {q: 3}}", "between 0 and 2, but is 3"},
      {"privacy: {k: 2}\nrelease: {kind: rows}", "counts or records"},
      {"privacy: {k: 2}\nrelease: {neighbours: any}", "add-remove or replace-one"},
      {"privacy: {k: 2}\nrelease: {unit: person}", "unit must be row, or {id: COLUMN"},
      {"privacy: {k: 2}\nrelease: {unit: {id: p}}", "needs max_classes"},
      {"privacy: {k: 2}\nrelease: {unit: {id: p, max_classes: 0, max_rows: 1}}", "max_classes must be"},
      {"privacy: {k: 2}\nrelease: {unit: {id: '', max_classes: 1, max_rows: 1}}", "column of the id"},
      {"privacy: {k: 2}\nrelease: {unit: {id: p, name: '', max_classes: 1, max_rows: 1}}", "name of the unit"},
      {"privacy: {k: 2}\nrelease: {unit: {id: p, name: \"one\\u200bp\", max_classes: 1, max_rows: 1}}",
       "cannot be seen"},
      {"privacy: {k: 2}\nrelease: {noise: uniform}", "laplace or gaussian"},
      {"privacy: {k: 2}\nrelease: {cut: -1}", "auto or a whole number"},
      {"privacy: {k: 2}\nrelease: {total_share: 1}", "below 1"},
      {"privacy: {k: 2}\nrelease: {select_share: 0}", "select_share"},
      {"privacy: {k: 2}\nrelease: {fit: all}", "fit"},
      {"privacy: {k: 2}\nrelease: {fit: total, total_share: 0}", "needs a noisy total"},
      {"privacy: {k: 2}\nrelease: {mode: stability, fit: total}", "hold everybody"},
      {"privacy: {k: 2}\nrelease: {mode: select, total_share: 0.5, select_share: 0.5}", "leave nothing"},
      {"privacy: {k: 2}\nrelease: {epsilon: 1}", "unknown key 'epsilon'"},
      {"privacy: {k: 2}\nprovenance: {k: known}", "public, selected or data"},
      {"privacy: {k: 2}\nprovenance: {metric: public}", "unknown key 'metric'"},
      {"privacy: {k: 2}\nprovenance: public", "must be a map"},
  };
  for (const auto& [sections, message] : wrong) {
    EXPECT_THAT(error_in(with_sections(sections)), HasSubstr(message)) << sections;
    EXPECT_THAT(error_in(with_sections(sections)), StartsWith("p.yaml:")) << sections;
  }
}

TEST(Policy, RefusesWrongBeginnings) {
  EXPECT_EQ(error_in(""), "p.yaml:1: a policy is a map that begins with version: 1");
  EXPECT_THAT(error_in("columns: {a: {role: quasi}}\nprivacy: {k: 2}\n"), HasSubstr("needs version: 1"));
  EXPECT_THAT(error_in("version: 2\n"), HasSubstr("version must be 1"));
  EXPECT_THAT(error_in("version: [1]\n"), HasSubstr("version must be 1"));
  EXPECT_THAT(error_in("version: 1\nprivacy: {k: 2}\n"), HasSubstr("needs columns"));
  EXPECT_THAT(error_in("version: 1\ncolumns: {a: {role: quasi}}\n"), HasSubstr("needs privacy"));
  EXPECT_THAT(error_in("- a\n- b\n"), HasSubstr("is a map"));
  EXPECT_THAT(error_in(std::string((std::size_t{4} << 20) + 1, '#')), HasSubstr("limit"));
}

TEST(Policy, SectionsMayComeInAnyOrder) {
  EXPECT_EQ(
      parsed(
          "privacy: {k: 2, l_diversity: {column: s, l: 2}}\nsearch: {}\ncolumns: {s: {role: sensitive}}\nversion: 1\n"),
      parsed("version: 1\ncolumns: {s: {role: sensitive}}\nprivacy: {k: 2, l_diversity: {column: s, l: 2}}\n"));
}

TEST(Policy, ManyColumnsAreReadQuickly) {
  std::string text = "version: 1\nprivacy: {k: 2}\ncolumns:\n";
  for (int i = 0; i < 5000; ++i) text += fmt::format("  column {}: {{role: quasi}}\n", i);
  EXPECT_EQ(parsed(text).columns.size(), 5000U);
}

TEST(Policy, ReadsFilesRelativeToTheirFolder) {
  const auto missing = read_policy_file("no/such/policy.yaml");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::io);
}

TEST(Policy, ChecksPoliciesThatWereBuilt) {
  Policy policy;
  policy.columns = {{.name = "q", .roles = {Role::quasi}}, {.name = "s", .roles = {Role::sensitive}}};
  policy.privacy.k = 2;
  EXPECT_TRUE(check(policy));
  Policy twice = policy;
  twice.columns.push_back(twice.columns.front());
  EXPECT_THAT(error_of(check(twice)), HasSubstr("'q' is there twice"));
  Policy diverse = policy;
  diverse.privacy.l_diversity = {{"q", DiversityKind::distinct, 2, 0}};
  EXPECT_THAT(error_of(check(diverse)), HasSubstr("role sensitive"));
  diverse.privacy.l_diversity = {};
  diverse.privacy.delta_disclosure = {{"q", 1}};
  EXPECT_FALSE(check(diverse));
  diverse.privacy.delta_disclosure = {};
  diverse.privacy.beta_likeness = {{"q", true, 1}};
  EXPECT_FALSE(check(diverse));
  diverse.privacy.beta_likeness = {};
  diverse.privacy.t_closeness = {{"s", Distance::hierarchical, 0}};
  EXPECT_THAT(error_of(check(diverse)), HasSubstr("needs a hierarchy"));
  Policy targets = policy;
  targets.columns.push_back({.name = "t", .roles = {Role::target}});
  targets.columns.push_back({.name = "u", .roles = {Role::target}});
  EXPECT_THAT(error_of(check(targets)), HasSubstr("only one column"));
  Policy pseudonym = policy;
  pseudonym.columns[0].action = IdentifierAction::pseudonym;
  EXPECT_THAT(error_of(check(pseudonym)), HasSubstr("action belongs"));
  Policy weighted = policy;
  weighted.columns[1].weight = 2;
  EXPECT_THAT(error_of(check(weighted)), HasSubstr("weight belongs"));
  Policy positive = policy;
  positive.columns[1].positive = "x";
  EXPECT_THAT(error_of(check(positive)), HasSubstr("positive belongs"));
  Policy units = policy;
  units.release = PolicyRelease{};
  units.release->unit = PersonUnit{"p", 0, 1};
  EXPECT_FALSE(check(units));
  units.release = PolicyRelease{};
  units.release->levels = {{"s", 1}};
  EXPECT_FALSE(check(units));
}

TEST(Policy, EqualityLooksAtEverything) {
  const Policy policy = parsed(kWhole);
  Policy other = policy;
  EXPECT_EQ(policy, other);
  other.input.encoding = "utf-8";
  EXPECT_FALSE(policy == other);
  other = policy;
  other.release->total_share = 0;
  EXPECT_FALSE(policy == other);
  other = policy;
  other.columns[0].weight = 2;
  EXPECT_FALSE(policy == other);
}

TEST(Policy, TheEarlierNameOfKindIsReadWithANotice) {
  const std::string start = "version: 1\ncolumns: {age: {role: quasi}}\nprivacy: {k: 2}\n";
  const auto earlier = parse_policy(start + "release: {output: records}\n", "p.yaml");
  ASSERT_TRUE(earlier) << earlier.error().message;
  EXPECT_EQ(earlier->release->kind, ReleaseKind::records);
  ASSERT_EQ(earlier->warnings.size(), 1U);
  EXPECT_THAT(earlier->warnings[0].message, ::testing::HasSubstr("p.yaml:4: output is called kind"));
  EXPECT_TRUE(parse_policy(start + "release: {kind: records}\n")->warnings.empty());
  EXPECT_FALSE(parse_policy(start + "release: {kind: records, output: counts}\n"));
}

}  // namespace policy_test
}  // namespace gauze::schema
