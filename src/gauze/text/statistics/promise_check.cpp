#include "gauze/text/statistics/promise_check.h"

#include <algorithm>
#include <cmath>

namespace gauze::text {
namespace {

/// Whether an earlier word has the same vector: dchi never prints the later one.
bool is_repeated(const WordVectors& vectors, std::size_t word) {
  for (std::size_t earlier = 0; earlier < word; ++earlier)
    if (vectors.distance(earlier, word) == 0) return true;
  return false;
}

Result<CheckedMechanism> checked_dchi(const TextMechanism& mechanism, std::span<const std::uint32_t> all) {
  const DchiMechanism& dchi = *mechanism.dchi();
  if (mechanism.as_published() || !dchi.law(0))
    return invalid_parameter("dchi has closed probabilities in one dimension and for two words only");
  for (const std::uint32_t x : all) {
    const auto law = dchi.law(x);
    for (std::size_t y = 0; y < law->size(); ++y)
      if ((*law)[y] < 1e-280 && !(y > 0 && is_repeated(dchi.vectors(), y)))
        return invalid_parameter(
            "at this epsilon some probabilities are below 1e-280: doubles cannot decide; take a smaller one");
  }
  CheckedMechanism result;
  result.words = all.size();
  result.outputs = all;
  result.error = 1e-9;  // of differences of the distribution function
  result.log_law = [&dchi](std::size_t x, std::span<double> log_p) {
    const auto law = dchi.law(x);
    for (std::size_t i = 0; i < log_p.size(); ++i) log_p[i] = std::log((*law)[i]);
  };
  result.allowed = [&dchi, epsilon = dchi.epsilon().to_double()](std::size_t x, std::size_t y) {
    return epsilon * dchi.vectors().distance(x, y);
  };
  return result;
}

CheckedMechanism checked_published(const TextMechanism& mechanism) {
  CheckedMechanism result = checked(*mechanism.softmax());
  const PublishedSoftmax& published = *mechanism.published_softmax();
  result.error = 0x1p-44;
  result.log_law = [&published](std::size_t x, std::span<double> log_p) {
    const auto law = published.law(x);
    std::copy(law.log_p.begin(), law.log_p.end(), log_p.begin());
  };
  const double epsilon = mechanism.softmax()->epsilon().to_double();
  const double besides = mechanism.softmax()->epsilon0();
  const double gamma = published.gamma().value_or(HUGE_VAL);
  result.allowed = [&vectors = mechanism.vectors(), epsilon, besides, gamma](std::size_t x, std::size_t y) {
    return epsilon * std::min(vectors.distance(x, y), gamma) + besides;
  };
  return result;
}

/// What a mechanism draws from, or would draw from as published.
Result<CheckedMechanism> checked_mechanism(const TextMechanism& mechanism, std::span<const std::uint32_t> all) {
  if (mechanism.dchi()) return checked_dchi(mechanism, all);
  return mechanism.as_published() ? checked_published(mechanism) : checked(*mechanism.softmax());
}

}  // namespace

Result<PromiseCheck> check_promise(const TextMechanism& mechanism, Progress& progress) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < mechanism.vectors().size(); ++i) all.push_back(i);
  GAUZE_TRY(const CheckedMechanism rows, checked_mechanism(mechanism, all));
  PromiseCheck result;
  GAUZE_TRY(result.found, check_inequality(mechanism.vectors(), rows, &progress));
  if (mechanism.softmax() && !mechanism.as_published())
    result.promised_excess = std::ldexp(1.0, -SoftmaxMechanism::kSlackBits);
  return result;
}

Json to_json(const PromiseCheck& check, const WordVectors& vectors) {
  const InequalityCheck& found = check.found;
  const bool finite = std::isfinite(found.worst);
  Json worst = Json::object({{"x", std::string(vectors.word(found.x))},
                             {"x_prime", std::string(vectors.word(found.x_prime))},
                             {"y", std::string(vectors.word(found.y))},
                             {"log_ratio", finite ? Json(found.log_ratio) : Json()},
                             {"allowed", found.allowed}});
  Json result = Json::object({{"holds", check.holds()},
                              {"complete", found.complete},
                              {"words", vectors.size()},
                              {"triples", found.triples},
                              {"excess", finite ? Json(found.worst) : Json()},
                              {"promised_excess", check.promised_excess},
                              {"rounding_error", found.error}});
  result.set("worst", found.triples > 0 ? std::move(worst) : Json());
  return result;
}

}  // namespace gauze::text
