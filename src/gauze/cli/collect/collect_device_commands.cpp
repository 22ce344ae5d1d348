// collect device init, collect device show, collect consent.
#include "gauze/cli/collect/collect_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/collect/device/device_folder.h"
#include "gauze/collect/send/sender.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze::cli {
namespace {

using collect::DeviceFolder;

Result<int> run_device_init(Invocation& invocation) {
  GAUZE_TRY(const std::string folder, invocation.text("folder"));
  DeviceFolder::Limits limits;
  GAUZE_TRY(const std::string window, invocation.text("window"));
  const auto seconds = parse_window(window);
  if (!seconds) return invalid_parameter("--window takes a duration such as 30d or 12h");
  limits.window_seconds = *seconds;
  GAUZE_TRY(const auto in_window, optional_nano(invocation, "epsilon-window"));
  GAUZE_TRY(const auto for_life, optional_nano(invocation, "epsilon-lifetime"));
  limits.window_nano = in_window.value_or(GAUZE_NO_LIMIT);
  limits.lifetime_nano = for_life.value_or(GAUZE_NO_LIMIT);
  GAUZE_TRY_VOID(DeviceFolder::make(folder, limits));
  if (!in_window && !for_life)
    invocation.warn(
        Warning::of_privacy("no_limits", "the device has no limits of its own: tasks may spend what they ask for"));
  GAUZE_TRY(const DeviceFolder device, DeviceFolder::open(folder));
  GAUZE_TRY(const std::uint64_t time, time_of(invocation));
  GAUZE_TRY(Json object, device.to_json(time));
  if (invocation.json()) invocation.print_json(std::move(object));
  invocation.note(fmt::format("made a device in {}", folder));
  return 0;
}

std::string limit_text(const Json* value) {
  return value == nullptr || value->is_null() ? "no limit" : std::string(value->text());
}

/// What the device has sent, by whose ids it can be deleted again.
Result<int> show_sent(Invocation& invocation, Json object, const std::vector<collect::SentBlock>& sent) {
  if (invocation.json()) {
    Json blocks = Json::array();
    for (const collect::SentBlock& block : sent) blocks.push(block.to_json());
    object.set("sent", std::move(blocks));
    invocation.print_json(std::move(object));
    return 0;
  }
  if (sent.empty()) return 0;
  TextTable table(true);
  table.add({"sent block", "reports", "period", "to"});
  for (const collect::SentBlock& block : sent)
    table.add({block.id, std::to_string(block.reports), std::to_string(block.period), block.url});
  invocation.out().print("\n{}", table.text(invocation.out_style()));
  return 0;
}

Result<int> run_device_show(Invocation& invocation) {
  GAUZE_TRY(const std::string folder, invocation.text("folder"));
  GAUZE_TRY(const std::uint64_t time, time_of(invocation));
  GAUZE_TRY(const std::vector<collect::SentBlock> sent, collect::sent_blocks(folder));
  // What only sends, such as reports of a table, has no ledger of its own.
  if (!sent.empty() && !DeviceFolder::is_there(folder)) return show_sent(invocation, Json::object(), sent);
  GAUZE_TRY(const DeviceFolder device, DeviceFolder::open(folder));
  GAUZE_TRY(Json object, device.to_json(time));
  if (invocation.json()) return show_sent(invocation, std::move(object), sent);
  const Json& ledger = *object.find("ledger");
  for (const char* name : {"window", "lifetime"}) {
    const Json& part = *ledger.find(name);
    invocation.out().print("{} spent {}, left {}\n", invocation.out_style().bold(fmt::format("{:<9}", name)),
                           part.find("spent")->text(), limit_text(part.find("left")));
  }
  invocation.out().print("{} {}\n", invocation.out_style().bold("reports  "), object.find("reports")->text());
  for (const Json& task : *object.find("consents")->elements())
    invocation.out().print("{} {}\n", invocation.out_style().bold("consent  "), task.text());
  return show_sent(invocation, std::move(object), sent);
}

Result<int> run_device_delete(Invocation& invocation) {
  GAUZE_TRY(const std::string folder, invocation.text("folder"));
  GAUZE_TRY(const std::string id, invocation.text("block"));
  GAUZE_TRY_VOID(collect::delete_sent_block(folder, id, invocation.optional_text("ca").value_or("")));
  if (invocation.json())
    invocation.print_json(Json::object({{"deleted", id}}));
  else
    invocation.out().print("The curator no longer has the block {}, if it still had it.\n", id);
  return 0;
}

Result<int> run_consent(Invocation& invocation) {
  GAUZE_TRY(const std::string folder, invocation.text("folder"));
  if (invocation.has("grant") == invocation.has("withdraw"))
    return make_error(ErrorCode::usage, "give either --grant or --withdraw");
  GAUZE_TRY(const collect::AnyTask any, read_any_task(invocation));
  const collect::DeviceTask& task = collect::device_task(any);
  GAUZE_TRY(const std::string language, invocation.text("language"));
  GAUZE_TRY(const std::uint64_t time, time_of(invocation));
  GAUZE_TRY(DeviceFolder device, DeviceFolder::open(folder));
  bool changed = true;
  if (invocation.has("grant"))
    GAUZE_TRY_VOID(device.grant(task, language == "zh", time));
  else {
    GAUZE_TRY(changed, device.withdraw(task));
  }
  const bool granted = invocation.has("grant");
  if (invocation.json()) {
    invocation.print_json(Json::object({{"task", task.terms().name},
                                        {"hash", task.hash()},
                                        {"granted", granted},
                                        {"language", granted ? Json(language) : Json()},
                                        {"changed", changed}}));
  } else if (granted) {
    invocation.out().write(language == "zh" ? task.statement().zh : task.statement().en);
  }
  invocation.note(granted ? fmt::format("consent to '{}' is recorded", task.terms().name)
                          : fmt::format("consent to '{}' is withdrawn: nothing more is encoded", task.terms().name));
  return 0;
}

Positional folder_positional() { return {.name = "folder", .help = "the folder of the device", .is_file = true}; }

}  // namespace

void register_collect_device_commands(Registry& registry) {
  registry.add(
      {.name = "collect device init",
       .group = "Collect from devices",
       .summary = "Make a device in a folder: secret, ledger and consents",
       .description =
           "For tests and demonstrations. The limits are the app's own: a task can only ask for less. Windows are tumbling, in UTC. An "
           "existing device is not made anew (exit 2). With --json: ledger, limits, reports, consents.",
       .examples = {{"gauze collect device init phone --window 30d --epsilon-window 4 --epsilon-lifetime 20",
                     "with limits"}},
       .positionals = {folder_positional()},
       .flags = {{.name = "window", .placeholder = "T", .help = "how long a window is", .default_text = "30d"},
                 {.name = "epsilon-window",
                  .placeholder = "W",
                  .help = "the most epsilon in a window (default: no limit)"},
                 {.name = "epsilon-lifetime",
                  .placeholder = "L",
                  .help = "the most epsilon for life (default: no limit)"},
                 time_flag()},
       .run = run_device_init});
  registry.add(
      {.name = "collect device show",
       .group = "Collect from devices",
       .summary = "Show what a device has spent and agreed to",
       .description =
           "Also the blocks that were sent to curators, by whose ids they can be deleted there. With --json: ledger, limits, "
           "reports, consents, sent.",
       .examples = {{"gauze collect device show phone", "budget and consents"}},
       .positionals = {folder_positional()},
       .flags = {time_flag()},
       .run = run_device_show});
  registry.add(
      {.name = "collect device delete",
       .group = "Collect from devices",
       .summary = "Have a curator delete a block that the device sent",
       .description =
           "Only the device knows the ids of its blocks (`collect device show`). What is still stored is deleted and taken out of the "
           "curator's counts; without the id a report cannot be traced back to anybody. A deleted block stays counted for limits. "
           "With --json: deleted.",
       .examples = {{"gauze collect device delete phone 00112233445566778899aabbccddeeff --ca curator/ca.pem",
                     "one block"}},
       .positionals = {folder_positional(), {.name = "block", .help = "its id: 32 hexadecimal digits"}},
       .flags = {{.name = "ca",
                  .placeholder = "FILE",
                  .help = "certificates to trust (default: the system's)",
                  .is_file = true}},
       .run = run_device_delete});
  registry.add(
      {.name = "collect consent",
       .group = "Collect from devices",
       .summary = "Record or withdraw the consent of a device's user to a task",
       .description =
           "Consent is to one task as its text is now, in one language; another text asks again. It is a gate in the app, not a proof to "
           "anybody else. With --json: task, hash, granted, language, changed.",
       .examples = {{"gauze collect consent phone --task battery.json --grant",
                     "shows the text and records the consent"}},
       .positionals = {folder_positional()},
       .flags = {task_flag(),
                 {.name = "grant", .help = "the user agrees to the text"},
                 {.name = "withdraw", .help = "the user withdraws: nothing more is encoded"},
                 {.name = "language",
                  .placeholder = "LANG",
                  .help = "in which language the text was shown",
                  .default_text = "en",
                  .choices = {"en", "zh"}},
                 time_flag()},
       .run = run_consent});
}

}  // namespace gauze::cli
