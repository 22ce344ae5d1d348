#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/mechanisms/noise/noise_observer.h"

namespace gauze::testing {

/// Records every noise call of the calling thread while it lives.
class NoiseRecorder final : public NoiseObserver {
 public:
  struct Call {
    std::string mechanism;
    NoiseEvent::Norm norm;
    Rational declared_sensitivity;
    std::map<std::uint64_t, Int128> values;  ///< by place
    int exponent;
    double variance;                      ///< of the noise on each; 0 where one is chosen
    std::optional<std::uint64_t> length;  ///< none: what has no value gets no noise

    /// The value there, which may be one of the zeros that are not listed.
    [[nodiscard]] Int128 at(std::uint64_t place) const {
      const auto found = values.find(place);
      return found == values.end() ? 0 : found->second;
    }
  };
  NoiseRecorder() : scope_(*this) {}
  void on_noise(const NoiseEvent& event) override {
    Call call{.mechanism = std::string(event.mechanism),
              .norm = event.norm,
              .declared_sensitivity = event.declared_sensitivity,
              .values = {},
              .exponent = event.exponent,
              .variance = event.law == nullptr ? 0 : event.law->variance(),
              .length = event.places ? event.length : event.values.size()};
    for (std::size_t i = 0; i < event.values.size(); ++i)
      call.values[event.places ? (*event.places)[i] : i] = event.values[i];
    calls_.push_back(std::move(call));
  }
  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }

 private:
  std::vector<Call> calls_;
  Scope scope_;
};

/// How far apart the values of two calls lie in their norm, compared with the sensitivity they declare. Empty when they
/// keep it.
inline std::string compare_values(const NoiseRecorder::Call& x, const NoiseRecorder::Call& y) {
  std::map<std::uint64_t, Int128> all = x.values;
  all.insert(y.values.begin(), y.values.end());
  Rational l1(0), l2(0), largest(0);
  for (const auto& [place, ignored] : all) {
    Rational gap = to_rational(x.at(place) - y.at(place));
    if (gap.sign() < 0) gap = -gap;
    l1 += gap;
    l2 += gap * gap;
    largest = std::max(largest, gap);
  }
  const Rational& declared = x.declared_sensitivity;
  const bool kept = x.norm == NoiseEvent::Norm::l1   ? l1 <= declared
                    : x.norm == NoiseEvent::Norm::l2 ? l2 <= declared * declared
                                                     : largest <= declared;
  return kept ? "" : x.mechanism + " moved by more than its sensitivity";
}

/// Whether two calls draw the same noise for as many values.
inline bool have_one_shape(const NoiseRecorder::Call& x, const NoiseRecorder::Call& y) {
  return x.mechanism == y.mechanism && x.norm == y.norm && x.exponent == y.exponent && x.variance == y.variance &&
         x.length.has_value() && x.length == y.length && x.declared_sensitivity == y.declared_sensitivity;
}

/// Why two recordings on neighbouring inputs break the contract of neighbour replay; empty when they keep it.
inline std::string compare_replays(const NoiseRecorder& a, const NoiseRecorder& b) {
  if (a.calls().size() != b.calls().size()) return "the number of noise calls depends on the data";
  for (std::size_t i = 0; i < a.calls().size(); ++i) {
    const auto& x = a.calls()[i];
    const auto& y = b.calls()[i];
    if (!have_one_shape(x, y)) return "the shape of call " + std::to_string(i) + " depends on the data";
    if (const std::string why = compare_values(x, y); !why.empty()) return "call " + std::to_string(i) + ": " + why;
  }
  return {};
}

}  // namespace gauze::testing
