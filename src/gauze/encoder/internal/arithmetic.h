/* Integer arithmetic that not every processor has: no __int128, no 64-bit division, no floating point. */
#ifndef GAUZE_ENCODER_ARITHMETIC_H
#define GAUZE_ENCODER_ARITHMETIC_H

#include <stdint.h>

typedef struct {
  uint64_t high, low;
} wide;

/* a * b in 128 bits, from halves. */
static inline wide multiply(uint64_t a, uint64_t b) {
  const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  const uint64_t low = a0 * b0, middle1 = a1 * b0, middle2 = a0 * b1;
  const uint64_t carry = ((low >> 32) + (uint32_t)middle1 + (uint32_t)middle2) >> 32;
  const wide product = {a1 * b1 + (middle1 >> 32) + (middle2 >> 32) + carry, low + (middle1 << 32) + (middle2 << 32)};
  return product;
}

/* floor(number / divisor), by shifting and subtracting; the divisor is not 0. */
static inline uint64_t divide(uint64_t number, uint64_t divisor) {
  uint64_t quotient = 0, rest = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const uint64_t overflow = rest >> 63;
    rest = rest << 1 | (number >> bit & 1);
    if (overflow || rest >= divisor) {
      rest -= divisor;
      quotient |= (uint64_t)1 << bit;
    }
  }
  return quotient;
}

static inline int parity(uint32_t bits) {
  bits ^= bits >> 16;
  bits ^= bits >> 8;
  bits ^= bits >> 4;
  return 0x6996 >> (bits & 15) & 1;
}

/* Bounds of log2(x) for x > 0, with 44 digits behind the point: at most 2^-43 above, at most 2^-43 below. */
uint64_t gauze_log2_above(uint64_t x);
uint64_t gauze_log2_below(uint64_t x);

/* ln of a power of two that is given with 44 digits behind the point, in 1e-9, rounded up. */
uint64_t gauze_nano_of_log2(uint64_t log2);

#endif
