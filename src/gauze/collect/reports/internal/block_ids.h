#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gauze::collect::internal {

/// The ids of blocks that were seen: 16 bytes each, at most 32 with the room to grow. Ids come from strangers, who do not know
/// the key by which they are placed.
class BlockIds {
 public:
  BlockIds();
  /// Whether the id, 16 bytes, is new; keeps it.
  [[nodiscard]] bool insert(const unsigned char* id);
  /// Says that the id will be asked for soon: its place is far from the last one, in memory.
  void expect(const unsigned char* id) const;

 private:
  struct Id {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    friend bool operator==(const Id&, const Id&) = default;
  };
  [[nodiscard]] static Id id_at(const unsigned char* bytes);
  [[nodiscard]] std::size_t place_of(const Id& id) const;
  void grow();

  std::array<std::uint64_t, 4> key_{};
  std::vector<Id> places_;  // an id of zeros is an empty place
  std::size_t used_ = 0;
  bool has_zero_ = false;
};

}  // namespace gauze::collect::internal
