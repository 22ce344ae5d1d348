// patterns audit, patterns compare.
#include <algorithm>
#include <filesystem>

#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/patterns/basket_flags.h"
#include "gauze/cli/patterns/hiding_flags.h"
#include "gauze/cli/patterns/pattern_text.h"
#include "gauze/patterns/audit/release_audit.h"
#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/hiding/hiding_json.h"
#include "gauze/patterns/job/comparison_series.h"
#include "gauze/report/report.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

void print_line(Invocation& invocation, std::string_view name, const std::string& text) {
  invocation.out().print("{} {}\n", invocation.out_style().bold(fmt::format("{:<12}", name)), text);
}

std::string yes_of(const std::vector<bool>& values) {
  return fmt::format("{} of {}", std::count(values.begin(), values.end(), true), counted(values.size(), "pattern"));
}

void print_audit(Invocation& invocation, const ReleaseAudit& audit) {
  const HidingMetrics& metrics = audit.metrics;
  const AttackReport& attacks = audit.attacks;
  print_line(invocation, "level", std::string(word_of(kLevelWords, audit.level)));
  for (const HiddenPattern& one : audit.patterns) print_line(invocation, "pattern", standing_text(one));
  for (const auto& [level, meaning] : level_texts(audit.patterns, audit.attacks.guess.marks > 0))
    print_line(invocation, level, meaning);
  for (const BandMetrics& band : metrics.bands)
    print_line(invocation, "lost",
               fmt::format("{} other frequent itemsets at {:g} x the threshold ({})", part_text(band.ideal),
                           band.factor, band.min_count));
  print_line(
      invocation, "gained",
      fmt::format("{} itemsets found; {} for readers who leave out unknown transactions",
                  part_text(metrics.artifactual),
                  metrics.ignoring_complete ? std::to_string(metrics.artifactual_ignoring) : "unknown how many"));
  print_line(invocation, "removed", fmt::format("{:.3g} % of all items", 100 * metrics.removed));
  print_line(invocation, "added", fmt::format("{:.3g} % of all items", 100 * metrics.added));
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
}

/// The release in the order of the original: with --marks a shuffled one is put back into it.
Result<BasketFile> read_released(Invocation& invocation, const std::string& path) {
  const auto marks_path = invocation.optional_text("marks");
  if (!marks_path) return read_baskets(invocation, path);
  GAUZE_TRY(const BasketReading reading, basket_reading(invocation));
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
  GAUZE_TRY(HidingThreshold threshold, basket_threshold(invocation, original.database().rows()));
  GAUZE_TRY(threshold.confidence, rule_confidence(invocation));
  GAUZE_TRY(const SensitiveList sensitive, read_sensitive(invocation, original.database()));
  GAUZE_TRY(const ReleaseAudit audit,
            audit_release(original.database(), released.database(), sensitive, threshold, invocation.progress()));
  invocation.warn_all(audit.warnings);
  invocation.end_progress();
  if (invocation.json())
    invocation.print_json(to_json(original.database(), audit));
  else
    print_audit(invocation, audit);
  return 0;
}

std::string lost_cell(const SetShare& lost) {
  if (lost.part) return std::to_string(*lost.part);
  return lost.sampled ? fmt::format("{:.3g}%", 100 * lost.sampled->mean) : "-";
}

void print_comparison(Invocation& invocation, const AlgorithmComparison& comparison) {
  const HidingMetrics& first = comparison.first_run().metrics;
  const std::vector<BandMetrics>& bands = first.bands;
  std::string head = fmt::format("{:<10} {:>8} {:>8} {:>6} {:>6}", "algorithm", "changes", "rows", "found", "level");
  for (const BandMetrics& band : bands) head += fmt::format(" {:>7}", fmt::format("x{:g}", band.factor));
  invocation.out().print("{}\n", invocation.out_style().bold(head + fmt::format(" {:>9}", "seconds")));
  for (const ComparedAlgorithm& one : comparison.algorithms) {
    if (!one.skipped.empty()) {
      invocation.out().print("{:<10} {}\n", one.name(), one.skipped);
      continue;
    }
    const ComparedRun& run = one.runs.front();
    std::string line =
        fmt::format("{:<10} {:>8} {:>8} {:>6} {:>6}", one.name(), run.result.edits.size(), run.result.rows_touched(),
                    fmt::format("{:.3g}%", 100 * hiding_failure(run.result.patterns)),
                    comparison.reached(run) ? word_of(kLevelWords, run.result.level) : "-");
    for (const BandMetrics& band : run.metrics.bands) line += fmt::format(" {:>7}", lost_cell(band.ideal));
    invocation.out().print("{} {:>9.3f}\n", line, run.seconds);
  }
  const std::optional<std::uint64_t>& total = bands.front().ideal.total;
  invocation.out().print(
      "\nColumn found: listed patterns that are still found, with marks taken as absent.\n"
      "Columns x1 to x1.5: other frequent itemsets lost at that multiple of the threshold, of {} at x1{}.\n",
      total ? std::to_string(*total) : "more than were counted",
      first.complete() ? "" : "; a share (%) is an estimate, - is unknown");
}

/// --algorithms, or all.
Result<std::vector<HidingAlgorithm>> wanted_algorithms(const Invocation& invocation) {
  std::vector<HidingAlgorithm> wanted;
  const auto names = invocation.optional_text("algorithms");
  if (!names)
    for (const auto& one : kAlgorithmWords) wanted.push_back(one.first);
  for (std::string_view left = names ? *names : std::string_view(); !left.empty();) {
    const std::string_view name = left.substr(0, left.find(','));
    left.remove_prefix(std::min(name.size() + 1, left.size()));
    const auto found = value_of(kAlgorithmWords, name);
    if (!found) return invalid_parameter("there is no algorithm {}", name);
    wanted.push_back(*found);
  }
  return wanted;
}

/// --thresholds, read as --min-support is, or as --min-count where that was given; --numbers.
Result<SeriesPlan> series_plan(const Invocation& invocation, std::uint64_t rows) {
  SeriesPlan plan;
  if (invocation.has("thresholds")) {
    GAUZE_TRY(const std::vector<Rational> values, invocation.rationals("thresholds"));
    const bool counts = invocation.has("min-count");
    for (const Rational& value : values) {
      if (counts && (!(value >= 1) || !value.is_integer() || !(value <= 1'000'000'000'000)))
        return invalid_parameter("--thresholds are whole numbers of transactions, as --min-count is, but one is {}",
                                 value.to_decimal());
      if (!counts && (!(value > 0) || !(value <= 1)))
        return invalid_parameter("--thresholds lie between 0 and 1, as --min-support does, but one is {}",
                                 value.to_decimal());
      plan.thresholds.push_back(counts
                                    ? HidingThreshold::of_count(static_cast<std::uint64_t>(value.to_double()), rows)
                                    : HidingThreshold::of_share(value, rows));
    }
  }
  if (invocation.has("numbers")) {
    GAUZE_TRY(const std::vector<Rational> values, invocation.rationals("numbers"));
    for (const Rational& value : values) {
      if (!(value >= 1) || !value.is_integer() || !(value <= 1'000'000))
        return invalid_parameter("--numbers are whole numbers of patterns, but one is {}", value.to_decimal());
      plan.numbers.push_back(static_cast<std::size_t>(value.to_double()));
    }
  }
  return plan;
}

void print_series(Invocation& invocation, std::string_view what, const std::vector<SeriesPoint>& points,
                  HidingLevel wanted) {
  if (points.empty()) return;
  invocation.out().print(
      "\n{}\n", invocation.out_style().bold(fmt::format("{:<12} {:<10} {:>8} {:>6} {:>6} {:>9}", what, "algorithm",
                                                        "changes", "found", "level", "lost")));
  for (const SeriesPoint& point : points)
    for (const SeriesRun& one : point.runs) {
      const std::uint64_t place = what == "patterns" ? point.patterns : point.threshold.count;
      const std::string head = fmt::format("{:<12} {:<10}", place, word_of(kAlgorithmWords, one.algorithm));
      if (!one.run) {
        invocation.out().print("{} {}\n", head, one.skipped);
        continue;
      }
      const HidingResult& result = one.run->result;
      invocation.out().print("{} {:>8} {:>6} {:>6} {:>9}\n", head, result.changes(),
                             fmt::format("{:.3g}%", 100 * hiding_failure(result.patterns)),
                             result.level >= wanted ? word_of(kLevelWords, result.level) : "-",
                             lost_cell(one.run->metrics.bands.front().ideal));
    }
}

Result<int> run_compare(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  const auto report = invocation.optional_text("report");
  GAUZE_TRY(const BasketFile file, read_baskets(invocation, path));
  GAUZE_TRY(const HidingOptions options, hiding_options(invocation, file));
  GAUZE_TRY(const SensitiveList sensitive, read_sensitive(invocation, file.database()));
  invocation.warn_all(sensitive.warnings);
  GAUZE_TRY(const std::vector<HidingAlgorithm> wanted, wanted_algorithms(invocation));
  GAUZE_TRY(const SeriesPlan plan, series_plan(invocation, file.database().rows()));
  GAUZE_TRY(const AlgorithmComparison comparison,
            compare_algorithms(file.database(), sensitive, options, wanted, invocation.progress()));
  GAUZE_TRY(const ComparisonSeries series,
            compare_series(file.database(), sensitive, options, wanted, plan, invocation.progress()));
  invocation.warn_all(comparison.warnings);
  if (comparison.warnings.empty()) invocation.warn_all(series.warnings);
  Json document = to_json(comparison, std::filesystem::path(path).filename().string());
  if (!series.is_empty()) document.set("series", to_json(series, options.level));
  if (report) {
    PrivacyLabel label = comparison_label();
    GAUZE_TRY_VOID(publish_bytes(invocation, *report, render_report(document.dump()), label));
  }
  invocation.end_progress();
  if (invocation.json()) {
    invocation.print_json(document);
    return 0;
  }
  print_comparison(invocation, comparison);
  print_series(invocation, "threshold", series.thresholds, options.level);
  print_series(invocation, "patterns", series.numbers, options.level);
  if (report) invocation.note(fmt::format("wrote {}", *report));
  return 0;
}

}  // namespace

void register_patterns_audit_commands(Registry& registry) {
  std::vector<Flag> flags = {rule_confidence_flag(),
                             {.name = "marks",
                              .placeholder = "FILE",
                              .help = "of a shuffled release: what patterns hide wrote, to put it back into order",
                              .is_file = true}};
  for (Flag& flag : sensitive_flags()) flags.push_back(std::move(flag));
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
           "artifactual_ignoring_unknown, removed, added, dissimilarity, bands, attacks.",
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
       .help = "only these: border, psh, gih, minfia, maxfia, iga, swa, fhsar, exact, random"},
      {.name = "thresholds",
       .placeholder = "F,F",
       .help = "hide at each of these thresholds, too: shares as --min-support, or numbers with --min-count"},
      {.name = "numbers", .placeholder = "N,N", .help = "hide the first N patterns of the list alone, for each N"},
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
           "file is too large for it, and for anonymous marks above H1.\n\n"
           "--thresholds and --numbers add series: what each algorithm costs as the threshold moves, and as more patterns are hidden.\n\n"
           "With --json: algorithms, each with runs (margin, marks_total, rows_touched, level, hiding_failure, bands, seconds); series, with thresholds and numbers, when asked for.",
       .examples =
           {{"gauze patterns compare baskets.dat --sensitive secret.txt --min-support 0.01 --report compare.html",
             "all algorithms, with the curves"}},
       .positionals = {basket_positional()},
       .flags = std::move(compare_flags),
       .run = run_compare});
}

}  // namespace gauze::cli
