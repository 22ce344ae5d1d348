// collect aggregate, collect merge.
#include "gauze/base/joined.h"
#include "gauze/cli/collect/collect_flags.h"
#include "gauze/cli/collect/collect_text.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/curator/curator_client.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/collect/job/collected_result.h"
#include "gauze/collect/reports/state_file.h"
#include "gauze/files/sha256.h"
#include "gauze/label/label_file.h"

namespace gauze::cli {
namespace {

using collect::Aggregate;
using collect::CollectedResult;
using collect::Task;

std::vector<std::filesystem::path> paths_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Result<collect::ResultRequest> result_request(const Invocation& invocation) {
  collect::ResultRequest request;
  GAUZE_TRY(request.consistency, invocation.value("consistency", collect::kConsistencyWords));
  for (const std::string& text : invocation.texts("sum")) request.sums.push_back(split(text, ','));
  for (const std::string& text : invocation.texts("compare")) {
    const auto parts = split(text, ':');
    if (parts.size() != 2)
      return make_error(ErrorCode::usage, "--compare takes two values with a colon between them, such as a:b");
    request.comparisons.emplace_back(parts[0], parts[1]);
  }
  return request;
}

/// What a state holds: counts of reports, which anybody may estimate from.
Result<void> write_state(Invocation& invocation, const std::string& output, const Aggregate& aggregate,
                         PrivacyLabel label) {
  return publish_bytes(invocation, output, collect::encode_state(aggregate), label);
}

Result<int> run_aggregate(Invocation& invocation) {
  GAUZE_TRY_VOID(check_plain_output(invocation));
  GAUZE_TRY(const Task task, read_task(invocation));
  GAUZE_TRY(const collect::ResultRequest request, result_request(invocation));
  GAUZE_TRY(const Aggregate aggregate,
            collect::aggregate_reports(paths_of(invocation.texts("reports")), collect::report_task(task),
                                       {.distinct = invocation.has("distinct")}));
  GAUZE_TRY(const CollectedResult result, collect::make_result(task, aggregate, request));
  invocation.warn_all(result.warnings);
  const PrivacyLabel label = result.label();
  if (const auto output = invocation.optional_text("output")) {
    PrivacyLabel of_state = label;
    of_state.released = {.kind = "counted reports", .count = {}, .file = {}, .sha256 = {}};
    GAUZE_TRY_VOID(write_state(invocation, *output, aggregate, std::move(of_state)));
    invocation.note(fmt::format("wrote {} and its label", *output));
  }
  if (invocation.json()) {
    Json object = to_json(result);
    object.set("label", label.to_json());
    invocation.print_json(std::move(object));
    return 0;
  }
  invocation.out().write(result_text(result, invocation.out_style()));
  invocation.note(fmt::format("a report costs epsilon {}; intervals are of the noise, given these devices",
                              label.cost.epsilon.value_or("")));
  if (result.consistent)
    invocation.note(
        "shares are made to add up and are biased: take sums by --sum, which uses the unbiased estimates");
  return 0;
}

/// A state does not say what its task costs: that stands in the labels that lie beside states.
PrivacyLabel label_of_merged(const std::vector<std::string>& paths, const Aggregate& sum) {
  const std::string hash = to_hex({reinterpret_cast<const char*>(sum.task.data()), sum.task.size()});
  for (const std::string& path : paths) {
    auto found = read_label_file(label_path_for(path));
    const Json* task = found ? found->parameters.find("task_sha256") : nullptr;
    if (task == nullptr || task->text() != hash) continue;
    PrivacyLabel label = std::move(*found);
    label.is_read = false;
    label.stated_meaning.reset();
    label.producer = {};
    label.parameters.set("reports", sum.reports());
    return label;
  }
  PrivacyLabel label;
  label.released.kind = "counted reports";
  label.mechanism = "local";
  label.privacy_unit = "one device's value, in one report";
  label.parameters.set("task_sha256", hash);
  label.warning =
      "What a report costs is not known here: no label lay beside a state. The task with this hash says it.";
  return label;
}

/// The states of curators: --from, --token and --ca come as often as each other, or once for all; --name names the task.
Result<std::vector<Aggregate>> fetch_states(Invocation& invocation) {
  std::vector<Aggregate> states;
  const std::vector<std::string> urls = invocation.texts("from");
  const std::vector<std::string> tokens = invocation.texts("token");
  const std::vector<std::string> authorities = invocation.texts("ca");
  if (urls.empty()) return states;
  if (!invocation.has("name")) return make_error(ErrorCode::usage, "--from needs --name: whose state is fetched");
  if (tokens.size() != 1 && tokens.size() != urls.size())
    return make_error(ErrorCode::usage, "--from needs a --token: one for all curators, or one for each");
  if (authorities.size() > 1 && authorities.size() != urls.size())
    return make_error(ErrorCode::usage, "give one --ca for all curators, or one for each");
  GAUZE_TRY(const std::string name, invocation.text("name"));
  for (std::size_t i = 0; i < urls.size(); ++i) {
    CuratorClient::Options options{.url = urls[i], .ca = {}, .token_file = tokens[tokens.size() == 1 ? 0 : i]};
    if (!authorities.empty()) options.ca = authorities[authorities.size() == 1 ? 0 : i];
    while (options.url.ends_with('/')) options.url.pop_back();
    GAUZE_TRY(CuratorClient client, CuratorClient::make(options));
    GAUZE_TRY(const std::string bytes,
              client.fetch(invocation, fmt::format("/v1/tasks/{}/state", url_escaped(name))));
    GAUZE_TRY(Aggregate state, collect::decode_state(bytes, fmt::format("the state of curator {}", i + 1)));
    states.push_back(std::move(state));
  }
  return states;
}

Result<int> run_merge(Invocation& invocation) {
  GAUZE_TRY_VOID(check_plain_output(invocation));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY(std::vector<Aggregate> states, fetch_states(invocation));
  for (const std::string& path : invocation.texts("states")) {
    GAUZE_TRY(const std::string bytes, invocation.read_input(path, collect::kMostStateBytes));
    GAUZE_TRY(Aggregate state, collect::decode_state(bytes, path));
    states.push_back(std::move(state));
  }
  if (states.empty())
    return make_error(ErrorCode::usage, "there is nothing to merge: give states, or curators by --from");
  std::optional<Aggregate> sum(std::move(states.front()));
  for (std::size_t i = 1; i < states.size(); ++i) {
    GAUZE_TRY(sum, collect::merge(std::move(*sum), states[i]));
  }
  PrivacyLabel label = label_of_merged(invocation.texts("states"), *sum);
  GAUZE_TRY_VOID(publish_bytes(invocation, output, collect::encode_state(*sum), label));
  invocation.note(fmt::format("wrote {}: {}", output, counted(sum->reports(), "report")));
  if (invocation.json())
    invocation.print_json(
        Json::object({{"hash", to_hex({reinterpret_cast<const char*>(sum->task.data()), sum->task.size()})},
                      {"reports", sum->reports()},
                      {"rejected", collect::to_json(sum->rejected)},
                      {"duplicates", sum->duplicates},
                      {"periods", sum->periods.size()},
                      {"sources", sum->sources.size()},
                      {"label", label.to_json()}}));
  return 0;
}

}  // namespace

void register_collect_aggregate_commands(Registry& registry) {
  Flag state = output_flag();
  state.help = "keep the counts in a state (.gza), with OUT.label.json";
  std::vector<Flag> flags = {task_flag(),
                             {.name = "consistency",
                              .placeholder = "METHOD",
                              .help = "how shares are made to be what shares are",
                              .default_text = "norm-sub",
                              .choices = all_words(collect::kConsistencyWords)},
                             {.name = "sum",
                              .placeholder = "A,B",
                              .help = "the share of several values together, with its own error",
                              .repeatable = true},
                             {.name = "compare",
                              .placeholder = "A:B",
                              .help = "the share of A minus that of B, with its own error",
                              .repeatable = true},
                             {.name = "distinct", .help = "count blocks with one id once; memory by blocks"},
                             state};
  registry.add(
      {.name = "collect aggregate",
       .group = "Collect from devices",
       .summary = "Count reports and estimate what devices have, with errors",
       .description =
           "Reads blocks, lines of JSON or states, and estimates: for every value an unbiased share with standard deviation, 95 % interval and "
           "a band that holds for all values at once, and a share that is consistent (not negative, adding up to 1); or the mean of a "
           "number. Intervals are of the noise, given these devices. What cannot be counted is counted by reason: malformed, damaged, "
           "unknown_task, parameter_mismatch, out_of_range.\n\n"
           "Consistent shares are biased: small ones up. Sums (--sum) and differences (--compare) use the unbiased ones, with the "
           "variance of the law.\n\n"
           "With --json: task, hash, reports, rejected, duplicates, values or mean, sums, comparisons, cost, label.",
       .examples = {{"gauze collect aggregate reports.bin --task home-page.json", "estimates"},
                    {"gauze collect aggregate monday.bin tuesday.bin --task home-page.json --sum a,b -o week.gza",
                     "two files, a sum, and a state to go on with"}},
       .positionals = {{.name = "reports",
                        .help = "reports or states; - for the standard input",
                        .repeatable = true,
                        .is_file = true}},
       .flags = std::move(flags),
       .run = run_aggregate});
  Flag merged = output_flag();
  merged.required = true;
  std::vector<Flag> merge_flags = {
      std::move(merged),
      {.name = "from",
       .placeholder = "URL",
       .help = "fetch the state of a curator, by its address for analysts",
       .repeatable = true},
      {.name = "name", .placeholder = "TASK", .help = "with --from: the name of the task"},
      {.name = "token",
       .placeholder = "FILE",
       .help = "with --from: an analyst's token; one, or one for each",
       .repeatable = true},
      {.name = "ca",
       .placeholder = "FILE",
       .help = "with --from: certificates to trust; one, or one for each",
       .repeatable = true}};
  registry.add(
      {.name = "collect merge",
       .group = "Collect from devices",
       .summary = "Add states up",
       .description =
           "The sum equals one run over all reports, bit for bit. States of different tasks, and a source that is in two of them, are refused "
           "(exit 1). --from fetches the state of a curator over TLS; two curators own different devices, so their states add up, and one "
           "curator twice is refused. With --json: hash, reports, rejected, duplicates, periods, sources, label.",
       .examples =
           {{"gauze collect merge monday.gza tuesday.gza -o week.gza", "two days"},
            {"gauze collect merge --from https://north.example:8444 --from https://south.example:8444 --token analyst "
             "--name home-page -o both.gza",
             "two curators"}},
       .positionals = {{.name = "states", .help = "states", .optional = true, .repeatable = true, .is_file = true}},
       .flags = std::move(merge_flags),
       .run = run_merge});
}

}  // namespace gauze::cli
