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
  if (mechanism.kind() == MechanismKind::vickrey)
    return invalid_parameter(
        "vickrey has no closed probabilities: its promise is that of dchi, a coin behind the noise changes nothing in it");
  if (mechanism.as_published() || !dchi.law(0))
    return invalid_parameter("{} has closed probabilities in one dimension and for two words only", mechanism.name());
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
    return epsilon * dchi.metric_vectors().distance(x, y);
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

/// custext: every pair of words of every set, by the integers that are drawn from.
Result<PromiseCheck> check_sets(const CustextMechanism& custext, Progress& progress) {
  constexpr std::uint64_t kMostTriples = 2'000'000'000;
  PromiseCheck result;
  InequalityCheck& found = result.found;
  const double allowed = custext.epsilon().to_double();
  result.promised_excess = std::ldexp(1.0, -SoftmaxMechanism::kSlackBits);
  found.worst = -HUGE_VAL;
  found.error = 0x1p-46;
  found.complete = true;
  for (std::size_t set = 0; set < custext.sets().count(); ++set) {
    GAUZE_TRY_VOID(progress.check());
    const auto words = custext.sets().words(set);
    const std::uint64_t triples = static_cast<std::uint64_t>(words.size()) * words.size() * words.size();
    if (found.triples + triples > kMostTriples) {
      found.complete = false;
      break;
    }
    found.triples += triples;
    std::vector<std::vector<double>> rows;
    for (const std::uint32_t word : words) rows.push_back(custext.law(word).log_p);
    for (std::size_t a = 0; a < words.size(); ++a)
      for (std::size_t b = 0; b < words.size(); ++b)
        for (std::size_t y = 0; y < words.size(); ++y) {
          const double ratio = rows[a][y] - rows[b][y];
          if (!(ratio - allowed > found.worst)) continue;
          found.worst = ratio - allowed;
          found.log_ratio = ratio;
          found.allowed = allowed;
          found.x = words[a];
          found.x_prime = words[b];
          found.y = words[y];
        }
  }
  return result;
}

/// What a mechanism draws from, or would draw from as published.
Result<CheckedMechanism> checked_mechanism(const TextMechanism& mechanism, std::span<const std::uint32_t> all) {
  if (mechanism.dchi()) return checked_dchi(mechanism, all);
  return mechanism.as_published() ? checked_published(mechanism) : checked(*mechanism.softmax());
}

}  // namespace

Result<PromiseCheck> check_promise(const TextMechanism& mechanism, Progress& progress) {
  if (mechanism.custext()) return check_sets(*mechanism.custext(), progress);
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
