#include "gauze/assess/scores/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gauze::assess {
namespace {

struct Point {
  double a = 0;  // weight of privacy
  double b = 0;  // weight of utility; fairness has the rest
};

/// The part of a convex polygon where x a + y b + z >= 0.
std::vector<Point> clip(const std::vector<Point>& polygon, double x, double y, double z) {
  std::vector<Point> result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& p = polygon[i];
    const Point& q = polygon[(i + 1) % polygon.size()];
    const double at_p = x * p.a + y * p.b + z;
    const double at_q = x * q.a + y * q.b + z;
    if (at_p >= 0) result.push_back(p);
    if ((at_p < 0) != (at_q < 0) && at_p != at_q) {
      const double t = at_p / (at_p - at_q);
      result.push_back({p.a + t * (q.a - p.a), p.b + t * (q.b - p.b)});
    }
  }
  return result;
}

double area(const std::vector<Point>& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& p = polygon[i];
    const Point& q = polygon[(i + 1) % polygon.size()];
    twice += p.a * q.b - q.a * p.b;
  }
  return std::abs(twice) / 2;
}

bool same(const Scores& a, const Scores& b) {
  return a.privacy == b.privacy && a.utility == b.utility &&
         (a.fairness == b.fairness || (std::isnan(a.fairness) && std::isnan(b.fairness)));
}

/// Without fairness: the part of the line of weights (a, 1 - a) in which candidate i wins.
double line_share(std::span<const Scores> scores, std::size_t i) {
  double low = 0;
  double high = 1;
  for (const Scores& other : scores) {
    // a (dp - du) + du >= 0
    const double dp = scores[i].privacy - other.privacy;
    const double du = scores[i].utility - other.utility;
    const double slope = dp - du;
    if (slope == 0) {
      if (du < 0) return 0;
      continue;
    }
    const double root = -du / slope;
    if (slope > 0)
      low = std::max(low, root);
    else
      high = std::min(high, root);
  }
  return std::max(0.0, high - low);
}

double triangle_share(std::span<const Scores> scores, std::size_t i) {
  std::vector<Point> polygon = {{0, 0}, {1, 0}, {0, 1}};
  for (std::size_t j = 0; j < scores.size() && polygon.size() >= 3; ++j) {
    if (j == i) continue;
    const double dp = scores[i].privacy - scores[j].privacy;
    const double du = scores[i].utility - scores[j].utility;
    const double df = scores[i].fairness - scores[j].fairness;
    polygon = clip(polygon, dp - df, du - df, df);
  }
  return polygon.size() < 3 ? 0 : 2 * area(polygon);
}

/// (value - min) / (max - min) of each; 1 where all agree.
std::vector<double> min_max(const std::vector<double>& values, bool smaller_is_better) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::vector<double> result;
  for (const double value : values) {
    if (*low == *high)
      result.push_back(1);
    else
      result.push_back(smaller_is_better ? (*high - value) / (*high - *low) : (value - *low) / (*high - *low));
  }
  return result;
}

}  // namespace

double integrate(const Scores& scores, const Weights& weights) {
  double sum = weights.privacy * scores.privacy + weights.utility * scores.utility;
  double weight = weights.privacy + weights.utility;
  if (!std::isnan(scores.fairness)) {
    sum += weights.fairness * scores.fairness;
    weight += weights.fairness;
  }
  return weight > 0 ? sum / weight : 0;
}

double membership_bound(double epsilon, double delta) {
  return std::min(1.0, std::tanh(epsilon / 2) + 2 * delta / (std::exp(std::min(epsilon, 700.0)) + 1));
}

double privacy_score(double epsilon, double delta) { return 1 - membership_bound(epsilon, delta); }

std::vector<Scores> published_scores(const PublishedInputs& inputs) {
  const std::vector<double> k = min_max(inputs.k, false);
  const std::vector<double> utility = min_max(inputs.tvd, true);
  std::vector<std::vector<double>> fairness;
  for (const std::vector<double>& column : inputs.equalised_odds) fairness.push_back(min_max(column, true));
  std::vector<Scores> scores;
  for (std::size_t i = 0; i < inputs.epsilons.size(); ++i) {
    Scores one{.privacy = 0.6 * k[i] + 0.4 / (1 + inputs.epsilons[i]), .utility = utility[i], .fairness = 0};
    for (const std::vector<double>& column : fairness)
      one.fairness += column[i] / static_cast<double>(fairness.size());
    if (fairness.empty()) one.fairness = std::numeric_limits<double>::quiet_NaN();
    scores.push_back(one);
  }
  return scores;
}

std::vector<double> weight_space(std::span<const Scores> scores) {
  const bool fair =
      std::none_of(scores.begin(), scores.end(), [](const Scores& one) { return std::isnan(one.fairness); });
  std::vector<double> shares;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool repeated = std::any_of(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(i),
                                      [&](const Scores& before) { return same(before, scores[i]); });
    shares.push_back(repeated ? 0 : fair ? triangle_share(scores, i) : line_share(scores, i));
  }
  return shares;
}

std::vector<std::size_t> pareto_front(std::span<const Scores> scores) {
  const auto beats = [](const Scores& a, const Scores& b) {
    const bool fair = !std::isnan(a.fairness) && !std::isnan(b.fairness);
    const bool nowhere_worse =
        a.privacy >= b.privacy && a.utility >= b.utility && (!fair || a.fairness >= b.fairness);
    const bool somewhere_better = a.privacy > b.privacy || a.utility > b.utility || (fair && a.fairness > b.fairness);
    return nowhere_worse && somewhere_better;
  };
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (std::none_of(scores.begin(), scores.end(), [&](const Scores& other) { return beats(other, scores[i]); }))
      front.push_back(i);
  return front;
}

}  // namespace gauze::assess
