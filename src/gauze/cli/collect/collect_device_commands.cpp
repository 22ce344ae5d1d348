// collect device init, collect device show, collect consent.
#include "gauze/cli/collect/collect_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/collect/device/device_folder.h"
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

Result<int> run_device_show(Invocation& invocation) {
  GAUZE_TRY(const std::string folder, invocation.text("folder"));
  GAUZE_TRY(const std::uint64_t time, time_of(invocation));
  GAUZE_TRY(const DeviceFolder device, DeviceFolder::open(folder));
  GAUZE_TRY(Json object, device.to_json(time));
  if (invocation.json()) {
    invocation.print_json(std::move(object));
    return 0;
  }
  const Json& ledger = *object.find("ledger");
  for (const char* name : {"window", "lifetime"}) {
    const Json& part = *ledger.find(name);
    invocation.out().print("{} spent {}, left {}\n", invocation.out_style().bold(fmt::format("{:<9}", name)),
                           part.find("spent")->text(), limit_text(part.find("left")));
  }
  invocation.out().print("{} {}\n", invocation.out_style().bold("reports  "), object.find("reports")->text());
  for (const Json& task : *object.find("consents")->elements())
    invocation.out().print("{} {}\n", invocation.out_style().bold("consent  "), task.text());
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
  registry.add({.name = "collect device show",
                .group = "Collect from devices",
                .summary = "Show what a device has spent and agreed to",
                .description = "With --json: ledger, limits, reports, consents.",
                .examples = {{"gauze collect device show phone", "budget and consents"}},
                .positionals = {folder_positional()},
                .flags = {time_flag()},
                .run = run_device_show});
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
