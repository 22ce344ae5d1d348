// patterns hide, patterns restore.
#include <algorithm>
#include <set>

#include "gauze/base/cpu_time.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/patterns/basket_flags.h"
#include "gauze/cli/patterns/hiding_flags.h"
#include "gauze/cli/patterns/hiding_json.h"
#include "gauze/files/atomic_file.h"
#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

Result<HidingOptions> options_of(const Invocation& invocation, std::uint64_t rows) {
  GAUZE_TRY(HidingOptions options, hiding_options(invocation, rows));
  GAUZE_TRY(const std::string algorithm, invocation.text("algorithm"));
  options.algorithm = static_cast<HidingAlgorithm>(
      std::find(kAlgorithmWords.begin(), kAlgorithmWords.end(), algorithm) - kAlgorithmWords.begin());
  options.trace = invocation.has("trace");
  options.as_published = invocation.has("as-published");
  if (options.as_published) {
    if (invocation.has("level") && options.level != HidingLevel::h1)
      return make_error(ErrorCode::usage, "--as-published stops at H1, where the paper stops");
    options.level = HidingLevel::h1;
  }
  return options;
}

std::string_view change_word(ChangeKind change) {
  return change == ChangeKind::mark ? "mark" : change == ChangeKind::remove ? "delete" : "both";
}

/// `level`: what all patterns of the written file reach.
PrivacyLabel hiding_label(const HidingOptions& options, HidingLevel level, bool has_marks, RowOrder order) {
  PrivacyLabel label;
  label.released.kind = "transactions with hidden patterns";
  label.mechanism = fmt::format("{}{}", kAlgorithmWords[static_cast<std::size_t>(options.algorithm)],
                                options.as_published ? ", as published" : "");
  label.parameters = Json::object({{"level", word(level)},
                                   {"operation", change_word(options.change)},
                                   {"mark_style", options.anonymous_marks ? "anonymous" : "anchored"},
                                   {"order", order == RowOrder::shuffled ? "random" : "that of the original"}});
  label.privacy_unit = "the patterns that the owner listed";
  label.definition = Definition::pattern_hiding;
  if (level >= HidingLevel::h1)
    label.covers.emplace_back("fewer transactions than the owner's threshold hold each listed pattern definitely");
  if (level >= HidingLevel::h1 && options.min_confidence)
    label.covers.back() += ", or a listed rule holds less often than the owner's confidence";
  if (level >= HidingLevel::h2)
    label.covers.emplace_back("the same among the transactions that marks leave nothing open in");
  if (level >= HidingLevel::h3) label.covers.emplace_back("the same if every mark stood for an item");
  label.does_not_cover = {"differential privacy: nothing is promised about single transactions",
                          "readers with a lower threshold than the owner's"};
  if (order == RowOrder::kept)
    label.does_not_cover.emplace_back(
        "the order of the transactions: it is that of the original, and links them to it and to other releases");
  if (level == HidingLevel::none) {
    label.definition = Definition::none;
    label.warning = "not hidden: the level asked for was not reached, and the file was written all the same";
  }
  if (level < HidingLevel::h2 && has_marks)
    label.does_not_cover.emplace_back(
        "readers who leave out transactions with marks: they may find the patterns again");
  if (level < HidingLevel::h3 && has_marks)
    label.does_not_cover.emplace_back("readers who fill the marks in: they find the patterns again");
  return label;
}

Json result_json(const Database& database, const HidingResult& result, const HidingMetrics& metrics, bool trace) {
  Json marks = Json::array();
  Json decoys = Json::array();
  std::vector<Json> deleted;  // where marks and deletions are mixed
  const bool both = std::any_of(result.edits.begin(), result.edits.end(),
                                [](const Edit& edit) { return edit.operation == Operation::mark; });
  std::set<std::size_t> rows;
  for (const Edit& edit : result.edits) {
    Json one = Json::array({Json(edit.row + 1), Json(database.names[edit.item])});
    if (both && edit.operation == Operation::remove) deleted.push_back(one);
    (edit.operation == Operation::decoy ? decoys : marks).push(std::move(one));
    rows.insert(edit.row);
  }
  Json object = Json::object({{"marks", std::move(marks)},
                              {"marks_total", result.edits.size() - result.decoys.placed},
                              {"rows_touched", rows.size()},
                              {"hiding_failure", hiding_failure(result.patterns)}});
  add_metrics(object, metrics);
  object.set("patterns", patterns_json(database, result.patterns)).set("level", word(result.level));
  if (result.decoys.wanted > 0)
    object.set("decoys", Json::object({{"wanted", result.decoys.wanted},
                                       {"possible", result.decoys.possible},
                                       {"placed", result.decoys.placed},
                                       {"marks", std::move(decoys)}}));
  if (!deleted.empty()) object.set("deletions", Json::array(std::move(deleted)));
  object.set("notices", notices_json(result.notices));
  if (result.patterns.empty()) object.set("nothing_to_hide", true);
  if (result.objective) object.set("objective", *result.objective).set("bound", *result.bound);
  if (trace) object.set("trace", trace_json(database, result));
  return object;
}

void print_result(Invocation& invocation, const HidingResult& result, const HidingMetrics& metrics) {
  const BandMetrics& first = metrics.bands.front();
  std::set<std::size_t> rows;
  for (const Edit& edit : result.edits) rows.insert(edit.row);
  auto line = [&](std::string_view name, const std::string& text) {
    invocation.out().print("{} {}\n", invocation.out_style().bold(fmt::format("{:<10}", name)), text);
  };
  line("level", result.patterns.empty() ? "nothing to hide" : std::string(word(result.level)));
  line("changes", fmt::format("{} in {} transactions ({:.3g} % of all items)", result.edits.size(), rows.size(),
                              100 * metrics.dissimilarity));
  if (result.decoys.wanted > 0)
    line("decoys", fmt::format("{} of {} wanted, {} possible", result.decoys.placed, result.decoys.wanted,
                               result.decoys.possible));
  line("lost", fmt::format("{} of {} other frequent itemsets{}", first.ideal_lost, first.ideal_total,
                           metrics.complete ? "" : " looked at: there are too many to look at all"));
  if (metrics.artifactual_ignoring > 0)
    line("gained",
         fmt::format("{} itemsets for readers who leave out unknown transactions", metrics.artifactual_ignoring));
  for (const HiddenPattern& one : result.patterns)
    line(one.level == HidingLevel::none ? "found" : "hidden",
         fmt::format("{}: {} before, {} to {} after, {}", one.pattern.text, one.before.definite, one.after.definite,
                     one.after.definite + one.after.undetermined, word(one.level)));
}

/// Judges the file as it will be written: it is read again, and put back into order if it was shuffled.
Result<void> judge(const BasketFile& file, const BasketRelease& release, HidingResult& result) {
  GAUZE_TRY(std::string ordered, in_original_order(release.bytes, release.marks, file.reading()));
  GAUZE_TRY(const BasketFile written, BasketFile::parse(std::move(ordered), file.reading()));
  GAUZE_TRY(Database aligned, align(file.database(), written.database()));
  if (aligned.items != result.released.items || aligned.marks != result.released.marks ||
      aligned.anonymous != result.released.anonymous)
    return make_error(ErrorCode::internal, "the written file does not read back as it was meant");
  std::vector<PatternShape> shapes;
  for (const HiddenPattern& one : result.patterns) shapes.push_back({one.pattern.items, one.pattern.left});
  const std::vector<PatternStanding> standings = standings_in(aligned, shapes);
  result.level = HidingLevel::h3;
  for (std::size_t p = 0; p < shapes.size(); ++p) {
    HiddenPattern& one = result.patterns[p];
    one.after = standings[p];
    one.level = level_of(one.after, one.threshold, aligned.rows());
    result.level = std::min(result.level, one.level);
  }
  return {};
}

Result<int> run_hide(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  if (is_table_file(output) && !output.ends_with(".parquet"))
    return make_error(ErrorCode::usage, "a release of a long table is a .csv or a .parquet");
  if (is_table_file(output) && invocation.has("marks"))
    return make_error(ErrorCode::usage, "--marks names places in text: write -o to a .csv to have a key");
  const double started = cpu_seconds();
  GAUZE_TRY(const BasketFile file, read_baskets_as_text(invocation, path));
  const Database& database = file.database();
  GAUZE_TRY(const HidingOptions options, options_of(invocation, database.rows()));
  if (options.anonymous_marks && is_table_file(output))
    return make_error(ErrorCode::usage, "in a table of this kind a lone ? means a missing cell: write -o to a .csv");
  GAUZE_TRY(const SensitiveList sensitive, read_sensitive(invocation, database));
  const double read = cpu_seconds();
  GAUZE_TRY(HidingResult result, hide(database, sensitive, options, invocation.progress()));
  const double hidden = cpu_seconds();
  for (const std::string& notice : result.notices) invocation.note(notice);
  const RowOrder order = invocation.has("shuffle") ? RowOrder::shuffled : RowOrder::kept;
  GAUZE_TRY(
      const BasketRelease release,
      write_release(file, result.edits, options.anonymous_marks ? MarkStyle::anonymous : MarkStyle::anchored, order));
  GAUZE_TRY_VOID(judge(file, release, result));
  if (!is_table_file(output) && !reads_back_by_itself(release.bytes, file.reading()))
    invocation.note(fmt::format("the release does not show how it is written: read it with --format {}",
                                kBasketFormatWords[static_cast<std::size_t>(file.format())]));
  const bool reached = result.level >= options.level;
  if (!reached && !invocation.has("force")) {
    std::string lines;
    for (const HiddenPattern& one : result.patterns)
      if (one.level < options.level) lines += fmt::format("{}{}", lines.empty() ? "" : ", ", one.pattern.line);
    return make_error(
        ErrorCode::infeasible,
        "{} did not bring the patterns of these lines to {}: {}; nothing was written. Try border or --operation "
        "delete; --force writes what there is",
        kAlgorithmWords[static_cast<std::size_t>(options.algorithm)], word(options.level), lines);
  }
  std::vector<Itemset> sets;
  for (const HiddenPattern& one : result.patterns) sets.push_back(one.pattern.items);
  GAUZE_TRY(const HidingMetrics metrics, measure_hiding(database, result.released, sets, options.min_count,
                                                        options.min_support, invocation.progress()));
  PrivacyLabel label =
      hiding_label(options, std::min(result.level, options.level), result.released.has_marks(), order);
  GAUZE_TRY(const RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, random.is_seeded()));
  GAUZE_TRY_VOID(publication.open(label));
  if (const auto marks = invocation.optional_text("marks"))
    GAUZE_TRY_VOID(write_file(*marks, release.marks, FileReaders::owner_alone));
  GAUZE_TRY(publish::LabelledOutput written, open_output(output));
  GAUZE_TRY_VOID(write_baskets(written, release.bytes, invocation.progress()));
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  const double done = cpu_seconds();
  invocation.end_progress();
  if (invocation.json()) {
    Json object = result_json(database, result, metrics, options.trace);
    object.set("seconds",
               Json::object({{"read", read - started}, {"hide", hidden - read}, {"verify", done - hidden}}));
    object.set("label", label.to_json());
    invocation.print_json(object);
  } else {
    print_result(invocation, result, metrics);
    if (options.trace) invocation.out().print("{}\n", trace_json(database, result).dump());
    invocation.note(wrote_with_label(output));
  }
  if (reached) return 0;
  invocation.note(fmt::format("the level {} was not reached", word(options.level)));
  return exit_status(ErrorCode::infeasible);
}

Result<int> run_restore(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const std::string marks_path, invocation.text("marks"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
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
      {.name = "algorithm",
       .placeholder = "NAME",
       .help = "who chooses what is changed",
       .default_text = "border",
       .choices = {kAlgorithmWords.begin(), kAlgorithmWords.end()}},
      {.name = "as-published", .help = "psh to the letter of the paper; stops at H1"},
      {.name = "trace", .help = "tell why each change was made"},
      {.name = "force", .help = "write the file even when the level cannot be reached; the exit status is still 3"},
      {.name = "shuffle",
       .help =
           "write the transactions in a random order; without it they keep theirs, which links them to the original"},
      {.name = "marks",
       .placeholder = "FILE",
       .help = "write what was changed: the owner's key to the original",
       .is_file = true,
       .makes = Makes::file},
      {.name = "output",
       .short_name = 'o',
       .placeholder = "OUT",
       .help = "the file to publish, with OUT.label.json",
       .required = true,
       .is_file = true,
       .makes = Makes::labelled_file}};
  for (Flag& flag : hiding_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "patterns hide",
       .group = "Patterns",
       .summary = "Hide sensitive itemsets and rules, and check that they are hidden",
       .description =
           "Marks items as unknown (or deletes them) until every listed pattern is hidden at the level asked for; the file as "
           "written is read again and judged. H1: too few transactions hold it definitely. H2: also among those without open "
           "marks. H3: even if all marks stand for items; it needs deletion. A rule (X => Y) is hidden by its support or, with "
           "--min-confidence, by how often it holds.\n\n"
           "border, the default, spares other frequent itemsets, one change after the other; exact proves the fewest losses, "
           "for small files; psh, gih, minfia, maxfia, iga and swa are published algorithms; random is a baseline. Not differential "
           "privacy: nothing is promised about single transactions.\n\n"
           "Nothing is written when the level cannot be reached (exit 3). With --json: marks, marks_total, rows_touched, "
           "hiding_failure, misses_cost, artifactual, artifactual_ignoring_unknown, dissimilarity, patterns, level, bands, "
           "notices, decoys, trace, seconds, label. These figures are the owner's.",
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
                 {.name = "output",
                  .short_name = 'o',
                  .placeholder = "OUT",
                  .help = "where it goes; - for the standard output",
                  .required = true,
                  .is_file = true,
                  .makes = Makes::file,
                  .or_stdout = true}},
       .run = run_restore});
}

}  // namespace gauze::cli
