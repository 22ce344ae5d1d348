#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/text/vectors/internal/vector_storage.h"

namespace gauze::text::internal {

/// The buckets of a word's character n-grams, as fastText computes them: "<word>" cut into pieces of `shortest` to
/// `longest` characters, hashed by FNV-1a (on signed bytes) modulo the number of buckets.
[[nodiscard]] std::vector<std::uint32_t> subword_buckets(std::string_view word, int shortest, int longest,
                                                         std::uint32_t buckets);

/// Adds up the rows of n-grams while they stream by in the order of the file, so that the matrix is never in memory.
class SubwordSums {
 public:
  SubwordSums(int shortest, int longest, std::uint32_t buckets)
      : shortest_(shortest), longest_(longest), buckets_(buckets) {}

  /// The next word of the builder; its own row is there already.
  void add_word(std::string_view word);
  /// All words are there; buckets follow in order.
  void begin();
  void add_bucket(VectorBuilder& builder, std::uint32_t bucket, std::span<const float> values);
  /// No word needs a later bucket.
  [[nodiscard]] bool done() const { return next_ == needs_.size(); }
  /// Turns sums into means.
  void finish(VectorBuilder& builder) const;

 private:
  struct Need {
    std::uint32_t bucket;
    std::uint32_t word;
  };
  int shortest_;
  int longest_;
  std::uint32_t buckets_;
  std::vector<Need> needs_;
  std::vector<std::uint32_t> parts_;  // rows that make up a word
  std::size_t next_ = 0;
};

}  // namespace gauze::text::internal
