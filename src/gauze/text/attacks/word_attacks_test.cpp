#include "gauze/text/attacks/word_attacks.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gauze/base/parallel.h"
#include "gauze/text/attacks/hidden_markov_attack.h"
#include "gauze/text/testing/attack_checks.h"

namespace gauze::text {
namespace word_attacks_test {

using testing::absent;
using testing::drawn;
using testing::full_law;
using testing::hidden;
using testing::kept;
using testing::one_of_each_kind;
using testing::random_documents;
using testing::random_prior;
using testing::random_words;
using testing::softmax_of;
using testing::words_at;

/// One document in which every word of the vocabulary is printed once.
AttackedText every_word(std::size_t words) {
  AttackedText text;
  text.documents.emplace_back();
  for (std::uint32_t y = 0; y < words; ++y) text.documents[0].push_back(drawn(0, y));
  return text;
}

/// No word has a larger joint probability than the guess; equals are decided by rounding.
void expect_best(const std::vector<std::vector<double>>& law, std::span<const double> prior, std::uint32_t y,
                 std::uint32_t guess) {
  ASSERT_LT(guess, prior.size());
  double best = 0;
  for (std::size_t x = 0; x < prior.size(); ++x) best = std::max(best, prior[x] * law[x][y]);
  EXPECT_GE(prior[guess] * law[guess][y], best * (1 - 1e-9)) << "guess " << guess << " for " << y;
}

TEST(BayesAttack, IsTheBestOfAllWordsByTheExactLaw) {
  for (const std::size_t words : {2, 3, 17, 300}) {
    const WordVectors vectors = random_words(words, 3, 1, words);
    for (const char* epsilon : {"0.1", "3", "40"}) {
      for (const SoftmaxMechanism& mechanism : one_of_each_kind(vectors, *Rational::parse(epsilon))) {
        const auto emission = SoftmaxEmission::make(mechanism);
        ASSERT_TRUE(emission);
        const auto law = full_law(mechanism);
        for (const auto& prior : {random_prior(words, 1), std::vector<double>(words, 1 / double(words))}) {
          const AttackedText text = every_word(words);
          const auto guesses = bayes_attack(text, **emission, prior);
          ASSERT_TRUE(guesses);
          for (std::uint32_t y = 0; y < words; ++y) expect_best(law, prior, y, (*guesses)[0][y]);
        }
      }
    }
  }
}

// Two words at distance 2, epsilon 1: P[x -> x] = 0.731. A prior of 0.9 : 0.1 outweighs what is read, one of 0.6 : 0.4 does not.
TEST(BayesAttack, WeighsWhatIsReadAgainstWhatIsUsual) {
  const SoftmaxMechanism mechanism = softmax_of(words_at({{0}, {2}}), {.epsilon = 1});
  const auto emission = SoftmaxEmission::make(mechanism);
  const AttackedText text = every_word(2);
  EXPECT_EQ((*bayes_attack(text, **emission, std::vector<double>{0.9, 0.1}))[0], (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ((*bayes_attack(text, **emission, std::vector<double>{0.6, 0.4}))[0], (std::vector<std::uint32_t>{0, 1}));
}

TEST(BayesAttack, GuessesTheUsualWordForWhatCannotHaveBeenPrinted) {
  const SoftmaxMechanism mechanism = softmax_of(
      words_at({{0}, {1}, {2}}),
      {.kind = SoftmaxKind::santext_plus, .epsilon = 1, .p = Rational(1), .sensitive = {false, true, true}});
  const auto emission = SoftmaxEmission::make(mechanism);
  const auto guesses = bayes_attack(every_word(3), **emission, std::vector<double>{0.1, 0.3, 0.6});
  EXPECT_EQ((*guesses)[0][0], 2U) << "a common word is always replaced at p = 1, yet it is printed";
}

TEST(BayesAttack, RecoversEverythingWhereTheMechanismHidesNothing) {
  const WordVectors vectors = words_at({{0, 0}, {1, 0}, {0, 1}, {3, 3}});
  const SoftmaxMechanism mechanism = softmax_of(vectors, {.epsilon = 1000});
  const auto emission = SoftmaxEmission::make(mechanism);
  AttackedText text;
  text.documents = {{drawn(0, 0), drawn(1, 1), drawn(2, 2), drawn(3, 3)}};
  const auto guesses = bayes_attack(text, **emission, random_prior(4, 3));
  EXPECT_EQ(score(text, *guesses).recovered, 4U);
}

TEST(BayesAttack, WorksWithOneWordAndWithNothing) {
  const SoftmaxMechanism mechanism = softmax_of(words_at({{1, 2}}), {.epsilon = 1});
  const auto emission = SoftmaxEmission::make(mechanism);
  const std::vector<double> prior = {1};
  EXPECT_EQ((*bayes_attack(every_word(1), **emission, prior))[0], (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(bayes_attack({}, **emission, prior)->empty());
  AttackedText nothing_drawn;
  nothing_drawn.documents = {{hidden(), kept(0), absent()}, {}};
  const auto guesses = bayes_attack(nothing_drawn, **emission, prior);
  EXPECT_EQ((*guesses)[0], (std::vector<std::uint32_t>(3, kNoWord)));
}

TEST(BayesAttack, StopsWhenAsked) {
  const SoftmaxMechanism mechanism = softmax_of(words_at({{0}, {2}}), {.epsilon = 1});
  const auto emission = SoftmaxEmission::make(mechanism);
  Progress progress;
  progress.request_stop();
  const auto guesses = bayes_attack(every_word(2), **emission, std::vector<double>{0.5, 0.5}, &progress);
  ASSERT_FALSE(guesses);
  EXPECT_EQ(guesses.error().code, ErrorCode::interrupted);
}

// n = 200'000 words drawn from the prior and replaced: by Hoeffding the recovered share is farther than 0.0061 from
// sum_y max_x prior(x) P[x -> y] with a probability below 1e-6.
TEST(BayesAttack, RecoversWhatTheLawSays) {
  constexpr std::size_t kWords = 40;
  constexpr std::size_t kTokens = 200'000;
  const WordVectors vectors = random_words(kWords, 3, 1, 11);
  const std::vector<double> prior = random_prior(kWords, 12);
  for (const SoftmaxMechanism& mechanism : one_of_each_kind(vectors, 3)) {
    const auto law = full_law(mechanism);
    double expected = 0;
    for (std::size_t y = 0; y < kWords; ++y) {
      double best = 0;
      for (std::size_t x = 0; x < kWords; ++x) best = std::max(best, prior[x] * law[x][y]);
      expected += best;
    }
    std::mt19937_64 random(13);
    std::discrete_distribution<std::uint32_t> pick(prior.begin(), prior.end());
    DocumentWords words;
    for (std::size_t i = 0; i < kTokens; ++i) words.words.push_back(pick(random));
    SoftmaxReplacer replacer(mechanism, 1 << 20);
    ASSERT_TRUE(replacer.simulate(std::span(&words, 1), 14));
    AttackedText text;
    text.documents.emplace_back();
    for (std::size_t i = 0; i < kTokens; ++i)
      text.documents[0].push_back(drawn(words.words[i], words.replacements[i]));
    const auto emission = SoftmaxEmission::make(mechanism);
    const AttackScore result = score(text, *bayes_attack(text, **emission, prior));
    EXPECT_NEAR(static_cast<double>(result.recovered) / kTokens, expected, 0.0061) << to_string(mechanism.kind());
    EXPECT_GE(result.recovered, score(text, as_read(text)).recovered - kTokens / 100);
  }
}

TEST(MaskAttack, IsTheBestWordBetweenItsNeighbours) {
  constexpr std::uint32_t kWords = 12;
  std::vector<std::vector<std::uint32_t>> documents = random_documents(kWords, 30, 8, 4);
  for (std::size_t i = 0; i < documents.size(); ++i) documents[i][i % 8] = kNoWord;
  const PublicLanguage language = PublicLanguage::learn(kWords, documents);
  AttackedText text;
  text.documents = {{drawn(0, 3), drawn(0, 7), hidden(), drawn(0, 2), absent(), drawn(0, 5), kept(1), drawn(0, 4)}};
  const Guesses guesses = mask_attack(text, language);
  // The neighbours of each drawn token; kNoWord: the document ends.
  const std::uint32_t other = language.other();
  const std::vector<std::array<std::uint32_t, 3>> places = {
      {0, language.begin(), 7}, {1, 3, other}, {3, other, 5}, {5, 2, 1}, {7, 1, kNoWord}};
  for (const auto& [place, left, right] : places) {
    const auto joint = [&, l = left, r = right](std::uint32_t x) {
      return language.probability(x, l) * (r == kNoWord ? 1 : language.probability(r, x));
    };
    double best = 0;
    for (std::uint32_t x = 0; x < kWords; ++x) best = std::max(best, joint(x));
    EXPECT_GE(joint(guesses[0][place]), best * (1 - 1e-9)) << place;
  }
  for (const std::size_t place : {2, 4, 6}) EXPECT_EQ(guesses[0][place], kNoWord);
}

TEST(MaskAttack, NeverLooksAtTheWordItGuesses) {
  constexpr std::uint32_t kWords = 20;
  const PublicLanguage language = PublicLanguage::learn(kWords, random_documents(kWords, 30, 8, 5));
  AttackedText text;
  text.documents.emplace_back();
  for (std::uint32_t t = 0; t < 9; ++t) text.documents[0].push_back(drawn(t, (t * 7) % kWords));
  const Guesses before = mask_attack(text, language);
  for (std::size_t t = 0; t < 9; ++t) {
    for (std::uint32_t other = 0; other < kWords; ++other) {
      AttackedText changed = text;
      changed.documents[0][t].seen = other;
      changed.documents[0][t].original = other;
      EXPECT_EQ(mask_attack(changed, language)[0][t], before[0][t]);
    }
  }
}

TEST(Baselines, GuessWhatIsPrintedAndWhatIsUsual) {
  AttackedText text;
  text.documents = {{drawn(0, 0), drawn(1, 2), hidden()}, {kept(2), drawn(2, 2)}};
  EXPECT_EQ(as_read(text), (Guesses{{0, 2, kNoWord}, {kNoWord, 2}}));
  EXPECT_EQ(always_guess(text, std::vector<double>{0.2, 0.5, 0.3}), (Guesses{{1, 1, kNoWord}, {kNoWord, 1}}));
}

TEST(Score, CountsMaskedTokensAsLostAndKeptOnesAsRead) {
  AttackedText text;
  text.documents = {{drawn(0, 0), drawn(1, 2), hidden(), absent()}, {kept(kNoWord), drawn(kNoWord, 2)}, {}};
  const AttackScore result = score(text, Guesses{{0, 2, kNoWord, kNoWord}, {kNoWord, kNoWord}, {}});
  EXPECT_EQ(result.tokens, 6U);
  EXPECT_EQ(result.attacked, 3U);
  EXPECT_EQ(result.recovered, 1U) << "a word outside the vocabulary cannot be guessed";
  EXPECT_EQ(result.matches, 2U);
  EXPECT_EQ(score({}, {}).tokens, 0U);
}

TEST(WordAttacks, DoNotDependOnTheNumberOfThreads) {
  constexpr std::uint32_t kWords = 500;
  const WordVectors vectors = random_words(kWords, 8, 1, 21);
  const SoftmaxMechanism mechanism = softmax_of(vectors, {.epsilon = 2});
  const PublicLanguage language = PublicLanguage::learn(kWords, random_documents(kWords, 300, 15, 22));
  const std::vector<std::vector<std::uint32_t>> clean = random_documents(kWords, 60, 12, 23);
  std::vector<std::vector<Guesses>> all;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    AttackedText text;
    SoftmaxReplacer replacer(mechanism, 1 << 20);
    for (std::size_t i = 0; i < clean.size(); ++i) {
      DocumentWords words{.stream = i, .words = clean[i], .replacements = {}};
      ASSERT_TRUE(replacer.simulate(std::span(&words, 1), 24));
      text.documents.emplace_back();
      for (std::size_t t = 0; t < words.words.size(); ++t)
        text.documents[i].push_back(drawn(words.words[t], words.replacements[t]));
    }
    const auto emission = SoftmaxEmission::make(mechanism);
    all.push_back({*bayes_attack(text, **emission, language.word_shares()),
                   *hidden_markov_attack(text, **emission, language), mask_attack(text, language)});
  }
  set_thread_count(0);
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

}  // namespace word_attacks_test
}  // namespace gauze::text
