#include "gauze/text/statistics/sampled_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "gauze/base/parallel.h"
#include "gauze/statistics/binomial_interval.h"

namespace gauze::text {
namespace {

constexpr double kZ = 1.959964;  // 95 % of a normal variable

/// How often a word came in each half of the draws.
struct OutputCount {
  std::uint32_t word = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  [[nodiscard]] std::uint32_t all() const { return first + second; }
};

std::vector<OutputCount> count_outputs(std::span<const std::uint32_t> drawn) {
  std::vector<std::uint64_t> keys;
  keys.reserve(drawn.size());
  for (std::size_t i = 0; i < drawn.size(); ++i)
    keys.push_back(std::uint64_t{drawn[i]} << 1 | (i < drawn.size() / 2 ? 0 : 1));
  std::sort(keys.begin(), keys.end());
  std::vector<OutputCount> counts;
  for (const std::uint64_t key : keys) {
    const auto word = static_cast<std::uint32_t>(key >> 1);
    if (counts.empty() || counts.back().word != word) counts.push_back({.word = word});
    ++((key & 1) == 0 ? counts.back().first : counts.back().second);
  }
  return counts;
}

/// What a word that came c times in D draws is in R of them, taken without putting back.
class Rarefaction {
 public:
  Rarefaction(std::uint64_t draws, std::uint64_t runs) : seen_(draws + 1), once_(draws + 1) {
    double unseen = 1;                                                      // C(D - c, R) / C(D, R)
    double alone = static_cast<double>(runs) / static_cast<double>(draws);  // C(D - c, R - 1) / C(D, R)
    for (std::uint64_t c = 1; c <= draws; ++c) {
      const auto left = static_cast<double>(draws - c + 1);
      const double others = left - static_cast<double>(runs);
      unseen *= std::max(others, 0.0) / left;
      if (c > 1) alone *= std::max(others + 1, 0.0) / left;
      seen_[c] = 1 - unseen;
      once_[c] = static_cast<double>(c) * alone;
    }
  }
  [[nodiscard]] double seen(std::uint32_t count) const { return seen_[count]; }  ///< the chance to be there
  [[nodiscard]] double once(std::uint32_t count) const { return once_[count]; }  ///< the chance to be there once

 private:
  std::vector<double> seen_;
  std::vector<double> once_;
};

/// The best guess for every output under one prior, learnt from all draws and from each half.
class GuessContest {
 public:
  GuessContest(std::vector<double> prior, std::uint64_t draws)
      : prior_(std::move(prior)),
        usual_(static_cast<std::uint32_t>(std::max_element(prior_.begin(), prior_.end()) - prior_.begin())),
        draws_(static_cast<double>(draws)),
        from_first_(prior_.size()),
        from_second_(prior_.size()),
        from_all_(prior_.size()) {}

  /// The order of words does not matter: of equals the first wins.
  void add(std::uint32_t x, std::span<const OutputCount> counts) {
    for (const OutputCount& count : counts) {
      offer(from_first_[count.word], x, count.first, count.second);
      offer(from_second_[count.word], x, count.second, count.first);
      from_all_[count.word] = std::max(from_all_[count.word], prior_[x] * count.all());
    }
  }

  [[nodiscard]] SampledGuess finish() const {
    double tested = 0;
    double learnt = 0;
    for (std::size_t y = 0; y < prior_.size(); ++y) {
      for (const Guess& guess : {from_first_[y], from_second_[y]}) tested += prior_[guess.word] * guess.tested;
      learnt += from_all_[y];
    }
    // A draw of x changes either figure by prior(x) / draws at most; the halves that are tested may go together.
    const double squares = std::inner_product(prior_.begin(), prior_.end(), prior_.begin(), 0.0);
    const double error_of_all = std::sqrt(squares / draws_) / 2;
    const double error_of_halves = std::sqrt(squares / (2 * draws_));
    SampledGuess result;
    result.success = tested / draws_;
    result.low = std::max(0.0, result.success - kZ * error_of_halves);
    result.high = std::min(1.0, learnt / draws_ + kZ * error_of_all);
    return result;
  }

 private:
  struct Guess {
    double score = -1;
    std::uint32_t word = 0;
    std::uint32_t tested = 0;  ///< how often it is right on the other half
  };
  /// The usual word is guessed for what was not learnt.
  void offer(Guess& best, std::uint32_t x, std::uint32_t learnt, std::uint32_t tested) const {
    if (learnt == 0 && x != usual_) return;
    const double score = prior_[x] * learnt;
    if (score > best.score || (score == best.score && x < best.word)) best = {score, x, tested};
  }

  std::vector<double> prior_;
  std::uint32_t usual_;
  double draws_;
  std::vector<Guess> from_first_;
  std::vector<Guess> from_second_;
  std::vector<double> from_all_;
};

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}
double deviation_of(const std::vector<std::uint32_t>& counts) {
  return deviation_of(std::vector<double>(counts.begin(), counts.end()));
}

/// A figure of each word that was looked at, and its variance from the draws alone.
struct Figure {
  explicit Figure(std::size_t words) : values(words), within(words) {}
  std::vector<double> values;
  std::vector<double> within;
};

/// Half the width of the interval of a mean over a vocabulary. Words that were not looked at differ, and all are drawn: two
/// stages of sampling (Cochran 1977, chapter 10). Infinite when one word has to speak for others.
/// Something rare that never came leaves no trace in the variances: what `a_draw` changes a word's figure by, as often as
/// something may happen that was not seen at all (z^2 times, by Wilson's interval for counts), is added. So it is with rare
/// words that were not looked at: as many of them as Wilson's interval is shifted by (z^2 / 2) may lie anywhere in the
/// figure's `range`.
double half_width(const Figure& figure, std::size_t vocabulary, double range, double a_draw = 0) {
  const auto n = static_cast<double>(figure.values.size());
  const double looked_at = n / static_cast<double>(vocabulary);
  if (figure.values.size() == 1 && vocabulary > 1) return std::numeric_limits<double>::infinity();
  const double between = deviation_of(figure.values);
  return kZ * std::sqrt(((1 - looked_at) * between * between + looked_at * mean_of(figure.within)) / n) +
         kZ * kZ / n * (a_draw + (1 - looked_at) * range / 2);
}

/// Between which counts a word with a chance of exactly eta lies, but for a chance of kCrossing on either side.
struct CountsAtTheLine {
  std::uint32_t least = 0;  ///< fewer come with a chance of kCrossing at most
  std::uint32_t most = 0;   ///< so many or more come with a chance of kCrossing at most
};
constexpr double kCrossing = 0.005;

/// By Poisson's law, whose tails are those of a count of draws or heavier.
CountsAtTheLine counts_at(double line) {
  CountsAtTheLine counts;
  if (line > 500) {  // nearly normal: 2.58 deviations, and a little for its skew
    counts.least = static_cast<std::uint32_t>(line - 2.65 * std::sqrt(line));
    counts.most = static_cast<std::uint32_t>(line + 2.65 * std::sqrt(line)) + 1;
    return counts;
  }
  double p = std::exp(-line);  // of a count, and below of all up to it
  double below = 0;
  for (std::uint32_t count = 0;; ++count) {
    if (below <= kCrossing) counts.least = count;
    if (1 - below <= kCrossing) {
      counts.most = count;
      return counts;
    }
    below += p;
    p *= line / (count + 1);
  }
}

/// Gathers the draws of all words that are looked at.
class Sampler {
 public:
  Sampler(std::size_t vocabulary, std::vector<std::uint32_t> words, const SamplingOptions& options)
      : vocabulary_(vocabulary),
        options_(options),
        draws_(static_cast<double>(options.draws)),
        rarefaction_(options.draws, options.figures.runs),
        line_(counts_at(options.figures.eta * static_cast<double>(options.draws))),
        stays_(words.size()),
        surely_(words.size()),
        perhaps_(words.size()),
        distinct_(words.size()),
        entropy_(words.size()) {
    result_.outputs.resize(words.size());
    result_.entropy.resize(words.size());
    result_.words = std::move(words);
    if (result_.words.size() < vocabulary) return;
    result_.inputs.emplace(vocabulary);
    contests_.emplace_back(std::vector<double>(vocabulary, 1 / static_cast<double>(vocabulary)), options.draws);
    const auto prior = options.figures.prior;
    if (!prior.empty()) contests_.emplace_back(std::vector<double>(prior.begin(), prior.end()), options.draws);
  }

  /// Takes the draws of the i-th word; from several threads at once.
  void look(std::size_t i, std::span<const std::uint32_t> drawn) {
    const std::vector<OutputCount> counts = count_outputs(drawn);
    look_at_shares(i, counts);
    look_at_variety(i, counts);
    if (!result_.inputs) return;
    const std::lock_guard lock(mutex_);  // counts and largest values: the order does not matter
    for (const OutputCount& count : counts) (*result_.inputs)[count.word] += is_output(count) ? 1 : 0;
    for (GuessContest& contest : contests_) contest.add(result_.words[i], counts);
  }

  [[nodiscard]] SampledStatistics finish() {
    result_.draws = options_.draws;
    result_.mean_stays = interval_of_stays();
    result_.mean_outputs = interval_of_outputs();
    result_.mean_inputs = result_.mean_outputs;
    result_.mean_inputs.sd =
        result_.inputs ? deviation_of(*result_.inputs) : std::numeric_limits<double>::quiet_NaN();
    result_.mean_distinct = interval_of_distinct();
    result_.mean_entropy = interval_of_entropy();
    if (!contests_.empty()) result_.bayes_uniform = contests_[0].finish();
    if (contests_.size() > 1) result_.bayes_prior = contests_[1].finish();
    result_.stays = std::move(stays_.values);
    result_.distinct = std::move(distinct_.values);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_output(const OutputCount& count) const {
    return count.all() / draws_ >= options_.figures.eta;
  }
  /// How many words can have a chance of eta at the same time.
  [[nodiscard]] double most_outputs() const {
    return std::min(static_cast<double>(vocabulary_), std::floor(1 / options_.figures.eta + 1e-9));
  }
  /// By how much the entropy of shares is too small on average, at the most.
  [[nodiscard]] double most_bias() const { return std::log2(1 + (static_cast<double>(vocabulary_) - 1) / draws_); }

  void look_at_shares(std::size_t i, std::span<const OutputCount> counts) {
    for (const OutputCount& count : counts) {
      if (count.word == result_.words[i]) stays_.values[i] = count.all() / draws_;
      result_.outputs[i] += is_output(count) ? 1 : 0;
      surely_.values[i] += count.all() >= line_.most ? 1 : 0;
      perhaps_.values[i] += count.all() >= line_.least ? 1 : 0;
    }
    if (line_.least == 0) perhaps_.values[i] = most_outputs();  // words that were never drawn, too
    perhaps_.values[i] = std::min(perhaps_.values[i], most_outputs());
    surely_.within[i] = perhaps_.within[i] = (perhaps_.values[i] - surely_.values[i]) / 4;
  }

  void look_at_variety(std::size_t i, std::span<const OutputCount> counts) {
    double once = 0;
    double squares = 0;
    for (const OutputCount& count : counts) {
      const double share = count.all() / draws_;
      distinct_.values[i] += rarefaction_.seen(count.all());
      once += rarefaction_.once(count.all());
      entropy_.values[i] -= share * std::log2(share);
      squares += share * std::log2(share) * std::log2(share);
    }
    // Of the number of different words in `runs` the variance is at most the expected number of those that come once (Efron
    // and Stein 1981); the mean over all choices of `runs` draws has at most the share runs / draws of it (Hoeffding 1948).
    distinct_.within[i] = once * static_cast<double>(options_.figures.runs) / draws_;
    const double entropy = entropy_.values[i] = std::max(entropy_.values[i], 0.0);
    entropy_.within[i] = std::max(squares - entropy * entropy, 0.0) / draws_;
    const double correction = static_cast<double>(counts.size() - 1) / (2 * draws_ * std::log(2.0));
    result_.entropy[i] =
        std::min(entropy + std::min(correction, most_bias()), std::log2(static_cast<double>(vocabulary_)));
  }

  [[nodiscard]] MeanInterval interval_of_stays() const {
    const double mean = mean_of(stays_.values);
    const auto drawn = wilson_interval(mean, draws_ * static_cast<double>(stays_.values.size()));
    const double words = half_width(stays_, vocabulary_, 1);
    return {std::max(0.0, mean - std::hypot(words, mean - drawn.low)),
            std::min(1.0, mean + std::hypot(words, drawn.high - mean)), deviation_of(stays_.values)};
  }
  [[nodiscard]] MeanInterval interval_of_outputs() const {
    // On average at most kCrossing of the words at eta fall out of the one, and of those below it as many get into the other
    // as would if they had all the chance there is: 1 / eta words just below it.
    const double wrong = kCrossing / options_.figures.eta;
    return {std::max(0.0, mean_of(surely_.values) - half_width(surely_, vocabulary_, most_outputs()) - wrong),
            std::min(most_outputs(), (mean_of(perhaps_.values) + half_width(perhaps_, vocabulary_, most_outputs())) /
                                         (1 - kCrossing)),
            deviation_of(result_.outputs)};
  }
  [[nodiscard]] MeanInterval interval_of_distinct() const {
    const double mean = mean_of(distinct_.values);
    const auto most = static_cast<double>(std::min<std::uint64_t>(options_.figures.runs, vocabulary_));
    const double half =
        half_width(distinct_, vocabulary_, most - 1, static_cast<double>(options_.figures.runs) / draws_);
    return {std::max(1.0, mean - half), std::min(most, mean + half), deviation_of(distinct_.values)};
  }
  [[nodiscard]] MeanInterval interval_of_entropy() const {
    const double mean = mean_of(entropy_.values);
    const double most = std::log2(static_cast<double>(vocabulary_));
    const double half = half_width(entropy_, vocabulary_, most, (std::log2(draws_) + 1 / std::log(2.0)) / draws_);
    return {std::max(0.0, mean - half), std::min(most, mean + half + most_bias()), deviation_of(result_.entropy)};
  }

  std::size_t vocabulary_;
  const SamplingOptions options_;
  double draws_;
  Rarefaction rarefaction_;
  CountsAtTheLine line_;
  Figure stays_;  ///< what is within a word is Wilson's
  Figure surely_;
  Figure perhaps_;
  Figure distinct_;
  Figure entropy_;  ///< of the shares
  std::vector<GuessContest> contests_;
  SampledStatistics result_;
  std::mutex mutex_;
};

Result<void> check_sampling(std::size_t vocabulary, std::size_t words, const SamplingOptions& options) {
  GAUZE_TRY_VOID(check_options(options.figures));
  GAUZE_CHECK(options.figures.prior.empty() || options.figures.prior.size() == vocabulary);
  if (words == 0) return invalid_parameter("at least one word must be sampled");
  const std::uint64_t least = std::max<std::uint64_t>(options.figures.runs, 2);
  if (options.draws < least || options.draws > SamplingOptions::kMostDraws)
    return invalid_parameter("draws must be from {} (2, and as many as runs) to {}, but are {}", least,
                             SamplingOptions::kMostDraws, options.draws);
  if (options.draws > SamplingOptions::kMostInAll / words)
    return invalid_parameter(
        "{} words drawn {} times each are more than {} draws: lower the number of words, or of draws", words,
        options.draws, SamplingOptions::kMostInAll);
  return {};
}

}  // namespace

Result<SampledStatistics> sample_statistics(std::size_t vocabulary, std::vector<std::uint32_t> words,
                                            const DrawWords& draw, const SamplingOptions& options,
                                            Progress* progress) {
  GAUZE_TRY_VOID(check_sampling(vocabulary, words.size(), options));
  const std::size_t draws = options.draws;
  const std::size_t at_once = std::max<std::size_t>(1, 1024 / draws);  // words whose draws fill a batch
  Sampler sampler(vocabulary, words, options);
  if (progress != nullptr) progress->begin("drawing words", words.size());
  parallel_for(words.size(), at_once, [&](std::size_t begin, std::size_t end) {
    if (progress != nullptr && progress->stop_requested()) return;
    std::vector<std::uint32_t> inputs;
    for (std::size_t i = begin; i < end; ++i) inputs.insert(inputs.end(), draws, words[i]);
    std::vector<std::uint32_t> outputs(inputs.size());
    SeededRandom random(options.seed, begin);
    draw(inputs, random, outputs);
    for (std::size_t i = begin; i < end; ++i) sampler.look(i, std::span(outputs).subspan((i - begin) * draws, draws));
    if (progress != nullptr) progress->advance(end - begin);
  });
  if (progress != nullptr) GAUZE_TRY_VOID(progress->check());
  return sampler.finish();
}

std::vector<std::uint32_t> spread_words(std::size_t vocabulary, std::size_t sample, std::uint64_t seed) {
  const std::size_t count = std::min(sample, vocabulary);
  std::vector<std::uint32_t> words;
  words.reserve(count);
  SeededRandom random(seed, ~std::uint64_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * vocabulary / count;
    const std::size_t end = (i + 1) * vocabulary / count;
    words.push_back(static_cast<std::uint32_t>(begin + random.below(end - begin)));
  }
  return words;
}

}  // namespace gauze::text
