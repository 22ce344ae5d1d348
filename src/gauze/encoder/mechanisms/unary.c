/* Unary encodings: a bit for every value, 1 with probability T1 / 2^64 for the value itself and T0 / 2^64 for the others. `sue`, `oue`
 * and `the` differ in these two numbers alone. */
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/mechanism.h"

static uint64_t payload_size(const gauze_task* task) { return ((uint64_t)task->size + 7) / 8; }

static int check(const gauze_task* task) { return task->parameter == 0; }

static void draw(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  for (uint32_t first = 0; first < task->size; first += 64) {
    const uint32_t left = task->size - first, count = left < 64 ? left : 64;
    /* of another word: wraps around to 64 or more */
    const uint64_t one = (uint64_t)value.category - first;
    const uint64_t bits = gauze_draw_bits(stream, task->law[1], task->law[0], one, count);
    write_number(payload + first / 8, bits, (count + 7) / 8);
  }
}

const gauze_mechanism gauze_sue = {GAUZE_SUE, 0, gauze_bits_cost, payload_size, check, draw};
const gauze_mechanism gauze_oue = {GAUZE_OUE, 0, gauze_bits_cost, payload_size, check, draw};
const gauze_mechanism gauze_the = {GAUZE_THE, 0, gauze_bits_cost, payload_size, check, draw};
