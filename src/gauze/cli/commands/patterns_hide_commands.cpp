// patterns hide, patterns restore.
#include <set>

#include "gauze/base/atomic_file.h"
#include "gauze/base/cpu_time.h"
#include "gauze/cli/commands/commands.h"
#include "gauze/cli/internal/basket_flags.h"
#include "gauze/cli/internal/labelled_table.h"
#include "gauze/cli/invocation.h"
#include "gauze/label/label_file.h"
#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

constexpr std::array<std::string_view, 4> kLevelWords = {"none", "H1", "H2", "H3"};

std::string_view word(HidingLevel level) { return kLevelWords[static_cast<std::size_t>(level)]; }

Result<HidingOptions> hiding_options(const Invocation& invocation, std::uint64_t rows) {
  HidingOptions options;
  GAUZE_TRY(const BasketThreshold threshold, basket_threshold(invocation, rows));
  options.min_count = threshold.count;
  options.min_support = threshold.share;
  GAUZE_TRY(const std::string algorithm, invocation.text("algorithm"));
  options.algorithm = static_cast<HidingAlgorithm>(
      std::find(kAlgorithmWords.begin(), kAlgorithmWords.end(), algorithm) - kAlgorithmWords.begin());
  options.as_published = invocation.has("as-published");
  GAUZE_TRY(const std::string level, invocation.text("level"));
  options.level =
      static_cast<HidingLevel>(std::find(kLevelWords.begin(), kLevelWords.end(), level) - kLevelWords.begin());
  if (options.as_published) {
    if (invocation.has("level") && options.level != HidingLevel::h1)
      return make_error(ErrorCode::usage, "--as-published stops at H1, where the paper stops");
    options.level = HidingLevel::h1;
  }
  GAUZE_TRY(const std::string operation, invocation.text("operation"));
  options.operation = operation == "delete" ? Operation::remove : Operation::mark;
  GAUZE_TRY(const std::int64_t margin, invocation.integer("margin", 0, 1'000'000'000));
  options.margin = static_cast<std::uint64_t>(margin);
  return options;
}

PrivacyLabel hiding_label(const HidingOptions& options, HidingLevel level, MarkStyle style) {
  PrivacyLabel label;
  label.released.kind = "transactions with hidden patterns";
  label.mechanism = fmt::format("{}{}", kAlgorithmWords[static_cast<std::size_t>(options.algorithm)],
                                options.as_published ? ", as published" : "");
  label.parameters = Json::object({{"level", word(level)},
                                   {"operation", options.operation == Operation::mark ? "mark" : "delete"},
                                   {"mark_style", style == MarkStyle::anchored ? "anchored" : "anonymous"}});
  label.privacy_unit = "the patterns that the owner listed";
  label.definition = Definition::pattern_hiding;
  label.covers = {"fewer transactions than the owner's threshold hold each listed pattern definitely"};
  if (level >= HidingLevel::h2)
    label.covers.emplace_back("the same among the transactions that marks leave nothing open in");
  if (level >= HidingLevel::h3) label.covers.emplace_back("the same if every mark stood for an item");
  label.does_not_cover = {"differential privacy: nothing is promised about single transactions",
                          "readers with a lower threshold than the owner's"};
  if (level < HidingLevel::h3 && options.operation == Operation::mark)
    label.does_not_cover.emplace_back("readers who fill the marks in: they find the patterns again");
  return label;
}

Json names_json(const Database& database, const Itemset& set) {
  Json names = Json::array();
  for (const Item item : set) names.push(database.names[item]);
  return names;
}

Json share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? Json(0) : Json(static_cast<double>(part) / static_cast<double>(whole));
}

Json result_json(const Database& database, const HidingResult& result, const HidingMetrics& metrics) {
  Json marks = Json::array();
  std::set<std::size_t> rows;
  for (const Edit& edit : result.edits) {
    marks.push(Json::array({Json(edit.row + 1), Json(database.names[edit.item])}));
    rows.insert(edit.row);
  }
  Json list = Json::array();
  for (const HiddenPattern& one : result.patterns)
    list.push(Json::object(
        {{"items", names_json(database, one.pattern.items)},
         {"before", one.before.definite},
         {"after", Json::array({Json(one.after.definite), Json(one.after.definite + one.after.undetermined)})},
         {"min_count", one.threshold.count},
         {"level", word(one.level)}}));
  Json bands = Json::array();
  for (const BandMetrics& band : metrics.bands)
    bands.push(Json::object({{"factor", band.factor},
                             {"min_count", band.min_count},
                             {"itemsets", band.literal_total},
                             {"misses_cost", Json::object({{"literal", share(band.literal_lost, band.literal_total)},
                                                           {"ideal", share(band.ideal_lost, band.ideal_total)}})},
                             {"lost", Json::object({{"literal", band.literal_lost}, {"ideal", band.ideal_lost}})}}));
  const BandMetrics& first = metrics.bands.front();
  return Json::object({{"marks", std::move(marks)},
                       {"marks_total", result.edits.size()},
                       {"rows_touched", rows.size()},
                       {"hiding_failure", metrics.hiding_failure},
                       {"misses_cost", Json::object({{"literal", share(first.literal_lost, first.literal_total)},
                                                     {"ideal", share(first.ideal_lost, first.ideal_total)}})},
                       {"artifactual", 0},
                       {"dissimilarity", metrics.dissimilarity},
                       {"patterns", std::move(list)},
                       {"level", word(result.level)},
                       {"bands", std::move(bands)},
                       {"metrics_complete", metrics.complete}});
}

void print_result(Invocation& invocation, const HidingResult& result, const HidingMetrics& metrics) {
  const BandMetrics& first = metrics.bands.front();
  std::set<std::size_t> rows;
  for (const Edit& edit : result.edits) rows.insert(edit.row);
  auto line = [&](std::string_view name, const std::string& text) {
    invocation.out().print("{} {}\n", invocation.out_style().bold(fmt::format("{:<10}", name)), text);
  };
  line("level", std::string(word(result.level)));
  line("changes", fmt::format("{} in {} transactions ({:.3g} % of all items)", result.edits.size(), rows.size(),
                              100 * metrics.dissimilarity));
  line("lost", fmt::format("{} of {} other frequent itemsets", first.ideal_lost, first.ideal_total));
  for (const HiddenPattern& one : result.patterns)
    line("hidden", fmt::format("{}: {} before, {} to {} after, {}", one.pattern.text, one.before.definite,
                               one.after.definite, one.after.definite + one.after.undetermined, word(one.level)));
}

Result<void> keep_apart(const Invocation& invocation, const std::string& output) {
  std::vector<std::string> written = {output, label_path_for(output).string()};
  if (const auto marks = invocation.optional_text("marks")) written.push_back(*marks);
  for (const char* flag : {"file", "sensitive"})
    for (const std::string& path : written)
      if (is_same_file(path, *invocation.optional_text(flag)))
        return make_error(ErrorCode::usage, "{} would replace what is read", path);
  for (std::size_t i = 1; i < written.size(); ++i)
    if (is_same_file(written[0], written[i]) || (i == 2 && is_same_file(written[1], written[2])))
      return make_error(ErrorCode::usage, "-o, its label and --marks must be different files");
  return {};
}

Result<int> run_hide(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("out"));
  GAUZE_TRY(const std::string sensitive_path, invocation.text("sensitive"));
  if (output == "-") return make_error(ErrorCode::usage, "-o needs a file: its label goes beside it");
  GAUZE_TRY_VOID(keep_apart(invocation, output));
  GAUZE_TRY_VOID(check_output_place(output));
  const double started = cpu_seconds();
  GAUZE_TRY(const BasketFile file, read_baskets(invocation, path));
  const Database& database = file.database();
  GAUZE_TRY(const HidingOptions options, hiding_options(invocation, database.rows()));
  GAUZE_TRY(const std::string style_word, invocation.text("mark-style"));
  const MarkStyle style = style_word == "anonymous" ? MarkStyle::anonymous : MarkStyle::anchored;
  if (style == MarkStyle::anonymous && options.level > HidingLevel::h1 && options.operation == Operation::mark)
    return invalid_parameter("anonymous marks leave every pattern open in a row: only H1 is verified for them");
  GAUZE_TRY(const std::string text, invocation.read_input(sensitive_path, 64U << 20));
  GAUZE_TRY(const SensitiveList sensitive, parse_sensitive(text, database));
  const double read = cpu_seconds();
  GAUZE_TRY(const HidingResult result, hide(database, sensitive, options, invocation.progress()));
  const double hidden = cpu_seconds();
  for (const std::string& notice : result.notices) invocation.note(notice);
  GAUZE_TRY(const BasketRelease release, write_release(file, result.edits, style));
  // The file as it will be written is read again: the verdict is about it.
  GAUZE_TRY(const BasketFile written, BasketFile::parse(release.bytes, file.format()));
  std::vector<Itemset> sets;
  for (const HiddenPattern& one : result.patterns) sets.push_back(one.pattern.items);
  if (written.database().rows() != database.rows() || written.database().items.size() != result.released.items.size())
    return make_error(ErrorCode::internal, "the written file does not read back as it was meant");
  if (result.level < options.level && !result.patterns.empty())
    return make_error(ErrorCode::infeasible, "the level {} was not reached; nothing was written",
                      word(options.level));
  GAUZE_TRY(const HidingMetrics metrics,
            measure_hiding(database, result.released, sets, options.min_count, invocation.progress()));
  PrivacyLabel label = hiding_label(options, std::max(options.level, HidingLevel::h1), style);
  if (const auto marks = invocation.optional_text("marks")) GAUZE_TRY_VOID(write_file(*marks, release.marks));
  GAUZE_TRY_VOID(label.check_rules());
  GAUZE_TRY_VOID(write_with_label(output, release.bytes, label));
  const double done = cpu_seconds();
  invocation.end_progress();
  if (invocation.json()) {
    Json object = result_json(database, result, metrics);
    object.set("seconds",
               Json::object({{"read", read - started}, {"hide", hidden - read}, {"verify", done - hidden}}));
    object.set("label", label.to_json());
    invocation.print_json(object);
    return 0;
  }
  print_result(invocation, result, metrics);
  invocation.note(fmt::format("wrote {} and {}", output, label_path_for(output).string()));
  return 0;
}

Result<int> run_restore(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const std::string marks_path, invocation.text("marks"));
  GAUZE_TRY(const std::string output, invocation.text("out"));
  GAUZE_TRY(const std::string released, invocation.read_input(path, std::size_t{1} << 33));
  GAUZE_TRY(const std::string marks, invocation.read_input(marks_path, std::size_t{1} << 32));
  GAUZE_TRY(const std::string original, restore(released, marks, basket_format(invocation)));
  if (output == "-") {
    invocation.out().write(original);
    return 0;
  }
  GAUZE_TRY_VOID(write_file(output, original));
  invocation.note(fmt::format("wrote {}: the original, byte for byte", output));
  return 0;
}

}  // namespace

void register_patterns_hide_commands(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "sensitive",
       .placeholder = "FILE",
       .help = "the patterns to hide, one a line",
       .required = true,
       .is_file = true},
      {.name = "algorithm",
       .placeholder = "NAME",
       .help = "who chooses what is changed",
       .default_text = "border",
       .choices = {kAlgorithmWords.begin(), kAlgorithmWords.end()}},
      {.name = "level",
       .placeholder = "LEVEL",
       .help = "how well hidden",
       .default_text = "H2",
       .choices = {"H1", "H2", "H3"}},
      {.name = "margin", .placeholder = "M", .help = "so many transactions below the threshold", .default_text = "0"},
      {.name = "operation",
       .placeholder = "WHAT",
       .help = "mark items as unknown, or delete them",
       .default_text = "mark",
       .choices = {"mark", "delete"}},
      {.name = "mark-style",
       .placeholder = "STYLE",
       .help = "whether a mark names its item",
       .default_text = "anchored",
       .choices = {"anchored", "anonymous"}},
      {.name = "as-published", .help = "psh to the letter of the paper; stops at H1"},
      {.name = "marks",
       .placeholder = "FILE",
       .help = "write what was changed: the owner's key to the original",
       .is_file = true},
      {.name = "out",
       .short_name = 'o',
       .placeholder = "OUT",
       .help = "the file to publish, with OUT.label.json",
       .required = true,
       .is_file = true}};
  for (Flag& flag : basket_threshold_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "patterns hide",
       .group = "Patterns",
       .summary = "Hide sensitive itemsets and rules, and check that they are hidden",
       .description =
           "Marks items as unknown (or deletes them) until every listed pattern is hidden at the level asked for; the file as "
           "written is read again and judged. H1: too few transactions hold it definitely. H2: also among those without open "
           "marks. H3: even if all marks stand for items; it needs deletion.\n\n"
           "border, the default, changes what costs the fewest other frequent itemsets; psh is the published algorithm. Not "
           "differential privacy: nothing is promised about single transactions.\n\n"
           "Nothing is written when the level cannot be reached (exit 3). With --json: marks, marks_total, rows_touched, "
           "hiding_failure, misses_cost, artifactual, dissimilarity, patterns, level, bands, seconds, label. These figures are "
           "the owner's.",
       .examples =
           {{"gauze patterns hide baskets.dat --sensitive secret.txt --min-support 0.01 -o public.dat --marks key.csv",
             "at level H2, with the key to undo it"},
            {"gauze patterns hide baskets.dat --sensitive secret.txt --min-count 50 --algorithm psh --as-published -o public.dat",
             "the published algorithm"}},
       .positionals = {basket_positional()},
       .flags = std::move(flags),
       .run = run_hide});
  registry.add(
      {.name = "patterns restore",
       .group = "Patterns",
       .summary = "Give the original back from a release and its marks",
       .description =
           "Undoes what `patterns hide --marks` recorded, byte for byte. Marks of another file are refused.",
       .examples = {{"gauze patterns restore public.dat --marks key.csv -o original.dat", "with the owner's key"}},
       .positionals = {basket_positional()},
       .flags = {{.name = "marks",
                  .placeholder = "FILE",
                  .help = "what patterns hide wrote",
                  .required = true,
                  .is_file = true},
                 basket_format_flag(),
                 {.name = "out",
                  .short_name = 'o',
                  .placeholder = "OUT",
                  .help = "where it goes",
                  .required = true,
                  .is_file = true}},
       .run = run_restore});
}

}  // namespace gauze::cli
