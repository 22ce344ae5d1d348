#include "gauze/encoder/internal/bytes.h"
#include "gauze/encoder/internal/digest.h"
#include "gauze/encoder/internal/ledger.h"
#include "gauze/encoder/task_block.h"

enum { AT_TASK = 0, AT_TEXT = 32, AT_TIME = 64, AT_TAG = 72 };

static void tag_of(const gauze_consent* consent, const unsigned char secret[32], unsigned char tag[32]) {
  static const unsigned char purpose[] = {'g', 'a', 'u', 'z', 'e', '-', 'c', 'o', 'n', 's', 'e', 'n', 't'};
  const gauze_piece pieces[2] = {{purpose, sizeof purpose}, {consent->bytes, AT_TAG}};
  gauze_hmac(secret, pieces, 2, tag);
}

static int is_text_of(const gauze_task* task, const unsigned char* text_sha256) {
  return same_bytes(task->text_sha256[0], text_sha256, 32) || same_bytes(task->text_sha256[1], text_sha256, 32);
}

int gauze_consent_grant(gauze_consent* consent, const gauze_task* task, const unsigned char secret[32],
                        const unsigned char text_sha256[32], uint64_t time) {
  if (consent == NULL || task == NULL || secret == NULL || text_sha256 == NULL) return GAUZE_E_ARGUMENT;
  if (task->loaded != GAUZE_TASK_LOADED) return GAUZE_E_TASK;
  if (!is_text_of(task, text_sha256)) return GAUZE_E_CONSENT;
  copy_bytes(consent->bytes + AT_TASK, task->hash, 32);
  copy_bytes(consent->bytes + AT_TEXT, text_sha256, 32);
  write_number(consent->bytes + AT_TIME, time, 8);
  tag_of(consent, secret, consent->bytes + AT_TAG);
  return GAUZE_OK;
}

int gauze_consent_check(const gauze_consent* consent, const gauze_task* task, const unsigned char secret[32]) {
  unsigned char tag[32];
  tag_of(consent, secret, tag);
  const int is_granted = same_bytes(consent->bytes + AT_TASK, task->hash, 32) &&
                         is_text_of(task, consent->bytes + AT_TEXT) && same_bytes(consent->bytes + AT_TAG, tag, 32);
  return is_granted ? GAUZE_OK : GAUZE_E_CONSENT;
}
