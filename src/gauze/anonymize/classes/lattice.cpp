#include "gauze/anonymize/classes/lattice.h"

namespace gauze::anonymize {

Result<Lattice> Lattice::make(const std::vector<int>& levels) {
  Lattice lattice;
  std::uint64_t size = 1;
  for (const int count : levels) {
    GAUZE_CHECK(count >= 1 && count <= 255);
    lattice.counts_.push_back(static_cast<std::uint32_t>(count));
    lattice.strides_.push_back(static_cast<std::uint32_t>(size));
    size *= static_cast<std::uint64_t>(count);
    if (size > kMostNodes)
      return make_error(
          ErrorCode::unsupported,
          "the hierarchies have more than {} combinations of levels, too many for the optimal search: take "
          "fewer quasi-identifiers or levels, or the search `local`",
          kMostNodes);
  }
  lattice.size_ = static_cast<std::uint32_t>(size);
  return lattice;
}

Levels Lattice::levels(std::uint32_t node) const {
  Levels result(width());
  for (std::size_t quasi = 0; quasi < width(); ++quasi) result[quasi] = static_cast<std::uint8_t>(level(node, quasi));
  return result;
}

std::uint32_t Lattice::node(const Levels& levels) const {
  std::uint32_t result = 0;
  for (std::size_t quasi = 0; quasi < width(); ++quasi) result += strides_[quasi] * levels[quasi];
  return result;
}

std::uint64_t Lattice::nodes_below(std::uint32_t node) const {
  std::uint64_t product = 1;
  for (std::size_t quasi = 0; quasi < width(); ++quasi) product *= static_cast<std::uint64_t>(level(node, quasi)) + 1;
  return product;
}

}  // namespace gauze::anonymize
