/* The encoder as a module for browsers and Node: what index.js calls. JavaScript puts bytes into one room of fixed size and calls; calls never
 * overlap, because a module has one thread and one memory. Nothing is decided here: every function fills the structs of gauze_encoder.h. */
#include "gauze/encoder/gauze_encoder.h"
#include "gauze/encoder/ledger_figures.h"

#define EXPORT(name) __attribute__((export_name(name)))

enum { LONGEST_TEXT = 4096, NO_VALUE = -1 };

static struct {
  gauze_task task;
  gauze_ledger ledger;
  gauze_consent consent;
  unsigned char secret[32];
  unsigned char text_sha256[32];
  unsigned char block[GAUZE_CENTRAL_BLOCK];
  gauze_value values[GAUZE_MOST_FIELDS];
  unsigned char text[LONGEST_TEXT];
  unsigned char payloads[GAUZE_LARGEST_BLOCK];
  unsigned char out[GAUZE_LARGEST_BLOCK];
} room;

/* crypto.getRandomValues; 0 = success. */
__attribute__((import_module("gauze"), import_name("random"))) int gauze_js_random(unsigned char* out, size_t size);

static int random_bytes(void* context, unsigned char* out, size_t size) {
  (void)context;
  return gauze_js_random(out, size);
}

static void copy(unsigned char* to, const unsigned char* from, size_t size) {
  for (size_t i = 0; i < size; ++i) *(volatile unsigned char*)(to + i) = from[i];
}

static void fill_device(gauze_device* device) {
  copy(device->secret, room.secret, sizeof room.secret);
  copy(device->consent.bytes, room.consent.bytes, sizeof room.consent.bytes);
  device->random = random_bytes;
  device->context = NULL;
}

static void forget(void* at, size_t size) {
  for (size_t i = 0; i < size; ++i) ((volatile unsigned char*)at)[i] = 0;
}

/* Where the parts of the room begin, in the order of the struct, and where it ends. */
EXPORT("place") const void* place(int part) {
  switch (part) {
    case 0:
      return &room.task;
    case 1:
      return room.ledger.bytes;
    case 2:
      return room.consent.bytes;
    case 3:
      return room.secret;
    case 4:
      return room.text_sha256;
    case 5:
      return room.block;
    case 6:
      return room.text;
    case 7:
      return room.payloads;
    case 8:
      return room.out;
    case 9:
      return room.task.hash;
    default:
      return &room + 1;
  }
}

EXPORT("size_of_task") size_t size_of_task(void) { return sizeof(gauze_task); }

/* Leaves no secret and no value behind. */
EXPORT("wipe") void wipe(void) { forget(&room, sizeof room); }

EXPORT("task_load") int task_load(size_t size) { return gauze_task_load(&room.task, room.block, size); }

EXPORT("task_cost") uint64_t task_cost(void) {
  uint64_t nano = 0;
  gauze_task_cost(&room.task, &nano, NULL);
  return nano;
}

/* Of a central task, else 0. */
EXPORT("field_count") size_t field_count(void) { return room.task.field_count; }

EXPORT("payload_size") size_t payload_size(void) { return gauze_payload_size(&room.task); }

EXPORT("ledger_init") int ledger_init(uint64_t window_seconds, uint64_t window_nano, uint64_t lifetime_nano) {
  return gauze_ledger_init(&room.ledger, window_seconds, window_nano, lifetime_nano);
}

/* GAUZE_E_LEDGER when it is damaged. */
EXPORT("ledger_check") int ledger_check(void) {
  gauze_ledger_figures figures;
  return gauze_ledger_open(&room.ledger, &figures);
}

/* Of a whole ledger: 0 seconds of a window, 1 limit of a window, 2 limit for life. */
EXPORT("ledger_limit") uint64_t ledger_limit(int which) {
  gauze_ledger_figures figures;
  if (gauze_ledger_open(&room.ledger, &figures) != GAUZE_OK) return 0;
  return which == 0 ? figures.window_seconds : which == 1 ? figures.window_limit : figures.lifetime_limit;
}

EXPORT("consent_grant") int consent_grant(uint64_t time) {
  return gauze_consent_grant(&room.consent, &room.task, room.secret, room.text_sha256, time);
}

EXPORT("encode") int encode(uint64_t time, int kind, int64_t number, size_t length) {
  gauze_device device;
  fill_device(&device);
  const gauze_value value = {kind, number, (const char*)room.text, length};
  const int result =
      gauze_encode(&room.task, &device, time, &value, kind == NO_VALUE ? 0 : 1, &room.ledger, NULL, room.out);
  forget(&device, sizeof device);
  return result;
}

/* The value of a field of a central task. Text is no value of any. */
EXPORT("put_value") void put_value(size_t field, int kind, int64_t number) {
  if (field >= GAUZE_MOST_FIELDS) return;
  const gauze_value value = {kind, number, NULL, 0};
  room.values[field] = value;
}

EXPORT("encode_record") int encode_record(uint64_t time, size_t count) {
  gauze_device device;
  fill_device(&device);
  const int result = gauze_encode(&room.task, &device, time, room.values, count, NULL, NULL, room.out);
  forget(&device, sizeof device);
  return result;
}

/* The bytes of the block, or an error, which is negative. */
EXPORT("block") int block(uint64_t time, size_t count) {
  gauze_device device;
  fill_device(&device);
  size_t size = sizeof room.out;
  const int result = gauze_block(&room.task, &device, time, room.payloads, count, room.out, &size);
  forget(&device, sizeof device);
  return result == GAUZE_OK ? (int)size : result;
}
