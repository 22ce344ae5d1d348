#include "gauze/collect/count/count_hashes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "gauze/collect/count/internal/hash_supports.h"
#include "gauze/collect/count/internal/index_counts.h"

namespace gauze::collect {
namespace {

constexpr std::size_t kReportsAtATime = 1'024;

/// floor(t g / P) = y for the t from the first one of y to before that of y + 1.
std::uint32_t first_of(std::uint64_t y, std::uint64_t g) {
  return static_cast<std::uint32_t>((y * kHashPrime + g - 1) / g);
}

}  // namespace

std::uint64_t count_hashes(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                           std::size_t count, std::span<std::int64_t> cells) {
  const std::uint32_t g = shape.parameter;
  const std::size_t bytes_of_y = index_bytes(g);
  // Divisions take longer than looking up, where there are not more of them than reports.
  std::vector<std::uint32_t> firsts(g < count ? std::size_t{g} + 1 : 0);
  for (std::size_t y = 0; y < firsts.size(); ++y) firsts[y] = first_of(y, g);

  std::array<internal::HashedReport, kReportsAtATime> reports;
  std::uint64_t rejected = 0;
  for (std::size_t done = 0; done < count;) {
    const std::size_t end = std::min(count, done + reports.size());
    std::size_t good = 0;
    for (; done < end; ++done) {
      const unsigned char* payload = payloads + done * stride;
      const std::uint32_t a = internal::read_index<4>(payload);
      const std::uint32_t b = internal::read_index<4>(payload + 4);
      const std::uint32_t c = internal::read_index<4>(payload + 8);
      const std::uint32_t y = internal::read_index(payload + 12, bytes_of_y);
      if (a >= kHashPrime || b >= kHashPrime || c >= kHashPrime || y >= g) {
        ++rejected;
        continue;
      }
      const std::uint32_t first = firsts.empty() ? first_of(y, g) : firsts[y];
      const std::uint32_t next = firsts.empty() ? first_of(std::uint64_t{y} + 1, g) : firsts[y + 1];
      // The interval of y begins at 0 when its first t is taken off a.
      reports[good++] = {.a = a >= first ? a - first : a + kHashPrime - first, .b = b, .c = c, .width = next - first};
    }
    internal::add_supports({reports.data(), good}, cells.first(shape.size));
  }
  return rejected;
}

}  // namespace gauze::collect
