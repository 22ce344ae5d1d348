#include "gauze/patterns/baskets/basket_release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gauze/patterns/baskets/internal/marks_file.h"

namespace gauze::patterns {
namespace basket_release_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A small generator for tests.
struct Draws {
  std::uint64_t state = 99;
  std::uint64_t below(std::uint64_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % bound;
  }
};

/// A transaction by names, so that databases with other orders of items compare.
struct Row {
  std::set<std::string> items;
  std::set<std::string> marks;
  std::uint32_t anonymous = 0;
  friend bool operator==(const Row&, const Row&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Row& row) {
    for (const std::string& name : row.items) out << '[' << name << ']';
    for (const std::string& name : row.marks) out << "?[" << name << ']';
    return out << " ?" << row.anonymous;
  }
};

std::vector<Row> rows_of(const Database& database) {
  std::vector<Row> rows(database.rows());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const Item item : database.row(r)) rows[r].items.insert(database.names[item]);
    for (const Item item : database.marks_of(r)) rows[r].marks.insert(database.names[item]);
    rows[r].anonymous = database.anonymous_of(r);
  }
  return rows;
}

/// What the edits mean.
std::vector<Row> edited(const Database& database, const std::vector<Edit>& edits, MarkStyle style) {
  std::vector<Row> rows = rows_of(database);
  for (const Edit& edit : edits) {
    Row& row = rows[edit.row];
    const std::string& name = database.names[edit.item];
    const bool there = row.items.erase(name) > 0;
    if (edit.operation == Operation::remove) row.marks.erase(name);
    if (edit.operation == Operation::remove || (edit.operation == Operation::mark && !there)) continue;
    if (style == MarkStyle::anchored)
      row.marks.insert(name);
    else
      ++row.anonymous;
  }
  return rows;
}

std::vector<Edit> random_edits(Draws& draws, const BasketFile& file) {
  std::vector<Edit> edits;
  const Database& database = file.database();
  const std::uint64_t rate = 1 + draws.below(6);
  for (std::size_t r = 0; r < database.rows(); ++r) {
    for (Item item = 0; item < database.names.size(); ++item) {
      if (draws.below(rate) > 0) continue;
      const auto row = database.row(r);
      const auto marks = database.marks_of(r);
      if (std::binary_search(row.begin(), row.end(), item))
        edits.push_back({r, item, draws.below(2) == 0 ? Operation::mark : Operation::remove});
      else if (std::binary_search(marks.begin(), marks.end(), item))
        edits.push_back({r, item, Operation::remove});
      else if (file.format() != BasketFormat::matrix || !file.cells(r).empty())
        edits.push_back({r, item, Operation::decoy});
    }
  }
  return edits;
}

void check_release(const BasketFile& file, const std::vector<Edit>& edits, MarkStyle style) {
  const auto release = write_release(file, edits, style);
  if (file.format() == BasketFormat::matrix && style == MarkStyle::anonymous) {
    EXPECT_FALSE(release);
    return;
  }
  ASSERT_TRUE(release) << release.error().message;
  const auto back = restore(release->bytes, release->marks, file.format());
  ASSERT_TRUE(back) << back.error().message << "\n" << release->bytes << "\n" << release->marks;
  EXPECT_EQ(*back, file.bytes()) << release->bytes << "\n" << release->marks;
  const auto read = BasketFile::parse(release->bytes, file.reading());
  ASSERT_TRUE(read) << read.error().message << "\n" << release->bytes;
  EXPECT_EQ(rows_of(read->database()), edited(file.database(), edits, style)) << file.bytes() << "\n--\n"
                                                                              << release->bytes << "\n--\n"
                                                                              << release->marks;
}

TEST(BasketRelease, IsTheIntendedDatabaseAndComesBackByteForByte) {
  Draws draws;
  const std::pair<std::string, BasketFormat> files[] = {
      {"A B C D\nA B D\n\n# a remark\n A\t C  D \r\nB C D\nA D", BasketFormat::dat},
      {"3 11 2\n2 3 11 11\n ?2 3\n2 ?2\n? 11\n#c\n11 #x #y\n", BasketFormat::dat},
      {"\xEF\xBB\xBF"
       "7",
       BasketFormat::dat},
      {"牛奶,\"bread, white\",a\n\"x \"\"y\"\"\", a ,牛奶\n\na\n,,a,,牛奶,\n#\n\"#b\",#b", BasketFormat::csv},
      {"a,b\r\n?a,a,\" b\"\r\n?,\"?a\" , b\r\n\r\nb", BasketFormat::csv},
      {"a \xEF\xBB\xBF"
       "c b\n",
       BasketFormat::dat},
      {"a,b,c\n1,0,1\n1,1,1\n\n0,?,1\n", BasketFormat::matrix},
      {"a b\t\"c d\"\n1 0\t1\n\"1\"  1 0\n", BasketFormat::matrix},
      {"tid,item\n1,a\n2,b\n1,c\n2,a\n3,\n1,a", BasketFormat::long_table},
      {"\xEF\xBB\xBFitem;tid;n\r\n\"x;y\";1;5\r\n#c\r\nb;1;\r\n\r\nb;2;7\r\n?b;3;1\r\n?;3;1\r\nb;3;2\r\n",
       BasketFormat::long_table},
      {"who\twhat\n9\t b\n8\ta\n9\t\n8\t\"q\"\"\"\n7\tb", BasketFormat::long_table}};
  for (const auto& [text, format] : files) {
    const auto file = BasketFile::parse(text, format);
    ASSERT_TRUE(file) << file.error().message;
    for (int trial = 0; trial < 400 && !::testing::Test::HasFailure(); ++trial) {
      const std::vector<Edit> edits = random_edits(draws, *file);
      for (const MarkStyle style : {MarkStyle::anchored, MarkStyle::anonymous}) check_release(*file, edits, style);
    }
  }
}

/// A file of some format with names, line ends and separators of all sorts.
std::string random_file(Draws& draws, BasketFormat format) {
  const std::vector<std::string> plain = {"1", "2", "10", "03", "b", "牛奶", "#x", "??", "?c", "?10", "?", "a\"b"};
  const std::vector<std::string> with_quotes = {"\"b", "\"a\"", "\"", "?\"b"};  // in dat they mean nothing
  const std::vector<std::string> quoted = {"\"a, b\"", "\"x\"\"\"", "\" y \"", "\"?z;\"", "\"\"", ""};
  const bool is_long = format == BasketFormat::long_table;
  const std::string end = draws.below(3) == 0 ? "\r\n" : "\n";
  const char delimiter = format == BasketFormat::csv ? ',' : ",;\t|"[draws.below(is_long ? 4 : 3)];
  const auto name = [&] {
    if (format == BasketFormat::dat && draws.below(4) == 0) return with_quotes[draws.below(with_quotes.size())];
    return format != BasketFormat::dat && draws.below(3) == 0 ? quoted[draws.below(quoted.size())]
                                                              : plain[draws.below(plain.size())];
  };
  const auto blank = [&] { return std::string(draws.below(3) == 0 ? 1 : 0, ' '); };
  std::string text = draws.below(4) == 0 ? "\xEF\xBB\xBF" : "";
  const bool swapped = draws.below(2) == 0;
  if (is_long)
    text += swapped ? std::string("item") + delimiter + "tid" + end : std::string("tid") + delimiter + "item" + end;
  if (format == BasketFormat::matrix) text += std::string("a") + delimiter + "\"b c\"" + delimiter + "?d" + end;
  const std::size_t lines = draws.below(9);
  for (std::size_t i = 0; i < lines; ++i) {
    if (draws.below(6) == 0) text += "# remark" + end;
    if (draws.below(6) == 0) text += end;
    if (is_long) {
      const std::string id = blank() + std::to_string(draws.below(4)) + blank();
      const std::string item = blank() + name() + blank();
      // A line that begins with # would be a comment, and a comment is no part of the table.
      text += swapped ? " " + item + delimiter + id : id + delimiter + item;
    } else if (format == BasketFormat::matrix) {
      for (int c = 0; c < 3; ++c) text += (c > 0 ? std::string(1, delimiter) : "") + "01?"[draws.below(3)];
    } else {
      const std::size_t cells = draws.below(6);
      for (std::size_t c = 0; c < cells; ++c) {
        if (c > 0) text += format == BasketFormat::dat ? (draws.below(3) == 0 ? "\t " : " ") : blank() + ",";
        if (c == 0 || format == BasketFormat::csv) text += blank();
        text += name();
      }
    }
    if (i + 1 < lines || draws.below(2) == 0) text += end;
  }
  return text;
}

TEST(BasketRelease, HoldsForRandomFilesOfAllFormats) {
  Draws draws;
  for (int trial = 0; trial < 4000 && !::testing::Test::HasFailure(); ++trial) {
    const auto format = static_cast<BasketFormat>(trial % 4);
    const std::string text = random_file(draws, format);
    const auto file = BasketFile::parse(text, format);
    ASSERT_TRUE(file) << file.error().message << "\n" << text;
    const std::vector<Edit> edits = random_edits(draws, *file);
    for (const MarkStyle style : {MarkStyle::anchored, MarkStyle::anonymous}) check_release(*file, edits, style);
  }
}

TEST(BasketRelease, MarksAreWhatTheFormatSays) {
  const BasketFile file = *BasketFile::parse("A B C\nB, C\n", BasketFormat::dat);
  const std::vector<Edit> edits = {{0, 1, Operation::mark}};
  EXPECT_EQ(write_release(file, edits, MarkStyle::anchored)->bytes, "A ?B C\nB, C\n");
  EXPECT_EQ(write_release(file, edits, MarkStyle::anonymous)->bytes, "A ? C\nB, C\n");
  EXPECT_EQ(write_release(file, edits, MarkStyle::anchored)->marks,
            "row,position,item,operation,text\n1,2,B,anchored,B\n"
            "0,0,,released,247f2cb7d5f9bb14f9f3c40208676861986eca89aa20833ee8875a3247955b93\n"
            "0,0,,original,55af456a96ac27bc03e5bccf42e7ef6412f71695220abe0b9fe1abe2f56a1b8b\n")
      << "the checks are what sha256sum says";
  const BasketFile quoted = *BasketFile::parse("\"a, b\",c\n", BasketFormat::csv);
  EXPECT_EQ(write_release(quoted, std::vector<Edit>{{0, 0, Operation::mark}}, MarkStyle::anchored)->bytes,
            "\"?a, b\",c\n");
}

TEST(BasketRelease, MarksOfALongTable) {
  const BasketFile file = *BasketFile::parse("tid,item,n\n1,a,5\n1,b,6\n2,a,7\n", std::nullopt);
  const auto released = [&](std::vector<Edit> edits, MarkStyle style = MarkStyle::anchored) {
    return write_release(file, edits, style)->bytes;
  };
  EXPECT_EQ(released({{0, 0, Operation::mark}}), "tid,item,n\n1,?a,5\n1,b,6\n2,a,7\n");
  EXPECT_EQ(released({{0, 0, Operation::mark}}, MarkStyle::anonymous), "tid,item,n\n1,?,5\n1,b,6\n2,a,7\n");
  EXPECT_EQ(released({{0, 0, Operation::remove}}), "tid,item,n\n1,b,6\n2,a,7\n");
  EXPECT_EQ(released({{1, 0, Operation::remove}}), "tid,item,n\n1,a,5\n1,b,6\n2,,7\n") << "the transaction stays";
  EXPECT_EQ(released({{1, 1, Operation::decoy}}), "tid,item,n\n1,a,5\n1,b,6\n2,a,7\n2,?b,7\n");
  EXPECT_THAT(write_release(file, std::vector<Edit>{{1, 0, Operation::mark}}, MarkStyle::anchored)->marks,
              StartsWith("row,position,item,operation,text\n2,25,a,anchored,a\n0,0,"))
      << "places are those in the file";
  // Without its first line transaction 1 would come after 2.
  const BasketFile mixed = *BasketFile::parse("tid,item\n1,a\n2,b\n1,c\n", std::nullopt);
  EXPECT_EQ(write_release(mixed, std::vector<Edit>{{0, 0, Operation::remove}}, MarkStyle::anchored)->bytes,
            "tid,item\n1,\n2,b\n1,c\n");
}

TEST(BasketRelease, DecoysStandWhereTheItemWould) {
  const auto released = [](const std::string& text, BasketFormat format, std::vector<Edit> edits,
                           MarkStyle style = MarkStyle::anchored) {
    return write_release(*BasketFile::parse(text, format), edits, style)->bytes;
  };
  // 9 is item 0 of this file: its row of one item is the first.
  const std::string rising = "9\n2 ?4 30\n";
  EXPECT_EQ(released(rising, BasketFormat::dat, {{1, 0, Operation::decoy}}), "9\n2 ?4 ?9 30\n") << "as numbers";
  EXPECT_EQ(released(rising, BasketFormat::dat, {{1, 0, Operation::decoy}}, MarkStyle::anonymous), "9\n2 ?4 ? 30\n");
  EXPECT_EQ(released("b, d\na\n", BasketFormat::csv, {{0, 2, Operation::decoy}}), "?a, b, d\na\n");
  EXPECT_EQ(released("b, d\ne\n", BasketFormat::csv, {{0, 2, Operation::decoy}}), "b, d, ?e\ne\n");
  EXPECT_EQ(released("b, d\n\"c, c\"\n", BasketFormat::csv, {{0, 2, Operation::decoy}}),
            "b, \"?c, c\", d\n\"c, c\"\n");
  EXPECT_EQ(released("a,b\n1,0\n", BasketFormat::matrix, {{0, 1, Operation::decoy}}), "a,b\n1,?\n");
  EXPECT_EQ(released("b d\na\n", BasketFormat::dat,
                     {{0, 0, Operation::remove}, {0, 1, Operation::remove}, {0, 2, Operation::decoy}}),
            "?a\na\n");
  // Rows in no order: decoys are not always at the same place.
  std::string text = "x\n";
  for (int i = 0; i < 60; ++i) text += "9 1 5\n";
  const BasketFile file = *BasketFile::parse(text, BasketFormat::dat);
  std::vector<Edit> edits;
  for (std::size_t r = 1; r <= 60; ++r) edits.push_back({r, 0, Operation::decoy});
  const std::string bytes = write_release(file, edits, MarkStyle::anchored)->bytes;
  for (const char* line : {"?x 9 1 5\n", "9 ?x 1 5\n", "9 1 ?x 5\n", "9 1 5 ?x\n"})
    EXPECT_THAT(bytes, HasSubstr(line));
  EXPECT_EQ(bytes, write_release(file, edits, MarkStyle::anchored)->bytes) << "the same file, the same places";
}

TEST(BasketRelease, NoSecondPlaceOfAnItemStays) {
  const BasketFile file = *BasketFile::parse("A B A ?A\n", BasketFormat::dat);
  const auto released = [&](Operation operation, MarkStyle style) {
    return write_release(file, std::vector<Edit>{{0, 0, operation}}, style)->bytes;
  };
  EXPECT_EQ(released(Operation::remove, MarkStyle::anchored), "B\n");
  EXPECT_EQ(released(Operation::mark, MarkStyle::anchored), "?A B ?A ?A\n");
  EXPECT_EQ(released(Operation::mark, MarkStyle::anonymous), "? B\n") << "one item, one anonymous mark";
}

TEST(BasketRelease, EditsThatCannotBeMeantAreRefused) {
  const BasketFile file = *BasketFile::parse("A B\nA ?B\n", BasketFormat::dat);
  const auto error = [](const BasketFile& of, const Edit& edit) {
    const auto release = write_release(of, std::vector<Edit>{edit}, MarkStyle::anchored);
    return release ? std::string("written") : release.error().message;
  };
  EXPECT_THAT(error(file, {0, 0, Operation::decoy}), HasSubstr("transaction 1"));
  EXPECT_THAT(error(file, {1, 1, Operation::decoy}), HasSubstr("transaction 2"));
  const BasketFile other = *BasketFile::parse("A\nB\n", BasketFormat::dat);
  EXPECT_THAT(error(other, {0, 1, Operation::mark}), HasSubstr("does not hold"));
  const BasketFile matrix = *BasketFile::parse("a,b\n1,0\n\n", BasketFormat::matrix);
  EXPECT_THAT(error(matrix, {0, 1, Operation::mark}), HasSubstr("does not hold"));
  EXPECT_THAT(error(matrix, {0, 0, Operation::decoy}), HasSubstr("already"));
  EXPECT_THAT(error(matrix, {1, 0, Operation::decoy}), HasSubstr("blank line"));
  EXPECT_THAT(error(BasketFile::without_bytes(file.database(), {}), {0, 0, Operation::mark}), HasSubstr("CSV"));
  const std::vector<Edit> twice = {{0, 0, Operation::mark}, {0, 0, Operation::remove}};
  EXPECT_EQ(write_release(file, twice, MarkStyle::anchored)->bytes, "B\nA ?B\n") << "the last one counts";
}

/// A key with these lines whose checks are right for this release.
std::string key_of(const std::string& lines, std::string_view released, std::string_view original = "") {
  std::string marks = "row,position,item,operation,text\n" + lines;
  internal::append_checks(marks, released, original);
  return marks;
}

TEST(BasketRelease, OtherMarksAreRefused) {
  const BasketFile file = *BasketFile::parse("A B\nA B\n", BasketFormat::dat);
  const auto release = write_release(file, std::vector<Edit>{{0, 0, Operation::mark}}, MarkStyle::anchored);
  EXPECT_FALSE(restore("A B\nA B\n", release->marks));
  EXPECT_FALSE(restore("", release->marks));
  EXPECT_FALSE(restore(release->bytes, "nonsense"));
  const auto message = [](const std::string& released, const std::string& lines) {
    const auto back = restore(released, key_of(lines, released));
    return back ? std::string("restored") : back.error().message;
  };
  EXPECT_THAT(message(release->bytes, "1,x,A,anchored,A\n"), HasSubstr("line 2 of the marks is damaged"));
  EXPECT_THAT(message(release->bytes, "1,,A,anchored,A\n"), HasSubstr("line 2"));
  EXPECT_THAT(message(release->bytes, "0,0,A,anchored,A\n"), HasSubstr("line 2"));
  EXPECT_THAT(message(release->bytes, "9,0,A,anchored,A\n"), HasSubstr("no transaction 9"));
  EXPECT_THAT(message(release->bytes, "1,18446744073709551615,A,delete,A\n"), HasSubstr("transaction 1 differs"));
  EXPECT_THAT(message(release->bytes, "1,0,A,other,A\n"), HasSubstr("transaction 1 differs"));
  EXPECT_THAT(message("a,b\n1,0\n", "1,1,a,cell,1\n"), HasSubstr("transaction 1 differs"));
  EXPECT_THAT(message("tid,item\n1,a\n", "1,40,a,delete,\"1,b\n\"\n"), HasSubstr("transaction 1 differs"));
}

TEST(BasketRelease, OnlyTheReleaseGivesTheOriginalAndNothingElse) {
  // Deletions leave nothing in the file that could be compared: any file with enough lines looked right.
  const BasketFile file = *BasketFile::parse("a b c\na b d\na b\nc d\n", BasketFormat::dat);
  const std::vector<Edit> edits = {{0, 0, Operation::remove}, {1, 1, Operation::remove}};
  const auto release = write_release(file, edits, MarkStyle::anchored);
  ASSERT_TRUE(release);
  EXPECT_EQ(restore(release->bytes, release->marks).value(), file.bytes());
  const auto other = restore("x y zz\nq r s\nt u v\nw w w\n", release->marks);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::bad_data);
  EXPECT_THAT(other.error().message, HasSubstr("the marks are not those of this file"));
  EXPECT_FALSE(restore(release->bytes + "\n", release->marks));
  // A key in which one byte of the data is another.
  std::string changed = release->marks;
  ASSERT_THAT(changed, HasSubstr("delete,\"a \"\n"));
  changed.replace(changed.find("delete,\"a"), 9, "delete,\"x");
  EXPECT_THAT(restore(release->bytes, changed).error().message, HasSubstr("is not the original"));
  // Keys that lost lines, and keys of before there were checks.
  const std::size_t last = release->marks.find("0,0,,original");
  const std::size_t first = release->marks.find("0,0,,released");
  for (const std::size_t kept : {first, last, release->marks.size() - 5}) {
    const auto cut = restore(release->bytes, release->marks.substr(0, kept));
    ASSERT_FALSE(cut) << kept;
    EXPECT_THAT(cut.error().message, HasSubstr("damaged"));
  }
  EXPECT_THAT(restore(release->bytes, release->marks + "1,0,a,delete,a\n").error().message, HasSubstr("damaged"))
      << "the checks are the end";
  EXPECT_EQ(restore("a\n", key_of("", "a\n", "a\n")).value(), "a\n") << "nothing was changed";
}

TEST(BasketRelease, SaysWhetherItReadsBackByItself) {
  // The only line with a comma loses it.
  const BasketFile csv = *BasketFile::parse("white bread,milk\nwhite bread\nsleep aid\nsleep aid", std::nullopt);
  ASSERT_EQ(csv.format(), BasketFormat::csv);
  EXPECT_TRUE(reads_back_by_itself(csv.bytes(), csv.reading()));
  const auto release = write_release(csv, std::vector<Edit>{{0, 1, Operation::remove}}, MarkStyle::anchored);
  EXPECT_FALSE(reads_back_by_itself(release->bytes, csv.reading()));
  // Anonymous marks are no matrix.
  EXPECT_TRUE(reads_back_by_itself("x y\n? ?\n? ?", BasketFormat::dat));
  EXPECT_TRUE(reads_back_by_itself("x ?\n1 0\n", BasketFormat::dat));
  EXPECT_FALSE(reads_back_by_itself("x y\n1 0\n", BasketFormat::dat));
  EXPECT_FALSE(reads_back_by_itself("x,y\n?,?\n", BasketFormat::matrix)) << "all is hidden";
  // Long tables: the format, and the columns.
  const std::string usual = "\xEF\xBB\xBF# c\n#\ntid,item,product\n1,a,b\n";
  EXPECT_TRUE(reads_back_by_itself(usual, BasketFile::parse(usual, std::nullopt)->reading()));
  BasketReading columns(BasketFormat::long_table);
  columns.item = "product";
  EXPECT_FALSE(reads_back_by_itself(usual, BasketFile::parse(usual, columns)->reading()));
  EXPECT_FALSE(reads_back_by_itself("who,what\n1,a\n", BasketFormat::long_table));
  EXPECT_FALSE(reads_back_by_itself("# only a remark", BasketFormat::long_table));
  EXPECT_TRUE(reads_back_by_itself("a b\n", {})) << "nothing was given";
}

}  // namespace basket_release_test
}  // namespace gauze::patterns
