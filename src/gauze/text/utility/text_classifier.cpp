#include "gauze/text/utility/text_classifier.h"

#include <algorithm>

#include "gauze/text/utility/document_features.h"

namespace gauze::text {

std::string_view to_string(TextModel model) { return model == TextModel::logistic ? "logistic" : "vectors"; }

Result<TextClassifier> TextClassifier::train(TextModel model, const DocumentBags& bags, const WordVectors& vectors,
                                             std::span<const std::uint32_t> labels, std::size_t label_count,
                                             double l2) {
  GAUZE_CHECK(labels.size() == bags.size() && label_count >= 2);
  TextClassifier result(vectors.size());
  if (model == TextModel::vectors)
    result.by_vectors_ = TrainedVectors::train(bags, labels, label_count, vectors);
  else {
    GAUZE_TRY_VOID(result.train_words(bags, labels, label_count, l2));
  }
  return result;
}

Result<void> TextClassifier::train_words(const DocumentBags& bags, std::span<const std::uint32_t> labels,
                                         std::size_t label_count, double l2) {
  const models::SparseRows rows = word_features(bags, vocabulary_);
  models::SparseLogistic::Options options;
  options.l2 = l2;
  options.max_iterations = 300;
  options.tolerance = 1e-3;  // of coefficients of size 1 to 10: labels do not change below it
  std::vector<double> positive(rows.size());
  std::vector<double> negative(rows.size());
  for (std::size_t label = label_count == 2 ? 1 : 0; label < label_count; ++label) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      positive[i] = labels[i] == label ? 1 : 0;
      negative[i] = 1 - positive[i];
    }
    GAUZE_TRY(models::SparseLogistic model, models::SparseLogistic::train(rows, positive, negative, options));
    by_words_.push_back(std::move(model));
  }
  return {};
}

std::vector<std::uint32_t> TextClassifier::predict(const DocumentBags& bags) const {
  return by_vectors_ ? by_vectors_->predict(bags) : predict_by_words(bags);
}

std::vector<std::uint32_t> TextClassifier::predict_by_words(const DocumentBags& bags) const {
  const models::SparseRows rows = word_features(bags, vocabulary_);
  std::vector<std::uint32_t> labels(rows.size(), 0);
  std::vector<double> best(rows.size(), by_words_.size() == 1 ? 0.5 : -1);
  for (std::size_t m = 0; m < by_words_.size(); ++m) {
    const std::vector<double> p = by_words_[m].probabilities(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!(p[i] > best[i])) continue;
      best[i] = p[i];
      labels[i] = static_cast<std::uint32_t>(by_words_.size() == 1 ? 1 : m);
    }
  }
  return labels;
}

Agreement agreement(std::span<const std::uint32_t> predicted, std::span<const std::uint32_t> truth) {
  GAUZE_CHECK(predicted.size() == truth.size() && !truth.empty());
  const std::size_t labels = *std::max_element(truth.begin(), truth.end()) + std::size_t{1};
  std::vector<double> all(labels, 0);
  std::vector<double> right(labels, 0);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    all[truth[i]] += 1;
    right[truth[i]] += predicted[i] == truth[i] ? 1 : 0;
  }
  Agreement result;
  double occurring = 0;
  for (std::size_t label = 0; label < labels; ++label) {
    if (all[label] == 0) continue;
    occurring += 1;
    result.accuracy += right[label];
    result.balanced_accuracy += right[label] / all[label];
  }
  result.accuracy /= static_cast<double>(truth.size());
  result.balanced_accuracy /= occurring;
  return result;
}

}  // namespace gauze::text
