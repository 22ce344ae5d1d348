#include "gauze/audit/events/event_audit.h"

#include <algorithm>

#include "gauze/audit/bounds/independent_runs.h"
#include "gauze/audit/events/event_search.h"

namespace gauze::audit {

ClaimAudit audit_outcomes(const OutcomePair& pair, const EventAuditRequest& request) {
  ClaimAudit audit{.claim = request.claim,
                   .confidence = request.levels.confidence,
                   .delta = request.delta,
                   .claimed = request.claimed,
                   .alarm_rate = request.levels.alarm};
  const std::size_t left = pair.left.size();
  const std::size_t right = pair.right.size();
  if (std::min(left, right) < 2) return audit;
  const RunRange searched{0, left / 2, 0, right / 2};
  const RunRange measured{left / 2, left, right / 2, right};
  const std::uint64_t fewest =
      std::min(measured.left_end - measured.left_begin, measured.right_end - measured.right_begin);
  const double printed_risk = request.levels.printed_risk(request.choices);
  audit.runs = fewest;
  audit.reach = largest_bound(fewest, fewest, request.delta, printed_risk);
  audit.epsilon_lower = 0;
  audit.alarm_lower = 0;
  if (const auto event = most_telling_event(pair, searched, request.delta)) {
    const EventCounts counts = count_event(pair, *event, measured);
    audit.event = event->in_words(pair);
    audit.left = event->on_left ? counts.true_positives : counts.false_positives;
    audit.right = event->on_left ? counts.false_positives : counts.true_positives;
    audit.epsilon_lower = proven_bound(counts, request.delta, printed_risk).epsilon_lower;
    audit.alarm_lower = proven_bound(counts, request.delta, request.levels.alarm_risk(request.choices)).epsilon_lower;
  }
  audit.decide();
  return audit;
}

}  // namespace gauze::audit
