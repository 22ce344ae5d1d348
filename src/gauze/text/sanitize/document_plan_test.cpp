#include "gauze/text/sanitize/document_plan.h"

#include <gtest/gtest.h>

#include "gauze/text/sanitize/stop_words.h"

namespace gauze::text {
namespace document_plan_test {

class Planner : public ::testing::Test {
 protected:
  std::vector<std::string> words_ = {"film", "movie", "the", "42", "films"};
  std::vector<float> values_ = {0, 1, 2, 3, 4};
  WordVectors vectors_ = *WordVectors::make(words_, values_);
  SimilarSpelling spelling_{vectors_};
  SanitizePolicy policy_;

  /// One letter a token that is no layout, and the numbers of words.
  std::string fates(const std::string& text, std::vector<std::uint32_t>* numbers = nullptr) {
    DocumentPlanner planner(vectors_, nullptr, policy_, &spelling_);
    const DocumentPlan plan = planner.plan(text);
    std::string result;
    std::size_t end = 0;
    for (const DocumentPlan::Step& step : plan.steps) {
      EXPECT_EQ(step.begin, end);
      end = step.end;
      constexpr std::string_view kLetters = ".rmdk";
      if (step.fate != TokenFate::layout) result += kLetters[static_cast<std::size_t>(step.fate)];
      if (step.unknown) result += '?';
    }
    EXPECT_EQ(end, text.size());
    if (numbers != nullptr) *numbers = plan.words;
    return result;
  }
};

TEST_F(Planner, MasksWhatIsNoWordOfTheVocabulary) { EXPECT_EQ(fates("The FILM, Zorro 42 jo@x.org"), "rrm?mm"); }

TEST_F(Planner, FollowsThePolicyOfEveryKind) {
  policy_.unknown = TokenPolicy::drop;
  policy_.numbers = TokenPolicy::keep;
  policy_.addresses = TokenPolicy::drop;
  policy_.stop_words = TokenPolicy::keep;
  policy_.stop_word_list = {"the"};
  EXPECT_EQ(fates("The film Zorro 42 7 jo@x.org"), "krd?kkd");
}

// Under `keep` the address is printed, and nothing else.
TEST_F(Planner, KeepsAddressesWithoutTheTextAround) {
  policy_.addresses = TokenPolicy::keep;
  EXPECT_EQ(fates("film—zz@example.com—Zorro"), "rkm?");
  EXPECT_EQ(fates("电话zhang@example.com谢谢"), "m?km?");
}

TEST_F(Planner, KeepsNumbersButNeitherTelephoneNumbersNorNames) {
  policy_.numbers = TokenPolicy::keep;
  EXPECT_EQ(fates("42, １３８００１３８０００ +49\u00A0170\u00A01234567 伍六七 Zorro7 一百"), "kmmm?m?k");
}

TEST_F(Planner, ReplacesNumbersOfTheVocabularyAndMasksOthers) {
  policy_.numbers = TokenPolicy::replace;
  std::vector<std::uint32_t> numbers;
  EXPECT_EQ(fates("42 43", &numbers), "rm");
  EXPECT_EQ(numbers, std::vector<std::uint32_t>{3});
}

TEST_F(Planner, TakesAnUnknownWordForTheOneSpeltMostAlike) {
  policy_.unknown = TokenPolicy::replace;
  std::vector<std::uint32_t> numbers;
  EXPECT_EQ(fates("filmed Movies qqq", &numbers), "r?r?m?");
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{0, 1}));
}

TEST_F(Planner, CarriesOutWhatItPlanned) {
  DocumentPlanner planner(vectors_, nullptr, policy_);
  const std::string text = "A Film (42)!";
  const DocumentPlan plan = planner.plan(text);
  const std::vector<std::uint32_t> replacements = {1};
  EXPECT_EQ(carry_out(plan, text, vectors_, replacements), "*** Movie (***)!");
}

/// A vocabulary in the manner of the treebank: "do" and "n't", not "don't".
class DividedWords : public ::testing::Test {
 protected:
  std::vector<std::string> words_ = {"do", "n't", "it", "'s", "ca", "john", "café", "电影", "we'll", "film", "'"};
  std::vector<float> values_ = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  WordVectors vectors_ = *WordVectors::make(words_, values_);
  SanitizePolicy policy_;

  /// The parts that are no layout with bars between them; what is not replaced in brackets.
  std::string parts(const std::string& text) {
    DocumentPlanner planner(vectors_, nullptr, policy_);
    const DocumentPlan plan = planner.plan(text);
    std::string result;
    std::size_t end = 0;
    for (const DocumentPlan::Step& step : plan.steps) {
      EXPECT_EQ(step.begin, end);
      end = step.end;
      if (step.fate == TokenFate::layout) continue;
      const std::string piece = text.substr(step.begin, step.end - step.begin);
      result += (result.empty() ? "" : "|") + (step.fate == TokenFate::replace ? piece : "(" + piece + ")");
    }
    EXPECT_EQ(end, text.size());
    return result;
  }
  std::string carried_out(const std::string& text, const std::vector<std::uint32_t>& replacements) {
    DocumentPlanner planner(vectors_, nullptr, policy_);
    return carry_out(planner.plan(text), text, vectors_, replacements);
  }
};

TEST_F(DividedWords, HaveEitherApostropheAnyCaseAndForm) {
  for (const Language language : {Language::automatic, Language::english}) {
    policy_.language = language;
    EXPECT_EQ(parts("I don't, It's; DON’T it’s can't John's"), "(I)|do|n't|It|'s|DO|N’T|it|’s|ca|n't|John|'s");
    EXPECT_EQ(parts("cafe\xCC\x81's 电影's 电影’s"), "cafe\xCC\x81|'s|电影|'s|电影|’s");
  }
}

TEST_F(DividedWords, AreNotInChineseTexts) {
  policy_.language = Language::chinese;
  EXPECT_EQ(parts("don't it’s"), "(don't)|(it’s)");
}

TEST_F(DividedWords, AreNotThoseOfTheVocabularyNorUnknownNames) {
  EXPECT_EQ(parts("we'll We’ll Zorro's O'Neil rock'n'roll gonna"),
            "we'll|We’ll|(Zorro's)|(O'Neil)|(rock'n'roll)|(gonna)");
  EXPECT_EQ(parts("John' 'tis it'"), "John|(tis)|it");
}

TEST_F(DividedWords, MayHaveAnUnknownClitic) {
  EXPECT_EQ(parts("it'd john're"), "it|('d)|john|('re)");
  policy_.unknown = TokenPolicy::replace;
  const SimilarSpelling spelling(vectors_);
  DocumentPlanner planner(vectors_, nullptr, policy_, &spelling);
  const DocumentPlan plan = planner.plan("films filmed's");
  ASSERT_EQ(plan.words.size(), 2U) << "what is not divided is taken for the word spelt most alike";
  EXPECT_EQ(plan.words[0], 9U);
}

TEST_F(DividedWords, AreStopWordsAsAWholeOrInParts) {
  policy_.stop_words = TokenPolicy::keep;
  policy_.stop_word_list = {"'s", "don't"};
  EXPECT_EQ(parts("It’s don't Don’t do"), "It|(’s)|(do)|(n't)|(Do)|(n’t)|do");
  EXPECT_EQ(carried_out("Don’t it's", {5}), "Don’t john's");
}

TEST_F(DividedWords, GetABlankBeforeWhatIsNoClitic) {
  EXPECT_EQ(carried_out("I don't!", {4, 1}), "*** can't!");
  EXPECT_EQ(carried_out("Don't!", {9, 3}), "Film's!");
  EXPECT_EQ(carried_out("Don't!", {9, 5}), "Film john!");
  EXPECT_EQ(carried_out("DON'T it 's", {2, 0, 5, 9}), "IT DO john film");
}

TEST_F(DividedWords, KeepTheirCapitals) {
  EXPECT_EQ(carried_out("IT'S JOHN’S It's", {2, 3, 5, 3, 2, 3}), "IT'S JOHN'S It's");
  EXPECT_EQ(carried_out("IT'S", {5, 9}), "JOHN FILM");
}

TEST_F(DividedWords, AreTheSameForEveryPolicy) {
  const std::string text = "Don't it's it'd Zorro's 一百 电影's 42";
  SanitizePolicy other{
      .unknown = TokenPolicy::keep, .numbers = TokenPolicy::replace, .stop_words = TokenPolicy::drop};
  other.stop_word_list = {"don't", "'d", "zorro's"};
  const DocumentPlan plan = DocumentPlanner(vectors_, nullptr, policy_).plan(text);
  const DocumentPlan again = DocumentPlanner(vectors_, nullptr, other).plan(text);
  ASSERT_EQ(plan.steps.size(), again.steps.size());
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    EXPECT_EQ(plan.steps[i].begin, again.steps[i].begin);
    EXPECT_EQ(plan.steps[i].end, again.steps[i].end);
  }
}

TEST(StopWords, AreThoseOfTheLanguage) {
  const auto english = common_stop_words(Language::english);
  const auto chinese = common_stop_words(Language::chinese);
  EXPECT_EQ(english.size() + chinese.size(), common_stop_words(Language::automatic).size());
  for (const std::string_view word : english) EXPECT_TRUE(static_cast<unsigned char>(word[0]) < 0x80) << word;
  for (const std::string_view word : chinese) EXPECT_TRUE(static_cast<unsigned char>(word[0]) >= 0x80) << word;
}

TEST(StopWords, AreInSmallLettersAndInBothLanguages) {
  bool english = false;
  bool chinese = false;
  for (const std::string_view word : common_stop_words(Language::automatic)) {
    english = english || word == "the";
    chinese = chinese || word == "的";
    for (const char c : word) EXPECT_FALSE(c >= 'A' && c <= 'Z') << word;
  }
  EXPECT_TRUE(english && chinese);
}

}  // namespace document_plan_test
}  // namespace gauze::text
