#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/schema/hierarchies/hierarchy.h"
#include "gauze/schema/hierarchies/hierarchy_spec.h"
#include "gauze/table/dictionary.h"

namespace gauze::schema {

/// Which values of a column a hierarchy has no row for. Values match as texts: 39.0 is not 39.
///
/// Depends on the data: for the owner's own eyes.
struct Coverage {
  std::vector<std::uint32_t> missing_codes;  ///< codes of the column's dictionary, rising
  std::size_t covered = 0;                   ///< how many values have a row
  [[nodiscard]] bool is_complete() const { return missing_codes.empty(); }
};

/// The row of "missing" where the column has it: that of its token, else of another usual way to write it (`?`, nothing,
/// NULL), unless that text is a value of the column itself.
[[nodiscard]] std::optional<std::uint32_t> find_missing(const Hierarchy& hierarchy, const table::Dictionary& values);

[[nodiscard]] Coverage coverage(const Hierarchy& hierarchy, const table::Dictionary& values);

/// The same for a spec: what materialise() makes of it, also when it covers nothing at all.
[[nodiscard]] Result<Coverage> coverage(const HierarchySpec& spec, const std::string& name,
                                        const table::Dictionary& values);

/// A hierarchy with the place of every value of a column in it.
struct BoundHierarchy {
  std::shared_ptr<const Hierarchy> hierarchy;
  std::vector<std::uint32_t> row_of_code;  ///< one a code of the dictionary
};

/// Refuses (`bad_data`) a hierarchy that misses values, with its name and how many it misses. (The three have different
/// names because std::bind would take part where an argument is of namespace std.)
[[nodiscard]] Result<BoundHierarchy> bind_shared(std::shared_ptr<const Hierarchy> hierarchy,
                                                 const table::Dictionary& values);
[[nodiscard]] Result<BoundHierarchy> bind(Hierarchy hierarchy, const table::Dictionary& values);

/// materialise(), then bind().
[[nodiscard]] Result<BoundHierarchy> materialise_and_bind(const HierarchySpec& spec, const std::string& name,
                                                          const table::Dictionary& values);

}  // namespace gauze::schema
