#include "gauze/encoder/internal/arithmetic.h"

enum { FRACTION_BITS = 44 };

/* Repeated squaring: m in [1, 2) with 63 digits behind the point; m^2 >= 2 says that the next digit of its logarithm is 1. Every
 * product is rounded to one side, so the digits are those of a number on that side of x. An error of 2^-63 in step i counts 2^-i: all of
 * them together stay below 2^-61. */
static uint64_t log2_digits(uint64_t x, int above) {
  uint64_t whole = 63;
  while (!(x >> 63)) {
    x <<= 1;
    --whole;
  }
  uint64_t digits = whole;
  for (int i = 0; i < FRACTION_BITS; ++i) {
    const wide square = multiply(x, x);
    /* square / 2^126 is in [1, 4) */
    const uint64_t is_two = square.high >> 63;
    const uint64_t kept = is_two ? square.high : square.high << 1 | square.low >> 63;
    const uint64_t lost = is_two ? square.low : square.low << 1;
    digits = digits << 1 | is_two;
    x = kept;
    if (above && lost) {
      /* 2 itself: one more digit of 1 than what can be said, and everything after it is 0 */
      if (x == UINT64_MAX) {
        ++digits;
        return digits << (FRACTION_BITS - 1 - i);
      }
      ++x;
    }
  }
  return digits;
}

uint64_t gauze_log2_above(uint64_t x) {
  if ((x & (x - 1)) == 0) return log2_digits(x, 0); /* a power of two: exact */
  return log2_digits(x, 1) + 1;
}

uint64_t gauze_log2_below(uint64_t x) { return log2_digits(x, 0); }

uint64_t gauze_nano_of_log2(uint64_t log2) {
  /* ceil(1e9 ln 2 2^20); 44 and 20 digits behind the point make one word */
  const uint64_t ln2_nano = UINT64_C(726817498002826);
  const wide product = multiply(log2, ln2_nano);
  return product.high + (product.low != 0);
}
