#include "gauze/encoder/internal/central.h"

#include "gauze/encoder/draw_report.h"
#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/draw.h"
#include "gauze/encoder/task_block.h"

enum { NUMBER_BYTES = 8 };

static size_t field_bytes(const gauze_field* field) {
  return field->kind == GAUZE_FIELD_NUMBER ? NUMBER_BYTES : index_bytes(field->range + 1);
}

/* Whether it is a field; all of it stays zero when it is not used. */
static int take_field(gauze_field* field, const unsigned char* at) {
  const int64_t low = (int64_t)read_u64(at + 1), high = (int64_t)read_u64(at + 9);
  field->kind = *at;
  field->low = low;
  if (low >= high) return 0;
  field->range = (uint64_t)high - (uint64_t)low;
  if (field->kind == GAUZE_FIELD_NUMBER) return field->range < (uint64_t)1 << 62;
  return (field->kind == GAUZE_FIELD_CATEGORY || field->kind == GAUZE_FIELD_OTHER) && low == 0 &&
         field->range < GAUZE_MOST_VALUES;
}

/* What a central task has no use for is as it is in a local one that does not use it. */
static int is_plain(const gauze_task* task, const unsigned char* block) {
  unsigned found = block[GAUZE_TASK_AT_FLAGS];
  for (size_t i = GAUZE_TASK_AT_PARAMETER; i < GAUZE_TASK_AT_CLAIMED; ++i) found |= block[i];
  return found == 0 && task->window_seconds == 0 && task->window_nano == GAUZE_NO_LIMIT &&
         task->lifetime_nano == GAUZE_NO_LIMIT;
}

int gauze_central_load(gauze_task* task, const unsigned char* block) {
  const uint32_t count = read_u32(block + GAUZE_TASK_AT_SIZE);
  if (!is_plain(task, block) || count == 0 || count > GAUZE_MOST_FIELDS) return GAUZE_E_TASK;
  if (task->claimed_nano == 0 || task->claimed_nano > GAUZE_MOST_CENTRAL_NANO || task->period_seconds == 0 ||
      task->reports_per_period == 0)
    return GAUZE_E_TASK;
  const unsigned char* at = block + GAUZE_CENTRAL_AT_FIELDS;
  for (uint32_t i = 0; i < count; ++i, at += GAUZE_CENTRAL_FIELD) {
    if (!take_field(&task->fields[i], at)) return GAUZE_E_TASK;
    task->payload_size += (uint32_t)field_bytes(&task->fields[i]);
  }
  unsigned rest = 0;
  for (; at < block + GAUZE_CENTRAL_AT_RESERVED; ++at) rest |= *at;
  if (rest != 0) return GAUZE_E_TASK;
  task->field_count = (unsigned char)count;
  return GAUZE_OK;
}

/* Whether a random value is drawn does not depend on the value that is given. */
static uint64_t category_of(const gauze_field* field, gauze_stream* stream, const gauze_value* value) {
  const uint64_t replacement =
      field->kind == GAUZE_FIELD_OTHER ? field->range : gauze_draw_below(stream, field->range + 1);
  const int is_in = value->kind == 0 && value->number >= 0 && (uint64_t)value->number <= field->range;
  return is_in ? (uint64_t)value->number : replacement;
}

static uint64_t number_of(const gauze_field* field, const gauze_value* value) {
  const uint64_t low = (uint64_t)field->low;
  if (value->kind != 1 || value->number < field->low) return low;
  return (uint64_t)value->number - low > field->range ? low + field->range : (uint64_t)value->number;
}

int gauze_write_record(const gauze_task* task, gauze_random_fn random, void* context, const gauze_value* values,
                       unsigned char* payload) {
  if (task->field_count == 0) return GAUZE_E_TASK;
  gauze_stream stream = {random, context, 0};
  unsigned char* at = payload;
  for (unsigned i = 0; i < task->field_count; ++i) {
    const gauze_field* field = &task->fields[i];
    const uint64_t written =
        field->kind == GAUZE_FIELD_NUMBER ? number_of(field, &values[i]) : category_of(field, &stream, &values[i]);
    write_number(at, written, field_bytes(field));
    at += field_bytes(field);
  }
  if (!stream.failed) return GAUZE_OK;
  wipe_bytes(payload, task->payload_size);
  return GAUZE_E_RANDOM;
}
