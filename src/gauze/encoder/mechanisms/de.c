/* Direct encoding: the value with weight A, every other value with weight B. */
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/mechanism.h"

static uint64_t payload_size(const gauze_task* task) { return index_bytes(task->size); }

static int check(const gauze_task* task) { return task->parameter == 0 && gauze_sum_fits(task, 1, task->size - 1); }

static void draw(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  const uint64_t a = task->law[0];
  const uint64_t drawn = gauze_draw_below(stream, a + ((uint64_t)(task->size - 1) << 32));
  const uint32_t other = (uint32_t)((drawn - a) >> 32);
  const uint32_t reported = drawn < a ? value.category : other + (other >= value.category);
  write_number(payload, reported, index_bytes(task->size));
}

const gauze_mechanism gauze_de = {GAUZE_DE, 0, gauze_weights_cost, payload_size, check, draw};
