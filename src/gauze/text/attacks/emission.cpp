#include "gauze/text/attacks/emission.h"

#include <algorithm>
#include <numeric>

#include "gauze/base/parallel.h"

namespace gauze::text {

Result<std::unique_ptr<SoftmaxEmission>> SoftmaxEmission::make(const SoftmaxMechanism& mechanism,
                                                               Progress* progress) {
  GAUZE_TRY(const SoftmaxMechanism::Sums sums, mechanism.approximate_sums(progress));
  std::unique_ptr<SoftmaxEmission> emission(new SoftmaxEmission(mechanism));
  emission->all_.resize(sums.weights.size());
  std::iota(emission->all_.begin(), emission->all_.end(), 0U);
  for (const std::uint32_t x : emission->all_)
    emission->factors_.push_back((mechanism.may_stay(x) ? mechanism.p().to_double() : 1) / sums.weights[x]);
  return emission;
}

Result<void> SoftmaxEmission::fill(std::span<const std::uint32_t> seen, std::span<double> columns) const {
  const std::size_t words = vocabulary();
  GAUZE_CHECK(columns.size() == seen.size() * words);
  std::vector<std::uint32_t> drawn;
  std::vector<std::size_t> places;  // of their columns
  for (std::size_t c = 0; c < seen.size(); ++c) {
    if (!mechanism_.may_stay(seen[c])) {
      drawn.push_back(seen[c]);
      places.push_back(c);
      continue;
    }
    // A common word of santext+ is never drawn: it is printed only where it stood.
    const std::span<double> column = columns.subspan(c * words, words);
    std::fill(column.begin(), column.end(), 0);
    column[seen[c]] = (Rational(1) - mechanism_.p()).to_double();
  }
  const ExactWeights& weights = mechanism_.weights();
  return mechanism_.metric().tiles(drawn, all_, [&](const WordMetric::Tile& tile) {
    for (std::size_t r = 0; r < tile.rows; ++r) {
      const auto granules = tile.row(r);
      double* column = columns.data() + places[tile.first_row + r] * words + tile.first_column;
      const double* factors = factors_.data() + tile.first_column;
      for (std::size_t c = 0; c < tile.columns; ++c) column[c] = weights.approximate(granules[c]) * factors[c];
    }
  });
}

Result<void> LawEmission::fill(std::span<const std::uint32_t> seen, std::span<double> columns) const {
  GAUZE_CHECK(columns.size() == seen.size() * words_);
  parallel_for(words_, 16, [&](std::size_t begin, std::size_t end) {
    std::vector<double> p(words_);
    for (std::size_t x = begin; x < end; ++x) {
      std::fill(p.begin(), p.end(), 0.0);
      law_(x, p);
      for (std::size_t c = 0; c < seen.size(); ++c) columns[c * words_ + x] = p[seen[c]];
    }
  });
  return {};
}

Result<std::unique_ptr<SimulatedEmission>> SimulatedEmission::make(std::size_t words, const DrawWords& draw,
                                                                   const Options& options, Progress* progress) {
  if (options.runs == 0) return invalid_parameter("an emission is estimated from at least one run");
  if (options.runs > kMostDraws / words) {
    return invalid_parameter(
        "{} words drawn {} times each are more than {} draws: limit the vocabulary, or draw fewer times", words,
        options.runs, kMostDraws);
  }
  constexpr std::size_t kWords = 16;  // that are drawn together
  if (progress != nullptr) progress->begin("estimating the mechanism", words);
  std::vector<std::vector<std::uint64_t>> drawn((words + kWords - 1) / kWords);  // output, then word
  parallel_for(drawn.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block) {
      if (progress != nullptr && progress->stop_requested()) return;
      std::vector<std::uint32_t> in;
      for (std::size_t x = block * kWords; x < std::min(words, (block + 1) * kWords); ++x)
        in.insert(in.end(), options.runs, static_cast<std::uint32_t>(x));
      std::vector<std::uint32_t> out(in.size());
      SeededRandom random(options.seed, block);
      draw(in, random, out);
      for (std::size_t i = 0; i < in.size(); ++i) drawn[block].push_back(std::uint64_t{out[i]} << 32 | in[i]);
      if (progress != nullptr) progress->advance(in.size() / options.runs);
    }
  });
  if (progress != nullptr) GAUZE_TRY_VOID(progress->check());
  std::vector<std::uint64_t> all;
  for (auto& block : drawn) {
    all.insert(all.end(), block.begin(), block.end());
    block = {};
  }
  std::sort(all.begin(), all.end());
  std::unique_ptr<SimulatedEmission> emission(new SimulatedEmission(options.runs));
  emission->starts_.assign(words + 1, 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i] != all[i - 1]) {
      emission->sources_.push_back({static_cast<std::uint32_t>(all[i]), 0});
      ++emission->starts_[(all[i] >> 32) + 1];
    }
    ++emission->sources_.back().count;
  }
  std::partial_sum(emission->starts_.begin(), emission->starts_.end(), emission->starts_.begin());
  return emission;
}

Result<void> SimulatedEmission::fill(std::span<const std::uint32_t> seen, std::span<double> columns) const {
  const std::size_t words = vocabulary();
  GAUZE_CHECK(columns.size() == seen.size() * words);
  const double draws = static_cast<double>(runs_) + 1;
  std::fill(columns.begin(), columns.end(), 1 / (draws * static_cast<double>(words)));
  for (std::size_t c = 0; c < seen.size(); ++c)
    for (std::size_t i = starts_[seen[c]]; i < starts_[seen[c] + 1]; ++i)
      columns[c * words + sources_[i].word] += sources_[i].count / draws;
  return {};
}

}  // namespace gauze::text
