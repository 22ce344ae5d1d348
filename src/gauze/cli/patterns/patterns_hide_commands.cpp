// patterns hide, patterns restore.
#include <algorithm>

#include "gauze/base/cpu_time.h"
#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/owner_output.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/patterns/basket_flags.h"
#include "gauze/cli/patterns/hiding_flags.h"
#include "gauze/cli/patterns/pattern_text.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/unpacking.h"
#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/hiding/hiding_json.h"
#include "gauze/patterns/job/hidden_release.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

Result<HidingOptions> options_of(const Invocation& invocation, const BasketFile& file, const std::string& output) {
  GAUZE_TRY(HidingOptions options, hiding_options(invocation, file));
  GAUZE_TRY(options.algorithm, invocation.value("algorithm", kAlgorithmWords));
  options.trace = invocation.has("trace");
  options.as_published = invocation.has("as-published");
  const bool can_be_anonymous = !options.as_published && !is_table_file(output);
  if (!can_be_anonymous && !invocation.has("mark-style")) options.mark_style = MarkStyle::anchored;
  if (options.as_published) {
    if (invocation.has("level") && options.level != HidingLevel::h1)
      return make_error(ErrorCode::usage, "--as-published stops at H1, where the paper stops");
    options.level = HidingLevel::h1;
  }
  return options;
}

/// What became of a pattern. One that was below its threshold before anything was changed was not hidden by this.
std::string_view outcome(const HiddenPattern& pattern, HidingLevel wanted, std::size_t rows) {
  if (pattern.level == HidingLevel::none) return "found";
  return level_of(pattern.before, pattern.threshold, rows) >= wanted ? "below" : "hidden";
}

void print_result(Invocation& invocation, const HiddenBaskets& hidden) {
  const HidingResult& result = hidden.result;
  const HidingMetrics& metrics = hidden.release->metrics;
  const BandMetrics& first = metrics.bands.front();
  auto line = [&](std::string_view name, std::string_view text) {
    invocation.out().print("{} {}\n", invocation.out_style().bold(fmt::format("{:<10}", name)), text);
  };
  line("level", result.patterns.empty()    ? "nothing to hide"
                : hidden.nothing_to_hide() ? "nothing to hide: below the threshold from the start"
                                           : word_of(kLevelWords, result.level));
  line("changes", fmt::format("{} in {} ({:.3g} % of all items)", result.edits.size(),
                              counted(result.rows_touched(), "transaction"), 100 * metrics.removed));
  if (result.decoys.wanted > 0)
    line("decoys", fmt::format("{} of {} wanted, {} possible", result.decoys.placed, result.decoys.wanted,
                               result.decoys.possible));
  line("lost", fmt::format("{} other frequent itemsets", part_text(first.ideal)));
  if (metrics.artifactual_ignoring > 0)
    line("gained",
         counted(metrics.artifactual_ignoring, "itemset") + " for readers who leave out unknown transactions");
  for (const HiddenPattern& one : result.patterns)
    line(outcome(one, hidden.options.level, result.released.rows()), standing_text(one));
  if (hidden.nothing_to_hide()) return;
  for (const auto& [level, meaning] : level_texts(result.patterns, !result.released.anonymous.empty()))
    line(level, meaning);
}

/// What stands in the way of an output of this name.
Result<void> check_output(const Invocation& invocation, const std::string& output) {
  if (!is_table_file(output)) return {};
  if (!output.ends_with(".parquet"))
    return make_error(ErrorCode::usage, "a release of a long table is a .csv or a .parquet");
  if (invocation.has("marks"))
    return make_error(ErrorCode::usage, "--marks names places in text: write -o to a .csv to have a key");
  return {};
}

/// The flags with which a file is read as it was.
std::string how_to_read(const BasketReading& reading) {
  std::string flags = fmt::format("--format {}", word_of(kBasketFormatWords, *reading.format));
  if (reading.delimiter)
    flags +=
        fmt::format(" --delimiter '{}'", *reading.delimiter == '\t' ? "tab" : std::string(1, *reading.delimiter));
  if (reading.encoding) flags += fmt::format(" --encoding {}", *reading.encoding);
  return flags;
}

tl::unexpected<Error> not_reached(const HiddenBaskets& hidden) {
  std::string lines;
  for (const HiddenPattern& one : hidden.result.patterns)
    if (one.level < hidden.options.level) lines += fmt::format("{}{}", lines.empty() ? "" : ", ", one.pattern.line);
  std::vector<std::string> advice;
  if (hidden.options.algorithm != HidingAlgorithm::border) advice.emplace_back("--algorithm border");
  if (hidden.options.change == ChangeKind::mark) advice.emplace_back("--operation delete");
  return make_error(
      ErrorCode::infeasible,
      "{} did not bring the patterns of these lines to {}: {}; nothing was written. {}--force writes what there is",
      word_of(kAlgorithmWords, hidden.options.algorithm), word_of(kLevelWords, hidden.options.level), lines,
      advice.empty() ? "" : fmt::format("Try {}; ", joined(advice, " or ")));
}

/// The release with its label, and the key.
Result<void> publish_release(Invocation& invocation, publish::Publication& publication, const std::string& output,
                             const BasketReading& reading, HiddenRelease& release) {
  GAUZE_TRY_VOID(publication.open(release.label));
  std::optional<AtomicFile> key;
  if (const auto marks = invocation.optional_text("marks")) {
    GAUZE_TRY(AtomicFile file, AtomicFile::create(*marks, FileReaders::owner_alone));
    GAUZE_TRY_VOID(file.write(release.file.marks));
    GAUZE_TRY_VOID(file.settle());
    key.emplace(std::move(file));
  }
  GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, output));
  GAUZE_TRY_VOID(write_baskets(written, release.file.bytes, reading, invocation.progress()));
  GAUZE_TRY_VOID(written.settle());
  // Only now: where the release cannot be written the key of an earlier one stays what it was.
  if (key) GAUZE_TRY_VOID(key->commit());
  return finish(invocation, publication, release.label, {&written, 1});
}

Result<int> run_hide(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY_VOID(check_output(invocation, output));
  GAUZE_TRY(const RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, random.is_seeded()));
  const double started = cpu_seconds();
  GAUZE_TRY(const BasketFile file, read_baskets_as_text(invocation, path));
  const Database& database = file.database();
  HidingRequest request;
  if (is_table_file(output) && file.format() != BasketFormat::long_table)
    return make_error(ErrorCode::usage, "only a long table can be written as Parquet, but {} is {}: write -o to text",
                      path, word_of(kBasketFormatWords, file.format()));
  GAUZE_TRY(request.options, options_of(invocation, file, output));
  request.order = invocation.has("shuffle") ? RowOrder::shuffled : RowOrder::kept;
  request.even_below_level = invocation.has("force");
  if (request.options.mark_style == MarkStyle::anonymous && is_table_file(output))
    return make_error(ErrorCode::usage, "in a table of this kind a lone ? means a missing cell: write -o to a .csv");
  GAUZE_TRY(const SensitiveList sensitive, read_sensitive(invocation, database));
  const double read = cpu_seconds();
  GAUZE_TRY(HiddenBaskets hidden, hide_in_file(file, sensitive, request, invocation.progress()));
  invocation.warn_all(hidden.result.warnings);
  if (!is_table_file(output) && !hidden.reads_back_by_itself)
    invocation.warn({"format_not_shown", fmt::format("the release does not show how it is written: read it with {}",
                                                     how_to_read(file.reading()))});
  if (!hidden.release) return not_reached(hidden);
  if (!hidden.reached())
    invocation.warn(Warning::of_privacy(
        "level_not_reached",
        fmt::format("the level {} was not reached", word_of(kLevelWords, request.options.level))));
  GAUZE_TRY_VOID(publish_release(invocation, publication, output, file.reading(), *hidden.release));
  const double done = cpu_seconds();
  invocation.end_progress();
  if (invocation.json()) {
    Json object = to_json(database, hidden);
    object.set("seconds", Json::object({{"read", read - started},
                                        {"hide", hidden.hiding_seconds},
                                        {"verify", done - read - hidden.hiding_seconds}}));
    object.set("label", hidden.release->label.to_json());
    invocation.print_json(object);
  } else {
    print_result(invocation, hidden);
    if (request.options.trace) invocation.out().print("{}\n", trace_json(database, hidden.result).dump());
    invocation.note(wrote_with_label(output));
  }
  return hidden.reached() ? 0 : exit_status(ErrorCode::infeasible);
}

Result<int> run_restore(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const std::string marks_path, invocation.text("marks"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  constexpr std::size_t kMostBytes = std::size_t{1} << 33U;
  GAUZE_TRY(std::string packed, invocation.read_input(path, kMostBytes));
  GAUZE_TRY(const std::string released, unpacked_bytes(std::move(packed), path, kMostBytes));
  GAUZE_TRY(const std::string marks, invocation.read_input(marks_path, kMostBytes / 2));
  GAUZE_TRY(const BasketReading reading, basket_reading(invocation));
  GAUZE_TRY(const std::string original, restore(released, marks, reading));
  GAUZE_TRY(const std::string written, packed_as_named(original, output));
  GAUZE_TRY_VOID(write_for_owner(invocation, [&](const publish::ByteSink& sink) { return sink(written); }));
  if (invocation.json()) invocation.print_json(Json::object({{"file", output}, {"bytes", original.size()}}));
  if (output != "-") invocation.note(fmt::format("wrote {}: the original, byte for byte", output));
  return 0;
}

}  // namespace

void register_patterns_hide_commands(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "algorithm",
       .placeholder = "NAME",
       .help = "who chooses what is changed",
       .default_text = "border",
       .choices = all_words(kAlgorithmWords)},
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
           "marks. H3: even if all marks stand for items; it needs deletion. A mark is a lone `?` that does not say which item it stands for, "
           "unless --mark-style anchored asks for `?item`. A rule (X => Y) is hidden by its support or, with "
           "--min-confidence, by how often it holds.\n\n"
           "border, the default, spares other frequent itemsets, one change after the other; exact proves the fewest losses, "
           "for small files; psh, gih, minfia, maxfia, iga, swa and fhsar are published algorithms; random is a baseline. Not differential "
           "privacy: nothing is promised about single transactions.\n\n"
           "Nothing is written when the level cannot be reached (exit 3). With --json: marks, marks_total, rows_touched, "
           "hiding_failure, misses_cost, artifactual, artifactual_ignoring_unknown, removed, added, dissimilarity, patterns, level, bands, "
           "warnings, decoys, trace, seconds, label. These figures are the owner's.",
       .examples =
           {{"gauze patterns hide baskets.dat --sensitive secret.txt --min-support 0.01 -o public.dat --marks key.csv",
             "at level H2, with the key to undo it"},
            {"gauze patterns hide baskets.dat --sensitive secret.txt --min-count 50 --algorithm psh --as-published -o public.dat",
             "the published algorithm"}},
       .positionals = {basket_positional()},
       .flags = std::move(flags),
       .run = run_hide});
  std::vector<Flag> restore_flags = {
      {.name = "marks", .placeholder = "FILE", .help = "what patterns hide wrote", .required = true, .is_file = true},
      {.name = "output",
       .short_name = 'o',
       .placeholder = "OUT",
       .help = "where it goes; - for the standard output",
       .required = true,
       .is_file = true,
       .makes = Makes::file,
       .or_stdout = true}};
  for (Flag& flag : basket_reading_flags()) restore_flags.push_back(std::move(flag));
  registry.add(
      {.name = "patterns restore",
       .group = "Patterns",
       .summary = "Give the original back from a release and its marks",
       .description =
           "Undoes what `patterns hide --marks` recorded, byte for byte. Marks of another file and a wrong --format are refused.",
       .examples = {{"gauze patterns restore public.dat --marks key.csv -o original.dat", "with the owner's key"}},
       .positionals = {basket_positional()},
       .flags = std::move(restore_flags),
       .run = run_restore});
}

}  // namespace gauze::cli
