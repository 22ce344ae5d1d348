#include "gauze/encoder/internal/arithmetic.h"
#include "gauze/encoder/internal/mechanism.h"
#include "gauze/encoder/law_cost.h"

uint64_t gauze_weights_cost(const uint64_t law[3]) {
  const uint64_t a = law[0], b = law[1];
  if (b != WEIGHT_B || a <= b || a >= LARGEST_SUM) return 0;
  return gauze_nano_of_log2(gauze_log2_above(a) - gauze_log2_below(b));
}

uint64_t gauze_bits_cost(const uint64_t law[3]) {
  const uint64_t t1 = law[0], t0 = law[1];
  if (t0 == 0 || t1 <= t0) return 0;
  const uint64_t above = gauze_log2_above(t1) + gauze_log2_above(0 - t0);
  const uint64_t below = gauze_log2_below(t0) + gauze_log2_below(0 - t1);
  return gauze_nano_of_log2(above - below);
}

int gauze_sum_fits(const gauze_task* task, uint64_t ones, uint64_t others) {
  const wide weight = multiply(ones, task->law[0]), rest = multiply(others, task->law[1]);
  if (weight.high != 0 || rest.high != 0) return 0;
  return weight.low < LARGEST_SUM && rest.low < LARGEST_SUM && weight.low + rest.low < LARGEST_SUM;
}

uint64_t gauze_figures_cost(const uint64_t law[3]) {
  const uint64_t epsilon_nano = law[0];
  if (law[1] != 0) return 0;
  /* Below a thousandth the clamp would not fit; above 16 no task is allowed. */
  return epsilon_nano < 1000000 || epsilon_nano > UINT64_C(16000000000) ? 0 : epsilon_nano;
}

int64_t gauze_figures_clamp(uint64_t epsilon_nano) {
  return GAUZE_FIGURE_ONE + (int64_t)divide(UINT64_C(81920000000000), epsilon_nano);
}

uint64_t gauze_law_cost(unsigned char mechanism, const uint64_t law[3]) {
  const gauze_mechanism* found = gauze_find_mechanism(mechanism);
  return found == NULL || (law[2] != 0 && mechanism != GAUZE_HYBRID) ? 0 : found->cost(law);
}
