#pragma once
// Criteria as text: the grammar of the flags, the words of the policy, and the way labels name them. What is written
// here reads back to the same criterion.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "gauze/anonymize/policy/criteria.h"
#include "gauze/base/error.h"

namespace gauze::anonymize {

/// A figure with all its digits: what reads it gets the same figure.
[[nodiscard]] std::string exact_text(const Rational& value);

// The words for the values of each enumeration, in its order.
inline constexpr std::array<std::string_view, 3> kDiversityWords = {"distinct", "entropy", "recursive"};
inline constexpr std::array<std::string_view, 3> kDistanceWords = {"equal", "ordered", "hierarchical"};
inline constexpr std::array<std::string_view, 2> kLikenessWords = {"basic", "enhanced"};
inline constexpr std::array<std::string_view, 6> kMetricWords = {"loss", "loss_geometric", "discernibility",
                                                                 "aecs", "entropy",        "precision"};
inline constexpr std::array<std::string_view, 3> kSearchWords = {"optimal", "local", "mondrian"};

/// The word of an enumeration's value: word_of(kMetricWords, Metric::loss) is "loss".
template <class Enum, std::size_t N>
[[nodiscard]] constexpr std::string_view word_of(const std::array<std::string_view, N>& words, Enum value) {
  return words[static_cast<std::size_t>(value)];
}

/// `COL:distinct:3`, `COL:entropy:2.5`, `COL:recursive:3:4` (l = 3, c = 4). The column is what is left of the known
/// words, so it may contain colons.
[[nodiscard]] Result<LDiversity> parse_l_diversity(std::string_view text);
/// `COL:equal:0.2`, `COL:ordered:0.2`, `COL:hierarchical:0.2`.
[[nodiscard]] Result<TCloseness> parse_t_closeness(std::string_view text);
/// `COL:1`.
[[nodiscard]] Result<DeltaDisclosure> parse_delta_disclosure(std::string_view text);
/// `COL:enhanced:2`, `COL:basic:2`.
[[nodiscard]] Result<BetaLikeness> parse_beta_likeness(std::string_view text);
[[nodiscard]] Result<Metric> parse_metric(std::string_view text);
[[nodiscard]] Result<SearchKind> parse_search_kind(std::string_view text);

/// The texts that the functions above read.
[[nodiscard]] std::string format_criterion(const LDiversity& criterion);
[[nodiscard]] std::string format_criterion(const TCloseness& criterion);
[[nodiscard]] std::string format_criterion(const DeltaDisclosure& criterion);
[[nodiscard]] std::string format_criterion(const BetaLikeness& criterion);

/// Refuse figures out of their range; the message names the figure, the range and the value.
[[nodiscard]] Result<void> check(const LDiversity& criterion);
[[nodiscard]] Result<void> check(const TCloseness& criterion);
[[nodiscard]] Result<void> check(const DeltaDisclosure& criterion);
[[nodiscard]] Result<void> check(const BetaLikeness& criterion);
[[nodiscard]] Result<void> check(const KMap& criterion);
[[nodiscard]] Result<void> check(const DeltaPresence& criterion);
[[nodiscard]] Result<void> check(const Criteria& criteria);

/// `COL=1..5`: how easily outsiders learn the values of a column. The column may contain `=`.
struct Availability {
  std::string column;
  int level = 3;
};
[[nodiscard]] Result<Availability> parse_availability(std::string_view text);

/// `COL=FILE`. Both may contain `=`: among the columns given the longest that fits is taken, else the text up to the
/// first `=`.
struct HierarchyAssignment {
  std::string column;
  std::string file;
};
[[nodiscard]] Result<HierarchyAssignment> parse_hierarchy_assignment(std::string_view text,
                                                                     std::span<const std::string> columns = {});

}  // namespace gauze::anonymize
