#pragma once

#include <complex>
#include <vector>

namespace gauze::internal {

/// The discrete Fourier transform in place; the size must be a power of two. Without the factor 1/n in either direction.
/// The result is within about 1e-15 * log2(n) of the exact one, relative to the root mean square of the input.
void fourier_transform(std::vector<std::complex<double>>& values, bool inverse);

}  // namespace gauze::internal
