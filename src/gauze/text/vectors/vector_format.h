#pragma once

#include <optional>
#include <string_view>

namespace gauze::text {

/// The files that word vectors come in; docs/formats/vectors.md says how each is told from the others.
enum class VectorFormat {
  glove,            ///< text, no header; a word may hold blanks
  word2vec_text,    ///< text with the header "count dimensions"; fastText's .vec is the same
  word2vec_binary,  ///< the same header, then a word, a blank and the values as float32
  fasttext_binary,  ///< fastText's .bin: a word's vector is the mean of its own row and those of its n-grams
  wink_json,        ///< the npm packages wink-embeddings-*: one JSON document
  gvec,             ///< Gauze's own memory-mapped file
};

/// As in `--format`: glove, word2vec, word2vec-binary, fasttext-binary, wink, gvec.
[[nodiscard]] std::string_view to_string(VectorFormat format);
/// The format of a name ("fasttext" is "word2vec"), or nothing.
[[nodiscard]] std::optional<VectorFormat> parse_vector_format(std::string_view name);

/// What a file is, judged by its beginning (after gzip).
[[nodiscard]] VectorFormat detect_vector_format(std::string_view beginning);

}  // namespace gauze::text
