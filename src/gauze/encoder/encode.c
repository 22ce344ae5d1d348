#include "gauze/encoder/draw_report.h"
#include "gauze/encoder/internal/arithmetic.h"
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/digest.h"
#include "gauze/encoder/internal/ledger.h"
#include "gauze/encoder/internal/mechanism.h"
#include "gauze/encoder/task_block.h"

/* What is out of the domain is `other` where there is one, else a uniform value: that is drawn whether it is used or not. */
static uint32_t category_of(const gauze_task* task, gauze_stream* stream, const gauze_value* value) {
  const uint32_t replacement =
      task->flags & GAUZE_FLAG_OTHER ? task->size - 1 : (uint32_t)gauze_draw_below(stream, task->size);
  const int is_in = value != NULL && value->kind == 0 && value->number >= 0 && value->number < (int64_t)task->size;
  return is_in ? (uint32_t)value->number : replacement;
}

static uint64_t number_of(const gauze_task* task, gauze_stream* stream, const gauze_value* value) {
  const uint64_t replacement = gauze_draw_below(stream, task->range + 1);
  if (value == NULL || value->kind != 1) return replacement;
  if (value->number < task->low) return 0;
  const uint64_t distance = (uint64_t)value->number - (uint64_t)task->low;
  return distance > task->range ? task->range : distance;
}

static void draw_value(const gauze_task* task, const gauze_mechanism* mechanism, gauze_stream* stream,
                       const gauze_value* value, unsigned char* payload) {
  domain_value inside = {0, 0, task->range};
  if (!mechanism->is_mean) {
    inside.category = category_of(task, stream, value);
  } else {
    inside.number = number_of(task, stream, value);
    if (task->flags & GAUZE_FLAG_VARIANCE) {
      const int is_square = (int)gauze_draw_below(stream, 2);
      *payload++ = (unsigned char)is_square;
      if (is_square) {
        inside.number *= inside.number;
        inside.range *= inside.range;
      }
    }
  }
  mechanism->draw(task, stream, inside, payload);
}

int gauze_draw_report(const gauze_task* task, gauze_random_fn random, void* context, const gauze_value* value,
                      unsigned char* payload) {
  const gauze_mechanism* mechanism = gauze_find_mechanism(task->mechanism);
  if (mechanism == NULL) return GAUZE_E_TASK;
  gauze_stream stream = {random, context, 0};
  draw_value(task, mechanism, &stream, value, payload);
  if (!stream.failed) return GAUZE_OK;
  wipe_bytes(payload, task->payload_size);
  return GAUZE_E_RANDOM;
}

/* A report under a law: paid before it is drawn. */
static int encode_local(const gauze_task* task, const gauze_device* device, uint64_t time, const gauze_value* values,
                        size_t count, gauze_ledger* ledger, unsigned char* payload) {
  if (task->cost_nano > task->claimed_nano) return GAUZE_E_COST;
  const int charge = gauze_ledger_charge(ledger, task, time);
  if (charge != GAUZE_OK) return charge;
  return gauze_draw_report(task, device->random, device->context, count == 0 ? NULL : values, payload);
}

int gauze_encode(const gauze_task* task, const gauze_device* device, uint64_t time, const gauze_value* values,
                 size_t count, gauze_ledger* ledger, gauze_frozen* frozen, unsigned char* payload) {
  if (task == NULL || device == NULL || device->random == NULL || payload == NULL || frozen != NULL)
    return GAUZE_E_ARGUMENT;
  const int is_central = task->loaded == GAUZE_TASK_LOADED && task->field_count != 0;
  if (is_central ? count != task->field_count : count > 1 || ledger == NULL) return GAUZE_E_ARGUMENT;
  if (count != 0 && values == NULL) return GAUZE_E_ARGUMENT;
  if (task->loaded != GAUZE_TASK_LOADED) return GAUZE_E_TASK;
  const int consent = gauze_consent_check(&device->consent, task, device->secret);
  if (consent != GAUZE_OK) return consent;
  return is_central ? gauze_write_record(task, device->random, device->context, values, payload)
                    : encode_local(task, device, time, values, count, ledger, payload);
}

enum {
  AT_BLOCK_TASK = 4,
  AT_ID = 36,
  AT_BLOCK_PERIOD = 52,
  AT_PAYLOAD_SIZE = 56,
  AT_COUNT = 58,
  AT_PAYLOADS = 62,
  CHECKSUM = 4
};

int gauze_block(const gauze_task* task, const gauze_device* device, uint64_t time, const unsigned char* payloads,
                size_t count, unsigned char* out, size_t* size) {
  if (task == NULL || device == NULL || device->random == NULL || payloads == NULL || out == NULL || size == NULL)
    return GAUZE_E_ARGUMENT;
  if (task->loaded != GAUZE_TASK_LOADED) return GAUZE_E_TASK;
  if (count == 0 || count > GAUZE_MOST_REPORTS) return GAUZE_E_ARGUMENT;
  const uint64_t bytes = (uint64_t)count * task->payload_size, whole = AT_PAYLOADS + bytes + CHECKSUM;
  const uint64_t period = divide(time, task->period_seconds);
  if (whole > GAUZE_LARGEST_BLOCK || whole > *size || period > UINT32_MAX) return GAUZE_E_ARGUMENT;
  static const unsigned char magic[4] = {'G', 'Z', 'R', '1'};
  copy_bytes(out, magic, 4);
  copy_bytes(out + AT_BLOCK_TASK, task->hash, 32);
  if (device->random(device->context, out + AT_ID, 16) != 0) return GAUZE_E_RANDOM;
  write_number(out + AT_BLOCK_PERIOD, period, 4);
  write_number(out + AT_PAYLOAD_SIZE, task->payload_size, 2);
  write_number(out + AT_COUNT, count, 4);
  copy_bytes(out + AT_PAYLOADS, payloads, (size_t)bytes);
  write_number(out + AT_PAYLOADS + bytes, gauze_crc32c(0, out, (size_t)(AT_PAYLOADS + bytes)), CHECKSUM);
  *size = (size_t)whole;
  return GAUZE_OK;
}
