#include "gauze/text/statistics/mechanism_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gauze::text {
namespace {

/// The law of what a softmax mechanism draws from: its own, or that of its floating point as published.
SoftmaxMechanism::Law softmax_law(const TextMechanism& mechanism, std::size_t x) {
  return mechanism.published_softmax() ? mechanism.published_softmax()->law(x) : mechanism.softmax()->law(x);
}

std::vector<std::uint32_t> columns_of(const TextMechanism& mechanism, std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> columns;
  if (mechanism.custext()) {  // the words of their sets
    const OutputSets& sets = mechanism.custext()->sets();
    std::vector<bool> seen(sets.count(), false);
    for (const std::uint32_t word : words) {
      const std::uint32_t set = sets.set_of(word);
      if (!seen[set]) columns.insert(columns.end(), sets.words(set).begin(), sets.words(set).end());
      seen[set] = true;
    }
    std::sort(columns.begin(), columns.end());
    return columns;
  }
  if (mechanism.dchi()) {
    for (std::uint32_t i = 0; i < mechanism.vectors().size(); ++i) columns.push_back(i);
    return columns;
  }
  const SoftmaxMechanism& softmax = *mechanism.softmax();
  columns.assign(softmax.outputs().begin(), softmax.outputs().end());
  for (const std::uint32_t word : words)
    if (softmax.may_stay(word)) columns.push_back(word);
  return columns;
}

void add_softmax_row(const TextMechanism& mechanism, std::uint32_t word, OutputLaws& laws) {
  const SoftmaxMechanism::Law law = softmax_law(mechanism, word);
  std::vector<double> p(laws.outputs.size(), 0);
  std::vector<double> log_p(laws.outputs.size(), -std::numeric_limits<double>::infinity());
  std::copy(law.p.begin(), law.p.end(), p.begin());
  std::copy(law.log_p.begin(), law.log_p.end(), log_p.begin());
  for (std::size_t i = law.p.size(); i < laws.outputs.size() && law.stays; ++i) {
    if (laws.outputs[i] != word) continue;
    p[i] = *law.stays;
    log_p[i] = std::log(*law.stays);
  }
  laws.p.push_back(std::move(p));
  laws.log_p.push_back(std::move(log_p));
}

void add_custext_row(const CustextMechanism& custext, std::uint32_t word, OutputLaws& laws) {
  const CustextMechanism::Law law = custext.law(word);
  std::vector<double> p(laws.outputs.size(), 0);
  std::vector<double> log_p(laws.outputs.size(), -std::numeric_limits<double>::infinity());
  const auto set = custext.sets().words(custext.sets().set_of(word));
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto place = std::lower_bound(laws.outputs.begin(), laws.outputs.end(), set[i]) - laws.outputs.begin();
    p[static_cast<std::size_t>(place)] = law.p[i];
    log_p[static_cast<std::size_t>(place)] = law.log_p[i];
  }
  laws.p.push_back(std::move(p));
  laws.log_p.push_back(std::move(log_p));
}

Result<void> add_dchi_row(const TextMechanism& mechanism, std::uint32_t word, OutputLaws& laws) {
  auto law = mechanism.dchi()->law(word);
  if (!law && mechanism.kind() == MechanismKind::vickrey)
    return invalid_parameter("vickrey has no closed probabilities");
  if (!law)
    return invalid_parameter("{} has closed probabilities in one dimension and for two words only", mechanism.name());
  std::vector<double> log_p;
  for (const double p : *law) log_p.push_back(std::log(p));
  laws.p.push_back(*std::move(law));
  laws.log_p.push_back(std::move(log_p));
  return {};
}

Json names_json(const std::vector<std::uint32_t>& words, const WordVectors& vectors) {
  Json list = Json::array();
  for (const std::uint32_t word : words) list.push(std::string(vectors.word(word)));
  return list;
}

/// Null for what is not finite.
Json numbers_json(const std::vector<double>& row) {
  Json numbers = Json::array();
  for (const double number : row) numbers.push(std::isfinite(number) ? Json(number) : Json());
  return numbers;
}

}  // namespace

std::optional<LawOfWord> closed_law(const TextMechanism& mechanism) {
  if (mechanism.published_dchi() || (mechanism.dchi() && !mechanism.dchi()->law(0))) return std::nullopt;
  if (mechanism.dchi()) {
    return [&dchi = *mechanism.dchi()](std::size_t x, std::span<double> p) {
      const auto law = dchi.law(x);
      std::copy(law->begin(), law->end(), p.begin());
    };
  }
  if (mechanism.custext()) {
    return [&custext = *mechanism.custext()](std::size_t x, std::span<double> p) {
      const CustextMechanism::Law law = custext.law(x);
      const auto set = custext.sets().words(custext.sets().set_of(x));
      std::fill(p.begin(), p.end(), 0.0);
      for (std::size_t i = 0; i < set.size(); ++i) p[set[i]] = law.p[i];
    };
  }
  return [&mechanism](std::size_t x, std::span<double> p) {
    const SoftmaxMechanism::Law law = softmax_law(mechanism, x);
    for (std::size_t i = 0; i < law.p.size(); ++i) p[mechanism.softmax()->outputs()[i]] = law.p[i];
    if (law.stays) p[x] = *law.stays;
  };
}

DrawWords dchi_draws(const TextMechanism& mechanism) {
  return [&mechanism](std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) {
    if (mechanism.published_dchi())
      mechanism.published_dchi()->simulate(words, random, out);
    else
      mechanism.dchi()->simulate(words, random, out);
  };
}

Result<OutputLaws> output_laws(const TextMechanism& mechanism, std::span<const std::uint32_t> words) {
  if (mechanism.published_dchi()) return invalid_parameter("dchi as published has no closed probabilities");
  OutputLaws laws;
  laws.words.assign(words.begin(), words.end());
  laws.outputs = columns_of(mechanism, words);
  for (const std::uint32_t word : words) {
    if (mechanism.dchi()) {
      GAUZE_TRY_VOID(add_dchi_row(mechanism, word, laws));
    } else if (mechanism.custext()) {
      add_custext_row(*mechanism.custext(), word, laws);
    } else {
      add_softmax_row(mechanism, word, laws);
    }
  }
  return laws;
}

Json to_json(const OutputLaws& laws, const WordVectors& vectors) {
  const auto matrix = [](const std::vector<std::vector<double>>& rows) {
    Json list = Json::array();
    for (const std::vector<double>& row : rows) list.push(numbers_json(row));
    return list;
  };
  return Json::object({{"words", names_json(laws.words, vectors)},
                       {"outputs", names_json(laws.outputs, vectors)},
                       {"P", matrix(laws.p)},
                       {"log_P", matrix(laws.log_p)}});
}

std::vector<LikelyOutputs> likeliest_outputs(const OutputLaws& laws, std::size_t most) {
  std::vector<LikelyOutputs> rows;
  for (std::size_t i = 0; i < laws.words.size(); ++i) {
    const std::vector<double>& log_p = laws.log_p[i];
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < log_p.size(); ++place)
      if (std::isfinite(log_p[place])) places.push_back(place);
    const std::size_t count = std::min(most, places.size());
    std::partial_sort(
        places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count), places.end(),
        [&](std::size_t a, std::size_t b) { return log_p[a] != log_p[b] ? log_p[a] > log_p[b] : a < b; });
    places.resize(count);
    LikelyOutputs row{.word = laws.words[i], .outputs = {}, .p = {}, .log_p = {}};
    for (const std::size_t place : places) {
      row.outputs.push_back(laws.outputs[place]);
      row.p.push_back(laws.p[i][place]);
      row.log_p.push_back(log_p[place]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json to_json(const std::vector<LikelyOutputs>& rows, const WordVectors& vectors) {
  Json words = Json::array();
  Json outputs = Json::array();
  Json p = Json::array();
  Json log_p = Json::array();
  for (const LikelyOutputs& row : rows) {
    words.push(std::string(vectors.word(row.word)));
    outputs.push(names_json(row.outputs, vectors));
    p.push(numbers_json(row.p));
    log_p.push(numbers_json(row.log_p));
  }
  return Json::object({{"words", std::move(words)},
                       {"outputs", std::move(outputs)},
                       {"P", std::move(p)},
                       {"log_P", std::move(log_p)}});
}

}  // namespace gauze::text
