#pragma once

#include <cstdint>
#include <unordered_map>

#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns::internal {

struct ItemsetHash {
  std::size_t operator()(const Itemset& set) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const Item item : set) hash = (hash ^ item) * 0xff51afd7ed558ccd + (hash >> 29);
    return static_cast<std::size_t>(hash);
  }
};

using SupportOf = std::unordered_map<Itemset, std::uint64_t, ItemsetHash>;

}  // namespace gauze::patterns::internal
