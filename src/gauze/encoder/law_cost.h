/* What a law costs, as the encoder charges it: for whoever plans tasks. */
#ifndef GAUZE_LAW_COST_H
#define GAUZE_LAW_COST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In 1e-9 epsilon, rounded up; 0 when the three numbers (A, B; T1, T0; epsilon in 1e-9; T of a public branch) are no law of the mechanism. */
uint64_t gauze_law_cost(unsigned char mechanism, const uint64_t law[3]);

#ifdef __cplusplus
}
#endif

#endif
