/* The piecewise mechanism on a public grid of 65,536 cells: a window of w cells stands where the number is, rounded so that its mean is
 * exact; cells inside weigh A, cells outside B. */
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/mechanism.h"

static uint64_t payload_size(const gauze_task* task) {
  (void)task;
  return 2;
}

static int check(const gauze_task* task) {
  const uint32_t w = task->parameter;
  return w >= 1 && w < GAUZE_GRID_CELLS && gauze_sum_fits(task, w, GAUZE_GRID_CELLS - w);
}

uint32_t gauze_draw_cell(const gauze_task* task, gauze_stream* stream, domain_value value) {
  const uint32_t w = task->parameter;
  const uint64_t inside = w * task->law[0];
  const uint32_t first = gauze_draw_rounded(stream, value.number, value.range, GAUZE_GRID_CELLS - w);
  if (gauze_draw_below(stream, inside + ((uint64_t)(GAUZE_GRID_CELLS - w) << 32)) < inside)
    return first + (uint32_t)gauze_draw_below(stream, w);
  const uint32_t cell = (uint32_t)gauze_draw_below(stream, GAUZE_GRID_CELLS - w);
  return cell < first ? cell : cell + w;
}

static void draw(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  write_number(payload, gauze_draw_cell(task, stream, value), 2);
}

const gauze_mechanism gauze_piecewise = {GAUZE_PIECEWISE, 1, gauze_weights_cost, payload_size, check, draw};
