#include "gauze/text/utility/document_features.h"

#include <algorithm>
#include <cmath>

namespace gauze::text {
namespace {

/// Adds up the integer vectors of the known words. Sums of fewer than 2^27 words are exact: an
/// integer is below 2^26 in size.
void sum_of_words(std::span<const std::uint32_t> tokens, const WordVectors& vectors, std::span<double> sum) {
  std::fill(sum.begin(), sum.end(), 0.0);
  for (const std::uint32_t token : tokens) {
    if (token >= vectors.size()) continue;
    const auto row = vectors.fixed_row(token);
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += row[d];
  }
}

}  // namespace

models::SparseRows word_features(const DocumentBags& bags, std::size_t vocabulary) {
  models::SparseRows rows;
  rows.columns = vocabulary + 1;
  rows.indices.reserve(bags.tokens.size());
  rows.values.reserve(bags.tokens.size());
  std::vector<std::uint32_t> tokens;
  for (std::size_t i = 0; i < bags.size(); ++i) {
    tokens.assign(bags[i].begin(), bags[i].end());
    std::sort(tokens.begin(), tokens.end());
    // The squares of the entries are counts: they add up to the number of tokens.
    const auto all = static_cast<double>(tokens.size());
    for (std::size_t begin = 0; begin < tokens.size();) {
      std::size_t end = begin;
      while (end < tokens.size() && tokens[end] == tokens[begin]) ++end;
      rows.indices.push_back(tokens[begin]);
      rows.values.push_back(std::sqrt(static_cast<double>(end - begin) / all));
      begin = end;
    }
    rows.starts.push_back(rows.indices.size());
  }
  return rows;
}

std::vector<double> unit_means(const DocumentBags& bags, const WordVectors& vectors) {
  const std::size_t n = vectors.dimensions();
  std::vector<double> means(bags.size() * n);
  for (std::size_t i = 0; i < bags.size(); ++i) {
    const std::span<double> mean(means.data() + i * n, n);
    sum_of_words(bags[i], vectors, mean);
    double squares = 0;
    for (const double value : mean) squares += value * value;
    if (squares == 0) continue;
    const double length = std::sqrt(squares);
    for (double& value : mean) value /= length;
  }
  return means;
}

}  // namespace gauze::text
