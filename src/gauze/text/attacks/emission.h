#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"
#include "gauze/text/statistics/law_statistics.h"
#include "gauze/text/statistics/sampled_statistics.h"

namespace gauze::text {

/// What an attacker knows of a mechanism: the chance that word x is printed as y, for all x at once.
/// Thread safety: const members may be called concurrently.
class Emission {
 public:
  virtual ~Emission() = default;
  [[nodiscard]] virtual std::size_t vocabulary() const = 0;
  /// columns[c * vocabulary() + x] = P[x -> seen[c]], for different words. O(columns) of memory; never V x V of them all.
  [[nodiscard]] virtual Result<void> fill(std::span<const std::uint32_t> seen, std::span<double> columns) const = 0;
};

/// SanText, SanText+ and TEM: the law of the mechanism, within 2^-37 relative, at the speed of a matrix product.
class SoftmaxEmission final : public Emission {
 public:
  /// The mechanism must outlive the emission. Computes the normalisers.
  [[nodiscard]] static Result<std::unique_ptr<SoftmaxEmission>> make(const SoftmaxMechanism& mechanism,
                                                                     Progress* progress = nullptr);
  [[nodiscard]] std::size_t vocabulary() const override { return factors_.size(); }
  [[nodiscard]] Result<void> fill(std::span<const std::uint32_t> seen, std::span<double> columns) const override;

 private:
  explicit SoftmaxEmission(const SoftmaxMechanism& mechanism) : mechanism_(mechanism) {}
  const SoftmaxMechanism& mechanism_;
  std::vector<std::uint32_t> all_;
  std::vector<double> factors_;  ///< the chance that x is drawn for, divided by its normaliser
};

/// Any other mechanism with a closed law: d_chi on a line and of two words, the papers' floating point. `fill` works out the
/// laws of all words anew: words x words of time.
class LawEmission final : public Emission {
 public:
  /// The law may be asked for concurrently.
  LawEmission(std::size_t words, LawOfWord law) : words_(words), law_(std::move(law)) {}
  [[nodiscard]] std::size_t vocabulary() const override { return words_; }
  [[nodiscard]] Result<void> fill(std::span<const std::uint32_t> seen, std::span<double> columns) const override;

 private:
  std::size_t words_;
  LawOfWord law_;
};

/// Without a closed law every word of the vocabulary is drawn `runs` times. One more draw is spread evenly over all
/// words, so that nothing is impossible: P[x -> y] = (count + 1/V) / (runs + 1).
class SimulatedEmission final : public Emission {
 public:
  static constexpr std::uint64_t kMostDraws = 5'000'000;
  struct Options {
    std::uint64_t runs = 100;  ///< at least 1; times the vocabulary at most kMostDraws
    std::uint64_t seed = 0;
  };
  [[nodiscard]] static Result<std::unique_ptr<SimulatedEmission>> make(std::size_t words, const DrawWords& draw,
                                                                       const Options& options,
                                                                       Progress* progress = nullptr);
  [[nodiscard]] std::size_t vocabulary() const override { return starts_.size() - 1; }
  [[nodiscard]] Result<void> fill(std::span<const std::uint32_t> seen, std::span<double> columns) const override;

 private:
  struct Source {
    std::uint32_t word;
    std::uint32_t count;
  };
  explicit SimulatedEmission(std::uint64_t runs) : runs_(runs) {}
  std::uint64_t runs_;
  std::vector<std::size_t> starts_;  ///< of each output in sources_
  std::vector<Source> sources_;      ///< the words that became it
};

}  // namespace gauze::text
