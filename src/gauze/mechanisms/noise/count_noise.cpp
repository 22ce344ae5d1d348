#include "gauze/mechanisms/noise/count_noise.h"

#include <vector>

namespace gauze {

void CountNoise::report(std::string_view mechanism, std::span<const std::int64_t> counts,
                        std::optional<std::span<const std::uint64_t>> places,
                        std::optional<std::uint64_t> length) const {
  if (!NoiseObserver::is_installed()) return;
  const std::vector<Int128> values(counts.begin(), counts.end());
  NoiseObserver::report({.mechanism = mechanism,
                         .norm = norm,
                         .declared_sensitivity = sensitivity,
                         .values = values,
                         .exponent = 0,
                         .law = law.get(),
                         .places = places,
                         .length = length});
}

void CountNoise::sample(RandomWords& random, std::string_view mechanism, std::span<const std::int64_t> counts,
                        std::span<std::int64_t> noise) const {
  GAUZE_CHECK(counts.size() == noise.size());
  report(mechanism, counts, {}, {});
  law->sample(random, noise);
}

void CountNoise::sample(RandomWords& random, std::string_view mechanism, std::span<const std::int64_t> counts,
                        std::span<const std::uint64_t> places, std::optional<std::uint64_t> length,
                        std::span<std::int64_t> noise) const {
  GAUZE_CHECK(counts.size() == noise.size() && places.size() == counts.size());
  report(mechanism, counts, places, length);
  law->sample(random, noise);
}

}  // namespace gauze
