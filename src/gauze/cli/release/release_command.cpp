#include <algorithm>

#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/release/release_flags.h"
#include "gauze/cli/tables/policy_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/files/sha256.h"
#include "gauze/publish/labelled_table.h"
#include "gauze/release/job/published_release.h"
#include "gauze/release/job/release_job.h"
#include "gauze/release/job/release_label.h"
#include "gauze/release/job/release_rows.h"
#include "gauze/release/job/source_release.h"
#include "gauze/schema/policy/criterion_text.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::cli {
namespace {

using release::Release;
using release::ReleasePlan;
using schema::Policy;
using schema::ReleaseKind;

void print_result(Invocation& invocation, const ReleasePlan& plan, const Release& release,
                  const publish::Publication& publication) {
  auto line = [&](std::string_view name, const std::string& text) {
    invocation.out().print("{} {}\n", invocation.out_style().bold(fmt::format("{:<10}", name)), text);
  };
  std::string guarantee = "epsilon " + plan.budget.epsilon.to_decimal_up();
  if (plan.budget.delta.sign() > 0) guarantee += ", delta " + plan.budget.delta.to_decimal_up();
  line("guarantee",
       fmt::format("{}; {}, neighbours {}", guarantee, plan.unit_name(), to_string(plan.release.neighbours)));
  std::string levels;
  for (std::size_t i = 0; i < plan.quasi.size(); ++i)
    levels += fmt::format("{}{} {}", i == 0 ? "" : ", ", plan.quasi[i], release.levels[i]);
  line("levels", levels);
  if (plan.is_stability())
    line("threshold", fmt::format("a class is named from a noisy count of {} on", release.cut));
  else
    line("domain", fmt::format("{}, kept from a noisy {} on; of empty ones about {:.3g} would be",
                               counted(release.domain->size(), "cell"),
                               release.cut + static_cast<std::int64_t>(plan.k) - 1, release.expected_phantom_cells));
  const auto classes = release.histogram.cells.size();
  if (plan.release.kind == ReleaseKind::records)
    line("released",
         fmt::format("{} of {}", counted(static_cast<std::uint64_t>(release::record_count(release)), "record"),
                     counted(classes, "combination")));
  else
    line("released",
         fmt::format("{}{}", counted(classes, "class", "classes"),
                     release.histogram.remainder > 0
                         ? fmt::format(", and {} in none of them",
                                       counted(static_cast<std::uint64_t>(release.histogram.remainder), "record"))
                         : ""));
  if (release.histogram.total) line("total", fmt::format("{}", *release.histogram.total));
  line("budget", publication.text() + (publication.is_charged() ? "" : " (--ledger FILE --dataset NAME)"));
}

/// A name that promises another format than what is written would be found out by the next program.
Result<void> check_output_name(const std::string& output) {
  for (const char* ending : {".jsonl", ".ndjson", ".json", ".pq"})
    if (output.ends_with(ending))
      return invalid_parameter(
          "a release is written as CSV, or as Parquet under a name that ends in .parquet: not as *{}", ending);
  return {};
}

Result<release::LabelledRelease> draw(Invocation& invocation, RandomChoice& random, table::DeclaredSource& source,
                                      const ReleasePlan& plan, const Policy& policy,
                                      publish::Publication& publication) {
  const ByteWitness witness = publication.witness_of_input();
  Progress& progress = invocation.progress();
  return random.draw(
      [&](SecureRandom& secure) { return release::release_source(secure, source, plan, policy, witness, progress); },
      [&](SeededRandom& seeded) {
        return release::simulate_source(seeded, source, plan, policy, witness, progress);
      });
}

/// UTF-8 instead of an encoding that lacks a letter of the public domain, or of the encoding that cells come in: nothing may
/// fail after the charge.
void fit_encoding(Invocation& invocation, const ReleasePlan& plan, const Policy& policy, table::TextForm& form) {
  const bool one_encoding = table::parse_encoding(policy.input.encoding.value_or("utf-8"), "") == form.encoding;
  const auto fits = [&](std::string_view text) { return table::encode(text, form.encoding).has_value(); };
  bool all_fit = std::all_of(plan.columns.begin(), plan.columns.end(), fits);
  for (const auto& domain : plan.domains) {
    all_fit = all_fit && (domain != nullptr || one_encoding);
    if (domain == nullptr) continue;
    for (int level = 0; level <= domain->height(); ++level)
      for (std::uint32_t code = 0; code < domain->size(level); ++code)
        all_fit = all_fit && fits(domain->text(level, code));
  }
  if (all_fit) return;
  invocation.warn({"output_encoding",
                   fmt::format("the policy's encoding {} may not have all letters of the output, which is UTF-8",
                               table::to_string(form.encoding))});
  form.encoding = table::Encoding::utf8;
}

/// What a request is asked under: the policy's bytes, and those of the hierarchies that it names.
Result<std::string> document_of(const Policy& policy) {
  std::string document = policy.text;
  for (const schema::PolicyColumn& column : policy.columns) {
    const auto* csv = column.hierarchy ? std::get_if<schema::CsvSpec>(&*column.hierarchy) : nullptr;
    if (csv == nullptr) continue;
    GAUZE_TRY(const std::string digest, sha256_of_file(csv->path));
    document += "\n" + digest;
  }
  return document;
}

Result<int> run_sound(Invocation& invocation, const std::string& file, const std::string& output,
                      const ReleasePolicy& read) {
  const Policy& policy = read.policy;
  GAUZE_TRY(const release::ReleaseTarget target, release_target(invocation));
  GAUZE_TRY(const ReleasePlan plan, ReleasePlan::make(policy, target));
  invocation.warn_all(plan.warnings);
  table::TextForm form = read.form;
  fit_encoding(invocation, plan, policy, form);
  GAUZE_TRY(const table::FileFormat format, table::format_of({.path = output, .format = {}, .form = form}));
  std::vector<std::string> names = plan.columns;
  if (plan.release.kind == ReleaseKind::counts) names.insert(names.end(), {"count", "low", "high"});
  GAUZE_TRY_VOID(table::check_names(format, names));
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(const std::string document, document_of(policy));
  GAUZE_TRY(publish::Publication publication,
            begin_publication(invocation, random.is_seeded(), "release " + output, document));
  GAUZE_TRY(const auto source, engines::open_declared_source(file, release::declared_columns(plan), policy.input));
  GAUZE_TRY(const bool granted, reserve(invocation, publication, plan.cost()));
  if (!granted) return 0;  // this request was answered before

  GAUZE_TRY(release::LabelledRelease made, draw(invocation, random, *source, plan, policy, publication));
  const Release& release = made.release;
  PrivacyLabel& label = made.label;
  publication.bind_policy(policy.text);
  const auto rows = release::rows_of(plan, release);
  GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, output));
  GAUZE_TRY_VOID(publish::write_rows(*rows, form, written, invocation.progress()));
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  invocation.end_progress();
  invocation.warn_all(made.warnings);
  if (invocation.json()) {
    Json object = release::to_json(plan, release);
    object.set("ledger", publication.to_json()).set("label", label.to_json());
    invocation.print_json(object);
  } else if (output != "-") {
    print_result(invocation, plan, release, publication);
    invocation.note(wrote_with_label(output));
  } else if (!invocation.quiet()) {
    invocation.err().write(label.to_text(invocation.columns()));
  }
  return 0;
}

Result<int> run_published(Invocation& invocation, const std::string& file, const std::string& output,
                          const ReleasePolicy& read) {
  const Policy& policy = read.policy;
  for (const char* flag : {"ledger", "dataset", "analyst", "purpose", "request", "delta", "mode", "kind"})
    if (invocation.has(flag))
      return make_error(
          ErrorCode::usage, "--as-published takes no --{}{}", flag,
          flag == std::string_view("ledger") ? ": it has no guarantee that a budget could be charged for" : "");
  GAUZE_TRY(const release::ReleaseTarget target, release_target(invocation));
  GAUZE_TRY(const Rational noise_scale, invocation.rational("noise-scale"));
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  // Before rows are read: a place that takes nothing is found now.
  GAUZE_TRY(publish::Publication publication, publish::Publication::begin({.outputs = {output}}));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, policy.input));
  const auto make = [&](RandomWords& words) {
    return release::publish_rows(words, *opened.source, policy,
                                 {.epsilon = target.epsilon, .noise_scale = noise_scale, .k = policy.privacy.k},
                                 invocation.progress());
  };
  GAUZE_TRY(const release::PublishedRows published, random.draw(make, make));
  if (published.outside > 0)
    invocation.warn(
        {"rows_left_out", fmt::format("{} rows have values that no hierarchy covers: left out", published.outside)});
  PrivacyLabel label = release::make_published_label(policy, target.epsilon, noise_scale);
  if (random.is_seeded())
    label.does_not_cover.emplace_back(
        "that the noise is unknown: it was drawn from a seed, which whoever knows it can repeat");
  const auto rows = release::rows_of(published);
  GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, output));
  GAUZE_TRY_VOID(publish::write_rows(*rows, read.form, written, invocation.progress()));
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  invocation.end_progress();
  invocation.warn(Warning::of_privacy("as_published",
                                      "as published: no DP guarantee for the release; `gauze label show` says why"));
  if (invocation.json()) {
    invocation.print_json(Json::object({{"mode", "as-published"},
                                        {"claimed_epsilon", Json::number(target.epsilon.to_decimal())},
                                        {"noise_scale", Json::number(noise_scale.to_decimal())},
                                        {"classes", published.classes},
                                        {"rows", published.rows()},
                                        {"label", label.to_json()}}));
  } else if (output != "-") {
    invocation.out().print("{} rows in {} classes\n", published.rows(), published.classes);
    invocation.note(wrote_with_label(output));
  } else if (!invocation.quiet()) {
    invocation.err().write(label.to_text(invocation.columns()));
  }
  return 0;
}

Result<int> run_release(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  GAUZE_TRY_VOID(check_output_name(output));
  GAUZE_TRY(const ReleasePolicy read, release_policy(invocation));
  if (invocation.has("decimal") && read.policy.input.decimal != read.form.decimal)
    return make_error(
        ErrorCode::usage,
        "--decimal would decide how the output is written: say `input: {{decimal: \",\"}}` in the policy");
  invocation.warn_all(read.policy.warnings);
  GAUZE_TRY_VOID(check_output_places(invocation, files_of(read.policy)));
  if (invocation.has("as-published")) return run_published(invocation, file, output, read);
  if (invocation.has("noise-scale")) return make_error(ErrorCode::usage, "--noise-scale goes with --as-published");
  return run_sound(invocation, file, output, read);
}

}  // namespace

void register_release_command(Registry& registry) {
  std::vector<Flag> flags = release_flags();
  flags.push_back({.name = "output",
                   .short_name = 'o',
                   .placeholder = "OUT",
                   .help = "write to OUT and its label to OUT.label.json, replacing what is there",
                   .required = true,
                   .is_file = true,
                   .makes = Makes::labelled_file,
                   .or_stdout = true});
  for (Flag& flag : account_flags()) flags.push_back(std::move(flag));
  flags.push_back(seed_flag());
  flags.push_back(insecure_seed_flag());
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "release",
       .group = "Releases",
       .summary = "Publish a table under differential privacy",
       .description =
           "Counts the records of every class that the policy's quasi-identifiers and levels make, adds exact noise, and "
           "writes the noisy counts with their intervals, or records drawn from them. A class with fewer than k records "
           "is treated as an empty one. Domains come from the policy, never from the data; a record with a value outside "
           "counts in the last row, `(other)`.\n\n"
           "grid: every cell of the declared domain, pure epsilon. stability: the classes that occur and are large "
           "enough to be named, with a delta. select: the levels are chosen too, within a share of epsilon.\n\n"
           "Before anything is charged only what does not depend on rows is looked at: the policy, that the file can be "
           "read, its format (by its name), the line of names. Then every row counts, whatever it holds. With --ledger "
           "the release is charged before rows are read, and refused (exit 3) when the budget does not allow it; whatever "
           "fails after that stays charged, and the message says so. --as-published runs the published method to the letter; its label says what does not hold.\n\n"
           "With --json: mode, kind, epsilon, delta, k, levels, classes, cells, cut and expected_phantom_cells, or threshold, "
           "total, other and other_interval or rows, ledger, label. Nothing in it compares with the raw data.",
       .examples =
           {{"gauze release people.csv --policy people.yaml --epsilon 1 -o counts.csv", "noisy counts"},
            {"gauze release people.csv --policy people.yaml --epsilon 1 --kind records -o people-dp.csv "
             "--ledger budget.ledger --dataset people",
             "records drawn from noisy counts, charged to a budget"},
            {"gauze release people.csv --policy people.yaml --mode stability --epsilon 1 --delta 1e-6 -o counts.csv",
             "when the domain is not known beforehand"}},
       .positionals = {table_positional()},
       .flags = std::move(flags),
       .run = run_release});
}

}  // namespace gauze::cli
