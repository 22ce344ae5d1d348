#include "gauze/audit/figures/roc.h"

#include <algorithm>
#include <limits>

namespace gauze::audit {
namespace {

/// How many of the sorted scores are at least this.
std::size_t reaching(const std::vector<double>& sorted, double threshold) {
  return static_cast<std::size_t>(sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), threshold));
}

double share_of(std::size_t count, std::size_t all) { return static_cast<double>(count) / static_cast<double>(all); }

std::vector<double> shuffled(std::span<const double> scores, RandomWords& random) {
  std::vector<double> copy(scores.begin(), scores.end());
  for (std::size_t i = copy.size(); i > 1; --i) std::swap(copy[i - 1], copy[random.below(i)]);
  return copy;
}

}  // namespace

SortedScores::SortedScores(std::vector<double> members, std::vector<double> others)
    : members_(std::move(members)), others_(std::move(others)) {
  std::sort(members_.begin(), members_.end());
  std::sort(others_.begin(), others_.end());
}

std::optional<double> SortedScores::area() const {
  if (members_.empty() || others_.empty()) return std::nullopt;
  // pairs won, twice over, so that ties are whole; 128 bits for tables of billions
  unsigned __int128 doubled = 0;
  std::size_t below = 0;
  std::size_t until = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    while (below < others_.size() && others_[below] < members_[i]) ++below;
    until = std::max(until, below);
    while (until < others_.size() && others_[until] <= members_[i]) ++until;
    doubled += below + until;
  }
  return static_cast<double>(doubled) /
         (2.0 * static_cast<double>(members_.size()) * static_cast<double>(others_.size()));
}

std::optional<double> SortedScores::rate_at(const Rational& share) const {
  const Rational all(static_cast<std::int64_t>(others_.size()));
  const auto allowed = static_cast<std::size_t>((share * all).floor().to_int64().value_or(0));
  if (members_.empty() || allowed == 0) return std::nullopt;
  if (allowed >= others_.size()) return 1.0;
  // all records of one score together: only what lies above the first of the others that may not be reached
  const double first_out = others_[others_.size() - 1 - allowed];
  const auto above = members_.end() - std::upper_bound(members_.begin(), members_.end(), first_out);
  return share_of(static_cast<std::size_t>(above), members_.size());
}

double SortedScores::best_threshold() const {
  double best = -1;
  double threshold = std::numeric_limits<double>::infinity();
  std::size_t j = others_.size();
  for (std::size_t i = members_.size(); i > 0;) {
    // the best threshold is the score of a member: between two of them only others are added
    const double here = members_[i - 1];
    while (i > 0 && members_[i - 1] == here) --i;
    while (j > 0 && others_[j - 1] >= here) --j;
    const double advantage =
        share_of(members_.size() - i, members_.size()) - share_of(others_.size() - j, others_.size());
    if (advantage > best) {
      best = advantage;
      threshold = here;
    }
  }
  return threshold;
}

std::size_t SortedScores::members_reaching(double threshold) const { return reaching(members_, threshold); }
std::size_t SortedScores::others_reaching(double threshold) const { return reaching(others_, threshold); }

double SortedScores::members_from(double threshold) const {
  return share_of(members_reaching(threshold), members_.size());
}

double SortedScores::others_from(double threshold) const {
  return share_of(others_reaching(threshold), others_.size());
}

ScoreHalves random_halves(std::span<const double> members, std::span<const double> others, RandomWords& random) {
  const std::vector<double> in = shuffled(members, random);
  const std::vector<double> out = shuffled(others, random);
  const auto in_middle = in.begin() + static_cast<std::ptrdiff_t>(in.size() / 2);
  const auto out_middle = out.begin() + static_cast<std::ptrdiff_t>(out.size() / 2);
  return {.first = {{in.begin(), in_middle}, {out.begin(), out_middle}},
          .second = {{in_middle, in.end()}, {out_middle, out.end()}}};
}

std::optional<double> area_under_curve(std::span<const double> members, std::span<const double> others) {
  return SortedScores({members.begin(), members.end()}, {others.begin(), others.end()}).area();
}

std::optional<double> attack_accuracy(std::span<const double> members, std::span<const double> others,
                                      RandomWords& random) {
  if (members.size() < 2 || others.size() < 2) return std::nullopt;
  const auto [first, second] = random_halves(members, others, random);
  const auto accuracy = [](const SortedScores& measured, double threshold) {
    return (measured.members_from(threshold) + 1 - measured.others_from(threshold)) / 2;
  };
  return (accuracy(second, first.best_threshold()) + accuracy(first, second.best_threshold())) / 2;
}

}  // namespace gauze::audit
