// For every target of Highway anew: what the loops over rows have in common. No include guard in the usual sense.
#if defined(GAUZE_LEARN_ROW_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GAUZE_LEARN_ROW_VECTORS_INL_H_
#undef GAUZE_LEARN_ROW_VECTORS_INL_H_
#else
#define GAUZE_LEARN_ROW_VECTORS_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace gauze::learn::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using Vec = hn::Vec<Tag<T>>;

/// The first `count` numbers (or a whole vector, where there are more), 0 behind them.
template <class T>
HWY_INLINE Vec<T> load_some(const T* from, std::size_t count) {
  const Tag<T> d;
  if (HWY_LIKELY(count >= hn::Lanes(d))) return hn::LoadU(d, from);
  HWY_ALIGN T tile[64 / sizeof(T)] = {};
  for (std::size_t i = 0; i < count; ++i) tile[i] = from[i];
  return hn::Load(d, tile);
}

template <class T>
HWY_INLINE void store_some(Vec<T> v, T* to, std::size_t count) {
  const Tag<T> d;
  if (HWY_LIKELY(count >= hn::Lanes(d))) return hn::StoreU(v, d, to);
  HWY_ALIGN T tile[64 / sizeof(T)];
  hn::Store(v, d, tile);
  for (std::size_t i = 0; i < count; ++i) to[i] = tile[i];
}

/// For sums over the numbers of a row: 0 in the lanes behind it.
template <class T>
HWY_INLINE Vec<T> only_first(Vec<T> v, std::size_t count) {
  const Tag<T> d;
  return count >= hn::Lanes(d) ? v : hn::IfThenElseZero(hn::FirstN(d, count), v);
}

/// 0 where it would be less than the smallest normal number: those below are slow.
template <class T>
HWY_INLINE Vec<T> exp_of(Vec<T> x) {
  const Tag<T> d;
  const auto low = hn::Set(d, static_cast<T>(sizeof(T) == 4 ? -87.3 : -708.3));
  const auto high = hn::Set(d, static_cast<T>(sizeof(T) == 4 ? 88.0 : 709.0));
  const auto y = hn::Exp(d, hn::Min(hn::Max(x, low), high));
  return hn::IfThenElse(hn::IsNaN(x), x, hn::IfThenZeroElse(hn::Lt(x, low), y));
}

template <class T>
HWY_INLINE Vec<T> sigmoid_of(Vec<T> x) {
  const auto one = hn::Set(Tag<T>(), T{1});
  return hn::Div(one, hn::Add(one, exp_of<T>(hn::Neg(x))));
}

template <class T>
HWY_INLINE Vec<T> tanh_of(Vec<T> x) {
  const Tag<T> d;
  const auto limit = hn::Set(d, T{20});
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Tanh(d, hn::Min(hn::Max(x, hn::Neg(limit)), limit)));
}

}  // namespace gauze::learn::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
