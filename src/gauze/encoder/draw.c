#include "gauze/encoder/internal/draw.h"

#include "gauze/encoder/internal/arithmetic.h"
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/local_hash.h"

static void draw_bytes(gauze_stream* stream, unsigned char* out, size_t size) {
  if (!stream->failed && stream->random(stream->context, out, size) != 0) stream->failed = 1;
  if (stream->failed)
    for (size_t i = 0; i < size; ++i) *(volatile unsigned char*)(out + i) = 0;
}

uint64_t gauze_draw_word(gauze_stream* stream) {
  unsigned char bytes[8];
  draw_bytes(stream, bytes, sizeof bytes);
  return read_u64(bytes);
}

/* How many binary digits a number has; 0 has none. */
static unsigned bit_length(uint64_t number) {
  unsigned bits = 0;
  for (unsigned half = 32; half != 0; half >>= 1)
    if (number >> half) {
      number >>= half;
      bits += half;
    }
  return bits + (number != 0);
}

uint64_t gauze_draw_below(gauze_stream* stream, uint64_t bound) {
  const unsigned bits = bit_length(bound - 1);
  if (bits == 0) return 0;
  const uint64_t mask = UINT64_MAX >> (64 - bits);
  const size_t size = (bits + 7) / 8;
  for (;;) {
    unsigned char bytes[8] = {0};
    draw_bytes(stream, bytes, size);
    const uint64_t drawn = read_u64(bytes) & mask;
    if (drawn < bound) return drawn;
  }
}

/* All bits are drawn at once, a binary digit of their probability a step, the most significant first. A bit is decided at the first step
 * where its random digit is 1, and is then the digit of its probability: that has the chance sum of digit_s 2^-s = T / 2^64. (A random
 * number is compared with T, where 1 says that its digit differs from that of T.) Which steps decide does not depend on the
 * probabilities, so neither does the number of bytes. Eight words are nearly always needed, so they are asked for together. */
uint64_t gauze_draw_bits(gauze_stream* stream, uint64_t t0, uint64_t t1, uint64_t one, unsigned count) {
  enum { AT_ONCE = 8 };
  unsigned char bytes[8 * AT_ONCE];
  const uint64_t special = one < 64 ? (uint64_t)1 << one : 0;
  uint64_t open = count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
  uint64_t ones = 0;
  draw_bytes(stream, bytes, sizeof bytes);
  for (unsigned step = 0; step < 64 && open != 0; ++step, t0 <<= 1, t1 <<= 1) {
    unsigned char* at = bytes + 8 * (step % AT_ONCE);
    if (step >= AT_ONCE) draw_bytes(stream, at, 8);
    const uint64_t decided = open & read_u64(at);
    const uint64_t digit0 = 0 - (t0 >> 63), digit1 = 0 - (t1 >> 63);
    ones |= decided & ((digit0 & ~special) | (digit1 & special));
    open &= ~decided;
  }
  return ones;
}

uint32_t gauze_draw_rounded(gauze_stream* stream, uint64_t value, uint64_t range, uint32_t steps) {
  /* quotient and rest of value * steps / range, by the binary digits of `steps` */
  uint32_t quotient = 0;
  uint64_t rest = 0;
  for (int bit = 16; bit >= 0; --bit) {
    quotient <<= 1;
    rest <<= 1;
    if (steps >> bit & 1) rest += value;
    while (rest >= range) {
      rest -= range;
      ++quotient;
    }
  }
  return quotient + (gauze_draw_below(stream, range) < rest);
}

/* Bernoulli(exp(-numerator / denominator)) for 0 <= numerator <= denominator: the number of successes of Bernoulli(x / k), k = 1, 2, ...
 * before the first failure is even with probability exp(-x) (Canonne, Kamath, Steinke 2020, algorithm 1). */
static int draw_exponential(gauze_stream* stream, uint64_t numerator, uint64_t denominator) {
  uint64_t k = 1;
  for (; !stream->failed; ++k) {
    const int below = gauze_draw_below(stream, denominator) < numerator;
    const int first = gauze_draw_below(stream, k) == 0;
    if (!(below && first)) break;
  }
  return (int)(k & 1);
}

int64_t gauze_draw_laplace(gauze_stream* stream, uint64_t epsilon_nano) {
  /* Their algorithm 2 for the scale 2^11 10^9 / epsilon_nano. Beyond 2^20 whole steps, which is far beyond every clamp, counting ends. */
  const uint64_t unit = UINT64_C(2048000000000);
  const uint64_t most = (uint64_t)1 << 20;
  while (!stream->failed) {
    const uint64_t part = gauze_draw_below(stream, unit);
    if (!draw_exponential(stream, part, unit)) continue;
    uint64_t steps = 0;
    while (!stream->failed && draw_exponential(stream, 1, 1)) steps += steps < most;
    const uint64_t size = divide(part + unit * steps, epsilon_nano);
    const int negative = (int)(gauze_draw_below(stream, 2));
    if (negative && size == 0) continue;
    return negative ? -(int64_t)size : (int64_t)size;
  }
  return 0;
}

void gauze_draw_hash(gauze_stream* stream, uint32_t hash[3]) {
  unsigned char bytes[12];
  draw_bytes(stream, bytes, sizeof bytes);
  for (int i = 0; i < 3; ++i) {
    hash[i] = read_u32(bytes + 4 * i) & GAUZE_HASH_PRIME;
    while (hash[i] == GAUZE_HASH_PRIME) {
      draw_bytes(stream, bytes + 4 * i, 4);
      hash[i] = read_u32(bytes + 4 * i) & GAUZE_HASH_PRIME;
    }
  }
}
