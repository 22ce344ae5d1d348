#include "gauze/table/tuple_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

#include "gauze/table/testing/memory_table.h"

namespace gauze::table {
namespace tuple_encoder_test {

using ::testing::ElementsAre;

TEST(StringInterner, NumbersTextsByFirstSight) {
  StringInterner interner;
  EXPECT_EQ(interner.intern("b"), 0U);
  EXPECT_EQ(interner.intern(""), 1U);
  EXPECT_EQ(interner.intern("b"), 0U);
  EXPECT_EQ(interner.intern(std::string_view("b\0", 2)), 2U);
  EXPECT_EQ(interner.text(2), std::string_view("b\0", 2));
}

TEST(StringInterner, KeepsManyAndLongTextsInPlace) {
  StringInterner interner;
  const std::string long_text(100'000, 'x');
  ASSERT_EQ(interner.intern(long_text), 0U);
  const std::string_view kept = interner.text(0);
  for (std::uint32_t i = 1; i < 100'000; ++i) ASSERT_EQ(interner.intern("value " + std::to_string(i)), i);
  for (std::uint32_t i = 1; i < 100'000; ++i) ASSERT_EQ(interner.intern("value " + std::to_string(i)), i);
  EXPECT_EQ(interner.text(0).data(), kept.data());
  EXPECT_EQ(interner.text(0), long_text);
  EXPECT_EQ(interner.text(99'999), "value 99999");
}

void add(TupleEncoder& encoder, const std::vector<std::string>& tuple, std::uint64_t count) {
  for (std::size_t i = 0; i < tuple.size(); ++i) encoder.codes(i).push_back(encoder.intern(i, tuple[i]));
  encoder.counts().push_back(count);
}

TEST(TupleEncoder, TrimsUnifiesSortsAndMerges) {
  const MissingTokens tokens({"NA"});
  TupleEncoder encoder(2, tokens);
  add(encoder, {" b", "?"}, 1);
  add(encoder, {"a", "x"}, 2);
  add(encoder, {"b ", "NA"}, 4);
  add(encoder, {"b", "x"}, 8);
  const TupleCounts tuples = encoder.finish();
  EXPECT_THAT(tuples.dictionaries[0].values, ElementsAre("a", "b"));
  EXPECT_FALSE(tuples.dictionaries[0].missing);
  EXPECT_THAT(tuples.dictionaries[1].values, ElementsAre("?", "x"));
  EXPECT_EQ(tuples.dictionaries[1].missing, 0U);
  EXPECT_THAT(tuples.codes[0], ElementsAre(0, 1, 1));
  EXPECT_THAT(tuples.codes[1], ElementsAre(1, 0, 1));
  EXPECT_THAT(tuples.counts, ElementsAre(2, 5, 8));
}

TEST(TupleEncoder, OfNothingIsEmpty) {
  const MissingTokens tokens;
  TupleEncoder encoder(3, tokens);
  const TupleCounts tuples = encoder.finish();
  EXPECT_EQ(tuples.size(), 0U);
  EXPECT_EQ(tuples.dictionaries.size(), 3U);
  EXPECT_EQ(tuples.codes.size(), 3U);
}

TEST(TupleEncoder, AgreesWithTheTableInMemory) {
  EXPECT_TRUE(rc::check("any rows, in any order", [] {
    const auto cell =
        rc::gen::element<std::string>("a", " a", "b", "?", "", " ", "NULL", "aa", "NA", "\xC3\xA9", "~");
    const auto columns = *rc::gen::inRange<std::size_t>(1, 4);
    const auto rows =
        *rc::gen::container<MemoryTable::Rows>(rc::gen::container<std::vector<std::string>>(columns, cell));
    const std::vector<std::string> null_tokens = {"NA"};
    MemoryTable table(std::vector<std::string>(columns, "x"), rows, null_tokens);
    std::vector<std::size_t> all(columns);
    std::iota(all.begin(), all.end(), std::size_t{0});
    Progress progress;
    const auto expected = table.group(all, progress).value();
    const MissingTokens tokens(null_tokens);
    TupleEncoder encoder(columns, tokens);
    for (const auto& row : rows) add(encoder, row, 1);
    const auto tuples = encoder.finish();
    RC_ASSERT(tuples.codes == expected.codes);
    RC_ASSERT(tuples.counts == expected.counts);
    for (std::size_t i = 0; i < columns; ++i) {
      RC_ASSERT(tuples.dictionaries[i].values == expected.dictionaries[i].values);
      RC_ASSERT(tuples.dictionaries[i].missing == expected.dictionaries[i].missing);
    }
  }));
}

}  // namespace tuple_encoder_test
}  // namespace gauze::table
