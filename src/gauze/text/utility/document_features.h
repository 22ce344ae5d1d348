#pragma once

#include "gauze/models/sparse_logistic.h"
#include "gauze/text/utility/tokenized_documents.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// Bag of words: a column a word of the vocabulary and a last one for anything else. An entry is the square root of how
/// often the document has the token, and each row is then divided by its length, so that long documents weigh no more than
/// short ones. A document without tokens is an empty row.
[[nodiscard]] models::SparseRows word_features(const DocumentBags& bags, std::size_t vocabulary);

/// The mean of the vectors of each document's words, divided by its length, one after the other, for cosines. What is not in
/// the vocabulary is passed over; the zero vector stays what it is. Sums are exact, so the order of words changes no bit.
[[nodiscard]] std::vector<double> unit_means(const DocumentBags& bags, const WordVectors& vectors);

}  // namespace gauze::text
