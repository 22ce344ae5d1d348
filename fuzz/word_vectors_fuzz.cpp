// Any bytes are word vectors or an error, in whatever format they are taken for; what is read, written and opened again
// is the same.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include "gauze/text/vectors/word_vectors.h"

using namespace gauze;
using namespace gauze::text;

namespace {

void try_format(std::string_view bytes, std::optional<VectorFormat> format, std::uint64_t limit) {
  WordVectors::Options options;
  options.format = format;
  options.limit = limit;
  const auto vectors = WordVectors::read(std::make_unique<TextSource>(bytes), "x", options);
  if (!vectors) return;
  if (vectors->size() == 0 || vectors->dimensions() == 0 || (limit != 0 && vectors->size() > limit)) std::abort();
  if (!vectors->check()) std::abort();
  for (std::size_t i = 0; i < vectors->size(); ++i) {
    if (vectors->find(vectors->word(i)) != i) std::abort();
    if (vectors->squared_norm(i) > std::uint64_t{1} << 50) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_format(bytes, std::nullopt, 0);
  try_format(bytes, std::nullopt, 2);
  for (const VectorFormat format : {VectorFormat::glove, VectorFormat::word2vec_text, VectorFormat::word2vec_binary,
                                    VectorFormat::fasttext_binary, VectorFormat::wink_json}) {
    try_format(bytes, format, 0);
  }
  return 0;
}
