#include "gauze/schema/hierarchies/kinds/groups.h"

#include <set>
#include <unordered_map>

#include "gauze/base/did_you_mean.h"

namespace gauze::schema {
namespace {

class Groups : public Generaliser {
 public:
  explicit Groups(const GroupsSpec& spec) : levels_(spec.levels.size()) {
    std::unordered_map<std::string, std::vector<std::string>> above;  // of a group: what its members become
    for (std::size_t level = spec.levels.size(); level-- > 0;) {
      std::unordered_map<std::string, std::vector<std::string>> here;
      for (const GroupsSpec::Group& group : spec.levels[level]) {
        std::vector<std::string> path = {group.name};
        if (const auto found = above.find(group.name); found != above.end()) {
          path.insert(path.end(), found->second.begin(), found->second.end());
        }
        for (const std::string& member : group.members) here.emplace(member, path);
      }
      above = std::move(here);
    }
    paths_ = std::move(above);
    if (spec.levels.back().size() == 1) only_value_ = spec.levels.back().front().name;
  }

  [[nodiscard]] std::size_t levels() const override { return levels_; }
  [[nodiscard]] std::optional<std::string> only_value() const override { return only_value_; }
  [[nodiscard]] bool lists_values() const override { return true; }
  [[nodiscard]] bool generalise(std::string_view value, std::vector<std::string>& texts) const override {
    const auto found = paths_.find(std::string(value));
    if (found == paths_.end()) return false;
    texts = found->second;
    return true;
  }

 private:
  std::size_t levels_;
  std::unordered_map<std::string, std::vector<std::string>> paths_;
  std::optional<std::string> only_value_;
};

Result<void> check_level(const std::vector<GroupsSpec::Group>& groups, std::size_t number) {
  if (groups.empty()) return invalid_parameter("groups: level {} has no groups", number);
  std::set<std::string> names;
  std::set<std::string> members;
  for (const GroupsSpec::Group& group : groups) {
    if (!names.insert(group.name).second) {
      return invalid_parameter("groups: level {} has the group '{}' twice", number, group.name);
    }
    if (group.members.empty()) {
      return invalid_parameter("groups: the group '{}' of level {} has no members", group.name, number);
    }
    for (const std::string& member : group.members) {
      if (!members.insert(member).second) {
        return invalid_parameter("groups: '{}' is twice in level {}; a value has one group", member, number);
      }
    }
  }
  return {};
}

}  // namespace

Result<void> check(const GroupsSpec& spec) {
  if (spec.levels.empty()) return invalid_parameter("groups: at least one level is needed");
  for (std::size_t i = 0; i < spec.levels.size(); ++i) {
    GAUZE_TRY_VOID(check_level(spec.levels[i], i + 1));
    if (i == 0) continue;
    std::vector<std::string> below;
    std::set<std::string> left;
    for (const GroupsSpec::Group& group : spec.levels[i - 1]) {
      below.push_back(group.name);
      left.insert(group.name);
    }
    for (const GroupsSpec::Group& group : spec.levels[i]) {
      for (const std::string& member : group.members) {
        if (left.erase(member) == 0) {
          return invalid_parameter("groups: '{}' in level {} is not a group of level {}{}", member, i + 1, i,
                                   did_you_mean(member, below));
        }
      }
    }
    if (!left.empty()) {
      return invalid_parameter("groups: the group '{}' of level {} is in no group of level {}", *left.begin(), i,
                               i + 1);
    }
  }
  return {};
}

Result<std::unique_ptr<Generaliser>> make_generaliser(const GroupsSpec& spec) {
  GAUZE_TRY_VOID(check(spec));
  return std::make_unique<Groups>(spec);
}

}  // namespace gauze::schema
