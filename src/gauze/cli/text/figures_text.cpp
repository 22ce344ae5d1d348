#include "gauze/cli/text/figures_text.h"

#include <cmath>

#include "gauze/cli/core/text_table.h"

namespace gauze::cli {

using namespace text;  // the vocabulary of this file

namespace {

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

/// The words of the owner's text that are likeliest to stay at an epsilon.
void print_own_words(Invocation& invocation, const WordVectors& vectors, const TextFigures& figures) {
  if (!figures.own_words) return;
  invocation.out().print("\n{}\nwords of the text that are likeliest to stay at {}:\n",
                         invocation.out_style().red(std::string(kOwnWordsNotice)), figures.epsilon.to_decimal());
  TextTable table;
  table.add({"word", "in the text", "N"});
  for (const OwnWord& one : *figures.own_words)
    table.add({std::string(vectors.word(one.word)), fmt::format("{}", one.count), fmt::format("{:.3f}", one.stays)});
  invocation.out().print("{}", table.text(invocation.out_style()));
}

}  // namespace

void print_stats(Invocation& invocation, const WordVectors& vectors, const std::vector<TextFigures>& figures,
                 const FiguresRequest& request) {
  const bool prior = !request.prior.empty();
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
    for (const TextFigures::OfWord& word : one.words)
      invocation.out().print("{} at {}: N {:.3f}, S {}\n", vectors.word(word.word), one.epsilon.to_decimal(),
                             word.stays, word.outputs);
  }
  for (const TextFigures& one : figures) print_own_words(invocation, vectors, one);
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

void print_choice(Invocation& invocation, const WordVectors& vectors, const TargetChoice& choice) {
  invocation.out().print("{}\n", choice.choice.epsilon.to_decimal());
  print_own_words(invocation, vectors, choice.figures);
  invocation.note(
      fmt::format("{} is {:.4f} there, at most {}; it means this for these vectors and this mechanism only",
                  to_string(choice.target), choice.choice.achieved, choice.value.to_decimal()));
  if (!choice.figures.sampled) return;
  const auto interval = choice.interval();
  invocation.note(
      interval
          ? fmt::format("sampled: it lies between {:.4f} and {:.4f} (95 %); the upper end is kept below the value",
                        interval->first, interval->second)
          : fmt::format("sampled: a quantile of {} words, an estimate without an interval",
                        choice.figures.sampled->words.size()));
}

}  // namespace gauze::cli
