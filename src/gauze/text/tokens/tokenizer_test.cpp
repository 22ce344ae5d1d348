#include "gauze/text/tokens/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "gauze/text/tokens/word_shape.h"

namespace gauze::text {
namespace tokenizer_test {

using ::testing::ElementsAre;

/// Words as they are, numbers in <>, addresses in [], telephone numbers in (); layout left out.
std::vector<std::string> pieces(std::string_view text, const SegmentationDictionary* dictionary = nullptr,
                                Language language = Language::automatic) {
  Tokenizer tokenizer(dictionary, language);
  std::vector<Token> tokens;
  tokenizer.split(text, tokens);
  std::vector<std::string> result;
  std::size_t done = 0;
  for (const Token& one : tokens) {
    EXPECT_EQ(one.begin, done) << "without a gap";
    EXPECT_GT(one.end, one.begin);
    done = one.end;
    const std::string piece(text.substr(one.begin, one.end - one.begin));
    if (one.kind == TokenKind::word) result.push_back(piece);
    if (one.kind == TokenKind::number) result.push_back("<" + piece + ">");
    if (one.kind == TokenKind::address) result.push_back("[" + piece + "]");
    if (one.kind == TokenKind::phone) result.push_back("(" + piece + ")");
  }
  EXPECT_EQ(done, text.size());
  return result;
}

TEST(Tokenizer, EnglishWordsAndLayout) {
  EXPECT_THAT(pieces("Hello, world!  It 's the film's best: don't miss."),
              ElementsAre("Hello", "world", "It", "'s", "the", "film's", "best", "don't", "miss"));
  EXPECT_THAT(pieces("one\ttwo\nthree"), ElementsAre("one", "two", "three"));
  EXPECT_THAT(pieces(""), ElementsAre());
  EXPECT_THAT(pieces(" ... !? "), ElementsAre());
  EXPECT_THAT(pieces("caf\xC3\xA9 na\xC3\xAFve"), ElementsAre("caf\xC3\xA9", "na\xC3\xAFve"));
}

TEST(Tokenizer, NumbersAddressesAndTelephones) {
  EXPECT_THAT(pieces("in 1999 it cost 3.50"), ElementsAre("in", "<1999>", "it", "cost", "<3.50>"));
  EXPECT_THAT(pieces("Write to jo.doe+x@mail.example.org, please."),
              ElementsAre("Write", "to", "[jo.doe+x@mail.example.org]", "please"));
  EXPECT_THAT(pieces("see https://example.org/a?b=c&d (or www.example.net)."),
              ElementsAre("see", "[https://example.org/a?b=c&d]", "or", "[www.example.net]"));
  EXPECT_THAT(pieces("thanks @some_one!"), ElementsAre("thanks", "[@some_one]"));
  EXPECT_THAT(pieces("call +44 (0)20 7946-0018 now"), ElementsAre("call", "(+44 (0)20 7946-0018)", "now"));
  EXPECT_THAT(pieces("\xE7\x94\xB5\xE8\xAF\x9D"
                     "13800138000"),
              ElementsAre("\xE7\x94\xB5\xE8\xAF\x9D", "(13800138000)"));
  EXPECT_THAT(pieces("a @ b"), ElementsAre("a", "b"));
}

// What is kept is printed: nothing of the sentence around may be in it.
TEST(Tokenizer, AddressesEndWhereTheSentenceGoesOn) {
  EXPECT_THAT(pieces("Dr Zo—zz@example.com—or Xe"), ElementsAre("Dr", "Zo", "[zz@example.com]", "or", "Xe"));
  EXPECT_THAT(pieces("Zo\u00A0zz@example.com\u00A0Xe\u3000y"), ElementsAre("Zo", "[zz@example.com]", "Xe", "y"));
  EXPECT_THAT(pieces("“Zo”zz@example.com”Xe"), ElementsAre("Zo", "[zz@example.com]", "Xe"));
  EXPECT_THAT(pieces("Zo...zz@example.com...Xe"), ElementsAre("Zo", "[zz@example.com]", "Xe"));
  EXPECT_THAT(pieces("Zo--zz@example.com--Xe"), ElementsAre("Zo", "[zz@example.com]", "Xe"));
  EXPECT_THAT(pieces("<https://x.org/a>Xe"), ElementsAre("[https://x.org/a]", "Xe"));
  EXPECT_THAT(pieces("https://x.org/a—Xe www.x.org…Xe"), ElementsAre("[https://x.org/a]", "Xe", "[www.x.org]", "Xe"));
  EXPECT_THAT(pieces("@anna—Xe"), ElementsAre("[@anna]", "Xe"));
}

TEST(Tokenizer, AddressesAmongTextWithoutBlanks) {
  EXPECT_THAT(pieces("电话zhang@example.com谢谢，"), ElementsAre("电话", "[zhang@example.com]", "谢谢"));
  EXPECT_THAT(pieces("メールzz@example.comです"), ::testing::Contains("[zz@example.com]"));
  EXPECT_THAT(pieces("zz@example.com으로"), ElementsAre("[zz@example.com]", "으로"));
  EXPECT_THAT(pieces("ที่zz@example.comครับ"), ::testing::Contains("[zz@example.com]"));
  EXPECT_THAT(pieces("见https://example.cn/病历，张"), ElementsAre("见", "[https://example.cn/]", "病历", "张"));
  EXPECT_THAT(pieces("见www.example.cn。张"), ElementsAre("见", "[www.example.cn]", "张"));
  EXPECT_THAT(pieces("转@anna谢谢"), ElementsAre("转", "[@anna]", "谢谢"));
  EXPECT_THAT(pieces("张@example.com"), ElementsAre("张", "[@example.com]"));
  for (const char* text : {"张@例.中国", "https://例.cn/病，张"})
    EXPECT_THAT(pieces(text), ::testing::Each(::testing::Not(::testing::HasSubstr("[")))) << "words";
}

TEST(Tokenizer, AddressesOfOtherScriptsAndForms) {
  for (const char* address :
       {"josé@exämple.de", "jose\u0301@x.de", "müller@firma.de", "иван@пример.рф", "иван@пример.com",
        "a@xn--exmple-cua.de", "ｚｈａｎｇ＠ｅｘａｍｐｌｅ．ｃｏｍ", "12345678@qq.com",
        "https://de.example.org/wiki/Müller", "https://ru.example.org/wiki/Москва", "WWW.Example.org", "@josé_x"})
    EXPECT_THAT(pieces(address), ElementsAre("[" + std::string(address) + "]"));
  EXPECT_THAT(pieces("Привет.zz@x.orgПривет"), ElementsAre("Привет", "[zz@x.org]", "Привет"));
  EXPECT_THAT(pieces("@user@host.example"), ElementsAre("[user@host.example]"));
  EXPECT_THAT(pieces("@anna@otto"), ElementsAre("[@anna]", "[@otto]"));
}

TEST(Tokenizer, TelephoneNumbersOfAnyWidthWithAnyDash) {
  for (const char* number :
       {"１３８００１３８０００", "+49\u00A0170\u00A01234567", "+49\u202F170\u202F1234567", "138\u30000013\u30008000",
        "138‐0013‐8000", "138‑0013‑8000", "138‒0013‒8000", "138–0013–8000", "＋８６（１０）１２３４５",
        "138 - 0013 - 8000", "030 / 12345", "138\u200b0013\u200b8000", "13８0013８000"})
    EXPECT_THAT(pieces(number), ElementsAre("(" + std::string(number) + ")"));
  EXPECT_THAT(pieces("電話１３８－００１３－８０００で"), ::testing::Contains("(１３８－００１３－８０００)"));
  EXPECT_THAT(pieces("in 2020. (2021)"), ElementsAre("in", "<2020>", "<2021>"));
}

// Digits that letters touch belong to a word, and the rest of the number is none that could be kept.
TEST(Tokenizer, TelephoneNumbersThatLettersTouch) {
  EXPECT_THAT(pieces("Tel030 123 456"), ElementsAre("Tel030", "(123 456)"));
  EXPECT_THAT(pieces("030 1234567x22"), ElementsAre("(030)", "1234567x22"));
  EXPECT_THAT(pieces("A1234567"), ElementsAre("A1234567"));
}

TEST(Tokenizer, AWordWithDigitsIsNoNumber) {
  EXPECT_THAT(pieces("Zorro7 7Zorro7 12 3.5 ３"), ElementsAre("Zorro7", "7Zorro7", "<12>", "<3.5>", "<３>"));
}

TEST(Tokenizer, ChineseWithAndWithoutADictionary) {
  EXPECT_THAT(pieces("数据脱敏很重要。"), ::testing::Contains("数据"));
  const auto dictionary = SegmentationDictionary::parse("数据 100 n\n脱敏 50 v\n很 80\n重要 90 a\n重 3\n要 4\n");
  ASSERT_TRUE(dictionary);
  EXPECT_THAT(pieces("数据脱敏很重要。ok", &*dictionary), ElementsAre("数据", "脱敏", "很", "重要", "ok"));
  EXPECT_THAT(pieces("用数据", &*dictionary), ElementsAre("用", "数据")) << "an unknown character stands alone";
}

/// Every maximal run of Chinese characters divided by itself; the rest left out.
std::vector<std::string> divided_runs(const std::vector<std::string>& runs,
                                      const SegmentationDictionary& dictionary) {
  std::vector<std::string> words;
  std::vector<std::size_t> ends;
  for (const std::string& run : runs) {
    dictionary.divide(run, ends);
    std::size_t from = 0;
    for (const std::size_t end : ends) {
      words.push_back(run.substr(from, end - from));
      from = end;
    }
  }
  return words;
}

TEST(Tokenizer, DividesEveryRunOfChineseAsAWhole) {
  const auto dictionary = SegmentationDictionary::parse(
      "数据 100\n脱敏 50\n据脱 70\n很 80\n重要 90\n要数 95\n敏很重 60\n人民 9\n中国人 7\n国人民 8\n𠮷 5\n");
  ASSERT_TRUE(dictionary);
  const std::vector<std::string> characters = {"数", "据", "脱", "敏", "很", "重", "要",
                                               "中", "国", "人", "民", "的", "𠮷", "々"};
  const std::vector<std::string> others = {"，", " ", "。", "\n", "，", "“"};
  std::mt19937 random(13);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    std::vector<std::string> runs(1);
    for (std::size_t n = random() % 40; n > 0; --n) {
      const bool end = random() % 8 == 0;
      const std::string& one = end ? others[random() % others.size()] : characters[random() % characters.size()];
      text += one;
      if (end)
        runs.emplace_back();
      else
        runs.back() += one;
    }
    ASSERT_EQ(pieces(text, &*dictionary), divided_runs(runs, *dictionary)) << text;
  }
}

TEST(Tokenizer, CliticsThatStandAloneHaveTheirApostrophe) {
  for (const Language language : {Language::automatic, Language::english}) {
    EXPECT_THAT(pieces("it 's ’S", nullptr, language), ElementsAre("it", "'s", "’S"));
    EXPECT_THAT(pieces("电影's 电影’s", nullptr, language), ElementsAre("电影", "'s", "电影", "’s"));
    EXPECT_THAT(pieces("the 1990's do n't", nullptr, language), ElementsAre("the", "<1990>", "'s", "do", "n't"));
  }
  EXPECT_THAT(pieces("电影's", nullptr, Language::chinese), ElementsAre("电影", "s"));
  EXPECT_THAT(pieces("'tis James' rock'n'roll, rock ’n’ roll, O’Neil’s"),
              ElementsAre("tis", "James", "rock'n'roll", "rock", "n", "roll", "O’Neil’s"));
}

TEST(Tokenizer, ChineseNumeralsAreNumbersButNotInEnglish) {
  const auto dictionary = SegmentationDictionary::parse("一百 9\n二十 9\n十块 9\n块钱 9\n千万 9\n不要 9\n");
  ASSERT_TRUE(dictionary);
  for (const SegmentationDictionary* words : {static_cast<const SegmentationDictionary*>(nullptr), &*dictionary})
    for (const Language language : {Language::automatic, Language::chinese}) {
      EXPECT_THAT(pieces("一百二十元", words, language), ElementsAre("<一百二十>", "元"));
      EXPECT_THAT(pieces("二〇二六年", words, language), ElementsAre("<二〇二六>", "年"));
      EXPECT_THAT(pieces("千万不要", words, language), ElementsAre("千万", "不要"));
    }
  const auto without = SegmentationDictionary::parse("别去 9\n下雨 9\n");
  EXPECT_THAT(pieces("千万别去，万一下雨", &*without), ElementsAre("千万", "别去", "万一", "下雨"));
  EXPECT_THAT(pieces("一百二十元", &*dictionary, Language::english), ElementsAre("一百", "二十", "元"));
  EXPECT_THAT(pieces("一百二十块钱", &*dictionary), ElementsAre("<一百二十>", "块钱"));
}

/// The largest sum of ln(frequency / sum), by trying every last word; a character that is no word has a quarter.
double best_sum(const std::vector<std::string>& run, std::size_t size, const std::map<std::string, double>& words,
                double sum) {
  if (size == 0) return 0;
  double best = -1e300;
  std::string last;
  for (std::size_t begin = size; begin-- > 0;) {
    last.insert(0, run[begin]);
    const auto word = words.find(last);
    if (word == words.end() && size - begin > 1) continue;
    const double own = std::log((word == words.end() ? 0.25 : word->second) / sum);
    best = std::max(best, best_sum(run, begin, words, sum) + own);
  }
  return best;
}

TEST(SegmentationDictionary, FindsTheMostProbableDivision) {
  const std::map<std::string, double> words = {{"数据", 100}, {"据脱敏", 50}, {"敏", 3},         {"敏很重要", 60},
                                               {"很", 80},    {"很重", 20},   {"数据脱敏很", 7}, {"要数", 95}};
  std::string lines;
  double sum = 0;
  for (const auto& [word, frequency] : words) {
    lines += word + " " + std::to_string(frequency) + "\n";
    sum += frequency;
  }
  const auto dictionary = SegmentationDictionary::parse(lines);
  ASSERT_TRUE(dictionary);
  const std::vector<std::string> characters = {"数", "据", "脱", "敏", "很", "重", "要", "的"};
  std::mt19937 random(17);
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::string> run;
    std::string text;
    for (std::size_t n = 1 + random() % 10; n > 0; --n) {
      const std::size_t next = random() % 3 == 0 ? random() : i + run.size();  // mostly in the order of the words
      run.push_back(characters[next % characters.size()]);
      text += run.back();
    }
    double found = 0;
    for (const std::string& word : divided_runs({text}, *dictionary))
      found += std::log((words.contains(word) ? words.at(word) : 0.25) / sum);
    ASSERT_NEAR(found, best_sum(run, run.size(), words, sum), 1e-9) << text;
  }
}

TEST(SegmentationDictionary, RefusesDamage) {
  for (const char* bad : {"", "word\n", "word x\n", "word -1\n", "word nan\n", "\xFF 1\n"})
    EXPECT_FALSE(SegmentationDictionary::parse(bad)) << bad;
  EXPECT_THAT(SegmentationDictionary::parse("a 1\nb\n").error().message, ::testing::HasSubstr("line 2"));
}

TEST(WordShape, LookupFormsAreTheSame) {
  EXPECT_EQ(lookup_form("e\xCC\x81"), lookup_form("\xC3\xA9")) << "NFD and NFC";
  EXPECT_EQ(lookup_form("ｈｅｌｌｏ"), "hello") << "full width";
  EXPECT_EQ(lookup_form("ｶﾞ"), lookup_form("ガ")) << "half width";
  EXPECT_EQ(small_letters("ÉCOLE"), "école");
}

TEST(WordShape, CaseIsRestored) {
  EXPECT_EQ(in_the_case_of("Film", "movie"), "Movie");
  EXPECT_EQ(in_the_case_of("FILM", "movie"), "MOVIE");
  EXPECT_EQ(in_the_case_of("film", "Movie"), "Movie");
  EXPECT_EQ(in_the_case_of("I", "we"), "We");
  EXPECT_EQ(in_the_case_of("École", "église"), "Église");
  EXPECT_EQ(in_the_case_of("电影", "movie"), "movie");
  EXPECT_EQ(in_the_case_of("A", ""), "");
  EXPECT_EQ(in_the_case_of("'S", "'s"), "'S") << "a clitic has no capital but in CAPITALS";
  EXPECT_EQ(in_the_case_of("’S", "'re"), "'RE");
  EXPECT_EQ(in_the_case_of("'s", "'re"), "'re");
}

}  // namespace tokenizer_test
}  // namespace gauze::text
