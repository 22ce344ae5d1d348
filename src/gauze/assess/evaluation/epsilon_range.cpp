#include "gauze/assess/evaluation/epsilon_range.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gauze/assess/evaluation/mechanism.h"
#include "gauze/release/job/release_plan.h"

namespace gauze::assess {
namespace {

constexpr std::size_t kEpsilons = 11;
constexpr double kNearlyGone = 0.5;
constexpr double kNoLongerGrows = 0.002;
constexpr std::uint64_t kProbeRuns = 5;

/// 1e-8 to 1e6, three a decade.
std::vector<Rational> probe_epsilons() {
  std::vector<Rational> epsilons;
  for (int exponent = -8; exponent < 6; ++exponent)
    for (const char* digit : {"1", "2", "5"})
      epsilons.push_back(*Rational::parse(fmt::format("{}e{}", digit, exponent)));
  return epsilons;
}

/// The levels that are released: those of the policy, or (select) those with the best score.
Result<std::vector<int>> likely_levels(const EvaluationSetting& setting, const EvaluationData& data,
                                       const ReleasedColumns& columns, const release::ReleasePlan& plan) {
  if (plan.release.mode != schema::ReleaseMode::select) return fixed_levels(setting, columns);
  GAUZE_TRY(const release::LevelSelection selection, plan.level_selection());
  const auto scores = selection.scores(data.tuples, data.tuples.counts);
  return selection
      .candidates()[static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin())];
}

/// Where a falling curve through the probes passes `level`, on the logarithmic scale; an end where it does not.
double crossing(const std::vector<Probe>& probes, double level) {
  if (probes.front().distance <= level) return probes.front().epsilon;
  for (std::size_t i = 1; i < probes.size(); ++i) {
    if (probes[i].distance > level) continue;
    const Probe& above = probes[i - 1];
    const double share = (above.distance - level) / (above.distance - probes[i].distance);
    return above.epsilon * std::pow(probes[i].epsilon / above.epsilon, share);
  }
  return probes.back().epsilon;
}

std::vector<Rational> logarithmic(double low, double high, int digits) {
  std::vector<Rational> epsilons;
  for (std::size_t i = 0; i < kEpsilons; ++i) {
    const double value = low * std::pow(high / low, static_cast<double>(i) / (kEpsilons - 1));
    epsilons.push_back(*Rational::parse(fmt::format("{:.{}e}", value, digits - 1)));
  }
  return epsilons;
}

}  // namespace

std::vector<Rational> span_epsilons(std::vector<Probe> probes) {
  // Chance apart, distances fall: each counts as at least the largest that follows.
  for (std::size_t i = probes.size() - 1; i-- > 0;)
    probes[i].distance = std::max(probes[i].distance, probes[i + 1].distance);
  const double largest = probes.front().distance;
  const double smallest = probes.back().distance;
  // Where half is never lost, the end of the plateau.
  double low = crossing(
      probes, largest > kNearlyGone && smallest < kNearlyGone ? kNearlyGone : largest - (largest - smallest) * 0.02);
  double high = crossing(probes, smallest + kNoLongerGrows);
  if (high < 2 * low) {  // nothing changes: around where it would
    low /= 10;
    high = 100 * low;
  }
  for (int digits = 2;; ++digits) {
    std::vector<Rational> epsilons = logarithmic(low, high, digits);
    if (std::adjacent_find(epsilons.begin(), epsilons.end(),
                           [](const Rational& a, const Rational& b) { return !(a < b); }) == epsilons.end())
      return epsilons;
  }
}

Result<std::vector<Rational>> find_epsilons(const EvaluationSetting& setting, const EvaluationData& data,
                                            const ReleasedColumns& columns, Progress& progress) {
  EvaluationSetting counts = setting;
  counts.counts_only = true;
  std::map<std::vector<int>, LevelView> views;
  std::vector<Probe> probes;
  std::optional<Error> refusal;
  const std::vector<Rational> epsilons = probe_epsilons();
  progress.begin("looking for epsilons", epsilons.size());
  for (const Rational& epsilon : epsilons) {
    progress.advance();
    GAUZE_TRY_VOID(progress.check());
    // What cannot be released at an epsilon (too many empty cells would pass) is no part of the range.
    const auto plan = release::ReleasePlan::make(setting.policy, {.epsilon = epsilon, .delta = setting.delta});
    if (!plan) {
      refusal = plan.error();
      continue;
    }
    GAUZE_TRY(const std::vector<int> levels, likely_levels(setting, data, columns, *plan));
    auto place = views.find(levels);
    if (place == views.end()) {
      GAUZE_TRY(LevelView view, LevelView::make(counts, data, columns, levels));
      place = views.emplace(levels, std::move(view)).first;
    }
    GAUZE_TRY(const Mechanism mechanism, Mechanism::make(counts, place->second, epsilon));
    Probe probe{epsilon.to_double(), 0};
    for (std::uint64_t run = 0; run < kProbeRuns; ++run) {
      SeededRandom random(setting.seed, 8 * run + 7);
      probe.distance +=
          total_variation(place->second.truth, mechanism.counts(random, place->second).released) / kProbeRuns;
    }
    probes.push_back(probe);
  }
  if (probes.empty()) return tl::unexpected(*refusal);
  return span_epsilons(std::move(probes));
}

}  // namespace gauze::assess
