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

/// y = max(x, y); a number that is NaN in x stays out.
void take_larger(const float* x, std::size_t size, float* y);
void take_larger(const double* x, std::size_t size, double* y);
/// Of one of the numbers that a largest one was taken from: where x is the largest and nobody had it before, dx = dy and nothing is
/// left in `open`, else 0.
void give_to_largest(const float* x, const float* y, std::size_t size, float* open, float* dx);
void give_to_largest(const double* x, const double* y, std::size_t size, double* open, double* dx);

}  // namespace gauze::learn::internal
