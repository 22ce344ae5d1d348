#include "gauze/text/attacks/hidden_markov_attack.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/text/testing/attack_checks.h"

namespace gauze::text {
namespace hidden_markov_attack_test {

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

using Law = std::vector<std::vector<double>>;

/// posterior[t][x] for the tokens that are to be seen, by adding up all sequences of symbols.
std::vector<std::vector<double>> by_enumeration(const std::vector<AttackedToken>& tokens, const Law& law,
                                                const PublicLanguage& language) {
  const std::size_t symbols = language.vocabulary() + 1;
  std::vector<AttackedToken> seen;
  for (const AttackedToken& token : tokens)
    if (token.sight != TokenSight::absent) seen.push_back(token);
  std::vector<std::vector<double>> posterior(seen.size(), std::vector<double>(symbols));
  std::vector<std::uint32_t> sequence(seen.size());
  std::size_t count = 1;
  for (std::size_t t = 0; t < seen.size(); ++t) count *= symbols;
  for (std::size_t number = 0; number < count; ++number) {
    double p = 1;
    std::size_t rest = number;
    std::uint32_t before = language.begin();
    for (std::size_t t = 0; t < seen.size(); ++t, rest /= symbols) {
      const auto x = static_cast<std::uint32_t>(rest % symbols);
      p *= language.probability(x, before);
      if (seen[t].sight == TokenSight::drawn) {
        p *= x == language.other() ? 0 : law[x][seen[t].seen];
      } else {
        p *= x == std::min(seen[t].seen, language.other()) ? 1 : 0;
      }
      sequence[t] = before = x;
    }
    for (std::size_t t = 0; t < seen.size(); ++t) posterior[t][sequence[t]] += p;
  }
  return posterior;
}

/// Every guess has the largest posterior, but for rounding; what was not drawn is not guessed.
void expect_best(const std::vector<AttackedToken>& tokens, const std::vector<std::uint32_t>& guesses, const Law& law,
                 const PublicLanguage& language) {
  const auto posterior = by_enumeration(tokens, law, language);
  ASSERT_EQ(guesses.size(), tokens.size());
  std::size_t place = 0;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].sight == TokenSight::drawn) {
      ASSERT_LT(guesses[t], language.vocabulary());
      const double best = *std::max_element(posterior[place].begin(), posterior[place].end());
      EXPECT_GE(posterior[place][guesses[t]], best * (1 - 1e-9)) << t;
    } else {
      EXPECT_EQ(guesses[t], kNoWord);
    }
    place += tokens[t].sight == TokenSight::absent ? 0 : 1;
  }
}

TEST(HiddenMarkovAttack, AgreesWithAllSequencesOfAFewWords) {
  for (const std::uint32_t words : {2U, 3U, 5U}) {
    const WordVectors vectors = random_words(words, 2, 1, words);
    const PublicLanguage language = PublicLanguage::learn(words, random_documents(words, 12, 6, words));
    for (const char* epsilon : {"0.2", "1.5", "8"}) {
      for (const SoftmaxMechanism& mechanism : one_of_each_kind(vectors, *Rational::parse(epsilon))) {
        const auto emission = SoftmaxEmission::make(mechanism);
        const Law law = full_law(mechanism);
        std::mt19937_64 random(words);
        AttackedText text;
        for (std::size_t i = 0; i < 12; ++i) {
          std::vector<AttackedToken> document;
          // The last word is sensitive in santext+, so any word may have become it.
          for (std::size_t t = 0; t < 1 + i % 6; ++t) document.push_back(drawn(0, random() % 2 == 0 ? words - 1 : 1));
          text.documents.push_back(document);
        }
        const auto guesses = hidden_markov_attack(text, **emission, language);
        ASSERT_TRUE(guesses);
        for (std::size_t i = 0; i < text.documents.size(); ++i)
          expect_best(text.documents[i], (*guesses)[i], law, language);
      }
    }
  }
}

TEST(HiddenMarkovAttack, ReadsAcrossMasksAndKeptWords) {
  constexpr std::uint32_t kWords = 4;
  const WordVectors vectors = random_words(kWords, 2, 1, 3);
  const SoftmaxMechanism mechanism = softmax_of(vectors, {.epsilon = 1});
  const PublicLanguage language = PublicLanguage::learn(kWords, random_documents(kWords, 25, 9, 8));
  const auto emission = SoftmaxEmission::make(mechanism);
  const Law law = full_law(mechanism);
  AttackedText text;
  text.documents = {{drawn(0, 1), hidden(), drawn(0, 2)},
                    {kept(3), drawn(0, 1), kept(0), drawn(0, 2), kept(kNoWord), drawn(0, 0)},
                    {hidden(), hidden(), drawn(0, 3), absent(), drawn(0, 3), absent()},
                    {kept(1), hidden()},
                    {},
                    {absent()}};
  const auto guesses = hidden_markov_attack(text, **emission, language);
  ASSERT_TRUE(guesses);
  for (std::size_t i = 0; i < text.documents.size(); ++i)
    expect_best(text.documents[i], (*guesses)[i], law, language);
}

TEST(HiddenMarkovAttack, WithoutALanguageIsBayes) {
  constexpr std::uint32_t kWords = 50;
  const WordVectors vectors = random_words(kWords, 4, 1, 31);
  const PublicLanguage language = PublicLanguage::learn(kWords, {});
  for (const SoftmaxMechanism& mechanism : one_of_each_kind(vectors, 2)) {
    const auto emission = SoftmaxEmission::make(mechanism);
    const Law law = full_law(mechanism);
    AttackedText text;
    text.documents.emplace_back();
    for (std::uint32_t y = 0; y < kWords; ++y) text.documents[0].push_back(drawn(0, y));
    const auto in_context = hidden_markov_attack(text, **emission, language);
    const auto alone = bayes_attack(text, **emission, language.word_shares());
    ASSERT_TRUE(in_context && alone);
    // Words with the same vector are equally probable: compare what they are worth.
    for (std::uint32_t y = 0; y < kWords; ++y)
      EXPECT_NEAR(law[(*in_context)[0][y]][y], law[(*alone)[0][y]][y], 1e-9 * law[(*alone)[0][y]][y]) << y;
  }
}

TEST(HiddenMarkovAttack, IsTheLanguagesGuessWhereTheMechanismTellsNothing) {
  constexpr std::uint32_t kWords = 5;
  const WordVectors vectors = random_words(kWords, 2, 1, 17);
  const SoftmaxMechanism mechanism = softmax_of(vectors, {.epsilon = *Rational::parse("0.000000001")});
  const PublicLanguage language = PublicLanguage::learn(kWords, random_documents(kWords, 25, 9, 18));
  const auto emission = SoftmaxEmission::make(mechanism);
  AttackedText text;
  text.documents = {{drawn(0, 1), drawn(0, 4), drawn(0, 2), drawn(0, 2)}};
  const auto guesses = hidden_markov_attack(text, **emission, language);
  ASSERT_TRUE(guesses);
  const auto by_language_alone =
      by_enumeration(text.documents[0], Law(kWords, std::vector<double>(kWords, 1)), language);
  for (std::size_t t = 0; t < 4; ++t) {
    const auto& p = by_language_alone[t];
    EXPECT_GE(p[(*guesses)[0][t]], *std::max_element(p.begin(), p.end()) * (1 - 1e-6));
  }
}

TEST(HiddenMarkovAttack, RecoversEverythingWhereTheMechanismHidesNothing) {
  const WordVectors vectors = words_at({{0, 0}, {1, 0}, {0, 1}, {3, 3}});
  const SoftmaxMechanism mechanism = softmax_of(vectors, {.epsilon = 1000});
  const PublicLanguage language = PublicLanguage::learn(4, random_documents(4, 100, 20, 3));
  const auto emission = SoftmaxEmission::make(mechanism);
  AttackedText text;
  for (const auto& document : random_documents(4, 50, 20, 99)) {
    text.documents.emplace_back();
    for (const std::uint32_t word : document) text.documents.back().push_back(drawn(word, word));
  }
  const auto guesses = hidden_markov_attack(text, **emission, language);
  ASSERT_TRUE(guesses);
  EXPECT_EQ(score(text, *guesses).recovered, 50U * 20);
}

TEST(HiddenMarkovAttack, DoesNotUnderflowOnLongDocuments) {
  constexpr std::uint32_t kWords = 20;
  const WordVectors vectors = random_words(kWords, 6, 3, 41);
  const SoftmaxMechanism mechanism = softmax_of(vectors, {.epsilon = 5});
  const PublicLanguage language = PublicLanguage::learn(kWords, random_documents(kWords, 200, 30, 42));
  const auto emission = SoftmaxEmission::make(mechanism);
  AttackedText text;
  text.documents.emplace_back();
  std::size_t as_printed = 0;
  const auto words = random_documents(kWords, 1, 20'000, 43);
  for (const std::uint32_t word : words[0]) text.documents[0].push_back(drawn(word, word));
  const auto guesses = hidden_markov_attack(text, **emission, language);
  ASSERT_TRUE(guesses);
  for (std::size_t t = 0; t < guesses->front().size(); ++t) {
    ASSERT_LT((*guesses)[0][t], kWords);
    as_printed += (*guesses)[0][t] == text.documents[0][t].seen ? 1 : 0;
  }
  EXPECT_GT(as_printed, 15'000U);
}

TEST(HiddenMarkovAttack, GivesTheSameWithLittleMemoryForColumns) {
  constexpr std::uint32_t kWords = 60;
  const WordVectors vectors = random_words(kWords, 4, 1, 51);
  const SoftmaxMechanism mechanism = softmax_of(vectors, {.epsilon = 2});
  const PublicLanguage language = PublicLanguage::learn(kWords, random_documents(kWords, 60, 9, 52));
  const auto emission = SoftmaxEmission::make(mechanism);
  AttackedText text;
  for (const auto& document : random_documents(kWords, 30, 10, 53)) {
    text.documents.emplace_back();
    for (const std::uint32_t word : document) text.documents.back().push_back(drawn(word, word));
  }
  const auto all_at_once = hidden_markov_attack(text, **emission, language);
  for (const std::size_t columns : {1, 11, 25}) {
    const auto few = hidden_markov_attack(text, **emission, language, {.column_bytes = columns * kWords * 8});
    ASSERT_TRUE(few);
    EXPECT_EQ(*few, *all_at_once) << columns;
  }
}

TEST(HiddenMarkovAttack, CutsDocumentsThatAreTooLongForItsMessages) {
  constexpr std::uint32_t kWords = 4;
  const WordVectors vectors = random_words(kWords, 2, 1, 3);
  const SoftmaxMechanism mechanism = softmax_of(vectors, {.epsilon = 1});
  const PublicLanguage language = PublicLanguage::learn(kWords, random_documents(kWords, 25, 9, 8));
  const auto emission = SoftmaxEmission::make(mechanism);
  AttackedText text;
  text.documents = {{drawn(0, 1), drawn(0, 2), drawn(0, 3), drawn(0, 0), drawn(0, 1)}};
  const auto cut = hidden_markov_attack(text, **emission, language, {.message_bytes = 3 * (kWords + 1) * 8});
  ASSERT_TRUE(cut);
  AttackedText first;
  first.documents = {{drawn(0, 1), drawn(0, 2), drawn(0, 3)}};
  const auto alone = hidden_markov_attack(first, **emission, language);
  for (std::size_t t = 0; t < 3; ++t) EXPECT_EQ((*cut)[0][t], (*alone)[0][t]);
  for (std::size_t t = 3; t < 5; ++t) EXPECT_LT((*cut)[0][t], kWords) << "the rest is guessed as well";
}

TEST(HiddenMarkovAttack, PassesOverWhatCannotHaveBeenPrinted) {
  const WordVectors vectors = words_at({{0}, {1}, {2}});
  const SoftmaxMechanism mechanism = softmax_of(
      vectors, {.kind = SoftmaxKind::santext_plus, .epsilon = 1, .p = Rational(1), .sensitive = {false, true, true}});
  const PublicLanguage language = PublicLanguage::learn(3, random_documents(3, 20, 5, 2));
  const auto emission = SoftmaxEmission::make(mechanism);
  AttackedText impossible;
  impossible.documents = {{drawn(0, 1), drawn(0, 0), drawn(0, 2)}};
  const auto guesses = hidden_markov_attack(impossible, **emission, language);
  ASSERT_TRUE(guesses);
  for (std::size_t t = 0; t < 3; ++t) EXPECT_LT((*guesses)[0][t], 3U);
}

TEST(HiddenMarkovAttack, TakesOneWordAndStopsWhenAsked) {
  const SoftmaxMechanism mechanism = softmax_of(words_at({{1}}), {.epsilon = 1});
  const auto emission = SoftmaxEmission::make(mechanism);
  AttackedText text;
  text.documents = {{drawn(0, 0), drawn(0, 0)}};
  const PublicLanguage language = PublicLanguage::learn(1, {});
  EXPECT_EQ((*hidden_markov_attack(text, **emission, language))[0], (std::vector<std::uint32_t>{0, 0}));
  EXPECT_TRUE(hidden_markov_attack({}, **emission, language)->empty());
  Progress progress;
  progress.request_stop();
  const auto stopped = hidden_markov_attack(text, **emission, language, {.progress = &progress});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

}  // namespace hidden_markov_attack_test
}  // namespace gauze::text
