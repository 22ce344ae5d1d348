#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "gauze/audit/releases/table_rows.h"
#include "gauze/release/job/release_job.h"

namespace gauze::audit {

/// Reads releases of one plan as vectors of numbers: total, remainder, how many classes, their sum, chosen levels, then the counts of
/// single classes, first those in which two tables differ. A class that was not released is NaN.
///
/// Large domains: so many classes are looked at one by one; of the others their number and sum stand for them.
class ReleaseNumbers {
 public:
  /// `differing`: the rows in which the tables differ. They are named as such, never by what they hold.
  ReleaseNumbers(const release::ReleasePlan& plan, TableRows differing);

  void read(const release::Release& release, std::vector<double>& numbers);
  /// What the numbers are called, in words.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  using Places = std::unordered_map<std::uint64_t, std::size_t>;
  [[nodiscard]] Places& places_in(const release::Release& release);
  [[nodiscard]] std::size_t place_of(const release::Release& release, std::uint64_t cell);
  [[nodiscard]] std::size_t place_of_name(const std::string& key, const std::string& name);

  const release::ReleasePlan* plan_;
  TableRows differing_;
  std::vector<std::string> names_;
  std::size_t first_class_ = 0;
  std::size_t differing_classes_ = 0;
  std::map<std::string, std::size_t> places_;  // of classes, by levels and values
  struct KnownDomain {
    std::shared_ptr<const schema::Domain> domain;  // kept, so that no other one gets its address
    Places places;
  };
  std::unordered_map<const schema::Domain*, KnownDomain> domains_;
};

}  // namespace gauze::audit
