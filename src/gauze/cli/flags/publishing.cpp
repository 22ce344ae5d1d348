#include "gauze/cli/flags/publishing.h"

#include <cstdio>
#include <filesystem>

#include "gauze/base/utf8.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/ledger/ledger_output.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/compression.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/label/label_file.h"

namespace gauze::cli {
namespace {

Result<void> write_standard_output(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
    return make_error(ErrorCode::io, "cannot write to the standard output");
  return {};
}

/// What was asked for, without what is private and without places of files.
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

/// The label of an output that is in its place, if it is not there.
Result<void> write_label_again(const std::string& output, const Outcome& outcome) {
  GAUZE_TRY(PrivacyLabel label, PrivacyLabel::parse(outcome.label));
  label.released.file = std::filesystem::path(output).filename().string();
  const std::string path = label_path_for(output);
  if (const auto there = read_label_file(path); there && there->released.sha256 == label.released.sha256) return {};
  return write_file(path, label.to_json().dump(2) + "\n");
}

/// Puts what the ledger kept of a request into its place once more, or sees that it is there.
Result<void> write_again(const std::string& output, const Outcome& outcome) {
  const auto lost = [&](std::string_view why) {
    return make_error(ErrorCode::io,
                      "this request was answered before, and its output {}: nothing is charged or drawn{}", why,
                      outcome.output_sha256.empty() ? "" : "; its SHA-256 is " + outcome.output_sha256);
  };
  if (!outcome.answer || outcome.label.empty()) {
    const auto digest = sha256_of_file(output);
    if (!digest || *digest != outcome.output_sha256)
      return lost(fmt::format("is not in '{}', nor did the ledger keep it", output));
    return outcome.label.empty() ? Result<void>() : write_label_again(output, outcome);
  }
  GAUZE_TRY(PrivacyLabel label, PrivacyLabel::parse(outcome.label));
  const auto is_parquet = [](const std::string& name) { return name.ends_with(".parquet"); };
  const std::string& before = label.released.file;
  // What went to no file was plain text.
  if (is_parquet(before) != is_parquet(output) || compression_of_name(before) != compression_of_name(output))
    return lost(
        fmt::format("was written as '{}', in another format than '{}'", before.empty() ? "-" : before, output));
  GAUZE_TRY(publish::LabelledOutput file, open_output(output));
  GAUZE_TRY_VOID(file.write(*outcome.answer));
  return file.commit(label);
}

/// A request that was answered before: nothing is charged, nothing is drawn. What was kept is given again.
Result<void> show_repeated(Invocation& invocation, const RequestRecord& record) {
  const Outcome& outcome = record.outcome;
  const auto output = invocation.optional_text("output");
  const bool to_file = output && *output != "-";
  if (to_file) {
    GAUZE_TRY_VOID(write_again(*output, outcome));
  } else if (!outcome.answer || find_invalid_utf8(*outcome.answer)) {
    return make_error(ErrorCode::io,
                      "this request was answered before (entry {}), and {}: nothing is charged or drawn",
                      record.entry,
                      outcome.answer ? "its output is no text: say -o with the name of a file"
                                     : "the ledger did not keep its answer");
  }
  invocation.warn(Warning::of_privacy(
      "repeated_request",
      fmt::format(
          "this request was answered before (entry {}): nothing is charged or drawn, this is the same answer{}",
          record.entry,
          outcome.output_sha256.empty() ? "" : "; its output has the SHA-256 " + outcome.output_sha256)));
  if (to_file) invocation.note(wrote_with_label(*output));
  if (invocation.json()) {
    Json label;  // a request that was committed by hand has none
    if (!outcome.label.empty()) {
      GAUZE_TRY(label, read_json(outcome.label));
    }
    invocation.print_json(
        Json::object({{"repeated", true},
                      {"entry", record.entry},
                      {"output_sha256", outcome.output_sha256.empty() ? Json() : Json(outcome.output_sha256)},
                      {"answer", to_file ? Json() : Json(*outcome.answer)},
                      {"label", std::move(label)}}));
    return {};
  }
  if (to_file) return {};
  invocation.out().write(*outcome.answer);
  if (outcome.label.empty() || invocation.quiet()) return {};
  GAUZE_TRY(const PrivacyLabel label, PrivacyLabel::parse(outcome.label));
  invocation.err().write(label.to_text(invocation.columns()));
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
  if (const auto output = invocation.optional_text("output")) outputs.push_back(*output);
  return publish::Publication::begin(
      {.account = std::move(account), .seeded = seeded, .outputs = std::move(outputs)});
}

Result<bool> reserve(Invocation& invocation, publish::Publication& publication, const PrivacyCost& cost) {
  GAUZE_TRY_VOID(invocation.progress().check());  // nobody is charged who has asked to stop
  invocation.tell_remarks(false);                 // what should be known before the charge
  static_cast<void>(invocation.err().flush());
  if (const auto granted = publication.reserve(cost); !granted) {
    if (granted.error().request && granted.error().request->is_committed()) {
      GAUZE_TRY_VOID(show_repeated(invocation, *granted.error().request));
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

Result<publish::LabelledOutput> open_output(const std::string& target) {
  return publish::LabelledOutput::create(target, write_standard_output);
}

Result<int> deliver(Invocation& invocation, publish::Publication& publication, const std::string& plain, Json object,
                    PrivacyLabel label) {
  const auto output = invocation.optional_text("output");
  const bool to_file = output && *output != "-";
  std::vector<publish::LabelledOutput> files;
  if (to_file) {
    GAUZE_TRY(publish::LabelledOutput file, open_output(*output));
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
  GAUZE_TRY(publish::LabelledOutput file, open_output(output));
  GAUZE_TRY_VOID(file.write(bytes));
  return finish(invocation, publication, label, {&file, 1});
}

}  // namespace gauze::cli
