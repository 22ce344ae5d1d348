#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "gauze/encoder/testing/central_blocks.h"

// Records of central tasks: what leaves a device as it is, and never more than the task's fields.
namespace gauze::central_test {
namespace {

using namespace encoder_testing;

class CentralTask : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(load_central(task_, central_block()), GAUZE_OK);
    device_.random = SeededBytes::call;
    device_.context = &random_;
    gauze_consent_grant(&device_.consent, &task_, device_.secret, task_.text_sha256[0], 7);
  }
  int encode(const std::vector<gauze_value>& values, gauze_ledger* ledger = nullptr) {
    return gauze_encode(&task_, &device_, 1'000'000, values.data(), values.size(), ledger, nullptr, payload_.data());
  }
  std::string record(const std::vector<gauze_value>& values) {
    EXPECT_EQ(encode(values), GAUZE_OK);
    EXPECT_TRUE(payload_.is_intact());
    return payload_.text();
  }
  static std::string i64(std::int64_t number) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i));
    return bytes;
  }

  gauze_task task_ = {};
  gauze_device device_ = {};
  SeededBytes random_{1};
  GuardedPayload payload_{18};
};

const gauze_value kMissing = {-1, 0, nullptr, 0};

TEST_F(CentralTask, WritesEachFieldInItsOrder) {
  EXPECT_EQ(gauze_payload_size(&task_), 8U + 1 + 1 + 8);
  EXPECT_EQ(record({number(37), category(2), category(1), number(-123)}),
            i64(37) + std::string("\x02\x01", 2) + i64(-123));
}

TEST_F(CentralTask, ClampsNumbersAndTakesTheLowEndForNone) {
  const auto with = [&](const gauze_value& first, const gauze_value& last) {
    return record({first, category(0), category(0), last});
  };
  const std::string between(2, '\0');
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(with(number(-1), number(-501)), i64(0) + between + i64(-500));
  EXPECT_EQ(with(number(121), number(-99)), i64(120) + between + i64(-100));
  EXPECT_EQ(with(number(least), number(least)), i64(0) + between + i64(-500));
  EXPECT_EQ(with(number(most), number(most)), i64(120) + between + i64(-100));
  EXPECT_EQ(with(kMissing, category(-200)), i64(0) + between + i64(-500));
}

TEST_F(CentralTask, PutsUnknownCategoriesIntoOtherOrDrawsThem) {
  std::set<char> drawn;
  for (const gauze_value& wrong :
       {kMissing, category(4), category(-1), number(1), gauze_value{2, 0, "x", 1}, category(std::int64_t{1} << 32),
        category(std::numeric_limits<std::int64_t>::min())})
    for (int i = 0; i < 10; ++i) {
      const std::string bytes = record({number(1), wrong, wrong, number(-100)});
      EXPECT_EQ(bytes[8], 3) << "`other` is the last value";
      EXPECT_TRUE(bytes[9] == 0 || bytes[9] == 1);
      drawn.insert(bytes[9]);
    }
  EXPECT_EQ(drawn.size(), 2U);
}

TEST_F(CentralTask, AsksForAsManyRandomBytesWhateverTheValueIs) {
  random_.keep_sizes();
  for (const gauze_value& value : {kMissing, category(0), category(1), category(9), number(0)}) {
    SeededBytes seeded(5);
    seeded.keep_sizes();
    device_.context = &seeded;
    record({value, value, value, value});
    EXPECT_EQ(seeded.sizes(), (std::vector<std::size_t>{1}));
  }
}

TEST_F(CentralTask, CostsNothingAndChargesNothing) {
  std::uint64_t report = 9;
  std::uint64_t permanent = 9;
  EXPECT_EQ(gauze_task_cost(&task_, &report, &permanent), GAUZE_OK);
  EXPECT_EQ(report, 0U);
  EXPECT_EQ(permanent, 0U);
  gauze_ledger ledger = {};
  gauze_ledger_init(&ledger, 60, 0, 0);  // nothing is allowed, and nothing is needed
  const gauze_ledger before = ledger;
  EXPECT_EQ(encode({number(1), category(0), category(0), number(-100)}, &ledger), GAUZE_OK);
  EXPECT_EQ(std::memcmp(&ledger, &before, sizeof ledger), 0);
}

TEST_F(CentralTask, NeedsConsentToItsOwnText) {
  device_.consent = {};
  EXPECT_EQ(encode({number(1), category(0), category(0), number(-100)}), GAUZE_E_CONSENT);
  unsigned char other[32] = {1};
  EXPECT_EQ(gauze_consent_grant(&device_.consent, &task_, device_.secret, other, 7), GAUZE_E_CONSENT);
}

TEST_F(CentralTask, TakesExactlyOneValueAField) {
  for (const std::size_t count : {0UL, 1UL, 3UL, 5UL, 17UL})
    EXPECT_EQ(encode(std::vector<gauze_value>(count, number(1))), GAUZE_E_ARGUMENT) << count;
  EXPECT_EQ(gauze_encode(&task_, &device_, 1, nullptr, 4, nullptr, nullptr, payload_.data()), GAUZE_E_ARGUMENT);
}

TEST_F(CentralTask, GivesNoRecordWithoutRandomBytes) {
  SeededBytes failing(1, 0);
  device_.context = &failing;
  EXPECT_EQ(encode({number(1), category(0), category(0), number(-100)}), GAUZE_E_RANDOM);
  EXPECT_EQ(payload_.text(), std::string(18, '\0'));
}

TEST_F(CentralTask, IsNotDrawnUnderALaw) {
  const gauze_value value = number(1);
  EXPECT_EQ(gauze_draw_report(&task_, SeededBytes::call, &random_, &value, payload_.data()), GAUZE_E_TASK);
  EXPECT_EQ(payload_.text(), std::string(18, '\xC3')) << "nothing was written";
  const gauze_task local = loaded(honest_fields(GAUZE_DE, 1'000'000'000, 4));
  EXPECT_EQ(gauze_write_record(&local, SeededBytes::call, &random_, &value, payload_.data()), GAUZE_E_TASK);
}

TEST_F(CentralTask, GoesIntoBlocksAsAnyReportDoes) {
  const std::string bytes = record({number(37), category(2), category(1), number(-123)});
  std::string block(66 + 18, '\0');
  std::size_t size = block.size();
  ASSERT_EQ(gauze_block(&task_, &device_, 86'400 * 5, reinterpret_cast<const unsigned char*>(bytes.data()), 1,
                        reinterpret_cast<unsigned char*>(block.data()), &size),
            GAUZE_OK);
  EXPECT_EQ(size, block.size());
  EXPECT_EQ(block.substr(4, 32), std::string(reinterpret_cast<const char*>(task_.hash), 32));
  EXPECT_EQ(block.substr(62, 18), bytes);
}

TEST(CentralBlocks, HoldUpToSixteenFields) {
  CentralFields fields;
  fields.fields.assign(16, {GAUZE_FIELD_OTHER, 0, (1 << 24) - 1});
  fields.count = 16;
  gauze_task task;
  ASSERT_EQ(load_central(task, central_block(fields)), GAUZE_OK);
  EXPECT_EQ(task.field_count, 16);
  EXPECT_EQ(gauze_payload_size(&task), 16U * 3);
  fields.fields.assign(16, {GAUZE_FIELD_NUMBER, -(std::int64_t{1} << 61), (std::int64_t{1} << 61) - 1});
  ASSERT_EQ(load_central(task, central_block(fields)), GAUZE_OK);
  EXPECT_EQ(gauze_payload_size(&task), 128U);
}

void expect_refused(const CentralFields& fields, const char* why) {
  gauze_task task;
  std::memset(&task, 0x5a, sizeof task);
  EXPECT_EQ(load_central(task, central_block(fields)), GAUZE_E_TASK) << why;
  const gauze_task none = {};
  EXPECT_EQ(std::memcmp(&task, &none, sizeof task), 0) << why << ": something is left";
  EXPECT_EQ(gauze_payload_size(&task), 0U);
}

TEST(CentralBlocks, AreRefusedWhenTheyAreNone) {
  const auto with = [](auto change) {
    CentralFields fields;
    change(fields);
    return fields;
  };
  expect_refused(with([](auto& f) { f.count = 0; }), "no field");
  expect_refused(with([](auto& f) { f.count = 3; }), "a field too many");
  expect_refused(with([](auto& f) { f.count = 5; }), "a field too few");
  expect_refused(with([](auto& f) { f.count = 17; }), "more fields than there can be");
  expect_refused(with([](auto& f) { f.count = 0x01000004; }), "far more fields");
  expect_refused(with([](auto& f) { f.mechanism = GAUZE_DE; }), "a local mechanism");
  expect_refused(with([](auto& f) { f.mechanism = 33; }), "a mechanism that is none");
  expect_refused(with([](auto& f) { f.flags = GAUZE_FLAG_OTHER; }), "flags of a local task");
  expect_refused(with([](auto& f) { f.epsilon_nano = 0; }), "no epsilon");
  expect_refused(with([](auto& f) { f.epsilon_nano = 1'000'000'000'000'001; }), "an epsilon beyond a million");
  expect_refused(with([](auto& f) { f.period_seconds = 0; }), "no period");
  expect_refused(with([](auto& f) { f.reports = 0; }), "no reports");
  expect_refused(with([](auto& f) { f.window_seconds = 60; }), "a window");
  expect_refused(with([](auto& f) { f.window_nano = 1; }), "a limit of the window");
  expect_refused(with([](auto& f) { f.lifetime_nano = 1; }), "a limit for life");
  expect_refused(with([](auto& f) { f.fields[0].kind = 3; }), "a field of no kind");
  expect_refused(with([](auto& f) { f.fields[0].high = 0; }), "one number alone");
  expect_refused(with([](auto& f) { f.fields[0].high = -1; }), "ends in the wrong order");
  expect_refused(with([](auto& f) {
                   f.fields[0].low = std::numeric_limits<std::int64_t>::min();
                   f.fields[0].high = std::numeric_limits<std::int64_t>::max();
                 }),
                 "a range of 2^64");
  expect_refused(with([](auto& f) { f.fields[0].high = std::int64_t{1} << 62; }), "a range of 2^62");
  expect_refused(with([](auto& f) { f.fields[1].low = 1; }), "a category that begins at 1");
  expect_refused(with([](auto& f) { f.fields[2].high = 0; }), "a category of one value");
  expect_refused(with([](auto& f) { f.fields[2].high = 1 << 24; }), "a category of too many values");
}

TEST(CentralBlocks, AreWholeOrNone) {
  const std::string whole = central_block();
  gauze_task task;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string changed = whole;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
    ASSERT_EQ(load_central(task, changed), GAUZE_E_TASK) << bit;
  }
  for (const std::size_t size : {0UL, 1UL, 255UL, 256UL, 511UL})
    EXPECT_EQ(load_central(task, whole.substr(0, size)), GAUZE_E_TASK);
  EXPECT_EQ(load_central(task, whole + '\0'), GAUZE_E_TASK);
  // What is unused is zero, with a checksum that fits.
  for (const std::size_t at : {7UL, 12UL, 16UL, 31UL, 32UL, 55UL, 296UL, 499UL, 500UL, 507UL}) {
    std::string changed = whole;
    changed[at] = 1;
    sign_central(changed);
    EXPECT_EQ(load_central(task, changed), GAUZE_E_TASK) << at;
  }
}

}  // namespace
}  // namespace gauze::central_test
