// patterns mine, patterns rules: what is frequent in transactions.
#include <algorithm>

#include "gauze/base/cpu_time.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/patterns/basket_flags.h"
#include "gauze/cli/patterns/itemset_output.h"
#include "gauze/patterns/mining/association_rules.h"
#include "gauze/patterns/mining/interval_support.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

std::vector<Flag> mining_flags() {
  std::vector<Flag> flags = basket_threshold_flags();
  const std::vector<Flag> more = {
      {.name = "min-size", .placeholder = "N", .help = "only sets of at least so many items", .default_text = "1"},
      {.name = "max-size", .placeholder = "N", .help = "only sets of at most so many items"},
      {.name = "max-itemsets",
       .placeholder = "N",
       .help =
           "stop beyond so many sets; the result says that it is not complete. Default: 10 million where sets are "
           "listed, none where they are counted"},
      {.name = "time-limit", .placeholder = "SECONDS", .help = "stop after so much processor time; the same"},
      {.name = "intervals",
       .help = "where unknown marks leave it open: the smallest and largest figures that are possible"},
      {.name = "output",
       .short_name = 'o',
       .placeholder = "OUT",
       .help = "where what is found is written; - or none: the standard output",
       .is_file = true,
       .makes = Makes::file,
       .or_stdout = true}};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

Result<std::optional<std::uint64_t>> top_of(const Invocation& invocation) {
  std::optional<std::uint64_t> top;
  if (invocation.has("top")) {
    GAUZE_TRY(const std::int64_t wanted, invocation.integer("top", 1, 1'000'000'000));
    top = static_cast<std::uint64_t>(wanted);
  }
  return top;
}

Result<MiningOptions> mining_options(const Invocation& invocation, std::uint64_t rows, bool threshold_optional) {
  MiningOptions options;
  if (!threshold_optional || invocation.has("min-support") || invocation.has("min-count")) {
    GAUZE_TRY(const BasketThreshold threshold, basket_threshold(invocation, rows));
    options.min_count = threshold.count;
  }
  GAUZE_TRY(const std::int64_t least, invocation.integer("min-size", 1, 1'000'000));
  options.min_size = static_cast<std::size_t>(least);
  if (invocation.has("max-size")) {
    GAUZE_TRY(const std::int64_t size, invocation.integer("max-size", 1, 1'000'000));
    options.max_size = static_cast<std::size_t>(size);
    if (size < least) return invalid_parameter("--max-size must not be smaller than --min-size");
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
  if (counts.more_than_counted) object.set("more_than_counted", true);
  return object;
}

void warn_if_cut(Invocation& invocation, const MiningCounts& counts, const MiningOptions& options) {
  if (counts.stopped_by == "max-itemsets" && !invocation.has("max-itemsets"))
    invocation.note(
        fmt::format("stopped after {} sets: there are more than these; --max-itemsets N lists more, and "
                    "--count-only says how many there are",
                    *options.max_itemsets));
  else if (!counts.complete)
    invocation.note(fmt::format("stopped by --{}: there are more than these", counts.stopped_by));
  if (counts.more_than_counted)
    invocation.note(fmt::format("there are more itemsets than can be counted: more than {}", kMostCounted));
}

void mention_marks(Invocation& invocation, const Database& database) {
  if (database.has_marks() && !invocation.has("intervals"))
    invocation.note("the file has unknown marks; they count as absent, and --intervals says what they leave open");
}

/// `12`, or `12..15` where marks leave it open.
std::string range_text(const SupportInterval& interval) {
  return interval.low == interval.high ? std::to_string(interval.low)
                                       : fmt::format("{}..{}", interval.low, interval.high);
}

Json range_json(const SupportInterval& interval) { return Json::array({Json(interval.low), Json(interval.high)}); }

/// Writes the sets of a listing, at once or, for the most frequent, in order.
class SetWriter {
 public:
  SetWriter(Invocation& invocation, const BasketFile& file, LineOutput* output)
      : file_(file), database_(file.database()), output_(output) {
    if (invocation.has("intervals")) index_.emplace(database_);
    sorted_ = invocation.has("top");
  }
  void take(std::span<const Item> set, std::uint64_t support) {
    if (sorted_)
      kept_.emplace_back(support, Itemset(set.begin(), set.end()));
    else
      write(set, support);
  }
  void finish() {
    std::stable_sort(kept_.begin(), kept_.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [support, set] : kept_) write(set, support);
  }
  [[nodiscard]] Json& sets() { return sets_; }

 private:
  void write(std::span<const Item> set, std::uint64_t support) {
    const SupportInterval range = index_ ? index_->support(set, support) : SupportInterval{support, support};
    if (output_ != nullptr) {
      output_->write(fmt::format("{} ({})\n", names_text(database_, set, file_.format()), range_text(range)));
      return;
    }
    Json one = Json::object({{"items", names_json(database_, set)}, {"support", support}});
    if (index_) one.set("support_interval", range_json(range));
    sets_.push(std::move(one));
  }

  const BasketFile& file_;
  const Database& database_;
  LineOutput* output_;
  std::optional<IntervalIndex> index_;
  bool sorted_ = false;
  std::vector<std::pair<std::uint64_t, Itemset>> kept_;
  Json sets_ = Json::array();
};

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
  // Sets go to a file, to the screen, or into the object; with --json alone and with --count-only they are counted.
  const bool in_object = invocation.json() && !invocation.has("output") && !invocation.has("count-only") &&
                         (top || invocation.has("intervals"));
  const bool listed = invocation.has("output") || in_object || (!invocation.json() && !invocation.has("count-only"));
  MiningCounts counts;
  Json sets;
  if (listed) {
    if (!options.max_itemsets) options.max_itemsets = kMostItemsets;
    std::optional<LineOutput> output;
    if (!in_object) {
      GAUZE_TRY(LineOutput opened, LineOutput::make(invocation));
      output.emplace(std::move(opened));
    }
    SetWriter writer(invocation, file, output ? &*output : nullptr);
    const auto sink = [&](std::span<const Item> set, std::uint64_t support) {
      writer.take(set, support);
      return true;
    };
    GAUZE_TRY(counts, mine_itemsets(database, options, sink, invocation.progress()));
    writer.finish();
    if (output) GAUZE_TRY_VOID(output->finish());
    sets = std::move(writer.sets());
  } else {
    GAUZE_TRY(counts, count_itemsets(database, options, invocation.progress()));
  }
  const double mined = cpu_seconds();
  invocation.end_progress();
  warn_if_cut(invocation, counts, options);
  if (top && counts.complete && counts.itemsets > *top)
    invocation.note(fmt::format("{} sets, not {}: those with support {} are all there", counts.itemsets, *top,
                                options.min_count));
  if (top && counts.complete && counts.itemsets < *top)
    invocation.note(fmt::format("there are only {} such sets", counts.itemsets));
  if (invocation.json()) {
    Json object = summary(database, options, counts);
    object.set("seconds", Json::object({{"read", read - started}, {"mine", mined - read}}));
    if (in_object) object.set("sets", std::move(sets));
    invocation.print_json(object);
  } else if (invocation.has("count-only")) {
    const bool more = counts.more_than_counted || counts.stopped_by == "max-itemsets";
    invocation.out().print("{}{}\n", more ? "more than " : counts.complete ? "" : "at least ", counts.itemsets);
  } else {
    invocation.note(fmt::format("{} itemsets in at least {} of {} transactions", counts.itemsets, options.min_count,
                                database.rows()));
  }
  return 0;
}

/// Writes rules as lines or as objects.
class RuleWriter {
 public:
  RuleWriter(Invocation& invocation, const BasketFile& file, LineOutput& output)
      : json_(invocation.json()), file_(file), database_(file.database()), output_(output) {
    if (invocation.has("intervals")) index_.emplace(database_);
  }

  void take(const AssociationRule& rule) {
    if (json_)
      list_.push(object(rule));
    else
      output_.write(line(rule));
  }
  [[nodiscard]] Json& list() { return list_; }

 private:
  struct Ranges {
    SupportInterval support;
    ConfidenceInterval confidence;
  };
  [[nodiscard]] Ranges ranges(const AssociationRule& rule) const {
    Itemset both = rule.a;
    both.insert(both.end(), rule.b.begin(), rule.b.end());
    // A rule that is found holds somewhere, so its confidence is defined.
    return {index_->support(both, rule.support),
            index_->confidence(rule.a, rule.b, rule.support, rule.support_a).value_or(ConfidenceInterval{})};
  }
  [[nodiscard]] Json object(const AssociationRule& rule) const {
    Json one = Json::object({{"if", names_json(database_, rule.a)},
                             {"then", names_json(database_, rule.b)},
                             {"support", rule.support},
                             {"confidence", rule.confidence()},
                             {"lift", rule.lift(database_.rows())},
                             {"conviction", rule.conviction(database_.rows())}});
    if (!index_) return one;
    const Ranges open = ranges(rule);
    one.set("support_interval", range_json(open.support));
    one.set("confidence_interval", Json::array({Json(open.confidence.low), Json(open.confidence.high)}));
    return one;
  }
  [[nodiscard]] std::string line(const AssociationRule& rule) const {
    std::string support = std::to_string(rule.support);
    std::string confidence = fmt::format("{:.4g}", rule.confidence());
    if (index_) {
      const Ranges open = ranges(rule);
      support = range_text(open.support);
      if (open.confidence.low != open.confidence.high)
        confidence = fmt::format("{:.4g}..{:.4g}", open.confidence.low, open.confidence.high);
    }
    return fmt::format("{} => {} (support {}, confidence {}, lift {:.4g})\n",
                       names_text(database_, rule.a, file_.format()), names_text(database_, rule.b, file_.format()),
                       support, confidence, rule.lift(database_.rows()));
  }

  bool json_;
  const BasketFile& file_;
  const Database& database_;
  LineOutput& output_;
  std::optional<IntervalIndex> index_;
  Json list_ = Json::array();
};

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
  GAUZE_TRY(const std::string by, invocation.text("by"));
  options.by = static_cast<RuleMeasure>(std::find(kRuleMeasureWords.begin(), kRuleMeasureWords.end(), by) -
                                        kRuleMeasureWords.begin());
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
  GAUZE_TRY(LineOutput output, LineOutput::make(invocation));
  RuleWriter writer(invocation, file, output);
  const auto sink = [&](const AssociationRule& rule) {
    writer.take(rule);
    return true;
  };
  GAUZE_TRY(const RuleCounts counts, mine_rules(database, options, sink, invocation.progress()));
  GAUZE_TRY_VOID(output.finish());
  invocation.end_progress();
  warn_if_cut(invocation, counts.itemsets, options.mining);
  if (counts.itemsets.complete && !counts.complete)
    invocation.note("stopped by --max-rules: there are more than these");
  if (options.top && counts.complete && counts.rules > *options.top)
    invocation.note(
        fmt::format("{} rules, not {}: those that equal the last are all there", counts.rules, *options.top));
  if (invocation.json()) {
    Json object = summary(database, options.mining, counts.itemsets);
    object.set("complete", counts.complete).set("rules_total", counts.rules).set("rules", std::move(writer.list()));
    invocation.print_json(object);
  } else {
    invocation.note(fmt::format("{} rules", counts.rules));
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
                   .choices = {kRuleMeasureWords.begin(), kRuleMeasureWords.end()}});
  registry.add(
      {.name = "patterns rules",
       .group = "Patterns",
       .summary = "Find rules: who has these items also has those",
       .description =
           "Lists the association rules `A => B` of a file: of the transactions that hold A, the share that also holds B (the "
           "confidence) is large enough, and so is the number that holds both (the support). The lift, also called interest, "
           "compares that with chance: 1 means that the two sides have nothing to do with each other.\n\n"
           "With --json: what `patterns mine` prints, rules_total, and rules with if, then, support, confidence, lift, "
           "conviction; with --intervals also support_interval and confidence_interval.",
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
