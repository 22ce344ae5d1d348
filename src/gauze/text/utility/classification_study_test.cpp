#include "gauze/text/utility/classification_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/base/parallel.h"
#include "gauze/text/testing/utility_testing.h"

namespace gauze::text {
namespace classification_study_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::review_words;
using testing::SanText;
using testing::tokenized;
using Outcome = ClassificationStudy::Outcome;

class Study : public ::testing::Test {
 protected:
  WordVectors vectors_ = review_words();
  Progress progress_;

  /// `count` reviews, good and bad in turn, of four words: two of them say which.
  [[nodiscard]] ClassificationTask reviews(std::size_t train, std::size_t test) const {
    const auto texts = [](std::size_t count) {
      std::vector<std::string> list;
      for (std::size_t i = 0; i < count; ++i)
        list.emplace_back(i % 2 == 0 ? "the film was good, great" : "awful, the movie was bad");
      return list;
    };
    const auto labels = [](std::size_t count) {
      std::vector<std::string> list;
      for (std::size_t i = 0; i < count; ++i) list.emplace_back(i % 2 == 0 ? "yes" : "no");
      return list;
    };
    auto task = ClassificationTask::make(tokenized(vectors_, texts(train)), labels(train),
                                         tokenized(vectors_, texts(test)), labels(test));
    EXPECT_TRUE(task) << task.error().message;
    return *std::move(task);
  }

  Outcome run(const ClassificationTask& task, const char* epsilon, std::uint64_t seed, int repetitions = 3) {
    auto study = ClassificationStudy::make(
        vectors_, task, {.models = {TextModel::logistic, TextModel::vectors}, .repetitions = repetitions}, progress_);
    EXPECT_TRUE(study) << study.error().message;
    SanText mechanism(vectors_, epsilon);
    auto outcome = study->run(mechanism.replacer(), seed, progress_);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return *std::move(outcome);
  }

  [[nodiscard]] Result<ClassificationTask> task_of(const std::vector<std::string>& train_labels,
                                                   const std::vector<std::string>& test_labels) const {
    return ClassificationTask::make(
        tokenized(vectors_, std::vector<std::string>(train_labels.size(), "good")), train_labels,
        tokenized(vectors_, std::vector<std::string>(test_labels.size(), "good")), test_labels);
  }
};

std::vector<double> figures(const Outcome& outcome) {
  std::vector<double> all = {outcome.unchanged_share, outcome.masked_share};
  for (const auto& cells : outcome.models)
    for (const auto* cell :
         {&cells.clean_clean, &cells.sanitized_clean, &cells.clean_sanitized, &cells.sanitized_sanitized})
      all.insert(all.end(),
                 {cell->accuracy.mean, cell->accuracy.low, cell->accuracy.high, cell->balanced_accuracy.mean,
                  cell->balanced_accuracy.low, cell->balanced_accuracy.high});
  return all;
}

TEST_F(Study, WithAHugeEpsilonAllCellsAreTheCleanOne) {
  const auto task = reviews(40, 10);
  const Outcome outcome = run(task, "1000", 1);
  ASSERT_EQ(outcome.models.size(), 2U);
  for (const auto& cells : outcome.models) {
    EXPECT_EQ(cells.clean_clean.accuracy.mean, 1) << "the reviews can be told apart";
    for (const auto* cell : {&cells.sanitized_clean, &cells.clean_sanitized, &cells.sanitized_sanitized}) {
      EXPECT_EQ(cell->accuracy.mean, cells.clean_clean.accuracy.mean);
      EXPECT_EQ(cell->balanced_accuracy.mean, cells.clean_clean.balanced_accuracy.mean);
      EXPECT_EQ(cell->accuracy.low, cell->accuracy.high);
    }
  }
  EXPECT_EQ(outcome.unchanged_share, 1);
  EXPECT_EQ(outcome.masked_share, 0);
}

// With epsilon 1e-6 every word is drawn almost uniformly: what a sanitised test text reads says nothing of its label, so the
// number of right answers is a sum of 2,000 independent yes-or-noes with mean 1,000, whatever the classifier. By Hoeffding
// it is off by more than 0.062 of them with probability 2 exp(-2 * 2000 * 0.062^2) < 5e-7: over four cells 2e-6 of false
// alarms, if the seed were not fixed. A mechanism that leaves a fifth of the words as they were moves it by 0.12.
TEST_F(Study, WithATinyEpsilonSanitisedTestsAreGuesses) {
  const auto task = reviews(2000, 2000);
  const Outcome outcome = run(task, "1e-6", 3, 1);
  for (const auto& cells : outcome.models) {
    EXPECT_EQ(cells.clean_clean.accuracy.mean, 1);
    EXPECT_NEAR(cells.clean_sanitized.accuracy.mean, 0.5, 0.062);
    EXPECT_NEAR(cells.sanitized_sanitized.accuracy.mean, 0.5, 0.062);
  }
  EXPECT_NEAR(outcome.unchanged_share, 1.0 / 8, 0.02) << "20,000 words of eight";
}

// A classifier trained on noise still has some answer for a clean text: as often the right one as the wrong one, since draws
// that do not depend on the label treat both alike. Of 60 independent trainings (values in [0, 1]) the mean is off from 1/2 by
// more than 0.35 with probability 2 exp(-2 * 60 * 0.35^2) < 1e-6 by Hoeffding.
TEST_F(Study, WithATinyEpsilonTrainingLearnsNothing) {
  const auto task = reviews(40, 10);
  const Outcome outcome = run(task, "1e-6", 5, 60);
  for (const auto& cells : outcome.models) EXPECT_NEAR(cells.sanitized_clean.accuracy.mean, 0.5, 0.35);
}

TEST_F(Study, SeedsRepeatWhateverTheThreads) {
  const auto task = reviews(60, 30);
  set_thread_count(1);
  const auto one = figures(run(task, "0.5", 9));
  set_thread_count(4);
  const auto four = figures(run(task, "0.5", 9));
  set_thread_count(0);
  EXPECT_EQ(one, four);
  EXPECT_NE(one, figures(run(task, "0.5", 10)));
}

TEST_F(Study, RepetitionsDiffer) {
  const auto task = reviews(60, 30);
  const Outcome outcome = run(task, "0.5", 2, 8);
  EXPECT_LT(outcome.models[0].clean_sanitized.accuracy.low, outcome.models[0].clean_sanitized.accuracy.high);
  const auto& cell = outcome.models[0].clean_sanitized.accuracy;
  EXPECT_LE(cell.low, cell.mean);
  EXPECT_GE(cell.high, cell.mean);
}

TEST_F(Study, StopsWhenAsked) {
  const auto task = reviews(10, 10);
  const auto study = ClassificationStudy::make(vectors_, task, {}, progress_);
  ASSERT_TRUE(study);
  progress_.request_stop();
  SanText mechanism(vectors_, "1");
  const auto stopped = study->run(mechanism.replacer(), 1, progress_);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

TEST_F(Study, CountsItsSteps) {
  std::uint64_t last = 0;
  Progress counting([&](const Progress::Report& report) { last = std::max(last, report.done); });
  const auto task = reviews(10, 10);
  counting.begin("training", 2 + 9);  // two models; three repetitions: sanitising, and two models
  const auto study = ClassificationStudy::make(vectors_, task, {}, counting);
  ASSERT_TRUE(study);
  SanText mechanism(vectors_, "1");
  ASSERT_TRUE(study->run(mechanism.replacer(), 1, counting));
  EXPECT_EQ(last, 11U);
}

TEST_F(Study, RefusesNoRepetitionAndNoModel) {
  const auto task = reviews(10, 10);
  EXPECT_EQ(ClassificationStudy::make(vectors_, task, {.repetitions = 0}, progress_).error().code,
            ErrorCode::invalid_parameter);
  EXPECT_EQ(ClassificationStudy::make(vectors_, task, {.models = {}}, progress_).error().code,
            ErrorCode::invalid_parameter);
}

TEST_F(Study, TheTaskSortsLabelsAndKnowsTheMajority) {
  const auto task = task_of({"b", "c", "b", "a"}, {"b", "a", "z", "b", "y", "z"});
  ASSERT_TRUE(task);
  EXPECT_THAT(task->labels, ElementsAre("a", "b", "c"));
  EXPECT_THAT(task->train_labels, ElementsAre(1, 2, 1, 0));
  EXPECT_EQ(task->majority, 1U);
  EXPECT_DOUBLE_EQ(task->majority_accuracy, 2.0 / 6);
  EXPECT_EQ(task->unseen, 3U);
  EXPECT_THAT(task->test_labels, ElementsAre(1, 0, 3, 1, 4, 3)) << "labels that nobody can learn";
  EXPECT_EQ(task_of({"b", "a"}, {"a"})->majority, 0U) << "the first of equals";
}

TEST_F(Study, UnseenLabelsAreWrongAnswers) {
  const auto task =
      ClassificationTask::make(tokenized(vectors_, {"good", "bad"}), std::vector<std::string>{"1", "0"},
                               tokenized(vectors_, {"good", "bad", "film"}), std::vector<std::string>{"1", "0", "2"});
  ASSERT_TRUE(task);
  const Outcome outcome = run(*task, "1000", 1, 1);
  EXPECT_DOUBLE_EQ(outcome.models[0].clean_clean.accuracy.mean, 2.0 / 3);
  EXPECT_DOUBLE_EQ(outcome.models[0].clean_clean.balanced_accuracy.mean, 2.0 / 3);
}

TEST_F(Study, RefusesTasksWithNothingToLearn) {
  const auto message = [&](const std::vector<std::string>& train, const std::vector<std::string>& test) {
    const auto task = task_of(train, test);
    EXPECT_FALSE(task);
    if (task) return std::string();
    EXPECT_EQ(task.error().code, ErrorCode::bad_data);
    return task.error().message;
  };
  EXPECT_THAT(message({}, {"a"}), HasSubstr("training set has no documents"));
  EXPECT_THAT(message({"a", "b"}, {}), HasSubstr("test set has no documents"));
  EXPECT_THAT(message({"secret", "secret"}, {"a"}), AllOf(HasSubstr("one label"), Not(HasSubstr("secret"))));
  std::vector<std::string> many;
  for (int i = 0; i < 51; ++i) many.push_back("label" + std::to_string(i));
  EXPECT_THAT(message(many, {"a"}), AllOf(HasSubstr("51"), HasSubstr("50")));
  many.pop_back();
  EXPECT_TRUE(task_of(many, {"a"}));
  const auto uneven = ClassificationTask::make(tokenized(vectors_, {"good"}), std::vector<std::string>{"1", "0"},
                                               tokenized(vectors_, {"good"}), std::vector<std::string>{"1"});
  ASSERT_FALSE(uneven);
  EXPECT_THAT(uneven.error().message, HasSubstr("1 texts but 2 labels"));
}

TEST_F(Study, ManyLabelsAreLearntOneAgainstTheRest) {
  std::vector<std::string> texts;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < 80; ++i) {
    texts.emplace_back(vectors_.word(i % 8));
    labels.emplace_back(vectors_.word(i % 8));
  }
  const auto task = ClassificationTask::make(tokenized(vectors_, texts), labels, tokenized(vectors_, texts), labels);
  ASSERT_TRUE(task);
  EXPECT_EQ(run(*task, "1000", 1, 1).models[0].sanitized_sanitized.accuracy.mean, 1);
}

TEST_F(Study, OtherMechanismsGiveTheCleanCellWithAHugeEpsilonToo) {
  const auto task = reviews(40, 10);
  const auto study = ClassificationStudy::make(vectors_, task, {}, progress_);
  ASSERT_TRUE(study);
  const auto mechanism = DchiMechanism::make(vectors_, Rational(1000));
  ASSERT_TRUE(mechanism);
  DchiReplacer replacer(*mechanism);
  const auto outcome = study->run(replacer, 1, progress_);
  ASSERT_TRUE(outcome);
  for (const auto& cells : outcome->models) EXPECT_EQ(cells.sanitized_sanitized.accuracy.mean, 1);
  EXPECT_EQ(outcome->unchanged_share, 1);
}

TEST_F(Study, MoreEpsilonIsMoreAccuracy) {
  // 1,000 test texts: 0.05 is three standard errors (0.016) of either; the seed is fixed.
  const auto task = reviews(400, 1000);
  double last = 0.4;
  for (const char* epsilon : {"1e-6", "0.7", "2.5"}) {
    const double now = run(task, epsilon, 1, 1).models[0].clean_sanitized.accuracy.mean;
    EXPECT_GT(now, last + 0.05) << epsilon;
    last = now;
  }
}

TEST_F(Study, KeptWordsStayAndCount) {
  SanitizePolicy policy;
  policy.stop_words = TokenPolicy::keep;
  policy.stop_word_list = {"good", "bad"};  // what tells the labels apart
  const std::vector<std::string> texts = {"the good film", "the bad film", "the good film", "the bad film"};
  const std::vector<std::string> labels = {"1", "0", "1", "0"};
  const auto task = ClassificationTask::make(tokenized(vectors_, texts, policy), labels,
                                             tokenized(vectors_, texts, policy), labels);
  ASSERT_TRUE(task);
  const Outcome outcome = run(*task, "1000", 1, 1);
  EXPECT_EQ(outcome.models[0].sanitized_sanitized.accuracy.mean, 1);
  EXPECT_EQ(outcome.unchanged_share, 1);
  EXPECT_GE(run(*task, "1e-6", 1, 1).unchanged_share, 1.0 / 3) << "one word of three is kept at any epsilon";
}

TEST_F(Study, DroppedWordsAreLostAtAnyEpsilon) {
  SanitizePolicy policy;
  policy.stop_words = TokenPolicy::drop;
  policy.stop_word_list = {"good", "bad"};
  const std::vector<std::string> texts = {"the good film", "the bad film", "the good film", "the bad film"};
  const std::vector<std::string> labels = {"1", "0", "1", "0"};
  const auto task = ClassificationTask::make(tokenized(vectors_, texts, policy), labels,
                                             tokenized(vectors_, texts, policy), labels);
  ASSERT_TRUE(task);
  const Outcome outcome = run(*task, "1000", 1, 1);
  EXPECT_EQ(outcome.models[0].clean_clean.accuracy.mean, 1) << "the clean text has them";
  EXPECT_EQ(outcome.models[0].sanitized_sanitized.accuracy.mean, 0.5);
  EXPECT_DOUBLE_EQ(outcome.masked_share, 1.0 / 3);
}

TEST_F(Study, TrainingAndTestTextsHaveDrawsOfTheirOwn) {
  // The same texts on both sides, 64 words each: equal draws would make the two sanitised sets equal.
  std::string text;
  for (int i = 0; i < 64; ++i) text += "good ";
  const auto documents = tokenized(vectors_, {text});
  SanText mechanism(vectors_, "1e-6");
  const auto train = documents.sanitized(mechanism.replacer(), seed_of(1, 0, 0), progress_);
  const auto test = documents.sanitized(mechanism.replacer(), seed_of(1, 0, 1), progress_);
  const auto later = documents.sanitized(mechanism.replacer(), seed_of(1, 1, 0), progress_);
  ASSERT_TRUE(train && test && later);
  EXPECT_NE(train->bags.tokens, test->bags.tokens);
  EXPECT_NE(train->bags.tokens, later->bags.tokens);
}

TEST_F(Study, TextsWithoutKnownWordsAreAnsweredByTheMajority) {
  const std::vector<std::string> texts = {"xyzzy", "", "..."};
  const auto task = ClassificationTask::make(tokenized(vectors_, texts), std::vector<std::string>{"a", "b", "b"},
                                             tokenized(vectors_, {"", ""}), std::vector<std::string>{"b", "a"});
  ASSERT_TRUE(task);
  const Outcome outcome = run(*task, "1", 1, 2);
  for (const auto& cells : outcome.models) {
    EXPECT_DOUBLE_EQ(cells.clean_clean.accuracy.mean, 0.5);
    EXPECT_DOUBLE_EQ(cells.sanitized_sanitized.accuracy.mean, 0.5);
  }
  EXPECT_EQ(outcome.masked_share, 1) << "the only token there is";
}

}  // namespace classification_study_test
}  // namespace gauze::text
