#include "gauze/text/vectors/word_vectors.h"

#include <algorithm>
#include <cmath>

#include "gauze/files/atomic_file.h"
#include "gauze/files/unpacking.h"
#include "gauze/text/vectors/internal/byte_reader.h"
#include "gauze/text/vectors/internal/gvec_layout.h"
#include "gauze/text/vectors/internal/importers.h"
#include "gauze/text/vectors/word_form.h"

namespace gauze::text {

using internal::VectorBuilder;
using internal::VectorStorage;

namespace {

/// The beginning of other vectors, on the same grid.
struct FirstWords final : VectorStorage {
  std::shared_ptr<const VectorStorage> whole;
  std::vector<std::uint32_t> own_order;
};

}  // namespace

WordVectors::WordVectors(std::shared_ptr<const VectorStorage> storage) : storage_(std::move(storage)) {}

Result<WordVectors> WordVectors::open(const std::string& path, const Options& options) {
  GAUZE_TRY(auto source, open_unpacked(path));
  internal::ByteReader reader(*source, path);
  GAUZE_TRY(const std::string_view beginning, reader.peek());
  const VectorFormat format = options.format.value_or(detect_vector_format(beginning));
  if (format != VectorFormat::gvec) {
    GAUZE_TRY(auto storage, internal::import_vectors(reader, format, options.limit, options.progress));
    return WordVectors(std::move(storage));
  }
  GAUZE_TRY(auto storage, internal::map_gvec(path));
  WordVectors vectors(std::move(storage));
  vectors.name_ = path;
  if (options.limit == 0 || options.limit >= vectors.size()) return vectors;
  return vectors.first_words(options.limit);
}

Result<WordVectors> WordVectors::read(std::unique_ptr<ByteSource> source, const std::string& name,
                                      const Options& options) {
  GAUZE_TRY(const auto unpacked, unpack(std::move(source), name));
  internal::ByteReader reader(*unpacked, name);
  GAUZE_TRY(const std::string_view beginning, reader.peek());
  const VectorFormat format = options.format.value_or(detect_vector_format(beginning));
  if (format == VectorFormat::gvec) {
    return invalid_parameter("{}: a .gvec must be a file of its own, not compressed and not a stream", name);
  }
  GAUZE_TRY(auto storage, internal::import_vectors(reader, format, options.limit, options.progress));
  return WordVectors(std::move(storage));
}

Result<WordVectors> WordVectors::make(std::span<const std::string> words, std::span<const float> values) {
  if (words.empty() || values.empty() || values.size() % words.size() != 0 ||
      values.size() / words.size() > internal::kMostDimensions) {
    return invalid_parameter("{} values cannot be shared out to {} words", values.size(), words.size());
  }
  const std::size_t dimensions = values.size() / words.size();
  VectorBuilder builder(static_cast<std::uint32_t>(dimensions));
  for (std::size_t i = 0; i < words.size(); ++i) {
    GAUZE_TRY_VOID(builder.add(words[i], values.subspan(i * dimensions, dimensions)));
  }
  GAUZE_TRY(auto storage, builder.finish("vectors"));
  return WordVectors(std::move(storage));
}

WordVectors WordVectors::first_words(std::uint64_t limit) const {
  auto part = std::make_shared<FirstWords>();
  const std::size_t count = std::min<std::size_t>(limit, size());
  part->whole = storage_;
  part->dimensions = storage_->dimensions;
  part->scale_bits = storage_->scale_bits;
  part->offsets = storage_->offsets.first(count + 1);
  part->words = storage_->words.substr(0, part->offsets.back());
  part->norms = storage_->norms.first(count);
  part->values = storage_->values.first(count * dimensions());
  for (const std::uint32_t word : storage_->order) {
    if (word < count) part->own_order.push_back(word);
  }
  part->order = part->own_order;
  part->fingerprint = internal::make_header(*part).fingerprint;
  WordVectors vectors(std::move(part));
  vectors.name_ = name_;
  return vectors;
}

Result<void> WordVectors::write(const std::string& path) const {
  GAUZE_TRY(AtomicFile file, AtomicFile::create(path));
  const internal::GvecHeader header = internal::make_header(*storage_);
  std::uint64_t written = 0;
  const auto put = [&](const void* bytes, std::size_t size) {
    written += size;
    return file.write({static_cast<const char*>(bytes), size});
  };
  const auto pad_to = [&](std::uint64_t place) {
    return put(std::string(place - written, '\0').data(), place - written);
  };
  GAUZE_TRY_VOID(put(&header, sizeof(header)));
  GAUZE_TRY_VOID(put(storage_->offsets.data(), storage_->offsets.size_bytes()));
  GAUZE_TRY_VOID(pad_to(header.words_at));
  GAUZE_TRY_VOID(put(storage_->words.data(), storage_->words.size()));
  GAUZE_TRY_VOID(pad_to(header.order_at));
  GAUZE_TRY_VOID(put(storage_->order.data(), storage_->order.size_bytes()));
  GAUZE_TRY_VOID(pad_to(header.norms_at));
  GAUZE_TRY_VOID(put(storage_->norms.data(), storage_->norms.size_bytes()));
  GAUZE_TRY_VOID(pad_to(header.vectors_at));
  constexpr std::size_t kPiece = 1 << 20;  // values a write
  for (std::size_t i = 0; i < storage_->values.size(); i += kPiece) {
    const auto piece = storage_->values.subspan(i, std::min(kPiece, storage_->values.size() - i));
    GAUZE_TRY_VOID(put(piece.data(), piece.size_bytes()));
  }
  return file.commit();
}

Result<void> WordVectors::check() const {
  return internal::check_vectors(*storage_, name_.empty() ? "vectors" : name_);
}

std::size_t WordVectors::size() const { return storage_->size(); }
std::size_t WordVectors::dimensions() const { return storage_->dimensions; }
int WordVectors::scale_bits() const { return storage_->scale_bits; }
std::uint64_t WordVectors::duplicates() const { return storage_->duplicates; }
std::string_view WordVectors::word(std::size_t i) const { return storage_->word(i); }
std::span<const std::int32_t> WordVectors::fixed_row(std::size_t i) const { return storage_->row(i); }
std::uint64_t WordVectors::squared_norm(std::size_t i) const { return storage_->norms[i]; }

std::string WordVectors::fingerprint() const {
  std::string text;
  for (const unsigned char byte : storage_->fingerprint) text += fmt::format("{:02x}", byte);
  return text;
}

std::optional<std::uint32_t> WordVectors::find(std::string_view word) const {
  const Result<std::string> form = normal_form(word);
  if (!form) return std::nullopt;
  const auto order = storage_->order;
  const auto place =
      std::lower_bound(order.begin(), order.end(), *form,
                       [this](std::uint32_t i, const std::string& w) { return storage_->word(i) < w; });
  if (place == order.end() || storage_->word(*place) != *form) return std::nullopt;
  return *place;
}

double WordVectors::largest_norm() const {
  const std::uint64_t largest = *std::max_element(storage_->norms.begin(), storage_->norms.end());
  return std::ldexp(std::sqrt(static_cast<double>(largest)), -scale_bits());
}

void WordVectors::copy_doubles(std::size_t first, std::size_t count, double* out) const {
  for (const std::int32_t value : storage_->values.subspan(first * dimensions(), count * dimensions()))
    *out++ = value;
}

void WordVectors::copy_floats(std::size_t first, std::size_t count, float* out) const {
  const float unit = std::ldexp(1.0F, -scale_bits());
  for (const std::int32_t value : storage_->values.subspan(first * dimensions(), count * dimensions())) {
    *out++ = static_cast<float>(value) * unit;
  }
}

Json to_json(const WordVectors& vectors) {
  return Json::object({{"words", vectors.size()},
                       {"dimensions", vectors.dimensions()},
                       {"scale_bits", vectors.scale_bits()},
                       {"largest_norm", vectors.largest_norm()},
                       {"duplicates", vectors.duplicates()},
                       {"fingerprint", vectors.fingerprint()}});
}

}  // namespace gauze::text
