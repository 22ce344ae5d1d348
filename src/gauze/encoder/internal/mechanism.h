/* A mechanism of the encoder: one file and one struct of functions each. */
#ifndef GAUZE_ENCODER_MECHANISM_H
#define GAUZE_ENCODER_MECHANISM_H

#include "gauze/encoder/gauze_encoder.h"
#include "gauze/encoder/internal/draw.h"
#include "gauze/encoder/task_block.h"

/* Weights count in this unit: B is always 2^32. */
#define WEIGHT_B (UINT64_C(1) << 32)
#define LARGEST_SUM (UINT64_C(1) << 63)

/* A value inside the task's domain: a category, or its distance from the low end out of `range` (for the square of a number, both are
 * squared). */
typedef struct {
  uint32_t category;
  uint64_t number;
  uint64_t range;
} domain_value;

typedef struct {
  unsigned char number;
  unsigned char is_mean;
  /* What a report of such a law costs, in 1e-9, rounded up; 0: no law. */
  uint64_t (*cost)(const uint64_t law[3]);
  /* The bytes of a report, without the byte of the part. */
  uint64_t (*payload_size)(const gauze_task* task);
  /* Whether parameters make sense and sums of weights stay below 2^63. */
  int (*check)(const gauze_task* task);
  void (*draw)(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload);
} gauze_mechanism;

/* Said where they are declared, too: otherwise every use asks a table of the loader where they are. */
#if defined(__GNUC__)
#define GAUZE_HIDDEN __attribute__((visibility("hidden")))
#else
#define GAUZE_HIDDEN
#endif
GAUZE_HIDDEN extern const gauze_mechanism gauze_de, gauze_she, gauze_the, gauze_sue, gauze_oue, gauze_blh, gauze_olh,
    gauze_hr, gauze_ss, gauze_duchi, gauze_piecewise, gauze_hybrid, gauze_laplace;

/* The mechanism of that number, or NULL. */
const gauze_mechanism* gauze_find_mechanism(unsigned char number);

/* ln(A / B) in 1e-9, rounded up, of a law with B = 2^32 < A < 2^63; 0: no such law. */
uint64_t gauze_weights_cost(const uint64_t law[3]);
/* ln(T1 (2^64 - T0) / (T0 (2^64 - T1))), likewise; 0 unless 0 < T0 < T1. */
uint64_t gauze_bits_cost(const uint64_t law[3]);
/* Whether ones * A + others * B is below 2^63. */
int gauze_sum_fits(const gauze_task* task, uint64_t ones, uint64_t others);
/* The epsilon of the law itself, for the two that add Laplace noise; 0: none that is allowed. */
uint64_t gauze_figures_cost(const uint64_t law[3]);
/* The largest figure of she and laplace: 1 + 80 / epsilon in units, rounded down. */
int64_t gauze_figures_clamp(uint64_t epsilon_nano);
/* A figure with Laplace noise, clamped, in 4 bytes. */
void gauze_draw_figure(const gauze_task* task, gauze_stream* stream, int64_t figure, unsigned char* out);
/* The two parts of `hybrid`: a side (0 low, 1 high), a cell. */
uint32_t gauze_draw_side(const gauze_task* task, gauze_stream* stream, domain_value value);
uint32_t gauze_draw_cell(const gauze_task* task, gauze_stream* stream, domain_value value);

#endif
