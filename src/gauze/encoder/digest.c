#include "gauze/encoder/internal/digest.h"

#include "gauze/encoder/internal/bytes.h"

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t word, int by) { return word >> by | word << (32 - by); }

static uint32_t read_big_endian(const unsigned char* at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3];
}

static void compress(uint32_t state[8], const unsigned char block[64]) {
  uint32_t words[64];
  for (int i = 0; i < 16; ++i) words[i] = read_big_endian(block + 4 * i);
  for (int i = 16; i < 64; ++i) {
    const uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) +
               (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  }
  uint32_t s[8];
  for (int i = 0; i < 8; ++i) s[i] = state[i];
  for (int i = 0; i < 64; ++i) {
    const uint32_t sum1 = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25);
    const uint32_t chosen = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const uint32_t first = s[7] + sum1 + chosen + round_constants[i] + words[i];
    const uint32_t sum0 = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22);
    const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += first;
    s[0] = first + sum0 + majority;
  }
  for (int i = 0; i < 8; ++i) state[i] += s[i];
}

void gauze_sha256_begin(gauze_sha256* digest) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int i = 0; i < 8; ++i) digest->state[i] = start[i];
  digest->size = 0;
}

void gauze_sha256_add(gauze_sha256* digest, const unsigned char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    digest->waiting[digest->size++ % 64] = bytes[i];
    if (digest->size % 64 == 0) compress(digest->state, digest->waiting);
  }
}

void gauze_sha256_end(gauze_sha256* digest, unsigned char out[32]) {
  const uint64_t bits = digest->size * 8;
  const unsigned char one = 0x80, zero = 0;
  gauze_sha256_add(digest, &one, 1);
  while (digest->size % 64 != 56) gauze_sha256_add(digest, &zero, 1);
  unsigned char length[8];
  for (int i = 0; i < 8; ++i) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  gauze_sha256_add(digest, length, sizeof length);
  for (int i = 0; i < 32; ++i) out[i] = (unsigned char)(digest->state[i / 4] >> (24 - 8 * (i % 4)));
  wipe_bytes(digest, sizeof *digest);
}

void gauze_hmac(const unsigned char key[32], const gauze_piece* pieces, size_t count, unsigned char out[32]) {
  unsigned char pad[64];
  gauze_sha256 digest;
  for (size_t i = 0; i < 64; ++i) pad[i] = (unsigned char)((i < 32 ? key[i] : 0) ^ 0x36);
  gauze_sha256_begin(&digest);
  gauze_sha256_add(&digest, pad, sizeof pad);
  for (size_t i = 0; i < count; ++i) gauze_sha256_add(&digest, pieces[i].bytes, pieces[i].size);
  gauze_sha256_end(&digest, out);
  for (size_t i = 0; i < 64; ++i) pad[i] ^= 0x36 ^ 0x5c;
  gauze_sha256_begin(&digest);
  gauze_sha256_add(&digest, pad, sizeof pad);
  gauze_sha256_add(&digest, out, 32);
  gauze_sha256_end(&digest, out);
  wipe_bytes(pad, sizeof pad);
}

uint32_t gauze_crc32c(uint32_t before, const unsigned char* bytes, size_t size) {
  uint32_t crc = ~before;
  for (size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (UINT32_C(0x82f63b78) & (0 - (crc & 1)));
  }
  return ~crc;
}
