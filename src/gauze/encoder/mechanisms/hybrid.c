/* The hybrid of piecewise (with probability T / 2^64) and Duchi's mechanism. Which of the two it was is public and in the report, and does
 * not depend on the value: the cost is that of either. */
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/mechanism.h"

static uint64_t payload_size(const gauze_task* task) {
  (void)task;
  return 3;
}

static int check(const gauze_task* task) { return gauze_piecewise.check(task); }

static void draw(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  const int is_piecewise = gauze_draw_word(stream) < task->law[2];
  payload[0] = (unsigned char)is_piecewise;
  write_number(payload + 1,
               is_piecewise ? gauze_draw_cell(task, stream, value) : gauze_draw_side(task, stream, value), 2);
}

const gauze_mechanism gauze_hybrid = {GAUZE_HYBRID, 1, gauze_weights_cost, payload_size, check, draw};
