/* An app that tells, once a day and disturbed, how full the battery is. State is kept in files as an app keeps them:
 *
 *   battery_report SHIPPED STATE agree              shows the statement, and records that the user agreed to it
 *   battery_report SHIPPED STATE withdraw           forgets that
 *   battery_report SHIPPED STATE report LEVEL TIME  one report: LEVEL in per cent, TIME in unix seconds
 *
 * SHIPPED has task.block and statement.txt; STATE gets secret, ledger, consent, and in `N.block` the report of day N, to be sent.
 * The order is the point: charge, store the ledger, and only then let the report out. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gauze_encoder.h"
#include "gauze_getrandom.h"

/* What this app allows itself, whatever tasks ask for. */
static const uint64_t window_seconds = 30 * 86400, window_nano = UINT64_C(15000000000),
                      lifetime_nano = UINT64_C(200000000000);

enum { LONGEST_PATH = 4096, LONGEST_STATEMENT = 65536, STEP = 10, STEPS = 10 };

static const char* path_of(const char* folder, const char* name) {
  static char path[2][LONGEST_PATH];
  static int next = 0;
  next = !next;
  if ((size_t)snprintf(path[next], LONGEST_PATH, "%s/%s", folder, name) >= LONGEST_PATH) exit(2);
  return path[next];
}

/* The bytes of a file, at most `room`; -1 when it cannot be read. */
static ssize_t read_whole(const char* folder, const char* name, void* out, size_t room) {
  errno = 0;
  const int file = open(path_of(folder, name), O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  const ssize_t size = read(file, out, room);
  close(file);
  return size;
}

/* A file appears whole or not at all, and is on the disk when this returns 0. */
static int store(const char* folder, const char* name, const void* bytes, size_t size) {
  char part[LONGEST_PATH];
  if ((size_t)snprintf(part, sizeof part, "%s/%s.part", folder, name) >= sizeof part) return -1;
  const int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  int failed = write(file, bytes, size) != (ssize_t)size || fsync(file) != 0;
  failed |= close(file) != 0;
  if (failed || rename(part, path_of(folder, name)) != 0) return -1;
  const int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  failed = directory < 0 || fsync(directory) != 0;
  if (directory >= 0) close(directory);
  return failed ? -1 : 0;
}

static int fail(int code, const char* message) {
  fprintf(stderr, "%s\n", message);
  return code;
}

static const char* reason_of(int result) {
  switch (result) {
    case GAUZE_E_TASK:
      return "the task is damaged";
    case GAUZE_E_COST:
      return "the task costs more than it says: nothing is sent";
    case GAUZE_E_CONSENT:
      return "nobody agreed to this task: nothing is sent";
    case GAUZE_E_BUDGET:
      return "the limit of this app or of the task is reached: nothing is sent";
    case GAUZE_E_RANDOM:
      return "there are no random bytes: nothing is sent";
    case GAUZE_E_LEDGER:
      return "the ledger is damaged: nothing is sent";
    default:
      return "this app has a mistake";
  }
}

/* The device as it was stored, or a new one. A secret without a ledger is no new device: its ledger was lost. */
static int open_device(const char* state, gauze_device* device, gauze_ledger* ledger) {
  device->random = gauze_getrandom;
  if (read_whole(state, "secret", device->secret, sizeof device->secret) != (ssize_t)sizeof device->secret) {
    if (errno != ENOENT) return fail(1, "the secret cannot be read");
    if (gauze_getrandom(NULL, device->secret, sizeof device->secret) != 0)
      return fail(1, "there are no random bytes");
    gauze_ledger_init(ledger, window_seconds, window_nano, lifetime_nano);
    if (store(state, "ledger", ledger, sizeof *ledger) != 0 || store(state, "secret", device->secret, 32) != 0)
      return fail(1, "the device cannot be stored");
  }
  if (read_whole(state, "ledger", ledger, sizeof *ledger) != (ssize_t)sizeof *ledger)
    return fail(1, "the ledger is lost: nothing is sent");
  if (read_whole(state, "consent", &device->consent, sizeof device->consent) != (ssize_t)sizeof device->consent)
    memset(&device->consent, 0, sizeof device->consent);
  return 0;
}

static int agree(const char* shipped, const char* state, const gauze_task* task, gauze_device* device) {
  static char statement[LONGEST_STATEMENT];
  const ssize_t size = read_whole(shipped, "statement.txt", statement, sizeof statement);
  if (size < 0) return fail(1, "there is no statement");
  fwrite(statement, 1, (size_t)size, stdout);
  /* Of the very bytes that were shown: the encoder compares them with the task's. */
  unsigned char digest[32];
  SHA256((const unsigned char*)statement, (size_t)size, digest);
  const int result = gauze_consent_grant(&device->consent, task, device->secret, digest, (uint64_t)time(NULL));
  if (result != GAUZE_OK) return fail(1, "this is not the statement of the task");
  if (store(state, "consent", &device->consent, sizeof device->consent) != 0)
    return fail(1, "consent cannot be stored");
  printf("You agreed.\n");
  return 0;
}

static void show(uint64_t level, uint32_t step) {
  const unsigned low = step * STEP, high = step + 1 == STEPS ? 100 : low + STEP - 1;
  printf("Your battery: %" PRIu64 " %%. What is sent: %u-%u %%, which may well be another step.\n", level, low, high);
}

static int report(const char* state, const gauze_task* task, const gauze_device* device, gauze_ledger* ledger,
                  uint64_t level, uint64_t now) {
  char name[32];
  snprintf(name, sizeof name, "%" PRIu64 ".block", now / task->period_seconds);
  if (access(path_of(state, name), F_OK) == 0) return fail(0, "today's report is made already");

  unsigned char payload[1], block[128];
  if (gauze_payload_size(task) != sizeof payload) return fail(1, "this task is not about batteries");
  const int64_t step = (int64_t)(level / STEP);
  const gauze_value value = {0, step == STEPS ? STEPS - 1 : step, NULL, 0};
  int result = gauze_encode(task, device, now, &value, 1, ledger, NULL, payload);
  /* Charged also when random bytes failed on the way. */
  if ((result == GAUZE_OK || result == GAUZE_E_RANDOM) && store(state, "ledger", ledger, sizeof *ledger) != 0)
    return fail(1, "the ledger cannot be stored: nothing is sent");
  if (result != GAUZE_OK) return fail(3, reason_of(result));

  size_t size = sizeof block;
  result = gauze_block(task, device, now, payload, 1, block, &size);
  if (result != GAUZE_OK) return fail(1, reason_of(result));
  if (store(state, name, block, size) != 0) return fail(1, "the report cannot be stored");
  show(level, payload[0]);
  return 0;
}

int main(int count, char** arguments) {
  if (count < 4) return fail(2, "usage: battery_report SHIPPED STATE agree | withdraw | report LEVEL TIME");
  const char *shipped = arguments[1], *state = arguments[2], *verb = arguments[3];
  unsigned char block[GAUZE_TASK_BLOCK + 1];
  const ssize_t size = read_whole(shipped, "task.block", block, sizeof block);
  gauze_task task;
  gauze_device device;
  gauze_ledger ledger;
  memset(&device, 0, sizeof device);
  if (size < 0 || gauze_task_load(&task, block, (size_t)size) != GAUZE_OK) return fail(1, reason_of(GAUZE_E_TASK));
  if (mkdir(state, 0700) != 0 && errno != EEXIST) return fail(1, "there is no place for the state");
  const int opened = open_device(state, &device, &ledger);
  if (opened != 0) return opened;

  if (strcmp(verb, "agree") == 0) return agree(shipped, state, &task, &device);
  if (strcmp(verb, "withdraw") == 0) return unlink(path_of(state, "consent")) == 0 || errno == ENOENT ? 0 : 1;
  if (strcmp(verb, "report") != 0 || count != 6) return fail(2, "report LEVEL TIME");
  return report(state, &task, &device, &ledger, strtoull(arguments[4], NULL, 10), strtoull(arguments[5], NULL, 10));
}
