#include <algorithm>
#include <filesystem>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/tables/hierarchy_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/label/printable_text.h"
#include "gauze/schema/hierarchies/coverage.h"

namespace gauze::cli {
namespace {

using namespace schema;  // the vocabulary of this file

constexpr std::size_t kFewChildren = 3;
constexpr std::uint32_t kSampleValues = 5;

/// The values below each value: children[level][code] are codes of the level below, in the order of the file.
std::vector<std::vector<std::vector<std::uint32_t>>> children_of(const Hierarchy& hierarchy) {
  std::vector<std::vector<std::vector<std::uint32_t>>> children(static_cast<std::size_t>(hierarchy.levels()));
  for (int level = 1; level < hierarchy.levels(); ++level) {
    auto& of_level = children[static_cast<std::size_t>(level)];
    of_level.resize(hierarchy.value_count(level));
    std::vector<bool> seen(hierarchy.value_count(level - 1), false);
    for (std::uint32_t row = 0; row < hierarchy.size(); ++row) {
      const std::uint32_t child = hierarchy.code(level - 1, row);
      if (seen[child]) continue;
      seen[child] = true;
      of_level[hierarchy.code(level, row)].push_back(child);
    }
  }
  return children;
}

/// A few branches, each opened at its first value, so that every level is seen on few lines.
class TreeSample {
 public:
  TreeSample(const Hierarchy& hierarchy, OutputWriter& out)
      : hierarchy_(hierarchy), children_(children_of(hierarchy)), out_(out) {}

  void print() {
    std::vector<std::uint32_t> roots(hierarchy_.value_count(hierarchy_.height()));
    for (std::uint32_t code = 0; code < roots.size(); ++code) roots[code] = code;
    print(hierarchy_.height(), roots, 1);
  }

 private:
  void print(int level, const std::vector<std::uint32_t>& codes, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    for (std::size_t i = 0; i < std::min(codes.size(), kFewChildren); ++i) {
      const std::string text = printable(hierarchy_.text(level, codes[i]));
      const std::uint32_t below = hierarchy_.rows_under(level, codes[i]);
      out_.print("{}{}{}\n", indent, text.empty() ? "(empty)" : text,
                 level == 0 ? std::string() : fmt::format("  ({} {})", below, below == 1 ? "value" : "values"));
      if (i == 0 && level > 0) print(level - 1, children_[static_cast<std::size_t>(level)][codes[i]], depth + 1);
    }
    if (codes.size() > kFewChildren) out_.print("{}... {} more\n", indent, codes.size() - kFewChildren);
  }

  const Hierarchy& hierarchy_;
  std::vector<std::vector<std::vector<std::uint32_t>>> children_;
  OutputWriter& out_;
};

/// What a table has of the hierarchy.
struct Use {
  std::vector<std::uint64_t> occurring;  // values of each level
  std::size_t uncovered = 0;             // values of the column without a row
};

Use use_of(const Hierarchy& hierarchy, const table::Dictionary& values) {
  Use use;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    const auto row = code == values.missing ? find_missing(hierarchy, values) : hierarchy.find(values.values[code]);
    if (row) rows.push_back(*row);
    if (!row && code != values.missing) ++use.uncovered;
  }
  for (int level = 0; level < hierarchy.levels(); ++level) {
    std::vector<bool> occurs(hierarchy.value_count(level), false);
    for (const std::uint32_t row : rows) occurs[hierarchy.code(level, row)] = true;
    use.occurring.push_back(static_cast<std::uint64_t>(std::count(occurs.begin(), occurs.end(), true)));
  }
  return use;
}

Result<std::optional<Use>> read_use(Invocation& invocation, const Hierarchy& hierarchy) {
  const auto file = invocation.optional_text("table");
  if (file.has_value() != invocation.has("column"))
    return make_error(ErrorCode::usage,
                      "--table and --column go together: the hierarchy is held against that column");
  if (!file) return std::optional<Use>();
  GAUZE_TRY(const std::string column, invocation.text("column"));
  GAUZE_TRY(const table::ReadOptions options, read_options(invocation));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(*file, options));
  GAUZE_TRY(const table::TupleCounts found, count_values(*opened.source, column, invocation.progress()));
  invocation.end_progress();
  return std::optional(use_of(hierarchy, found.dictionaries.front()));
}

Json to_json(const HierarchyFile& file, const std::string& path, const std::optional<Use>& use) {
  const Hierarchy& hierarchy = file.hierarchy;
  Json levels = Json::array();
  for (int level = 0; level < hierarchy.levels(); ++level) {
    Json sample = Json::array();
    for (std::uint32_t code = 0; code < std::min(hierarchy.value_count(level), kSampleValues); ++code)
      sample.push(hierarchy.text(level, code));
    Json one =
        Json::object({{"level", level}, {"values", hierarchy.value_count(level)}, {"sample", std::move(sample)}});
    if (use) one.set("occurring", use->occurring[static_cast<std::size_t>(level)]);
    levels.push(std::move(one));
  }
  Json object = Json::object({{"file", path},
                              {"height", hierarchy.height()},
                              {"made_from_data", file.made_from_data},
                              {"delimiter", std::string(1, file.delimiter)},
                              {"levels", std::move(levels)}});
  if (use) object.set("uncovered", use->uncovered);
  return object;
}

void print(Invocation& invocation, const HierarchyFile& file, const std::string& path,
           const std::optional<Use>& use) {
  OutputWriter& out = invocation.out();
  const Style style = invocation.out_style();
  const Hierarchy& hierarchy = file.hierarchy;
  out.print("{}: levels 0 to {}, {}\n\n", path, hierarchy.height(),
            file.made_from_data ? "made from data" : "not marked as made from data");
  out.print("{}\n", style.bold(fmt::format("{:>5}  {:>8}{}", "level", "values", use ? "  in the table" : "")));
  for (int level = 0; level < hierarchy.levels(); ++level)
    out.print("{:>5}  {:>8}{}\n", level, hierarchy.value_count(level),
              use ? fmt::format("  {:>12}", use->occurring[static_cast<std::size_t>(level)]) : std::string());
  out.print("\n{}\n", style.bold("sample"));
  TreeSample(hierarchy, out).print();
  if (use && use->uncovered > 0)
    out.print("\n{} values of the column are not covered: 'gauze hierarchy check' lists them\n", use->uncovered);
}

Result<int> run_hierarchy_show(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("hierarchy"));
  GAUZE_TRY(const HierarchyFile file,
            load_hierarchy(invocation, path, std::filesystem::path(path).filename().string()));
  GAUZE_TRY(const std::optional<Use> use, read_use(invocation, file.hierarchy));
  if (invocation.json())
    invocation.print_json(to_json(file, path, use));
  else
    print(invocation, file, path, use);
  return 0;
}

}  // namespace

void register_hierarchy_show_command(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "table", .placeholder = "FILE", .help = "a table whose values are held against it", .is_file = true},
      {.name = "column", .placeholder = "COL", .help = "the column of that table"},
      hierarchy_delimiter_flag()};
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "hierarchy show",
       .group = "Tables",
       .summary = "Look into a hierarchy file",
       .description =
           "Says how many levels a hierarchy has, how many values each level has, whether the file was made from data, "
           "and prints some branches of its tree. With a table, also how many values of each level occur there.\n\n"
           "With --json: file, height, made_from_data, delimiter, levels (level, values, sample, occurring), uncovered.",
       .examples = {{"gauze hierarchy show age.csv", "levels and a part of the tree"},
                    {"gauze hierarchy show age.csv --table people.csv --column age", "and what of it the table has"}},
       .positionals = {{.name = "hierarchy", .help = "a hierarchy file; - for stdin", .is_file = true}},
       .flags = std::move(flags),
       .run = run_hierarchy_show});
}

}  // namespace gauze::cli
