/* The task block, byte by byte (docs/formats/collect.md): what a collector writes and a device reads. That of a local task has 256 bytes,
 * that of a central one 512: the same up to the document's digest, then its fields. */
#ifndef GAUZE_TASK_BLOCK_H
#define GAUZE_TASK_BLOCK_H

#include <stdint.h>

#define GAUZE_TASK_MAGIC UINT32_C(0x31545a47) /* "GZT1" */
#define GAUZE_MOST_VALUES (UINT32_C(1) << 24)
#define GAUZE_LEAST_NANO UINT64_C(1000000) /* of the claimed epsilon */
#define GAUZE_MOST_NANO UINT64_C(16000000000)
#define GAUZE_LARGEST_PAYLOAD UINT64_C(32768)
/* Cells of the piecewise mechanism. */
#define GAUZE_GRID_CELLS UINT32_C(65536)
/* Figures of she and laplace count in units of 2^-10. */
#define GAUZE_FIGURE_ONE 1024
/* P of local hashing. */
#define GAUZE_HASH_PRIME UINT32_C(0x7fffffff)

enum { GAUZE_TASK_VERSION = 1 };

/* The numbers of mechanisms in task blocks. Those left out are of mechanisms to come. */
enum {
  GAUZE_DE = 1,
  GAUZE_SHE = 2,
  GAUZE_THE = 3,
  GAUZE_SUE = 4,
  GAUZE_OUE = 5,
  GAUZE_BLH = 6,
  GAUZE_OLH = 7,
  GAUZE_HR = 8,
  GAUZE_SS = 9,
  GAUZE_DUCHI = 13,
  GAUZE_PIECEWISE = 14,
  GAUZE_HYBRID = 15,
  GAUZE_LAPLACE = 16,
  GAUZE_CENTRAL = 32 /* none: records go to the curator as they are */
};

/* What a field of a central task is. */
enum {
  GAUZE_FIELD_CATEGORY = 0,
  GAUZE_FIELD_NUMBER = 1,
  GAUZE_FIELD_OTHER = 2 /* a category whose last value is `other` */
};
#define GAUZE_MOST_CENTRAL_NANO UINT64_C(1000000000000000) /* of the epsilon for life of a central task */

/* Flags: the last value stands for all that are not listed; half of the devices report the square. */
enum { GAUZE_FLAG_OTHER = 1, GAUZE_FLAG_VARIANCE = 2 };

/* Where a field begins. */
enum {
  GAUZE_TASK_AT_VERSION = 4, /* u16 */
  GAUZE_TASK_AT_MECHANISM = 6,
  GAUZE_TASK_AT_FLAGS = 7,
  GAUZE_TASK_AT_SIZE = 8,
  GAUZE_TASK_AT_PARAMETER = 12,
  GAUZE_TASK_AT_LOW = 16,
  GAUZE_TASK_AT_HIGH = 24,
  GAUZE_TASK_AT_LAW = 32,
  GAUZE_TASK_AT_CLAIMED = 56,
  GAUZE_TASK_AT_PERIOD = 64,
  GAUZE_TASK_AT_WINDOW_SECONDS = 72,
  GAUZE_TASK_AT_WINDOW_NANO = 80,
  GAUZE_TASK_AT_LIFETIME_NANO = 88,
  GAUZE_TASK_AT_REPORTS = 96,
  GAUZE_TASK_AT_VALUES = 100,
  GAUZE_TASK_AT_TEXTS = 132,
  GAUZE_TASK_AT_DOCUMENT = 196,
  GAUZE_TASK_AT_RESERVED = 228,
  GAUZE_TASK_AT_CHECKSUM = 252
};

/* Of a central task, whose law, parameter, ends and window are 0, and whose epsilon is for life. */
enum {
  GAUZE_CENTRAL_AT_FIELDS = 228,
  GAUZE_CENTRAL_FIELD = 17, /* bytes: what it is, its lowest number (i64), its highest (i64) */
  GAUZE_CENTRAL_AT_RESERVED = 500,
  GAUZE_CENTRAL_AT_CHECKSUM = 508
};

#endif
