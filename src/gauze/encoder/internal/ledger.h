/* What must be so before a report is drawn: budget and consent. */
#ifndef GAUZE_ENCODER_LEDGER_H
#define GAUZE_ENCODER_LEDGER_H

#include "gauze/encoder/ledger_figures.h"

/* Charges one report of the task, or says GAUZE_E_BUDGET or GAUZE_E_LEDGER and changes nothing. */
int gauze_ledger_charge(gauze_ledger* ledger, const gauze_task* task, uint64_t time);

/* GAUZE_OK when it is the consent of this device to this task. */
int gauze_consent_check(const gauze_consent* consent, const gauze_task* task, const unsigned char secret[32]);

#endif
