#pragma once
// The bytes of a .gvec file: docs/formats/vectors.md, field by field.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "gauze/text/vectors/internal/vector_storage.h"

namespace gauze::text::internal {

inline constexpr std::string_view kGvecMagic = "GAUZEVEC";
inline constexpr std::uint32_t kGvecVersion = 1;

/// As it lies in the file; all numbers are little-endian. The places of the sections follow from the counts.
struct GvecHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t header_bytes;
  std::uint64_t words;
  std::uint32_t dimensions;
  std::int32_t scale_bits;
  std::uint64_t word_bytes;
  std::uint64_t duplicates;
  std::uint64_t offsets_at;
  std::uint64_t words_at;
  std::uint64_t order_at;
  std::uint64_t norms_at;
  std::uint64_t vectors_at;
  std::uint64_t file_bytes;
  Digest index_digest;    ///< SHA-256 of [offsets_at, vectors_at)
  Digest vectors_digest;  ///< SHA-256 of [vectors_at, file_bytes)
  unsigned char reserved[64];
  Digest fingerprint;  ///< SHA-256 of the header up to here
};
static_assert(sizeof(GvecHeader) == 256);

/// The header for these vectors, with all digests.
[[nodiscard]] GvecHeader make_header(const VectorStorage& storage);

/// Maps a file. Header, index and every place they point to are checked; the vectors' digest is not (see check_vectors).
[[nodiscard]] Result<std::shared_ptr<const VectorStorage>> map_gvec(const std::string& path);
/// The same on bytes in memory, which must outlive the result and lie at a multiple of 8.
[[nodiscard]] Result<std::shared_ptr<const VectorStorage>> view_gvec(std::string_view bytes, const std::string& name);
/// The full check: digest of the vectors, norms, order.
[[nodiscard]] Result<void> check_vectors(const VectorStorage& storage, const std::string& name);

}  // namespace gauze::text::internal
