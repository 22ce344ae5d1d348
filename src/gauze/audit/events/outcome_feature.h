#pragma once

#include <string>
#include <vector>

#include "gauze/audit/events/outcomes.h"

namespace gauze::audit {

/// One number that is read from an outcome, to look for events in: "it is at least 3.25", "it is 2".
struct OutcomeFeature {
  enum class Kind {
    value,         ///< of a coordinate
    magnitude,     ///< its absolute value
    lowest_bit,    ///< the place of the lowest set bit of the double: what rounding leaves behind (Mironov 2012)
    negative,      ///< its sign bit: -0 has one
    present,       ///< whether the coordinate was there
    sum,           ///< of all coordinates
    discriminant,  ///< a weighted sum that tells the sides apart best
    dimensions,    ///< how many numbers
    kind,          ///< numbers, text or failure
    text,          ///< which text
    length,        ///< of the text, in bytes; of numbers, too, where they were one
    failure,       ///< which failure
    seen  ///< whether one side alone had shown it before, 1 the left, 2 the right: what too little randomness leaves out
  };
  Kind kind = Kind::value;
  std::size_t coordinate = 0;
  std::vector<std::pair<std::size_t, double>> weights = {};  ///< of a discriminant: coordinate and weight
  std::vector<double> left_alone = {};  ///< of `seen`: sorted values of the coordinate, or words of texts
  std::vector<double> right_alone = {};
  bool of_texts = false;  ///< `seen` is of texts, not of a coordinate

  /// NaN: it is not there.
  [[nodiscard]] double of(const OutcomePair& pair, const Outcomes& side, std::size_t run) const;
  /// Whether it was made from runs that it must not be judged on.
  [[nodiscard]] bool is_made() const { return kind == Kind::discriminant || kind == Kind::seen; }
  /// Whether "at least" and "at most" mean something; else it equals a number, or does not.
  [[nodiscard]] bool is_ordered() const;
};

/// Everything to look at, for these outcomes; discriminants and what was seen are made from the first `left` and `right` runs.
[[nodiscard]] std::vector<OutcomeFeature> features_of(const OutcomePair& pair, std::size_t left, std::size_t right);

}  // namespace gauze::audit
