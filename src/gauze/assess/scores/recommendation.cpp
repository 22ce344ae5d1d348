#include "gauze/assess/scores/recommendation.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gauze::assess {
namespace {

bool may_win(const Eligible& eligible, std::size_t candidate) { return eligible.empty() || eligible[candidate] != 0; }

}  // namespace

bool is_fairness_scored(const ScoreTable& table) {
  return std::any_of(table.begin(), table.end(), [](const std::vector<Scores>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const Scores& one) { return !std::isnan(one.fairness); });
  });
}

std::vector<Estimate> win_rates(const ScoreTable& table, const Weights& weights, const Eligible& eligible) {
  const std::size_t repetitions = table.empty() ? 0 : table.front().size();
  const bool fair = is_fairness_scored(table);
  std::vector<double> wins(table.size(), 0);
  double decided = 0;
  for (std::size_t run = 0; run < repetitions; ++run) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (!may_win(eligible, i) || (fair && std::isnan(table[i][run].fairness))) continue;
      if (!best || integrate(table[i][run], weights) > integrate(table[*best][run], weights)) best = i;
    }
    if (!best) continue;
    wins[*best] += 1;
    decided += 1;
  }
  std::vector<Estimate> rates;
  for (const double count : wins) rates.push_back(estimate_share(count, decided));
  return rates;
}

Choice choose(const ScoreTable& table, const Weights& weights, const Eligible& eligible) {
  const std::vector<Estimate> rates = win_rates(table, weights, eligible);
  Choice choice;
  while (choice.winner + 1 < rates.size() && !may_win(eligible, choice.winner)) ++choice.winner;
  for (std::size_t i = choice.winner + 1; i < rates.size(); ++i)
    if (may_win(eligible, i) && rates[i].mean > rates[choice.winner].mean) choice.winner = i;
  choice.win_rate = rates[choice.winner];
  choice.runner_up = choice.winner;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (i == choice.winner || !may_win(eligible, i)) continue;
    if (choice.runner_up == choice.winner || rates[i].mean > rates[choice.runner_up].mean) choice.runner_up = i;
  }
  choice.clear = choice.runner_up == choice.winner || choice.win_rate.low > rates[choice.runner_up].high;
  for (std::size_t i = 0; i < rates.size(); ++i)
    if (i == choice.winner || (may_win(eligible, i) && rates[i].high >= choice.win_rate.low))
      choice.candidates.push_back(i);
  return choice;
}

std::vector<Estimate> weight_space_estimates(const ScoreTable& table, const Eligible& eligible) {
  const std::size_t repetitions = table.empty() ? 0 : table.front().size();
  const bool fair = is_fairness_scored(table);
  std::vector<std::vector<double>> shares(table.size());
  for (std::size_t run = 0; run < repetitions; ++run) {
    std::vector<std::size_t> places;
    std::vector<Scores> run_scores;
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (!may_win(eligible, i) || (fair && std::isnan(table[i][run].fairness))) continue;
      places.push_back(i);
      run_scores.push_back(table[i][run]);
    }
    if (places.empty()) continue;
    const std::vector<double> run_shares = weight_space(run_scores);
    for (std::vector<double>& one : shares) one.push_back(0);
    for (std::size_t i = 0; i < places.size(); ++i) shares[places[i]].back() = run_shares[i];
  }
  std::vector<Estimate> result;
  for (const std::vector<double>& one : shares) result.push_back(estimate(one).value_or(Estimate{}));
  return result;
}

std::vector<Scores> mean_scores(const ScoreTable& table) {
  std::vector<Scores> means;
  for (const std::vector<Scores>& runs : table) {
    std::vector<double> privacy, utility, fairness;
    for (const Scores& one : runs) {
      privacy.push_back(one.privacy);
      utility.push_back(one.utility);
      fairness.push_back(one.fairness);
    }
    const auto mean = [](const std::vector<double>& values) {
      const auto all = estimate(values);
      return all ? all->mean : std::nan("");
    };
    means.push_back({mean(privacy), mean(utility), mean(fairness)});
  }
  return means;
}

}  // namespace gauze::assess
