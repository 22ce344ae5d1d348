#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gauze/encoder/gauze_encoder.h"
#include "gauze/encoder/task_block.h"
#include "gauze/encoder/testing/task_blocks.h"

// Blocks of central tasks for tests, made from docs/formats/collect.md alone.
namespace gauze::encoder_testing {

struct CentralField {
  unsigned char kind = GAUZE_FIELD_CATEGORY;
  std::int64_t low = 0;
  std::int64_t high = 1;
};

/// The fields of a block, honest or not: an age, a city of three values with `other`, a sex of two values, a price below zero.
struct CentralFields {
  std::uint32_t count = 4;
  std::vector<CentralField> fields = {{GAUZE_FIELD_NUMBER, 0, 120},
                                      {GAUZE_FIELD_OTHER, 0, 3},
                                      {GAUZE_FIELD_CATEGORY, 0, 1},
                                      {GAUZE_FIELD_NUMBER, -500, -100}};
  unsigned char mechanism = GAUZE_CENTRAL;
  unsigned char flags = 0;
  std::uint64_t epsilon_nano = 1'000'000'000;
  std::uint64_t period_seconds = 86'400;
  std::uint64_t window_seconds = 0;
  std::uint64_t window_nano = GAUZE_NO_LIMIT;
  std::uint64_t lifetime_nano = GAUZE_NO_LIMIT;
  std::uint32_t reports = 1;
};

/// The checksum again, after something was changed.
inline void sign_central(std::string& block) {
  const std::uint32_t sum = checksum_of({reinterpret_cast<const unsigned char*>(block.data()), 508});
  for (std::size_t i = 0; i < 4; ++i) block[508 + i] = static_cast<char>(sum >> (8 * i) & 0xff);
}

inline std::string central_block(const CentralFields& fields = {}) {
  std::string block(512, '\0');
  const auto put = [&](std::size_t at, std::uint64_t number, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) block[at + i] = static_cast<char>(number >> (8 * i) & 0xff);
  };
  put(0, 0x31545a47, 4);
  put(4, 1, 2);
  put(6, fields.mechanism, 1);
  put(7, fields.flags, 1);
  put(8, fields.count, 4);
  put(56, fields.epsilon_nano, 8);
  put(64, fields.period_seconds, 8);
  put(72, fields.window_seconds, 8);
  put(80, fields.window_nano, 8);
  put(88, fields.lifetime_nano, 8);
  put(96, fields.reports, 4);
  for (std::size_t i = 100; i < 228; ++i) block[i] = static_cast<char>(7 * i);
  for (std::size_t i = 0; i < fields.fields.size() && i < 16; ++i) {
    put(228 + 17 * i, fields.fields[i].kind, 1);
    put(229 + 17 * i, static_cast<std::uint64_t>(fields.fields[i].low), 8);
    put(237 + 17 * i, static_cast<std::uint64_t>(fields.fields[i].high), 8);
  }
  sign_central(block);
  return block;
}

inline int load_central(gauze_task& task, const std::string& block) {
  return gauze_task_load(&task, reinterpret_cast<const unsigned char*>(block.data()), block.size());
}

}  // namespace gauze::encoder_testing
