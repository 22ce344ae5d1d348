// The JSON of text_figures.h.
#include "gauze/text/statistics/text_figures.h"

namespace gauze::text {
namespace {

Json json_of(const Spread& spread) {
  return Json::object({{"mean", spread.mean}, {"q05", spread.q05}, {"q50", spread.q50}, {"q95", spread.q95}});
}

/// Of sampled words: with the 95 % interval of the mean over the vocabulary, and the deviation between words.
Json with_interval(Json spread, const MeanInterval& interval) {
  spread.set("low", interval.low);
  spread.set("high", interval.high);
  spread.set("sd", interval.sd);
  return spread;
}

/// The mean of S* is known when its spread is not.
Json inputs_json(const SampledStatistics& sampled) {
  if (sampled.inputs) return with_interval(json_of(spread_of(*sampled.inputs)), sampled.mean_inputs);
  Json only_mean =
      Json::object({{"mean", spread_of(sampled.outputs).mean}, {"q05", Json()}, {"q50", Json()}, {"q95", Json()}});
  return with_interval(std::move(only_mean), sampled.mean_inputs);
}

template <class T>
Json optional_number(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json success_json(const std::optional<SampledGuess>& guess) { return guess ? Json(guess->success) : Json(); }
Json interval_json(const std::optional<SampledGuess>& guess) {
  return guess ? Json::object({{"low", guess->low}, {"high", guess->high}}) : Json();
}

Json words_json(const TextFigures& figures, const WordVectors& vectors) {
  Json result = Json::object();
  for (const TextFigures::OfWord& one : figures.words)
    result.set(std::string(vectors.word(one.word)), Json::object({{"N", one.stays},
                                                                  {"S", one.outputs},
                                                                  {"S_star", optional_number(one.inputs)},
                                                                  {"distinct", one.distinct},
                                                                  {"entropy", one.entropy}}));
  return result;
}

void set_exact(Json& result, const WordStatistics& exact) {
  result.set("N", json_of(spread_of(exact.stays)));
  result.set("S", json_of(spread_of(exact.outputs)));
  result.set("S_star", json_of(spread_of(exact.inputs)));
  result.set("distinct", json_of(spread_of(exact.distinct)));
  result.set("entropy", json_of(spread_of(exact.entropy)));
  result.set("bayes",
             Json::object({{"uniform", exact.bayes_uniform}, {"prior", optional_number(exact.bayes_prior)}}));
}

void set_sampled(Json& result, const SampledStatistics& sampled) {
  result.set("N", with_interval(json_of(spread_of(sampled.stays)), sampled.mean_stays));
  result.set("S", with_interval(json_of(spread_of(sampled.outputs)), sampled.mean_outputs));
  result.set("S_star", inputs_json(sampled));
  result.set("distinct", with_interval(json_of(spread_of(sampled.distinct)), sampled.mean_distinct));
  result.set("entropy", with_interval(json_of(spread_of(sampled.entropy)), sampled.mean_entropy));
  result.set("bayes", Json::object({{"uniform", success_json(sampled.bayes_uniform)},
                                    {"prior", success_json(sampled.bayes_prior)},
                                    {"intervals", Json::object({{"uniform", interval_json(sampled.bayes_uniform)},
                                                                {"prior", interval_json(sampled.bayes_prior)}})}}));
}

}  // namespace

Json to_json(const TextFigures& figures, const WordVectors& vectors) {
  Json result = Json::object({{"epsilon", figures.epsilon.to_double()}});
  if (figures.exact)
    set_exact(result, *figures.exact);
  else
    set_sampled(result, *figures.sampled);
  result.set("words", words_json(figures, vectors));
  return result;
}

Json curve_json(std::span<const TextFigures> figures, const WordVectors& vectors, const MechanismOptions& mechanism,
                const FiguresRequest& request) {
  const bool exact = figures.empty() || figures.front().exact.has_value();
  Json document = Json::object({{"kind", "text-statistics"},
                                {"mechanism", to_string(mechanism.kind)},
                                {"as_published", mechanism.as_published},
                                {"vocabulary", vectors.size()},
                                {"dimensions", vectors.dimensions()},
                                {"vectors", vectors.fingerprint()},
                                {"eta", request.options.figures.eta},
                                {"runs", request.options.figures.runs},
                                {"exact", exact},
                                {"sampled_words", exact ? Json() : Json(figures.front().sampled->words.size())},
                                {"draws", exact ? Json() : Json(request.options.draws)}});
  Json results = Json::array();
  for (const TextFigures& one : figures) {
    Json result = to_json(one, vectors);
    if (one.own_words) result.set("own_words", to_json(*one.own_words, vectors));
    results.push(std::move(result));
  }
  document.set("results", std::move(results));
  if (request.own_words) document.set("notice", kOwnWordsNotice);
  return document;
}

}  // namespace gauze::text
