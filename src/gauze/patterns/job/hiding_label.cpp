#include "gauze/patterns/job/hiding_label.h"

#include <fmt/core.h>

#include <algorithm>

namespace gauze::patterns {

PrivacyLabel make_label(const HidingOptions& options, const HidingResult& result, RowOrder order) {
  const HidingLevel level = std::min(result.level, options.level);
  const bool has_marks = result.released.has_marks();
  PrivacyLabel label;
  label.released.kind = "transactions with hidden patterns";
  label.mechanism =
      fmt::format("{}{}", word_of(kAlgorithmWords, options.algorithm), options.as_published ? ", as published" : "");
  label.parameters = Json::object({{"level", word_of(kLevelWords, level)},
                                   {"operation", word_of(kChangeWords, options.change)},
                                   {"mark_style", word_of(kMarkStyleWords, options.mark_style)},
                                   {"order", order == RowOrder::shuffled ? "random" : "that of the original"}});
  label.privacy_unit = "the patterns that the owner listed";
  label.definition = Definition::pattern_hiding;
  if (level >= HidingLevel::h1)
    label.covers.emplace_back("fewer transactions than the owner's threshold hold each listed pattern definitely");
  if (level >= HidingLevel::h1 && options.min_confidence)
    label.covers.back() += ", or a listed rule holds less often than the owner's confidence";
  if (level >= HidingLevel::h2)
    label.covers.emplace_back("the same among the transactions that marks leave nothing open in");
  if (level >= HidingLevel::h3) label.covers.emplace_back("the same if every mark stood for an item");
  label.does_not_cover = {"differential privacy: nothing is promised about single transactions",
                          "readers with a lower threshold than the owner's"};
  if (order == RowOrder::kept)
    label.does_not_cover.emplace_back(
        "the order of the transactions: it is that of the original, and links them to it and to other releases");
  if (level == HidingLevel::none) {
    label.definition = Definition::none;
    label.warning = "not hidden: the level asked for was not reached, and the file was written all the same";
  }
  if (level < HidingLevel::h2 && has_marks)
    label.does_not_cover.emplace_back(
        "readers who leave out transactions with marks: they may find the patterns again");
  if (level < HidingLevel::h3 && has_marks)
    label.does_not_cover.emplace_back("readers who fill the marks in: they find the patterns again");
  if (!result.released.marks.empty())
    label.does_not_cover.emplace_back("what marks that name their items stand for: it is there to read");
  return label;
}

}  // namespace gauze::patterns
