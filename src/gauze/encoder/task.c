#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/central.h"
#include "gauze/encoder/internal/digest.h"
#include "gauze/encoder/internal/mechanism.h"
#include "gauze/encoder/task_block.h"

const gauze_mechanism* gauze_find_mechanism(unsigned char number) {
  static const gauze_mechanism* const all[] = {
      &gauze_de, &gauze_she, &gauze_the,   &gauze_sue,       &gauze_oue,    &gauze_blh,    &gauze_olh,
      &gauze_hr, &gauze_ss,  &gauze_duchi, &gauze_piecewise, &gauze_hybrid, &gauze_laplace};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (all[i]->number == number) return all[i];
  return NULL;
}

static int is_zero(const unsigned char* bytes, size_t begin, size_t end) {
  unsigned found = 0;
  for (size_t i = begin; i < end; ++i) found |= bytes[i];
  return found == 0;
}

/* What every block must be before its fields mean something. */
static int is_block(const unsigned char* block, size_t size) {
  if (size != GAUZE_TASK_BLOCK && size != GAUZE_CENTRAL_BLOCK) return 0;
  if (read_u32(block) != GAUZE_TASK_MAGIC || block[GAUZE_TASK_AT_VERSION] != GAUZE_TASK_VERSION ||
      block[GAUZE_TASK_AT_VERSION + 1] != 0)
    return 0;
  if ((size == GAUZE_CENTRAL_BLOCK) != (block[GAUZE_TASK_AT_MECHANISM] == GAUZE_CENTRAL)) return 0;
  const size_t reserved = size == GAUZE_TASK_BLOCK ? GAUZE_TASK_AT_RESERVED : GAUZE_CENTRAL_AT_RESERVED;
  const size_t checksum = size - 4;
  return is_zero(block, reserved, checksum) && read_u32(block + checksum) == gauze_crc32c(0, block, checksum);
}

/* high - low, or 0 when that is no range: then it is refused. */
static uint64_t range_of(int64_t low, int64_t high) { return low < high ? (uint64_t)high - (uint64_t)low : 0; }

static int are_values(const gauze_task* task, int is_mean) {
  if (!is_mean)
    return task->size >= 2 && task->size <= GAUZE_MOST_VALUES && task->range == 0 && task->low == 0 &&
           !(task->flags & GAUZE_FLAG_VARIANCE);
  const uint64_t largest = task->flags & GAUZE_FLAG_VARIANCE ? (uint64_t)1 << 31 : (uint64_t)1 << 62;
  return task->size == 0 && task->range != 0 && task->range < largest && !(task->flags & GAUZE_FLAG_OTHER);
}

static int are_limits(const gauze_task* task) {
  if (task->claimed_nano < GAUZE_LEAST_NANO || task->claimed_nano > GAUZE_MOST_NANO || task->period_seconds == 0)
    return 0;
  return (task->window_seconds == 0) == (task->window_nano == GAUZE_NO_LIMIT);
}

/* What both kinds of tasks have at the same places. */
static void take_terms(gauze_task* task, const unsigned char* block) {
  task->mechanism = block[GAUZE_TASK_AT_MECHANISM];
  task->claimed_nano = read_u64(block + GAUZE_TASK_AT_CLAIMED);
  task->period_seconds = read_u64(block + GAUZE_TASK_AT_PERIOD);
  task->window_seconds = read_u64(block + GAUZE_TASK_AT_WINDOW_SECONDS);
  task->window_nano = read_u64(block + GAUZE_TASK_AT_WINDOW_NANO);
  task->lifetime_nano = read_u64(block + GAUZE_TASK_AT_LIFETIME_NANO);
  task->reports_per_period = read_u32(block + GAUZE_TASK_AT_REPORTS);
  copy_bytes(task->values_sha256, block + GAUZE_TASK_AT_VALUES, 32);
  copy_bytes(task->text_sha256[0], block + GAUZE_TASK_AT_TEXTS, 32);
  copy_bytes(task->text_sha256[1], block + GAUZE_TASK_AT_TEXTS + 32, 32);
  copy_bytes(task->document_sha256, block + GAUZE_TASK_AT_DOCUMENT, 32);
}

static int load_local(gauze_task* task, const unsigned char* block) {
  const gauze_mechanism* mechanism = gauze_find_mechanism(block[GAUZE_TASK_AT_MECHANISM]);
  if (mechanism == NULL || (block[GAUZE_TASK_AT_FLAGS] & ~(GAUZE_FLAG_OTHER | GAUZE_FLAG_VARIANCE)) != 0)
    return GAUZE_E_TASK;
  const int64_t high = (int64_t)read_u64(block + GAUZE_TASK_AT_HIGH);
  task->flags = block[GAUZE_TASK_AT_FLAGS];
  task->size = read_u32(block + GAUZE_TASK_AT_SIZE);
  task->parameter = read_u32(block + GAUZE_TASK_AT_PARAMETER);
  task->low = (int64_t)read_u64(block + GAUZE_TASK_AT_LOW);
  task->range = range_of(task->low, high);
  for (int i = 0; i < 3; ++i) task->law[i] = read_u64(block + GAUZE_TASK_AT_LAW + 8 * i);
  if (!are_values(task, mechanism->is_mean) || (!mechanism->is_mean && high != 0) || !are_limits(task))
    return GAUZE_E_TASK;
  if (task->law[2] != 0 && task->mechanism != GAUZE_HYBRID) return GAUZE_E_TASK;

  task->cost_nano = mechanism->cost(task->law);
  if (task->cost_nano == 0 || !mechanism->check(task)) return GAUZE_E_TASK;
  uint64_t payload = mechanism->payload_size(task);
  payload += task->flags & GAUZE_FLAG_VARIANCE ? 1 : 0;
  if (payload > GAUZE_LARGEST_PAYLOAD) return GAUZE_E_TASK;
  task->payload_size = (uint32_t)payload;
  return GAUZE_OK;
}

int gauze_task_load(gauze_task* task, const unsigned char* block, size_t size) {
  if (task == NULL || block == NULL) return GAUZE_E_ARGUMENT;
  wipe_bytes(task, sizeof *task);
  if (!is_block(block, size)) return GAUZE_E_TASK;
  take_terms(task, block);
  const int state = size == GAUZE_TASK_BLOCK ? load_local(task, block) : gauze_central_load(task, block);
  if (state != GAUZE_OK) {
    wipe_bytes(task, sizeof *task);
    return state;
  }
  gauze_sha256 digest;
  gauze_sha256_begin(&digest);
  gauze_sha256_add(&digest, block, size);
  gauze_sha256_end(&digest, task->hash);
  task->loaded = GAUZE_TASK_LOADED;
  return GAUZE_OK;
}

int gauze_task_cost(const gauze_task* task, uint64_t* report_nano, uint64_t* permanent_nano) {
  if (task == NULL || report_nano == NULL) return GAUZE_E_ARGUMENT;
  if (task->loaded != GAUZE_TASK_LOADED) return GAUZE_E_TASK;
  *report_nano = task->cost_nano;
  if (permanent_nano != NULL) *permanent_nano = 0;
  return GAUZE_OK;
}

size_t gauze_payload_size(const gauze_task* task) {
  return task == NULL || task->loaded != GAUZE_TASK_LOADED ? 0 : task->payload_size;
}
