/* Exact draws from random bytes. Whatever is drawn here is compared with integers of the task; nothing is rounded. */
#ifndef GAUZE_ENCODER_DRAW_H
#define GAUZE_ENCODER_DRAW_H

#include "gauze/encoder/gauze_encoder.h"

/* Random bytes of one report. When they fail once, nothing is asked for again, every draw is 0 and ends at once, and the report is thrown
 * away. */
typedef struct {
  gauze_random_fn random;
  void* context;
  int failed;
} gauze_stream;

/* Uniform on 0 ... 2^64 - 1. */
uint64_t gauze_draw_word(gauze_stream* stream);
/* Uniform below the bound, which is not 0, by rejection. */
uint64_t gauze_draw_below(gauze_stream* stream, uint64_t bound);
/* `count` (at most 64) independent bits: each is 1 with probability T0 / 2^64, bit `one` (if it is below 64) with T1 / 2^64.
 * How many bytes that takes depends on neither probability. */
uint64_t gauze_draw_bits(gauze_stream* stream, uint64_t t0, uint64_t t1, uint64_t one, unsigned count);
/* value * steps / range, rounded to one of its two neighbours at random so that its mean is exact; value <= range < 2^62, steps <=
 * 2^16. */
uint32_t gauze_draw_rounded(gauze_stream* stream, uint64_t value, uint64_t range, uint32_t steps);
/* Discrete Laplace noise: P[x] is proportional to exp(-|x| epsilon_nano / (2^11 10^9)). Far beyond the clamp it is cut. */
int64_t gauze_draw_laplace(gauze_stream* stream, uint64_t epsilon_nano);
/* Three numbers below 2^31 - 1, uniform. */
void gauze_draw_hash(gauze_stream* stream, uint32_t hash[3]);

#endif
