#include "gauze/learn/engine/internal/sequence_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/learn/engine/internal/sequence_rows.cpp"
#include <hwy/foreach_target.h>

#include <cmath>

#include "gauze/learn/engine/internal/row_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gauze::learn::internal::HWY_NAMESPACE {

constexpr double kLeastVariance = 1e-5;  // added to every variance

template <class T>
HWY_INLINE void normalise_all(const Normalisation<T>& n) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t row = 0; row < n.count; ++row) {
    const T* const x = n.x + row * n.width;
    T* const normal = n.normal + row * n.width;
    T* const y = n.y + row * n.width;
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < n.width; i += lanes) sum = hn::Add(sum, load_some(x + i, n.width - i));
    const auto mean = hn::Set(d, hn::GetLane(hn::SumOfLanes(d, sum)) / static_cast<T>(n.width));
    auto squares = hn::Zero(d);
    for (std::size_t i = 0; i < n.width; i += lanes) {
      const auto difference = only_first<T>(hn::Sub(load_some(x + i, n.width - i), mean), n.width - i);
      squares = hn::MulAdd(difference, difference, squares);
    }
    const T variance = hn::GetLane(hn::SumOfLanes(d, squares)) / static_cast<T>(n.width);
    n.inverses[row] = T{1} / std::sqrt(variance + static_cast<T>(kLeastVariance));
    const auto inverse = hn::Set(d, n.inverses[row]);
    for (std::size_t i = 0; i < n.width; i += lanes) {
      const std::size_t left = n.width - i;
      const auto one = hn::Mul(hn::Sub(load_some(x + i, left), mean), inverse);
      store_some<T>(one, normal + i, left);
      store_some<T>(hn::MulAdd(one, load_some(n.gain + i, left), load_some(n.shift + i, left)), y + i, left);
    }
  }
}

template <class T>
HWY_INLINE void normal_gradients(const NormalisationGradients<T>& n) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t row = 0; row < n.count; ++row) {
    const T* const dy = n.dy + row * n.width;
    const T* const normal = n.normal + row * n.width;
    auto sum = hn::Zero(d);
    auto along = hn::Zero(d);
    for (std::size_t i = 0; i < n.width; i += lanes) {
      const auto g = hn::Mul(load_some(dy + i, n.width - i), load_some(n.gain + i, n.width - i));
      sum = hn::Add(sum, g);
      along = hn::MulAdd(g, load_some(normal + i, n.width - i), along);
    }
    const auto mean = hn::Set(d, hn::GetLane(hn::SumOfLanes(d, sum)) / static_cast<T>(n.width));
    const auto share = hn::Set(d, hn::GetLane(hn::SumOfLanes(d, along)) / static_cast<T>(n.width));
    const auto inverse = hn::Set(d, n.inverses[row]);
    for (std::size_t i = 0; i < n.width; i += lanes) {
      const std::size_t left = n.width - i;
      const auto g = hn::Mul(load_some(dy + i, left), load_some(n.gain + i, left));
      const auto rest = hn::NegMulAdd(load_some(normal + i, left), share, hn::Sub(g, mean));
      store_some<T>(hn::Mul(inverse, rest), n.dx + row * n.width + i, left);
    }
  }
}

template <class T>
HWY_INLINE void soften_all(T* rows, std::size_t count, std::size_t width, T scale) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, scale);
  for (std::size_t row = 0; row < count; ++row, rows += width) {
    auto largest = hn::Set(d, rows[0]);
    for (std::size_t i = 0; i < width; i += lanes) {
      const std::size_t left = width - i;
      const auto x = load_some(rows + i, left);
      largest = hn::Max(largest, left < lanes ? hn::IfThenElse(hn::FirstN(d, left), x, largest) : x);
    }
    const auto top = hn::MaxOfLanes(d, largest);
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < width; i += lanes) {
      const std::size_t left = width - i;
      const auto share = exp_of<T>(hn::Mul(factor, hn::Sub(load_some(rows + i, left), top)));
      sum = hn::Add(sum, only_first<T>(share, left));
      store_some<T>(share, rows + i, left);
    }
    const auto inverse = hn::Div(hn::Set(d, T{1}), hn::SumOfLanes(d, sum));
    for (std::size_t i = 0; i < width; i += lanes)
      store_some<T>(hn::Mul(load_some(rows + i, width - i), inverse), rows + i, width - i);
  }
}

template <class T>
HWY_INLINE T product_one(const T* x, const T* y, std::size_t size) {
  const Tag<T> d;
  auto sum = hn::Zero(d);
  for (std::size_t i = 0; i < size; i += hn::Lanes(d))
    sum = hn::MulAdd(load_some(x + i, size - i), load_some(y + i, size - i), sum);
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class T>
HWY_INLINE void share_gradients(const T* shares, T* gradients, std::size_t count, std::size_t width, T scale) {
  const Tag<T> d;
  const auto factor = hn::Set(d, scale);
  for (std::size_t row = 0; row < count; ++row, shares += width, gradients += width) {
    const auto mean = hn::Set(d, product_one(shares, gradients, width));
    for (std::size_t i = 0; i < width; i += hn::Lanes(d)) {
      const auto rest = hn::Sub(load_some(gradients + i, width - i), mean);
      store_some<T>(hn::Mul(factor, hn::Mul(load_some(shares + i, width - i), rest)), gradients + i, width - i);
    }
  }
}

template <class T>
HWY_INLINE void step_one(const CellStep<T>& s) {
  for (std::size_t j = 0; j < s.width; j += hn::Lanes(Tag<T>())) {
    const std::size_t left = s.width - j;
    T* const gate = s.gates + j;
    const auto in = sigmoid_of<T>(load_some(gate, left));
    const auto forget = sigmoid_of<T>(load_some(gate + s.width, left));
    const auto fresh = tanh_of<T>(load_some(gate + 2 * s.width, left));
    const auto out = sigmoid_of<T>(load_some(gate + 3 * s.width, left));
    auto cell = hn::Mul(in, fresh);
    if (s.before != nullptr) cell = hn::MulAdd(forget, load_some(s.before + j, left), cell);
    const auto cell_tanh = tanh_of<T>(cell);
    store_some<T>(in, gate, left);
    store_some<T>(forget, gate + s.width, left);
    store_some<T>(fresh, gate + 2 * s.width, left);
    store_some<T>(out, gate + 3 * s.width, left);
    store_some<T>(cell, s.cell + j, left);
    store_some<T>(cell_tanh, s.cell_tanh + j, left);
    store_some<T>(hn::Mul(out, cell_tanh), s.hidden + j, left);
  }
}

template <class T>
HWY_INLINE void cell_gradients(const CellGradients<T>& s) {
  const Tag<T> d;
  const auto one = hn::Set(d, T{1});
  for (std::size_t j = 0; j < s.width; j += hn::Lanes(d)) {
    const std::size_t left = s.width - j;
    const T* const gate = s.gates + j;
    T* const gradient = s.gate_gradients + j;
    const auto in = load_some(gate, left);
    const auto forget = load_some(gate + s.width, left);
    const auto fresh = load_some(gate + 2 * s.width, left);
    const auto out = load_some(gate + 3 * s.width, left);
    const auto cell_tanh = load_some(s.cell_tanh + j, left);
    const auto dh = load_some(s.hidden_gradients + j, left);
    const auto slope = hn::NegMulAdd(cell_tanh, cell_tanh, one);
    const auto dc = hn::MulAdd(hn::Mul(dh, out), slope, load_some(s.cell_gradients + j, left));
    const auto before = s.before == nullptr ? hn::Zero(d) : load_some(s.before + j, left);
    store_some<T>(hn::Mul(hn::Mul(dc, fresh), hn::NegMulAdd(in, in, in)), gradient, left);
    store_some<T>(hn::Mul(hn::Mul(dc, before), hn::NegMulAdd(forget, forget, forget)), gradient + s.width, left);
    store_some<T>(hn::Mul(hn::Mul(dc, in), hn::NegMulAdd(fresh, fresh, one)), gradient + 2 * s.width, left);
    store_some<T>(hn::Mul(hn::Mul(dh, cell_tanh), hn::NegMulAdd(out, out, out)), gradient + 3 * s.width, left);
    store_some<T>(hn::Mul(dc, forget), s.cell_gradients + j, left);
  }
}

template <class T>
HWY_INLINE void combine_one(const Combination<T>& c) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < c.width; i += 2 * lanes) {
    const std::size_t left = c.width - i;
    const std::size_t behind = left > lanes ? left - lanes : 0;
    auto first = load_some(c.bias + i, left);
    auto second = behind > 0 ? load_some(c.bias + i + lanes, behind) : hn::Zero(d);
    for (std::size_t j = 0; j < c.count; ++j) {
      if (c.x[j] == 0) continue;  // of the inputs of an attribute most are 0
      const auto x = hn::Set(d, c.x[j]);
      const T* const vector = c.vectors + j * c.width + i;
      first = hn::MulAdd(x, load_some(vector, left), first);
      if (behind > 0) second = hn::MulAdd(x, load_some(vector + lanes, behind), second);
    }
    store_some<T>(first, c.y + i, left);
    if (behind > 0) store_some<T>(second, c.y + i + lanes, behind);
  }
}

#define GAUZE_LEARN_OF_ONE(NAME, FUNCTION, ARGUMENT)            \
  void NAME##_floats(const ARGUMENT<float>& a) { FUNCTION(a); } \
  void NAME##_doubles(const ARGUMENT<double>& a) { FUNCTION(a); }
GAUZE_LEARN_OF_ONE(normalise, normalise_all, Normalisation)
GAUZE_LEARN_OF_ONE(normal_back, normal_gradients, NormalisationGradients)
GAUZE_LEARN_OF_ONE(cell, step_one, CellStep)
GAUZE_LEARN_OF_ONE(cell_back, cell_gradients, CellGradients)
GAUZE_LEARN_OF_ONE(combine, combine_one, Combination)
#undef GAUZE_LEARN_OF_ONE

void soften_floats(float* rows, std::size_t count, std::size_t width, float scale) {
  soften_all(rows, count, width, scale);
}
void soften_doubles(double* rows, std::size_t count, std::size_t width, double scale) {
  soften_all(rows, count, width, scale);
}
void shares_floats(const float* shares, float* gradients, std::size_t count, std::size_t width, float scale) {
  share_gradients(shares, gradients, count, width, scale);
}
void shares_doubles(const double* shares, double* gradients, std::size_t count, std::size_t width, double scale) {
  share_gradients(shares, gradients, count, width, scale);
}
float product_floats(const float* x, const float* y, std::size_t size) { return product_one(x, y, size); }
double product_doubles(const double* x, const double* y, std::size_t size) { return product_one(x, y, size); }

}  // namespace gauze::learn::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::learn::internal {

#define GAUZE_LEARN_OF_ONE(NAME, PUBLIC, ARGUMENT)                                  \
  HWY_EXPORT(NAME##_floats);                                                        \
  HWY_EXPORT(NAME##_doubles);                                                       \
  void PUBLIC(const ARGUMENT<float>& a) { HWY_DYNAMIC_DISPATCH(NAME##_floats)(a); } \
  void PUBLIC(const ARGUMENT<double>& a) { HWY_DYNAMIC_DISPATCH(NAME##_doubles)(a); }
GAUZE_LEARN_OF_ONE(normalise, normalise, Normalisation)
GAUZE_LEARN_OF_ONE(normal_back, pass_back, NormalisationGradients)
GAUZE_LEARN_OF_ONE(cell, step_cell, CellStep)
GAUZE_LEARN_OF_ONE(cell_back, pass_back, CellGradients)
GAUZE_LEARN_OF_ONE(combine, combine, Combination)
#undef GAUZE_LEARN_OF_ONE

HWY_EXPORT(soften_floats);
HWY_EXPORT(soften_doubles);
void soften(float* rows, std::size_t count, std::size_t width, float scale) {
  HWY_DYNAMIC_DISPATCH(soften_floats)(rows, count, width, scale);
}
void soften(double* rows, std::size_t count, std::size_t width, double scale) {
  HWY_DYNAMIC_DISPATCH(soften_doubles)(rows, count, width, scale);
}

HWY_EXPORT(shares_floats);
HWY_EXPORT(shares_doubles);
void pass_back_shares(const float* shares, float* gradients, std::size_t count, std::size_t width, float scale) {
  HWY_DYNAMIC_DISPATCH(shares_floats)(shares, gradients, count, width, scale);
}
void pass_back_shares(const double* shares, double* gradients, std::size_t count, std::size_t width, double scale) {
  HWY_DYNAMIC_DISPATCH(shares_doubles)(shares, gradients, count, width, scale);
}

HWY_EXPORT(product_floats);
HWY_EXPORT(product_doubles);
float product_of(const float* x, const float* y, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(product_floats)(x, y, size);
}
double product_of(const double* x, const double* y, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(product_doubles)(x, y, size);
}

}  // namespace gauze::learn::internal
#endif
