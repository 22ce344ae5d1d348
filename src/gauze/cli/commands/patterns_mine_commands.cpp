// patterns mine, patterns rules: what is frequent in transactions.
#include <cmath>

#include "gauze/base/atomic_file.h"
#include "gauze/base/cpu_time.h"
#include "gauze/cli/commands/commands.h"
#include "gauze/cli/internal/basket_flags.h"
#include "gauze/cli/invocation.h"
#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/mining/association_rules.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

std::vector<Flag> threshold_flags() {
  std::vector<Flag> flags = basket_threshold_flags();
  const std::vector<Flag> more = {
      {.name = "max-size", .placeholder = "N", .help = "only sets of at most so many items"},
      {.name = "max-itemsets",
       .placeholder = "N",
       .help = "stop beyond so many sets; the result says that it is not complete"},
      {.name = "time-limit", .placeholder = "SECONDS", .help = "stop after so much processor time; the same"},
      {.name = "out",
       .short_name = 'o',
       .placeholder = "OUT",
       .help = "where what is found is written; - or none: the standard output",
       .is_file = true}};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

Result<MiningOptions> mining_options(const Invocation& invocation, std::uint64_t rows) {
  MiningOptions options;
  GAUZE_TRY(const BasketThreshold threshold, basket_threshold(invocation, rows));
  options.min_count = threshold.count;
  if (invocation.has("max-size")) {
    GAUZE_TRY(const std::int64_t size, invocation.integer("max-size", 1, 1'000'000));
    options.max_size = static_cast<std::size_t>(size);
  }
  if (invocation.has("max-itemsets")) {
    GAUZE_TRY(const std::int64_t most, invocation.integer("max-itemsets", 1));
    options.max_itemsets = static_cast<std::uint64_t>(most);
  }
  if (invocation.has("time-limit")) {
    GAUZE_TRY(const Rational seconds, invocation.rational("time-limit"));
    if (!(seconds > 0)) return invalid_parameter("--time-limit must be positive");
    options.time_limit_seconds = seconds.to_double();
  }
  return options;
}

/// Where lines go: a file that appears whole or not at all, or the standard output.
class LineOutput {
 public:
  static Result<LineOutput> make(Invocation& invocation) {
    LineOutput output(invocation);
    const auto path = invocation.optional_text("out");
    if (path && *path != "-") {
      GAUZE_TRY(AtomicFile file, AtomicFile::create(*path));
      output.file_.emplace(std::move(file));
    }
    return output;
  }
  void write(std::string_view line) {
    if (!file_) {
      invocation_->out().write(line);
      return;
    }
    if (!problem_) return;
    problem_ = file_->write(line);
  }
  Result<void> finish() {
    GAUZE_TRY_VOID(problem_);
    if (file_) return file_->commit();
    return {};
  }

 private:
  explicit LineOutput(Invocation& invocation) : invocation_(&invocation) {}
  Invocation* invocation_;
  std::optional<AtomicFile> file_;
  Result<void> problem_ = {};
};

std::string names_text(const Database& database, const Itemset& set, BasketFormat format) {
  std::string text;
  for (const Item item : set) {
    const std::string& name = database.names[item];
    if (!text.empty()) text += format == BasketFormat::dat ? " " : ", ";
    const bool quoted = format != BasketFormat::dat && name.find_first_of(",\"") != std::string::npos;
    if (!quoted) {
      text += name;
      continue;
    }
    text += '"';
    for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += '"';
  }
  return text;
}

Json by_size_json(const MiningCounts& counts) {
  Json object = Json::object();
  for (std::size_t size = 1; size < counts.by_size.size(); ++size)
    object.set(std::to_string(size), counts.by_size[size]);
  return object;
}

/// One object for both commands.
Json summary(const Database& database, const MiningOptions& options, const MiningCounts& counts) {
  Json object = Json::object({{"transactions", database.rows()},
                              {"items", database.names.size()},
                              {"min_count", options.min_count},
                              {"itemsets", counts.itemsets},
                              {"complete", counts.complete},
                              {"by_size", by_size_json(counts)}});
  if (!counts.complete) object.set("stopped_by", counts.stopped_by);
  return object;
}

void warn_if_cut(Invocation& invocation, const MiningCounts& counts) {
  if (!counts.complete) invocation.note(fmt::format("stopped by --{}: there are more than these", counts.stopped_by));
}

Result<int> run_mine(Invocation& invocation) {
  if (invocation.has("closed") && invocation.has("maximal"))
    return make_error(ErrorCode::usage, "give one of --closed and --maximal");
  GAUZE_TRY(const std::string path, invocation.text("file"));
  const double started = cpu_seconds();
  GAUZE_TRY(const BasketFile file, read_baskets(invocation, path));
  const Database& database = file.database();
  GAUZE_TRY(MiningOptions options, mining_options(invocation, database.rows()));
  options.kind = invocation.has("closed")    ? ItemsetKind::closed
                 : invocation.has("maximal") ? ItemsetKind::maximal
                                             : ItemsetKind::frequent;
  const double read = cpu_seconds();
  // Sets go to a file, or to the screen; with --json or --count-only and no file they are counted alone.
  const bool listed = invocation.has("out") || (!invocation.json() && !invocation.has("count-only"));
  if (invocation.has("count-only") && invocation.has("out"))
    return make_error(ErrorCode::usage, "--count-only lists no sets: it takes no -o");
  if (invocation.json() && invocation.optional_text("out") == "-")
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  MiningCounts counts;
  if (listed) {
    GAUZE_TRY(LineOutput output, LineOutput::make(invocation));
    Itemset names;
    const auto sink = [&](std::span<const Item> set, std::uint64_t support) {
      names.assign(set.begin(), set.end());
      output.write(fmt::format("{} ({})\n", names_text(database, names, file.format()), support));
      return true;
    };
    GAUZE_TRY(counts, mine_itemsets(database, options, sink, invocation.progress()));
    GAUZE_TRY_VOID(output.finish());
  } else {
    GAUZE_TRY(counts, count_itemsets(database, options, invocation.progress()));
  }
  const double mined = cpu_seconds();
  invocation.end_progress();
  warn_if_cut(invocation, counts);
  if (invocation.json()) {
    Json object = summary(database, options, counts);
    object.set("seconds", Json::object({{"read", read - started}, {"mine", mined - read}}));
    invocation.print_json(object);
  } else if (invocation.has("count-only")) {
    invocation.out().print("{}\n", counts.itemsets);
  } else {
    invocation.note(fmt::format("{} itemsets in at least {} of {} transactions", counts.itemsets, options.min_count,
                                database.rows()));
  }
  return 0;
}

Result<int> run_rules(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const BasketFile file, read_baskets(invocation, path));
  const Database& database = file.database();
  RuleOptions options;
  GAUZE_TRY(options.mining, mining_options(invocation, database.rows()));
  GAUZE_TRY(options.min_confidence, invocation.rational("min-confidence"));
  GAUZE_TRY(options.min_lift, invocation.rational("min-lift"));
  options.single_consequent = invocation.has("single");
  if (invocation.has("max-rules")) {
    GAUZE_TRY(const std::int64_t most, invocation.integer("max-rules", 1));
    options.max_rules = static_cast<std::uint64_t>(most);
  }
  if (invocation.json() && invocation.has("out"))
    return make_error(ErrorCode::usage, "with --json the rules are in the object: leave -o out");
  GAUZE_TRY(LineOutput output, LineOutput::make(invocation));
  Json list = Json::array();
  const auto names = [&](const Itemset& set) {
    Json result = Json::array();
    for (const Item item : set) result.push(database.names[item]);
    return result;
  };
  const auto sink = [&](const AssociationRule& rule) {
    if (invocation.json()) {
      list.push(Json::object({{"if", names(rule.a)},
                              {"then", names(rule.b)},
                              {"support", rule.support},
                              {"confidence", rule.confidence()},
                              {"lift", rule.lift(database.rows())},
                              {"conviction", rule.conviction(database.rows())}}));
    } else {
      output.write(fmt::format(
          "{} => {} (support {}, confidence {:.4g}, lift {:.4g})\n", names_text(database, rule.a, file.format()),
          names_text(database, rule.b, file.format()), rule.support, rule.confidence(), rule.lift(database.rows())));
    }
    return true;
  };
  GAUZE_TRY(const RuleCounts counts, mine_rules(database, options, sink, invocation.progress()));
  GAUZE_TRY_VOID(output.finish());
  invocation.end_progress();
  warn_if_cut(invocation, counts.itemsets);
  if (counts.itemsets.complete && !counts.complete)
    invocation.note("stopped by --max-rules: there are more than these");
  if (invocation.json()) {
    Json object = summary(database, options.mining, counts.itemsets);
    object.set("complete", counts.complete).set("rules_total", counts.rules).set("rules", std::move(list));
    invocation.print_json(object);
  } else {
    invocation.note(fmt::format("{} rules", counts.rules));
  }
  return 0;
}

}  // namespace

void register_patterns_mine_commands(Registry& registry) {
  std::vector<Flag> flags = threshold_flags();
  flags.push_back({.name = "closed", .help = "only sets without a larger one of the same support"});
  flags.push_back({.name = "maximal", .help = "only sets without a larger frequent one"});
  flags.push_back({.name = "count-only", .help = "count the sets without listing them: much faster"});
  registry.add(
      {.name = "patterns mine",
       .group = "Patterns",
       .summary = "Find the itemsets that many transactions share",
       .description =
           "Lists every set of items that at least so many transactions hold, one a line with its support in "
           "brackets. Thresholds are exact: 0.29 of 100 is 29. An item marked as unknown (`?item`) counts as absent.\n\n"
           "What is found is the owner's: it is no release and has no guarantee.\n\n"
           "With --json: transactions, items, min_count, itemsets, complete, by_size, seconds (of processor time).",
       .examples = {{"gauze patterns mine baskets.dat --min-support 0.01 -o sets.txt",
                     "all frequent sets, into a file"},
                    {"gauze patterns mine baskets.csv --min-count 100 --closed", "closed sets, on the screen"},
                    {"gauze patterns mine baskets.dat --min-support 0.001 --count-only --json",
                     "how many there are"}},
       .positionals = {basket_positional()},
       .flags = std::move(flags),
       .run = run_mine});
  std::vector<Flag> rule_flags = threshold_flags();
  rule_flags.push_back(
      {.name = "min-confidence", .placeholder = "C", .help = "how often the rule must hold", .default_text = "0.5"});
  rule_flags.push_back(
      {.name = "min-lift", .placeholder = "L", .help = "how far above chance it must be", .default_text = "0"});
  rule_flags.push_back({.name = "single", .help = "only rules with one item on the right"});
  rule_flags.push_back({.name = "max-rules", .placeholder = "N", .help = "stop after so many"});
  registry.add(
      {.name = "patterns rules",
       .group = "Patterns",
       .summary = "Find rules: who has these items also has those",
       .description =
           "Lists the association rules of a file with support, confidence and lift (also called interest: 1 means that "
           "the two sides have nothing to do with each other).\n\n"
           "With --json: what `patterns mine` prints, rules_total, and rules with if, then, support, confidence, lift, "
           "conviction.",
       .examples = {{"gauze patterns rules baskets.csv --min-support 0.01 --min-confidence 0.6 --min-lift 1.5",
                     "what goes together more than by chance"}},
       .positionals = {basket_positional()},
       .flags = std::move(rule_flags),
       .run = run_rules});
}

}  // namespace gauze::cli
