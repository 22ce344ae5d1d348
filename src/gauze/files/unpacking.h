#pragma once

#include <memory>
#include <string>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"

namespace gauze {

/// Opens a file for reading; what is compressed by gzip or zstd is unpacked on the way. `-` is not known here.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_unpacked(const std::string& path);

/// The same for bytes of any source: gzip and zstd are recognised by their first bytes and unpacked, all else is passed
/// on. `name` begins messages.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> unpack(std::unique_ptr<ByteSource> source, std::string name);

}  // namespace gauze
