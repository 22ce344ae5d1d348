#include "gauze/text/sanitize/document_plan.h"

#include <gtest/gtest.h>

#include "gauze/text/sanitize/stop_words.h"

namespace gauze::text {
namespace {

class Planner : public testing::Test {
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

TEST(StopWords, AreInSmallLettersAndInBothLanguages) {
  bool english = false;
  bool chinese = false;
  for (const std::string_view word : common_stop_words()) {
    english = english || word == "the";
    chinese = chinese || word == "的";
    for (const char c : word) EXPECT_FALSE(c >= 'A' && c <= 'Z') << word;
  }
  EXPECT_TRUE(english && chinese);
}

}  // namespace
}  // namespace gauze::text
