/* What stands in the ledger of a device: for showing it. */
#ifndef GAUZE_LEDGER_FIGURES_H
#define GAUZE_LEDGER_FIGURES_H

#include "gauze/encoder/gauze_encoder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint64_t window_seconds, window_limit, lifetime_limit;
  uint64_t window; /* the largest number of a window that was seen */
  uint64_t window_spent, lifetime_spent;
  uint64_t reports;
} gauze_ledger_figures;

/* GAUZE_E_LEDGER when it is damaged. */
int gauze_ledger_open(const gauze_ledger* ledger, gauze_ledger_figures* figures);
/* Goes on to the window of that time; never back. */
void gauze_ledger_advance(gauze_ledger_figures* figures, uint64_t time);

#ifdef __cplusplus
}
#endif

#endif
