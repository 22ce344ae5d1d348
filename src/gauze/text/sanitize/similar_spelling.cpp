#include "gauze/text/sanitize/similar_spelling.h"

#include <algorithm>
#include <limits>
#include <string>

namespace gauze::text {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Hashes (FNV-1a, 64 bits) of the different pieces of so many characters of "<word>".
std::vector<std::uint64_t> pieces_of(std::string_view word, int length) {
  const std::string whole = "<" + std::string(word) + ">";
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (!continues_character(whole[i])) starts.push_back(i);
  starts.push_back(whole.size());
  std::vector<std::uint64_t> hashes;
  const auto size = static_cast<std::size_t>(length);
  for (std::size_t i = 0; i + size < starts.size(); ++i) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (std::size_t at = starts[i]; at < starts[i + size]; ++at)
      hash = (hash ^ static_cast<unsigned char>(whole[at])) * 0x100000001B3U;
    hashes.push_back(hash);
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

}  // namespace

SimilarSpelling::SimilarSpelling(const WordVectors& vectors)
    : size_(vectors.size()),
      threes_{.length = 3, .words = {}, .counts = {}},
      twos_{.length = 2, .words = {}, .counts = {}} {
  add(threes_, vectors);
  add(twos_, vectors);
}

void SimilarSpelling::add(Pieces& pieces, const WordVectors& vectors) const {
  pieces.counts.reserve(size_);
  for (std::uint32_t word = 0; word < size_; ++word) {
    const auto hashes = pieces_of(vectors.word(word), pieces.length);
    for (const std::uint64_t hash : hashes) pieces.words[hash].push_back(word);
    pieces.counts.push_back(
        static_cast<std::uint16_t>(std::min<std::size_t>(hashes.size(), std::numeric_limits<std::uint16_t>::max())));
  }
}

std::optional<std::uint32_t> SimilarSpelling::best(const Pieces& pieces, std::string_view word) {
  const auto hashes = pieces_of(word, pieces.length);
  std::unordered_map<std::uint32_t, std::uint32_t> common;
  for (const std::uint64_t hash : hashes) {
    const auto found = pieces.words.find(hash);
    if (found == pieces.words.end()) continue;
    for (const std::uint32_t candidate : found->second) ++common[candidate];
  }
  std::optional<std::uint32_t> nearest;
  std::uint64_t most = 0;  // common pieces and all pieces of the best, compared as fractions
  std::uint64_t all = 1;
  for (const auto& [candidate, shared] : common) {
    const std::uint64_t both = hashes.size() + pieces.counts[candidate];
    const std::uint64_t left = std::uint64_t{shared} * all;
    const std::uint64_t right = most * both;
    if (left < right || (left == right && nearest && candidate > *nearest)) continue;
    nearest = candidate;
    most = shared;
    all = both;
  }
  return nearest;
}

std::optional<std::uint32_t> SimilarSpelling::nearest(std::string_view word) const {
  const auto found = best(threes_, word);
  return found ? found : best(twos_, word);
}

}  // namespace gauze::text
