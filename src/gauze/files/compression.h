#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"

namespace gauze {

enum class Compression { none, gzip, zstd };

/// By the first bytes of a file.
[[nodiscard]] Compression sniff_compression(std::string_view beginning);
/// By the end of a name: .gz, .zst.
[[nodiscard]] Compression compression_of_name(std::string_view name);

/// What a compressed source holds, also when it was compressed in several pieces. A damaged or cut source is `bad_data`.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> decompress(std::unique_ptr<ByteSource> source,
                                                             Compression compression, std::string name);

/// One piece of compressed output; pieces one after the other are a whole file.
[[nodiscard]] Result<std::string> compress_piece(std::string_view text, Compression compression);

}  // namespace gauze
