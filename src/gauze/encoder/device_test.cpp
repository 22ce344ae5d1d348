// What a device lets out: its ledger, the consent of its user, the order of refusals, and blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "gauze/encoder/ledger_figures.h"
#include "gauze/encoder/testing/device_tasks.h"

namespace gauze {
namespace {

constexpr std::uint64_t kDay = 86'400;
constexpr std::uint64_t kWindow = 30 * kDay;
constexpr std::uint64_t kTime = 700 * kWindow;  // the first second of a window

std::string bytes_of(const gauze_ledger& ledger) {
  return {reinterpret_cast<const char*>(ledger.bytes), sizeof ledger.bytes};
}

std::uint64_t cost_of(const gauze_task& task) {
  std::uint64_t nano = 0;
  EXPECT_EQ(gauze_task_cost(&task, &nano, nullptr), GAUZE_OK);
  return nano;
}

/// A ledger with such figures and a right checksum, as only a damaged or hostile store has.
gauze_ledger ledger_with(std::size_t at, std::uint64_t number, gauze_ledger ledger) {
  for (std::size_t i = 0; i < 8; ++i) ledger.bytes[at + i] = static_cast<unsigned char>(number >> (8 * i));
  const std::uint32_t crc = gauze_crc32c(0, ledger.bytes, 124);
  for (std::size_t i = 0; i < 4; ++i) ledger.bytes[124 + i] = static_cast<unsigned char>(crc >> (8 * i));
  return ledger;
}
constexpr std::size_t kAtWindowSeconds = 8, kAtWindow = 32, kAtWindowSpent = 40, kAtLifetimeSpent = 48, kAtRest = 64;

class DeviceTest : public testing::Test {
 protected:
  DeviceTest() {
    std::memset(device_.secret, 5, sizeof device_.secret);
    device_.random = FailingRandom::draw;
    device_.context = &random_;
    limit(GAUZE_NO_LIMIT, GAUZE_NO_LIMIT);
    grant(task_);
  }

  void limit(std::uint64_t window_nano, std::uint64_t lifetime_nano, std::uint64_t window_seconds = kWindow) {
    ASSERT_EQ(gauze_ledger_init(&ledger_, window_seconds, window_nano, lifetime_nano), GAUZE_OK);
  }
  void grant(const gauze_task& task, int language = 0) {
    ASSERT_EQ(gauze_consent_grant(&device_.consent, &task, device_.secret, task.text_sha256[language], kTime - kDay),
              GAUZE_OK);
  }
  int encode(const gauze_task& task, std::uint64_t time) {
    const gauze_value value = {task.size != 0 ? 0 : 1, 1, nullptr, 0};
    payload_.assign(std::max<std::size_t>(gauze_payload_size(&task), 1), 0xee);
    return gauze_encode(&task, &device_, time, &value, 1, &ledger_, nullptr, payload_.data());
  }
  int encode(std::uint64_t time = kTime) { return encode(task_, time); }
  gauze_ledger_figures figures() const {
    gauze_ledger_figures figures = {};
    EXPECT_EQ(gauze_ledger_open(&ledger_, &figures), GAUZE_OK);
    return figures;
  }

  const gauze_task task_ = TaskFields().loaded();
  const std::uint64_t cost_ = cost_of(task_);
  FailingRandom random_;
  gauze_device device_ = {};
  gauze_ledger ledger_ = {};
  std::vector<unsigned char> payload_;
};

using DeviceLedger = DeviceTest;
using DeviceConsent = DeviceTest;
using DeviceReport = DeviceTest;
using DeviceBlock = DeviceTest;

TEST_F(DeviceLedger, LetsOutWhatAWindowHolds) {
  limit(2 * cost_, GAUZE_NO_LIMIT);
  EXPECT_EQ(encode(), GAUZE_OK);
  EXPECT_EQ(encode(kTime + kWindow - 1), GAUZE_OK);
  const std::string before = bytes_of(ledger_);
  EXPECT_EQ(encode(kTime + kWindow - 1), GAUZE_E_BUDGET);
  EXPECT_EQ(bytes_of(ledger_), before);
  EXPECT_EQ(figures().window_spent, 2 * cost_);
  EXPECT_EQ(figures().reports, 2U);
}

TEST_F(DeviceLedger, OpensAWindowAtItsFirstSecond) {
  limit(cost_, GAUZE_NO_LIMIT);
  EXPECT_EQ(encode(kTime - 1), GAUZE_OK);
  EXPECT_EQ(encode(kTime - 1), GAUZE_E_BUDGET);
  EXPECT_EQ(encode(kTime), GAUZE_OK);
  EXPECT_EQ(encode(kTime + kWindow - 1), GAUZE_E_BUDGET);
  EXPECT_EQ(encode(kTime + kWindow), GAUZE_OK);
  EXPECT_EQ(figures().window, 701U);
  EXPECT_EQ(figures().lifetime_spent, 3 * cost_);
}

TEST_F(DeviceLedger, GetsNothingFromAClockThatGoesBackAndForth) {
  limit(cost_, GAUZE_NO_LIMIT);
  EXPECT_EQ(encode(kTime), GAUZE_OK);
  for (const std::uint64_t time : {kTime - 1, kTime - 10 * kWindow, std::uint64_t{0}, kTime})
    EXPECT_EQ(encode(time), GAUZE_E_BUDGET) << time;
  // A report at an earlier time counts in the latest window that was seen.
  EXPECT_EQ(encode(kTime + 5 * kWindow), GAUZE_OK);
  EXPECT_EQ(encode(kTime + 2 * kWindow), GAUZE_E_BUDGET);
  EXPECT_EQ(figures().window, 705U);
  // A refusal at a later time does not open its window.
  limit(cost_, cost_);
  EXPECT_EQ(encode(kTime), GAUZE_OK);
  EXPECT_EQ(encode(kTime + 9 * kWindow), GAUZE_E_BUDGET);
  EXPECT_EQ(figures().window, 700U);
}

TEST_F(DeviceLedger, EndsWithTheLastOfALifetime) {
  limit(GAUZE_NO_LIMIT, 3 * cost_);
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(encode(kTime + i * kWindow), GAUZE_OK);
  EXPECT_EQ(figures().lifetime_spent, figures().lifetime_limit);
  EXPECT_EQ(encode(kTime + 100 * kWindow), GAUZE_E_BUDGET);
  limit(GAUZE_NO_LIMIT, 3 * cost_ - 1);
  for (std::uint64_t i = 0; i < 2; ++i) EXPECT_EQ(encode(kTime + i * kWindow), GAUZE_OK);
  EXPECT_EQ(encode(kTime + 2 * kWindow), GAUZE_E_BUDGET);
}

TEST_F(DeviceLedger, KeepsTheWindowsOfATaskWhereTheyFit) {
  TaskFields fields;
  fields.window_seconds = 7 * kDay;
  fields.window_nano = cost_;
  const gauze_task limited = fields.loaded();
  grant(limited);
  for (const std::uint64_t window : {7 * kDay, 14 * kDay, 70 * kDay}) {
    limit(GAUZE_NO_LIMIT, GAUZE_NO_LIMIT, window);
    EXPECT_EQ(encode(limited, kTime), GAUZE_OK) << window;
    EXPECT_EQ(encode(limited, kTime), GAUZE_E_BUDGET) << window;
  }
  for (const std::uint64_t window : {7 * kDay - 1, 7 * kDay + 1, 10 * kDay, kDay, std::uint64_t{1}, UINT64_MAX}) {
    limit(GAUZE_NO_LIMIT, GAUZE_NO_LIMIT, window);
    EXPECT_EQ(encode(limited, kTime), GAUZE_E_BUDGET) << window;
    grant(task_);
    EXPECT_EQ(encode(task_, kTime), GAUZE_OK) << "a task without a window has none to fit: " << window;
    grant(limited);
  }
}

TEST_F(DeviceLedger, CountsAllTasksForTheLimitsOfOne) {
  TaskFields fields;
  fields.window_seconds = kWindow;
  fields.window_nano = 2 * cost_;
  fields.lifetime_nano = 4 * cost_;
  fields.texts = 3;
  const gauze_task limited = fields.loaded();
  EXPECT_EQ(encode(task_, kTime), GAUZE_OK);
  grant(limited);
  EXPECT_EQ(encode(limited, kTime), GAUZE_OK);
  EXPECT_EQ(encode(limited, kTime), GAUZE_E_BUDGET);
  grant(task_);
  EXPECT_EQ(encode(task_, kTime), GAUZE_OK) << "the limits of one task are not those of another";
  grant(limited);
  EXPECT_EQ(encode(limited, kTime + kWindow), GAUZE_OK);
  EXPECT_EQ(encode(limited, kTime + 2 * kWindow), GAUZE_E_BUDGET) << "for life";
}

TEST_F(DeviceLedger, IsRefusedWhenAnyBitIsWrong) {
  EXPECT_EQ(encode(), GAUZE_OK);
  const gauze_ledger whole = ledger_;
  for (std::size_t bit = 0; bit < 8 * sizeof whole.bytes; ++bit) {
    ledger_ = whole;
    ledger_.bytes[bit / 8] = static_cast<unsigned char>(ledger_.bytes[bit / 8] ^ 1U << (bit % 8));
    const std::string damaged = bytes_of(ledger_);
    ASSERT_EQ(encode(), GAUZE_E_LEDGER) << bit;
    ASSERT_EQ(bytes_of(ledger_), damaged) << bit;
    ASSERT_EQ(payload_, std::vector<unsigned char>(1, 0xee)) << bit;
  }
  ledger_ = {};
  EXPECT_EQ(encode(), GAUZE_E_LEDGER) << "all zero is no ledger";
}

TEST_F(DeviceLedger, IsRefusedWhenItsFiguresCannotBe) {
  for (const std::size_t at : {kAtRest, kAtRest + 52}) {
    ledger_ = ledger_with(at, 1, ledger_);
    EXPECT_EQ(encode(), GAUZE_E_LEDGER) << at;
    limit(GAUZE_NO_LIMIT, GAUZE_NO_LIMIT);
  }
  ledger_ = ledger_with(kAtWindowSeconds, 0, ledger_);
  EXPECT_EQ(encode(), GAUZE_E_LEDGER);
  const std::uint64_t magic = 0x31'4c'5a'47, version = std::uint64_t{1} << 32;
  limit(GAUZE_NO_LIMIT, GAUZE_NO_LIMIT);
  ledger_ = ledger_with(0, magic | version, ledger_);
  EXPECT_EQ(encode(), GAUZE_OK);
  for (const std::uint64_t head : {magic | 2 * version, magic, (magic ^ 1) | version}) {
    ledger_ = ledger_with(0, head, ledger_);
    EXPECT_EQ(encode(), GAUZE_E_LEDGER) << head;
  }
}

TEST_F(DeviceLedger, NeverWrapsAround) {
  ledger_ = ledger_with(kAtLifetimeSpent, UINT64_MAX - cost_, ledger_);
  EXPECT_EQ(encode(), GAUZE_OK);
  EXPECT_EQ(figures().lifetime_spent, UINT64_MAX);
  EXPECT_EQ(encode(), GAUZE_E_BUDGET);
  limit(GAUZE_NO_LIMIT, GAUZE_NO_LIMIT);
  ledger_ = ledger_with(kAtWindowSpent, UINT64_MAX - cost_ + 1, ledger_);
  ledger_ = ledger_with(kAtWindow, kTime / kWindow, ledger_);
  EXPECT_EQ(encode(), GAUZE_E_BUDGET);
  // More spent than the limit, after a limit was lowered by hand.
  limit(GAUZE_NO_LIMIT, 5 * cost_);
  ledger_ = ledger_with(kAtLifetimeSpent, 6 * cost_, ledger_);
  EXPECT_EQ(encode(), GAUZE_E_BUDGET);
}

TEST_F(DeviceLedger, TakesAllTimesAndWindows) {
  limit(cost_, GAUZE_NO_LIMIT, 1);
  EXPECT_EQ(encode(UINT64_MAX - 1), GAUZE_OK);
  EXPECT_EQ(encode(UINT64_MAX), GAUZE_OK);
  EXPECT_EQ(encode(UINT64_MAX), GAUZE_E_BUDGET);
  limit(cost_, GAUZE_NO_LIMIT, UINT64_MAX);
  EXPECT_EQ(encode(0), GAUZE_OK);
  EXPECT_EQ(encode(UINT64_MAX - 1), GAUZE_E_BUDGET);
  EXPECT_EQ(encode(UINT64_MAX), GAUZE_OK) << "window 1";
}

TEST_F(DeviceLedger, AllowsNothingWhenTheLimitIsZero) {
  limit(0, GAUZE_NO_LIMIT);
  EXPECT_EQ(encode(), GAUZE_E_BUDGET);
  limit(GAUZE_NO_LIMIT, 0);
  EXPECT_EQ(encode(), GAUZE_E_BUDGET);
  TaskFields fields;
  fields.lifetime_nano = 0;
  const gauze_task none = fields.loaded();
  limit(GAUZE_NO_LIMIT, GAUZE_NO_LIMIT);
  grant(none);
  EXPECT_EQ(encode(none, kTime), GAUZE_E_BUDGET);
}

TEST_F(DeviceLedger, NeedsAWindow) {
  gauze_ledger ledger = {};
  EXPECT_EQ(gauze_ledger_init(&ledger, 0, 1, 1), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_ledger_init(nullptr, 1, 1, 1), GAUZE_E_ARGUMENT);
  EXPECT_EQ(bytes_of(ledger), std::string(128, '\0'));
}

TEST_F(DeviceConsent, IsToEitherLanguage) {
  for (const int language : {0, 1}) {
    grant(task_, language);
    EXPECT_EQ(encode(), GAUZE_OK) << language;
  }
}

TEST_F(DeviceConsent, IsToATextOfTheTaskAlone) {
  unsigned char other[32];
  std::memset(other, 77, sizeof other);
  gauze_consent consent = {};
  EXPECT_EQ(gauze_consent_grant(&consent, &task_, device_.secret, other, kTime), GAUZE_E_CONSENT);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(consent.bytes), sizeof consent.bytes),
            std::string(sizeof consent.bytes, '\0'));
  // Nor does the consent to one text become that to the other by an edit.
  std::memcpy(device_.consent.bytes + 32, task_.text_sha256[1], 32);
  EXPECT_EQ(encode(), GAUZE_E_CONSENT);
}

TEST_F(DeviceConsent, IsToATextOfTheTaskEvenWhenItsTagIsRight) {
  std::memset(device_.consent.bytes + 32, 77, 32);
  const unsigned char purpose[] = {'g', 'a', 'u', 'z', 'e', '-', 'c', 'o', 'n', 's', 'e', 'n', 't'};
  const gauze_piece pieces[2] = {{purpose, sizeof purpose}, {device_.consent.bytes, 72}};
  gauze_hmac(device_.secret, pieces, 2, device_.consent.bytes + 72);
  EXPECT_EQ(encode(), GAUZE_E_CONSENT);
  std::memcpy(device_.consent.bytes + 32, task_.text_sha256[1], 32);
  gauze_hmac(device_.secret, pieces, 2, device_.consent.bytes + 72);
  EXPECT_EQ(encode(), GAUZE_OK);
}

TEST_F(DeviceConsent, IsToOneTask) {
  TaskFields fields;
  fields.period_seconds = 2 * kDay;
  const gauze_task other = fields.loaded();
  EXPECT_EQ(std::memcmp(other.text_sha256, task_.text_sha256, sizeof task_.text_sha256), 0);
  EXPECT_EQ(encode(other, kTime), GAUZE_E_CONSENT) << "the same texts, but another task";
  std::memcpy(device_.consent.bytes, other.hash, 32);
  EXPECT_EQ(encode(other, kTime), GAUZE_E_CONSENT) << "a name that was put in by hand";
}

TEST_F(DeviceConsent, IsOfOneDevice) {
  device_.secret[31] ^= 1;
  EXPECT_EQ(encode(), GAUZE_E_CONSENT);
}

TEST_F(DeviceConsent, IsRefusedWhenAnyBitIsWrong) {
  const gauze_consent whole = device_.consent;
  const std::string before = bytes_of(ledger_);
  for (std::size_t bit = 0; bit < 8 * sizeof whole.bytes; ++bit) {
    device_.consent = whole;
    device_.consent.bytes[bit / 8] = static_cast<unsigned char>(device_.consent.bytes[bit / 8] ^ 1U << (bit % 8));
    ASSERT_EQ(encode(), GAUZE_E_CONSENT) << bit;
  }
  EXPECT_EQ(bytes_of(ledger_), before);
  EXPECT_EQ(random_.calls, 0U);
}

TEST_F(DeviceConsent, IsWithdrawnByZeros) {
  EXPECT_EQ(encode(), GAUZE_OK);
  device_.consent = {};
  EXPECT_EQ(encode(), GAUZE_E_CONSENT);
  grant(task_);
  EXPECT_EQ(encode(), GAUZE_OK);
}

TEST_F(DeviceConsent, NeedsATaskAndAText) {
  gauze_consent consent = {};
  const gauze_task none = {};
  const unsigned char* text = task_.text_sha256[0];
  EXPECT_EQ(gauze_consent_grant(nullptr, &task_, device_.secret, text, 0), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_consent_grant(&consent, nullptr, device_.secret, text, 0), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_consent_grant(&consent, &task_, nullptr, text, 0), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_consent_grant(&consent, &task_, device_.secret, nullptr, 0), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_consent_grant(&consent, &none, device_.secret, text, 0), GAUZE_E_TASK);
}

TEST_F(DeviceReport, IsRefusedInTheStatedOrder) {
  // Everything is wrong, and one thing after the other is put right.
  TaskFields fields;
  fields.claimed_nano = cost_ - 1;
  gauze_task task = fields.loaded();
  task.loaded = 0;
  limit(GAUZE_NO_LIMIT, 0);
  const gauze_ledger exhausted = ledger_;
  ledger_.bytes[20] ^= 1;
  device_.consent = {};
  random_.fails_at = 0;
  device_.random = nullptr;
  EXPECT_EQ(encode(task, kTime), GAUZE_E_ARGUMENT);
  device_.random = FailingRandom::draw;
  EXPECT_EQ(encode(task, kTime), GAUZE_E_TASK);
  task.loaded = GAUZE_TASK_LOADED;
  EXPECT_EQ(encode(task, kTime), GAUZE_E_CONSENT);
  grant(task);
  EXPECT_EQ(encode(task, kTime), GAUZE_E_COST);
  EXPECT_EQ(random_.calls, 0U);
  grant(task_);
  EXPECT_EQ(encode(task_, kTime), GAUZE_E_LEDGER);
  ledger_ = exhausted;
  EXPECT_EQ(encode(task_, kTime), GAUZE_E_BUDGET);
  EXPECT_EQ(bytes_of(ledger_), bytes_of(exhausted));
  EXPECT_EQ(random_.calls, 0U);
  limit(GAUZE_NO_LIMIT, cost_);
  EXPECT_EQ(encode(task_, kTime), GAUZE_E_RANDOM);
  EXPECT_EQ(figures().lifetime_spent, cost_);
  random_ = {};
  limit(GAUZE_NO_LIMIT, cost_);
  EXPECT_EQ(encode(task_, kTime), GAUZE_OK);
}

TEST_F(DeviceReport, MayCostWhatTheTaskClaimsAndNoMore) {
  for (TaskFields fields : task_of_every_mechanism()) {
    SCOPED_TRACE(static_cast<int>(fields.mechanism));
    gauze_task task = fields.loaded();
    ASSERT_EQ(task.loaded, GAUZE_TASK_LOADED);
    fields.claimed_nano = cost_of(task);
    task = fields.loaded();
    grant(task);
    EXPECT_EQ(encode(task, kTime), GAUZE_OK);
    fields.claimed_nano -= 1;
    task = fields.loaded();
    grant(task);
    const std::string before = bytes_of(ledger_);
    EXPECT_EQ(encode(task, kTime), GAUZE_E_COST);
    EXPECT_EQ(bytes_of(ledger_), before);
  }
}

TEST_F(DeviceReport, IsNotMadeWhenRandomBytesFailAnywhere) {
  for (const TaskFields& fields : task_of_every_mechanism()) {
    SCOPED_TRACE(static_cast<int>(fields.mechanism));
    const gauze_task task = fields.loaded();
    ASSERT_EQ(task.loaded, GAUZE_TASK_LOADED);
    grant(task);
    limit(GAUZE_NO_LIMIT, GAUZE_NO_LIMIT);
    random_ = {};
    ASSERT_EQ(encode(task, kTime), GAUZE_OK);
    const std::uint64_t calls = random_.calls;
    const std::string charged = bytes_of(ledger_);
    ASSERT_GT(calls, 0U);
    for (std::uint64_t at = 0; at < calls; ++at) {
      random_ = {};
      random_.fails_at = at;
      limit(GAUZE_NO_LIMIT, GAUZE_NO_LIMIT);
      ASSERT_EQ(encode(task, kTime), GAUZE_E_RANDOM) << at;
      ASSERT_EQ(payload_, std::vector<unsigned char>(payload_.size(), 0)) << at;
      ASSERT_EQ(bytes_of(ledger_), charged) << at;
      ASSERT_EQ(random_.calls, at + 1) << "nothing is asked for again";
    }
  }
}

TEST_F(DeviceReport, RefusesMistakesOfTheProgram) {
  const gauze_value values[2] = {};
  gauze_frozen frozen = {};
  unsigned char payload[8] = {};
  const std::string before = bytes_of(ledger_);
  const auto made = [&](const gauze_task* task, const gauze_device* device, const gauze_value* all, std::size_t count,
                        gauze_ledger* ledger, gauze_frozen* kept, unsigned char* out) {
    return gauze_encode(task, device, kTime, all, count, ledger, kept, out);
  };
  EXPECT_EQ(made(nullptr, &device_, values, 1, &ledger_, nullptr, payload), GAUZE_E_ARGUMENT);
  EXPECT_EQ(made(&task_, nullptr, values, 1, &ledger_, nullptr, payload), GAUZE_E_ARGUMENT);
  EXPECT_EQ(made(&task_, &device_, nullptr, 1, &ledger_, nullptr, payload), GAUZE_E_ARGUMENT);
  EXPECT_EQ(made(&task_, &device_, values, 2, &ledger_, nullptr, payload), GAUZE_E_ARGUMENT);
  EXPECT_EQ(made(&task_, &device_, values, 1, nullptr, nullptr, payload), GAUZE_E_ARGUMENT);
  EXPECT_EQ(made(&task_, &device_, values, 1, &ledger_, &frozen, payload), GAUZE_E_ARGUMENT);
  EXPECT_EQ(made(&task_, &device_, values, 1, &ledger_, nullptr, nullptr), GAUZE_E_ARGUMENT);
  EXPECT_EQ(bytes_of(ledger_), before);
  EXPECT_EQ(made(&task_, &device_, nullptr, 0, &ledger_, nullptr, payload), GAUZE_OK) << "a missing value";
}

TEST_F(DeviceBlock, HoldsWhatTheFormatSays) {
  const unsigned char payloads[3] = {1, 2, 3};
  std::vector<unsigned char> out(62 + 3 + 4);
  std::size_t size = out.size();
  ASSERT_EQ(gauze_block(&task_, &device_, kTime + 5, payloads, 3, out.data(), &size), GAUZE_OK);
  ASSERT_EQ(size, out.size());
  EXPECT_EQ(std::memcmp(out.data(), "GZR1", 4), 0);
  EXPECT_EQ(std::memcmp(out.data() + 4, task_.hash, 32), 0);
  EXPECT_EQ(out[52] | out[53] << 8 | out[54] << 16 | out[55] << 24, static_cast<int>(kTime / kDay));
  EXPECT_EQ(out[56] | out[57] << 8, 1);
  EXPECT_EQ(out[58] | out[59] << 8 | out[60] << 16 | out[61] << 24, 3);
  EXPECT_EQ(std::memcmp(out.data() + 62, payloads, 3), 0);
  const std::uint32_t crc = gauze_crc32c(0, out.data(), 65);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(out[65 + i], crc >> (8 * i) & 0xff);
  const std::vector<unsigned char> first = out;
  ASSERT_EQ(gauze_block(&task_, &device_, kTime + 5, payloads, 3, out.data(), &size), GAUZE_OK);
  EXPECT_NE(std::memcmp(first.data() + 36, out.data() + 36, 16), 0) << "every block has an id of its own";
}

TEST_F(DeviceBlock, HasLimits) {
  const std::vector<unsigned char> payloads(70'000);
  std::vector<unsigned char> out(70'000);
  const auto made = [&](const gauze_task& task, std::size_t count, std::size_t room, std::uint64_t time = kTime) {
    std::size_t size = room;
    const int result = gauze_block(&task, &device_, time, payloads.data(), count, out.data(), &size);
    EXPECT_EQ(size, result == GAUZE_OK ? 66 + count * gauze_payload_size(&task) : room);
    return result;
  };
  EXPECT_EQ(made(task_, 0, out.size()), GAUZE_E_ARGUMENT);
  EXPECT_EQ(made(task_, 1, 67), GAUZE_OK);
  EXPECT_EQ(made(task_, 1, 66), GAUZE_E_ARGUMENT);
  EXPECT_EQ(made(task_, 4096, out.size()), GAUZE_OK);
  EXPECT_EQ(made(task_, 4097, out.size()), GAUZE_E_ARGUMENT);
  EXPECT_EQ(made(task_, SIZE_MAX, out.size()), GAUZE_E_ARGUMENT);
  TaskFields fields;
  fields.mechanism = GAUZE_SUE;
  fields.law = {std::uint64_t{3} << 62, std::uint64_t{1} << 62, 0};
  fields.size = 8 * 31'967;
  EXPECT_EQ(made(fields.loaded(), 2, out.size()), GAUZE_OK) << "exactly 64,000 bytes";
  fields.size += 8;
  EXPECT_EQ(made(fields.loaded(), 2, out.size()), GAUZE_E_ARGUMENT);
  fields = {};
  fields.period_seconds = 1;
  EXPECT_EQ(made(fields.loaded(), 1, 67, UINT32_MAX), GAUZE_OK);
  EXPECT_EQ(made(fields.loaded(), 1, 67, std::uint64_t{UINT32_MAX} + 1), GAUZE_E_ARGUMENT);
}

TEST_F(DeviceBlock, RefusesMistakesAndMissingRandomBytes) {
  const unsigned char payload[1] = {};
  unsigned char out[67];
  std::size_t size = sizeof out;
  const gauze_task none = {};
  EXPECT_EQ(gauze_block(nullptr, &device_, kTime, payload, 1, out, &size), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_block(&task_, nullptr, kTime, payload, 1, out, &size), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_block(&task_, &device_, kTime, nullptr, 1, out, &size), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_block(&task_, &device_, kTime, payload, 1, nullptr, &size), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_block(&task_, &device_, kTime, payload, 1, out, nullptr), GAUZE_E_ARGUMENT);
  EXPECT_EQ(gauze_block(&none, &device_, kTime, payload, 1, out, &size), GAUZE_E_TASK);
  random_.fails_at = 0;
  EXPECT_EQ(gauze_block(&task_, &device_, kTime, payload, 1, out, &size), GAUZE_E_RANDOM);
  EXPECT_EQ(size, sizeof out);
  device_.random = nullptr;
  EXPECT_EQ(gauze_block(&task_, &device_, kTime, payload, 1, out, &size), GAUZE_E_ARGUMENT);
}

}  // namespace
}  // namespace gauze
