#pragma once

#include "gauze/models/sparse_logistic.h"
#include "gauze/text/utility/tokenized_documents.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// Bag of words: a column a word of the vocabulary and a last one for anything else. An entry is the square root of how
/// often the document has the token, and each row is then divided by its length, so that long documents weigh no more than
/// short ones. A document without tokens is an empty row.
[[nodiscard]] models::SparseRows word_features(const DocumentBags& bags, std::size_t vocabulary);

/// The mean of the vectors of a document's words, a column a dimension; what is not in the vocabulary is passed over. A
/// document without a known word is an empty row: the zero vector. The sums are exact, so the order of words changes no bit.
[[nodiscard]] models::SparseRows vector_features(const DocumentBags& bags, const WordVectors& vectors);

/// The same means divided by their length, one after the other, for cosines: the zero vector stays what it is.
[[nodiscard]] std::vector<double> unit_means(const DocumentBags& bags, const WordVectors& vectors);

}  // namespace gauze::text
