// ledger verify: the whole file, and whether labels fit it.
#include <algorithm>
#include <map>
#include <set>

#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/label/found_label.h"
#include "gauze/cli/ledger/ledger_output.h"

namespace gauze::cli {
namespace {

/// How the given labels and the charges of their datasets belong together.
struct LabelComparison {
  Json labels = Json::array();      ///< each with what does not fit
  Json unlabelled = Json::array();  ///< charges whose release took place, and no given label is theirs
  std::int64_t misfits = 0;
};

/// Which entry belongs to which label: one release, one label.
using LabelsByEntry = std::map<std::int64_t, std::set<std::string>>;

/// How many releases a charge has paid for: one, or as often as steps of its training were counted before one.
Result<std::size_t> releases_of(const Ledger& ledger, const Entry& charge) {
  if (charge.planned_steps == 0) return 1;
  GAUZE_TRY(const auto history, ledger.history({.dataset = charge.dataset}));
  const auto counted = std::count_if(history.begin(), history.end(), [&](const ChainedEntry& one) {
    return one.entry.kind == EntryKind::progress && one.entry.reservation == charge.number;
  });
  return static_cast<std::size_t>(counted);
}

Result<Json> compare_label(const Ledger& ledger, const FoundLabel& found, LabelsByEntry& seen) {
  Json json = Json::object({{"label", found.label_path},
                            {"dataset", found.label.budget.dataset},
                            {"entry", found.label.budget.entry},
                            {"committed", Json()},
                            {"fits", true},
                            {"problem", Json()}});
  const auto entry = ledger.entry_of(found.label);
  std::string problem;
  if (!entry) {
    if (entry.error().code != ErrorCode::bad_data) return tl::unexpected<Error>(entry.error());
    problem = entry.error().message;
  } else {
    GAUZE_TRY(const bool committed, ledger.is_committed(entry->entry.number));
    json.set("entry", entry->entry.number).set("committed", committed);
    // A release may be there twice, under two names: the same bytes. A training lets out checkpoints and a model, all of which
    // its reservation pays for.
    PrivacyLabel label = found.label;
    label.released.file.clear();
    const std::string text = label.to_json().dump();
    GAUZE_TRY(const std::size_t releases, releases_of(ledger, entry->entry));
    auto& labels = seen[entry->entry.number];
    labels.insert(text);
    if (labels.size() > std::max<std::size_t>(releases, 1))
      problem = releases > 1 ? "more labels name the same entry than releases were counted: one of them was not"
                             : "another label names the same entry: one of the two was not charged";
  }
  if (!problem.empty()) json.set("fits", false).set("problem", problem);
  return json;
}

Result<LabelComparison> compare_labels(const Ledger& ledger, const std::vector<FoundLabel>& labels) {
  LabelComparison comparison;
  LabelsByEntry seen;
  std::set<std::string> datasets;
  for (const FoundLabel& found : labels) {
    GAUZE_TRY(Json json, compare_label(ledger, found, seen));
    if (!json.find("problem")->is_null()) ++comparison.misfits;
    comparison.labels.push(std::move(json));
    if (found.label.budget.recorded) datasets.insert(found.label.budget.dataset);
  }
  for (const std::string& dataset : datasets) {
    GAUZE_TRY(const auto charges, ledger.committed_charges(dataset));
    for (const auto& [entry, hash] : charges) {
      if (seen.contains(entry.number)) continue;
      comparison.unlabelled.push(Json::object({{"entry", entry.number},
                                               {"dataset", dataset},
                                               {"time", time_text(entry.time)},
                                               {"analyst", entry.analyst},
                                               {"purpose", entry.purpose},
                                               {"charge", entry.charge.to_json()},
                                               {"manual", entry.kind == EntryKind::spend}}));
    }
  }
  return comparison;
}

void print_comparison(Invocation& invocation, const LabelComparison& comparison) {
  for (const Json& label : *comparison.labels.elements()) {
    const Json* problem = label.find("problem");
    if (problem->is_null()) {
      const bool open = label.find("committed")->dump() == "false";
      invocation.out().print("{}: entry {} of '{}'{}\n", label.find("label")->text(), label.find("entry")->text(),
                             label.find("dataset")->text(), open ? ", which was never committed" : "");
    } else {
      invocation.out().print("{}: {}\n", label.find("label")->text(), problem->text());
    }
  }
  for (const Json& one : *comparison.unlabelled.elements()) {
    const std::string_view purpose = one.find("purpose")->text();
    invocation.out().print("without a label: entry {} of '{}', {}, {}{}{}\n", one.find("entry")->text(),
                           one.find("dataset")->text(), one.find("analyst")->text(),
                           figures_text(*one.find("charge")), purpose.empty() ? "" : fmt::format(", {}", purpose),
                           one.find("manual")->dump() == "true" ? " (charged by hand with 'ledger spend')" : "");
  }
}

Result<int> show(Invocation& invocation, const LedgerVerification& found, bool with_head,
                 const std::optional<LabelComparison>& comparison) {
  if (invocation.json()) {
    Json json = found.to_json(with_head);
    if (comparison) json.set("labels", comparison->labels).set("unlabelled", comparison->unlabelled);
    invocation.print_json(json);
    return 0;
  }
  invocation.out().print("{} on {} fit together; every balance is what the entries add up to.\n",
                         counted(static_cast<std::uint64_t>(found.entries), "entry", "entries"),
                         counted(static_cast<std::uint64_t>(found.datasets), "dataset"));
  if (with_head) {
    invocation.out().print("The head kept elsewhere is that of entry {}; {} came after it.\n", *found.head_entry,
                           found.entries - *found.head_entry);
  }
  if (comparison) print_comparison(invocation, *comparison);
  invocation.out().print("head {}\n", found.head);
  return 0;
}

Result<int> run_ledger_verify(Invocation& invocation) {
  const auto head = invocation.optional_text("head");
  std::vector<FoundLabel> labels;
  for (const std::string& path : invocation.texts("labels")) {
    GAUZE_TRY(FoundLabel found, find_label(invocation, path));
    labels.push_back(std::move(found));
  }
  GAUZE_TRY(const Ledger ledger, open_ledger(invocation, true));
  const auto found = ledger.verify(head, invocation.progress());
  invocation.end_progress();
  if (!found) {
    if (found.error().code == ErrorCode::bad_data) invocation.attach_to_error("verified", false);
    return tl::unexpected<Error>(found.error());
  }
  std::optional<LabelComparison> comparison;
  if (!labels.empty()) {
    GAUZE_TRY(comparison, compare_labels(ledger, labels));
  }
  if (!comparison || comparison->misfits == 0) return show(invocation, *found, head.has_value(), comparison);
  invocation.attach_to_error("verified", true);
  invocation.attach_to_error("labels", comparison->labels);
  invocation.attach_to_error("unlabelled", comparison->unlabelled);
  for (const Json& label : *comparison->labels.elements())
    if (const Json* problem = label.find("problem"); !problem->is_null())
      invocation.explain_error(fmt::format("{}: {}", label.find("label")->text(), problem->text()));
  return make_error(ErrorCode::bad_data, "{} of {} do not fit the ledger", comparison->misfits,
                    counted(labels.size(), "label"));
}

}  // namespace

void register_ledger_verify_command(Registry& registry) {
  registry.add(
      {.name = "ledger verify",
       .group = "Budget",
       .summary = "Check the whole ledger: chain, charges, balances, labels",
       .description =
           "Recomputes everything from the first entry on and finds any change, gap or reorder: exit 1. With a "
           "--head that was printed earlier and kept elsewhere it also finds a file that was rolled back or cut "
           "off.\n\n"
           "With --labels it compares labels with the ledger: each must name a charge with its dataset, cost, privacy "
           "unit and neighbours, else exit 1. Charges on these datasets whose release took place and that none of the "
           "labels belongs to are listed; those of 'ledger spend' are marked as charged by hand.",
       .examples = {{"gauze ledger verify --ledger clinic.ledger", "exit status 0 when all fits"},
                    {"gauze ledger verify --ledger clinic.ledger --labels published/*.label.json",
                     "whether everything that was published was paid for"}},
       .flags = {required_ledger(),
                 head_flag(),
                 {.name = "labels",
                  .placeholder = "FILE...",
                  .help = "labels, or outputs with their labels beside them",
                  .repeatable = true,
                  .takes_rest = true,
                  .is_file = true}},
       .run = run_ledger_verify});
}

}  // namespace gauze::cli
