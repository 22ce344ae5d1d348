// curator add, approve, close, keys, token, sweep, audit, check, backup: the listener of admins, or the folder.
#include "gauze/base/joined.h"
#include "gauze/base/utc_date.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/cli/curator/curator_flags.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"
#include "gauze/server/curator.h"

namespace gauze::cli {
namespace {

using server::Listener;

constexpr std::size_t kLargestProposal = std::size_t{64} << 20U;

bool is_true(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value != nullptr && value->dump() == "true";
}

/// What a verb prints: the answer as JSON, or a sentence.
Result<int> tell(Invocation& invocation, Json answer, const std::string& sentence) {
  if (invocation.json()) {
    invocation.print_json(std::move(answer));
  } else {
    invocation.out().print("{}\n", sentence);
  }
  return 0;
}

std::string version_text(const Json& version, std::string_view what) {
  return fmt::format("{} '{}', version {}: {}", what, text_in(version, "name"), text_in(version, "version"),
                     text_in(version, "hash"));
}

Result<int> run_add(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("task"));
  GAUZE_TRY(const std::string document, invocation.read_input(path, kLargestProposal));
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, Listener::admin));
  GAUZE_TRY(Json answer, client.ask(invocation, "POST", "/v1/tasks", document));
  const std::string sentence =
      version_text(answer, "proposed") + "\nIt waits for another admin: gauze curator approve";
  return tell(invocation, std::move(answer), sentence);
}

Result<int> run_change(Invocation& invocation, const char* verb, std::string_view done, const Json& body) {
  GAUZE_TRY(const std::string name, invocation.text("name"));
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, Listener::admin));
  GAUZE_TRY(Json answer,
            client.ask(invocation, "POST", fmt::format("/v1/tasks/{}/{}", url_escaped(name), verb), body.dump()));
  const std::string sentence = version_text(answer, done);
  return tell(invocation, std::move(answer), sentence);
}

/// The latest version of a task, or one by its hash: what somebody is about to approve.
Result<int> run_show(Invocation& invocation) {
  GAUZE_TRY(const std::string name, invocation.text("name"));
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, Listener::admin));
  GAUZE_TRY(Json answer, client.ask(invocation, "GET", "/v1/tasks/" + url_escaped(name)));
  if (invocation.json()) {
    invocation.print_json(std::move(answer));
    return 0;
  }
  const Json& latest = answer.find("versions")->elements()->back();
  invocation.out().print("{} '{}', version {}, {}\nproposed by {} at {}\nhash {}\n",
                         invocation.out_style().bold("task"), text_in(latest, "name"), text_in(latest, "version"),
                         text_in(latest, "state"), text_in(latest, "added_by"), text_in(latest, "added_at"),
                         text_in(latest, "hash"));
  if (const Json* task = latest.find("task"); task != nullptr && task->find("statement") != nullptr)
    invocation.out().print("\n{}\n", text_in(*task->find("statement"), "en"));
  return 0;
}

/// Approves what it has shown, and nothing that came meanwhile.
Result<int> run_approve(Invocation& invocation) {
  GAUZE_TRY(const std::string name, invocation.text("name"));
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, Listener::admin));
  GAUZE_TRY(const Json versions, client.ask(invocation, "GET", "/v1/tasks/" + url_escaped(name)));
  std::string hash = invocation.optional_text("hash").value_or("");
  for (const Json& version : *versions.find("versions")->elements()) {
    if (text_in(version, "state") != "proposed" || !hash.empty()) continue;
    hash = text_in(version, "hash");
    const Json* task = version.find("task");
    if (!invocation.json() && task != nullptr && task->find("statement") != nullptr)
      invocation.out().print("{}\n\n", text_in(*task->find("statement"), "en"));
  }
  Json body = Json::object();
  if (!hash.empty()) body.set("hash", hash);
  return run_change(invocation, "approve", "approved", body);
}

std::string keys_text(const Json& answer, Style style) {
  TextTable table(true);
  table.add({"key", "suite", "state", "not after"});
  if (const Json* keys = answer.find("keys"); keys != nullptr && keys->elements() != nullptr)
    for (const Json& key : *keys->elements())
      table.add({text_in(key, "id"), text_in(key, "suite"), text_in(key, "state"), text_in(key, "not_after")});
  return table.text(style);
}

/// Opens the curator's folder in this process, where no server is at work.
Result<std::unique_ptr<server::Curator>> open_folder(Invocation& invocation) {
  GAUZE_TRY(server::CuratorConfig config, curator_config_of(invocation));
  return server::Curator::open(std::move(config), {});
}

Result<int> run_keys(Invocation& invocation) {
  if (invocation.has("rotate") && invocation.has("rewrap"))
    return make_error(ErrorCode::usage, "--rotate and --rewrap are two things: one at a time");
  if (invocation.has("rewrap")) {
    GAUZE_TRY(auto client, connect_if_running(invocation, Listener::admin));
    Json answer = Json::object({{"rewrapped", true}});
    if (client) {
      GAUZE_TRY(answer, client->ask(invocation, "POST", "/v1/keys/rewrap"));
    } else {
      GAUZE_TRY(const auto curator, open_folder(invocation));
      GAUZE_TRY_VOID(curator->rewrap("the owner"));
    }
    return tell(invocation, std::move(answer),
                "The file of keys is wrapped by the key that the configuration names.");
  }
  const bool rotates = invocation.has("rotate");
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, rotates ? Listener::admin : Listener::device));
  GAUZE_TRY(Json answer, client.ask(invocation, rotates ? "POST" : "GET", rotates ? "/v1/keys/rotate" : "/v1/keys"));
  std::string text = keys_text(answer, invocation.out_style());
  if (text.ends_with('\n')) text.pop_back();
  return tell(invocation, std::move(answer), text);
}

Result<int> run_token(Invocation& invocation) {
  GAUZE_TRY(const std::int64_t devices, invocation.integer("devices", 1, 100'000'000));
  GAUZE_TRY(const std::string until, invocation.text("until"));
  if (!parse_utc_date(until)) return invalid_parameter("--until takes a date such as 2027-12-31");
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY_VOID(check_place(output));
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, Listener::admin));
  const std::string body = Json::object({{"devices", devices}, {"until", until}}).dump();
  GAUZE_TRY(const Json answer, client.ask(invocation, "POST", "/v1/tokens", body));
  GAUZE_TRY_VOID(write_file(output, text_in(answer, "token") + "\n", FileReaders::owner_alone));
  Json shown = Json::object({{"file", output}, {"devices", devices}, {"until", until}});
  return tell(invocation, std::move(shown),
              fmt::format("wrote {}: a token for {} until {}", output,
                          counted(static_cast<std::uint64_t>(devices), "device"), until));
}

Result<int> run_sweep(Invocation& invocation) {
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, Listener::admin));
  Json body = Json::object();
  if (const auto day = invocation.optional_text("as-of")) {
    const auto parsed = parse_utc_date(*day);
    if (!parsed) return invalid_parameter("--as-of takes a date such as 2027-01-31");
    if (*parsed > utc_day_of(utc_now()) && !invocation.has("yes"))
      return make_error(
          ErrorCode::usage,
          "reports would go before the date that was promised, for good: --yes says that this is meant");
    body.set("as_of", *day);
  }
  GAUZE_TRY(Json answer, client.ask(invocation, "POST", "/v1/sweep", body.dump()));
  const std::size_t dates = answer.find("swept") != nullptr && answer.find("swept")->elements() != nullptr
                                ? answer.find("swept")->elements()->size()
                                : 0;
  const std::string sentence =
      fmt::format("{} swept as of {}", counted(dates, "expiry date"), text_in(answer, "as_of"));
  return tell(invocation, std::move(answer), sentence);
}

std::string trail_text(const Json& answer, Style style) {
  TextTable table(true);
  table.add({"entry", "time", "who", "what", "of"});
  for (const Json& entry : *answer.find("entries")->elements())
    table.add({text_in(entry, "entry"), text_in(entry, "time"), text_in(entry, "who"), text_in(entry, "kind"),
               text_in(entry, "subject")});
  return table.text(style) + "head " + text_in(answer, "head");
}

/// Every version of a task that was ever approved, a line of JSON each: an archive for assessors.
Result<int> print_archive(Invocation& invocation, const Json& answer) {
  const Json* tasks = answer.find("tasks");
  if (tasks != nullptr && tasks->elements() != nullptr)
    for (const Json& version : *tasks->elements()) invocation.out().write(version.dump() + "\n");
  return 0;
}

/// The same answers from the folder, where no server is at work.
Result<Json> audit_of_folder(Invocation& invocation, const std::optional<std::string>& head) {
  GAUZE_TRY(const server::CuratorConfig config, curator_config_of(invocation));
  const server::Curator::Paths paths(config.folder);
  GAUZE_TRY(const auto trail, server::AuditTrail::open_read_only(paths.records));
  if (invocation.has("tasks")) {
    GAUZE_TRY(const auto registry, server::TaskRegistry::open(*trail, {}, utc_now));
    Json all = Json::array();
    for (const server::TaskVersion& version : *registry->snapshot())
      if (version.was_approved()) all.push(version.to_json(true));
    return Json::object({{"tasks", std::move(all)}});
  }
  if (invocation.has("verify") || head) {
    GAUZE_TRY(const auto verified, trail->verify(head));
    Json object = Json::object({{"verified", true}, {"entries", verified.entries}, {"head", verified.head}});
    if (head) object.set("head_entry", *verified.head_entry);
    return object;
  }
  GAUZE_TRY(const auto entries, trail->entries(1, 1'000'000));
  Json all = Json::array();
  for (const server::TrailEntry& entry : entries) all.push(entry.to_json());
  return Json::object({{"entries", std::move(all)}, {"head", trail->head()}});
}

/// All entries, page by page.
Result<Json> all_entries(Invocation& invocation, CuratorClient& client) {
  constexpr std::size_t kPage = 1'000;
  Json all = Json::array();
  for (std::size_t from = 1;; from += kPage) {
    GAUZE_TRY(Json page, client.ask(invocation, "GET", fmt::format("/v1/audit?from={}&limit={}", from, kPage)));
    const Json* entries = page.find("entries");
    if (entries == nullptr || entries->elements() == nullptr)
      return make_error(ErrorCode::bad_data, "the curator's answer holds no entries");
    for (const Json& entry : *entries->elements()) all.push(entry);
    if (entries->elements()->size() < kPage)
      return Json::object({{"entries", std::move(all)}, {"head", text_in(page, "head")}});
  }
}

Result<int> run_audit(Invocation& invocation) {
  const auto head = invocation.optional_text("head");
  if (invocation.has("tasks") && (invocation.has("verify") || head))
    return make_error(ErrorCode::usage, "--tasks prints the archive of tasks; --verify and --head look at the trail");
  GAUZE_TRY(auto client, connect_if_running(invocation, Listener::admin));
  Json answer;
  if (!client) {
    GAUZE_TRY(answer, audit_of_folder(invocation, head));
  } else if (invocation.has("tasks")) {
    GAUZE_TRY(answer, client->ask(invocation, "GET", "/v1/audit?tasks=1"));
  } else if (invocation.has("verify") || head) {
    auto verified =
        client->ask(invocation, "GET", "/v1/audit?verify=1" + (head ? "&head=" + url_escaped(*head) : std::string()));
    if (!verified) return tl::unexpected<Error>(std::move(verified).error());
    answer = std::move(*verified);
  } else {
    GAUZE_TRY(answer, all_entries(invocation, *client));
  }
  if (invocation.has("tasks")) return print_archive(invocation, answer);
  const bool is_verified = invocation.has("verify") || head.has_value();
  std::string sentence = is_verified
                             ? fmt::format("the trail is whole: {}, head {}",
                                           counted_in(answer, "entries", "entry", "entries"), text_in(answer, "head"))
                             : trail_text(answer, invocation.out_style());
  if (head) sentence += fmt::format("\nthe head that was kept is that of entry {}", text_in(answer, "head_entry"));
  return tell(invocation, std::move(answer), sentence);
}

Result<int> run_check(Invocation& invocation) {
  GAUZE_TRY(auto client, connect_if_running(invocation, Listener::admin));
  Json answer;
  if (client) {
    GAUZE_TRY(answer, client->ask(invocation, "POST", "/v1/check"));
  } else {
    GAUZE_TRY(const auto curator, open_folder(invocation));
    GAUZE_TRY(const server::StoreCheck found, curator->store().check(*curator->directory()));
    answer = to_json(found);
  }
  const bool same = is_true(answer, "same");
  const std::string sentence =
      same ? fmt::format("the aggregates are what the store holds: {} in {}, {}, {} settled",
                         counted_in(answer, "reports", "report"), counted_in(answer, "blocks", "block"),
                         counted_in(answer, "parts", "part"), text_in(answer, "settled"))
           : fmt::format("{} of {} parts are not what the store holds", text_in(answer, "different"),
                         text_in(answer, "parts"));
  GAUZE_TRY_VOID(tell(invocation, std::move(answer), sentence));
  return same ? 0 : 1;
}

Result<int> run_backup(Invocation& invocation) {
  GAUZE_TRY(const std::string given, invocation.text("folder"));
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::absolute(given, problem).lexically_normal();
  GAUZE_TRY(auto client, connect_if_running(invocation, Listener::admin));
  Json answer = Json::object({{"folder", folder.string()}});
  if (client) {
    GAUZE_TRY(answer, client->ask(invocation, "POST", "/v1/backup", answer.dump()));
  } else {
    GAUZE_TRY(const auto curator, open_folder(invocation));
    GAUZE_TRY_VOID(curator->backup(folder, "the owner"));
  }
  return tell(invocation, std::move(answer),
              fmt::format("wrote {}; the file of keys is not in it, and without it nothing in it can be read",
                          folder.string()));
}

Command verb(std::string name, std::string summary, std::string description, std::vector<Example> examples,
             std::function<Result<int>(Invocation&)> run) {
  Command command;
  command.name = "curator " + std::move(name);
  command.group = "Run a curator";
  command.summary = std::move(summary);
  command.description = std::move(description);
  command.examples = std::move(examples);
  command.flags = curator_flags("admin-1");
  command.run = std::move(run);
  return command;
}

void register_task_verbs(Registry& registry) {
  Command add = verb(
      "add", "Propose a task to a curator",
      "The task must be complete, its retention whole days below the curator's ceiling. Devices see it when another admin has approved "
      "it. A task of that name that is active stays so until then; a changed parameter is another version with another hash. "
      "With --json: name, version, hash, state, added_by, added_at.",
      {{"gauze curator add curator/example-task.json --config curator/curator.yaml", "propose"}}, run_add);
  add.positionals = {{.name = "task", .help = "a task file; - for the standard input", .is_file = true}};
  registry.add(std::move(add));
  Command show = verb(
      "show", "Look at a task that a curator has, also a proposed one",
      "Prints the latest version with what users are told, so that a second admin sees what is to be approved. With --json: "
      "versions, each with its whole task file under `task`.",
      {{"gauze curator show home-page --config curator/curator.yaml --as admin-2", "what waits for approval"}},
      run_show);
  show.positionals = {{.name = "name", .help = "the name of the task"}};
  registry.add(std::move(show));
  Command approve = verb(
      "approve", "Approve a task that another admin proposed",
      "Who proposed it is refused (exit 4). From then on devices may report. A central task gets its budget in the ledger. With "
      "--json as `curator add`.",
      {{"gauze curator approve home-page --config curator/curator.yaml --as admin-2", "the second pair of eyes"}},
      run_approve);
  approve.positionals = {{.name = "name", .help = "the name of the task"}};
  approve.flags.push_back(
      {.name = "hash", .placeholder = "H", .help = "approve this version alone, which you looked at"});
  registry.add(std::move(approve));
  Command close = verb(
      "close", "Take no more reports for a task",
      "What was collected stays until its retention ends, and can be asked until then. With --json as `curator add`.",
      {{"gauze curator close home-page --config curator/curator.yaml", "end a task"}},
      [](Invocation& invocation) { return run_change(invocation, "close", "closed", Json::object()); });
  close.positionals = {{.name = "name", .help = "the name of the task"}};
  registry.add(std::move(close));
}

void register_key_verbs(Registry& registry) {
  Command keys = verb(
      "keys", "Show, rotate or wrap anew the keys of a curator",
      "Without a flag: the sealing keys that devices are shown. --rotate: a new one for each suite; the old ones expire at once and their "
      "private parts are wiped, so that batches on their way are sealed anew by their devices. --rewrap: the file of keys is wrapped "
      "by the key-encryption key that the configuration names now, after it was changed there (the earlier one stands under "
      "previous_key_encryption_key until this is done); works without a server, too. With --json: keys, or rewrapped.",
      {{"gauze curator keys --config curator/curator.yaml", "what devices seal to"},
       {"gauze curator keys --rotate --config curator/curator.yaml", "new keys at once"}},
      run_keys);
  keys.flags.push_back({.name = "rotate", .help = "new sealing keys at once"});
  keys.flags.push_back(
      {.name = "rewrap", .help = "wrap the file of keys by the configuration's present key-encryption key"});
  registry.add(std::move(keys));
  Command token = verb(
      "token", "Make a token with which devices enrol",
      "The token goes into a file that only you can read; the curator keeps its digest. With --json: file, devices, until.",
      {{"gauze curator token --devices 5000 --until 2027-12-31 -o token.txt --config curator/curator.yaml",
        "for 5,000 devices"}},
      run_token);
  token.flags.push_back(
      {.name = "devices", .placeholder = "N", .help = "how many devices it admits", .required = true});
  token.flags.push_back(
      {.name = "until", .placeholder = "DATE", .help = "the last day on which it does", .required = true});
  token.flags.push_back({.name = "output",
                         .short_name = 'o',
                         .placeholder = "FILE",
                         .help = "where the token goes",
                         .required = true,
                         .is_file = true,
                         .makes = Makes::file});
  registry.add(std::move(token));
}

void register_upkeep_verbs(Registry& registry) {
  Command sweep = verb(
      "sweep", "Delete the reports whose date has come",
      "The server does so by itself at 00:00 UTC. --as-of does what is done at 00:00 of another day; a day to come needs --yes, since "
      "reports then go before their date, for good. With --json: as_of, swept.",
      {{"gauze curator sweep --config curator/curator.yaml", "what is due"}}, run_sweep);
  sweep.flags.push_back({.name = "as-of", .placeholder = "DATE", .help = "as if this day began (UTC)"});
  sweep.flags.push_back({.name = "yes", .help = "also before the date that was promised"});
  registry.add(std::move(sweep));
  Command audit = verb(
      "audit", "Read and verify the audit trail of a curator",
      "Entries are chained by SHA-256. --verify computes the chain anew; keep the head that it prints elsewhere, and --head H finds later "
      "that the trail was cut off or rolled back (exit 1). --tasks prints every version of a task that was ever approved, a line of "
      "JSON each. Works without a server, too. With --json: entries, head; with --verify verified, entries, head, head_entry.",
      {{"gauze curator audit --verify --config curator/curator.yaml", "is it whole?"}}, run_audit);
  audit.flags.push_back({.name = "verify", .help = "compute all hashes anew"});
  audit.flags.push_back(
      {.name = "head", .placeholder = "H", .help = "a head that was kept elsewhere: it must be in the trail"});
  audit.flags.push_back({.name = "tasks", .help = "print the archive of tasks"});
  registry.add(std::move(audit));
  registry.add(verb(
      "check", "Count the whole store of a curator anew",
      "Holds every aggregate against the blocks it was made of (exit 1 when one differs). Works without a server, too. With --json: same, parts, "
      "different, settled, blocks, reports.",
      {{"gauze curator check --config curator/curator.yaml", "aggregates against blocks"}}, run_check));
  Command backup = verb(
      "backup", "Copy a curator's files, but not its keys",
      "Store, records, enrolments and ledger as they are at one moment, into a new folder on the server's machine. The file of keys is "
      "never in it: back it up elsewhere, and what is swept later cannot be read in the copy either once the key is gone from both. "
      "Works without a server, too. With --json: folder.",
      {{"gauze curator backup /srv/backup/2027-01-31 --config curator/curator.yaml", "a copy"}}, run_backup);
  backup.positionals = {{.name = "folder", .help = "a folder that is not there yet"}};
  registry.add(std::move(backup));
}

}  // namespace

void register_curator_admin_commands(Registry& registry) {
  register_task_verbs(registry);
  register_key_verbs(registry);
  register_upkeep_verbs(registry);
}

}  // namespace gauze::cli
