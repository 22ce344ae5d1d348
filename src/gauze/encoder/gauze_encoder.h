/* What runs on a device: it turns one value into one disturbed report under local differential privacy.
 *
 * Privacy unit  : one device's value.
 * Neighbours    : any two values.
 * Guarantee     : a report of a task costs epsilon = gauze_task_cost() at most, computed here from the integers that the report
 *                 is drawn with, whatever the task claims; reports add up, and the ledger adds them.
 * Proven        : docs/proofs/local-laws.md, for the integers as drawn.
 * Not covered   : that the device takes part, and when; how long encoding takes (whoever can time the device is not covered);
 *                 a ledger that is lost, for instance with a reinstalled app: the budget is then a fresh one; a random callback that is
 *                 not uniform.
 *
 * A *central* task is another thing: its records leave the device as they are, sealed to a curator who is trusted and adds noise when
 * it is asked. Nothing above holds for them; they cost 0 here, need consent, and their statement says so.
 *
 * C11, freestanding: no heap, no C library, no globals that are written. All state is in plain structs in the caller's memory.
 * Functions may be called from several threads on different structs; a loaded gauze_task may be shared.
 *
 * The order that an app keeps: gauze_encode() charges the ledger before it draws; store the 128 bytes of the ledger, and only then send
 * the payload. A crash in between loses a report, never budget that was not paid.
 */
#ifndef GAUZE_ENCODER_H
#define GAUZE_ENCODER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GAUZE_API __attribute__((visibility("default")))
#else
#define GAUZE_API
#endif

enum {
  GAUZE_OK = 0,
  GAUZE_E_ARGUMENT = -1, /* a mistake of the program: a null pointer, too little room */
  GAUZE_E_TASK = -2,     /* a damaged task, or one whose law is none */
  GAUZE_E_COST = -3,     /* the task's law costs more than the task claims */
  GAUZE_E_CONSENT = -4,  /* no consent, or one to another task, text or device */
  GAUZE_E_BUDGET = -5,   /* a limit of the app or of the task would be exceeded */
  GAUZE_E_RANDOM = -6,   /* no random bytes: no report */
  GAUZE_E_LEDGER = -7    /* a damaged ledger: nothing is encoded */
};

#define GAUZE_NO_LIMIT UINT64_MAX /* of epsilon, in a window or for life */
#define GAUZE_TASK_LOADED 0xa5
#define GAUZE_TASK_BLOCK 256      /* bytes of the block of a local task */
#define GAUZE_CENTRAL_BLOCK 512   /* bytes of the block of a central task: no block is longer */
#define GAUZE_MOST_FIELDS 16      /* fields of a central task */
#define GAUZE_LARGEST_BLOCK 64000 /* bytes of a block of reports */
#define GAUZE_MOST_REPORTS 4096   /* reports of a block */

/* Fills `out` with `size` random bytes of cryptographic quality; 0 = success. */
typedef int (*gauze_random_fn)(void* context, unsigned char* out, size_t size);

/* A value. kind 0: the number of a category; 1: a number in units of the field; 2: text, of `length` bytes. A value of another kind than
 * the task's, and a category that is none, are no errors: they are reported as the task says for what is out of its domain. */
typedef struct {
  int kind;
  int64_t number;
  const char* text;
  size_t length;
} gauze_value;

/* A field of the records of a central task. */
typedef struct {
  int64_t low;    /* of a category 0 */
  uint64_t range; /* high - low; of a category the number of its last value */
  unsigned char kind;
  unsigned char reserved[7];
} gauze_field;

/* A task as it was loaded; made by gauze_task_load() alone. */
typedef struct {
  uint64_t law[3]; /* A, B or T1, T0 or epsilon in 1e-9; T of the public branch */
  uint64_t range;  /* high - low */
  int64_t low;
  uint64_t claimed_nano;
  uint64_t period_seconds;
  uint64_t window_seconds;
  uint64_t window_nano;
  uint64_t lifetime_nano;
  uint64_t cost_nano;
  uint32_t size;      /* how many values; of a central task 0 */
  uint32_t parameter; /* g, w, K or the window of cells */
  uint32_t payload_size;
  uint32_t reports_per_period;
  unsigned char mechanism;
  unsigned char flags;
  unsigned char loaded;      /* GAUZE_TASK_LOADED, else it is none */
  unsigned char field_count; /* above 0: a central task */
  unsigned char reserved[4];
  unsigned char hash[32];
  unsigned char values_sha256[32];
  unsigned char text_sha256[2][32]; /* of the statement in English and in Chinese */
  unsigned char document_sha256[32];
  gauze_field fields[GAUZE_MOST_FIELDS];
} gauze_task;

/* What a device has spent, all its tasks together: 128 bytes to be stored as they are. */
typedef struct {
  unsigned char bytes[128];
} gauze_ledger;

/* The consent of a user to one task, as its text was shown. All zero is no consent; withdrawing is zeroing it. It is a gate in the app,
 * not a proof to anybody else. */
typedef struct {
  unsigned char bytes[104];
} gauze_consent;

/* A response that stays for a period. All zero: nothing frozen yet. No mechanism of this version has one. */
typedef struct {
  unsigned char bytes[96];
} gauze_frozen;

typedef struct {
  unsigned char secret[32]; /* random, of this device, kept by the app */
  gauze_consent consent;
  gauze_random_fn random;
  void* context; /* for `random` */
} gauze_device;

/* Reads a task block. GAUZE_E_TASK: not one, damaged, or with a law whose cost is not positive and finite, or with fields that are none. */
GAUZE_API int gauze_task_load(gauze_task* task, const unsigned char* block, size_t size);

/* What one report costs, in 1e-9 epsilon, rounded up: computed from the law, not read from the task. `permanent_nano` (may be NULL)
 * is that of a frozen response: 0. Of a central task both are 0. */
GAUZE_API int gauze_task_cost(const gauze_task* task, uint64_t* report_nano, uint64_t* permanent_nano);

/* The bytes of one report; 0 for what is no task. The same for all values. */
GAUZE_API size_t gauze_payload_size(const gauze_task* task);

/* A new ledger with the app's own limits, in 1e-9 epsilon (GAUZE_NO_LIMIT: none; 0 allows nothing). Windows are tumbling: unix
 * seconds div window_seconds, which must not be 0. */
GAUZE_API int gauze_ledger_init(gauze_ledger* ledger, uint64_t window_seconds, uint64_t window_nano,
                                uint64_t lifetime_nano);

/* Records that the user agreed to the text with this SHA-256, which must be one of the two of the task. */
GAUZE_API int gauze_consent_grant(gauze_consent* consent, const gauze_task* task, const unsigned char secret[32],
                                  const unsigned char text_sha256[32], uint64_t time);

/* One report of one value (count 1; 0 values are a missing one) into `payload`, which has room for gauze_payload_size() bytes. In this
 * order: task, consent, cost, budget, charge, draw. What fails before the charge changes nothing; when the random bytes fail the charge
 * stays, and the payload is all zero. `frozen` must be NULL.
 * Of a central task it takes a value for each field, in their order, and writes a record: numbers are clamped, what is no number is low,
 * what is no value of a category is `other`, without one a uniform value. Nothing is charged, and `ledger` may be NULL. */
GAUZE_API int gauze_encode(const gauze_task* task, const gauze_device* device, uint64_t time,
                           const gauze_value* values, size_t count, gauze_ledger* ledger, gauze_frozen* frozen,
                           unsigned char* payload);

/* Puts `count` payloads into one block, with a random id and a checksum. *size: in, the room at `out`; out, the bytes written. */
GAUZE_API int gauze_block(const gauze_task* task, const gauze_device* device, uint64_t time,
                          const unsigned char* payloads, size_t count, unsigned char* out, size_t* size);

#ifdef __cplusplus
}
#endif

#endif
