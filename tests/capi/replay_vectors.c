/* replay_vectors FILE: replays docs/formats/encoder-vectors.json with the shared library, as an app in C calls it. The file has one task,
 * vector or block a line, whose members are found by name: no more of JSON is needed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gauze_encoder.h"

/* As documented: what is stored, and what an app compiled earlier has on its stack. */
_Static_assert(sizeof(gauze_ledger) == 128 && sizeof(gauze_consent) == 104 && sizeof(gauze_frozen) == 96, "stored");
_Static_assert(sizeof(gauze_task) == 656, "tasks");
_Static_assert(sizeof(void*) != 8 || (sizeof(gauze_device) == 152 && sizeof(gauze_value) == 32), "in calls");

enum { LONGEST_LINE = 1 << 17, MOST_TASKS = 128, LONGEST_NAME = 64 };

typedef struct {
  char name[LONGEST_NAME];
  gauze_task task;
} named_task;

static named_task tasks[MOST_TASKS];
static int task_count = 0, failures = 0;

static void fail(const char* line, const char* what) {
  fprintf(stderr, "%.80s...: %s\n", line, what);
  ++failures;
}

/* The text of a member, or "" where there is none: up to its quote, comma or brace. */
static const char* member(const char* line, const char* name, char* out, size_t room) {
  char key[LONGEST_NAME];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char* at = strstr(line, key);
  out[0] = '\0';
  if (at == NULL) return out;
  at += strlen(key);
  if (*at == '"') ++at;
  size_t length = 0;
  while (at[length] != '"' && at[length] != ',' && at[length] != '}' && length + 1 < room) ++length;
  memcpy(out, at, length);
  out[length] = '\0';
  return out;
}

static size_t from_hex(const char* digits, unsigned char* out) {
  size_t size = 0;
  unsigned byte;
  for (; digits[2 * size] != '\0' && sscanf(digits + 2 * size, "%2x", &byte) == 1; ++size)
    out[size] = (unsigned char)byte;
  return size;
}

static size_t from_base64(const char* text, unsigned char* out) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned held = 0;
  int bits = 0;
  size_t size = 0;
  for (; *text != '\0' && *text != '='; ++text) {
    held = held << 6 | (unsigned)(strchr(letters, *text) - letters);
    bits += 6;
    if (bits >= 8) out[size++] = (unsigned char)(held >> (bits -= 8));
  }
  return size;
}

/* The random bytes of a vector, in the order in which they are asked for. */
typedef struct {
  unsigned char bytes[LONGEST_LINE / 2];
  size_t size, used;
} given_bytes;

static int draw(void* context, unsigned char* out, size_t size) {
  given_bytes* given = (given_bytes*)context;
  if (given->used + size > given->size) return 1;
  memcpy(out, given->bytes + given->used, size);
  given->used += size;
  return 0;
}

static const gauze_task* find_task(const char* name) {
  for (int i = 0; i < task_count; ++i)
    if (strcmp(tasks[i].name, name) == 0) return &tasks[i].task;
  return NULL;
}

static char text[LONGEST_LINE];
static unsigned char wanted[LONGEST_LINE / 2], made[LONGEST_LINE / 2];
static given_bytes given;
static gauze_device device;
static uint64_t consent_time;

static void load_task(const char* line) {
  unsigned char block[GAUZE_CENTRAL_BLOCK + 16], hash[32];
  named_task* next = &tasks[task_count++];
  member(line, "name", next->name, sizeof next->name);
  const size_t size = from_base64(member(line, "block", text, sizeof text), block);
  if (gauze_task_load(&next->task, block, size) != GAUZE_OK) fail(line, "the task is refused");
  uint64_t cost = 0;
  gauze_task_cost(&next->task, &cost, NULL);
  if (cost != strtoull(member(line, "cost_nano", text, sizeof text), NULL, 10)) fail(line, "another cost");
  if (gauze_payload_size(&next->task) != strtoull(member(line, "payload_bytes", text, sizeof text), NULL, 10))
    fail(line, "another size of payloads");
  from_hex(member(line, "hash", text, sizeof text), hash);
  if (memcmp(hash, next->task.hash, sizeof hash) != 0) fail(line, "another hash");
}

/* The device of a line, with consent to its task. */
static const gauze_task* prepare(const char* line) {
  const gauze_task* task = find_task(member(line, "task", text, sizeof text));
  if (task == NULL || gauze_consent_grant(&device.consent, task, device.secret, task->text_sha256[0], consent_time)) {
    fail(line, "there is no such task, or no consent to it");
    return NULL;
  }
  given.used = 0;
  given.size = from_hex(member(line, "random", text, sizeof text), given.bytes);
  device.random = draw;
  device.context = &given;
  return task;
}

static void replay_vector(const char* line) {
  const gauze_task* task = prepare(line);
  if (task == NULL) return;
  gauze_value value = {0, 0, NULL, 0};
  static char letters[64];
  size_t count = 1;
  if (strstr(line, "\"value\":null") != NULL) {
    count = 0;
  } else if (strstr(line, "\"value\":{\"text\"") != NULL) {
    value.kind = 2;
    value.text = member(line, "text", letters, sizeof letters);
    value.length = strlen(letters);
  } else {
    value.kind = strstr(line, "\"value\":{\"number\"") != NULL;
    value.number = strtoll(member(line, value.kind ? "number" : "category", text, sizeof text), NULL, 10);
  }
  gauze_ledger ledger;
  from_hex(member(line, "ledger_before", text, sizeof text), ledger.bytes);
  const uint64_t time = strtoull(member(line, "time", text, sizeof text), NULL, 10);
  memset(made, 0xee, sizeof made);
  const int result = gauze_encode(task, &device, time, &value, count, &ledger, NULL, made);
  if (result != atoi(member(line, "result", text, sizeof text))) fail(line, "another result");
  const size_t size = from_hex(member(line, "payload", text, sizeof text), wanted);
  if (memcmp(wanted, made, size) != 0) fail(line, "another payload");
  if (size != 0 && size != gauze_payload_size(task)) fail(line, "another size");
  from_hex(member(line, "ledger_after", text, sizeof text), wanted);
  if (memcmp(wanted, ledger.bytes, sizeof ledger.bytes) != 0) fail(line, "another ledger");
  if (given.used != given.size) fail(line, "not all random bytes were asked for");
}

/* The values of a record: objects of one member, or null, one after the other. */
static size_t read_values(const char* line, gauze_value* values, size_t room) {
  const char* at = strstr(line, "\"values\":[");
  size_t count = 0;
  if (at == NULL) return 0;
  for (at += 10; *at != ']' && count < room; at += *at == ',') {
    static const gauze_value missing = {-1, 0, NULL, 0};
    values[count] = missing;
    if (strncmp(at, "{\"category\":\"", 13) == 0) values[count].kind = 0;
    if (strncmp(at, "{\"number\":\"", 11) == 0) values[count].kind = 1;
    if (strncmp(at, "{\"text\":\"", 9) == 0) values[count].kind = 2;
    if (*at == '{' && values[count].kind != 2) values[count].number = strtoll(strstr(at, ":\"") + 2, NULL, 10);
    at += strcspn(at, *at == '{' ? "}" : ",]");
    at += *at == '}';
    ++count;
  }
  return count;
}

static void replay_record(const char* line) {
  const gauze_task* task = prepare(line);
  if (task == NULL) return;
  gauze_value values[GAUZE_MOST_FIELDS + 1];
  const size_t count = read_values(line, values, GAUZE_MOST_FIELDS + 1);
  const uint64_t time = strtoull(member(line, "time", text, sizeof text), NULL, 10);
  memset(made, 0xee, sizeof made);
  const int result = gauze_encode(task, &device, time, values, count, NULL, NULL, made);
  if (result != atoi(member(line, "result", text, sizeof text))) fail(line, "another result");
  const size_t size = from_hex(member(line, "record", text, sizeof text), wanted);
  if (memcmp(wanted, made, size) != 0) fail(line, "another record");
  if (size != 0 && size != gauze_payload_size(task)) fail(line, "another size");
  if (given.used != given.size) fail(line, "not all random bytes were asked for");
}

static void replay_block(const char* line) {
  const gauze_task* task = prepare(line);
  if (task == NULL) return;
  static unsigned char payloads[LONGEST_LINE / 2];
  from_hex(member(line, "payloads", text, sizeof text), payloads);
  const size_t count = strtoull(member(line, "count", text, sizeof text), NULL, 10);
  const uint64_t time = strtoull(member(line, "time", text, sizeof text), NULL, 10);
  size_t size = sizeof made;
  if (gauze_block(task, &device, time, payloads, count, made, &size) != GAUZE_OK) fail(line, "the block is refused");
  if (size != from_hex(member(line, "block", text, sizeof text), wanted) || memcmp(wanted, made, size) != 0)
    fail(line, "another block");
}

int main(int count, char** arguments) {
  static char line[LONGEST_LINE];
  int lines[4] = {0, 0, 0, 0};
  FILE* file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (file == NULL) {
    fprintf(stderr, "usage: replay_vectors FILE\n");
    return 2;
  }
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "\"secret\":", 9) == 0) {
      from_hex(member(line, "secret", text, sizeof text), device.secret);
      consent_time = strtoull(member(line, "consent_time", text, sizeof text), NULL, 10);
    } else if (strstr(line, "\"cost_nano\":") != NULL && task_count < MOST_TASKS) {
      load_task(line);
      ++lines[0];
    } else if (strstr(line, "\"ledger_before\":") != NULL) {
      replay_vector(line);
      ++lines[1];
    } else if (strstr(line, "\"payloads\":") != NULL) {
      replay_block(line);
      ++lines[2];
    } else if (strstr(line, "\"record\":") != NULL) {
      replay_record(line);
      ++lines[3];
    }
  }
  fclose(file);
  printf("%d tasks, %d vectors, %d blocks, %d records, %d failures\n", lines[0], lines[1], lines[2], lines[3],
         failures);
  return failures != 0 || lines[0] == 0 || lines[1] == 0 || lines[2] == 0 || lines[3] == 0;
}
