#include <algorithm>
#include <bit>
#include <cmath>

#include "gauze/text/vectors/internal/gvec_layout.h"
#include "gauze/text/vectors/internal/vector_storage.h"
#include "gauze/text/vectors/word_form.h"

namespace gauze::text::internal {
namespace {

struct OwnedStorage final : VectorStorage {
  std::vector<std::uint32_t> owned_offsets;
  std::string owned_words;
  std::vector<std::uint32_t> owned_order;
  std::vector<std::uint64_t> owned_norms;
  std::vector<std::int32_t> owned_values;
};

float as_float(std::int32_t bits) { return std::bit_cast<float>(bits); }

/// value * 2^bits, to the nearest integer, ties to even. The product is exact in a double.
double on_grid(float value, int bits) { return std::nearbyint(std::ldexp(static_cast<double>(value), bits)); }

}  // namespace

Result<void> VectorBuilder::add(std::string_view word, std::span<const float> values) {
  added_last_ = false;
  if (word.empty()) return make_error(ErrorCode::bad_data, "the word is empty");
  if (word.size() > kLongestWord)
    return make_error(ErrorCode::bad_data, "a word is longer than {} bytes", kLongestWord);
  for (const float value : values) {
    if (!std::isfinite(value)) return make_error(ErrorCode::bad_data, "a value is not a finite number");
  }
  GAUZE_TRY(const std::string form, normal_form(word));
  if (words_.size() >= kMostWords) return make_error(ErrorCode::bad_data, "there are more than {} words", kMostWords);
  const std::size_t before = words_.size();
  if (words_.intern(form) < before) {
    ++duplicates_;
    return {};
  }
  added_last_ = true;
  for (const float value : values) values_.push_back(std::bit_cast<std::int32_t>(value));
  return {};
}

float VectorBuilder::value(std::size_t word, std::size_t dimension) const {
  return as_float(values_[word * dimensions_ + dimension]);
}

void VectorBuilder::set_value(std::size_t word, std::size_t dimension, float value) {
  values_[word * dimensions_ + dimension] = std::bit_cast<std::int32_t>(value);
}

Result<int> VectorBuilder::choose_scale(const std::string& name) const {
  double largest = 0;
  for (std::size_t i = 0; i < values_.size(); i += dimensions_) {
    double norm = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      const double value = as_float(values_[i + d]);
      norm += value * value;
    }
    largest = std::max(largest, norm);
  }
  const double root = std::sqrt(largest);
  for (int bits = kLargestScaleBits; bits >= 0; --bits) {
    // Rounding moves each coordinate by at most 1/2; 2^-20 covers the error of the sums above.
    const double bound = std::ldexp(root * (1 + 0x1p-20), bits) + std::sqrt(dimensions_) / 2 + 1;
    if (bound <= 0x1p25) return bits;
  }
  return make_error(ErrorCode::bad_data, "{}: a vector is longer than 2^25, too long to be put on a grid", name);
}

Result<std::shared_ptr<const VectorStorage>> VectorBuilder::finish(const std::string& name) {
  if (words_.size() == 0) return make_error(ErrorCode::bad_data, "{}: there is no word in it", name);
  GAUZE_TRY(const int bits, choose_scale(name));
  auto storage = std::make_shared<OwnedStorage>();
  storage->dimensions = dimensions_;
  storage->scale_bits = bits;
  storage->duplicates = duplicates_;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    std::uint64_t norm = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      std::int32_t& value = values_[i * dimensions_ + d];
      value = static_cast<std::int32_t>(on_grid(as_float(value), bits));
      norm += static_cast<std::uint64_t>(std::int64_t{value} * value);
    }
    GAUZE_CHECK(norm <= kLargestSquaredNorm);
    storage->owned_norms.push_back(norm);
  }
  storage->owned_values = std::move(values_);
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    storage->owned_offsets.push_back(static_cast<std::uint32_t>(storage->owned_words.size()));
    storage->owned_words += words_.text(i);
    storage->owned_order.push_back(i);
    if (storage->owned_words.size() > 0xFFFF'FFFFU) {
      return make_error(ErrorCode::bad_data, "{}: the words together are longer than 4 GiB", name);
    }
  }
  storage->owned_offsets.push_back(static_cast<std::uint32_t>(storage->owned_words.size()));
  std::sort(storage->owned_order.begin(), storage->owned_order.end(),
            [this](std::uint32_t a, std::uint32_t b) { return words_.text(a) < words_.text(b); });
  storage->offsets = storage->owned_offsets;
  storage->words = storage->owned_words;
  storage->order = storage->owned_order;
  storage->norms = storage->owned_norms;
  storage->values = storage->owned_values;
  storage->fingerprint = make_header(*storage).fingerprint;
  return storage;
}

}  // namespace gauze::text::internal
