#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/files/file_descriptor.h"

namespace gauze::engines {

/// The bytes of opened files, to be read besides what an engine reads of them: of the same open files, whatever their names lead to
/// by then.
class InputBytes {
 public:
  [[nodiscard]] static Result<InputBytes> of(const std::vector<InputFile>& files);

  /// Shows all bytes of all files, one after the other.
  [[nodiscard]] Result<void> hand_over(const ByteWitness& witness) const;
  /// `io` when a file was written to since it was opened, as far as its size and times tell (that of its last change of any kind
  /// too, which nobody can set back): what was handed over would not be what was read.
  [[nodiscard]] Result<void> check_unchanged() const;

 private:
  struct File {
    FileDescriptor descriptor;
    std::string name;
    struct stat opened {};
  };
  std::vector<File> files_;
};

}  // namespace gauze::engines
