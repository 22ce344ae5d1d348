#pragma once
// What the tests of hierarchies and policies share.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/testing/source_folder.h"
#include "gauze/schema/hierarchies/hierarchy.h"
#include "gauze/table/dictionary.h"

namespace gauze::schema {

/// The message of an error; empty when there is none.
template <class T>
std::string error_of(const Result<T>& result) {
  return result ? std::string() : result.error().message;
}

/// The dictionary of a column with these values, and "missing" under the token if one is given.
inline table::Dictionary dictionary_of(std::vector<std::string> values, std::optional<std::string> missing = {}) {
  if (missing) values.push_back(*missing);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  table::Dictionary result;
  if (missing) {
    const auto place = std::lower_bound(values.begin(), values.end(), *missing);
    result.missing = static_cast<std::uint32_t>(place - values.begin());
  }
  result.values = std::move(values);
  return result;
}

/// What a ground value becomes at all levels, level 0 first; empty when it is not there.
inline std::vector<std::string> path_of(const Hierarchy& hierarchy, std::string_view value) {
  const auto row = hierarchy.find(value);
  std::vector<std::string> path;
  for (int level = 0; row && level < hierarchy.levels(); ++level) {
    path.push_back(hierarchy.text(level, hierarchy.code(level, *row)));
  }
  return path;
}

/// The folder of the project, found upwards from where the test runs or from the program itself.
inline std::optional<std::filesystem::path> repository_root() {
  std::error_code failure;
  if (std::filesystem::exists(gauze_source_folder, failure)) return gauze_source_folder;
  for (auto folder :
       {std::filesystem::current_path(failure), std::filesystem::read_symlink("/proc/self/exe", failure)}) {
    for (; folder.has_relative_path(); folder = folder.parent_path()) {
      if (std::filesystem::exists(folder / "ARCHITECTURE.md", failure)) return folder;
    }
  }
  return std::nullopt;
}

/// The folder of real data: GAUZE_DATA, or ../shared/data beside the project.
inline std::optional<std::filesystem::path> data_folder() {
  std::error_code failure;
  if (const char* named = std::getenv("GAUZE_DATA"); named != nullptr && std::filesystem::exists(named, failure)) {
    return named;
  }
  if (const auto root = repository_root()) {
    const auto folder = root->parent_path() / "shared" / "data";
    if (std::filesystem::exists(folder, failure)) return folder;
  }
  return std::nullopt;
}

}  // namespace gauze::schema
