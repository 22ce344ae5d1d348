#include "gauze/text/vectors/internal/subwords.h"

#include <algorithm>
#include <string>

namespace gauze::text::internal {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::uint32_t hash(std::string_view text) {
  std::uint32_t h = 2166136261U;
  for (const char c : text) {
    h ^= static_cast<std::uint32_t>(static_cast<std::int8_t>(c));
    h *= 16777619U;
  }
  return h;
}

}  // namespace

std::vector<std::uint32_t> subword_buckets(std::string_view word, int shortest, int longest, std::uint32_t buckets) {
  std::vector<std::uint32_t> result;
  if (buckets == 0 || word == "</s>") return result;
  const std::string whole = "<" + std::string(word) + ">";
  for (std::size_t begin = 0; begin < whole.size(); ++begin) {
    if (continues_character(whole[begin])) continue;
    std::size_t end = begin;
    for (int n = 1; end < whole.size() && n <= longest; ++n) {
      ++end;
      while (end < whole.size() && continues_character(whole[end])) ++end;
      if (n >= shortest && !(n == 1 && (begin == 0 || end == whole.size()))) {
        result.push_back(hash(std::string_view(whole).substr(begin, end - begin)) % buckets);
      }
    }
  }
  return result;
}

void SubwordSums::add_word(std::string_view word) {
  const auto number = static_cast<std::uint32_t>(parts_.size());
  const auto found = subword_buckets(word, shortest_, longest_, buckets_);
  for (const std::uint32_t bucket : found) needs_.push_back({bucket, number});
  parts_.push_back(static_cast<std::uint32_t>(1 + found.size()));
}

void SubwordSums::begin() {
  std::sort(needs_.begin(), needs_.end(), [](const Need& a, const Need& b) {
    return a.bucket != b.bucket ? a.bucket < b.bucket : a.word < b.word;
  });
}

void SubwordSums::add_bucket(VectorBuilder& builder, std::uint32_t bucket, std::span<const float> values) {
  for (; next_ < needs_.size() && needs_[next_].bucket == bucket; ++next_) {
    const std::size_t word = needs_[next_].word;
    for (std::size_t d = 0; d < values.size(); ++d) builder.set_value(word, d, builder.value(word, d) + values[d]);
  }
}

void SubwordSums::finish(VectorBuilder& builder) const {
  for (std::size_t word = 0; word < parts_.size(); ++word) {
    const auto parts = static_cast<float>(parts_[word]);
    for (std::size_t d = 0; d < builder.dimensions(); ++d) builder.set_value(word, d, builder.value(word, d) / parts);
  }
}

}  // namespace gauze::text::internal
