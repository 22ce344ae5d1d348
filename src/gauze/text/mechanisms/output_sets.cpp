#include "gauze/text/mechanisms/output_sets.h"

#include <algorithm>

#include "gauze/base/parallel.h"

namespace gauze::text {
namespace {

/// Words in no set yet, their vectors beside each other.
class Free {
 public:
  explicit Free(const WordVectors& vectors) : n_(vectors.dimensions()), rows_(vectors.size() * n_) {
    for (std::uint32_t i = 0; i < vectors.size(); ++i) words_.push_back(i);
    vectors.copy_floats(0, vectors.size(), rows_.data());
  }
  [[nodiscard]] std::size_t size() const { return words_.size(); }

  /// Takes the first word and those nearest to it out: `size` in all, in no order.
  std::vector<std::uint32_t> take(std::size_t size) {
    std::vector<std::pair<float, std::uint32_t>> distances(words_.size());  // and places
    constexpr std::size_t kAtOnce = 4096;
    parallel_for(words_.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        float sum = 0;
        for (std::size_t d = 0; d < n_; ++d) {
          const float difference = rows_[i * n_ + d] - rows_[d];
          sum += difference * difference;
        }
        distances[i] = {i == 0 ? -1.0F : sum, static_cast<std::uint32_t>(i)};
      }
    });
    std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(size - 1), distances.end());
    std::vector<bool> taken(words_.size(), false);
    std::vector<std::uint32_t> set;
    for (std::size_t i = 0; i < size; ++i) {
      taken[distances[i].second] = true;
      set.push_back(words_[distances[i].second]);
    }
    remove(taken);
    return set;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& words() const { return words_; }

 private:
  void remove(const std::vector<bool>& taken) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (taken[i]) continue;
      if (kept != i) {
        words_[kept] = words_[i];
        std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(i * n_), n_,
                    rows_.begin() + static_cast<std::ptrdiff_t>(kept * n_));
      }
      ++kept;
    }
    words_.resize(kept);
  }

  std::size_t n_;
  std::vector<std::uint32_t> words_;
  std::vector<float> rows_;
};

}  // namespace

Result<OutputSets> OutputSets::make(const WordVectors& vectors, std::size_t size, Progress* progress) {
  if (size < 2) return invalid_parameter("an output set has at least 2 words, but is to have {}", size);
  OutputSets sets;
  sets.set_of_.resize(vectors.size());
  Free left(vectors);
  while (left.size() > 0) {
    const bool is_last = left.size() < 2 * size;
    std::vector<std::uint32_t> set = is_last ? left.words() : left.take(size);
    std::sort(set.begin(), set.end());
    for (const std::uint32_t word : set) sets.set_of_[word] = static_cast<std::uint32_t>(sets.count());
    sets.words_.insert(sets.words_.end(), set.begin(), set.end());
    sets.starts_.push_back(sets.words_.size());
    if (is_last) break;
    if (progress != nullptr) GAUZE_TRY_VOID(progress->check());
  }
  return sets;
}

}  // namespace gauze::text
