#include "gauze/patterns/job/suggestion_list.h"

#include <fmt/core.h>

#include "gauze/patterns/baskets/item_names.h"
#include "gauze/patterns/hiding/sensitive_patterns.h"

namespace gauze::patterns {
namespace {

std::string head_text(const SuggestOptions& options, const Suggestions& found, std::uint64_t rows) {
  return fmt::format(
      "# Patterns that may be sensitive, for hiding: delete the lines of those that are not.\n"
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

}  // namespace

Result<void> write_sensitive_file(const Database& database, const SuggestOptions& options, const Suggestions& found,
                                  const std::function<Result<void>(std::string_view)>& sink) {
  GAUZE_TRY_VOID(sink(head_text(options, found, database.rows())));
  for (const Suggestion& one : found.candidates) GAUZE_TRY_VOID(sink(candidate_text(database, one)));
  return {};
}

Json to_json(const Database& database, const SuggestOptions& options, const Suggestions& found) {
  Json list = Json::array();
  for (const Suggestion& one : found.candidates) list.push(candidate_json(database, one));
  return Json::object({{"transactions", database.rows()},
                       {"items", database.names.size()},
                       {"min_count", options.mining.min_count},
                       {"complete", found.itemsets.complete},
                       {"candidates_total", found.found},
                       {"significant_total", found.significant},
                       {"items_tested", found.items_tested},
                       {"candidates", std::move(list)}});
}

}  // namespace gauze::patterns
