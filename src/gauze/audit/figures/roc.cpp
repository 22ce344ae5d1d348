#include "gauze/audit/figures/roc.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace gauze::audit {
namespace {

struct Scored {
  double score;
  bool member;
};

std::vector<Scored> sorted_scores(std::span<const double> members, std::span<const double> others) {
  std::vector<Scored> all;
  for (const double score : members) all.push_back({score, true});
  for (const double score : others) all.push_back({score, false});
  std::sort(all.begin(), all.end(), [](const Scored& a, const Scored& b) { return a.score < b.score; });
  return all;
}

/// The threshold with the largest difference between the shares of members and of others that reach it.
double best_threshold(std::span<const double> members, std::span<const double> others) {
  const std::vector<Scored> all = sorted_scores(members, others);
  double best = -1;
  double threshold = std::numeric_limits<double>::infinity();
  double members_above = 0;
  double others_above = 0;
  for (std::size_t i = all.size(); i > 0;) {
    const double here = all[i - 1].score;
    for (; i > 0 && all[i - 1].score == here; --i) ++(all[i - 1].member ? members_above : others_above);
    const double advantage =
        members_above / static_cast<double>(members.size()) - others_above / static_cast<double>(others.size());
    if (advantage > best) {
      best = advantage;
      threshold = here;
    }
  }
  return threshold;
}

double balanced_accuracy(std::span<const double> members, std::span<const double> others, double threshold) {
  const auto reach = [&](std::span<const double> scores) {
    return static_cast<double>(
               std::count_if(scores.begin(), scores.end(), [&](double s) { return s >= threshold; })) /
           static_cast<double>(scores.size());
  };
  return (reach(members) + 1 - reach(others)) / 2;
}

/// The scores in random order: its first half is a random half.
std::vector<double> shuffled(std::span<const double> scores, RandomWords& random) {
  std::vector<double> copy(scores.begin(), scores.end());
  for (std::size_t i = copy.size(); i > 1; --i) std::swap(copy[i - 1], copy[random.below(i)]);
  return copy;
}

}  // namespace

std::optional<double> area_under_curve(std::span<const double> members, std::span<const double> others) {
  if (members.empty() || others.empty()) return std::nullopt;
  const std::vector<Scored> all = sorted_scores(members, others);
  std::uint64_t doubled = 0;  // pairs won twice over, so that ties are whole
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < all.size();) {
    std::uint64_t members_here = 0;
    std::uint64_t others_here = 0;
    const double here = all[i].score;
    for (; i < all.size() && all[i].score == here; ++i) ++(all[i].member ? members_here : others_here);
    doubled += members_here * (2 * below + others_here);
    below += others_here;
  }
  return static_cast<double>(doubled) /
         (2.0 * static_cast<double>(members.size()) * static_cast<double>(others.size()));
}

std::optional<double> attack_accuracy(std::span<const double> members, std::span<const double> others,
                                      RandomWords& random) {
  if (members.size() < 2 || others.size() < 2) return std::nullopt;
  const std::vector<double> in = shuffled(members, random);
  const std::vector<double> out = shuffled(others, random);
  const std::span<const double> in_first = std::span(in).first(in.size() / 2);
  const std::span<const double> in_second = std::span(in).subspan(in.size() / 2);
  const std::span<const double> out_first = std::span(out).first(out.size() / 2);
  const std::span<const double> out_second = std::span(out).subspan(out.size() / 2);
  return (balanced_accuracy(in_second, out_second, best_threshold(in_first, out_first)) +
          balanced_accuracy(in_first, out_first, best_threshold(in_second, out_second))) /
         2;
}

}  // namespace gauze::audit
