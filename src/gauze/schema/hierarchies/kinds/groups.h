#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/schema/hierarchies/kinds/generaliser.h"

namespace gauze::schema {

/// Groups by name: the first level says which values each group holds, every later level groups the groups below it.
struct GroupsSpec {
  struct Group {
    std::string name;
    std::vector<std::string> members;
    friend bool operator==(const Group&, const Group&) = default;
  };
  std::vector<std::vector<Group>> levels;
  friend bool operator==(const GroupsSpec&, const GroupsSpec&) = default;
};

/// Refuses a level without groups, a group without members, a name or a member that is there twice in a level, and a
/// later level that names something other than the groups below it, or leaves one of them out.
[[nodiscard]] Result<void> check(const GroupsSpec& spec);

/// Covers the members of the first level.
[[nodiscard]] Result<std::unique_ptr<Generaliser>> make_generaliser(const GroupsSpec& spec);

}  // namespace gauze::schema
