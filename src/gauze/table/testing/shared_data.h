#pragma once
// Real public data that tests may read where it is there. It is no part of the repository.

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "gauze/base/testing/source_folder.h"

namespace gauze::table {

/// A file of the data folder: the one that GAUZE_DATA names, else shared/data beside the source tree. Nothing when it is
/// absent; the test then skips itself with a message.
inline std::optional<std::filesystem::path> shared_data(const std::string& file) {
  const char* const named = std::getenv("GAUZE_DATA");
  std::filesystem::path folder = named == nullptr ? "" : named;
  if (folder.empty()) folder = std::filesystem::path(gauze_source_folder).parent_path() / "shared" / "data";
  std::error_code ignored;
  if (folder.empty() || !std::filesystem::exists(folder / file, ignored)) return std::nullopt;
  return folder / file;
}

}  // namespace gauze::table

#define GAUZE_SHARED_DATA_OR_SKIP(variable, file)                                                          \
  const auto GAUZE_CONCAT(shared_data_, __LINE__) = ::gauze::table::shared_data(file);                     \
  if (!GAUZE_CONCAT(shared_data_, __LINE__)) GTEST_SKIP() << "there is no " << (file) << " in GAUZE_DATA"; \
  const std::string variable = GAUZE_CONCAT(shared_data_, __LINE__)->string()
