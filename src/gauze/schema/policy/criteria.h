#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/rational.h"

namespace gauze::schema {

// What a release must satisfy, as data. Thresholds are exact decimals, so that a class is never accepted or refused by
// the rounding of a threshold. p is the share of a sensitive value over the records whose value the output shows, q its
// share in a class of n records, r its counts there in descending order. Who reads these from text checks the ranges
// (criterion_text.h); who builds them by hand must keep them.

enum class DiversityKind { distinct, entropy, recursive };

/// At least l different, well represented sensitive values in every class.
///
/// distinct   : the class has at least l values.
/// entropy    : the entropy of the class is at least log l; in integers l^n x product of n_i^n_i <= n^n.
/// recursive  : r_1 < c (r_l + r_(l+1) + ...).
struct LDiversity {
  std::string column = {};
  DiversityKind kind = DiversityKind::distinct;
  Rational l = 1;  ///< at least 1; an integer for distinct and recursive
  Rational c = 0;  ///< positive for recursive, 0 for the others
  friend bool operator==(const LDiversity&, const LDiversity&) = default;
};

/// What it costs to move one unit of probability between two sensitive values.
///
/// equal        : 1 for any two values; the distance is half the sum of |q - p|.
/// ordered      : their distance in the order of the values, divided by the largest.
/// hierarchical : the level of their lowest common ancestor, divided by the height of the column's hierarchy.
enum class Distance { equal, ordered, hierarchical };

/// The distribution in a class lies within earth mover's distance t of the distribution in the whole table.
struct TCloseness {
  std::string column = {};
  Distance distance = Distance::equal;
  Rational t = 0;  ///< between 0 and 1
  friend bool operator==(const TCloseness&, const TCloseness&) = default;
};

/// |log2(q / p)| < delta for every value present in the class; strict.
struct DeltaDisclosure {
  std::string column = {};
  Rational delta = 1;  ///< positive
  friend bool operator==(const DeltaDisclosure&, const DeltaDisclosure&) = default;
};

/// (q - p) / p <= beta for every value present in the class; enhanced: <= min(beta, -ln p).
struct BetaLikeness {
  std::string column = {};
  bool enhanced = true;
  Rational beta = 1;  ///< positive
  friend bool operator==(const BetaLikeness&, const BetaLikeness&) = default;
};

/// Every class has at least k records in the population, a file with the quasi-identifiers.
struct KMap {
  std::uint64_t k = 1;          ///< at least 1
  std::string population = {};  ///< the file
  friend bool operator==(const KMap&, const KMap&) = default;
};

/// The chance that a person of the population is in the table, records of the class / people of the population with its
/// values, lies between the two bounds.
struct DeltaPresence {
  Rational minimum = 0;         ///< at least 0
  Rational maximum = 1;         ///< at least the minimum, at most 1
  std::string population = {};  ///< the file
  friend bool operator==(const DeltaPresence&, const DeltaPresence&) = default;
};

/// All criteria of one release: every kept class satisfies each of them.
struct Criteria {
  std::uint64_t k = 1;  ///< every kept class has at least k records; at least 1
  std::vector<LDiversity> l_diversity = {};
  std::vector<TCloseness> t_closeness = {};
  std::vector<DeltaDisclosure> delta_disclosure = {};
  std::vector<BetaLikeness> beta_likeness = {};
  std::optional<KMap> k_map = {};
  std::optional<DeltaPresence> delta_presence = {};
  bool missing_matches_everything = false;  ///< else "missing" is a value of its own
  friend bool operator==(const Criteria&, const Criteria&) = default;
};

/// What a search makes small; exact definitions in docs/formats/policy.md.
enum class Metric { loss, loss_geometric, discernibility, aecs, entropy, precision };

/// optimal  : one level a column for all records, provably the best for the metric.
/// local    : different levels for different records.
/// mondrian : repeated cuts of the space of the quasi-identifiers.
enum class SearchKind { optimal, local, mondrian };

}  // namespace gauze::schema
