#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/files/byte_source.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// How often each word of a public vocabulary occurs in a public corpus.
class WordFrequencies {
 public:
  /// Reads a list of lines "word count" (blanks or a tab between them, gzip allowed; a word may hold blanks; blank lines
  /// are passed over). Words that are not in the vocabulary are counted in `others`; equal ones, in normal form, add up.
  [[nodiscard]] static Result<WordFrequencies> open(const std::string& path, const WordVectors& vectors);
  [[nodiscard]] static Result<WordFrequencies> read(std::unique_ptr<ByteSource> source, const std::string& name,
                                                    const WordVectors& vectors);

  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }  ///< by word; absent: 0
  [[nodiscard]] std::uint64_t others() const { return others_; }                      ///< occurrences of other words

  /// The ceil(share |V|) least frequent words; of equally frequent ones the later in the vector file is rarer. The share
  /// is exact: 0.9 of 10 words are 9. It must be above 0 and at most 1.
  [[nodiscard]] Result<std::vector<bool>> least_frequent(const Rational& share) const;
  /// The share of the corpus, by occurrences, that SanText+ is expected to print as it is: (1 - p) times the share of the
  /// words that are not sensitive. Public, from p, w and the public list alone; words outside the vocabulary left out.
  [[nodiscard]] double expected_pass_through(const std::vector<bool>& sensitive, const Rational& p) const;

 private:
  std::vector<std::uint64_t> counts_;
  std::uint64_t others_ = 0;
};

/// The words that santext+ protects, and which public list says so.
struct SensitiveWords {
  std::vector<bool> marked = {};                            ///< by word
  std::string list_sha256 = {};                             ///< of the file of the list, in hexadecimal
  std::optional<Rational> w = {};                           ///< the share of words, of a list with counts
  std::shared_ptr<const WordFrequencies> frequencies = {};  ///< that list

  /// The least frequent words of a list of words and counts: a share w of the vocabulary.
  [[nodiscard]] static Result<SensitiveWords> least_frequent(const std::string& path, const Rational& w,
                                                             const WordVectors& vectors);
  /// The words of a list, one a line; `bad_data` when the vocabulary has none of them.
  [[nodiscard]] static Result<SensitiveWords> listed(const std::string& path, const WordVectors& vectors);
};

}  // namespace gauze::text
