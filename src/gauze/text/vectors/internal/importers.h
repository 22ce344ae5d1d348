#pragma once

#include <cstdint>
#include <memory>

#include "gauze/base/progress.h"
#include "gauze/text/vectors/internal/byte_reader.h"
#include "gauze/text/vectors/internal/vector_storage.h"
#include "gauze/text/vectors/vector_format.h"

namespace gauze::text::internal {

using Imported = Result<std::shared_ptr<const VectorStorage>>;

/// Reads a raw file to its end, or to `limit` words (0: all). The format is not gvec.
[[nodiscard]] Imported import_vectors(ByteReader& reader, VectorFormat format, std::uint64_t limit,
                                      Progress* progress);

// One importer a format. Each names the line or the byte of what it refuses.
[[nodiscard]] Imported import_glove(ByteReader& reader, std::uint64_t limit, Progress& progress);
[[nodiscard]] Imported import_word2vec_text(ByteReader& reader, std::uint64_t limit, Progress& progress);
[[nodiscard]] Imported import_word2vec_binary(ByteReader& reader, std::uint64_t limit, Progress& progress);
[[nodiscard]] Imported import_fasttext_binary(ByteReader& reader, std::uint64_t limit, Progress& progress);
[[nodiscard]] Imported import_wink(ByteReader& reader, std::uint64_t limit, Progress& progress);

}  // namespace gauze::text::internal
