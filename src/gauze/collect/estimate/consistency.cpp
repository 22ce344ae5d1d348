#include "gauze/collect/estimate/consistency.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gauze::collect {
namespace {

double sum_of(std::span<const double> shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); }

/// Projection on the simplex: subtract what makes the positive rest add up to 1 (Held, Wolfe and Crowder 1974).
std::vector<double> projected(std::span<const double> shares) {
  std::vector<double> sorted(shares.begin(), shares.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] > candidate) shift = candidate;
  }
  std::vector<double> out(shares.begin(), shares.end());
  for (double& share : out) share = std::max(0.0, share - shift);
  return out;
}

std::vector<double> cut(std::span<const double> shares) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  std::vector<double> out(shares.size(), 0.0);
  double sum = 0;
  for (const std::size_t place : order) {
    if (shares[place] <= 0 || sum + shares[place] > 1) break;
    sum += shares[place];
    out[place] = shares[place];
  }
  return out;
}

}  // namespace

std::optional<std::vector<double>> make_consistent(std::span<const double> shares, Consistency method) {
  std::vector<double> out(shares.begin(), shares.end());
  const auto clip = [&] {
    for (double& share : out) share = std::max(0.0, share);
  };
  switch (method) {
    case Consistency::norm_sub:
      return projected(shares);
    case Consistency::norm: {
      const double shift = (1 - sum_of(shares)) / static_cast<double>(shares.size());
      for (double& share : out) share += shift;
      return out;
    }
    case Consistency::norm_mul: {
      clip();
      const double sum = sum_of(out);
      if (!(sum > 0)) return std::nullopt;
      for (double& share : out) share /= sum;
      return out;
    }
    case Consistency::norm_cut:
      return cut(shares);
    case Consistency::base_pos:
      clip();
      return out;
    case Consistency::none:
      break;
  }
  return std::nullopt;
}

std::vector<std::uint64_t> whole_parts(std::span<const double> shares, std::uint64_t total) {
  std::vector<std::uint64_t> parts(shares.size());
  std::vector<std::pair<std::int64_t, std::size_t>> fractions;  // in 1e-9, so that near ones are equal
  fractions.reserve(shares.size());
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double exact = std::max(0.0, shares[i]) * static_cast<double>(total);
    const double whole = std::min(std::floor(exact), static_cast<double>(total));
    parts[i] = static_cast<std::uint64_t>(whole);
    sum += parts[i];
    fractions.emplace_back(-std::llround((exact - whole) * 1e9), i);
  }
  std::sort(fractions.begin(), fractions.end());
  for (std::size_t i = 0; sum < total && !fractions.empty(); i = (i + 1) % fractions.size(), ++sum)
    ++parts[fractions[i].second];
  // Only by rounding of doubles: what is too much is taken from the smallest fractions.
  for (std::size_t i = fractions.size(); sum > total && i > 0; --i) {
    std::uint64_t& part = parts[fractions[i - 1].second];
    if (part == 0) continue;
    --part;
    --sum;
  }
  return parts;
}

std::vector<std::string> percent_texts(std::span<const double> shares) {
  std::vector<std::string> texts;
  texts.reserve(shares.size());
  for (const std::uint64_t hundredths : whole_parts(shares, 10'000))
    texts.push_back(fmt::format("{}.{:02}", hundredths / 100, hundredths % 100));
  return texts;
}

}  // namespace gauze::collect
