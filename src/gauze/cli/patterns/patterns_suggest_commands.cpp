// patterns suggest: which patterns the owner may want to hide.
#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/owner_output.h"
#include "gauze/cli/patterns/basket_flags.h"
#include "gauze/patterns/job/suggestion_list.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

Result<SuggestOptions> suggest_options(const Invocation& invocation, std::uint64_t rows) {
  SuggestOptions options;
  GAUZE_TRY(const HidingThreshold threshold, basket_threshold(invocation, rows));
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
    invocation.warn(
        {"stopped_by_limit",
         fmt::format("stopped after {} frequent sets: there are more; raise the threshold or give --max-size",
                     found.itemsets.itemsets)});
  if (to_file || !invocation.json()) {
    GAUZE_TRY_VOID(write_for_owner(invocation, [&](const publish::ByteSink& sink) {
      return write_sensitive_file(database, options, found, sink);
    }));
    invocation.note(fmt::format("{}, {} of them significant{}", counted(found.found, "candidate"), found.significant,
                                found.candidates.size() < found.found
                                    ? fmt::format("; the first {} are written", found.candidates.size())
                                    : ""));
  }
  if (invocation.json()) invocation.print_json(to_json(database, options, found));
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
