// collect send.
#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/collect/send/sender.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/standard_input.h"

namespace gauze::cli {
namespace {

std::string outcome_text(const collect::SendOutcome& outcome) {
  std::string text =
      fmt::format("{} accepted, {} known already", counted(outcome.accepted, "report"), outcome.duplicates);
  for (const auto& [reason, count] : outcome.rejected) text += fmt::format(", {} rejected: {}", count, reason);
  return text + fmt::format("; {}", counted(outcome.batches, "batch", "batches"));
}

Result<collect::SendOptions> options_of(const Invocation& invocation) {
  collect::SendOptions options;
  GAUZE_TRY(options.url, invocation.text("to"));
  while (options.url.ends_with('/')) options.url.pop_back();
  options.ca = invocation.optional_text("ca").value_or("");
  GAUZE_TRY(options.device_folder, invocation.text("device"));
  if (const auto file = invocation.optional_text("enrol")) {
    GAUZE_TRY(std::string token, read_file(*file, 1'024));
    token.resize(token.find_last_not_of(" \r\n") + 1);
    options.token = std::move(token);
  }
  GAUZE_TRY(const std::int64_t suite, invocation.integer("suite", 1, 3));
  options.suite = *collect::suite_of_number(static_cast<unsigned>(suite));
  return options;
}

Result<int> run_send(Invocation& invocation) {
  GAUZE_TRY(const collect::SendOptions options, options_of(invocation));
  GAUZE_TRY(collect::Sender sender, collect::Sender::make(options));
  for (const std::string& path : invocation.texts("reports")) {
    GAUZE_TRY(const auto source, open_input(path, nullptr));
    GAUZE_TRY_VOID(sender.enqueue(*source));
  }
  invocation.set_aftermath("what was not sent stays in the queue of the device");
  GAUZE_TRY(const collect::SendOutcome outcome, sender.send(invocation.progress()));
  invocation.end_progress();
  if (outcome.given_up) return tl::unexpected<Error>(*outcome.given_up);
  invocation.set_aftermath({});
  if (invocation.json())
    invocation.print_json(outcome.to_json());
  else
    invocation.out().print("{}\n", outcome_text(outcome));
  if (outcome.rejected.contains("contribution_limit"))
    invocation.note(
        "a block holds the reports of one device, and the task takes only so many of a device and period");
  return outcome.is_all_taken() ? 0 : 1;
}

}  // namespace

void register_collect_send_command(Registry& registry) {
  registry.add(
      {.name = "collect send",
       .group = "Collect from devices",
       .summary = "Send reports to a curator, sealed",
       .description =
           "Blocks of reports, as `collect encode` writes them, are put into the device's queue on the disk, sealed a batch at a time to the curator's "
           "present key, and sent over TLS; while nobody answers they are tried again with growing pauses for a minute. A kill loses nothing, and "
           "what is sent twice is counted once: a block keeps its id. Whoever has no credential yet enrols with a token (--enrol).\n\n"
           "Exit 0 when everything was accepted or known already; 1 when something was rejected (by reason), when nobody answered (the queue "
           "stays: send again, also without files), and at once for a certificate that does not verify; 4 when the curator does not admit the "
           "device. With --json: accepted, duplicates, rejected, batches.",
       .examples =
           {{"gauze collect send report.bin --to https://127.0.0.1:8443 --ca curator/ca.pem --device phone --enrol curator/tokens/enrolment",
             "enrol and send"}},
       .positionals = {{.name = "reports",
                        .help = "blocks of reports; - for the standard input",
                        .optional = true,
                        .repeatable = true,
                        .is_file = true}},
       .flags = {{.name = "to", .placeholder = "URL", .help = "the curator's address for devices", .required = true},
                 {.name = "ca",
                  .placeholder = "FILE",
                  .help = "certificates to trust (default: the system's)",
                  .is_file = true},
                 {.name = "device",
                  .placeholder = "DIR",
                  .help = "the device's folder: credential, queue, what was sent",
                  .required = true,
                  .is_file = true},
                 {.name = "enrol",
                  .placeholder = "FILE",
                  .help = "a token to enrol with, if that was not done yet",
                  .is_file = true},
                 {.name = "suite",
                  .placeholder = "S",
                  .help = "how batches are sealed: 1 P-256, 2 X25519, 3 SM2 with SM4 and SM3",
                  .default_text = "1"}},
       .run = run_send});
}

}  // namespace gauze::cli
