/* Local hashing: a hash of its own for every report, and the value's hash with weight A, every other one with B. `blh` has g = 2. */
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/local_hash.h"
#include "gauze/encoder/internal/mechanism.h"

static uint64_t payload_size(const gauze_task* task) { return 12 + index_bytes(task->parameter); }

static int check(const gauze_task* task) {
  const uint32_t g = task->parameter;
  if (g < 2 || g > task->size || (task->mechanism == GAUZE_BLH && g != 2)) return 0;
  return gauze_sum_fits(task, 1, g - 1);
}

static void draw(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  const uint32_t g = task->parameter;
  const uint64_t a = task->law[0];
  uint32_t hash[3];
  gauze_draw_hash(stream, hash);
  const uint64_t drawn = gauze_draw_below(stream, a + ((uint64_t)(g - 1) << 32));
  const uint32_t own = hash_value(hash, value.category, g), other = (uint32_t)((drawn - a) >> 32);
  for (int i = 0; i < 3; ++i) write_number(payload + 4 * i, hash[i], 4);
  write_number(payload + 12, drawn < a ? own : other + (other >= own), index_bytes(g));
}

const gauze_mechanism gauze_blh = {GAUZE_BLH, 0, gauze_weights_cost, payload_size, check, draw};
const gauze_mechanism gauze_olh = {GAUZE_OLH, 0, gauze_weights_cost, payload_size, check, draw};
