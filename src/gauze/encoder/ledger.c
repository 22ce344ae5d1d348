#include "gauze/encoder/internal/ledger.h"

#include "gauze/encoder/internal/arithmetic.h"
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/digest.h"

#define LEDGER_MAGIC UINT32_C(0x314c5a47) /* "GZL1" */
enum { LEDGER_VERSION = 1, AT_FIGURES = 8, FIGURES = 7, AT_REST = 64, AT_CRC = 124 };

static void close_ledger(gauze_ledger* ledger, const gauze_ledger_figures* figures) {
  const uint64_t all[FIGURES] = {figures->window_seconds, figures->window_limit, figures->lifetime_limit,
                                 figures->window,         figures->window_spent, figures->lifetime_spent,
                                 figures->reports};
  write_number(ledger->bytes, LEDGER_MAGIC, 4);
  write_number(ledger->bytes + 4, LEDGER_VERSION, 4);
  for (int i = 0; i < FIGURES; ++i) write_number(ledger->bytes + AT_FIGURES + 8 * i, all[i], 8);
  wipe_bytes(ledger->bytes + AT_REST, AT_CRC - AT_REST);
  write_number(ledger->bytes + AT_CRC, gauze_crc32c(0, ledger->bytes, AT_CRC), 4);
}

int gauze_ledger_open(const gauze_ledger* ledger, gauze_ledger_figures* figures) {
  const unsigned char* at = ledger->bytes;
  if (read_u32(at) != LEDGER_MAGIC || read_u32(at + 4) != LEDGER_VERSION) return GAUZE_E_LEDGER;
  if (read_u32(at + AT_CRC) != gauze_crc32c(0, at, AT_CRC)) return GAUZE_E_LEDGER;
  for (int i = AT_REST; i < AT_CRC; ++i)
    if (at[i] != 0) return GAUZE_E_LEDGER;
  uint64_t* const all[FIGURES] = {&figures->window_seconds, &figures->window_limit, &figures->lifetime_limit,
                                  &figures->window,         &figures->window_spent, &figures->lifetime_spent,
                                  &figures->reports};
  for (int i = 0; i < FIGURES; ++i) *all[i] = read_u64(at + AT_FIGURES + 8 * i);
  return figures->window_seconds == 0 ? GAUZE_E_LEDGER : GAUZE_OK;
}

int gauze_ledger_init(gauze_ledger* ledger, uint64_t window_seconds, uint64_t window_nano, uint64_t lifetime_nano) {
  if (ledger == NULL || window_seconds == 0) return GAUZE_E_ARGUMENT;
  const gauze_ledger_figures figures = {window_seconds, window_nano, lifetime_nano, 0, 0, 0, 0};
  close_ledger(ledger, &figures);
  return GAUZE_OK;
}

void gauze_ledger_advance(gauze_ledger_figures* figures, uint64_t time) {
  const uint64_t window = divide(time, figures->window_seconds);
  if (window <= figures->window) return; /* a clock that was set back opens nothing */
  figures->window = window;
  figures->window_spent = 0;
}

static int fits(uint64_t spent, uint64_t cost, uint64_t limit) { return spent <= limit && cost <= limit - spent; }

/* Whether the ledger's windows are made of whole windows of the task: then what is spent in one of them bounds what is spent in
 * each of these. */
static int holds_windows_of(const gauze_ledger_figures* figures, const gauze_task* task) {
  if (task->window_nano == GAUZE_NO_LIMIT) return 1;
  return divide(figures->window_seconds, task->window_seconds) * task->window_seconds == figures->window_seconds;
}

int gauze_ledger_charge(gauze_ledger* ledger, const gauze_task* task, uint64_t time) {
  gauze_ledger_figures figures;
  const int state = gauze_ledger_open(ledger, &figures);
  if (state != GAUZE_OK) return state;
  gauze_ledger_advance(&figures, time);
  const uint64_t cost = task->cost_nano;
  if (!holds_windows_of(&figures, task)) return GAUZE_E_BUDGET;
  if (!fits(figures.window_spent, cost, figures.window_limit) || !fits(figures.window_spent, cost, task->window_nano))
    return GAUZE_E_BUDGET;
  if (!fits(figures.lifetime_spent, cost, figures.lifetime_limit) ||
      !fits(figures.lifetime_spent, cost, task->lifetime_nano))
    return GAUZE_E_BUDGET;
  figures.window_spent += cost;
  figures.lifetime_spent += cost;
  ++figures.reports;
  close_ledger(ledger, &figures);
  return GAUZE_OK;
}
