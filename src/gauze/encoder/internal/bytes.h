/* Little-endian integers in bytes, and what a C library would give: this room links with none. */
#ifndef GAUZE_ENCODER_BYTES_H
#define GAUZE_ENCODER_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t read_u32(const unsigned char* at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t read_u64(const unsigned char* at) { return read_u32(at) | (uint64_t)read_u32(at + 4) << 32; }

/* The lowest `bytes` bytes of a number, least first. */
static inline void write_number(unsigned char* at, uint64_t number, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i, number >>= 8) at[i] = (unsigned char)number;
}

/* The compiler must not turn these loops into calls of memcpy and memset, which are not there: -fno-tree-loop-distribute-patterns and,
 * for clang, the empty statement that it cannot look through. */
static inline void copy_bytes(unsigned char* to, const unsigned char* from, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    to[i] = from[i];
    __asm__ volatile("");
  }
}

/* The same statement keeps secrets from being left because nobody reads them again. */
static inline void wipe_bytes(void* at, size_t size) {
  volatile unsigned char* bytes = (volatile unsigned char*)at;
  for (size_t i = 0; i < size; ++i) bytes[i] = 0;
}

/* Whether two runs of bytes are equal, in a time that does not depend on where they differ. */
static inline int same_bytes(const unsigned char* a, const unsigned char* b, size_t size) {
  unsigned difference = 0;
  for (size_t i = 0; i < size; ++i) difference |= (unsigned)(a[i] ^ b[i]);
  return difference == 0;
}

/* index(x) of the format: the smallest of 1 to 4 bytes that can hold the numbers below x. */
static inline size_t index_bytes(uint64_t bound) {
  size_t bytes = 1;
  while (bytes < 4 && (uint64_t)1 << (8 * bytes) < bound) ++bytes;
  return bytes;
}

#endif
