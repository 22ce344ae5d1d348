#include "gauze/collect/reports/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

namespace gauze::collect {
namespace crc32c_test {

std::uint32_t of(std::string_view text) {
  return crc32c({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
}

TEST(Crc32c, IsThatOfThePublishedVectors) {
  EXPECT_EQ(of(""), 0U);
  EXPECT_EQ(of("123456789"), 0xE306'9283U);
  // RFC 3720, B.4.
  EXPECT_EQ(of(std::string(32, '\0')), 0x8A91'36AAU);
  EXPECT_EQ(of(std::string(32, '\xFF')), 0x62A8'AB43U);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising += c;
  EXPECT_EQ(of(rising), 0x46DD'794EU);
}

TEST(Crc32c, IsTheSameWithAndWithoutTheInstruction) {
  std::mt19937_64 random(1);
  std::vector<unsigned char> bytes(70'000);
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random());
  for (std::size_t size = 0; size < 1'300; ++size) {
    const auto some = std::span(bytes).subspan(size % 9, size);
    ASSERT_EQ(crc32c(some), internal::crc32c_by_tables(some)) << size;
  }
  for (const std::size_t size : {6'143UL, 6'144UL, 6'145UL, 12'288UL, 63'999UL, 64'000UL, 70'000UL})
    EXPECT_EQ(crc32c(std::span(bytes).first(size)), internal::crc32c_by_tables(std::span(bytes).first(size))) << size;
}

}  // namespace crc32c_test
}  // namespace gauze::collect
