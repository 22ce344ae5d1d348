// The mean of numbers that are clamped to public bounds, one number a person.
#include <fmt/core.h>

#include <vector>

#include "gauze/mechanisms/aggregates/bounded_statistics.h"

int main() {
  using namespace gauze;
  // The bounds are public knowledge, not the smallest and largest age in the data.
  auto mean = BoundedMean::make({.lower = 0, .upper = 120});
  if (!mean) {
    fmt::print(stderr, "{}\n", mean.error().message);
    return 1;
  }
  std::vector<double> ages;
  for (int i = 0; i < 10'000; ++i) ages.push_back(20 + i % 60);
  ages.push_back(1e9);  // counts as 120: nobody changes the sum by more than the bounds allow
  mean->add(ages);

  const auto released = mean->release(SecureRandom::of_thread(), Rational(1));
  if (!released) {
    fmt::print(stderr, "{}\n", released.error().message);
    return 1;
  }
  fmt::print("mean age {:.1f}, at epsilon 1\n", *released);
}
