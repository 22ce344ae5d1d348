#include <algorithm>
#include <cmath>

#include "gauze/text/metric/internal/distance_kernels.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

double WordVectors::distance(std::size_t i, std::size_t j) const {
  // At most 2^52: exact.
  const auto squared =
      static_cast<double>(internal::squared_distance(fixed_row(i).data(), fixed_row(j).data(), dimensions()));
  return std::ldexp(std::sqrt(squared), -scale_bits());
}

Result<WordVectors> WordVectors::only(const std::vector<bool>& marked) const {
  std::vector<std::string> words;
  std::vector<float> values;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!marked[i]) continue;
    words.emplace_back(word(i));
    values.resize(values.size() + dimensions());
    copy_floats(i, 1, values.data() + values.size() - dimensions());
  }
  return make(words, values);
}

std::vector<WordVectors::Neighbour> WordVectors::nearest(std::size_t i, std::size_t k) const {
  std::vector<Neighbour> all;
  all.reserve(size());
  for (std::size_t j = 0; j < size(); ++j) {
    if (j == i) continue;
    const std::uint64_t squared = internal::squared_distance(fixed_row(i).data(), fixed_row(j).data(), dimensions());
    all.push_back({static_cast<std::uint32_t>(j), squared, 0});
  }
  const std::size_t kept = std::min(k, all.size());
  const auto nearer = [](const Neighbour& a, const Neighbour& b) {
    return a.squared_distance != b.squared_distance ? a.squared_distance < b.squared_distance : a.word < b.word;
  };
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), nearer);
  all.resize(kept);
  for (Neighbour& neighbour : all) {
    neighbour.distance = std::ldexp(std::sqrt(static_cast<double>(neighbour.squared_distance)), -scale_bits());
  }
  return all;
}

}  // namespace gauze::text
