#include "gauze/text/statistics/inequality_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "gauze/base/parallel.h"
#include "gauze/text/statistics/internal/largest_difference.h"

namespace gauze::text {
namespace {

constexpr std::size_t kMostBytes = std::size_t{200} << 20;
constexpr double kImpossible = -1e9;    // for the logarithm of 0: differences of them are 0, others are huge
constexpr std::size_t kBlock = 16;      // rows compared with so many others at once
constexpr std::size_t kColumns = 1024;  // of a row, that stay in the cache meanwhile

std::vector<std::uint32_t> chosen_rows(const WordVectors& vectors, std::size_t rows) {
  std::vector<std::uint32_t> chosen;
  if (rows >= vectors.size()) {
    for (std::uint32_t x = 0; x < vectors.size(); ++x) chosen.push_back(x);
    return chosen;
  }
  const std::size_t half = std::max<std::size_t>(rows / 2, 1);
  for (std::size_t i = 0; i < half; ++i) chosen.push_back(static_cast<std::uint32_t>(i * vectors.size() / half));
  std::vector<std::uint32_t> beside(half);
  parallel_for(half, 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) beside[i] = vectors.nearest(chosen[i], 1).front().word;
  });
  chosen.insert(chosen.end(), beside.begin(), beside.end());
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// Rows of logarithms, and what is found in pairs of them.
class RowComparison {
 public:
  RowComparison(const CheckedMechanism& mechanism, std::vector<std::uint32_t> rows)
      : mechanism_(mechanism),
        rows_(std::move(rows)),
        width_(mechanism.outputs.size()),
        log_p_(rows_.size() * width_) {}

  [[nodiscard]] std::size_t blocks() const { return (rows_.size() + kBlock - 1) / kBlock; }
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  void fill(std::size_t row) {
    const std::span<double> log_p = std::span(log_p_).subspan(row * width_, width_);
    mechanism_.log_law(rows_[row], log_p);
    for (double& one : log_p) one = std::max(one, kImpossible);
  }

  /// All rows of a block against its own and all later ones.
  void compare_block(std::size_t block) {
    const std::size_t begin = block * kBlock;
    const std::size_t end = std::min(rows_.size(), begin + kBlock);
    std::vector<internal::LargestDifferences> largest(kBlock * kBlock);
    InequalityCheck worst;
    worst.worst = -std::numeric_limits<double>::infinity();
    for (std::size_t other = begin; other < rows_.size(); other += kBlock) {
      const std::size_t other_end = std::min(rows_.size(), other + kBlock);
      constexpr double kLeast = -std::numeric_limits<double>::infinity();
      std::fill(largest.begin(), largest.end(), internal::LargestDifferences{kLeast, kLeast});
      for (std::size_t column = 0; column < width_; column += kColumns) {
        const std::size_t count = std::min(kColumns, width_ - column);
        for (std::size_t i = begin; i < end; ++i) {
          for (std::size_t j = std::max(other, i + 1); j < other_end; ++j) {
            const auto found = internal::largest_differences(row(i) + column, row(j) + column, count);
            auto& place = largest[(i - begin) * kBlock + (j - other)];
            place.forth = std::max(place.forth, found.forth);
            place.back = std::max(place.back, found.back);
          }
        }
      }
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t j = std::max(other, i + 1); j < other_end; ++j) {
          const auto& place = largest[(i - begin) * kBlock + (j - other)];
          const double allowed = mechanism_.allowed(rows_[i], rows_[j]);
          consider(worst, i, j, place.forth, allowed);
          consider(worst, j, i, place.back, allowed);
        }
      }
    }
    const std::lock_guard lock(mutex_);
    // The first of equals, so that the order of threads does not matter.
    const auto place = [](const InequalityCheck& one) { return std::pair(one.x, one.x_prime); };
    if (worst.worst > worst_.worst || (worst.worst == worst_.worst && place(worst) < place(worst_))) worst_ = worst;
  }

  [[nodiscard]] InequalityCheck result(std::size_t words) {
    InequalityCheck result = worst_;
    const std::size_t rows = rows_.size();
    result.triples = static_cast<std::uint64_t>(rows) * (rows - 1) * width_;
    result.complete = rows == words;
    if (rows < 2) return InequalityCheck{.complete = result.complete};
    // x and x' are numbers of rows so far.
    const double* const a = row(result.x);
    const double* const b = row(result.x_prime);
    std::size_t place = 0;
    while (place + 1 < width_ && a[place] - b[place] < result.log_ratio) ++place;
    result.y = mechanism_.outputs[place];
    if (result.worst > -kImpossible / 2) result.worst = result.log_ratio = std::numeric_limits<double>::infinity();
    result.x = rows_[result.x];
    result.x_prime = rows_[result.x_prime];
    // Two logarithms, and the roundings of two differences of numbers below 2^8.
    result.error = 2 * mechanism_.error + 0x1p-43;
    return result;
  }

 private:
  [[nodiscard]] const double* row(std::size_t i) const { return log_p_.data() + i * width_; }
  static void consider(InequalityCheck& worst, std::size_t x, std::size_t x_prime, double log_ratio, double allowed) {
    const double excess = log_ratio - allowed;
    if (!(excess > worst.worst)) return;
    worst.worst = excess;
    worst.x = static_cast<std::uint32_t>(x);
    worst.x_prime = static_cast<std::uint32_t>(x_prime);
    worst.log_ratio = log_ratio;
    worst.allowed = allowed;
  }

  const CheckedMechanism& mechanism_;
  std::vector<std::uint32_t> rows_;
  std::size_t width_;
  std::vector<double> log_p_;
  std::mutex mutex_;
  InequalityCheck worst_{.worst = -std::numeric_limits<double>::infinity()};
};

}  // namespace

CheckedMechanism checked(const SoftmaxMechanism& mechanism) {
  const Rational epsilon = mechanism.epsilon();
  CheckedMechanism result;
  result.words = mechanism.metric().vectors().size();
  result.outputs = mechanism.outputs();
  result.error = 0x1p-46;  // of the logarithms of integers: 2^-50 each, and one rounding of their difference
  result.log_law = [&mechanism](std::size_t x, std::span<double> log_p) {
    const std::vector<Weight> row = mechanism.weight_row(x);
    Weight sum = 0;
    for (const Weight weight : row) sum += weight;
    const double drawn = mechanism.may_stay(x) ? std::log(mechanism.p().to_double()) : 0;
    for (std::size_t i = 0; i < row.size(); ++i) log_p[i] = drawn + (log_of(row[i]) - log_of(sum));
  };
  const double a_granule = epsilon.to_double() * mechanism.metric().granule();
  const double besides = mechanism.epsilon0();
  result.allowed = [&mechanism, a_granule, besides](std::size_t x, std::size_t x_prime) {
    const std::uint32_t granules =
        std::min(mechanism.metric().granules(x, x_prime), mechanism.weights().cap_granules());
    return a_granule * granules + besides;
  };
  return result;
}

Result<InequalityCheck> check_inequality(const WordVectors& vectors, const CheckedMechanism& mechanism,
                                         Progress* progress, std::size_t complete_words) {
  GAUZE_CHECK(vectors.size() == mechanism.words && !mechanism.outputs.empty());
  std::size_t rows = mechanism.words;
  if (rows > complete_words)
    rows = std::clamp<std::size_t>(kMostBytes / 8 / mechanism.outputs.size(), 2, complete_words);
  RowComparison comparison(mechanism, chosen_rows(vectors, rows));
  const std::size_t blocks = comparison.blocks();
  if (progress != nullptr) progress->begin("comparing what words become", blocks);
  parallel_for(comparison.rows(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (progress != nullptr && progress->stop_requested()) return;
      comparison.fill(i);
    }
  });
  parallel_for(blocks, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (progress != nullptr && progress->stop_requested()) return;
      comparison.compare_block(i);
      if (progress != nullptr) progress->advance();
    }
  });
  if (progress != nullptr) GAUZE_TRY_VOID(progress->check());
  return comparison.result(vectors.size());
}

}  // namespace gauze::text
