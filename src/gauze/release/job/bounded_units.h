#pragma once

#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"
#include "gauze/schema/domain/domain.h"

namespace gauze::release {

/// What one unit may touch. A row touches one class, once; a person is cut to these numbers.
struct UnitBounds {
  std::uint64_t max_classes = 1;
  std::uint64_t max_rows = 1;  ///< in each class

  [[nodiscard]] std::uint64_t most_rows() const { return max_classes * max_rows; }
};

/// Counts rows by person: of each at most `max_classes` cells, chosen at random, and at most `max_rows` rows in each.
/// Being outside the domain counts as one more cell.
///
/// Adding or removing all rows of one person changes at most max_classes cells, each by at most max_rows.
class BoundedUnits {
 public:
  /// Tuple i has counts[i] rows of the person ids[i].
  BoundedUnits(const schema::CodedTuples& coded, std::span<const std::uint64_t> counts,
               std::span<const std::uint32_t> ids);

  [[nodiscard]] schema::Histogram release(SecureRandom& random, const UnitBounds& bounds) const {
    return count(random, bounds);
  }
  [[nodiscard]] schema::Histogram simulate(SeededRandom& random, const UnitBounds& bounds) const {
    return count(random, bounds);
  }

 private:
  struct Contribution {
    std::uint32_t id = 0;
    std::uint64_t cell = 0;
    std::uint64_t rows = 0;
  };
  [[nodiscard]] schema::Histogram count(RandomWords& random, const UnitBounds& bounds) const;

  std::uint64_t outside_;
  std::vector<Contribution> contributions_;  // by id, then cell; each pair once
};

/// How many rows of each tuple are left when a person keeps at most `most` rows, chosen at random.
[[nodiscard]] std::vector<std::uint64_t> cap_rows(RandomWords& random, std::span<const std::uint64_t> counts,
                                                  std::span<const std::uint32_t> ids, std::uint64_t most);

}  // namespace gauze::release
