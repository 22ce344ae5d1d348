#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/text/utility/repetitions.h"
#include "gauze/text/utility/text_classifier.h"
#include "gauze/text/utility/tokenized_documents.h"

namespace gauze::text {

/// Texts with labels, to learn from and to test on.
struct ClassificationTask {
  static constexpr std::size_t kMostLabels = 50;

  std::vector<std::string> labels;  ///< those of the training set, sorted by their bytes; 2 to kMostLabels
  TokenizedDocuments train;
  TokenizedDocuments test;
  std::vector<std::uint32_t> train_labels;
  std::vector<std::uint32_t> test_labels;  ///< labels.size() and above: a label that the training set does not have
  std::size_t unseen = 0;                  ///< test documents with such a label: no classifier gets them right
  std::uint32_t majority = 0;              ///< the most frequent training label, the first of equals
  double majority_accuracy = 0;            ///< of always answering it, on the test set

  /// Refuses (`bad_data`) sets without documents, as many labels as there are no documents for, one label only and more
  /// than kMostLabels.
  [[nodiscard]] static Result<ClassificationTask> make(TokenizedDocuments train,
                                                       std::span<const std::string> train_labels,
                                                       TokenizedDocuments test,
                                                       std::span<const std::string> test_labels);
};

/// How well classifiers do when they are trained on clean or on sanitised texts and asked about clean or sanitised ones: the
/// experiment of Feyisetan et al. (2020) and Yue et al. (2021) with linear models in the place of neural networks.
///
/// Training and test set are sanitised independently, anew in every repetition; the figures compare with the clean texts and
/// are for the owner's eyes. The result does not depend on the number of threads.
class ClassificationStudy {
 public:
  struct Options {
    std::vector<TextModel> models = {TextModel::logistic, TextModel::vectors};
    int repetitions = 3;  ///< at least 1
  };
  struct Cell {
    RepeatedFigure accuracy;
    RepeatedFigure balanced_accuracy;
  };
  /// Named by what is trained on, then by what is tested on.
  struct Cells {
    Cell clean_clean;  ///< the same whatever is drawn
    Cell sanitized_clean;
    Cell clean_sanitized;
    Cell sanitized_sanitized;
  };
  struct Outcome {
    std::vector<Cells> models;   ///< in the order of the options
    double unchanged_share = 0;  ///< of all tokens, those that read as before: drawn as themselves, or kept
    double masked_share = 0;     ///< of all tokens, those that are masked or dropped
  };

  /// Trains on the clean texts. Vectors and task must outlive the study. `progress` advances by one a model here, and in a
  /// run by one for every sanitising and every training.
  [[nodiscard]] static Result<ClassificationStudy> make(const WordVectors& vectors, const ClassificationTask& task,
                                                        Options options, Progress& progress);

  /// Sanitises with this mechanism, all draws from this seed. Holds as many sanitised copies as keep the threads busy,
  /// however many repetitions there are. `interrupted` soon after a stop was asked for.
  [[nodiscard]] Result<Outcome> run(WordReplacer& replacer, std::uint64_t seed, Progress& progress) const;

 private:
  struct Copy;
  struct Training;
  [[nodiscard]] Training train(std::size_t model, const Copy& copy) const;
  [[nodiscard]] Cells cells_of(std::size_t model, std::span<const Training> repetitions) const;
  ClassificationStudy(const WordVectors& vectors, const ClassificationTask& task, Options options)
      : vectors_(&vectors), task_(&task), options_(std::move(options)) {}

  const WordVectors* vectors_;
  const ClassificationTask* task_;
  Options options_;
  std::vector<TextClassifier> clean_;  ///< a model each
  std::vector<Agreement> clean_clean_;
};

}  // namespace gauze::text
