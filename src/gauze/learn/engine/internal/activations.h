#pragma once
// Functions of one number, on many: the same bits for a number wherever it stands.

#include <cstddef>

namespace gauze::learn::internal {

/// y = f(x) and slopes = f'(x); a slope is what a gradient is multiplied with.
template <class Real>
struct Activation {
  const Real* x = nullptr;
  Real* y = nullptr;
  Real* slopes = nullptr;
  std::size_t size = 0;
};

void activate_relu(const Activation<float>& a);
void activate_relu(const Activation<double>& a);
void activate_tanh(const Activation<float>& a);
void activate_tanh(const Activation<double>& a);
void activate_sigmoid(const Activation<float>& a);
void activate_sigmoid(const Activation<double>& a);
/// x times the normal law at x: in floats at most about 2^-21 |x| away, in doubles by the C library.
void activate_gelu(const Activation<float>& a);
void activate_gelu(const Activation<double>& a);

/// y = slopes x, where the slope is 0 exactly 0, whatever x is.
void multiply_slopes(const float* x, const float* slopes, std::size_t size, float* y);
void multiply_slopes(const double* x, const double* slopes, std::size_t size, double* y);

/// y += x
void add_numbers(const float* x, std::size_t size, float* y);
void add_numbers(const double* x, std::size_t size, double* y);

/// The largest of `window` neighbouring vectors, channel by channel; the last window may be shorter.
template <class Real>
struct Pool {
  const Real* x = nullptr;
  std::size_t positions = 0;
  std::size_t channels = 0;
  std::size_t window = 1;
  Real* y = nullptr;
};
void take_largest(const Pool<float>& pool);
void take_largest(const Pool<double>& pool);
/// The way back: the first position of a window that has the largest number takes its gradient in dy, the others have 0 in dx.
void give_to_largest(const Pool<float>& pool, const float* dy, float* dx);
void give_to_largest(const Pool<double>& pool, const double* dy, double* dx);

}  // namespace gauze::learn::internal
