#include "gauze/text/utility/ranking_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "gauze/base/parallel.h"
#include "gauze/text/testing/utility_testing.h"
#include "gauze/text/utility/ranking_figures.h"

namespace gauze::text {
namespace ranking_study_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::review_words;
using testing::SanText;

/// The figures of candidates in this very order, by the definition.
RankingFigures in_order(const std::vector<bool>& relevant) {
  RankingFigures figures;
  double found = 0;
  for (std::size_t i = 0; i < relevant.size(); ++i) {
    if (!relevant[i]) continue;
    found += 1;
    figures.average_precision += found / static_cast<double>(i + 1);
    if (found == 1) figures.reciprocal_rank = 1 / static_cast<double>(i + 1);
  }
  figures.average_precision /= found;
  return figures;
}

/// The mean over all orders of the candidates that respect the scores.
RankingFigures by_enumeration(const std::vector<double>& scores, const std::vector<bool>& relevant) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RankingFigures sum;
  double orders = 0;
  do {
    std::vector<bool> ranked;
    bool falling = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      falling = falling && (i == 0 || scores[order[i - 1]] >= scores[order[i]]);
      ranked.push_back(relevant[order[i]]);
    }
    if (!falling) continue;
    const RankingFigures one = in_order(ranked);
    sum.average_precision += one.average_precision;
    sum.reciprocal_rank += one.reciprocal_rank;
    orders += 1;
  } while (std::next_permutation(order.begin(), order.end()));
  return {sum.average_precision / orders, sum.reciprocal_rank / orders};
}

TEST(RankingFigures, AreThoseOfTheTextbook) {
  // Relevant at places 1, 3 and 6: (1 + 2/3 + 3/6) / 3.
  const std::vector<double> scores = {9, 8, 7, 6, 5, 4};
  const RankingFigures figures = ranking_figures(scores, {true, false, true, false, false, true});
  EXPECT_DOUBLE_EQ(figures.average_precision, (1 + 2.0 / 3 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(figures.reciprocal_rank, 1);
  const RankingFigures late = ranking_figures(scores, {false, false, false, true, false, false});
  EXPECT_DOUBLE_EQ(late.average_precision, 0.25);
  EXPECT_DOUBLE_EQ(late.reciprocal_rank, 0.25);
  const std::vector<double> one = {0};
  EXPECT_EQ(ranking_figures(one, {true}).average_precision, 1);
}

TEST(RankingFigures, AverageTiesAsAnEnumerationOfAllOrdersDoes) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 1 + random() % 7;
    std::vector<double> scores;
    std::vector<bool> relevant;
    for (std::size_t i = 0; i < count; ++i) {
      scores.push_back(static_cast<double>(random() % 3));
      relevant.push_back(random() % 2 == 0);
    }
    relevant[random() % count] = true;
    const RankingFigures expected = by_enumeration(scores, relevant);
    const RankingFigures figures = ranking_figures(scores, relevant);
    EXPECT_NEAR(figures.average_precision, expected.average_precision, 1e-12);
    EXPECT_NEAR(figures.reciprocal_rank, expected.reciprocal_rank, 1e-12);
  }
}

TEST(RankingFigures, OfARandomOrderAreThoseOfAllOrders) {
  for (std::size_t count = 1; count <= 7; ++count) {
    for (std::size_t relevant = 1; relevant <= count; ++relevant) {
      std::vector<bool> marks(count, false);
      std::fill_n(marks.begin(), relevant, true);
      const RankingFigures expected = by_enumeration(std::vector<double>(count, 0.0), marks);
      const RankingFigures figures = random_order_figures(count, relevant);
      EXPECT_NEAR(figures.average_precision, expected.average_precision, 1e-12) << count << " " << relevant;
      EXPECT_NEAR(figures.reciprocal_rank, expected.reciprocal_rank, 1e-12) << count << " " << relevant;
    }
  }
}

class Ranking : public ::testing::Test {
 protected:
  WordVectors vectors_ = review_words();
  Progress progress_;

  [[nodiscard]] Result<RankingTask> task(const std::vector<std::string>& queries,
                                         const std::vector<std::string>& candidates,
                                         const std::vector<std::string>& relevance) const {
    return RankingTask::make(vectors_, nullptr, SanitizePolicy{}, queries, candidates, relevance);
  }
  /// Two questions; each has an answer about the same thing, one about another and one about nothing.
  [[nodiscard]] RankingTask questions() const {
    return task({"good film", "bad movie", "good film", "bad movie", "good film", "bad movie", "lonely"},
                {"great movie", "great movie", "awful film", "awful film", "Zorro", "Zorro", "great movie"},
                {"1", "0", "0", "1", "0", "0", "0"})
        .value();
  }
  RankingStudy::Outcome run(const RankingTask& pairs, const char* epsilon, std::uint64_t seed, int repetitions = 3) {
    const auto study = RankingStudy::make(vectors_, pairs, repetitions);
    EXPECT_TRUE(study) << study.error().message;
    SanText mechanism(vectors_, epsilon);
    auto outcome = study->run(mechanism.replacer(), seed, progress_);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return *outcome;
  }
};

std::vector<double> figures(const RankingStudy::Outcome& outcome) {
  std::vector<double> all = {outcome.unchanged_share, outcome.masked_share};
  for (const auto* cell :
       {&outcome.clean_clean, &outcome.sanitized_clean, &outcome.clean_sanitized, &outcome.sanitized_sanitized})
    all.insert(all.end(),
               {cell->map.mean, cell->map.low, cell->map.high, cell->mrr.mean, cell->mrr.low, cell->mrr.high});
  return all;
}

TEST_F(Ranking, RowsWithTheSameQueryAreOneRanking) {
  const RankingTask pairs = questions();
  EXPECT_EQ(pairs.queries.size(), 2U);
  EXPECT_EQ(pairs.candidates.size(), 3U) << "equal texts are one document";
  EXPECT_EQ(pairs.rows, 7U);
  EXPECT_EQ(pairs.left_out, 1U) << "the query without an answer";
  ASSERT_EQ(pairs.pairs.size(), 2U);
  EXPECT_EQ(pairs.pairs[0].size(), 3U);
  const auto study = RankingStudy::make(vectors_, pairs, 1);
  ASSERT_TRUE(study);
  // One relevant of three: (1 + 1/2 + 1/3) / 3.
  EXPECT_DOUBLE_EQ(study->random().map, 11.0 / 18);
  EXPECT_DOUBLE_EQ(study->random().mrr, 11.0 / 18);
}

TEST_F(Ranking, WithAHugeEpsilonAllCellsAreTheCleanOne) {
  const auto outcome = run(questions(), "1000", 1);
  for (const auto* cell :
       {&outcome.clean_clean, &outcome.sanitized_clean, &outcome.clean_sanitized, &outcome.sanitized_sanitized}) {
    EXPECT_EQ(cell->map.mean, 1);
    EXPECT_EQ(cell->mrr.mean, 1);
    EXPECT_EQ(cell->map.low, cell->map.high);
  }
  // Of "good film", "bad movie", "great movie", "awful film", "Zorro" one token in nine is masked.
  EXPECT_DOUBLE_EQ(outcome.masked_share, 1.0 / 9);
  EXPECT_DOUBLE_EQ(outcome.unchanged_share, 8.0 / 9);
}

TEST_F(Ranking, TextsWithoutKnownWordsTieAtZero) {
  const auto pairs = task({"Zorro", "Zorro", "Zorro"}, {"good", "bad", "film"}, {"0", "1", "0"});
  ASSERT_TRUE(pairs);
  EXPECT_DOUBLE_EQ(run(*pairs, "1000", 1).clean_clean.map.mean, 11.0 / 18) << "as in random order";
}

TEST_F(Ranking, TextsInTheSameDirectionTieWhateverTheirLength) {
  const auto pairs =
      task({"good bad film", "good bad film"}, {"good bad film", "film bad good good film bad"}, {"1", "0"});
  ASSERT_TRUE(pairs);
  EXPECT_DOUBLE_EQ(run(*pairs, "1000", 1).clean_clean.map.mean, 0.75);
}

// With epsilon 1e-6 candidates are drawn alike: the relevant one of two stands first with probability 1/2, up to ties, and the
// expected MAP is that of a random order, 3/4. Means over 400 queries of values in [1/2, 1], independent: off by more than
// 0.1 with probability 2 exp(-2 * 400 * 0.1^2 / 0.25) < 1e-13.
TEST_F(Ranking, WithATinyEpsilonTheOrderIsRandom) {
  std::vector<std::string> queries;
  std::vector<std::string> candidates;
  std::vector<std::string> relevance;
  for (int i = 0; i < 400; ++i) {
    const std::string mark = " q" + std::to_string(i);  // unknown words make the texts different
    queries.insert(queries.end(), 2, "good film" + mark);
    candidates.insert(candidates.end(), {"great movie" + mark, "awful was" + mark});
    relevance.insert(relevance.end(), {"1", "0"});
  }
  const auto pairs = task(queries, candidates, relevance);
  ASSERT_TRUE(pairs);
  const auto outcome = run(*pairs, "1e-6", 4, 1);
  EXPECT_EQ(outcome.clean_clean.map.mean, 1);
  EXPECT_NEAR(outcome.clean_sanitized.map.mean, 0.75, 0.1);
  EXPECT_NEAR(outcome.sanitized_sanitized.map.mean, 0.75, 0.1);
  EXPECT_NEAR(outcome.sanitized_sanitized.mrr.mean, 0.75, 0.1);
}

TEST_F(Ranking, SeedsRepeatWhateverTheThreads) {
  const RankingTask pairs = questions();
  set_thread_count(1);
  const auto one = figures(run(pairs, "0.3", 3, 10));
  set_thread_count(4);
  const auto four = figures(run(pairs, "0.3", 3, 10));
  set_thread_count(0);
  EXPECT_EQ(one, four);
  EXPECT_NE(one, figures(run(pairs, "0.3", 4, 10)));
}

TEST_F(Ranking, RefusesBadTables) {
  const auto message = [](const Result<RankingTask>& made) {
    EXPECT_FALSE(made);
    if (made) return std::string();
    EXPECT_EQ(made.error().code, ErrorCode::bad_data);
    return made.error().message;
  };
  EXPECT_THAT(message(task({}, {}, {})), HasSubstr("no rows"));
  EXPECT_THAT(message(task({"good"}, {"bad"}, {})), HasSubstr("0 marks"));
  EXPECT_THAT(message(task({"good"}, {"bad"}, {"0"})), HasSubstr("no query"));
  EXPECT_THAT(message(task({"good", "good"}, {"bad", "film"}, {"1", "secret"})),
              AllOf(HasSubstr("row 2"), Not(HasSubstr("secret"))));
  EXPECT_THAT(message(task({"good"}, {"secret \xFF"}, {"1"})), AllOf(HasSubstr("UTF-8"), Not(HasSubstr("secret"))));
  EXPECT_EQ(RankingStudy::make(vectors_, questions(), 0).error().code, ErrorCode::invalid_parameter);
}

TEST_F(Ranking, StopsWhenAsked) {
  const RankingTask pairs = questions();
  const auto study = RankingStudy::make(vectors_, pairs, 2);
  ASSERT_TRUE(study);
  progress_.request_stop();
  SanText mechanism(vectors_, "1");
  EXPECT_EQ(study->run(mechanism.replacer(), 1, progress_).error().code, ErrorCode::interrupted);
}

// An own computation from the texts: sums of the vectors that were given, cosines, sorting, the definition.
TEST_F(Ranking, AgreesWithAnOwnComputation) {
  const std::vector<std::string> words = {"good", "great", "bad", "awful", "film", "movie", "the", "was"};
  const std::vector<double> lengths = {3, 3.5, 3, 3.5, 3, 4, 3, 4};  // in four directions, two words each
  std::mt19937 random(5);
  const auto text_of = [&](std::vector<double>& sum) {
    sum.assign(4, 0);
    std::string text;
    for (std::size_t i = 0; i < 3 + random() % 5; ++i) {
      const std::size_t word = random() % 8;
      text += words[word] + " ";
      sum[word / 2] += lengths[word];
    }
    return text;
  };
  const auto cosine_of = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) /
           std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0) *
                     std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
  };
  std::vector<std::string> queries;
  std::vector<std::string> candidates;
  std::vector<std::string> relevance;
  double map = 0;
  double mrr = 0;
  for (int q = 0; q < 30; ++q) {
    std::vector<double> query;
    const std::string text = text_of(query) + "query" + std::to_string(q);
    std::vector<std::pair<double, bool>> ranking;
    for (std::size_t i = 0; i < 6; ++i) {
      std::vector<double> candidate;
      queries.push_back(text);
      candidates.push_back(text_of(candidate));
      const bool relevant = i == 0 || random() % 3 == 0;
      relevance.emplace_back(relevant ? "1" : "0");
      ranking.emplace_back(std::round(cosine_of(query, candidate) * 1e9), relevant);
    }
    std::vector<double> scores;
    std::vector<bool> marks;
    for (const auto& [score, mark] : ranking) {
      scores.push_back(score);
      marks.push_back(mark);
    }
    const RankingFigures figures = by_enumeration(scores, marks);
    map += figures.average_precision / 30;
    mrr += figures.reciprocal_rank / 30;
  }
  const auto pairs = task(queries, candidates, relevance);
  ASSERT_TRUE(pairs);
  const auto outcome = run(*pairs, "1000", 1, 1);
  EXPECT_NEAR(outcome.clean_clean.map.mean, map, 1e-9);
  EXPECT_NEAR(outcome.clean_clean.mrr.mean, mrr, 1e-9);
  EXPECT_NEAR(outcome.sanitized_sanitized.map.mean, map, 1e-9);
}

TEST_F(Ranking, TheRandomBaselineIsTheMeanOverQueries) {
  const auto pairs = task({"good", "good", "bad"}, {"film", "movie", "film"}, {"1", "0", "1"});
  ASSERT_TRUE(pairs);
  const auto study = RankingStudy::make(vectors_, *pairs, 1);
  ASSERT_TRUE(study);
  EXPECT_DOUBLE_EQ(study->random().map, (0.75 + 1) / 2);
  EXPECT_DOUBLE_EQ(study->random().mrr, (0.75 + 1) / 2);
}

TEST_F(Ranking, AllRelevantIsPerfectWhateverIsDrawn) {
  const auto pairs = task({"good", "good"}, {"film", "movie"}, {"1", "1"});
  ASSERT_TRUE(pairs);
  const auto outcome = run(*pairs, "0.1", 1, 5);
  EXPECT_EQ(outcome.sanitized_sanitized.map.mean, 1);
  EXPECT_EQ(outcome.sanitized_sanitized.mrr.low, 1);
}

TEST(RankingFigures, AreBestAndWorstAtTheEndsOfTheOrder) {
  const std::vector<double> falling = {5, 4, 3, 2, 1};
  const std::vector<double> rising = {1, 2, 3, 4, 5};
  const std::vector<bool> first = {true, true, false, false, false};
  EXPECT_DOUBLE_EQ(ranking_figures(falling, first).average_precision, 1);
  EXPECT_DOUBLE_EQ(ranking_figures(rising, first).average_precision, (1.0 / 4 + 2.0 / 5) / 2);
  EXPECT_DOUBLE_EQ(ranking_figures(rising, first).reciprocal_rank, 0.25);
}

TEST(RankingFigures, OfManyCandidatesStayFinite) {
  const RankingFigures one = random_order_figures(100'000, 1);
  double harmonic = 0;
  for (int i = 100'000; i >= 1; --i) harmonic += 1.0 / i;
  EXPECT_NEAR(one.reciprocal_rank, harmonic / 100'000, 1e-12);
  EXPECT_NEAR(one.average_precision, harmonic / 100'000, 1e-12);
  EXPECT_NEAR(random_order_figures(100'000, 50'000).reciprocal_rank, std::log(2.0), 1e-4) << "sum of 2^-i / i";
  EXPECT_EQ(random_order_figures(1000, 1000).average_precision, 1);
}

}  // namespace ranking_study_test
}  // namespace gauze::text
