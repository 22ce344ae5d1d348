// patterns audit, patterns compare.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "gauze/base/cpu_time.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/patterns/basket_flags.h"
#include "gauze/cli/patterns/hiding_flags.h"
#include "gauze/cli/patterns/hiding_json.h"
#include "gauze/cli/tables/labelled_table.h"
#include "gauze/label/label_file.h"
#include "gauze/patterns/audit/attacks.h"
#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/hiding/hide.h"
#include "gauze/report/report.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

void print_line(Invocation& invocation, std::string_view name, const std::string& text) {
  invocation.out().print("{} {}\n", invocation.out_style().bold(fmt::format("{:<12}", name)), text);
}

/// How each listed pattern stands before and after.
std::vector<HiddenPattern> judged(const Database& original, const Database& released, const SensitiveList& sensitive,
                                  const BasketThreshold& threshold, const std::optional<Rational>& confidence) {
  std::vector<PatternShape> shapes;
  for (const SensitivePattern& one : sensitive.patterns) shapes.push_back({one.items, one.left});
  const std::vector<PatternStanding> before = standings_in(original, shapes);
  const std::vector<PatternStanding> after = standings_in(released, shapes);
  std::vector<HiddenPattern> result;
  for (std::size_t p = 0; p < shapes.size(); ++p) {
    const SensitivePattern& one = sensitive.patterns[p];
    HidingThreshold own{threshold.count, threshold.share, 0, one.left.empty() ? std::nullopt : confidence};
    if (one.min_support) {
      own.share = *one.min_support;
      own.count = min_count_for(*one.min_support, original.rows());
    }
    result.push_back({one, own, before[p], after[p], level_of(after[p], own, released.rows())});
  }
  return result;
}

std::string yes_of(const std::vector<bool>& values) {
  return fmt::format("{} of {} patterns", std::count(values.begin(), values.end(), true), values.size());
}

void print_audit(Invocation& invocation, const std::vector<HiddenPattern>& patterns, const HidingMetrics& metrics,
                 const AttackReport& attacks) {
  HidingLevel level = HidingLevel::h3;
  for (const HiddenPattern& one : patterns) level = std::min(level, one.level);
  print_line(invocation, "level", std::string(word(level)));
  for (const HiddenPattern& one : patterns)
    print_line(invocation, "pattern",
               fmt::format("{}: {} before, {} to {} after, {}", one.pattern.text, one.before.definite,
                           one.after.definite, one.after.definite + one.after.undetermined, word(one.level)));
  for (const BandMetrics& band : metrics.bands)
    print_line(invocation, "lost",
               fmt::format("{} of {} other frequent itemsets at {:g} x the threshold ({})", band.ideal_lost,
                           band.ideal_total, band.factor, band.min_count));
  print_line(
      invocation, "gained",
      fmt::format("{} itemsets; {} for readers who leave out unknown transactions", metrics.artifactual_definite,
                  metrics.ignoring_complete ? std::to_string(metrics.artifactual_ignoring) : "unknown how many"));
  print_line(invocation, "removed", fmt::format("{:.3g} % of all items", 100 * metrics.dissimilarity));
  invocation.out().print("\nWhat attackers find:\n");
  const FillAttack& fill = attacks.fill;
  print_line(invocation, "fill in",
             fmt::format("{} with every mark taken for an item ({} of {} marks are); of {} sets that "
                         "only this makes frequent, {} are listed",
                         yes_of(fill.found), fill.true_marks, fill.marks, fill.suspects, fill.suspects_listed));
  print_line(invocation, "leave out",
             fmt::format("{} without the transactions that are unknown for them, {} without all that "
                         "have a mark on their items",
                         yes_of(attacks.ignore.found_undetermined), yes_of(attacks.ignore.found_touched)));
  if (attacks.guess.marks > 0)
    print_line(invocation, "guess",
               fmt::format("a mark may stand for {} to {} items (fewest, median); the best guess is right in "
                           "{} of {} transactions",
                           attacks.guess.fewest, attacks.guess.median, attacks.guess.right, attacks.guess.tried));
  print_line(invocation, "pile",
             fmt::format("{} sets have a support from {} to {}, {} before; {} of them are listed", attacks.pile.sets,
                         attacks.pile.from, attacks.pile.below - 1, attacks.pile.sets_before, attacks.pile.listed));
  if (attacks.added > 0)
    print_line(invocation, "added", fmt::format("{} items that the original has not", attacks.added));
  if (!metrics.complete || !attacks.complete)
    invocation.note("there are too many frequent sets to compare them all: the figures are of those looked at");
}

/// The release in the order of the original: with --marks a shuffled one is put back into it.
Result<BasketFile> read_released(Invocation& invocation, const std::string& path) {
  const auto marks_path = invocation.optional_text("marks");
  if (!marks_path) return read_baskets(invocation, path);
  const BasketReading reading = basket_format(invocation);
  GAUZE_TRY(const std::string marks, invocation.read_input(*marks_path, std::size_t{1} << 32));
  GAUZE_TRY(const std::string released, invocation.read_input(path, std::size_t{1} << 33));
  GAUZE_TRY(std::string ordered, in_original_order(released, marks, reading));
  return BasketFile::parse(std::move(ordered), reading);
}

Result<int> run_audit(Invocation& invocation) {
  GAUZE_TRY(const std::string original_path, invocation.text("original"));
  GAUZE_TRY(const std::string released_path, invocation.text("released"));
  GAUZE_TRY(const BasketFile original, read_baskets(invocation, original_path));
  GAUZE_TRY(const BasketFile released, read_released(invocation, released_path));
  GAUZE_TRY(const Database aligned, align(original.database(), released.database()));
  GAUZE_TRY(const BasketThreshold threshold, basket_threshold(invocation, original.database().rows()));
  GAUZE_TRY(const std::optional<Rational> confidence, rule_confidence(invocation));
  GAUZE_TRY(const SensitiveList sensitive, read_sensitive(invocation, original.database()));
  for (const std::string& notice : sensitive.notices) invocation.note(notice);
  const std::vector<HiddenPattern> patterns = judged(original.database(), aligned, sensitive, threshold, confidence);
  std::vector<Itemset> sets;
  std::vector<AuditedPattern> audited;
  for (const HiddenPattern& one : patterns) {
    sets.push_back(one.pattern.items);
    audited.push_back({{one.pattern.items, one.pattern.left}, one.threshold});
  }
  GAUZE_TRY(const HidingMetrics metrics, measure_hiding(original.database(), aligned, sets, threshold.count,
                                                        threshold.share, invocation.progress()));
  GAUZE_TRY(const AttackReport attacks,
            attack(original.database(), aligned, audited, threshold.count, invocation.progress()));
  invocation.end_progress();
  if (!invocation.json()) {
    print_audit(invocation, patterns, metrics, attacks);
    return 0;
  }
  HidingLevel level = HidingLevel::h3;
  for (const HiddenPattern& one : patterns) level = std::min(level, one.level);
  Json object = Json::object({{"transactions", aligned.rows()},
                              {"min_count", threshold.count},
                              {"hiding_failure", hiding_failure(patterns)},
                              {"level", word(level)},
                              {"patterns", patterns_json(original.database(), patterns)}});
  add_metrics(object, metrics);
  object.set("attacks", attacks_json(attacks)).set("notices", notices_json(sensitive.notices));
  invocation.print_json(object);
  return 0;
}

/// One algorithm at one margin.
struct ComparedRun {
  std::uint64_t margin = 0;
  HidingResult result;
  HidingMetrics metrics;
  double seconds = 0;

  [[nodiscard]] std::size_t rows_touched() const {
    std::set<std::size_t> rows;
    for (const Edit& edit : result.edits) rows.insert(edit.row);
    return rows.size();
  }
};

struct ComparedAlgorithm {
  std::string_view name;
  std::string skipped;  ///< why, when it did not run
  std::vector<ComparedRun> runs;
};

/// Margins as shares of the threshold: how the cost grows when patterns are pushed further down.
constexpr std::array<double, 4> kMargins = {0, 0.1, 0.25, 0.5};

Result<ComparedAlgorithm> run_algorithm(const Database& database, const SensitiveList& sensitive,
                                        HidingOptions options, Progress& progress) {
  ComparedAlgorithm compared{kAlgorithmWords[static_cast<std::size_t>(options.algorithm)], "", {}};
  const std::uint64_t base = options.margin;
  for (const double share : kMargins) {
    options.margin = base + static_cast<std::uint64_t>(std::floor(share * static_cast<double>(options.min_count)));
    if (!compared.runs.empty() && options.margin == compared.runs.back().margin) continue;
    if (options.algorithm == HidingAlgorithm::exact && !compared.runs.empty()) break;  // each may take its whole time
    ComparedRun run;
    run.margin = options.margin;
    const double started = cpu_seconds();
    auto result = hide(database, sensitive, options, progress);
    run.seconds = cpu_seconds() - started;
    if (!result && result.error().code == ErrorCode::unsupported) {
      compared.skipped = result.error().message;
      return compared;
    }
    GAUZE_TRY(run.result, std::move(result));
    std::vector<Itemset> sets;
    for (const HiddenPattern& one : run.result.patterns) sets.push_back(one.pattern.items);
    GAUZE_TRY(run.metrics,
              measure_hiding(database, run.result.released, sets, options.min_count, options.min_support, progress));
    run.result.released = {};
    compared.runs.push_back(std::move(run));
    progress.advance();
  }
  return compared;
}

Json comparison_json(const std::string& file, const Database& database, const HidingOptions& options,
                     const std::vector<ComparedAlgorithm>& algorithms, const std::vector<HiddenPattern>& patterns) {
  Json list = Json::array();
  for (const ComparedAlgorithm& one : algorithms) {
    Json object = Json::object({{"algorithm", one.name}});
    if (!one.skipped.empty()) object.set("skipped", one.skipped);
    Json runs = Json::array();
    for (const ComparedRun& run : one.runs) {
      Json entry = Json::object({{"margin", run.margin},
                                 {"marks_total", run.result.edits.size() - run.result.decoys.placed},
                                 {"rows_touched", run.rows_touched()},
                                 {"level", word(run.result.level)},
                                 {"reached", run.result.level >= options.level},
                                 {"seconds", run.seconds}});
      add_metrics(entry, run.metrics);
      runs.push(std::move(entry));
    }
    object.set("runs", std::move(runs));
    list.push(std::move(object));
  }
  Json listed = Json::array();
  for (const HiddenPattern& one : patterns)
    listed.push(Json::object(
        {{"text", one.pattern.text}, {"before", one.before.definite}, {"min_count", one.threshold.count}}));
  return Json::object({{"kind", "patterns-comparison"},
                       {"file", file},
                       {"transactions", database.rows()},
                       {"items", database.names.size()},
                       {"min_count", options.min_count},
                       {"level", word(options.level)},
                       {"patterns", std::move(listed)},
                       {"algorithms", std::move(list)}});
}

void print_comparison(Invocation& invocation, const HidingOptions& options,
                      const std::vector<ComparedAlgorithm>& algorithms) {
  std::string head = fmt::format("{:<10} {:>8} {:>8} {:>6}", "algorithm", "changes", "rows", "level");
  for (const BandMetrics& band : algorithms.front().runs.front().metrics.bands)
    head += fmt::format(" {:>7}", fmt::format("x{:g}", band.factor));
  invocation.out().print("{}\n", invocation.out_style().bold(head + fmt::format(" {:>9}", "seconds")));
  for (const ComparedAlgorithm& one : algorithms) {
    if (!one.skipped.empty()) {
      invocation.out().print("{:<10} {}\n", one.name, one.skipped);
      continue;
    }
    const ComparedRun& run = one.runs.front();
    std::string line = fmt::format("{:<10} {:>8} {:>8} {:>6}", one.name, run.result.edits.size(), run.rows_touched(),
                                   run.result.level >= options.level ? word(run.result.level) : "-");
    for (const BandMetrics& band : run.metrics.bands) line += fmt::format(" {:>7}", band.ideal_lost);
    invocation.out().print("{} {:>9.3f}\n", line, run.seconds);
  }
  const BandMetrics& first = algorithms.front().runs.front().metrics.bands.front();
  invocation.out().print(
      "\nColumns x1 to x1.5: other frequent itemsets lost at that multiple of the threshold, of {} at x1.\n",
      first.ideal_total);
}

/// A comparison shows the original's patterns: it is for the owner alone.
PrivacyLabel comparison_label() {
  PrivacyLabel label;
  label.released.kind = "comparison of ways to hide patterns";
  label.mechanism = "measured on the original transactions";
  label.privacy_unit = "none";
  label.definition = Definition::internal;
  label.warning = "INTERNAL: not to be published";
  label.does_not_cover = {"anything: it names sensitive patterns, and every figure is computed from the original"};
  return label;
}

Result<int> run_compare(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  const auto report = invocation.optional_text("report");
  GAUZE_TRY(const BasketFile file, read_baskets(invocation, path));
  const Database& database = file.database();
  GAUZE_TRY(HidingOptions options, hiding_options(invocation, database.rows()));
  GAUZE_TRY(const SensitiveList sensitive, read_sensitive(invocation, database));
  for (const std::string& notice : sensitive.notices) invocation.note(notice);
  if (sensitive.patterns.empty()) return invalid_parameter("there is no pattern to hide");
  std::vector<HidingAlgorithm> wanted;
  if (const auto names = invocation.optional_text("algorithms")) {
    for (std::string_view left = *names; !left.empty();) {
      const std::string_view name = left.substr(0, left.find(','));
      left.remove_prefix(std::min(name.size() + 1, left.size()));
      const auto found = std::find(kAlgorithmWords.begin(), kAlgorithmWords.end(), name);
      if (found == kAlgorithmWords.end()) return invalid_parameter("there is no algorithm {}", name);
      wanted.push_back(static_cast<HidingAlgorithm>(found - kAlgorithmWords.begin()));
    }
  } else {
    for (std::size_t i = 0; i < kAlgorithmWords.size(); ++i) wanted.push_back(static_cast<HidingAlgorithm>(i));
  }
  invocation.progress().begin("hiding", wanted.size() * kMargins.size());
  std::vector<ComparedAlgorithm> algorithms;
  for (const HidingAlgorithm algorithm : wanted) {
    options.algorithm = algorithm;
    GAUZE_TRY(ComparedAlgorithm one, run_algorithm(database, sensitive, options, invocation.progress()));
    algorithms.push_back(std::move(one));
  }
  // What ran first: a table needs one.
  std::stable_partition(algorithms.begin(), algorithms.end(), [](const auto& one) { return one.skipped.empty(); });
  if (!algorithms.front().skipped.empty())
    return make_error(ErrorCode::unsupported, "{}", algorithms.front().skipped);
  const Json document = comparison_json(std::filesystem::path(path).filename().string(), database, options,
                                        algorithms, algorithms.front().runs.front().result.patterns);
  if (report) {
    PrivacyLabel label = comparison_label();
    GAUZE_TRY_VOID(publish_bytes(invocation, *report, render_report(document.dump()), label));
  }
  invocation.end_progress();
  if (invocation.json()) {
    invocation.print_json(document);
    return 0;
  }
  print_comparison(invocation, options, algorithms);
  if (report) invocation.note(fmt::format("wrote {}", *report));
  return 0;
}

}  // namespace

void register_patterns_audit_commands(Registry& registry) {
  std::vector<Flag> flags = {sensitive_flag(),
                             rule_confidence_flag(),
                             {.name = "marks",
                              .placeholder = "FILE",
                              .help = "of a shuffled release: what patterns hide wrote, to put it back into order",
                              .is_file = true}};
  for (Flag& flag : basket_threshold_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "patterns audit",
       .group = "Patterns",
       .summary = "Attack a release: what can still be found in it",
       .description =
           "Compares a release with its original: how each listed pattern stands, which other frequent itemsets are lost or "
           "gained, and what attackers find who know how hiding works: they fill every mark in, they leave out transactions "
           "with marks, they guess what a mark stands for, and they look at what lies just below the threshold.\n\n"
           "Any release can be audited, also one that another tool made; of a shuffled one --marks tells the order. The figures are the owner's: they are computed from "
           "the original. With --json: hiding_failure, level, patterns, misses_cost, artifactual, "
           "artifactual_ignoring_unknown, dissimilarity, bands, attacks.",
       .examples = {{"gauze patterns audit baskets.dat public.dat --sensitive secret.txt --min-support 0.01",
                     "before a file is published"}},
       .positionals = {{.name = "original", .help = "the transactions before", .is_file = true},
                       {.name = "released",
                        .help = "the transactions after, in the same order unless --marks tells theirs",
                        .is_file = true}},
       .flags = std::move(flags),
       .run = run_audit});
  std::vector<Flag> compare_flags = {
      {.name = "algorithms",
       .placeholder = "A,B",
       .help = "only these: border, psh, gih, minfia, maxfia, iga, swa, exact, random"},
      {.name = "report",
       .placeholder = "OUT.html",
       .help = "write a page with the curves of changes against losses",
       .is_file = true,
       .makes = Makes::labelled_file}};
  for (Flag& flag : hiding_flags()) compare_flags.push_back(std::move(flag));
  registry.add(
      {.name = "patterns compare",
       .group = "Patterns",
       .summary = "Hide with every algorithm, and see what each costs",
       .description =
           "Hides the listed patterns with all algorithms, each at four margins, and shows changes, transactions touched, and "
           "the other frequent itemsets lost over a band of thresholds. Nothing is released. exact is left out where the "
           "file is too large for it.\n\n"
           "With --json: algorithms, each with runs (margin, marks_total, rows_touched, level, bands, seconds).",
       .examples =
           {{"gauze patterns compare baskets.dat --sensitive secret.txt --min-support 0.01 --report compare.html",
             "all algorithms, with the curves"}},
       .positionals = {basket_positional()},
       .flags = std::move(compare_flags),
       .run = run_compare});
}

}  // namespace gauze::cli
