#include "gauze/learn/step/step_probe.h"

namespace gauze::learn {

void StepSampling::sample(std::size_t units, std::uint64_t step, Streams& streams) {
  streams.with(StreamPurpose::sampling, step, 0,
               [&](RandomWords& random) { sampler_.sample(places_ + units, random, units_); });
  planted_.clear();
  if (places_ == 0) return;
  std::erase_if(units_, [&](std::uint32_t place) {
    if (place >= places_) return false;
    planted_.push_back(place);
    return true;
  });
  for (std::uint32_t& unit : units_) unit -= static_cast<std::uint32_t>(places_);
}

}  // namespace gauze::learn
