#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace gauze::internal {

/// Removes from a folder what processes left there that were killed: files and folders of such names that are this user's, of
/// some age, and locked by nobody. Whoever makes one locks it (flock) as long as it lives; between making and locking it no time
/// passes that comes near to that age. Where a file system has no locks nothing is removed.
void remove_left_behind(const std::filesystem::path& folder,
                        const std::function<bool(std::string_view name)>& is_such);

/// Locks what is open, by which the living are known; false where that cannot be.
bool lock_while_living(int descriptor);

}  // namespace gauze::internal
