#include "gauze/collect/reports/state_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "gauze/files/sha256.h"

namespace gauze::collect {
namespace state_file_test {

Aggregate example() {
  Aggregate out;
  for (std::size_t i = 0; i < out.task.size(); ++i) out.task[i] = static_cast<unsigned char>(i);
  out.parts = 2;
  out.cells = 3;
  out.rejected = {.malformed = 1, .damaged = 2, .unknown_task = 3, .parameter_mismatch = 4, .out_of_range = 5};
  out.duplicates = 6;
  out.sources = {sha256_hex("b"), sha256_hex("a")};
  std::sort(out.sources.begin(), out.sources.end());
  out.periods[7] = {{.reports = 8, .cells = {1, -2, 3}}, {.reports = 0, .cells = {0, 0, 0}}};
  out.periods[0xFFFF'FFFF] = {{.reports = 1, .cells = {0, 0, -5'000'000'000}}, {.reports = 2, .cells = {1, 1, 0}}};
  return out;
}

/// With the checksum that fits.
std::string sealed(std::string bytes) {
  Sha256 hash;
  hash.add(bytes);
  const auto digest = hash.finish_bytes();
  return bytes.append(digest.begin(), digest.end());
}

TEST(StateFile, ReadsBackWhatIsWritten) {
  const std::string bytes = encode_state(example());
  const auto out = decode_state(bytes, "x");
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_TRUE(*out == example());
  EXPECT_EQ(bytes.substr(0, 8), std::string("GZA1\1\0\0\0", 8));
  EXPECT_TRUE(decode_state(encode_state(*out), "x"));
}

TEST(StateFile, FindsEveryDamage) {
  const std::string bytes = encode_state(example());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const auto out = decode_state(flipped, "x");
    ASSERT_FALSE(out);
    ASSERT_EQ(out.error().code, ErrorCode::bad_data);
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) ASSERT_FALSE(decode_state(bytes.substr(0, size), "x"));
  EXPECT_FALSE(decode_state(bytes + "x", "x"));
}

TEST(StateFile, IsTotalOnBytesWhoseChecksumFits) {
  const std::string body = encode_state(example()).substr(0, encode_state(example()).size() - 32);
  for (std::size_t at = 4; at < body.size(); ++at)
    for (const char value : {'\0', '\1', '\x7F', '\x80', '\xFF'}) {
      std::string changed = body;
      changed[at] = value;
      const auto out = decode_state(sealed(changed), "x");
      EXPECT_TRUE(!out || encode_state(*out) == sealed(changed)) << at;
    }
  for (std::size_t size = 4; size < body.size(); ++size)
    EXPECT_FALSE(decode_state(sealed(body.substr(0, size)), "x"));
}

TEST(StateFile, RefusesSourcesAndPeriodsThatAreNotInOrder) {
  Aggregate twice = example();
  twice.sources[1] = twice.sources[0];
  EXPECT_FALSE(decode_state(encode_state(twice), "x"));
  Aggregate empty = example();
  empty.periods[9] = {{.reports = 0, .cells = {0, 0, 0}}, {.reports = 0, .cells = {0, 0, 0}}};
  EXPECT_FALSE(decode_state(encode_state(empty), "x"));
}

}  // namespace state_file_test
}  // namespace gauze::collect
