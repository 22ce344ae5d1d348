#pragma once
// Criteria as text: the grammar of the flags, the words of the policy, and the way labels name them. What is written
// here reads back to the same criterion.

#include <span>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/base/words.h"
#include "gauze/schema/policy/criteria.h"

namespace gauze::schema {

/// A figure with all its digits: what reads it gets the same figure.
[[nodiscard]] std::string exact_text(const Rational& value);

inline constexpr Words<DiversityKind, 3> kDiversityWords = {{{DiversityKind::distinct, "distinct"},
                                                             {DiversityKind::entropy, "entropy"},
                                                             {DiversityKind::recursive, "recursive"}}};
inline constexpr Words<Distance, 3> kDistanceWords = {
    {{Distance::equal, "equal"}, {Distance::ordered, "ordered"}, {Distance::hierarchical, "hierarchical"}}};
inline constexpr Words<bool, 2> kLikenessWords = {{{false, "basic"}, {true, "enhanced"}}};  ///< enhanced?
inline constexpr Words<Metric, 6> kMetricWords = {{{Metric::loss, "loss"},
                                                   {Metric::loss_geometric, "loss_geometric"},
                                                   {Metric::discernibility, "discernibility"},
                                                   {Metric::aecs, "aecs"},
                                                   {Metric::entropy, "entropy"},
                                                   {Metric::precision, "precision"}}};
inline constexpr Words<SearchKind, 3> kSearchWords = {
    {{SearchKind::optimal, "optimal"}, {SearchKind::local, "local"}, {SearchKind::mondrian, "mondrian"}}};

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

}  // namespace gauze::schema
