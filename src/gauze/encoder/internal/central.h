/* Central tasks: records that leave the device as they are. */
#ifndef GAUZE_ENCODER_CENTRAL_H
#define GAUZE_ENCODER_CENTRAL_H

#include "gauze/encoder/gauze_encoder.h"

/* Takes the fields of a whole block into a task whose terms are taken. */
int gauze_central_load(gauze_task* task, const unsigned char* block);

#endif
