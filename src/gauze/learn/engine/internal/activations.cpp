#include "gauze/learn/engine/internal/activations.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/learn/engine/internal/activations.cpp"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gauze/learn/engine/internal/row_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gauze::learn::internal::HWY_NAMESPACE {

/// y and slope of one vector: by function(x, y, slope).
template <class T, class Function>
HWY_INLINE void activate(const Activation<T>& a, Function function) {
  const std::size_t lanes = hn::Lanes(Tag<T>());
  for (std::size_t i = 0; i < a.size; i += lanes) {
    const std::size_t left = a.size - i;
    Vec<T> y, slope;
    function(load_some<T>(a.x + i, left), y, slope);
    store_some<T>(y, a.y + i, left);
    store_some<T>(slope, a.slopes + i, left);
  }
}

struct Relu {
  template <class V>
  HWY_INLINE void operator()(V x, V& y, V& slope) const {
    const hn::DFromV<V> d;
    const auto below = hn::Lt(x, hn::Zero(d));
    y = hn::IfThenZeroElse(below, x);
    slope = hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Set(d, hn::TFromD<decltype(d)>{1}));
  }
};

struct Tanh {
  template <class V>
  HWY_INLINE void operator()(V x, V& y, V& slope) const {
    const hn::DFromV<V> d;
    y = tanh_of<hn::TFromD<decltype(d)>>(x);
    slope = hn::NegMulAdd(y, y, hn::Set(d, hn::TFromD<decltype(d)>{1}));
  }
};

struct Sigmoid {
  template <class V>
  HWY_INLINE void operator()(V x, V& y, V& slope) const {
    const hn::DFromV<V> d;
    y = sigmoid_of<hn::TFromD<decltype(d)>>(x);
    slope = hn::NegMulAdd(y, y, y);
  }
};

/// The complementary error function of z >= 0 is t exp(-z^2 + P(2 t - 1)), t = 1 / (1 + z/2): P is the Chebyshev interpolation of
/// degree 11, at most 1.5e-8 away.
struct Gelu {
  template <class V>
  HWY_INLINE void operator()(V x, V& y, V& slope) const {
    const hn::DFromV<V> d;
    const auto one = hn::Set(d, 1.0F);
    const auto half = hn::Set(d, 0.5F);
    const auto z = hn::Mul(hn::Abs(x), hn::Set(d, static_cast<float>(1 / std::numbers::sqrt2)));
    const auto t = hn::Div(one, hn::MulAdd(z, half, one));
    const auto s = hn::Sub(hn::Add(t, t), one);
    auto p = hn::Set(d, -9.246457796e-5F);
    p = hn::MulAdd(p, s, hn::Set(d, 8.5083166139e-6F));
    p = hn::MulAdd(p, s, hn::Set(d, 0.00058807168877F));
    p = hn::MulAdd(p, s, hn::Set(d, -0.00022919226002F));
    p = hn::MulAdd(p, s, hn::Set(d, -0.0023031434654F));
    p = hn::MulAdd(p, s, hn::Set(d, 0.0017952014937F));
    p = hn::MulAdd(p, s, hn::Set(d, 0.0088151569561F));
    p = hn::MulAdd(p, s, hn::Set(d, -0.0098804316376F));
    p = hn::MulAdd(p, s, hn::Set(d, -0.046894781015F));
    p = hn::MulAdd(p, s, hn::Set(d, 0.047343940395F));
    p = hn::MulAdd(p, s, hn::Set(d, 0.67264321249F));
    p = hn::MulAdd(p, s, hn::Set(d, -0.67179409278F));
    const auto square = hn::Mul(z, z);
    const auto tail = hn::Mul(hn::Mul(half, t), exp_of<float>(hn::Sub(p, square)));  // of the normal law beyond |x|
    const auto law = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail));
    const auto density = hn::Mul(hn::Set(d, static_cast<float>(std::numbers::inv_sqrtpi / std::numbers::sqrt2)),
                                 exp_of<float>(hn::Neg(square)));
    y = hn::Mul(x, law);
    slope = hn::MulAdd(x, density, law);
  }
};

#define GAUZE_LEARN_ACTIVATE(NAME, FUNCTION)                                  \
  void NAME##_floats(const Activation<float>& a) { activate(a, FUNCTION()); } \
  void NAME##_doubles(const Activation<double>& a) { activate(a, FUNCTION()); }
GAUZE_LEARN_ACTIVATE(relu, Relu)
GAUZE_LEARN_ACTIVATE(tanh, Tanh)
GAUZE_LEARN_ACTIVATE(sigmoid, Sigmoid)
#undef GAUZE_LEARN_ACTIVATE
void gelu_floats(const Activation<float>& a) { activate(a, Gelu()); }

template <class T>
HWY_INLINE void slopes_of(const T* x, const T* slopes, std::size_t size, T* y) {
  const Tag<T> d;
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const auto slope = load_some<T>(slopes + i, size - i);
    const auto flat = hn::Eq(slope, hn::Zero(d));
    store_some<T>(hn::IfThenZeroElse(flat, hn::Mul(slope, load_some<T>(x + i, size - i))), y + i, size - i);
  }
}
template <class T>
HWY_INLINE void sum_of(const T* x, std::size_t size, T* y) {
  for (std::size_t i = 0; i < size; i += hn::Lanes(Tag<T>())) {
    store_some<T>(hn::Add(load_some<T>(y + i, size - i), load_some<T>(x + i, size - i)), y + i, size - i);
  }
}
template <class T>
HWY_INLINE void largest_of(const Pool<T>& p) {
  T* y = p.y;
  for (std::size_t first = 0; first < p.positions; first += p.window, y += p.channels) {
    const T* const x = p.x + first * p.channels;
    const std::size_t length = std::min(p.window, p.positions - first);
    for (std::size_t c = 0; c < p.channels; c += hn::Lanes(Tag<T>())) {
      const std::size_t left = p.channels - c;
      auto largest = load_some<T>(x + c, left);
      for (std::size_t i = 1; i < length; ++i) {
        const auto other = load_some<T>(x + i * p.channels + c, left);
        largest = hn::IfThenElse(hn::Gt(other, largest), other, largest);
      }
      store_some<T>(largest, y + c, left);
    }
  }
}
template <class T>
HWY_INLINE void largest_back(const Pool<T>& p, const T* dy, T* dx) {
  const T* y = p.y;
  for (std::size_t first = 0; first < p.positions; first += p.window, y += p.channels, dy += p.channels) {
    const std::size_t length = std::min(p.window, p.positions - first);
    for (std::size_t c = 0; c < p.channels; c += hn::Lanes(Tag<T>())) {
      const std::size_t left = p.channels - c;
      const auto largest = load_some<T>(y + c, left);
      auto open = load_some<T>(dy + c, left);  // what no position has taken
      for (std::size_t i = 0; i < length; ++i) {
        const std::size_t place = (first + i) * p.channels + c;
        const auto is_largest = hn::Eq(load_some<T>(p.x + place, left), largest);
        store_some<T>(hn::IfThenElseZero(is_largest, open), dx + place, left);
        open = hn::IfThenZeroElse(is_largest, open);
      }
    }
  }
}

void slopes_floats(const float* x, const float* slopes, std::size_t size, float* y) { slopes_of(x, slopes, size, y); }
void slopes_doubles(const double* x, const double* slopes, std::size_t size, double* y) {
  slopes_of(x, slopes, size, y);
}
void sum_floats(const float* x, std::size_t size, float* y) { sum_of(x, size, y); }
void sum_doubles(const double* x, std::size_t size, double* y) { sum_of(x, size, y); }
void largest_floats(const Pool<float>& pool) { largest_of(pool); }
void largest_doubles(const Pool<double>& pool) { largest_of(pool); }
void largest_back_floats(const Pool<float>& pool, const float* dy, float* dx) { largest_back(pool, dy, dx); }
void largest_back_doubles(const Pool<double>& pool, const double* dy, double* dx) { largest_back(pool, dy, dx); }

}  // namespace gauze::learn::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::learn::internal {

#define GAUZE_LEARN_ACTIVATE(NAME)                                                             \
  HWY_EXPORT(NAME##_floats);                                                                   \
  HWY_EXPORT(NAME##_doubles);                                                                  \
  void activate_##NAME(const Activation<float>& a) { HWY_DYNAMIC_DISPATCH(NAME##_floats)(a); } \
  void activate_##NAME(const Activation<double>& a) { HWY_DYNAMIC_DISPATCH(NAME##_doubles)(a); }
GAUZE_LEARN_ACTIVATE(relu)
GAUZE_LEARN_ACTIVATE(tanh)
GAUZE_LEARN_ACTIVATE(sigmoid)
#undef GAUZE_LEARN_ACTIVATE

HWY_EXPORT(gelu_floats);
void activate_gelu(const Activation<float>& a) { HWY_DYNAMIC_DISPATCH(gelu_floats)(a); }
void activate_gelu(const Activation<double>& a) {
  for (std::size_t i = 0; i < a.size; ++i) {
    const double x = a.x[i];
    const double law = std::erfc(-x / std::numbers::sqrt2) / 2;
    a.y[i] = x * law;
    a.slopes[i] = law + x * std::exp(-x * x / 2) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  }
}

HWY_EXPORT(slopes_floats);
HWY_EXPORT(slopes_doubles);
void multiply_slopes(const float* x, const float* slopes, std::size_t size, float* y) {
  HWY_DYNAMIC_DISPATCH(slopes_floats)(x, slopes, size, y);
}
void multiply_slopes(const double* x, const double* slopes, std::size_t size, double* y) {
  HWY_DYNAMIC_DISPATCH(slopes_doubles)(x, slopes, size, y);
}

HWY_EXPORT(sum_floats);
HWY_EXPORT(sum_doubles);
void add_numbers(const float* x, std::size_t size, float* y) { HWY_DYNAMIC_DISPATCH(sum_floats)(x, size, y); }
void add_numbers(const double* x, std::size_t size, double* y) { HWY_DYNAMIC_DISPATCH(sum_doubles)(x, size, y); }

HWY_EXPORT(largest_floats);
HWY_EXPORT(largest_doubles);
void take_largest(const Pool<float>& pool) { HWY_DYNAMIC_DISPATCH(largest_floats)(pool); }
void take_largest(const Pool<double>& pool) { HWY_DYNAMIC_DISPATCH(largest_doubles)(pool); }

HWY_EXPORT(largest_back_floats);
HWY_EXPORT(largest_back_doubles);
void give_to_largest(const Pool<float>& pool, const float* dy, float* dx) {
  HWY_DYNAMIC_DISPATCH(largest_back_floats)(pool, dy, dx);
}
void give_to_largest(const Pool<double>& pool, const double* dy, double* dx) {
  HWY_DYNAMIC_DISPATCH(largest_back_doubles)(pool, dy, dx);
}

}  // namespace gauze::learn::internal
#endif
