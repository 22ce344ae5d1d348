#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/models/sparse_logistic.h"
#include "gauze/text/utility/trained_vectors.h"

namespace gauze::text {

/// What a text is to a classifier.
enum class TextModel {
  logistic,  ///< its words: word_features()
  vectors,   ///< the mean of its word vectors, which are trained: TrainedVectors
};
[[nodiscard]] std::string_view to_string(TextModel model);

/// Tells labels of texts apart. `logistic`: logistic regression with an L2 penalty (models/sparse_logistic.h), one model for
/// two labels, one of each label against the rest for more; the largest probability wins, the first of equals.
///
/// Not covered    : privacy. The classifier depends on its training data like any other statistic.
/// Thread safety  : training is single-threaded, const members may be called concurrently.
class TextClassifier {
 public:
  /// The usual penalty. On movie reviews (SST-2, 67,349 to learn from, 1,821 to test on) any of 0.3 and 1, with entries of 0
  /// or 1, counts or their roots in rows of length one, gives an accuracy of 0.785 to 0.792, where the standard error is
  /// 0.010.
  static constexpr double kL2 = 1;

  /// labels[i] is below label_count, which is at least 2 (GAUZE_CHECK).
  [[nodiscard]] static Result<TextClassifier> train(TextModel model, const DocumentBags& bags,
                                                    const WordVectors& vectors, std::span<const std::uint32_t> labels,
                                                    std::size_t label_count, double l2 = kL2);
  /// The label of each text.
  [[nodiscard]] std::vector<std::uint32_t> predict(const DocumentBags& bags) const;

 private:
  explicit TextClassifier(std::size_t vocabulary) : vocabulary_(vocabulary) {}
  [[nodiscard]] Result<void> train_words(const DocumentBags& bags, std::span<const std::uint32_t> labels,
                                         std::size_t label_count, double l2);
  [[nodiscard]] std::vector<std::uint32_t> predict_by_words(const DocumentBags& bags) const;

  std::size_t vocabulary_;
  std::vector<models::SparseLogistic> by_words_;  ///< of label 1, or of every label
  std::optional<TrainedVectors> by_vectors_;
};

/// How often predictions are right.
struct Agreement {
  double accuracy = 0;
  double balanced_accuracy = 0;  ///< the mean, over the labels that occur in `truth`, of the share that is found
};
/// Both have one entry a text, at least one.
[[nodiscard]] Agreement agreement(std::span<const std::uint32_t> predicted, std::span<const std::uint32_t> truth);

}  // namespace gauze::text
