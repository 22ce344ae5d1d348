// Every policy in examples/ and every complete policy on the page of the format is read, and means what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "gauze/base/utf8.h"
#include "gauze/files/atomic_file.h"
#include "gauze/schema/database/database_schema.h"
#include "gauze/schema/hierarchies/coverage.h"
#include "gauze/schema/hierarchies/hierarchy_testing.h"
#include "gauze/schema/policy/hierarchy_yaml.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/schema/policy/policy_writer.h"

namespace gauze::schema {
namespace example_policies_test {

using ::testing::ElementsAre;

/// The blocks of a page that are marked as YAML.
std::vector<std::string> yaml_blocks(const std::string& page) {
  std::vector<std::string> blocks;
  for (std::size_t begin = page.find("```yaml\n"); begin != std::string::npos;
       begin = page.find("```yaml\n", begin)) {
    begin += 8;
    const std::size_t end = page.find("```", begin);
    blocks.push_back(page.substr(begin, end - begin));
    begin = end + 3;
  }
  return blocks;
}

/// Schemas of databases lie in a folder of their own.
bool is_schema(const std::filesystem::path& path) { return path.parent_path().filename() == "query"; }

/// Tasks of collection, too: `collect` reads them.
bool is_task(const std::filesystem::path& path) {
  const auto folder = path.parent_path().filename();
  return folder == "collect" || folder == "device-c";
}

TEST(ExampleSchemas, AreAllRead) {
  const auto root = repository_root();
  if (!root) GTEST_SKIP() << "run inside the project to read its examples";
  int read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root / "examples")) {
    if (entry.path().extension() != ".yaml" || !is_schema(entry.path())) continue;
    const auto schema = read_database_schema(entry.path());
    ASSERT_TRUE(schema) << schema.error().message;
    ++read;
  }
  EXPECT_GE(read, 1);
}

TEST(ExamplePolicies, AreAllRead) {
  const auto root = repository_root();
  if (!root) GTEST_SKIP() << "run inside the project to read its examples";
  int read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root / "examples")) {
    if (entry.path().extension() != ".yaml" || is_schema(entry.path()) || is_task(entry.path())) continue;
    const auto policy = read_policy_file(entry.path());
    ASSERT_TRUE(policy) << policy.error().message;
    ++read;
    const auto back =
        parse_policy(format_policy(*policy, entry.path().parent_path()), "again", entry.path().parent_path());
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, *policy) << entry.path();
  }
  EXPECT_GE(read, 3);
}

TEST(ExamplePolicies, TheThesisHasItsGridOf144Classes) {
  const auto root = repository_root();
  if (!root) GTEST_SKIP() << "run inside the project to read its examples";
  const auto policy = read_policy_file(*root / "examples" / "adult" / "thesis.yaml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_THAT(policy->names_with(Role::quasi), ElementsAre("age", "education", "relationship", "hours-per-week"));
  EXPECT_THAT(policy->names_with(Role::protected_group), ElementsAre("race", "sex"));
  ASSERT_TRUE(policy->release);
  std::size_t cells = 1;
  for (const auto& [column, level] : policy->release->levels) {
    const auto values = domain(*policy->find(column)->hierarchy, column, level);
    ASSERT_TRUE(values) << values.error().message;
    cells *= values->size();
  }
  EXPECT_EQ(cells, 144U);
}

/// The cells of a file like adult.data: commas and blanks, no quotes.
std::vector<std::vector<std::string>> plain_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.emplace_back(trimmed(cell));
    if (row.size() > 1) rows.push_back(std::move(row));
  }
  return rows;
}

// Known from an independent count: on the 32,561 rows all 144 classes are there, each with at least 5 records.
TEST(ExamplePolicies, TheThesisGroupsAdultIntoClassesOfAtLeastFive) {
  const auto root = repository_root();
  const auto data = data_folder();
  if (!root || !data) GTEST_SKIP() << "no data folder: set GAUZE_DATA";
  const auto policy = read_policy_file(*root / "examples" / "adult" / "thesis.yaml");
  ASSERT_TRUE(policy) << policy.error().message;
  const auto text = read_file(*data / "adult" / "adult.data");
  ASSERT_TRUE(text) << text.error().message;
  const auto rows = plain_rows(*text);
  ASSERT_EQ(rows.size(), 32'561U);
  std::vector<std::string> classes(rows.size());
  for (const auto& [name, level] : policy->release->levels) {
    const auto place = std::find(policy->input.names.begin(), policy->input.names.end(), name);
    const auto column = static_cast<std::size_t>(place - policy->input.names.begin());
    std::vector<std::string> cells;
    for (const auto& row : rows) cells.push_back(row[column]);
    const auto bound = materialise_and_bind(*policy->find(name)->hierarchy, name, dictionary_of(cells));
    ASSERT_TRUE(bound) << bound.error().message;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Hierarchy& hierarchy = *bound->hierarchy;
      classes[row] += hierarchy.text(level, hierarchy.code(level, *hierarchy.find(cells[row]))) + "|";
    }
  }
  std::map<std::string, int> sizes;
  for (const std::string& key : classes) ++sizes[key];
  EXPECT_EQ(sizes.size(), 144U);
  for (const auto& [key, size] : sizes) EXPECT_GE(size, 5) << key;
}

TEST(ExamplePolicies, TheHierarchiesOfAdultAreThere) {
  const auto root = repository_root();
  const auto data = data_folder();
  if (!root || !data) GTEST_SKIP() << "no data folder: set GAUZE_DATA";
  const auto text = read_file(*root / "examples" / "adult" / "adult.yaml");
  ASSERT_TRUE(text);
  const auto policy = parse_policy(*text, "adult.yaml", *data / "arx-adult");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->names_with(Role::quasi).size(), 9U);
  for (const PolicyColumn& column : policy->columns) {
    const auto hierarchy = materialise(*column.hierarchy, column.name, dictionary_of({"x"}));
    EXPECT_TRUE(hierarchy) << hierarchy.error().message;
  }
}

TEST(FormatPages, TheirPoliciesAreRead) {
  const auto root = repository_root();
  if (!root) GTEST_SKIP() << "run inside the project to read its pages";
  const auto page = read_file(*root / "docs" / "formats" / "policy.md");
  ASSERT_TRUE(page);
  int whole = 0;
  for (const std::string& block : yaml_blocks(*page)) {
    if (!block.starts_with("version:")) continue;
    const auto policy = parse_policy(block, "docs/formats/policy.md");
    EXPECT_TRUE(policy) << policy.error().message << '\n' << block;
    ++whole;
  }
  EXPECT_GE(whole, 2);
}

TEST(FormatPages, TheirHierarchiesAreRead) {
  const auto root = repository_root();
  if (!root) GTEST_SKIP() << "run inside the project to read its pages";
  const auto page = read_file(*root / "docs" / "formats" / "hierarchies.md");
  ASSERT_TRUE(page);
  int read = 0;
  for (const std::string& block : yaml_blocks(*page)) {
    const auto node = parse_yaml(block, "docs/formats/hierarchies.md");
    ASSERT_TRUE(node) << node.error().message << '\n' << block;
    const YamlNode* hierarchy = node->find("hierarchy");
    ASSERT_NE(hierarchy, nullptr) << block;
    const auto spec = read_hierarchy_spec(*hierarchy, "");
    EXPECT_TRUE(spec) << spec.error().message << '\n' << block;
    ++read;
  }
  EXPECT_GE(read, 7);
}

}  // namespace example_policies_test
}  // namespace gauze::schema
