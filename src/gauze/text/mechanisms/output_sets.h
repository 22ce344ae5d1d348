#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// The vocabulary divided into sets of near words, as CusText does: the first word that is in no set takes its nearest words that are in
/// none, until there are `size` of them. Words left at the end, fewer than that, join the last set. It depends on public vectors alone.
class OutputSets {
 public:
  /// `invalid_parameter` when `size` is below 2.
  [[nodiscard]] static Result<OutputSets> make(const WordVectors& vectors, std::size_t size,
                                               Progress* progress = nullptr);

  [[nodiscard]] std::size_t count() const { return starts_.size() - 1; }
  [[nodiscard]] std::uint32_t set_of(std::size_t word) const { return set_of_[word]; }
  /// The words of a set, ascending.
  [[nodiscard]] std::span<const std::uint32_t> words(std::size_t set) const {
    return std::span(words_).subspan(starts_[set], starts_[set + 1] - starts_[set]);
  }

 private:
  std::vector<std::uint32_t> set_of_;
  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> starts_ = {0};
};

}  // namespace gauze::text
