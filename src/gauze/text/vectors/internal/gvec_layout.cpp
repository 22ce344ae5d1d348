#include "gauze/text/vectors/internal/gvec_layout.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "gauze/files/sha256.h"

namespace gauze::text::internal {
namespace {

static_assert(std::endian::native == std::endian::little, ".gvec files are little-endian");

constexpr std::uint64_t kAlignment = 64;
std::uint64_t aligned(std::uint64_t place) { return (place + kAlignment - 1) / kAlignment * kAlignment; }

/// SHA-256 of sections, each of which begins at a multiple of the alignment.
class Hash {
 public:
  void add(const void* bytes, std::size_t size) {
    hash_.add({static_cast<const char*>(bytes), size});
    size_ += size;
  }
  /// Zeros up to the next section.
  void pad() {
    static constexpr char kZeros[kAlignment] = {};
    add(kZeros, aligned(size_) - size_);
  }
  [[nodiscard]] Digest digest() { return hash_.finish_bytes(); }

 private:
  Sha256 hash_;
  std::size_t size_ = 0;
};

Digest digest_of(const void* bytes, std::size_t size) {
  Hash hash;
  hash.add(bytes, size);
  return hash.digest();
}

/// Everything but the digests.
GvecHeader plain_header(std::uint64_t words, std::uint32_t dimensions, std::int32_t scale_bits,
                        std::uint64_t word_bytes, std::uint64_t duplicates) {
  GvecHeader header{};
  std::memcpy(header.magic, kGvecMagic.data(), sizeof(header.magic));
  header.version = kGvecVersion;
  header.header_bytes = sizeof(GvecHeader);
  header.words = words;
  header.dimensions = dimensions;
  header.scale_bits = scale_bits;
  header.word_bytes = word_bytes;
  header.duplicates = duplicates;
  header.offsets_at = sizeof(GvecHeader);
  header.words_at = aligned(header.offsets_at + (words + 1) * sizeof(std::uint32_t));
  header.order_at = aligned(header.words_at + word_bytes);
  header.norms_at = aligned(header.order_at + words * sizeof(std::uint32_t));
  header.vectors_at = aligned(header.norms_at + words * sizeof(std::uint64_t));
  header.file_bytes = header.vectors_at + words * dimensions * sizeof(std::int32_t);
  return header;
}

Digest fingerprint_of(const GvecHeader& header) { return digest_of(&header, offsetof(GvecHeader, fingerprint)); }

template <class T>
std::span<const T> section(std::string_view bytes, std::uint64_t place, std::uint64_t count) {
  return {reinterpret_cast<const T*>(bytes.data() + place), static_cast<std::size_t>(count)};
}

Result<GvecHeader> read_header(std::string_view bytes, const std::string& name) {
  const auto bad = [&](std::string_view what) {
    return make_error(ErrorCode::bad_data, "{}: the header of the vector file {}", name, what);
  };
  GvecHeader header;
  if (bytes.size() < sizeof(header)) return bad("ends too early");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (std::string_view(header.magic, sizeof(header.magic)) != kGvecMagic) return bad("has another mark");
  if (header.version != kGvecVersion) {
    return make_error(ErrorCode::bad_data, "{}: version {} of the format is not known, only {}; import it again",
                      name, header.version, kGvecVersion);
  }
  if (header.fingerprint != fingerprint_of(header)) return bad("does not match its checksum");
  if (header.words == 0 || header.words > kMostWords || header.dimensions == 0 ||
      header.dimensions > kMostDimensions || header.word_bytes > 0xFFFF'FFFFU || header.scale_bits < 0 ||
      header.scale_bits > kLargestScaleBits) {
    return bad("has counts that cannot be");
  }
  GvecHeader expected =
      plain_header(header.words, header.dimensions, header.scale_bits, header.word_bytes, header.duplicates);
  expected.index_digest = header.index_digest;
  expected.vectors_digest = header.vectors_digest;
  expected.fingerprint = header.fingerprint;
  if (std::memcmp(&expected, &header, sizeof(header)) != 0) return bad("has sections out of place");
  if (header.file_bytes != bytes.size()) {
    return make_error(ErrorCode::bad_data, "{}: the file has {} bytes, but its header says {}", name, bytes.size(),
                      header.file_bytes);
  }
  return header;
}

/// What a program would trip over, even if the digests are right.
Result<void> check_index(const VectorStorage& storage, const std::string& name) {
  const auto bad = [&](std::string_view what) {
    return make_error(ErrorCode::bad_data, "{}: the index of the vector file {}", name, what);
  };
  if (storage.offsets.front() != 0 || storage.offsets.back() != storage.words.size()) return bad("is damaged");
  for (std::size_t i = 0; i < storage.size(); ++i) {
    if (storage.offsets[i] >= storage.offsets[i + 1]) return bad("is damaged");
    if (storage.order[i] >= storage.size()) return bad("is damaged");
    if (storage.norms[i] > kLargestSquaredNorm) return bad("has a vector that is too long");
  }
  return {};
}

Result<void> fill(VectorStorage& storage, std::string_view bytes, const std::string& name) {
  GAUZE_TRY(const GvecHeader header, read_header(bytes, name));
  if (digest_of(bytes.data() + header.offsets_at, header.vectors_at - header.offsets_at) != header.index_digest) {
    return make_error(ErrorCode::bad_data, "{}: the index of the vector file does not match its checksum", name);
  }
  storage.dimensions = header.dimensions;
  storage.scale_bits = header.scale_bits;
  storage.duplicates = header.duplicates;
  storage.offsets = section<std::uint32_t>(bytes, header.offsets_at, header.words + 1);
  storage.words = bytes.substr(header.words_at, header.word_bytes);
  storage.order = section<std::uint32_t>(bytes, header.order_at, header.words);
  storage.norms = section<std::uint64_t>(bytes, header.norms_at, header.words);
  storage.values = section<std::int32_t>(bytes, header.vectors_at, header.words * header.dimensions);
  storage.fingerprint = header.fingerprint;
  return check_index(storage, name);
}

struct MappedStorage final : VectorStorage {
  ~MappedStorage() override {
    if (memory != MAP_FAILED) ::munmap(memory, bytes);
  }
  void* memory = MAP_FAILED;
  std::size_t bytes = 0;
};

struct ViewedStorage final : VectorStorage {};

}  // namespace

GvecHeader make_header(const VectorStorage& storage) {
  GvecHeader header =
      plain_header(storage.size(), storage.dimensions, storage.scale_bits, storage.words.size(), storage.duplicates);
  Hash index;
  index.add(storage.offsets.data(), storage.offsets.size_bytes());
  index.pad();
  index.add(storage.words.data(), storage.words.size());
  index.pad();
  index.add(storage.order.data(), storage.order.size_bytes());
  index.pad();
  index.add(storage.norms.data(), storage.norms.size_bytes());
  index.pad();
  header.index_digest = index.digest();
  header.vectors_digest = digest_of(storage.values.data(), storage.values.size_bytes());
  header.fingerprint = fingerprint_of(header);
  return header;
}

Result<std::shared_ptr<const VectorStorage>> view_gvec(std::string_view bytes, const std::string& name) {
  auto storage = std::make_shared<ViewedStorage>();
  GAUZE_TRY_VOID(fill(*storage, bytes, name));
  return storage;
}

Result<std::shared_ptr<const VectorStorage>> map_gvec(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return make_error(ErrorCode::io, "cannot open {}: {}", path, std::strerror(errno));
  struct stat status {};
  auto storage = std::make_shared<MappedStorage>();
  if (::fstat(descriptor, &status) == 0 && status.st_size > 0) {
    storage->bytes = static_cast<std::size_t>(status.st_size);
    storage->memory = ::mmap(nullptr, storage->bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  }
  ::close(descriptor);
  if (storage->memory == MAP_FAILED) return make_error(ErrorCode::io, "cannot map {} into memory", path);
  GAUZE_TRY_VOID(fill(*storage, {static_cast<const char*>(storage->memory), storage->bytes}, path));
  return storage;
}

Result<void> check_vectors(const VectorStorage& storage, const std::string& name) {
  const auto bad = [&](std::string_view what, std::size_t word) {
    return make_error(ErrorCode::bad_data, "{}: word {}: {}", name, word + 1, what);
  };
  for (std::size_t i = 0; i < storage.size(); ++i) {
    // 32-bit values of at most 2^16 dimensions: the sum may not fit 64 bits in a file that was made to deceive.
    unsigned __int128 norm = 0;
    for (const std::int32_t value : storage.row(i)) norm += static_cast<std::uint64_t>(std::int64_t{value} * value);
    if (norm != storage.norms[i]) return bad("its vector does not match its norm", i);
    if (i > 0 && storage.word(storage.order[i - 1]) >= storage.word(storage.order[i])) {
      return bad("the index is not in order", i);
    }
  }
  if (make_header(storage).fingerprint != storage.fingerprint) {
    return make_error(ErrorCode::bad_data, "{}: the vectors do not match their checksum", name);
  }
  return {};
}

}  // namespace gauze::text::internal
