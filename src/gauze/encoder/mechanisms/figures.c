/* Discrete Laplace noise in units of 2^-10: on a histogram of one (`she`), on a number on [-1, 1] (`laplace`). Two values differ by 2 in
 * L1, that is by 2^11 units, and the scale is 2^11 / epsilon of them. The clamp is public and changes the cost of nothing. */
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/mechanism.h"

void gauze_draw_figure(const gauze_task* task, gauze_stream* stream, int64_t figure, unsigned char* out) {
  const int64_t clamp = gauze_figures_clamp(task->law[0]);
  const int64_t noisy = figure + gauze_draw_laplace(stream, task->law[0]);
  const int64_t clamped = noisy < -clamp ? -clamp : noisy > clamp ? clamp : noisy;
  write_number(out, (uint64_t)clamped, 4);
}

static uint64_t payload_size_histogram(const gauze_task* task) { return (uint64_t)task->size * 4; }

static int check_histogram(const gauze_task* task) { return task->parameter == 0; }

static void draw_histogram(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  for (uint32_t i = 0; i < task->size; ++i)
    gauze_draw_figure(task, stream, i == value.category ? GAUZE_FIGURE_ONE : 0, payload + (size_t)4 * i);
}

static uint64_t payload_size_number(const gauze_task* task) {
  (void)task;
  return 4;
}

static int check_number(const gauze_task* task) { return task->parameter == 0; }

static void draw_number(const gauze_task* task, gauze_stream* stream, domain_value value, unsigned char* payload) {
  const int64_t rounded = gauze_draw_rounded(stream, value.number, value.range, 2 * GAUZE_FIGURE_ONE);
  gauze_draw_figure(task, stream, rounded - GAUZE_FIGURE_ONE, payload);
}

const gauze_mechanism gauze_she = {GAUZE_SHE,     0, gauze_figures_cost, payload_size_histogram, check_histogram,
                                   draw_histogram};
const gauze_mechanism gauze_laplace = {GAUZE_LAPLACE, 1,          gauze_figures_cost, payload_size_number,
                                       check_number,  draw_number};
