// patterns mine, patterns rules: what is frequent in transactions.
#include <algorithm>

#include "gauze/base/cpu_time.h"
#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/owner_output.h"
#include "gauze/cli/patterns/basket_flags.h"
#include "gauze/cli/patterns/mining_flags.h"
#include "gauze/patterns/mining/pattern_listing.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

Result<void> check_mine_flags(const Invocation& invocation) {
  if (invocation.has("closed") && invocation.has("maximal"))
    return make_error(ErrorCode::usage, "give one of --closed and --maximal");
  if (invocation.has("top") && invocation.has("maximal"))
    return make_error(ErrorCode::usage,
                      "--top takes frequent or --closed sets: the maximal ones depend on a threshold");
  if (invocation.has("count-only") && (invocation.has("output") || invocation.has("intervals")))
    return make_error(ErrorCode::usage, "--count-only lists no sets: it takes no -o and no --intervals");
  if (invocation.json() && invocation.optional_text("output") == "-")
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  return {};
}

/// Where the sets go that are found: to a file or to the screen, into the object, or nowhere: then they are counted.
enum class Listing { lines, objects, none };

Listing listing_of(const Invocation& invocation) {
  if (invocation.has("count-only")) return Listing::none;
  if (!invocation.json() || invocation.has("output")) return Listing::lines;
  return invocation.has("top") || invocation.has("intervals") ? Listing::objects : Listing::none;
}

OpenFigures figures_of(const Invocation& invocation) {
  return invocation.has("intervals") ? OpenFigures::intervals : OpenFigures::definite;
}

/// Mines into the sink, the most frequent first with --top.
Result<MiningCounts> mine(Invocation& invocation, const Database& database, const MiningOptions& options,
                          const ItemsetSink& sink) {
  return invocation.has("top") ? mine_by_support(database, options, sink, invocation.progress())
                               : mine_itemsets(database, options, sink, invocation.progress());
}

Result<MiningCounts> mine_lines(Invocation& invocation, const BasketFile& file, const MiningOptions& options) {
  const PatternListing listing(file, figures_of(invocation));
  MiningCounts counts;
  GAUZE_TRY_VOID(write_for_owner(invocation, [&](const publish::ByteSink& sink) -> Result<void> {
    Result<void> written;
    const auto write = [&](std::span<const Item> set, std::uint64_t support) {
      written = sink(listing.line(set, support));
      return written.has_value();
    };
    GAUZE_TRY(counts, mine(invocation, file.database(), options, write));
    return written;
  }));
  return counts;
}

Result<MiningCounts> mine_objects(Invocation& invocation, const BasketFile& file, const MiningOptions& options,
                                  Json& sets) {
  const PatternListing listing(file, figures_of(invocation));
  const auto add = [&](std::span<const Item> set, std::uint64_t support) {
    sets.push(listing.to_json(set, support));
    return true;
  };
  return mine(invocation, file.database(), options, add);
}

void say_what_was_mined(Invocation& invocation, const Database& database, const MiningOptions& options,
                        const MiningCounts& counts) {
  if (!invocation.has("count-only")) {
    invocation.note(fmt::format("{} in at least {} of {}", counted(counts.itemsets, "itemset"), options.min_count,
                                counted(database.rows(), "transaction")));
    return;
  }
  const bool more = counts.more_than_counted || counts.stopped_by == "max-itemsets";
  invocation.out().print("{}{}\n", more ? "more than " : counts.complete ? "" : "at least ", counts.itemsets);
}

Result<int> run_mine(Invocation& invocation) {
  GAUZE_TRY_VOID(check_mine_flags(invocation));
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const std::optional<std::uint64_t> top, top_of(invocation));
  const double started = cpu_seconds();
  GAUZE_TRY(const BasketFile file, read_baskets(invocation, path));
  const Database& database = file.database();
  GAUZE_TRY(MiningOptions options, mining_options(invocation, database.rows(), top.has_value()));
  options.kind = invocation.has("closed")    ? ItemsetKind::closed
                 : invocation.has("maximal") ? ItemsetKind::maximal
                                             : ItemsetKind::frequent;
  mention_marks(invocation, database);
  const double read = cpu_seconds();
  if (top) {
    GAUZE_TRY(options.min_count, top_threshold(database, options, *top, invocation.progress()));
  }
  const Listing listing = listing_of(invocation);
  if (listing != Listing::none && !options.max_itemsets) options.max_itemsets = kMostItemsets;
  Json sets = Json::array();
  GAUZE_TRY(const MiningCounts counts, listing == Listing::lines ? mine_lines(invocation, file, options)
                                       : listing == Listing::objects
                                           ? mine_objects(invocation, file, options, sets)
                                           : count_itemsets(database, options, invocation.progress()));
  const double mined = cpu_seconds();
  invocation.end_progress();
  warn_if_cut(invocation, counts, options);
  if (top && counts.complete && counts.itemsets > *top)
    invocation.note(fmt::format("{} sets, not {}: those with support {} are all there", counts.itemsets, *top,
                                options.min_count));
  if (top && counts.complete && counts.itemsets < *top)
    invocation.note(fmt::format("there are only {} such sets", counts.itemsets));
  if (!invocation.json()) {
    say_what_was_mined(invocation, database, options, counts);
    return 0;
  }
  Json object = to_json(database, options, counts);
  object.set("seconds", Json::object({{"read", read - started}, {"mine", mined - read}}));
  if (listing == Listing::objects) object.set("sets", std::move(sets));
  invocation.print_json(object);
  return 0;
}

Result<RuleOptions> rule_options(const Invocation& invocation, std::uint64_t rows) {
  RuleOptions options;
  GAUZE_TRY(options.mining, mining_options(invocation, rows, false));
  if (!options.mining.max_itemsets) options.mining.max_itemsets = kMostItemsets;
  GAUZE_TRY(options.min_confidence, invocation.rational("min-confidence"));
  GAUZE_TRY(options.min_lift, invocation.rational("min-lift"));
  options.single_consequent = invocation.has("single");
  if (invocation.has("max-rules")) {
    GAUZE_TRY(const std::int64_t most, invocation.integer("max-rules", 1));
    options.max_rules = static_cast<std::uint64_t>(most);
  }
  GAUZE_TRY(options.top, top_of(invocation));
  if (invocation.has("by") && !options.top)
    return make_error(ErrorCode::usage, "--by says what --top goes by: give both");
  GAUZE_TRY(options.by, invocation.value("by", kRuleMeasureWords));
  return options;
}

Result<int> run_rules(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const BasketFile file, read_baskets(invocation, path));
  const Database& database = file.database();
  GAUZE_TRY(const RuleOptions options, rule_options(invocation, database.rows()));
  if (invocation.json() && invocation.has("output"))
    return make_error(ErrorCode::usage, "with --json the rules are in the object: leave -o out");
  mention_marks(invocation, database);
  const PatternListing listing(file, figures_of(invocation));
  Json list = Json::array();
  RuleCounts counts;
  GAUZE_TRY_VOID(write_for_owner(invocation, [&](const publish::ByteSink& sink) -> Result<void> {
    Result<void> written;
    const auto take = [&](const AssociationRule& rule) {
      if (invocation.json())
        list.push(listing.to_json(rule));
      else
        written = sink(listing.line(rule));
      return written.has_value();
    };
    GAUZE_TRY(counts, mine_rules(database, options, take, invocation.progress()));
    return written;
  }));
  invocation.end_progress();
  warn_if_cut(invocation, counts.itemsets, options.mining);
  if (counts.itemsets.complete && !counts.complete)
    invocation.warn({"stopped_by_limit", "stopped by --max-rules: there are more than these"});
  if (options.top && counts.complete && counts.rules > *options.top)
    invocation.note(
        fmt::format("{} rules, not {}: those that equal the last are all there", counts.rules, *options.top));
  if (invocation.json()) {
    Json object = to_json(database, options, counts);
    object.set("rules", std::move(list));
    invocation.print_json(object);
  } else {
    invocation.note(counted(counts.rules, "rule"));
  }
  return 0;
}

void register_mine(Registry& registry) {
  std::vector<Flag> flags = mining_flags();
  flags.push_back(
      {.name = "top",
       .placeholder = "K",
       .help = "the K sets that most transactions hold, and all that tie with the last; needs no threshold"});
  flags.push_back({.name = "closed", .help = "only sets without a larger one of the same support"});
  flags.push_back({.name = "maximal", .help = "only sets without a larger frequent one"});
  flags.push_back({.name = "count-only", .help = "count the sets without listing them: much faster"});
  registry.add(
      {.name = "patterns mine",
       .group = "Patterns",
       .summary = "Find the itemsets that many transactions share",
       .description =
           "A transaction is what belongs together: a shopping basket, a visit, the words of a text. Lists every set of "
           "items that at least so many transactions hold, one a line, with the number of these transactions (its support) "
           "in brackets. Thresholds are exact: 0.29 of 100 is 29.\n\n"
           "An item marked as unknown (`?item`) counts as absent. With --intervals a support that marks leave open is printed "
           "as `12..15`: definitely 12, at most 15. Sets that are frequent only if marks stand for items are not "
           "listed.\n\n"
           "What is found is the owner's: it is no release and has no guarantee.\n\n"
           "With --json: transactions, items, min_count, itemsets, complete, by_size, seconds (of processor time); with --top or "
           "--intervals and no -o also sets.",
       .examples = {{"gauze patterns mine baskets.dat --min-support 0.01 -o sets.txt",
                     "all frequent sets, into a file"},
                    {"gauze patterns mine baskets.csv --top 20 --min-size 2", "the 20 most frequent combinations"},
                    {"gauze patterns mine orders.csv --transaction order --item product --min-count 100 --closed",
                     "from a table with a line for each item"},
                    {"gauze patterns mine baskets.dat --min-support 0.001 --count-only --json",
                     "how many there are"}},
       .positionals = {basket_positional()},
       .flags = std::move(flags),
       .run = run_mine});
}

void register_rules(Registry& registry) {
  std::vector<Flag> flags = mining_flags();
  flags.push_back(
      {.name = "min-confidence", .placeholder = "C", .help = "how often the rule must hold", .default_text = "0.5"});
  flags.push_back(
      {.name = "min-lift", .placeholder = "L", .help = "how far above chance it must be", .default_text = "0"});
  flags.push_back({.name = "single", .help = "only rules with one item on the right"});
  flags.push_back({.name = "max-rules", .placeholder = "N", .help = "stop after so many"});
  flags.push_back({.name = "top",
                   .placeholder = "K",
                   .help = "only the K best rules, the best first, and all that tie with the last"});
  flags.push_back({.name = "by",
                   .placeholder = "MEASURE",
                   .help = "what --top goes by",
                   .default_text = "lift",
                   .choices = all_words(kRuleMeasureWords)});
  registry.add(
      {.name = "patterns rules",
       .group = "Patterns",
       .summary = "Find rules: who has these items also has those",
       .description =
           "Lists the association rules `A => B` of a file: of the transactions that hold A, the share that also holds B (the "
           "confidence) is large enough, and so is the number that holds both (the support). The lift "
           "compares that with chance: 1 means that the two sides have nothing to do with each other.\n\n"
           "With --json: what `patterns mine` prints, rules_total, and rules with if, then, support, confidence, lift, "
           "conviction, leverage, jaccard, kulczynski, imbalance; with --intervals also support_interval and confidence_interval.",
       .examples = {{"gauze patterns rules baskets.csv --min-support 0.01 --min-confidence 0.6 --min-lift 1.5",
                     "what goes together more than by chance"},
                    {"gauze patterns rules baskets.csv --min-support 0.01 --top 10 --by lift", "the ten strongest"}},
       .positionals = {basket_positional()},
       .flags = std::move(flags),
       .run = run_rules});
}

}  // namespace

void register_patterns_mine_commands(Registry& registry) {
  register_mine(registry);
  register_rules(registry);
}

}  // namespace gauze::cli
