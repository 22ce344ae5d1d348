#include "gauze/patterns/hiding/pattern_standing.h"

#include <algorithm>

#include "gauze/patterns/mining/exact_count.h"

namespace gauze::patterns {
namespace {

/// Whether a reader finds the pattern who counts `held` of `rows` transactions, where the left side of a rule is in `left`.
bool is_found(std::uint64_t held, std::uint64_t rows, std::uint64_t left, const HidingThreshold& threshold) {
  if (exact_count(held) < threshold.share * exact_count(rows)) return false;
  return !threshold.confidence || exact_count(held) >= *threshold.confidence * exact_count(left);
}

}  // namespace

void tally(PatternStanding& standing, bool is_rule, RowStanding left, RowStanding right, std::uint32_t anonymous,
           std::int64_t sign) {
  const auto add = [sign](std::uint64_t& value) {
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value) + sign);
  };
  const bool left_sure = left.open == 0 && left.absent == 0;
  if (left_sure && right.open == 0 && right.absent == 0) {
    add(standing.definite);
    return;
  }
  const bool possible = left.absent + right.absent <= anonymous;
  const bool marked = left.open + right.open + anonymous > 0;
  if (possible) add(standing.undetermined);
  if (marked) add(standing.touched);
  if (!is_rule || !left_sure) return;
  add(possible ? standing.left_only : standing.fails);
  if (!possible && !marked) add(standing.clean_fails);
}

std::vector<PatternStanding> standings_in(const Database& database, std::span<const PatternShape> patterns) {
  std::vector<Itemset> right(patterns.size());
  for (std::size_t p = 0; p < patterns.size(); ++p)
    std::set_difference(patterns[p].items.begin(), patterns[p].items.end(), patterns[p].left.begin(),
                        patterns[p].left.end(), std::back_inserter(right[p]));
  std::vector<PatternStanding> result(patterns.size());
  for (std::size_t row = 0; row < database.rows(); ++row) {
    const auto items = database.row(row);
    const std::uint32_t anonymous = database.anonymous_of(row);
    const bool open = !database.marks_of(row).empty() || anonymous > 0;
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      const PatternShape& one = patterns[p];
      // Without marks only rows that hold all, or the left side of a rule, count.
      if (!open && !holds(items, one.left.empty() ? one.items : one.left)) continue;
      tally(result[p], !one.left.empty(), standing_in_row(database, row, one.left),
            standing_in_row(database, row, right[p]), anonymous, 1);
    }
  }
  return result;
}

HidingThreshold HidingThreshold::of_count(std::uint64_t count, std::uint64_t rows) {
  return {.count = count, .share = rows == 0 ? Rational(1) : exact_count(count) / exact_count(rows)};
}

HidingThreshold HidingThreshold::of_share(const Rational& share, std::uint64_t rows) {
  return {.count = min_count_for(share, rows), .share = share};
}

HidingLevel level_of(const PatternStanding& standing, const HidingThreshold& threshold, std::uint64_t rows) {
  const std::uint64_t definite = standing.definite;
  const bool rare = definite + threshold.margin < threshold.count;
  const bool weak =
      threshold.confidence &&
      exact_count(definite) < *threshold.confidence * exact_count(definite + standing.left_only + standing.fails);
  if (!rare && !weak) return HidingLevel::none;
  if (standing.undetermined >= rows || standing.touched >= rows) return HidingLevel::h1;
  if (is_found(definite, rows - standing.undetermined, definite + standing.fails, threshold) ||
      is_found(definite, rows - standing.touched, definite + standing.clean_fails, threshold))
    return HidingLevel::h1;
  // The way to fill the marks in that makes it most frequent also makes it hold most often.
  const std::uint64_t most = definite + standing.undetermined;
  return most >= threshold.count && is_found(most, rows, most + standing.fails, threshold) ? HidingLevel::h2
                                                                                           : HidingLevel::h3;
}

}  // namespace gauze::patterns
