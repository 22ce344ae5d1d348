// curator status, estimate, query: the listener of analysts.
#include <unistd.h>

#include "gauze/base/joined.h"
#include "gauze/base/kernel_random.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/cli/curator/curator_flags.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/label/printable_text.h"

namespace gauze::cli {
namespace {

using server::Listener;

/// A cell of a table.
std::string cell_of(const Json& object, std::string_view key) {
  const std::string text = text_in(object, key);
  return text.empty() ? "-" : text;
}

/// The warnings of an answer are this command's.
void take_warnings(Invocation& invocation, const Json& answer) {
  const Json* warnings = answer.find("warnings");
  if (warnings == nullptr || warnings->elements() == nullptr) return;
  for (const Json& one : *warnings->elements())
    invocation.warn(Warning::of_privacy(cell_of(one, "code"), cell_of(one, "message")));
}

Result<int> run_curator_status(Invocation& invocation) {
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, Listener::analyst));
  GAUZE_TRY(Json answer, client.ask(invocation, "GET", "/v1/tasks"));
  GAUZE_TRY(const Json budget, client.ask(invocation, "GET", "/v1/budget"));
  if (const Json* budgets = budget.find("budgets")) answer.set("budgets", *budgets);
  if (invocation.json()) {
    invocation.print_json(std::move(answer));
    return 0;
  }
  TextTable tasks(true);
  tasks.add({"task", "version", "mode", "reports", "kept for", "state"});
  for (const Json& task : *answer.find("tasks")->elements())
    tasks.add({printable(cell_of(task, "name")), cell_of(task, "version"), cell_of(task, "mode"),
               cell_of(task, "reports"), cell_of(task, "retention_days") + " d", cell_of(task, "state")});
  invocation.out().write(tasks.text(invocation.out_style()));
  const Json* budgets = answer.find("budgets");
  if (budgets == nullptr || budgets->elements() == nullptr || budgets->elements()->empty()) return 0;
  TextTable balances;
  balances.add({"budget", "epsilon in all", "left", "queries"});
  for (const Json& one : *budgets->elements()) {
    const Json* total = one.find("total");
    const Json* left = one.find("left");
    balances.add({printable(cell_of(one, "dataset")), total != nullptr ? cell_of(*total, "epsilon") : "-",
                  left != nullptr ? cell_of(*left, "epsilon") : "-", cell_of(one, "queries")});
  }
  invocation.out().print("\n{}", balances.text(invocation.out_style()));
  return 0;
}

Result<std::string> periods_of(const Invocation& invocation) {
  std::string text;
  for (const char* name : {"from", "to"}) {
    if (!invocation.has(name)) continue;
    GAUZE_TRY(const std::int64_t period, invocation.integer(name, 0, UINT32_MAX));
    text += fmt::format("{}{}={}", text.empty() ? "?" : "&", name, period);
  }
  if (const auto version = invocation.optional_text("version"))
    text += fmt::format("{}version={}", text.empty() ? "?" : "&", url_escaped(*version));
  return text;
}

std::string percent_of(const Json& one, std::string_view key) {
  const std::string text = cell_of(one, key);
  return text == "-" ? text : fmt::format("{:.2f} %", 100 * std::strtod(text.c_str(), nullptr));
}

std::string estimate_text(const Json& answer, Style style) {
  constexpr std::size_t kShown = 200;
  std::string text = fmt::format("{} of the task '{}'\n\n", counted_in(answer, "reports", "report"),
                                 printable(cell_of(answer, "task")));
  if (const Json* mean = answer.find("mean"); mean != nullptr && !mean->is_null())
    return text + fmt::format("{} {}, 95 % interval {} to {}\n", style.bold("mean"), cell_of(*mean, "estimate"),
                              cell_of(*mean, "low"), cell_of(*mean, "high"));
  const Json* values = answer.find("values");
  if (values == nullptr || values->elements() == nullptr) return text;
  TextTable table;
  table.add({"value", "share", "estimate", "95 % interval"});
  for (std::size_t i = 0; i < std::min(kShown, values->elements()->size()); ++i) {
    const Json& one = (*values->elements())[i];
    const std::string share = cell_of(one, "percent");
    const std::string low = percent_of(one, "low");
    table.add({printable(cell_of(one, "value")), share == "-" ? share : share + " %", percent_of(one, "estimate"),
               low == "-" ? low : low + " to " + percent_of(one, "high")});
  }
  text += table.text(style);
  if (values->elements()->size() > kShown)
    text += fmt::format("... and {} more: --json has all\n", values->elements()->size() - kShown);
  return text;
}

Result<int> run_curator_estimate(Invocation& invocation) {
  GAUZE_TRY(const std::string name, invocation.text("name"));
  GAUZE_TRY(const std::string periods, periods_of(invocation));
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, Listener::analyst));
  GAUZE_TRY(Json answer, client.ask(invocation, "GET", "/v1/tasks/" + url_escaped(name) + "/estimate" + periods));
  take_warnings(invocation, answer);
  if (invocation.json())
    invocation.print_json(std::move(answer));
  else
    invocation.out().write(estimate_text(answer, invocation.out_style()));
  return 0;
}

/// What is asked, without the request id.
Result<Json> curator_query_body(const Invocation& invocation) {
  Json body = Json::object();
  GAUZE_TRY(const std::string kind, invocation.text("kind"));
  GAUZE_TRY(const Rational epsilon, invocation.rational("epsilon"));
  body.set("kind", kind).set("epsilon", epsilon.to_decimal());
  if (const auto field = invocation.optional_text("field")) body.set("field", *field);
  Json where = Json::object();
  for (const std::string& one : invocation.texts("where")) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0) return invalid_parameter("--where takes FIELD=VALUE");
    if (where.find(one.substr(0, equals)) != nullptr) return invalid_parameter("--where names a field twice");
    where.set(one.substr(0, equals), one.substr(equals + 1));
  }
  if (invocation.has("where")) body.set("where", std::move(where));
  GAUZE_TRY(const auto tau, invocation.optional_rational("tau"));
  if (tau) body.set("tau", tau->to_decimal());
  for (const char* name : {"from", "to"})
    if (invocation.has(name)) {
      GAUZE_TRY(const std::int64_t period, invocation.integer(name, 0, UINT32_MAX));
      body.set(name, period);
    }
  if (const auto version = invocation.optional_text("version")) body.set("version", *version);
  return body;
}

std::string new_request_id() {
  std::array<unsigned char, 16> bytes{};
  fill_from_kernel(bytes);
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0fU) | 0x40U);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3fU) | 0x80U);
  std::string hex = to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  for (const std::size_t at : {8U, 13U, 18U, 23U}) hex.insert(at, "-");
  return hex;
}

/// The id of a request, kept beside the configuration from before it is sent until its answer came: whoever asks again after a lost answer
/// gets the one that was paid for.
class KeptRequest {
 public:
  static Result<KeptRequest> open(const Invocation& invocation, const std::string& what) {
    KeptRequest kept;
    if (const auto given = invocation.optional_text("request")) {
      kept.id_ = *given;
      return kept;
    }
    GAUZE_TRY(const std::string config, invocation.text("config"));
    const std::filesystem::path folder = std::filesystem::path(config).parent_path() / "requests";
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
      return make_error(ErrorCode::io, "cannot make the folder '{}': {}", folder.string(), problem.message());
    kept.place_ = folder / sha256_hex(what);
    if (std::filesystem::exists(kept.place_, problem)) {
      GAUZE_TRY(kept.id_, read_file(kept.place_, 64));
      return kept;
    }
    kept.id_ = new_request_id();
    GAUZE_TRY_VOID(write_file(kept.place_, kept.id_, FileReaders::owner_alone));
    return kept;
  }
  [[nodiscard]] const std::string& id() const { return id_; }
  void answered() const {
    std::error_code ignored;
    if (!place_.empty()) std::filesystem::remove(place_, ignored);
  }

 private:
  std::string id_;
  std::filesystem::path place_;
};

/// The names of a category field's values, as the curator lists them; none of a number.
std::vector<std::string> names_of(const Json& tasks, const std::string& task, const std::string& field) {
  std::vector<std::string> names;
  if (const Json* all = tasks.find("tasks"); all != nullptr && all->elements() != nullptr)
    for (const Json& version : *all->elements()) {
      const Json* fields = version.find("fields");
      if (text_in(version, "name") != task || text_in(version, "state") != "active" || fields == nullptr) continue;
      for (const Json& one : *fields->elements())
        if (const Json* values = one.find("values"); values != nullptr && text_in(one, "name") == field)
          for (const Json& value : *values->elements()) names.emplace_back(value.text());
    }
  return names;
}

/// A whole number as it is; of the places of another three, since noise has covered the rest: --json has them all.
std::string rounded(const std::string& number) {
  const std::size_t point = number.find('.');
  if (point == std::string::npos || number.size() - point <= 4 || number.find('e') != std::string::npos)
    return number;
  return fmt::format("{:.3f}", std::strtod(number.c_str(), nullptr));
}

std::string answer_text(const Json& answer, const std::vector<std::string>& names, Style style) {
  std::string text;
  const Json* interval = answer.find("interval95");
  const auto range_of = [](const Json* pair) {
    return pair != nullptr && pair->elements() != nullptr && pair->elements()->size() == 2
               ? fmt::format("{} to {}", rounded(std::string((*pair->elements())[0].text())),
                             rounded(std::string((*pair->elements())[1].text())))
               : std::string("-");
  };
  if (const Json* values = answer.find("values"); values != nullptr && values->elements() != nullptr) {
    TextTable table;
    table.add({"of", "records", "95 % interval"});
    for (std::size_t i = 0; i < values->elements()->size(); ++i)
      table.add(
          {i < names.size() ? printable(names[i]) : std::to_string(i), std::string((*values->elements())[i].text()),
           range_of(interval != nullptr && interval->elements() != nullptr ? &(*interval->elements())[i] : nullptr)});
    text = table.text(style);
  } else {
    text = rounded(cell_of(answer, "value"));
    if (interval != nullptr && !interval->is_null()) text += fmt::format(", 95 % interval {}", range_of(interval));
    text += "\n";
  }
  const auto epsilon_of = [&](const char* key) {
    const Json* cost = answer.find(key);
    return cost != nullptr ? cell_of(*cost, "epsilon") : std::string("-");
  };
  return text + fmt::format("cost epsilon {}, left {}\n", epsilon_of("cost"), epsilon_of("left"));
}

Result<int> run_curator_query(Invocation& invocation) {
  GAUZE_TRY(const std::string name, invocation.text("name"));
  GAUZE_TRY(Json body, curator_query_body(invocation));
  GAUZE_TRY(const std::string as, invocation.text("as"));
  GAUZE_TRY(CuratorClient client, connect_to_curator(invocation, Listener::analyst));
  GAUZE_TRY(const KeptRequest request, KeptRequest::open(invocation, as + "\n" + name + "\n" + body.dump()));
  body.set("request", request.id());
  auto answer = client.ask(invocation, "POST", "/v1/tasks/" + url_escaped(name) + "/query", body.dump());
  if (!answer) {
    // What was refused was not answered, and will not be; a connection that was lost says nothing.
    if (answer.error().code != ErrorCode::io) request.answered();
    return tl::unexpected<Error>(std::move(answer).error());
  }
  request.answered();
  take_warnings(invocation, *answer);
  if (invocation.json()) {
    invocation.print_json(std::move(*answer));
    return 0;
  }
  std::vector<std::string> names;
  if (const auto field = invocation.optional_text("field"); field && answer->find("values") != nullptr) {
    GAUZE_TRY(const Json tasks, client.ask(invocation, "GET", "/v1/tasks"));
    names = names_of(tasks, name, *field);
  }
  invocation.out().write(answer_text(*answer, names, invocation.out_style()));
  return 0;
}

}  // namespace

void register_curator_analyst_commands(Registry& registry) {
  registry.add(
      {.name = "curator status",
       .group = "Run a curator",
       .summary = "Tasks and balances of a curator",
       .description =
           "Versions of tasks, how many reports local ones have, and what is left of the budgets of central ones. How many "
           "records a central task has is not shown: that would be an answer without noise. With --json: curator, tasks, budgets.",
       .examples = {{"gauze curator status --config curator/curator.yaml", "an overview"}},
       .flags = curator_flags("analyst"),
       .run = run_curator_status});
  std::vector<Flag> estimate_flags = curator_flags("analyst");
  const Flag from{.name = "from", .placeholder = "P", .help = "the first period"};
  const Flag to{.name = "to", .placeholder = "P", .help = "the last period"};
  const Flag version{
      .name = "version", .placeholder = "HASH", .help = "another version of the task than the present one"};
  for (const Flag& flag : {from, to, version}) estimate_flags.push_back(flag);
  registry.add(
      {.name = "curator estimate",
       .group = "Run a curator",
       .summary = "What the reports of a local task say, with errors",
       .description =
           "Everything that `gauze collect aggregate` says of the reports that the curator acknowledged. It is made of private reports "
           "alone, so no budget is charged. With --json as `gauze collect aggregate`.",
       .examples = {{"gauze curator estimate home-page --config curator/curator.yaml", "shares with intervals"}},
       .positionals = {{.name = "name", .help = "the name of the task"}},
       .flags = std::move(estimate_flags),
       .run = run_curator_estimate});
  std::vector<Flag> query_flags = curator_flags("analyst");
  query_flags.push_back({.name = "kind",
                         .placeholder = "KIND",
                         .help = "what is asked",
                         .choices = {"count", "histogram", "sum", "mean", "quantile"},
                         .required = true});
  query_flags.push_back(
      {.name = "epsilon", .placeholder = "E", .help = "what the answer may cost", .required = true});
  query_flags.push_back({.name = "field", .placeholder = "F", .help = "of what; not with count"});
  query_flags.push_back({.name = "where",
                         .placeholder = "FIELD=VALUE",
                         .help = "with count: only records with this value of a category",
                         .repeatable = true});
  query_flags.push_back({.name = "tau", .placeholder = "T", .help = "of a quantile: 0.5 is the median"});
  for (const Flag& flag : {from, to, version}) query_flags.push_back(flag);
  query_flags.push_back({.name = "request",
                         .placeholder = "UUID",
                         .help = "the id of this request (default: a new one, kept until it is answered)"});
  registry.add(
      {.name = "curator query",
       .group = "Run a curator",
       .summary = "Ask a central task, with noise, within its budget",
       .description =
           "The charge is in the ledger before a record is read, the answer is kept with it before it is sent. An answer that was lost on the way "
           "is paid once: the same command asks under the same request id and gets the same answer. A unit is one enrolment with all its "
           "records; a query over P periods is answered with the noise that P periods of it need (default: from the task's approval "
           "to now). Beyond the budget: exit 3, with left and allowed. With --json: value or values, interval95, cost, left, label.",
       .examples =
           {{"gauze curator query visits --kind count --epsilon 0.1 --config curator/curator.yaml",
             "how many records"},
            {"gauze curator query visits --kind count --where city=Graz --epsilon 0.1 --config curator/curator.yaml",
             "how many of one kind"},
            {"gauze curator query visits --kind mean --field age --epsilon 0.2 --config curator/curator.yaml",
             "a mean"}},
       .positionals = {{.name = "name", .help = "the name of the task"}},
       .flags = std::move(query_flags),
       .run = run_curator_query});
}

}  // namespace gauze::cli
