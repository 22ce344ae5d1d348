#pragma once

#include <string>
#include <vector>

#include "gauze/mechanisms/noise/noise_observer.h"

namespace gauze::testing {

/// Records every noise call of the calling thread while it lives.
class NoiseRecorder final : public NoiseObserver {
 public:
  struct Call {
    std::string mechanism;
    NoiseEvent::Norm norm;
    Rational declared_sensitivity;
    std::vector<Int128> values;
    int exponent;
  };
  NoiseRecorder() : scope_(*this) {}
  void on_noise(const NoiseEvent& event) override {
    calls_.push_back({std::string(event.mechanism),
                      event.norm,
                      event.declared_sensitivity,
                      {event.values.begin(), event.values.end()},
                      event.exponent});
  }
  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }

 private:
  std::vector<Call> calls_;
  Scope scope_;
};

/// Why two recordings on neighbouring inputs break the contract of neighbour replay; empty when they keep it.
inline std::string compare_replays(const NoiseRecorder& a, const NoiseRecorder& b) {
  if (a.calls().size() != b.calls().size()) return "the number of noise calls depends on the data";
  for (std::size_t i = 0; i < a.calls().size(); ++i) {
    const auto& x = a.calls()[i];
    const auto& y = b.calls()[i];
    if (x.mechanism != y.mechanism || x.exponent != y.exponent || x.values.size() != y.values.size() ||
        !(x.declared_sensitivity == y.declared_sensitivity)) {
      return "the shape of call " + std::to_string(i) + " depends on the data";
    }
    Rational l1(0), l2(0), largest(0);
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      Rational gap = to_rational(x.values[k] - y.values[k]);
      if (gap.sign() < 0) gap = -gap;
      l1 += gap;
      l2 += gap * gap;
      largest = std::max(largest, gap);
    }
    const Rational& declared = x.declared_sensitivity;
    const bool kept = x.norm == NoiseEvent::Norm::l1   ? l1 <= declared
                      : x.norm == NoiseEvent::Norm::l2 ? l2 <= declared * declared
                                                       : largest <= declared;
    if (!kept) return "call " + std::to_string(i) + " (" + x.mechanism + ") moved by more than its sensitivity";
  }
  return {};
}

}  // namespace gauze::testing
