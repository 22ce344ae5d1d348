#include <gtest/gtest.h>

#include <limits>

#include "gauze/base/testing/watched.h"
#include "gauze/encoder/testing/task_blocks.h"

// Tasks of a collector who cheats: none is charged below what it costs, and none makes the encoder do anything but encode.
namespace gauze::hostile_task_test {
namespace {

using namespace encoder_testing;

int result_of(const BlockFields& fields) {
  gauze_task task;
  return load(task, fields);
}

BlockFields changed(const BlockFields& fields, const std::function<void(BlockFields&)>& change) {
  BlockFields other = fields;
  change(other);
  return other;
}

/// One honest task of every mechanism.
std::vector<BlockFields> honest_tasks() {
  std::vector<BlockFields> tasks;
  for (const unsigned char mechanism : kMechanisms) tasks.push_back(honest_fields(mechanism, 1'000'000'000, 10));
  return tasks;
}

/// What gauze_encode() says of a device that has agreed to the task and has budget for anything.
int encode(const gauze_task& task, gauze_ledger& ledger) {
  gauze_device device = {};
  SeededBytes bytes(1);
  device.random = SeededBytes::call;
  device.context = &bytes;
  device.secret[3] = 9;
  EXPECT_EQ(gauze_ledger_init(&ledger, 86'400, GAUZE_NO_LIMIT, GAUZE_NO_LIMIT), GAUZE_OK);
  EXPECT_EQ(gauze_consent_grant(&device.consent, &task, device.secret, task.text_sha256[0], 100), GAUZE_OK);
  const gauze_value value = is_mean(task.mechanism) ? number(1) : category(1);
  GuardedPayload payload(gauze_payload_size(&task));
  const int result = gauze_encode(&task, &device, 100, &value, 1, &ledger, nullptr, payload.data());
  EXPECT_TRUE(payload.is_intact());
  return result;
}

TEST(HostileTask, HonestTasksAreEncoded) {
  for (const BlockFields& fields : honest_tasks()) {
    gauze_ledger ledger;
    EXPECT_EQ(encode(loaded(fields), ledger), GAUZE_OK) << int{fields.mechanism};
  }
}

TEST(HostileTask, ALawAboveItsClaimIsNotEncoded) {
  for (const BlockFields& honest : honest_tasks()) {
    const auto expect_refused = [&](const std::function<void(BlockFields&)>& change) {
      gauze_task task;
      ASSERT_EQ(load(task, changed(honest, change)), GAUZE_OK) << int{honest.mechanism};
      gauze_ledger before;
      gauze_ledger_init(&before, 86'400, GAUZE_NO_LIMIT, GAUZE_NO_LIMIT);
      gauze_ledger ledger;
      EXPECT_EQ(encode(task, ledger), GAUZE_E_COST) << int{honest.mechanism};
      EXPECT_EQ(std::memcmp(&ledger, &before, sizeof ledger), 0) << "charged for nothing";
    };
    const bool is_cheap = honest.mechanism == GAUZE_THE;  // costs less than it declares
    expect_refused([&](BlockFields& fields) { fields.claimed_nano -= is_cheap ? 300'000'000 : 1; });
    if (honest.mechanism == GAUZE_SHE || honest.mechanism == GAUZE_LAPLACE)
      expect_refused([](BlockFields& fields) { ++fields.law[0]; });
    else
      expect_refused([&](BlockFields& fields) {
        fields.law[0] += is_cheap ? fields.law[0] / 4 : fields.law[0] / 1'000'000'000 * 2 + 8;
      });
    if (is_bits(honest.mechanism)) expect_refused([](BlockFields& fields) { fields.law[1] = 1; });
  }
}

TEST(HostileTask, WhatIsNoLawIsRefused) {
  for (const BlockFields& honest : honest_tasks()) {
    const auto expect_refused = [&](const char* what, const std::function<void(BlockFields&)>& change) {
      EXPECT_EQ(result_of(changed(honest, change)), GAUZE_E_TASK) << int{honest.mechanism} << ": " << what;
    };
    const auto set_law = [](std::uint64_t first, std::uint64_t second) {
      return [=](BlockFields& fields) { fields.law[0] = first, fields.law[1] = second; };
    };
    expect_refused("nothing", set_law(0, 0));
    if (honest.mechanism != GAUZE_HYBRID) expect_refused("a third number", [](BlockFields& f) { f.law[2] = 1; });
    if (honest.mechanism == GAUZE_SHE || honest.mechanism == GAUZE_LAPLACE) {
      expect_refused("too little", set_law(999'999, 0));
      expect_refused("too much", set_law(16'000'000'001, 0));
      expect_refused("largest", set_law(UINT64_MAX, 0));
      expect_refused("a second number", set_law(1'000'000'000, 1));
      continue;
    }
    expect_refused("equal", set_law(honest.law[1], honest.law[1]));
    expect_refused("swapped", set_law(honest.law[1], honest.law[0]));
    expect_refused("one below", set_law(honest.law[1] - 1, honest.law[1]));
    expect_refused("no noise", set_law(honest.law[0], 0));
    expect_refused("largest and none", set_law(UINT64_MAX, 0));
    if (is_bits(honest.mechanism)) {
      EXPECT_EQ(result_of(changed(honest, set_law(UINT64_MAX, 1))), GAUZE_OK);  // dear, but a law
      continue;
    }
    expect_refused("another B", set_law(honest.law[0], honest.law[1] - 1));
    expect_refused("another B", set_law(honest.law[0], 1));
    expect_refused("a sum of 2^63", set_law(std::uint64_t{1} << 63, honest.law[1]));
    expect_refused("a sum of 2^63", set_law((std::uint64_t{1} << 63) - honest.law[1], honest.law[1]));
    expect_refused("a sum of 2^64", set_law(UINT64_MAX - honest.law[1] + 1, honest.law[1]));
    expect_refused("largest", set_law(UINT64_MAX, honest.law[1]));
  }
}

TEST(HostileTask, FieldsWithoutSenseAreRefused) {
  for (const BlockFields& honest : honest_tasks()) {
    const auto expect_refused = [&](const char* what, const std::function<void(BlockFields&)>& change) {
      EXPECT_EQ(result_of(changed(honest, change)), GAUZE_E_TASK) << int{honest.mechanism} << ": " << what;
    };
    expect_refused("claim 0", [](BlockFields& f) { f.claimed_nano = 0; });
    expect_refused("claim", [](BlockFields& f) { f.claimed_nano = 999'999; });
    expect_refused("claim", [](BlockFields& f) { f.claimed_nano = 16'000'000'001; });
    expect_refused("period 0", [](BlockFields& f) { f.period_seconds = 0; });
    expect_refused("a window without a limit", [](BlockFields& f) { f.window_seconds = 1; });
    expect_refused("a limit without a window", [](BlockFields& f) { f.window_nano = 1; });
    for (const int version : {0, 2, 257, 65'535})
      expect_refused("version", [&](BlockFields& f) { f.version = static_cast<std::uint16_t>(version); });
    expect_refused("magic", [](BlockFields& f) { ++f.magic; });
    for (const int flag : {4, 8, 16, 32, 64, 128})
      expect_refused("flag", [&](BlockFields& f) { f.flags = static_cast<unsigned char>(flag); });
    for (const int mechanism : {0, 10, 11, 12, 17, 18, 255})
      expect_refused("mechanism", [&](BlockFields& f) { f.mechanism = static_cast<unsigned char>(mechanism); });
    if (is_mean(honest.mechanism)) {
      expect_refused("a size", [](BlockFields& f) { f.size = 2; });
      expect_refused("other", [](BlockFields& f) { f.flags = GAUZE_FLAG_OTHER; });
      expect_refused("no range", [](BlockFields& f) { f.high = f.low; });
      expect_refused("reversed", [](BlockFields& f) { std::swap(f.low, f.high); });
      expect_refused("everything", [](BlockFields& f) {
        f.low = std::numeric_limits<std::int64_t>::min();
        f.high = std::numeric_limits<std::int64_t>::max();
      });
      expect_refused("2^62", [](BlockFields& f) { f.low = 0, f.high = std::int64_t{1} << 62; });
      expect_refused("2^31 squared", [](BlockFields& f) {
        f.flags = GAUZE_FLAG_VARIANCE, f.low = 0, f.high = std::int64_t{1} << 31;
      });
    } else {
      for (const std::uint32_t size : {0U, 1U, (1U << 24) + 1, UINT32_MAX})
        expect_refused("size", [&](BlockFields& f) { f.size = size; });
      expect_refused("variance", [](BlockFields& f) { f.flags = GAUZE_FLAG_VARIANCE; });
      expect_refused("low", [](BlockFields& f) { f.low = -1; });
      expect_refused("low and high", [](BlockFields& f) { f.low = f.high = 5; });
      expect_refused("high", [](BlockFields& f) { f.high = 1; });
    }
    const bool has_parameter = honest.parameter != 0;
    for (const std::uint32_t parameter : {1U << 31, UINT32_MAX, has_parameter ? 0U : 1U})
      expect_refused("parameter", [&](BlockFields& f) { f.parameter = parameter; });
    if (honest.mechanism == GAUZE_HR)
      for (const std::uint32_t k : {8U, 15U, 17U, 32U}) expect_refused("K", [&](BlockFields& f) { f.parameter = k; });
    if (honest.mechanism == GAUZE_OLH || honest.mechanism == GAUZE_BLH)
      for (const std::uint32_t g : {1U, 11U}) expect_refused("g", [&](BlockFields& f) { f.parameter = g; });
    if (honest.mechanism == GAUZE_BLH) expect_refused("g", [&](BlockFields& f) { f.parameter = 3; });
    if (honest.mechanism == GAUZE_SS)
      for (const std::uint32_t w : {10U, 11U}) expect_refused("w", [&](BlockFields& f) { f.parameter = w; });
    if (honest.mechanism == GAUZE_PIECEWISE || honest.mechanism == GAUZE_HYBRID)
      for (const std::uint32_t w : {65'536U, 65'537U}) expect_refused("w", [&](BlockFields& f) { f.parameter = w; });
    if (is_bits(honest.mechanism) || honest.mechanism == GAUZE_SS)
      expect_refused("payload", [](BlockFields& f) { f.size = 262'145; });
    if (honest.mechanism == GAUZE_SHE) expect_refused("payload", [](BlockFields& f) { f.size = 8'193; });
  }
}

TEST(HostileTask, EveryChangedBitAndEveryOtherLengthIsRefused) {
  for (const BlockFields& fields : honest_tasks()) {
    const Block block = block_of(fields);
    gauze_task task;
    ASSERT_EQ(gauze_task_load(&task, block.data(), block.size()), GAUZE_OK);
    for (std::size_t bit = 0; bit < 8 * block.size(); ++bit) {
      Block other = block;
      other[bit / 8] = static_cast<unsigned char>(other[bit / 8] ^ 1U << (bit % 8));
      ASSERT_EQ(gauze_task_load(&task, other.data(), other.size()), GAUZE_E_TASK) << bit;
      EXPECT_EQ(gauze_payload_size(&task), 0U);
      std::uint64_t cost = 0;
      EXPECT_EQ(gauze_task_cost(&task, &cost, nullptr), GAUZE_E_TASK);
    }
    std::vector<unsigned char> longer(block.begin(), block.end());
    longer.resize(600);
    for (std::size_t size = 0; size < longer.size(); ++size)
      ASSERT_EQ(gauze_task_load(&task, longer.data(), size), size == block.size() ? GAUZE_OK : GAUZE_E_TASK) << size;
    // Reserved bytes, though the checksum is right.
    for (std::size_t at = 228; at < 252; ++at) {
      Block other = block;
      other[at] = 1;
      sign(other);
      ASSERT_EQ(gauze_task_load(&task, other.data(), other.size()), GAUZE_E_TASK) << at;
    }
  }
}

/// A word of any size, or one beside a border.
std::uint64_t any_word(std::mt19937_64& random) {
  const std::uint64_t near = random() % 5 - 2;
  switch (random() % 6) {
    case 0:
      return random() >> (random() % 64);
    case 1:
      return (std::uint64_t{1} << (random() % 64)) + near;
    case 2:
      return std::uint64_t{0} - (std::uint64_t{1} << (random() % 64)) + near;
    case 3:
      return near;
    case 4:
      return (std::uint64_t{1} << 32) + (random() >> (32 + random() % 32));
    default:
      return random();
  }
}

BlockFields any_fields(std::mt19937_64& random) {
  const unsigned char mechanism = kMechanisms[random() % kMechanisms.size()];
  const std::uint32_t size = static_cast<std::uint32_t>(2 + (random() >> (40 + random() % 23)) % 3'000);
  BlockFields fields = honest_fields(mechanism, 1'000'000 + random() % 15'999'000'001, std::max(2U, size));
  if (random() % 2 == 0) fields.law[0] = any_word(random);
  if (is_bits(mechanism) && random() % 2 == 0) fields.law[1] = any_word(random);
  if (mechanism == GAUZE_HYBRID && random() % 2 == 0) fields.law[2] = any_word(random);
  if (random() % 4 == 0) fields.parameter = static_cast<std::uint32_t>(any_word(random));
  if (mechanism == GAUZE_SS && random() % 2 == 0) fields.parameter = size - 1;
  if (random() % 4 == 0) fields.flags = static_cast<unsigned char>(random() % 4);
  if (random() % 16 == 0) fields.size = static_cast<std::uint32_t>(any_word(random));
  if (is_mean(mechanism) && random() % 2 == 0) {
    fields.low = static_cast<std::int64_t>(any_word(random));
    fields.high = static_cast<std::int64_t>(any_word(random));
  }
  return fields;
}

/// What a loaded task charges is what it costs, rounded up, and no more than 1e-9 too much.
void expect_charged(const gauze_task& task) {
  const Real exact = exact_cost_nano(task.mechanism, {task.law[0], task.law[1], task.law[2]});
  std::uint64_t cost = 0;
  ASSERT_EQ(gauze_task_cost(&task, &cost, nullptr), GAUZE_OK);
  ASSERT_TRUE(exact <= Real(whole(cost)))
      << "mechanism " << int{task.mechanism} << ", law " << task.law[0] << " " << task.law[1];
  ASSERT_TRUE(Real(whole(cost)) <= exact + Real(1.01))
      << "mechanism " << int{task.mechanism} << ", law " << task.law[0];
}

TEST(HostileTask, NoneThatLoadsIsChargedBelowItsCostOrLeavesItsPayload) {
  std::mt19937_64 random(20'260'101);
  const int trials = std::getenv("GAUZE_LONG_TESTS") != nullptr ? 3'000'000 : watched_less(60'000);
  int loads = 0;
  for (int trial = 0; trial < trials; ++trial) {
    gauze_task task;
    const int result = load(task, any_fields(random));
    ASSERT_TRUE(result == GAUZE_OK || result == GAUZE_E_TASK);
    if (result != GAUZE_OK) continue;
    ++loads;
    ASSERT_NO_FATAL_FAILURE(expect_charged(task));
    if (task.mechanism == GAUZE_SHE && trial % 50 != 0) continue;
    SeededBytes bytes(random());
    const gauze_value value = {static_cast<int>(random() % 3), static_cast<std::int64_t>(any_word(random)), nullptr,
                               0};
    GuardedPayload payload(gauze_payload_size(&task));
    ASSERT_EQ(
        gauze_draw_report(&task, SeededBytes::call, &bytes, random() % 8 == 0 ? nullptr : &value, payload.data()),
        GAUZE_OK);
    ASSERT_TRUE(payload.is_intact()) << "mechanism " << int{task.mechanism};
    // Rejections take at most twice as many bytes on average: 64 times as many do not happen.
    ASSERT_LT(bytes.bytes(), 64 * (64 + 40 * std::size_t{gauze_payload_size(&task)} * 8));
  }
  EXPECT_GT(loads, trials / 20);
}

TEST(HostileTask, CostsAtTheBordersOfLogarithms) {
  // Weights and bits beside powers of two and beside each other, where an error of the logarithm would show.
  const BlockFields weights = honest_fields(GAUZE_DE, 16'000'000'000, 2);
  const BlockFields bits = honest_fields(GAUZE_SUE, 16'000'000'000, 2);
  const auto check = [](const BlockFields& fields) {
    gauze_task task;
    if (load(task, fields) == GAUZE_OK) expect_charged(task);
  };
  for (unsigned digits = 0; digits < 64; ++digits) {
    for (std::int64_t near = -3; near <= 3; ++near) {
      const std::uint64_t first = (std::uint64_t{1} << digits) + static_cast<std::uint64_t>(near);
      check(changed(weights, [&](BlockFields& f) { f.law[0] = first; }));
      check(changed(weights, [&](BlockFields& f) { f.law[0] = (std::uint64_t{1} << 32) + first; }));
      check(changed(bits, [&](BlockFields& f) { f.law = {first, 1, 0}; }));
      check(changed(bits, [&](BlockFields& f) { f.law = {first, first - 1, 0}; }));
      check(changed(bits, [&](BlockFields& f) { f.law = {std::uint64_t{0} - first, first, 0}; }));
      check(changed(bits, [&](BlockFields& f) { f.law = {UINT64_MAX, first, 0}; }));
      check(changed(bits, [&](BlockFields& f) { f.law = {std::uint64_t{1} << 63, first, 0}; }));
    }
  }
}

TEST(HostileTask, TheLargestOfEachKindIsDrawn) {
  const auto draw = [](BlockFields fields) {
    const gauze_task task = loaded(fields);
    SeededBytes bytes(3);
    for (const std::int64_t v : {std::int64_t{0}, std::int64_t{fields.size} - 1, std::int64_t{fields.size}}) {
      const gauze_value value = is_mean(fields.mechanism) ? number(fields.high) : category(v);
      GuardedPayload payload(gauze_payload_size(&task));
      EXPECT_EQ(gauze_draw_report(&task, SeededBytes::call, &bytes, &value, payload.data()), GAUZE_OK);
      EXPECT_TRUE(payload.is_intact()) << int{fields.mechanism};
    }
  };
  for (const std::uint64_t nano : {std::uint64_t{1'000'000}, std::uint64_t{16'000'000'000}}) {
    for (const unsigned char mechanism : {GAUZE_DE, GAUZE_BLH, GAUZE_OLH, GAUZE_HR})
      draw(honest_fields(mechanism, nano, GAUZE_MOST_VALUES));
    draw(honest_fields(GAUZE_OLH, nano, GAUZE_MOST_VALUES, GAUZE_MOST_VALUES));
    for (const unsigned char mechanism : {GAUZE_SUE, GAUZE_OUE, GAUZE_THE})
      draw(honest_fields(mechanism, nano, 262'144));
    draw(honest_fields(GAUZE_SS, nano, 262'144, nano == 1'000'000 ? 131'072 : 1));
    draw(honest_fields(GAUZE_SHE, nano, watched_less(8'192U)));
    for (const unsigned char mechanism : {GAUZE_DUCHI, GAUZE_PIECEWISE, GAUZE_HYBRID, GAUZE_LAPLACE}) {
      BlockFields fields = honest_fields(mechanism, nano, 1);
      fields.high = (std::int64_t{1} << 62) - 3;
      draw(fields);
      fields.flags = GAUZE_FLAG_VARIANCE;
      fields.high = (std::int64_t{1} << 31) - 3;
      draw(fields);
    }
  }
}

}  // namespace
}  // namespace gauze::hostile_task_test
