#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gauze/encoder/gauze_encoder.h"
#include "gauze/encoder/task_block.h"

extern "C" {
#include "gauze/encoder/internal/digest.h"
}

namespace gauze {

/// What a task block says, for tests that have no collector: direct encoding of four values at epsilon 1, without limits.
struct TaskFields {
  unsigned char mechanism = GAUZE_DE;
  unsigned char flags = 0;
  std::uint32_t size = 4;
  std::uint32_t parameter = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::array<std::uint64_t, 3> law = {11'674'931'548, std::uint64_t{1} << 32, 0};
  std::uint64_t claimed_nano = 1'000'000'000;
  std::uint64_t period_seconds = 86'400;
  std::uint64_t window_seconds = 0;
  std::uint64_t window_nano = GAUZE_NO_LIMIT;
  std::uint64_t lifetime_nano = GAUZE_NO_LIMIT;
  unsigned char texts = 1;  ///< the statements' digests are filled with this and the next number

  [[nodiscard]] std::string block() const {
    std::string block(GAUZE_TASK_BLOCK, '\0');
    const auto put = [&](std::size_t at, std::uint64_t number, std::size_t bytes) {
      for (std::size_t i = 0; i < bytes; ++i) block[at + i] = static_cast<char>(number >> (8 * i) & 0xff);
    };
    put(0, GAUZE_TASK_MAGIC, 4);
    put(GAUZE_TASK_AT_VERSION, GAUZE_TASK_VERSION, 2);
    put(GAUZE_TASK_AT_MECHANISM, mechanism, 1);
    put(GAUZE_TASK_AT_FLAGS, flags, 1);
    put(GAUZE_TASK_AT_SIZE, size, 4);
    put(GAUZE_TASK_AT_PARAMETER, parameter, 4);
    put(GAUZE_TASK_AT_LOW, static_cast<std::uint64_t>(low), 8);
    put(GAUZE_TASK_AT_HIGH, static_cast<std::uint64_t>(high), 8);
    for (std::size_t i = 0; i < 3; ++i) put(GAUZE_TASK_AT_LAW + 8 * i, law[i], 8);
    put(GAUZE_TASK_AT_CLAIMED, claimed_nano, 8);
    put(GAUZE_TASK_AT_PERIOD, period_seconds, 8);
    put(GAUZE_TASK_AT_WINDOW_SECONDS, window_seconds, 8);
    put(GAUZE_TASK_AT_WINDOW_NANO, window_nano, 8);
    put(GAUZE_TASK_AT_LIFETIME_NANO, lifetime_nano, 8);
    block.replace(GAUZE_TASK_AT_TEXTS, 32, 32, static_cast<char>(texts));
    block.replace(GAUZE_TASK_AT_TEXTS + 32, 32, 32, static_cast<char>(texts + 1));
    const auto* bytes = reinterpret_cast<const unsigned char*>(block.data());
    put(GAUZE_TASK_AT_CHECKSUM, gauze_crc32c(0, bytes, GAUZE_TASK_AT_CHECKSUM), 4);
    return block;
  }

  /// Not loaded when the fields are those of no task.
  [[nodiscard]] gauze_task loaded() const {
    gauze_task task;
    const std::string bytes = block();
    gauze_task_load(&task, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    return task;
  }
};

/// A task of every mechanism, small.
inline std::vector<TaskFields> task_of_every_mechanism() {
  const std::array<std::uint64_t, 3> weights = TaskFields().law;
  const std::array<std::uint64_t, 3> bits = {std::uint64_t{3} << 62, std::uint64_t{1} << 62, 0};
  const std::array<std::uint64_t, 3> figures = {1'000'000'000, 0, 0};
  std::vector<TaskFields> all;
  const auto frequency = [&](unsigned char mechanism, std::uint32_t parameter, std::array<std::uint64_t, 3> law) {
    TaskFields fields;
    fields.mechanism = mechanism;
    fields.size = 70;
    fields.parameter = parameter;
    fields.law = law;
    fields.claimed_nano = 3'000'000'000;
    all.push_back(fields);
  };
  frequency(GAUZE_DE, 0, weights);
  frequency(GAUZE_SHE, 0, figures);
  for (const unsigned char mechanism : {GAUZE_THE, GAUZE_SUE, GAUZE_OUE}) frequency(mechanism, 0, bits);
  frequency(GAUZE_BLH, 2, weights);
  frequency(GAUZE_OLH, 4, weights);
  frequency(GAUZE_HR, 128, weights);
  frequency(GAUZE_SS, 19, weights);
  const auto mean = [&](unsigned char mechanism, std::uint32_t parameter, std::array<std::uint64_t, 3> law) {
    frequency(mechanism, parameter, law);
    all.back().size = 0;
    all.back().low = -20;
    all.back().high = 45;
    all.back().flags = GAUZE_FLAG_VARIANCE;
  };
  mean(GAUZE_DUCHI, 0, weights);
  mean(GAUZE_PIECEWISE, 24'742, weights);
  mean(GAUZE_HYBRID, 24'742, {weights[0], weights[1], std::uint64_t{1} << 63});
  mean(GAUZE_LAPLACE, 0, figures);
  return all;
}

/// Random bytes that repeat, and fail when they are asked for the n-th time.
struct FailingRandom {
  std::uint64_t state = 1;
  std::uint64_t calls = 0;
  std::uint64_t fails_at = UINT64_MAX;

  static int draw(void* context, unsigned char* out, std::size_t size) {
    auto& self = *static_cast<FailingRandom*>(context);
    // What a failing source has left in the buffer must not matter.
    std::memset(out, 0xff, size);
    if (self.calls++ == self.fails_at) return -1;
    for (std::size_t i = 0; i < size; ++i) {
      self.state = self.state * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
      out[i] = static_cast<unsigned char>(self.state >> 56);
    }
    return 0;
  }
};

}  // namespace gauze
