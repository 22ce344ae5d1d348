#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gauze/audit/bounds/independent_runs.h"
#include "gauze/audit/events/outcome_feature.h"

namespace gauze::audit {

/// Something that an outcome may show, and on which side it is to be seen more often.
struct OutcomeEvent {
  enum class Relation { at_least, at_most, equal };
  OutcomeFeature feature = {};
  Relation relation = Relation::at_least;
  double threshold = 0;
  bool on_left = true;  ///< runs on the left are the positives

  [[nodiscard]] bool holds(double value) const;
  /// "value >= 3.25", "value is a multiple of 2^-12", "exit status 3".
  [[nodiscard]] std::string in_words(const OutcomePair& pair) const;
};

/// Runs of both sides, each from one place on to another.
struct RunRange {
  std::size_t left_begin = 0;
  std::size_t left_end = 0;
  std::size_t right_begin = 0;
  std::size_t right_end = 0;
};

/// The event that would prove most about epsilon at delta if it were measured as often as it was seen here; nothing where none proves
/// anything. Which one it is depends on these runs: it has to be measured on others.
[[nodiscard]] std::optional<OutcomeEvent> most_telling_event(const OutcomePair& pair, const RunRange& runs,
                                                             double delta);

/// How often it was seen in these runs, `on_left` deciding which are the positives.
[[nodiscard]] EventCounts count_event(const OutcomePair& pair, const OutcomeEvent& event, const RunRange& runs);

}  // namespace gauze::audit
