// Releases whose transactions come out in a random order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/baskets/internal/marks_file.h"
#include "gauze/patterns/baskets/internal/row_places.h"

namespace gauze::patterns {
namespace shuffled_release_test {

using ::testing::HasSubstr;

BasketFile file_of(const std::string& text, const BasketReading& reading = {}) {
  return BasketFile::parse(text, reading).value();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    if (lines.back().ends_with('\r')) lines.back().pop_back();  // line ends belong to places
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string> sorted(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Every second row loses its first item or gets it marked.
std::vector<Edit> some_edits(const Database& database) {
  std::vector<Edit> edits;
  for (std::size_t row = 0; row < database.rows(); row += 2)
    if (!database.row(row).empty())
      edits.push_back({row, database.row(row).front(), row % 4 == 0 ? Operation::remove : Operation::mark});
  return edits;
}

struct Sample {
  const char* what;
  std::string text;
  BasketReading reading = {};
};

std::vector<Sample> samples() {
  return {{"dat", "1 2 3\n2 3\n\n1\n4 5 1 2\n"},
          {"an open last line", "1 2\n3\n4 5"},
          {"an open last line that loses its item", "1 2\n3"},
          {"csv", "milk,\"salt, fine\"\nbread\nmilk,bread\n", BasketFormat::csv},
          {"comments and a byte order mark", "\xEF\xBB\xBF# from the till\n1 2\n# noon\n2 3\n1\n# end"},
          {"carriage returns", "1 2\r\n3 4\r\n\r\n5\r\n"},
          {"line ends of both kinds", "1 2\r\n3 4\n\n5\r\n6"},
          {"matrix", "a,b,c\n1,0,1\n0,1,1\n1,1,0\n1,0,0\n"},
          {"marks that were there", "?1 2\n? 3\n2 3\n", BasketFormat::dat},
          {"one row", "7 8\n"},
          {"no row", "", BasketFormat::dat}};
}

TEST(ShuffledRelease, ComesBackByteForByte) {
  for (const Sample& sample : samples()) {
    const BasketFile file = file_of(sample.text, sample.reading);
    const bool matrix = file.format() == BasketFormat::matrix;
    for (int round = 0; round < 20; ++round) {
      const auto release = write_release(file, some_edits(file.database()),
                                         matrix ? MarkStyle::anchored : MarkStyle::anonymous, RowOrder::shuffled);
      ASSERT_TRUE(release) << sample.what << ": " << release.error().message;
      const auto original = restore(release->bytes, release->marks, file.reading());
      ASSERT_TRUE(original) << sample.what << ": " << original.error().message;
      EXPECT_EQ(*original, sample.text) << sample.what;
    }
  }
}

TEST(ShuffledRelease, HoldsTheSameLinesAsOneInOrder) {
  for (const Sample& sample : samples()) {
    const BasketFile file = file_of(sample.text, sample.reading);
    const auto edits = some_edits(file.database());
    const BasketRelease kept = write_release(file, edits, MarkStyle::anchored).value();
    const BasketRelease shuffled = write_release(file, edits, MarkStyle::anchored, RowOrder::shuffled).value();
    EXPECT_EQ(sorted(lines_of(shuffled.bytes)), sorted(lines_of(kept.bytes))) << sample.what;
    const std::string ordered = in_original_order(shuffled.bytes, shuffled.marks, file.reading()).value();
    EXPECT_EQ(lines_of(ordered), lines_of(kept.bytes)) << sample.what;
    EXPECT_EQ(in_original_order(kept.bytes, kept.marks, file.reading()).value(), kept.bytes) << sample.what;
  }
}

TEST(ShuffledRelease, HeadersAndCommentsStayWhereTheyWere) {
  const BasketFile matrix = file_of("a,b\n1,0\n0,1\n1,1\n");
  const BasketFile dat = file_of("# first\n1 2\n# second\n3\n4\n");
  for (int round = 0; round < 20; ++round) {
    const auto one = write_release(matrix, {}, MarkStyle::anchored, RowOrder::shuffled).value();
    EXPECT_EQ(lines_of(one.bytes).front(), "a,b");
    const auto other = lines_of(write_release(dat, {}, MarkStyle::anchored, RowOrder::shuffled)->bytes);
    EXPECT_EQ(other[0], "# first");
    EXPECT_EQ(other[2], "# second");
  }
}

TEST(ShuffledRelease, TheMarksNameRowsOfTheOriginalAndTheirPlaces) {
  const BasketFile file = file_of("1 2\n3 4\n5 6\n7 8\n9 1\n");
  const BasketRelease release =
      write_release(file, std::vector<Edit>{{1, 2, Operation::remove}}, MarkStyle::anchored, RowOrder::shuffled)
          .value();
  const internal::Marks marks = internal::parse_marks(release.marks).value();
  ASSERT_EQ(marks.lines.size(), 6U);
  EXPECT_EQ(marks.lines[0].row, 2U);
  EXPECT_EQ(marks.lines[0].operation, "delete");
  const auto lines = lines_of(release.bytes);
  const std::vector<std::string> expected = {"1 2", "4", "5 6", "7 8", "9 1"};
  for (std::size_t row = 0; row < 5; ++row) {
    const internal::MarkLine& line = marks.lines[1 + row];
    EXPECT_EQ(line.operation, "place");
    EXPECT_EQ(line.row, row + 1);
    EXPECT_EQ(lines.at(line.position - 1), expected[row]);
    EXPECT_TRUE(line.item.empty() && line.text.empty());
  }
}

// 60,000 shuffles of 4 rows, 24 orders: chi-square with 23 degrees of freedom exceeds 76.5 with p < 1e-7; an order that is
// 10 % too frequent adds 25 to it on average and two such 50: caught in > 90 % of runs; naive swapping of every row with any
// row (27 : 36 : ... of 256) adds over 1,500 and is always caught.
TEST(ShuffledRelease, EveryOrderIsAsLikely) {
  std::map<internal::RowPlaces, double> counts;
  const int n = 60'000;
  for (int i = 0; i < n; ++i) counts[internal::random_places(4)] += 1;
  ASSERT_EQ(counts.size(), 24U);
  double chi_square = 0;
  for (const auto& [places, count] : counts) chi_square += (count - n / 24.0) * (count - n / 24.0) / (n / 24.0);
  EXPECT_LT(chi_square, 76.5);
}

TEST(ShuffledRelease, DamagedPlacesAreRefused) {
  const BasketFile file = file_of("1 2\n3 4\n5 6\n");
  const BasketRelease release = write_release(file, {}, MarkStyle::anchored, RowOrder::shuffled).value();
  const auto with = [&](std::size_t row, std::size_t position) {
    internal::Marks marks = internal::parse_marks(release.marks).value();
    marks.lines[row].position = position;
    std::string text(internal::marks_header());
    for (const auto& line : marks.lines) internal::append_mark(text, line);
    internal::append_checks(text, release.bytes, file.bytes());
    return restore(release.bytes, text);
  };
  const std::size_t second = internal::parse_marks(release.marks)->lines[1].position;
  for (const std::size_t position : {std::size_t{0}, std::size_t{4}, second}) {
    const auto restored = with(0, position);
    ASSERT_FALSE(restored) << position;
    EXPECT_EQ(restored.error().code, ErrorCode::bad_data);
    EXPECT_THAT(restored.error().message, HasSubstr("no order of the transactions"));
  }
  EXPECT_FALSE(in_original_order("1 2\n", release.marks));
}

TEST(ShuffledRelease, IsRefusedWhereItCannotHideTheOrder) {
  const BasketFile table = file_of("transaction,item\n1,milk\n1,bread\n2,milk\n");
  ASSERT_EQ(table.format(), BasketFormat::long_table);
  const auto shuffled = write_release(table, {}, MarkStyle::anchored, RowOrder::shuffled);
  ASSERT_FALSE(shuffled);
  EXPECT_EQ(shuffled.error().code, ErrorCode::invalid_parameter);
  EXPECT_THAT(shuffled.error().message, HasSubstr("long table"));
  EXPECT_TRUE(write_release(table, {}, MarkStyle::anchored));
}

}  // namespace shuffled_release_test
}  // namespace gauze::patterns
