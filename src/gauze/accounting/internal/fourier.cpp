#include "gauze/accounting/internal/fourier.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "gauze/base/error.h"

namespace gauze::internal {
namespace {

using Complex = std::complex<double>;

/// The roots of all stages one after the other, so that each stage reads its own in order: exp(-2 pi i j / (2 half)) for
/// j < half, half = 1, 2, 4, ... Each comes from its own angle: errors do not add up.
std::vector<Complex> roots_of_all_stages(std::size_t n) {
  std::vector<Complex> last(n / 2);
  const double turn = -2 * std::numbers::pi / static_cast<double>(n);
  for (std::size_t j = 0; j < last.size(); ++j) last[j] = std::polar(1.0, turn * static_cast<double>(j));
  std::vector<Complex> roots;
  roots.reserve(n);
  for (std::size_t half = 1; half < n; half *= 2) {
    const std::size_t stride = n / (2 * half);
    for (std::size_t j = 0; j < half; ++j) roots.push_back(last[j * stride]);
  }
  return roots;
}

void reverse_bits(std::vector<Complex>& values) {
  for (std::size_t i = 1, j = 0; i < values.size(); ++i) {
    std::size_t bit = values.size() >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
}

/// The same, kept for the next transform of that size: an answer takes several.
const std::vector<Complex>& kept_roots(std::size_t n) {
  constexpr std::size_t kLargestKept = std::size_t{1} << 18;  // 4 MB a thread
  thread_local std::vector<Complex> roots;
  if (roots.size() == n - 1) return roots;
  if (roots.capacity() > kLargestKept) roots = {};
  roots = roots_of_all_stages(n);
  return roots;
}

template <bool kInverse>
void transform(std::vector<Complex>& values, const std::vector<Complex>& roots) {
  const std::size_t n = values.size();
  for (std::size_t half = 1; half < n; half *= 2) {
    const Complex* stage = roots.data() + (half - 1);
    for (std::size_t start = 0; start < n; start += 2 * half) {
      Complex* low = values.data() + start;
      Complex* high = low + half;
      for (std::size_t j = 0; j < half; ++j) {
        const Complex w = kInverse ? std::conj(stage[j]) : stage[j], a = low[j], b = high[j];
        // Written out: operator* of std::complex checks for NaN.
        const Complex t(w.real() * b.real() - w.imag() * b.imag(), w.real() * b.imag() + w.imag() * b.real());
        high[j] = a - t;
        low[j] = a + t;
      }
    }
  }
}

}  // namespace

void fourier_transform(std::vector<Complex>& values, bool inverse) {
  const std::size_t n = values.size();
  GAUZE_CHECK(std::has_single_bit(n));
  if (n == 1) return;
  reverse_bits(values);
  const std::vector<Complex>& roots = kept_roots(n);
  inverse ? transform<true>(values, roots) : transform<false>(values, roots);
}

}  // namespace gauze::internal
