#include "gauze/collect/reports/internal/block_ids.h"

#include <cstring>
#include <utility>

#include "gauze/base/kernel_random.h"

namespace gauze::collect::internal {

BlockIds::BlockIds() : places_(1'024) {
  fill_from_kernel({reinterpret_cast<unsigned char*>(key_.data()), sizeof key_});
}

std::size_t BlockIds::place_of(const Id& id) const {
  // Multiplication folded, twice, each time with a secret of its own.
  const auto fold = [](std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  };
  const std::uint64_t first = fold(id.low ^ key_[0], id.high ^ key_[1]);
  return fold(first ^ key_[2], id.low + id.high * (key_[3] | 1U)) & (places_.size() - 1);
}

BlockIds::Id BlockIds::id_at(const unsigned char* bytes) {
  Id id;
  std::memcpy(&id.low, bytes, 8);
  std::memcpy(&id.high, bytes + 8, 8);
  return id;
}

void BlockIds::expect(const unsigned char* bytes) const { __builtin_prefetch(&places_[place_of(id_at(bytes))], 1); }

bool BlockIds::insert(const unsigned char* bytes) {
  const Id id = id_at(bytes);
  if (id == Id{}) return !std::exchange(has_zero_, true);
  std::size_t place = place_of(id);
  for (; places_[place] != Id{}; place = (place + 1) & (places_.size() - 1))
    if (places_[place] == id) return false;
  places_[place] = id;
  if (++used_ * 4 > places_.size() * 3) grow();
  return true;
}

void BlockIds::grow() {
  const std::vector<Id> old = std::exchange(places_, std::vector<Id>(places_.size() * 2));
  for (const Id& id : old) {
    if (id == Id{}) continue;
    std::size_t place = place_of(id);
    while (places_[place] != Id{}) place = (place + 1) & (places_.size() - 1);
    places_[place] = id;
  }
}

}  // namespace gauze::collect::internal
