#include "gauze/cli/flags/publishing.h"

#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/ledger/ledger_output.h"
#include "gauze/files/compression.h"
#include "gauze/publish/repeated_answer.h"

namespace gauze::cli {
namespace {

/// A request that was answered before: what was kept is given again, to where -o says.
Result<void> show_repeated(Invocation& invocation, const publish::RepeatedAnswer& repeated) {
  const auto output = invocation.optional_text("output");
  const bool to_file = output && *output != "-";
  std::optional<std::string> answer;
  if (to_file) {
    GAUZE_TRY_VOID(repeated.write_to(*output));
  } else {
    GAUZE_TRY(answer, repeated.text());
  }
  invocation.warn(repeated.warning());
  if (to_file) invocation.note(wrote_with_label(*output));
  if (invocation.json()) {
    GAUZE_TRY(const Json document, repeated.to_json(answer));
    invocation.print_json(document);
    return {};
  }
  if (to_file) return {};
  invocation.out().write(*answer);
  GAUZE_TRY(const std::optional<PrivacyLabel> label, repeated.label());
  if (label && !invocation.quiet()) invocation.err().write(label->to_text(invocation.columns()));
  return {};
}

Result<std::optional<publish::Account>> account_of(const Invocation& invocation, const std::string& purpose,
                                                   std::string_view document) {
  std::optional<publish::Account> account;
  if (invocation.command().find_flag("ledger") == nullptr) return account;
  if (invocation.has("ledger") != invocation.has("dataset"))
    return make_error(ErrorCode::usage, "--ledger and --dataset go together");
  if (!invocation.has("ledger")) {
    for (const char* flag : {"analyst", "purpose", "request", "unit"})
      if (invocation.command().find_flag(flag) != nullptr && invocation.has(flag))
        return make_error(ErrorCode::usage, "--{} goes with --ledger", flag);
    return account;
  }
  account.emplace();
  GAUZE_TRY(account->ledger, invocation.text("ledger"));
  GAUZE_TRY(account->dataset, invocation.text("dataset"));
  account->analyst = invocation.optional_text("analyst").value_or("owner");
  account->purpose = invocation.optional_text("purpose").value_or(purpose);
  if (const auto id = invocation.optional_text("request")) {
    account->request = {.id = *id,
                        .digest = publish::request_digest(invocation.command().name, public_parameters(invocation),
                                                          account->analyst, document)};
  }
  return account;
}

}  // namespace

Json public_parameters(const Invocation& invocation) {
  Json parameters = Json::object();
  const auto add = [&](const std::string& name) {
    const std::vector<std::string> values = invocation.texts(name);
    if (invocation.has(name)) parameters.set(name, Json::array({values.begin(), values.end()}));
  };
  for (const Positional& positional : invocation.command().positionals)
    if (!positional.is_file) add(positional.name);
  for (const Flag& flag : invocation.command().flags) {
    const bool who =
        flag.name == "analyst" || flag.name == "dataset" || flag.name == "request" || flag.name == "purpose";
    if (!flag.is_file && flag.makes == Makes::nothing && !flag.carries_data && !who) add(flag.name);
  }
  return parameters;
}

std::vector<Flag> account_flags() {
  return {ledger_flag(),
          {.name = "dataset", .placeholder = "NAME", .help = "the dataset's name in the ledger"},
          analyst_flag(),
          {.name = "purpose", .placeholder = "TEXT", .help = "what it is for; stands in the ledger"},
          {.name = "request",
           .placeholder = "ID",
           .help = "a name of your own for this request: asked again, it is neither charged nor drawn again"}};
}

Flag unit_flag() {
  return {.name = "unit",
          .placeholder = "TEXT",
          .help = "whom the sensitivity is about, which must be the dataset's unit; default: the dataset's"};
}

Result<publish::Publication> begin_publication(Invocation& invocation, bool seeded, const std::string& purpose,
                                               std::string_view document) {
  GAUZE_TRY(std::optional<publish::Account> account, account_of(invocation, purpose, document));
  if (seeded)
    invocation.warn(
        Warning::of_privacy("seeded", "the draws are seeded: there is no guarantee, and the label says so"));
  std::vector<std::string> outputs;
  for (const char* flag : {"output", "checkpoint"}) {
    if (invocation.command().find_flag(flag) == nullptr) continue;
    if (const auto output = invocation.optional_text(flag)) outputs.push_back(*output);
  }
  return publish::Publication::begin(
      {.account = std::move(account), .seeded = seeded, .outputs = std::move(outputs)});
}

Result<bool> reserve(Invocation& invocation, publish::Publication& publication, const PrivacyCost& cost,
                     std::uint64_t planned_steps) {
  GAUZE_TRY_VOID(invocation.progress().check());  // nobody is charged who has asked to stop
  invocation.tell_remarks(false);                 // what should be known before the charge
  static_cast<void>(invocation.err().flush());
  if (const auto granted = publication.reserve(cost, planned_steps); !granted) {
    if (const auto repeated = publish::RepeatedAnswer::of(granted.error())) {
      GAUZE_TRY_VOID(show_repeated(invocation, *repeated));
      return false;
    }
    explain(invocation, granted.error());
    return tl::unexpected<Error>(granted.error());
  }
  invocation.set_aftermath(publication.aftermath());
  return true;
}

Result<void> finish(Invocation& invocation, publish::Publication& publication, PrivacyLabel& label,
                    std::span<publish::LabelledOutput> outputs) {
  auto finished = publication.finish(label, outputs);
  invocation.set_aftermath(publication.aftermath());
  return finished;
}

Result<void> check_plain_output(const Invocation& invocation) {
  const auto output = invocation.optional_text("output");
  if (!output || compression_of_name(*output) == Compression::none) return {};
  return invalid_parameter("the output is plain text, which '{}' does not say: leave the ending away", *output);
}

Result<publish::LabelledOutput> open_output(Invocation& invocation, const std::string& target) {
  // Not kept back: a release is recorded when its last byte is out.
  return publish::LabelledOutput::create(target, [&out = invocation.out()](std::string_view bytes) {
    out.write(bytes);
    return out.flush();
  });
}

Result<int> deliver(Invocation& invocation, publish::Publication& publication, const std::string& plain, Json object,
                    PrivacyLabel label) {
  const auto output = invocation.optional_text("output");
  const bool to_file = output && *output != "-";
  std::vector<publish::LabelledOutput> files;
  if (to_file) {
    GAUZE_TRY(publish::LabelledOutput file, open_output(invocation, *output));
    GAUZE_TRY_VOID(file.write(plain));
    files.push_back(std::move(file));
  }
  if (!to_file) publication.keep_answer(plain);
  GAUZE_TRY_VOID(finish(invocation, publication, label, files));
  if (to_file) invocation.note(wrote_with_label(*output));
  if (invocation.json()) {
    if (invocation.command().find_flag("ledger") != nullptr) object.set("ledger", publication.to_json());
    object.set("label", label.to_json());
    invocation.print_json(object);
  } else if (!to_file) {
    invocation.out().write(plain);
    if (!invocation.quiet()) invocation.err().write(label.to_text(invocation.columns()));
  }
  return 0;
}

Result<void> publish_bytes(Invocation& invocation, const std::string& output, std::string_view bytes,
                           PrivacyLabel& label) {
  GAUZE_TRY(publish::Publication publication, publish::Publication::begin({}));
  GAUZE_TRY(publish::LabelledOutput file, open_output(invocation, output));
  GAUZE_TRY_VOID(file.write(bytes));
  return finish(invocation, publication, label, {&file, 1});
}

}  // namespace gauze::cli
