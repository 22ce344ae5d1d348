#include "gauze/cli/text/text_figures_output.h"

#include <cmath>

#include "gauze/cli/core/text_table.h"

namespace gauze::cli {

using namespace text;  // the vocabulary of this file

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

Json words_json(const TextFigures& figures, const WordVectors& vectors, const std::vector<std::uint32_t>& words) {
  Json result = Json::object();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const TextFigures::OfWord& one = figures.words[i];
    result.set(std::string(vectors.word(words[i])), Json::object({{"N", one.stays},
                                                                  {"S", one.outputs},
                                                                  {"S_star", optional_number(one.inputs)},
                                                                  {"distinct", one.distinct},
                                                                  {"entropy", one.entropy}}));
  }
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

/// "0.713 (0.55-0.91)": the mean and the middle 90 % of words.
std::string cell(const Spread& spread, int digits) {
  return fmt::format("{:.{}f} ({:.{}f}-{:.{}f})", spread.mean, digits, spread.q05, digits, spread.q95, digits);
}

/// "42.3 % (41.0-45.1)": what an attacker achieved, and where the best guess lies.
std::string cell(const std::optional<SampledGuess>& guess) {
  if (!guess) return "-";
  return fmt::format("{:.1f} % ({:.1f}-{:.1f})", 100 * guess->success, 100 * guess->low, 100 * guess->high);
}

std::vector<std::string> exact_cells(const WordStatistics& exact) {
  std::vector<std::string> row = {cell(spread_of(exact.stays), 3), cell(spread_of(exact.outputs), 0),
                                  cell(spread_of(exact.inputs), 0), cell(spread_of(exact.distinct), 1),
                                  cell(spread_of(exact.entropy), 1)};
  row.push_back(fmt::format("{:.1f} %", 100 * exact.bayes_uniform));
  if (exact.bayes_prior) row.push_back(fmt::format("{:.1f} %", 100 * *exact.bayes_prior));
  return row;
}

std::vector<std::string> sampled_cells(const SampledStatistics& sampled, bool prior) {
  const Spread outputs = spread_of(sampled.outputs);
  std::vector<std::string> row = {cell(spread_of(sampled.stays), 3), cell(outputs, 0)};
  row.push_back(sampled.inputs ? cell(spread_of(*sampled.inputs), 0) : fmt::format("{:.0f}", outputs.mean));
  row.push_back(cell(spread_of(sampled.distinct), 1));
  row.push_back(cell(spread_of(sampled.entropy), 1));
  row.push_back(cell(sampled.bayes_uniform));
  if (prior) row.push_back(cell(sampled.bayes_prior));
  return row;
}

}  // namespace

Json figures_json(const TextFigures& figures, const WordVectors& vectors, const FiguresRequest& request) {
  Json result = Json::object({{"epsilon", figures.epsilon.to_double()}});
  if (figures.exact)
    set_exact(result, *figures.exact);
  else
    set_sampled(result, *figures.sampled);
  result.set("words", words_json(figures, vectors, request.words));
  return result;
}

Json stats_document(Invocation& invocation, const WordVectors& vectors, const std::vector<TextFigures>& figures,
                    const FiguresRequest& request) {
  const bool exact = figures.empty() || figures.front().exact.has_value();
  Json document = Json::object({{"kind", "text-statistics"},
                                {"mechanism", *invocation.text("mechanism")},
                                {"as_published", invocation.has("as-published")},
                                {"vocabulary", vectors.size()},
                                {"dimensions", vectors.dimensions()},
                                {"vectors", vectors.fingerprint()},
                                {"eta", request.options.figures.eta},
                                {"runs", request.options.figures.runs},
                                {"exact", exact},
                                {"sampled_words", exact ? Json() : Json(figures.front().sampled->words.size())},
                                {"draws", exact ? Json() : Json(request.options.draws)}});
  Json results = Json::array();
  for (const TextFigures& one : figures) results.push(figures_json(one, vectors, request));
  document.set("results", std::move(results));
  return document;
}

void print_stats(Invocation& invocation, const WordVectors& vectors, const std::vector<TextFigures>& figures,
                 const FiguresRequest& request) {
  const bool prior = !request.options.figures.prior.empty();
  TextTable table;
  std::vector<std::string> head = {"epsilon", "N", "S", "S*", "distinct", "entropy", "best guess"};
  if (prior) head.emplace_back("with prior");
  table.add(head);
  for (const TextFigures& one : figures) {
    std::vector<std::string> row = one.exact ? exact_cells(*one.exact) : sampled_cells(*one.sampled, prior);
    row.insert(row.begin(), one.epsilon.to_decimal());
    table.add(std::move(row));
  }
  invocation.out().print("{}", table.text(invocation.out_style()));
  for (const TextFigures& one : figures) {
    for (std::size_t i = 0; i < request.words.size(); ++i)
      invocation.out().print("{} at {}: N {:.3f}, S {}\n", vectors.word(request.words[i]), one.epsilon.to_decimal(),
                             one.words[i].stays, one.words[i].outputs);
  }
  invocation.note(fmt::format(
      "mean (5 % to 95 % of the words). N: chance that a word stays; S: words it becomes with a chance of {} or more; S*: "
      "words that become it so; distinct: different outputs in {} runs; entropy in bits; best guess: how often someone who "
      "knows the mechanism guesses the word",
      request.options.figures.eta, request.options.figures.runs));
}

void note_sampling(Invocation& invocation, std::size_t vocabulary, const SampledStatistics& sampled,
                   const FiguresRequest& request) {
  const std::uint64_t draws = request.options.draws;
  const double eta = request.options.figures.eta;
  invocation.note(fmt::format(
      "sampled: {} words, {} draws each; there is no closed form for dchi here. Every mean has a 95 % interval: "
      "see --json",
      sampled.words.size(), draws));
  if (sampled.bayes_uniform)
    invocation.note("best guess: what an attacker achieved who learnt from half of the draws (95 % interval)");
  else
    invocation.note(fmt::format("the best guess needs draws of all words: --sample {}", vocabulary));
  if (static_cast<double>(draws) * eta < 10 * (1 - 1e-9))
    invocation.note(
        fmt::format("S and S* are too large: a share of {} is less than 10 of {} draws, and words that were "
                    "drawn by chance are counted; --draws {} would do",
                    eta, draws, static_cast<std::uint64_t>(std::ceil(10 / eta - 1e-9))));
}

}  // namespace gauze::cli
