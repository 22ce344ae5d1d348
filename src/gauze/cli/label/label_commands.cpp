#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/label/found_label.h"
#include "gauze/cli/ledger/ledger_output.h"
#include "gauze/label/label_file.h"

namespace gauze::cli {
namespace {

Result<FoundLabel> find_label(const Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  return find_label(invocation, path);
}

Result<int> run_label_show(Invocation& invocation) {
  GAUZE_TRY(const FoundLabel found, find_label(invocation));
  if (invocation.json()) {
    invocation.print_json(Json::object({{"label", found.label.to_json()}}));
  } else {
    invocation.out().write(found.label.to_text(invocation.columns()));
  }
  return 0;
}

Result<FoundLabel> find_and_check(const Invocation& invocation) {
  GAUZE_TRY(FoundLabel found, find_label(invocation));
  if (!found.file_path.empty()) {
    GAUZE_TRY_VOID(check_against_file(found.label, found.file_path));
  } else if (!found.label.released.sha256.empty()) {
    return make_error(ErrorCode::bad_data,
                      "the label belongs to the file '{0}'; put both side by side, named '{0}' and '{0}.label.json'",
                      found.label.released.file);
  }
  return found;
}

/// A charge, and whether its release is known to have taken place.
struct FoundCharge {
  Entry entry;
  bool committed = false;
};

/// With --ledger: the charge that the label names, as it states it.
Result<std::optional<FoundCharge>> find_charge(Invocation& invocation, const PrivacyLabel& label) {
  std::optional<FoundCharge> charge;
  if (!invocation.has("ledger")) return charge;
  GAUZE_TRY(const Ledger ledger, open_ledger(invocation, true));
  const auto entry = ledger.entry_of(label);
  if (!entry) {
    if (entry.error().code == ErrorCode::bad_data) invocation.attach_to_error("in_ledger", false);
    return tl::unexpected<Error>(entry.error());
  }
  GAUZE_TRY(const bool committed, ledger.is_committed(entry->entry.number));
  charge = FoundCharge{entry->entry, committed};
  return charge;
}

void print_check(Invocation& invocation, const FoundLabel& found, const std::optional<FoundCharge>& charge) {
  if (!found.file_path.empty()) {
    invocation.out().print("{} fits its label.\n", found.file_path);
  } else {
    invocation.out().print(
        "The label in {} is intact. It travels inside the output, so that there is no file to "
        "compare with.\n",
        found.label_path);
  }
  if (!charge) return;
  const Entry& entry = charge->entry;
  invocation.out().print("It was charged {} to '{}' by entry {}, as it states.\n",
                         charge_text(entry.charge, entry.charged), entry.dataset, entry.number);
  if (!charge->committed)
    invocation.out().print(
        "That reservation was never committed: its release did not come to its end, or the label is not its own.\n");
}

Result<int> run_label_check(Invocation& invocation) {
  const auto found = find_and_check(invocation);
  if (!found) {
    if (found.error().code == ErrorCode::bad_data) invocation.attach_to_error("matches", false);
    return tl::unexpected<Error>(found.error());
  }
  GAUZE_TRY(const auto charge, find_charge(invocation, found->label));
  if (!invocation.json()) {
    print_check(invocation, *found, charge);
    return 0;
  }
  const bool has_file = !found->file_path.empty();
  Json result = Json::object({{"matches", true},
                              {"label_file", found->label_path},
                              {"file", has_file ? Json(found->file_path) : Json()},
                              {"sha256", has_file ? Json(found->label.released.sha256) : Json()}});
  for (const char* key : {"in_ledger", "entry", "committed"}) result.set(key, Json());
  if (charge) result.set("in_ledger", true).set("entry", charge->entry.number).set("committed", charge->committed);
  invocation.print_json(result);
  return 0;
}

Result<int> run_open(Invocation& invocation) {
  GAUZE_TRY(const FoundLabel found, find_label(invocation));
  GAUZE_TRY(const std::string input, invocation.text("input"));
  if (!found.label.commitments.input) {
    return make_error(ErrorCode::bad_data, "the label in '{}' commits to no input", found.label_path);
  }
  GAUZE_TRY(const Ledger ledger, open_ledger(invocation, true));
  GAUZE_TRY(const ChainedEntry charge, ledger.entry_of(found.label));
  GAUZE_TRY(const CommitmentKey key, ledger.commitment_key(charge.entry.number));
  Commitment commitment(key, "input");
  GAUZE_TRY_VOID(commitment.add_file(input));
  if (!commitment.verify(*found.label.commitments.input)) {
    invocation.attach_to_error("opens", false);
    return make_error(ErrorCode::bad_data, "'{}' is not the input that the label in '{}' commits to", input,
                      found.label_path);
  }
  const auto policy = invocation.optional_text("policy");
  if (policy) {
    if (!found.label.commitments.policy)
      return make_error(ErrorCode::bad_data, "the label in '{}' commits to no policy", found.label_path);
    Commitment of_policy(key, "policy");
    GAUZE_TRY_VOID(of_policy.add_file(*policy));
    if (!of_policy.verify(*found.label.commitments.policy)) {
      invocation.attach_to_error("opens", false);
      return make_error(ErrorCode::bad_data, "'{}' is not the policy that the label in '{}' commits to", *policy,
                        found.label_path);
    }
  }
  if (invocation.json()) {
    invocation.print_json(Json::object({{"opens", true},
                                        {"label_file", found.label_path},
                                        {"input", input},
                                        {"policy", policy ? Json(*policy) : Json()},
                                        {"entry", charge.entry.number}}));
  } else {
    invocation.out().print("{} is the input that the label in {} commits to.\n", input, found.label_path);
    if (policy) invocation.out().print("{} is the policy.\n", *policy);
  }
  return 0;
}

Positional file_positional() {
  return {.name = "file", .help = "a released file, its label, or a result printed with --json", .is_file = true};
}

}  // namespace

void register_label_commands(Registry& registry) {
  registry.add({.name = "label show",
                .group = "Labels",
                .summary = "Say in plain words what a release guarantees",
                .description =
                    "Prints the privacy label of a release: what was released, under which guarantee, what it "
                    "covers and what it does not, and what it cost. With --json: {\"label\":{...}}.",
                .examples = {{"gauze label show counts.csv", "the label in counts.csv.label.json, in words"},
                             {"gauze label show counts.csv.label.json --json", "the same for programs"}},
                .positionals = {file_positional()},
                .run = run_label_show});
  registry.add({.name = "label check",
                .group = "Labels",
                .summary = "Check that a file is the one its label was written for",
                .description =
                    "Compares the SHA-256 of the file with the one in its label, and the label with its own "
                    "digest. Exits 1 when either does not fit. It finds damage and mix-ups; it cannot find a "
                    "forger who rewrote both file and label.\n\n"
                    "With --ledger also whether the charge that the label names is in the ledger, with this dataset, "
                    "cost, privacy unit and neighbours.",
                .examples = {{"gauze label check counts.csv", "exit status 0 when it fits, 1 when it does not"},
                             {"gauze label check counts.csv --ledger clinic.ledger", "and whether it was paid for"}},
                .positionals = {file_positional()},
                .flags = {ledger_flag()},
                .run = run_label_check});
  registry.add(
      {.name = "label open",
       .group = "Labels",
       .summary = "Tell the owner whether a release was made of this input",
       .description =
           "A label commits to the bytes of its input under a key that the ledger keeps. With the ledger and the "
           "input their owner can show that the two belong together: exit 0, or 1 when the bytes are others. For "
           "anyone without the key the commitment tells nothing.",
       .examples = {{"gauze label open counts.csv --ledger clinic.ledger people.csv",
                     "whether counts.csv was made of people.csv"}},
       .positionals = {file_positional(), {.name = "input", .help = "the private input", .is_file = true}},
       .flags = {required_ledger(),
                 {.name = "policy",
                  .placeholder = "P",
                  .help = "see whether it was made under this policy, too",
                  .is_file = true}},
       .run = run_open});
}

}  // namespace gauze::cli
