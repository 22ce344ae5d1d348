#include "gauze/text/utility/classification_study.h"

#include <algorithm>
#include <map>

#include "gauze/base/parallel.h"

namespace gauze::text {

namespace {

Result<void> check_counts(std::size_t documents, std::size_t labels, const char* set) {
  if (documents != labels)
    return make_error(ErrorCode::bad_data, "the {} set has {} texts but {} labels", set, documents, labels);
  if (documents == 0) return make_error(ErrorCode::bad_data, "the {} set has no documents", set);
  return {};
}

}  // namespace

Result<ClassificationTask> ClassificationTask::make(TokenizedDocuments train,
                                                    std::span<const std::string> train_labels,
                                                    TokenizedDocuments test,
                                                    std::span<const std::string> test_labels) {
  GAUZE_TRY_VOID(check_counts(train.size(), train_labels.size(), "training"));
  GAUZE_TRY_VOID(check_counts(test.size(), test_labels.size(), "test"));
  std::map<std::string_view, std::uint32_t> numbers;
  for (const std::string& label : train_labels) numbers.emplace(label, 0);
  if (numbers.size() < 2)
    return make_error(ErrorCode::bad_data, "the training set has one label only: there is nothing to tell apart");
  if (numbers.size() > kMostLabels)
    return make_error(ErrorCode::bad_data,
                      "the training set has {} different labels, at most {} are possible: is it the right column?",
                      numbers.size(), kMostLabels);
  ClassificationTask task;
  task.train = std::move(train);
  task.test = std::move(test);
  for (auto& [label, number] : numbers) {
    number = static_cast<std::uint32_t>(task.labels.size());
    task.labels.emplace_back(label);
  }
  std::vector<std::size_t> counts(task.labels.size(), 0);
  for (const std::string& label : train_labels) {
    task.train_labels.push_back(numbers.at(label));
    ++counts[task.train_labels.back()];
  }
  task.majority = static_cast<std::uint32_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  std::size_t majority_right = 0;
  for (const std::string& label : test_labels) {
    const auto place = numbers.emplace(label, static_cast<std::uint32_t>(numbers.size())).first;
    task.test_labels.push_back(place->second);
    task.unseen += place->second >= task.labels.size() ? 1 : 0;
    majority_right += place->second == task.majority ? 1 : 0;
  }
  task.majority_accuracy = static_cast<double>(majority_right) / static_cast<double>(test_labels.size());
  return task;
}

Result<ClassificationStudy> ClassificationStudy::make(const WordVectors& vectors, const ClassificationTask& task,
                                                      Options options, Progress& progress) {
  if (options.repetitions < 1)
    return invalid_parameter("repetitions must be at least 1, but are {}", options.repetitions);
  if (options.models.empty()) return invalid_parameter("a study needs at least one model");
  ClassificationStudy study(vectors, task, std::move(options));
  const std::size_t models = study.options_.models.size();
  std::vector<Result<TextClassifier>> trained(models, make_error(ErrorCode::internal, "not trained"));
  study.clean_clean_.resize(models);
  parallel_for(models, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t m = begin; m < end; ++m) {
      const TextModel model = study.options_.models[m];
      trained[m] = TextClassifier::train(model, task.train.clean(), vectors, task.train_labels, task.labels.size());
      if (trained[m]) study.clean_clean_[m] = agreement(trained[m]->predict(task.test.clean()), task.test_labels);
      progress.advance();
    }
  });
  GAUZE_TRY_VOID(progress.check());
  for (auto& one : trained) {
    GAUZE_TRY(TextClassifier classifier, std::move(one));
    study.clean_.push_back(std::move(classifier));
  }
  return study;
}

/// One repetition of sanitising.
struct ClassificationStudy::Copy {
  TokenizedDocuments::Sanitized train;
  TokenizedDocuments::Sanitized test;
};

/// One model in one repetition.
struct ClassificationStudy::Training {
  Agreement sanitized_clean;
  Agreement clean_sanitized;
  Agreement sanitized_sanitized;
  Result<void> error = {};
};

ClassificationStudy::Training ClassificationStudy::train(std::size_t model, const Copy& copy) const {
  Training result;
  const auto trained = TextClassifier::train(options_.models[model], copy.train.bags, *vectors_, task_->train_labels,
                                             task_->labels.size());
  if (!trained) {
    result.error = tl::unexpected<Error>(trained.error());
    return result;
  }
  result.sanitized_clean = agreement(trained->predict(task_->test.clean()), task_->test_labels);
  result.clean_sanitized = agreement(clean_[model].predict(copy.test.bags), task_->test_labels);
  result.sanitized_sanitized = agreement(trained->predict(copy.test.bags), task_->test_labels);
  return result;
}

ClassificationStudy::Cells ClassificationStudy::cells_of(std::size_t model,
                                                         std::span<const Training> repetitions) const {
  const auto cell = [&](Agreement Training::*which) {
    std::vector<double> accuracy;
    std::vector<double> balanced;
    for (const Training& one : repetitions) {
      accuracy.push_back((one.*which).accuracy);
      balanced.push_back((one.*which).balanced_accuracy);
    }
    return Cell{over_repetitions(accuracy), over_repetitions(balanced)};
  };
  Cells cells;
  cells.clean_clean = {over_repetitions(std::span(&clean_clean_[model].accuracy, 1)),
                       over_repetitions(std::span(&clean_clean_[model].balanced_accuracy, 1))};
  cells.sanitized_clean = cell(&Training::sanitized_clean);
  cells.clean_sanitized = cell(&Training::clean_sanitized);
  cells.sanitized_sanitized = cell(&Training::sanitized_sanitized);
  return cells;
}

Result<ClassificationStudy::Outcome> ClassificationStudy::run(WordReplacer& replacer, std::uint64_t seed,
                                                              Progress& progress) const {
  const auto repetitions = static_cast<std::size_t>(options_.repetitions);
  const std::size_t models = options_.models.size();
  const std::size_t at_once = (static_cast<std::size_t>(thread_count()) + models - 1) / models;
  std::vector<std::vector<Training>> trainings(models);
  std::uint64_t unchanged = 0;
  for (std::size_t begin = 0; begin < repetitions; begin += at_once) {
    std::vector<Copy> copies;
    for (std::size_t r = begin; r < std::min(begin + at_once, repetitions); ++r) {
      GAUZE_TRY_VOID(progress.check());
      GAUZE_TRY(auto sanitized_train, task_->train.sanitized(replacer, seed_of(seed, r, 0), progress));
      GAUZE_TRY(auto sanitized_test, task_->test.sanitized(replacer, seed_of(seed, r, 1), progress));
      unchanged += sanitized_train.unchanged + sanitized_test.unchanged;
      copies.push_back({std::move(sanitized_train), std::move(sanitized_test)});
      progress.advance();
    }
    for (auto& of_model : trainings) of_model.resize(begin + copies.size());
    parallel_for(models * copies.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last && !progress.stop_requested(); ++i) {
        trainings[i % models][begin + i / models] = train(i % models, copies[i / models]);
        progress.advance();
      }
    });
    GAUZE_TRY_VOID(progress.check());
  }
  Outcome outcome;
  for (std::size_t m = 0; m < models; ++m) {
    for (const Training& one : trainings[m]) GAUZE_TRY_VOID(one.error);
    outcome.models.push_back(cells_of(m, trainings[m]));
  }
  const double tokens = std::max(1.0, static_cast<double>(task_->train.tokens() + task_->test.tokens()));
  outcome.unchanged_share = (static_cast<double>(unchanged) / static_cast<double>(repetitions) +
                             static_cast<double>(task_->train.kept() + task_->test.kept())) /
                            tokens;
  outcome.masked_share = static_cast<double>(task_->train.masked() + task_->test.masked()) / tokens;
  return outcome;
}

}  // namespace gauze::text
