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

/// The same for bytes in memory: at most so many come out, else `bad_data`.
[[nodiscard]] Result<std::string> unpacked_bytes(std::string bytes, const std::string& name, std::size_t most);

}  // namespace gauze
