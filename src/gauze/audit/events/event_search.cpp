#include "gauze/audit/events/event_search.h"

#include <algorithm>
#include <cmath>

#include "gauze/label/printable_text.h"
#include "gauze/statistics/binomial_interval.h"

namespace gauze::audit {
namespace {

/// What is seen rarely is trusted little: the rates that an event is judged by are these many deviations worse than seen.
constexpr double kCaution = 3.5;
/// So many thresholds are tried of a feature, between the outermost ones.
constexpr std::size_t kInnerThresholds = 4'096;
constexpr std::size_t kOuterThresholds = 64;

struct Candidate {
  OutcomeEvent::Relation relation = OutcomeEvent::Relation::at_least;
  double threshold = 0;
  bool on_left = true;
  double promise = 0;
};

/// What an event seen so often may prove.
double promise_of(double hits, double runs, double other_hits, double other_runs, double delta) {
  if (runs <= 0 || other_runs <= 0) return 0;
  const double seen = wilson_interval(hits / runs, runs, kCaution).low;
  const double elsewhere = wilson_interval(other_hits / other_runs, other_runs, kCaution).high;
  const double direct = seen > delta ? std::log((seen - delta) / elsewhere) : 0;
  const double mirrored = 1 - elsewhere > delta && seen < 1 ? std::log((1 - elsewhere - delta) / (1 - seen)) : 0;
  return std::max({0.0, direct, mirrored});
}

/// One feature of the runs that are searched.
class FeatureSearch {
 public:
  FeatureSearch(const OutcomePair& pair, const OutcomeFeature& feature, const RunRange& runs, double delta)
      : delta_(delta),
        left_runs_(static_cast<double>(runs.left_end - runs.left_begin)),
        right_runs_(static_cast<double>(runs.right_end - runs.right_begin)) {
    left_ = values(pair, pair.left, feature, runs.left_begin, runs.left_end);
    right_ = values(pair, pair.right, feature, runs.right_begin, runs.right_end);
    ordered_ = feature.is_ordered();
  }

  [[nodiscard]] Candidate best() {
    Candidate best;
    const auto try_at = [&](double threshold) {
      const auto below = [&](const std::vector<double>& sorted) {
        return static_cast<double>(std::lower_bound(sorted.begin(), sorted.end(), threshold) - sorted.begin());
      };
      const auto up_to = [&](const std::vector<double>& sorted) {
        return static_cast<double>(std::upper_bound(sorted.begin(), sorted.end(), threshold) - sorted.begin());
      };
      const double left_below = below(left_);
      const double right_below = below(right_);
      const double left_up_to = up_to(left_);
      const double right_up_to = up_to(right_);
      const auto judge = [&](OutcomeEvent::Relation relation, double left, double right) {
        for (const bool on_left : {true, false}) {
          const double promise = on_left ? promise_of(left, left_runs_, right, right_runs_, delta_)
                                         : promise_of(right, right_runs_, left, left_runs_, delta_);
          if (promise > best.promise) best = {relation, threshold, on_left, promise};
        }
      };
      using Relation = OutcomeEvent::Relation;
      const double left_equal = left_up_to - left_below;
      const double right_equal = right_up_to - right_below;
      if (left_equal + right_equal > 1 || !ordered_) judge(Relation::equal, left_equal, right_equal);
      if (!ordered_) return;
      judge(Relation::at_least, static_cast<double>(left_.size()) - left_below,
            static_cast<double>(right_.size()) - right_below);
      judge(Relation::at_most, left_up_to, right_up_to);
    };
    for (const double threshold : thresholds()) try_at(threshold);
    return best;
  }

 private:
  static std::vector<double> values(const OutcomePair& pair, const Outcomes& side, const OutcomeFeature& feature,
                                    std::size_t begin, std::size_t end) {
    std::vector<double> values;
    values.reserve(end - begin);
    for (std::size_t run = begin; run < end; ++run) {
      const double value = feature.of(pair, side, run);
      if (!std::isnan(value)) values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    return values;
  }

  /// The distinct values, or as many of them as show every change that matters.
  [[nodiscard]] std::vector<double> thresholds() const {
    std::vector<double> all;
    all.reserve(left_.size() + right_.size());
    std::merge(left_.begin(), left_.end(), right_.begin(), right_.end(), std::back_inserter(all));
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() <= kInnerThresholds + 2 * kOuterThresholds) return all;
    std::vector<double> some(all.begin(), all.begin() + kOuterThresholds);
    const std::size_t inner = all.size() - 2 * kOuterThresholds;
    for (std::size_t i = 0; i < kInnerThresholds; ++i)
      some.push_back(all[kOuterThresholds + i * inner / kInnerThresholds]);
    some.insert(some.end(), all.end() - kOuterThresholds, all.end());
    // what is frequent by itself, such as the ends of a clamped range
    for (const auto* sorted : {&left_, &right_})
      for (std::size_t i = 1; i < sorted->size(); ++i)
        if ((*sorted)[i] == (*sorted)[i - 1] && some.back() != (*sorted)[i]) some.push_back((*sorted)[i]);
    return some;
  }

  double delta_;
  double left_runs_;
  double right_runs_;
  std::vector<double> left_;
  std::vector<double> right_;
  bool ordered_ = true;
};

std::string coordinate_name(const OutcomePair& pair, std::size_t coordinate) {
  if (coordinate < pair.names.size()) return pair.names[coordinate];
  if (std::max(pair.left.dimensions(), pair.right.dimensions()) <= 1) return "value";
  return fmt::format("value {}", coordinate + 1);
}

std::string sign_of(OutcomeEvent::Relation relation) {
  switch (relation) {
    case OutcomeEvent::Relation::at_least:
      return ">=";
    case OutcomeEvent::Relation::at_most:
      return "<=";
    default:
      return "=";
  }
}

/// Which powers of two it is a multiple of.
std::string bits_in_words(const std::string& name, OutcomeEvent::Relation relation, double place) {
  const auto exponent = static_cast<int>(place);
  if (place > 1'023)
    return fmt::format("{} is {}0", name, relation == OutcomeEvent::Relation::at_most ? "anything or " : "");
  switch (relation) {
    case OutcomeEvent::Relation::at_least:
      return fmt::format("{} is a multiple of 2^{}", name, exponent);
    case OutcomeEvent::Relation::at_most:
      return fmt::format("{} is no multiple of 2^{}", name, exponent + 1);
    default:
      return fmt::format("the lowest bit of {} is 2^{}", name, exponent);
  }
}

}  // namespace

bool OutcomeEvent::holds(double value) const {
  switch (relation) {  // NaN is none of them
    case Relation::at_least:
      return value >= threshold;
    case Relation::at_most:
      return value <= threshold;
    default:
      return value == threshold;
  }
}

std::string OutcomeEvent::in_words(const OutcomePair& pair) const {
  using Kind = OutcomeFeature::Kind;
  const std::string name = coordinate_name(pair, feature.coordinate);
  const std::string bound = fmt::format("{} {:.6g}", sign_of(relation), threshold);
  constexpr std::size_t kLongestText = 40;
  const auto quoted = [&] {
    const auto number = static_cast<std::uint32_t>(threshold);
    const std::size_t bytes = pair.length(number);
    return bytes <= kLongestText ? "'" + printable(pair.word(number)) + "'"
                                 : fmt::format("a certain text of {} bytes", bytes);
  };
  switch (feature.kind) {
    case Kind::value:
      return name + " " + bound;
    case Kind::magnitude:
      return "|" + name + "| " + bound;
    case Kind::lowest_bit:
      return bits_in_words(name, relation, threshold);
    case Kind::negative:
      return name + (threshold == 1 ? " is negative" : " is not negative");
    case Kind::present:
      return name + (threshold == 1 ? " is there" : " is not there");
    case Kind::sum:
      return "the sum " + bound;
    case Kind::discriminant:
      return "a weighted sum " + bound;
    case Kind::dimensions:
      return "how many numbers " + bound;
    case Kind::text:
      return "the answer is " + quoted();
    case Kind::length:
      return threshold == 0 && relation != Relation::at_least ? "the answer is empty"
                                                              : "its length in bytes " + bound;
    case Kind::seen: {
      const std::string what = feature.of_texts ? "the answer" : name;
      if (threshold == 0) return what + " is none that one side alone had shown before";
      const std::size_t count = threshold == 1 ? feature.left_alone.size() : feature.right_alone.size();
      return fmt::format("{} is one of {} that the {} side alone had shown before", what, count,
                         threshold == 1 ? "left" : "right");
    }
    case Kind::failure:
      return "it ends with " + pair.word(static_cast<std::uint32_t>(threshold));
    case Kind::kind:
      break;
  }
  switch (static_cast<Outcomes::Kind>(static_cast<int>(threshold))) {
    case Outcomes::Kind::numbers:
      return "it answers with numbers";
    case Outcomes::Kind::text:
      return "it answers with text";
    default:
      return "it fails";
  }
}

std::optional<OutcomeEvent> most_telling_event(const OutcomePair& pair, const RunRange& runs, double delta) {
  std::optional<OutcomeEvent> event;
  double promise = 0;
  // what is made from some runs flatters itself on them
  RunRange judged = runs;
  judged.left_begin += (runs.left_end - runs.left_begin) / 2;
  judged.right_begin += (runs.right_end - runs.right_begin) / 2;
  for (OutcomeFeature& feature : features_of(pair, judged.left_begin, judged.right_begin)) {
    const Candidate found = FeatureSearch(pair, feature, feature.is_made() ? judged : runs, delta).best();
    // the same event reads better the simpler its feature is, and these come first
    if (found.promise <= promise * (1 + 1e-6)) continue;
    promise = found.promise;
    event = OutcomeEvent{std::move(feature), found.relation, found.threshold, found.on_left};
  }
  return event;
}

EventCounts count_event(const OutcomePair& pair, const OutcomeEvent& event, const RunRange& runs) {
  const auto hits = [&](const Outcomes& side, std::size_t begin, std::size_t end) {
    std::uint64_t count = 0;
    for (std::size_t run = begin; run < end; ++run) count += event.holds(event.feature.of(pair, side, run)) ? 1 : 0;
    return count;
  };
  const std::uint64_t left = hits(pair.left, runs.left_begin, runs.left_end);
  const std::uint64_t right = hits(pair.right, runs.right_begin, runs.right_end);
  const std::uint64_t left_runs = runs.left_end - runs.left_begin;
  const std::uint64_t right_runs = runs.right_end - runs.right_begin;
  return event.on_left ? EventCounts{left, left_runs, right, right_runs}
                       : EventCounts{right, right_runs, left, left_runs};
}

}  // namespace gauze::audit
