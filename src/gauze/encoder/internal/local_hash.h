/* The hash of local hashing: h(v) = floor(t g / P), t = (a + b v + c v^2) mod P, P = 2^31 - 1. */
#ifndef GAUZE_ENCODER_LOCAL_HASH_H
#define GAUZE_ENCODER_LOCAL_HASH_H

#include "gauze/encoder/task_block.h"

/* x mod P for x below 2^62. */
static inline uint32_t hash_reduce(uint64_t x) {
  x = (x & GAUZE_HASH_PRIME) + (x >> 31);
  x = (x & GAUZE_HASH_PRIME) + (x >> 31);
  return (uint32_t)(x >= GAUZE_HASH_PRIME ? x - GAUZE_HASH_PRIME : x);
}

/* The hash of a value below 2^24 in 0 ... g - 1, g at most 2^24; a, b, c are below P. */
static inline uint32_t hash_value(const uint32_t hash[3], uint32_t value, uint32_t g) {
  const uint64_t linear = (uint64_t)hash_reduce((uint64_t)hash[2] * value) + hash[1];
  const uint64_t t = hash_reduce((uint64_t)hash_reduce(linear) * value + hash[0]);
  /* t g = q (P + 1) + r = q P + (q + r), and q + r is below 2 P */
  const uint64_t product = t * g;
  const uint64_t quotient = product >> 31, rest = product & GAUZE_HASH_PRIME;
  return (uint32_t)(quotient + (quotient + rest >= GAUZE_HASH_PRIME));
}

#endif
