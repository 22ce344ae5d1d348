/* Hadamard response: y below K = 2^ceil(log2(d + 1)), with weight A where (v + 1) AND y has an even number of ones, else B. Half of
 * all y are of either kind, since v + 1 is not 0. */
#include "gauze/encoder/internal/arithmetic.h"
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/mechanism.h"

static uint64_t payload_size(const gauze_task* task) { return index_bytes(task->parameter); }

static int check(const gauze_task* task) {
  const uint32_t k = task->parameter;
  if ((k & (k - 1)) != 0 || k <= task->size || k / 2 > task->size) return 0;
  return gauze_sum_fits(task, 1, 1);
}

static void draw(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  const uint32_t k = task->parameter, row = value.category + 1;
  const uint64_t a = task->law[0];
  const int is_even = gauze_draw_below(stream, a + WEIGHT_B) < a;
  uint32_t y = (uint32_t)gauze_draw_below(stream, k);
  if (parity(row & y) == is_even) y ^= row & (0U - row);
  write_number(payload, y, index_bytes(k));
}

const gauze_mechanism gauze_hr = {GAUZE_HR, 0, gauze_weights_cost, payload_size, check, draw};
