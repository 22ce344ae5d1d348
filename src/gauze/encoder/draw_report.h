/* Reports without a device: for whoever has no ledger and no consent to keep, such as simulations and tables of many devices. */
#ifndef GAUZE_DRAW_REPORT_H
#define GAUZE_DRAW_REPORT_H

#include "gauze/encoder/gauze_encoder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What gauze_encode() does after the charge, on a task that gauze_task_load() has loaded. `value` may be NULL: missing. */
int gauze_draw_report(const gauze_task* task, gauze_random_fn random, void* context, const gauze_value* value,
                      unsigned char* payload);

/* The same for a central task: `values` has one for each field. GAUZE_E_TASK for a local one, as the other says for a central one. */
int gauze_write_record(const gauze_task* task, gauze_random_fn random, void* context, const gauze_value* values,
                       unsigned char* payload);

#ifdef __cplusplus
}
#endif

#endif
