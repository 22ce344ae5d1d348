#pragma once
// A small vocabulary and mechanisms on it, for the tests of utility/.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gauze/text/metric/word_metric.h"
#include "gauze/text/sanitize/word_replacer.h"
#include "gauze/text/utility/tokenized_documents.h"

namespace gauze::text::testing {

/// Eight words in four directions, two each: good great bad awful film movie the was.
inline WordVectors review_words() {
  const std::vector<std::string> words = {"good", "great", "bad", "awful", "film", "movie", "the", "was"};
  const std::vector<float> values = {3, 0, 0, 0, 3.5F, 0, 0, 0, 0, 3, 0, 0, 0, 3.5F, 0, 0,
                                     0, 0, 3, 0, 0,    0, 4, 0, 0, 0, 0, 3, 0, 0,    0, 4};
  return WordVectors::make(words, values).value();
}

inline TokenizedDocuments tokenized(const WordVectors& vectors, const std::vector<std::string>& texts,
                                    const SanitizePolicy& policy = {}) {
  auto made = TokenizedDocuments::make(vectors, nullptr, policy, texts, "texts");
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

/// SanText with what it needs to stay alive.
class SanText {
 public:
  SanText(const WordVectors& vectors, const char* epsilon) {
    SoftmaxMechanism::Options options;
    options.epsilon = Rational::parse(epsilon).value();
    mechanism_ = std::make_unique<SoftmaxMechanism>(
        SoftmaxMechanism::make(WordMetric::make(vectors).value(), options).value());
    replacer_ = std::make_unique<SoftmaxReplacer>(*mechanism_, std::size_t{1} << 20);
  }
  [[nodiscard]] WordReplacer& replacer() { return *replacer_; }

 private:
  std::unique_ptr<SoftmaxMechanism> mechanism_;
  std::unique_ptr<SoftmaxReplacer> replacer_;
};

}  // namespace gauze::text::testing
