// patterns suggest: which patterns the owner may want to hide.
#include <algorithm>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/patterns/basket_flags.h"
#include "gauze/cli/patterns/itemset_output.h"
#include "gauze/patterns/hiding/sensitive_patterns.h"
#include "gauze/patterns/mining/suggestions.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

Result<SuggestOptions> suggest_options(const Invocation& invocation, std::uint64_t rows) {
  SuggestOptions options;
  GAUZE_TRY(const BasketThreshold threshold, basket_threshold(invocation, rows));
  options.mining.min_count = threshold.count;
  options.mining.max_itemsets = kMostItemsets;
  if (invocation.has("max-size")) {
    GAUZE_TRY(const std::int64_t size, invocation.integer("max-size", 2, 1'000'000));
    options.mining.max_size = static_cast<std::size_t>(size);
  }
  GAUZE_TRY(options.min_confidence, invocation.rational("min-confidence"));
  GAUZE_TRY(options.min_interest, invocation.rational("min-interest"));
  GAUZE_TRY(const Rational significance, invocation.rational("significance"));
  options.significance = significance.to_double();
  options.significant_only = invocation.has("significant-only");
  if (invocation.has("top")) {
    GAUZE_TRY(const std::int64_t wanted, invocation.integer("top", 1));
    options.top = static_cast<std::uint64_t>(wanted);
  }
  return options;
}

Json candidate_json(const Database& database, const Suggestion& one) {
  return Json::object({{"items", names_json(database, one.items)},
                       {"if", names_json(database, one.if_items)},
                       {"then", names_json(database, one.then_items)},
                       {"support", one.support},
                       {"confidence", one.confidence},
                       {"interest", one.interest},
                       {"p_value", one.p_value},
                       {"p_corrected", one.p_corrected},
                       {"significant", one.significant}});
}

std::string head_text(const SuggestOptions& options, const Suggestions& found, std::uint64_t rows) {
  return fmt::format(
      "# Patterns that may be sensitive, for gauze patterns hide --sensitive: delete the lines of those that are not.\n"
      "# {} of {} transactions or more, confidence at least {}, interest above {}.\n"
      "# p: if items had nothing to do with each other, the chance of such a support, or a larger one, would be at most this\n"
      "# (exactly this for pairs); corrected for all sets that {} frequent items make. Significant: corrected at most {:.4g}.\n",
      options.mining.min_count, rows, options.min_confidence.to_decimal(), options.min_interest.to_decimal(),
      found.items_tested, options.significance);
}

std::string candidate_text(const Database& database, const Suggestion& one) {
  const double percent = 100 * static_cast<double>(one.support) / static_cast<double>(database.rows());
  std::string text =
      fmt::format("\n# support {} ({:.3g} %), confidence {:.4g}, interest {:.4g}, p {:.2g}, corrected {:.2g}: {}\n",
                  one.support, percent, one.confidence, one.interest, one.p_value, one.p_corrected,
                  one.significant ? "significant" : "may be chance");
  const std::string line = sensitive_line(database, one);
  const auto back = parse_sensitive(line, database);
  const bool reads_back = back && back->patterns.size() == 1 && back->patterns[0].items == one.items;
  return text + (reads_back ? "" : "# (its names cannot be written in such a file) ") + line + "\n";
}

Result<int> run_suggest(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  GAUZE_TRY(const BasketFile file, read_baskets(invocation, path));
  const Database& database = file.database();
  GAUZE_TRY(const SuggestOptions options, suggest_options(invocation, database.rows()));
  const bool to_file = invocation.has("output");
  if (invocation.json() && invocation.optional_text("output") == "-")
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  GAUZE_TRY(const Suggestions found, suggest_patterns(database, options, invocation.progress()));
  invocation.end_progress();
  if (!found.itemsets.complete)
    invocation.note(
        fmt::format("stopped after {} frequent sets: there are more; raise the threshold or give --max-size",
                    found.itemsets.itemsets));
  if (to_file || !invocation.json()) {
    GAUZE_TRY(LineOutput output, LineOutput::make(invocation));
    output.write(head_text(options, found, database.rows()));
    for (const Suggestion& one : found.candidates) output.write(candidate_text(database, one));
    GAUZE_TRY_VOID(output.finish());
    invocation.note(fmt::format("{} candidates, {} of them significant{}", found.found, found.significant,
                                found.candidates.size() < found.found
                                    ? fmt::format("; the first {} are written", found.candidates.size())
                                    : ""));
  }
  if (!invocation.json()) return 0;
  Json list = Json::array();
  for (const Suggestion& one : found.candidates) list.push(candidate_json(database, one));
  Json object = Json::object({{"transactions", database.rows()},
                              {"items", database.names.size()},
                              {"min_count", options.mining.min_count},
                              {"complete", found.itemsets.complete},
                              {"candidates_total", found.found},
                              {"significant_total", found.significant},
                              {"items_tested", found.items_tested},
                              {"candidates", std::move(list)}});
  invocation.print_json(object);
  return 0;
}

}  // namespace

void register_patterns_suggest_commands(Registry& registry) {
  std::vector<Flag> flags = basket_threshold_flags();
  const std::vector<Flag> more = {
      {.name = "min-confidence",
       .placeholder = "C",
       .help = "how often the rule must hold, between 0 and 1",
       .default_text = "0.5"},
      {.name = "min-interest",
       .placeholder = "I",
       .help = "how many times more often than by chance the items must occur together: more than this",
       .default_text = "1"},
      {.name = "max-size", .placeholder = "N", .help = "only sets of at most so many items"},
      {.name = "significance",
       .placeholder = "A",
       .help = "the largest probability that chance alone makes any candidate significant",
       .default_text = "0.05"},
      {.name = "significant-only", .help = "leave out candidates that may be chance"},
      {.name = "top", .placeholder = "K", .help = "only the K surest candidates"},
      {.name = "output",
       .short_name = 'o',
       .placeholder = "OUT",
       .help = "where the list is written; - or none: the standard output",
       .is_file = true,
       .makes = Makes::file,
       .or_stdout = true}};
  flags.insert(flags.end(), more.begin(), more.end());
  registry.add(
      {.name = "patterns suggest",
       .group = "Patterns",
       .summary = "Suggest patterns that may be sensitive, as a list to edit",
       .description =
           "Lists combinations of items that occur together often (support), reliably (confidence) and more than by chance "
           "(interest): these tell a reader something, so they are the ones an owner may want to hide. Which of them are "
           "sensitive only the owner knows. The list is written in the form that `patterns hide --sensitive` reads: delete the "
           "lines that need no hiding.\n\n"
           "Each candidate is tested: how likely, at most, is such a support if the items had nothing to do with each other? With "
           "very many combinations some stand out by chance, so the probability is corrected for all that were looked at. Of "
           "candidates called significant, with probability 95 % (--significance 0.05) none is there by chance alone.\n\n"
           "With --json: candidates with items, if, then, support, confidence, interest, p_value (the chance, or for "
           "three or more items an upper bound of it), p_corrected, significant; transactions, items, min_count, complete, "
           "candidates_total, significant_total, items_tested.",
       .examples = {{"gauze patterns suggest baskets.csv --min-support 0.01 --min-confidence 0.4 -o secret.txt",
                     "a list to edit"},
                    {"gauze patterns suggest baskets.dat --min-count 50 --significant-only --top 20",
                     "the 20 that are surest"}},
       .positionals = {basket_positional()},
       .flags = std::move(flags),
       .run = run_suggest});
}

}  // namespace gauze::cli
