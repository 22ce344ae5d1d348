#include "gauze/text/utility/text_classifier.h"

#include <algorithm>

namespace gauze::text {

std::string_view to_string(TextModel model) { return model == TextModel::logistic ? "logistic" : "vectors"; }

models::SparseRows features(TextModel model, const DocumentBags& bags, const WordVectors& vectors) {
  return model == TextModel::logistic ? word_features(bags, vectors.size()) : vector_features(bags, vectors);
}

Result<TextClassifier> TextClassifier::train(const models::SparseRows& rows, std::span<const std::uint32_t> labels,
                                             std::size_t label_count, double l2) {
  GAUZE_CHECK(labels.size() == rows.size() && label_count >= 2);
  TextClassifier result;
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
    result.models_.push_back(std::move(model));
  }
  return result;
}

std::vector<std::uint32_t> TextClassifier::predict(const models::SparseRows& rows) const {
  std::vector<std::uint32_t> labels(rows.size(), 0);
  std::vector<double> best(rows.size(), models_.size() == 1 ? 0.5 : -1);
  for (std::size_t m = 0; m < models_.size(); ++m) {
    const std::vector<double> p = models_[m].probabilities(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!(p[i] > best[i])) continue;
      best[i] = p[i];
      labels[i] = static_cast<std::uint32_t>(models_.size() == 1 ? 1 : m);
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
