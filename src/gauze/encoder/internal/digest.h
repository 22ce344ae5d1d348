/* SHA-256, HMAC with it, and CRC-32C, small rather than fast. */
#ifndef GAUZE_ENCODER_DIGEST_H
#define GAUZE_ENCODER_DIGEST_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t state[8];
  uint64_t size;
  unsigned char waiting[64];
} gauze_sha256;

void gauze_sha256_begin(gauze_sha256* digest);
void gauze_sha256_add(gauze_sha256* digest, const unsigned char* bytes, size_t size);
void gauze_sha256_end(gauze_sha256* digest, unsigned char out[32]);

/* HMAC-SHA256 of the pieces one after the other, under a key of 32 bytes. */
typedef struct {
  const unsigned char* bytes;
  size_t size;
} gauze_piece;
void gauze_hmac(const unsigned char key[32], const gauze_piece* pieces, size_t count, unsigned char out[32]);

/* CRC-32C (Castagnoli) of what went before (0 at first) and these bytes. */
uint32_t gauze_crc32c(uint32_t before, const unsigned char* bytes, size_t size);

#endif
