#include "gauze/collect/count/count_hashes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "gauze/collect/count/testing/every_processor.h"

namespace gauze::collect {
namespace count_hashes_test {

using testing::on_every_processor;

constexpr std::uint64_t kP = 2'147'483'647;

struct Report {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::uint32_t y = 0;
};

std::vector<unsigned char> encoded(const std::vector<Report>& reports, std::uint32_t g, std::size_t gap) {
  std::vector<unsigned char> bytes;
  const auto put = [&](std::uint32_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<unsigned char>(value >> (8 * i)));
  };
  for (const Report& report : reports) {
    put(report.a, 4);
    put(report.b, 4);
    put(report.c, 4);
    put(report.y, index_bytes(g));
    put(0, gap);
  }
  return bytes;
}

struct Counted {
  std::vector<std::int64_t> cells;
  std::uint64_t rejected = 0;
  friend bool operator==(const Counted&, const Counted&) = default;
};

/// As the format says it.
Counted reference(std::uint32_t size, std::uint32_t g, const std::vector<Report>& reports) {
  Counted out{.cells = std::vector<std::int64_t>(size, 0)};
  const std::uint64_t room = std::uint64_t{1} << (8 * index_bytes(g));
  for (const Report& report : reports) {
    const std::uint64_t y = report.y % room;
    if (report.a >= kP || report.b >= kP || report.c >= kP || y >= g) {
      ++out.rejected;
      continue;
    }
    for (std::uint64_t v = 0; v < size; ++v) {
      const std::uint64_t t = (report.a + report.b * v % kP + report.c * v % kP * v) % kP;
      if (t * g / kP == y) ++out.cells[v];
    }
  }
  return out;
}

void expect_equal(std::uint32_t size, std::uint32_t g, const std::vector<Report>& reports, std::size_t gap = 0) {
  const Counted expected = reference(size, g, reports);
  const auto bytes = encoded(reports, g, gap);
  const std::size_t payload = 12 + index_bytes(g);
  const ReportShape shape{.size = size, .parameter = g, .payload_bytes = payload};
  on_every_processor([&] {
    Counted out{.cells = std::vector<std::int64_t>(size, 0)};
    out.rejected = count_hashes(shape, bytes.data(), payload + gap, reports.size(), out.cells);
    EXPECT_EQ(out, expected) << size << " values, g = " << g;
  });
}

TEST(CountHashes, AgreesWithTheFormatOnRandomReports) {
  std::mt19937_64 random(3);
  for (const std::uint32_t size :
       {2U, 3U, 4U, 5U, 15U, 16U, 17U, 31U, 33U, 100U, 1024U, 4'095U, 4'096U, 4'097U, 9'000U})
    for (const std::uint32_t g : {2U, 3U, 4U, 56U, 256U, 257U, 70'000U, 8'886'112U}) {
      std::vector<Report> reports(size > 2'000 ? 20 : 150);
      for (auto& report : reports)
        report = {.a = static_cast<std::uint32_t>(random() % kP),
                  .b = static_cast<std::uint32_t>(random() % kP),
                  .c = static_cast<std::uint32_t>(random() % kP),
                  .y = static_cast<std::uint32_t>(random() % g)};
      expect_equal(size, g, reports, random() % 3);
    }
}

TEST(CountHashes, AgreesWithTheFormatAtTheEdges) {
  const std::vector<std::uint32_t> edges{0,          1,         1U << 30U,  kHashPrime - 2, kHashPrime - 1,
                                         kHashPrime, 1U << 31U, 0xFFFF'FFFF};
  for (const std::uint32_t g : {2U, 4U, 255U, 256U, 65'537U}) {
    std::vector<Report> reports;
    for (const auto a : edges)
      for (const auto b : edges)
        for (const auto c : edges)
          for (const std::uint32_t y : {0U, g - 1, g}) reports.push_back({.a = a, .b = b, .c = c, .y = y});
    for (const std::uint32_t size : {2U, 5U, 37U, 64U}) expect_equal(size, g, reports);
  }
}

TEST(CountHashes, FindsGoodReportsAmongRunsOfBadOnes) {
  std::mt19937_64 random(4);
  std::vector<Report> reports(3'000);
  for (std::size_t i = 0; i < reports.size(); ++i)
    reports[i] = {.a = static_cast<std::uint32_t>(random() % kP),
                  .b = i / 100 % 3 == 1 ? kHashPrime : static_cast<std::uint32_t>(random() % kP),
                  .c = static_cast<std::uint32_t>(random() % kP),
                  .y = static_cast<std::uint32_t>(random() % 4)};
  expect_equal(50, 4, reports);
  expect_equal(50, 3, reports);
}

TEST(CountHashes, HoldsReportsThatSupportEveryValue) {
  const std::vector<Report> reports(70'000, Report{});
  const auto bytes = encoded(reports, 4, 0);
  const ReportShape shape{.size = 40, .parameter = 4, .payload_bytes = 13};
  on_every_processor([&] {
    std::vector<std::int64_t> cells(40, 0);
    EXPECT_EQ(count_hashes(shape, bytes.data(), 13, reports.size(), cells), 0U);
    EXPECT_THAT(cells, ::testing::Each(70'000));
  });
}

TEST(CountHashes, ReachesTheLargestDomain) {
  std::mt19937_64 random(5);
  std::vector<Report> reports(2);
  for (auto& report : reports)
    report = {.a = kHashPrime - 1, .b = kHashPrime - 1, .c = static_cast<std::uint32_t>(random() % kP), .y = 1};
  const std::uint32_t size = 1U << 24U;
  const Counted expected = reference(size, 4, reports);
  const auto bytes = encoded(reports, 4, 0);
  Counted out{.cells = std::vector<std::int64_t>(size, 0)};
  out.rejected = count_hashes({.size = size, .parameter = 4, .payload_bytes = 13}, bytes.data(), 13, 2, out.cells);
  EXPECT_TRUE(out == expected);
}

}  // namespace count_hashes_test
}  // namespace gauze::collect
