#pragma once

#include <memory>
#include <string>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/files/byte_source.h"

namespace gauze {

/// A file, packed by gzip or zstd or not, or "-" for the standard input. Waiting for the latter is `interrupted` when the progress is asked to
/// stop.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_input(const std::string& path,
                                                             const Progress* progress = nullptr);

}  // namespace gauze
