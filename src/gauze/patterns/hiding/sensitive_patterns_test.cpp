#include "gauze/patterns/hiding/sensitive_patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/testing/small_baskets.h"
#include "gauze/table/encoding.h"

namespace gauze::patterns {
namespace sensitive_patterns_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(SensitivePatterns, NamesWithBlanks) {
  const Database database = BasketFile::parse("sleep aid, tea\nsleep, aid\n", BasketFormat::csv)->database();
  const auto items_of = [&](const std::string& text) { return sensitive(text, database).patterns.at(0).items; };
  EXPECT_EQ(items_of("sleep aid, tea\n"), (Itemset{0, 1}));
  EXPECT_EQ(items_of("\"sleep aid\" tea\n"), (Itemset{0, 1}));
  EXPECT_EQ(items_of("sleep aid\n"), (Itemset{2, 3})) << "both occur, so blanks separate";
  const Database other = BasketFile::parse("sleep aid, green tea\n", BasketFormat::csv)->database();
  const SensitiveList list = sensitive("sleep aid => green tea\n", other);
  EXPECT_EQ(list.patterns.at(0).items, (Itemset{0, 1}));
  EXPECT_EQ(list.patterns.at(0).left, Itemset{0});
}

TEST(SensitivePatterns, AreReadWithTheirThresholds) {
  const Database database = baskets("A B\n");
  const SensitiveList list = sensitive("# a remark\nA B @ 0.02\nB => A\n\nA, \"B\"\nA Z\n", database);
  ASSERT_EQ(list.patterns.size(), 3U);
  EXPECT_EQ(list.patterns[1].left, Itemset{1});
  EXPECT_EQ(list.patterns[0].min_support, *Rational::parse("0.02"));
  ASSERT_EQ(list.warnings.size(), 1U) << "one has an item that does not occur";
  EXPECT_EQ(list.warnings[0].code, "unknown_item");
  EXPECT_EQ(list.warnings[0].subject, Warning::Subject::privacy) << "what was listed is not hidden";
  for (const char* bad : {"A @ 2\n", "A => \n", "\"A\n", "=> A\n", "A,,B\n", "A => B A\n", "A => B => A\n",
                          "\"A\"B\n", "@ 0.2\n", "A @\n", "A @x\n", "# nothing\n", ""})
    EXPECT_FALSE(parse_sensitive(bad, database)) << bad;
  EXPECT_THAT(parse_sensitive("A\nA => \n", database).error().message, HasSubstr("line 2"));
}

TEST(SensitivePatterns, QuotesRemarksAndOddNames) {
  const Database database = BasketFile::parse("a=>b, c, \"x @ y\", #5, @home\n", BasketFormat::csv)->database();
  const auto items_of = [&](const std::string& text) { return sensitive(text, database).patterns.at(0).items; };
  EXPECT_EQ(items_of("\"a=>b\", c\n"), (Itemset{0, 1}));
  EXPECT_EQ(sensitive("\"a=>b\" => c\n", database).patterns.at(0).left, Itemset{0});
  EXPECT_EQ(items_of("\"x @ y\", c @0.5\n"), (Itemset{1, 2}));
  EXPECT_EQ(items_of("c # a remark\n"), (Itemset{1}));
  EXPECT_EQ(items_of("\"#5\" c\n"), (Itemset{1, 3}));
  EXPECT_EQ(items_of("@home, c\n"), (Itemset{1, 4}));
  EXPECT_THAT(parse_sensitive("#5, c\n", database).error().message, HasSubstr("quotes")) << "it looks like a comment";
}

TEST(SensitivePatterns, AnItemThatDoesNotOccurIsRefusedWithTheOneThatWasMeant) {
  const Database database = BasketFile::parse("sleep aid, tea\nantidepressant\n", BasketFormat::csv)->database();
  const auto list = parse_sensitive("tea, sleep aid\nantidepresant, tea\nmilk\n", database);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, ErrorCode::invalid_parameter);
  EXPECT_THAT(list.error().message, AllOf(HasSubstr("line 2: 'antidepresant' (did you mean 'antidepressant'?)"),
                                          HasSubstr("line 3: 'milk'"), Not(HasSubstr("line 1"))));
  EXPECT_THAT(parse_sensitive("sleap aid\n", database).error().message, HasSubstr("did you mean 'sleep aid'?"))
      << "the parts of a name with blanks are nobody's names";
  const auto rest = parse_sensitive("tea\nmilk sugar\n", database, {.unknown = UnknownItems::leave_out});
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->patterns.size(), 1U);
  ASSERT_EQ(rest->warnings.size(), 1U) << "one for a line";
  EXPECT_EQ(rest->warnings[0].code, "unknown_item");
}

TEST(SensitivePatterns, OfManyUnknownItemsAFewAreNamed) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "none" + std::to_string(i) + "\n";
  const std::string message = parse_sensitive(text, baskets("A B\n")).error().message;
  EXPECT_THAT(message, AllOf(HasSubstr("line 5:"), Not(HasSubstr("line 6:")), HasSubstr("and 45 more")));
}

TEST(SensitivePatterns, WideCommasSeparateExceptInNamesThatOccur) {
  const Database database = BasketFile::parse("牛奶,面包,红酒、白酒\n", BasketFormat::csv)->database();
  const auto items_of = [&](const std::string& text) {
    const auto list = parse_sensitive(text, database);
    EXPECT_TRUE(list) << list.error().message;
    return list ? list->patterns.at(0).items : Itemset{};
  };
  EXPECT_EQ(items_of("牛奶，面包\n"), (Itemset{0, 1}));
  EXPECT_EQ(items_of("牛奶、面包\n"), (Itemset{0, 1}));
  EXPECT_EQ(items_of("牛奶 ， 面包 => 红酒、白酒\n"), (Itemset{0, 1, 2}));
  EXPECT_EQ(items_of("牛奶, 红酒、白酒\n"), (Itemset{0, 2}));
  EXPECT_FALSE(parse_sensitive("牛奶，，面包\n", database));
  EXPECT_FALSE(parse_sensitive("\"牛奶，面包\"\n", database)) << "in quotes it is one name";
}

TEST(SensitivePatterns, ListsInOtherEncodingsAreUnderstood) {
  const Database database = BasketFile::parse("牛奶,面包\n奶,包\n", BasketFormat::csv)->database();
  const std::string chinese = table::encode("牛奶，面包\n", table::Encoding::gb18030).value();
  ASSERT_TRUE(parse_sensitive(chinese, database)) << "found out";
  EXPECT_EQ(parse_sensitive(chinese, database, {.encoding = "gb18030"})->patterns.at(0).items, (Itemset{0, 1}));
  EXPECT_EQ(parse_sensitive("\xFF\xFE" + table::encode("牛奶\n", table::Encoding::utf16le).value(), database)
                ->patterns.at(0)
                .items,
            Itemset{0});
  const auto bad = parse_sensitive("牛奶\n\xE9\n", database);
  EXPECT_EQ(bad.error().code, ErrorCode::bad_data);
  EXPECT_THAT(bad.error().message, HasSubstr("line 2 is not UTF-8"));
}

}  // namespace sensitive_patterns_test
}  // namespace gauze::patterns
