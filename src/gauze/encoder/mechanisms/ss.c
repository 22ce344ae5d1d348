/* Subset selection: w of the d values; a subset that has the value weighs A, one that does not B. */
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/mechanism.h"

static uint64_t payload_size(const gauze_task* task) { return ((uint64_t)task->size + 7) / 8; }

static int check(const gauze_task* task) {
  const uint32_t w = task->parameter;
  return w >= 1 && w < task->size && gauze_sum_fits(task, w, task->size - w);
}

/* The place of the i-th value that is not `skipped`. */
static uint32_t without(uint32_t i, uint32_t skipped) { return i + (i >= skipped); }

/* Of all subsets of w values w/d have a given one, so it is in with probability w A / (w A + (d - w) B). The rest are drawn from the other
 * d - 1 values by Floyd's method, which needs no memory but the bitmap. */
static void draw(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  const uint32_t d = task->size, w = task->parameter;
  const uint64_t with = w * task->law[0];
  const int is_in = gauze_draw_below(stream, with + ((uint64_t)(d - w) << 32)) < with;
  const uint32_t others = is_in ? w - 1 : w;
  for (uint32_t i = 0; i < (d + 7) / 8; ++i) *(volatile unsigned char*)(payload + i) = 0;
  for (uint32_t last = d - 1 - others; last < d - 1; ++last) {
    uint32_t place = without((uint32_t)gauze_draw_below(stream, (uint64_t)last + 1), value.category);
    if (payload[place / 8] >> (place % 8) & 1) place = without(last, value.category);
    payload[place / 8] = (unsigned char)(payload[place / 8] | 1U << (place % 8));
  }
  const uint32_t own = value.category;
  payload[own / 8] = (unsigned char)(payload[own / 8] | (unsigned)is_in << (own % 8));
}

const gauze_mechanism gauze_ss = {GAUZE_SS, 0, gauze_weights_cost, payload_size, check, draw};
