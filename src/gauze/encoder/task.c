#include "gauze/encoder/internal/bytes.h"
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

/* What every block must be before its fields mean something. */
static int is_block(const unsigned char* block, size_t size) {
  if (size != GAUZE_TASK_BLOCK) return 0;
  if (read_u32(block) != GAUZE_TASK_MAGIC || block[GAUZE_TASK_AT_VERSION] != GAUZE_TASK_VERSION ||
      block[GAUZE_TASK_AT_VERSION + 1] != 0)
    return 0;
  for (size_t i = GAUZE_TASK_AT_RESERVED; i < GAUZE_TASK_AT_CHECKSUM; ++i)
    if (block[i] != 0) return 0;
  return read_u32(block + GAUZE_TASK_AT_CHECKSUM) == gauze_crc32c(0, block, GAUZE_TASK_AT_CHECKSUM);
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

int gauze_task_load(gauze_task* task, const unsigned char* block, size_t size) {
  if (task == NULL || block == NULL) return GAUZE_E_ARGUMENT;
  wipe_bytes(task, sizeof *task);
  if (!is_block(block, size)) return GAUZE_E_TASK;
  const gauze_mechanism* mechanism = gauze_find_mechanism(block[GAUZE_TASK_AT_MECHANISM]);
  if (mechanism == NULL || (block[GAUZE_TASK_AT_FLAGS] & ~(GAUZE_FLAG_OTHER | GAUZE_FLAG_VARIANCE)) != 0)
    return GAUZE_E_TASK;
  const int64_t high = (int64_t)read_u64(block + GAUZE_TASK_AT_HIGH);
  task->mechanism = block[GAUZE_TASK_AT_MECHANISM];
  task->flags = block[GAUZE_TASK_AT_FLAGS];
  task->size = read_u32(block + GAUZE_TASK_AT_SIZE);
  task->parameter = read_u32(block + GAUZE_TASK_AT_PARAMETER);
  task->low = (int64_t)read_u64(block + GAUZE_TASK_AT_LOW);
  task->range = range_of(task->low, high);
  for (int i = 0; i < 3; ++i) task->law[i] = read_u64(block + GAUZE_TASK_AT_LAW + 8 * i);
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
  if (!are_values(task, mechanism->is_mean) || (!mechanism->is_mean && high != 0) || !are_limits(task))
    return GAUZE_E_TASK;
  if (task->law[2] != 0 && task->mechanism != GAUZE_HYBRID) return GAUZE_E_TASK;

  task->cost_nano = mechanism->cost(task->law);
  if (task->cost_nano == 0 || !mechanism->check(task)) return GAUZE_E_TASK;
  uint64_t payload = mechanism->payload_size(task);
  payload += task->flags & GAUZE_FLAG_VARIANCE ? 1 : 0;
  if (payload > GAUZE_LARGEST_PAYLOAD) return GAUZE_E_TASK;
  task->payload_size = (uint32_t)payload;
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
