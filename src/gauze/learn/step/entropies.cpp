#include "gauze/learn/step/entropies.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gauze::learn {

std::size_t histogram_cells(const schema::LearnFeature& feature) {
  return (feature.kind == schema::LearnFeature::Kind::numeric ? kEntropyBins : feature.values.size()) + 1;
}

std::size_t histogram_cell(const schema::LearnFeature& feature, std::uint32_t code) {
  if (feature.kind != schema::LearnFeature::Kind::numeric) return std::min<std::size_t>(code, feature.values.size());
  const double value = std::bit_cast<float>(code);
  if (std::isnan(value)) return kEntropyBins;
  double low = -1;
  double high = 1;
  if (feature.scale == schema::NumberScale::unit) low = 0;
  if (feature.scale == schema::NumberScale::none) {
    low = feature.low.to_double();
    high = feature.high.to_double();
  }
  const double bin = std::floor((value - low) / (high - low) * static_cast<double>(kEntropyBins));
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(kEntropyBins - 1)));
}

double entropy_of(std::span<const std::int64_t> counts) {
  double total = 0;
  for (const std::int64_t count : counts) total += static_cast<double>(std::max<std::int64_t>(count, 0));
  double entropy = 0;
  for (const std::int64_t count : counts) {
    if (count <= 0) continue;
    const double share = static_cast<double>(count) / total;
    entropy -= share * std::log(share);
  }
  return entropy;
}

Result<std::vector<double>> entropies_for(const TrainingPlan& plan, const schema::LearnPolicy& policy,
                                          const LearningRows& rows, std::span<const std::uint8_t> included,
                                          Streams& streams) {
  std::vector<double> entropies;
  if (!plan.histograms) {
    for (const std::string& name : policy.sensitive)
      entropies.push_back(policy.entropies->given.at(name).to_double());
    return entropies;
  }
  std::vector<std::size_t> places;
  std::vector<std::vector<std::int64_t>> counts;
  for (const std::string& name : policy.sensitive) {
    const auto found = std::find_if(policy.features.begin(), policy.features.end(),
                                    [&](const schema::LearnFeature& feature) { return feature.name == name; });
    places.push_back(static_cast<std::size_t>(found - policy.features.begin()));
    counts.emplace_back(histogram_cells(*found));
  }
  std::size_t units = rows.units();
  if (plan.neighbours == Neighbours::replace_one) units = std::min<std::size_t>(units, plan.declared);
  streams.with(StreamPurpose::histograms, 0, 0, [&](RandomWords& random) {
    std::vector<std::uint32_t> own;
    for (std::size_t unit = 0; unit < units; ++unit) {
      if (!included.empty() && included[unit] == 0) continue;
      own.assign(rows.rows_of(unit).begin(), rows.rows_of(unit).end());
      const std::size_t count = std::min<std::size_t>(own.size(), plan.max_rows);
      for (std::size_t i = 0; i < count; ++i) {
        std::swap(own[i], own[i + random.below(own.size() - i)]);
        for (std::size_t k = 0; k < places.size(); ++k)
          ++counts[k][histogram_cell(policy.features[places[k]], rows.codes(own[i])[places[k]])];
      }
    }
  });
  GAUZE_TRY(const RoundedGaussianLaw law, RoundedGaussianLaw::make(plan.histograms->sigma));
  for (std::size_t k = 0; k < counts.size(); ++k) {
    std::vector<std::int64_t> noise(counts[k].size());
    streams.with(StreamPurpose::histograms, 1, k, [&](RandomWords& random) { law.sample(random, noise); });
    for (std::size_t i = 0; i < noise.size(); ++i) counts[k][i] += noise[i];
    entropies.push_back(entropy_of(counts[k]));
  }
  return entropies;
}

std::vector<double> input_scales(const schema::LearnPolicy& policy, std::span<const double> entropies) {
  const double least = *std::min_element(entropies.begin(), entropies.end());
  std::vector<double> scales;
  for (const schema::LearnFeature& feature : policy.features) {
    const auto found = std::find(policy.sensitive.begin(), policy.sensitive.end(), feature.name);
    double scale = 1;
    if (found != policy.sensitive.end())
      scale = 2 - std::exp(-(entropies[static_cast<std::size_t>(found - policy.sensitive.begin())] - least));
    scales.insert(scales.end(), feature.width(), scale);
  }
  return scales;
}

}  // namespace gauze::learn
