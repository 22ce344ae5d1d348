#include "gauze/cli/flags/publishing.h"

#include <cstdio>

#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/ledger/ledger_output.h"

namespace gauze::cli {
namespace {

Result<void> write_standard_output(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
    return make_error(ErrorCode::io, "cannot write to the standard output");
  return {};
}

Result<std::optional<publish::Account>> account_of(const Invocation& invocation, const std::string& purpose) {
  std::optional<publish::Account> account;
  if (invocation.command().find_flag("ledger") == nullptr) return account;
  if (invocation.has("ledger") != invocation.has("dataset"))
    return make_error(ErrorCode::usage, "--ledger and --dataset go together");
  if (!invocation.has("ledger")) {
    for (const char* flag : {"analyst", "purpose", "unit"})
      if (invocation.command().find_flag(flag) != nullptr && invocation.has(flag))
        return make_error(ErrorCode::usage, "--{} goes with --ledger", flag);
    return account;
  }
  account.emplace();
  GAUZE_TRY(account->ledger, invocation.text("ledger"));
  GAUZE_TRY(account->dataset, invocation.text("dataset"));
  account->analyst = invocation.optional_text("analyst").value_or("owner");
  account->purpose = invocation.optional_text("purpose").value_or(purpose);
  return account;
}

}  // namespace

std::vector<Flag> account_flags() {
  return {ledger_flag(),
          {.name = "dataset", .placeholder = "NAME", .help = "the dataset's name in the ledger"},
          analyst_flag(),
          {.name = "purpose", .placeholder = "TEXT", .help = "what it is for; stands in the ledger"}};
}

Flag unit_flag() {
  return {.name = "unit",
          .placeholder = "TEXT",
          .help = "whom the sensitivity is about, which must be the dataset's unit; default: the dataset's"};
}

Result<publish::Publication> begin_publication(const Invocation& invocation, bool seeded,
                                               const std::string& purpose) {
  GAUZE_TRY(std::optional<publish::Account> account, account_of(invocation, purpose));
  return publish::Publication::begin({.account = std::move(account), .seeded = seeded});
}

Result<void> reserve(Invocation& invocation, publish::Publication& publication, const PrivacyCost& cost) {
  GAUZE_TRY_VOID(invocation.progress().check());  // nobody is charged who has asked to stop
  if (const auto granted = publication.reserve(cost); !granted) {
    explain(invocation, granted.error());
    return tl::unexpected<Error>(granted.error());
  }
  invocation.set_aftermath(publication.aftermath());
  return {};
}

Result<void> finish(Invocation& invocation, publish::Publication& publication, PrivacyLabel& label,
                    std::span<publish::LabelledOutput> outputs) {
  GAUZE_TRY_VOID(publication.finish(label, outputs));
  invocation.set_aftermath(publication.aftermath());
  return {};
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
