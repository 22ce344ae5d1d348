#pragma once

#include <sys/stat.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/files/file_descriptor.h"

namespace gauze::engines {

/// The bytes of opened files, to be read once more: of the same open files, whatever their names lead to by then.
class InputBytes {
 public:
  [[nodiscard]] static Result<InputBytes> of(const std::vector<InputFile>& files);

  /// Hands over all bytes of all files, one after the other. `io` when a file was written to since it was opened, as far as
  /// its size and times tell: these would not be the bytes that were read.
  [[nodiscard]] Result<void> hand_over(const std::function<void(std::string_view)>& sink) const;

 private:
  struct File {
    FileDescriptor descriptor;
    std::string name;
    struct stat opened {};
  };
  std::vector<File> files_;
};

}  // namespace gauze::engines
