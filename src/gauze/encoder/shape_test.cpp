#include <gtest/gtest.h>

#include <limits>

#include "gauze/base/testing/watched.h"
#include "gauze/encoder/testing/task_blocks.h"

// What a report looks like from outside does not depend on its value: its size, whether there is one, and, for the same random bytes, how
// many of them are asked for.
namespace gauze::shape_test {
namespace {

using namespace encoder_testing;

/// Inside and outside of every domain, of every kind, and of kinds that are none.
std::vector<gauze_value> all_values() {
  std::vector<gauze_value> values;
  for (const int kind : {0, 1, 2, 3, -1, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()})
    for (const std::int64_t number : {std::int64_t{0},
                                      std::int64_t{1},
                                      std::int64_t{2},
                                      std::int64_t{4},
                                      std::int64_t{5},
                                      std::int64_t{6},
                                      std::int64_t{63},
                                      std::int64_t{64},
                                      std::int64_t{99},
                                      std::int64_t{100},
                                      std::int64_t{-1},
                                      std::int64_t{-2},
                                      std::int64_t{-3},
                                      std::int64_t{1} << 24,
                                      std::int64_t{1} << 32,
                                      (std::int64_t{1} << 32) + 1,
                                      std::int64_t{1} << 62,
                                      std::numeric_limits<std::int64_t>::max(),
                                      std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::min() + 1,
                                      std::int64_t{0x7FF8000000000000} /* the bits of a number that is none */})
      values.push_back({kind, number, kind == 2 ? "text" : nullptr, kind == 2 ? std::size_t{4} : std::size_t{0}});
  return values;
}

std::vector<BlockFields> all_tasks() {
  std::vector<BlockFields> tasks;
  for (const unsigned char mechanism : kMechanisms) {
    for (const std::uint64_t nano : {1'000'000ULL, 1'000'000'000ULL, 8'000'000'000ULL}) {
      for (const std::uint32_t size : {2U, 5U, 100U}) {
        BlockFields fields = honest_fields(mechanism, nano, size);
        tasks.push_back(fields);
        fields.flags = is_mean(mechanism) ? GAUZE_FLAG_VARIANCE : GAUZE_FLAG_OTHER;
        tasks.push_back(fields);
      }
    }
    if (!is_mean(mechanism)) continue;
    BlockFields wide = honest_fields(mechanism, 1'000'000'000, 1);
    wide.low = std::numeric_limits<std::int64_t>::min();
    wide.high = wide.low + (std::int64_t{1} << 62) - 1;
    tasks.push_back(wide);
    wide.low = std::numeric_limits<std::int64_t>::max() - (std::int64_t{1} << 31) + 1;
    wide.high = std::numeric_limits<std::int64_t>::max();
    wide.flags = GAUZE_FLAG_VARIANCE;
    tasks.push_back(wide);
  }
  return tasks;
}

std::string name_of(const BlockFields& fields) {
  return "mechanism " + std::to_string(fields.mechanism) + ", size " + std::to_string(fields.size) + ", claim " +
         std::to_string(fields.claimed_nano) + ", flags " + std::to_string(fields.flags);
}

/// The sizes of all calls for random bytes, in order.
std::vector<std::size_t> calls_of(const gauze_task& task, const gauze_value* value, std::uint64_t seed) {
  SeededBytes bytes(seed);
  bytes.keep_sizes();
  GuardedPayload payload(gauze_payload_size(&task));
  EXPECT_EQ(gauze_draw_report(&task, SeededBytes::call, &bytes, value, payload.data()), GAUZE_OK);
  EXPECT_TRUE(payload.is_intact());
  return bytes.sizes();
}

TEST(Shape, TheSameRandomBytesAreAskedForWhateverTheValue) {
  const std::vector<gauze_value> values = all_values();
  const std::uint64_t seeds = std::getenv("GAUZE_LONG_TESTS") != nullptr ? 2'000 : watched_less(20);
  for (const BlockFields& fields : all_tasks()) {
    const gauze_task task = loaded(fields);
    const bool is_slow = fields.mechanism == GAUZE_SHE && fields.size > 5;
    for (std::uint64_t seed = 1; seed <= (is_slow ? 1 : seeds); ++seed) {
      const auto missing = calls_of(task, nullptr, seed);
      for (const gauze_value& value : values)
        ASSERT_EQ(calls_of(task, &value, seed), missing)
            << name_of(fields) << ", kind " << value.kind << ", number " << value.number << ", seed " << seed;
    }
  }
}

TEST(Shape, BitsThatStayOpenForLongAskForTheSameBytes) {
  // Random words with few ones: bits are decided late, where the digits of the two probabilities differ most.
  struct Sparse {
    std::mt19937_64 random;
    std::size_t bytes = 0;
    static int call(void* context, unsigned char* out, std::size_t size) {
      auto& self = *static_cast<Sparse*>(context);
      self.bytes += size;
      for (std::size_t i = 0; i < size; ++i)
        out[i] = static_cast<unsigned char>(self.random() & self.random() & self.random() & self.random());
      return 0;
    }
  };
  for (const unsigned char mechanism : {GAUZE_SUE, GAUZE_OUE, GAUZE_THE}) {
    BlockFields fields = honest_fields(mechanism, 4'000'000'000, 100);
    fields.flags = GAUZE_FLAG_OTHER;
    const gauze_task task = loaded(fields);
    for (unsigned seed = 1; seed <= 200; ++seed) {
      std::size_t first = 0;
      for (std::int64_t v = 0; v < 100; v += 3) {
        Sparse bytes{.random = std::mt19937_64(seed)};
        GuardedPayload payload(13);
        const gauze_value value = category(v);
        ASSERT_EQ(gauze_draw_report(&task, Sparse::call, &bytes, &value, payload.data()), GAUZE_OK);
        if (v == 0) first = bytes.bytes;
        ASSERT_EQ(bytes.bytes, first) << int{mechanism} << ", seed " << seed << ", value " << v;
      }
    }
  }
}

TEST(Shape, AReportHasTheSizeOfItsTask) {
  const auto size_of = [](unsigned char mechanism, std::uint32_t size, std::uint32_t parameter = 0,
                          unsigned char flags = 0) {
    BlockFields fields = honest_fields(mechanism, 1'000'000'000, size, parameter);
    fields.flags = flags;
    const gauze_task task = loaded(fields);
    return gauze_payload_size(&task);
  };
  for (const auto& [values, bytes] : std::vector<std::pair<std::uint32_t, std::size_t>>{
           {2, 1}, {256, 1}, {257, 2}, {65'536, 2}, {65'537, 3}, {1U << 24, 3}})
    EXPECT_EQ(size_of(GAUZE_DE, values), bytes);
  EXPECT_EQ(size_of(GAUZE_HR, 255), 1U);
  EXPECT_EQ(size_of(GAUZE_HR, 256), 2U);
  EXPECT_EQ(size_of(GAUZE_HR, 1U << 24), 4U);
  for (const unsigned char mechanism : {GAUZE_SUE, GAUZE_OUE, GAUZE_THE}) {
    EXPECT_EQ(size_of(mechanism, 8), 1U);
    EXPECT_EQ(size_of(mechanism, 9), 2U);
    EXPECT_EQ(size_of(mechanism, 262'144), 32'768U);
  }
  EXPECT_EQ(size_of(GAUZE_SS, 17, 3), 3U);
  EXPECT_EQ(size_of(GAUZE_OLH, 1'000, 256), 13U);
  EXPECT_EQ(size_of(GAUZE_OLH, 1'000, 257), 14U);
  EXPECT_EQ(size_of(GAUZE_BLH, 1'000), 13U);
  EXPECT_EQ(size_of(GAUZE_SHE, 8'192), 32'768U);
  EXPECT_EQ(size_of(GAUZE_DUCHI, 9), 1U);
  EXPECT_EQ(size_of(GAUZE_PIECEWISE, 9), 2U);
  EXPECT_EQ(size_of(GAUZE_HYBRID, 9), 3U);
  EXPECT_EQ(size_of(GAUZE_LAPLACE, 9), 4U);
  EXPECT_EQ(size_of(GAUZE_HYBRID, 9, 0, GAUZE_FLAG_VARIANCE), 4U);
}

/// What docs/formats/collect.md asks of a payload.
bool is_in_range(const gauze_task& task, const unsigned char* at) {
  if ((task.flags & GAUZE_FLAG_VARIANCE) != 0 && *at++ > 1) return false;
  const auto u32 = [](const unsigned char* bytes) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes, 4);
    return number;
  };
  switch (task.mechanism) {
    case GAUZE_DE:
      return at[0] < task.size;
    case GAUZE_HR:
      return at[0] < task.parameter;
    case GAUZE_DUCHI:
      return at[0] <= 1;
    case GAUZE_HYBRID:
      return at[0] == 1 || (at[0] == 0 && at[1] <= 1 && at[2] == 0);
    case GAUZE_BLH:
    case GAUZE_OLH:
      return u32(at) < GAUZE_HASH_PRIME && u32(at + 4) < GAUZE_HASH_PRIME && u32(at + 8) < GAUZE_HASH_PRIME &&
             at[12] < task.parameter;
    case GAUZE_SHE:
    case GAUZE_LAPLACE: {
      const std::int64_t clamp = 1'024 + static_cast<std::int64_t>(81'920'000'000'000 / task.law[0]);
      for (std::uint32_t i = 0; i < std::max(1U, task.size); ++i)
        if (std::abs(std::int64_t{static_cast<std::int32_t>(u32(at + std::size_t{4} * i))}) > clamp) return false;
      return true;
    }
    default:
      break;
  }
  if (!is_bits(task.mechanism) && task.mechanism != GAUZE_SS) return true;
  std::uint32_t ones = 0;
  for (std::uint32_t i = 0; i < (task.size + 7) / 8; ++i) ones += static_cast<std::uint32_t>(std::popcount(at[i]));
  if (task.size % 8 != 0 && at[task.size / 8] >> (task.size % 8) != 0) return false;
  return task.mechanism != GAUZE_SS || ones == task.parameter;
}

TEST(Shape, ReportsAreInRangeWhateverTheValue) {
  // What an aggregator would reject is never sent: a rejection would tell something.
  const std::vector<gauze_value> values = all_values();
  for (const BlockFields& fields : all_tasks()) {
    const gauze_task task = loaded(fields);
    SeededBytes bytes(fields.claimed_nano + fields.size + fields.mechanism);
    for (const gauze_value& value : values) {
      GuardedPayload payload(gauze_payload_size(&task));
      ASSERT_EQ(gauze_draw_report(&task, SeededBytes::call, &bytes, &value, payload.data()), GAUZE_OK);
      ASSERT_TRUE(payload.is_intact());
      ASSERT_TRUE(is_in_range(task, payload.data())) << name_of(fields);
    }
  }
}

TEST(Shape, WithoutRandomBytesThereIsNoReport) {
  // The bytes fail at the first, the second, ... call: nothing is asked for again, and the payload is all zero.
  const gauze_value in_domain[] = {category(1), number(-1)};
  for (const BlockFields& fields : all_tasks()) {
    if (fields.mechanism == GAUZE_SHE && fields.size > 5) continue;
    const gauze_task task = loaded(fields);
    const gauze_value* value = &in_domain[is_mean(fields.mechanism) ? 1 : 0];
    const std::size_t calls = calls_of(task, value, 5).size();
    for (std::size_t fails_at = 0; fails_at < calls; ++fails_at) {
      SeededBytes bytes(5, fails_at);
      bytes.keep_sizes();
      GuardedPayload payload(gauze_payload_size(&task));
      ASSERT_EQ(gauze_draw_report(&task, SeededBytes::call, &bytes, value, payload.data()), GAUZE_E_RANDOM)
          << name_of(fields) << ", call " << fails_at;
      EXPECT_EQ(bytes.sizes().size(), fails_at + 1) << "asked again after a failure";
      EXPECT_EQ(payload.text(), std::string(gauze_payload_size(&task), '\0'));
      EXPECT_TRUE(payload.is_intact());
    }
    SeededBytes enough(5, calls);
    GuardedPayload payload(gauze_payload_size(&task));
    EXPECT_EQ(gauze_draw_report(&task, SeededBytes::call, &enough, value, payload.data()), GAUZE_OK);
  }
}

}  // namespace
}  // namespace gauze::shape_test
