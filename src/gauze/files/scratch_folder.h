#pragma once

#include <string>
#include <utility>

#include "gauze/base/error.h"

namespace gauze {

/// A folder for temporary files that only this user can read, gone with all that is in it when the object ends.
class ScratchFolder {
 public:
  [[nodiscard]] static Result<ScratchFolder> make();
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  /// The path of a file in it.
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace gauze
