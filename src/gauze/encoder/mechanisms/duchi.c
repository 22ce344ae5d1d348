/* Duchi's mechanism: the number is rounded to one of the two ends so that its mean is exact; that end has weight A, the other B. */
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/mechanism.h"

static uint64_t payload_size(const gauze_task* task) {
  (void)task;
  return 1;
}

static int check(const gauze_task* task) { return task->parameter == 0 && gauze_sum_fits(task, 1, 1); }

uint32_t gauze_draw_side(const gauze_task* task, gauze_stream* stream, domain_value value) {
  const uint64_t a = task->law[0];
  const uint32_t side = gauze_draw_rounded(stream, value.number, value.range, 1);
  const uint32_t is_kept = gauze_draw_below(stream, a + WEIGHT_B) < a;
  return side ^ is_kept ^ 1;
}

static void draw(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  payload[0] = (unsigned char)gauze_draw_side(task, stream, value);
}

const gauze_mechanism gauze_duchi = {GAUZE_DUCHI, 1, gauze_weights_cost, payload_size, check, draw};
