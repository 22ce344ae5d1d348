#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/label/found_label.h"
#include "gauze/cli/ledger/ledger_output.h"
#include "gauze/files/find_files.h"
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

/// Whether bytes are those of a commitment; else says so beside the error.
Result<void> check_opens(Invocation& invocation, Commitment& commitment, const std::string& committed,
                         const std::string& path, std::string_view what, const FoundLabel& found) {
  GAUZE_TRY(const std::vector<std::string> files, find_files(path));
  for (const std::string& file : files) GAUZE_TRY_VOID(commitment.add_file(file));
  if (commitment.verify(committed)) return {};
  invocation.attach_to_error("opens", false);
  return make_error(ErrorCode::bad_data, "'{}' is not the {} that the label in '{}' commits to", path, what,
                    found.label_path);
}

/// The inputs that were given: one without a name, or each as NAME=FILE, as the label has them.
Result<std::vector<std::pair<std::string, std::string>>> named_inputs(const Invocation& invocation,
                                                                      const FoundLabel& found) {
  const auto& commitments = found.label.commitments;
  const std::vector<std::string> given = invocation.texts("input");
  std::vector<std::pair<std::string, std::string>> inputs;
  if (commitments.inputs.empty()) {
    if (!commitments.input)
      return make_error(ErrorCode::bad_data, "the label in '{}' commits to no input", found.label_path);
    if (given.size() != 1)
      return make_error(ErrorCode::usage, "the label in '{}' commits to one input", found.label_path);
    inputs.emplace_back("", given.front());
    return inputs;
  }
  std::vector<std::string> names;
  for (const auto& [name, commitment] : commitments.inputs) names.push_back(name);
  for (const std::string& one : given) {
    const std::size_t sign = one.find('=');
    const std::string name = one.substr(0, sign);
    if (sign == std::string::npos || !commitments.inputs.contains(name))
      return make_error(ErrorCode::usage,
                        "'{}' names none of the inputs that the label in '{}' commits to: give NAME=FILE for {}", one,
                        found.label_path, enumerated(names));
    inputs.emplace_back(name, one.substr(sign + 1));
  }
  return inputs;
}

Result<int> run_open(Invocation& invocation) {
  GAUZE_TRY(const FoundLabel found, find_label(invocation));
  GAUZE_TRY(const auto inputs, named_inputs(invocation, found));
  const auto& commitments = found.label.commitments;
  GAUZE_TRY(const Ledger ledger, open_ledger(invocation, true));
  GAUZE_TRY(const ChainedEntry charge, ledger.entry_of(found.label));
  GAUZE_TRY(const CommitmentKey key, ledger.commitment_key(charge.entry.number));
  Json opened = Json::object();
  for (const auto& [name, path] : inputs) {
    Commitment commitment(key, name.empty() ? "input" : "input " + name);
    GAUZE_TRY_VOID(check_opens(invocation, commitment,
                               name.empty() ? *commitments.input : commitments.inputs.at(name), path,
                               name.empty() ? "input" : fmt::format("input '{}'", name), found));
    if (!name.empty()) opened.set(name, path);
  }
  const auto policy = invocation.optional_text("policy");
  if (policy) {
    if (!commitments.policy)
      return make_error(ErrorCode::bad_data, "the label in '{}' commits to no policy", found.label_path);
    Commitment of_policy(key, "policy");
    GAUZE_TRY_VOID(check_opens(invocation, of_policy, *commitments.policy, *policy, "policy", found));
  }
  if (invocation.json()) {
    const bool is_one = commitments.inputs.empty();
    invocation.print_json(Json::object({{"opens", true},
                                        {"label_file", found.label_path},
                                        {"input", is_one ? Json(inputs.front().second) : Json()},
                                        {"inputs", is_one ? Json() : std::move(opened)},
                                        {"policy", policy ? Json(*policy) : Json()},
                                        {"entry", charge.entry.number}}));
  } else {
    for (const auto& [name, path] : inputs)
      invocation.out().print("{} is the input{} that the label in {} commits to.\n", path,
                             name.empty() ? "" : fmt::format(" '{}'", name), found.label_path);
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
           "anyone without the key the commitment tells nothing. The schema of an answer to SQL counts as its policy.",
       .examples = {{"gauze label open counts.csv --ledger clinic.ledger people.csv",
                     "whether counts.csv was made of people.csv"},
                    {"gauze label open segments.csv --ledger shop.gledger orders=orders.csv customers=customers.csv",
                     "of an answer to SQL with --commit-inputs, table by table"}},
       .positionals =
           {file_positional(),
            {.name = "input",
             .help = "the private input; of several, each as NAME=FILE (a pattern stands for all files it matches)",
             .repeatable = true,
             .is_file = true}},
       .flags = {required_ledger(),
                 {.name = "policy",
                  .placeholder = "P",
                  .help = "see whether it was made under this policy, too",
                  .is_file = true}},
       .run = run_open});
}

}  // namespace gauze::cli
