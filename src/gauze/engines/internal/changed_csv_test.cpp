#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <sstream>

#include "gauze/engines/testing/engine_testing.h"

namespace gauze::engines {
namespace changed_csv_test {

/// What the tests below do to rows, by two of their columns alone: a stands for more where b is given, "drop" goes, and a third column
/// becomes `*` where a is "hide".
void change(const table::RowBatch& batch, table::RewrittenBatch& result) {
  for (std::size_t row = 0; row < batch.rows; ++row) {
    const std::string_view a = batch.cells[0][row].text;
    result.keep[row] = a == "drop" ? 0 : 1;
    if (a == "hide") result.cells[1][row] = "*";
    if (batch.cells[1][row].missing) continue;
    result.storage.push_back(std::string(a) + " or more");
    result.cells[0][row] = result.storage.back();
  }
}

/// The changes of columns a and b, and of a third one, with or without what is known of them.
table::Rewrite changing(table::Source& table, std::size_t a, std::size_t b, std::size_t hidden,
                        const table::TupleCounts* tuples) {
  table::Rewrite rewrite;
  rewrite.inputs = {a, b};
  rewrite.outputs = {a, hidden};
  rewrite.rewrite = change;
  if (tuples == nullptr) return rewrite;
  rewrite.known = {.columns = {a, b}, .tuples = tuples, .rewrite = change, .find = {}, .look = {}};
  rewrite.known.find = [tuples, &table](std::span<const std::span<const std::string_view>> texts) {
    std::vector<std::uint32_t> found;
    for (std::size_t row = 0; row < texts[0].size(); ++row) {
      found.push_back(table::Rewrite::kNoTuple);
      for (std::uint32_t tuple = 0; tuple < tuples->size(); ++tuple) {
        bool same = true;
        for (std::size_t i = 0; i < 2; ++i) {
          const table::Dictionary& values = tuples->dictionaries[i];
          const std::uint32_t code = tuples->codes[i][tuple];
          same = same && (table.missing().contains(texts[i][row])
                              ? code == values.missing
                              : code != values.missing && values.values[code] == texts[i][row]);
        }
        if (same) found.back() = tuple;
      }
    }
    return found;
  };
  return rewrite;
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Where what tuples become is known, lines are made of that and of the other cells, or of the tuples alone.
TEST(ChangedCsv, IsWhatIsWrittenWithoutKnowingChanges) {
  std::mt19937_64 random(8);
  const std::vector<std::string> texts = {"x", "hide", "drop", "", "?", "q\"q", "\"\"", " z", "a;b", "c,d"};
  const Folder folder;
  for (int run = 0; run < 60; ++run) {
    const std::size_t width = 3 + random() % 4;
    std::vector<std::size_t> places(width);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::shuffle(places.begin(), places.end(), random);
    std::string text = "n0";
    for (std::size_t i = 1; i < width; ++i) text += ",n" + std::to_string(i);
    text += '\n';
    for (int row = 0; row < 50; ++row) {
      std::vector<std::string> cells;
      for (std::size_t i = 0; i < width; ++i) cells.push_back(texts[random() % (run % 3 == 0 ? 4 : texts.size())]);
      table::append_csv_line(text, cells, ',');
    }
    const auto table =
        shared_tables().open(folder.write("in.csv", text), {.delimiter = ",", .header = true}).value().source;
    Progress progress;
    const std::vector<std::size_t> known = {places[0], places[1]};
    const table::TupleCounts tuples = table->group(known, progress).value();
    table::Rewrite plain = changing(*table, places[0], places[1], places[2], nullptr);
    table::Rewrite by_tuples = changing(*table, places[0], places[1], places[2], &tuples);
    const bool all = run % 4 == 1;  // but what is known is left out
    for (std::size_t i = 2; all && i < width; ++i) by_tuples.dropped.push_back(places[i]);
    plain.dropped = by_tuples.dropped;
    const bool exact = std::all_of(tuples.dictionaries.begin(), tuples.dictionaries.end(),
                                   [](const auto& values) { return !values.missing || values.missing_is_exact; });
    EXPECT_EQ(by_tuples.knows_changes(width), exact);
    EXPECT_FALSE(by_tuples.knows_rows(width)) << "their order is not known";
    std::size_t looked = 0;
    by_tuples.known.look = [&](std::size_t column, std::span<const std::string_view> cells) {
      EXPECT_TRUE(column != places[0] && column != places[1]);
      looked += cells.size();
    };
    const table::TextForm form{.delimiter = run % 2 == 0 ? "," : ";", .crlf = run % 5 == 0};
    ASSERT_TRUE(write(*table, plain, {.path = folder / "plain.csv", .format = {}, .form = form}, progress));
    ASSERT_TRUE(write(*table, by_tuples, {.path = folder / "known.csv", .format = {}, .form = form}, progress));
    const std::string expected = read_all(folder / "plain.csv");
    EXPECT_EQ(read_all(folder / "known.csv"), expected);
    by_tuples.shuffle = [&](std::uint64_t n) { return random() % n; };
    EXPECT_EQ(by_tuples.knows_rows(width), exact && all);
    looked = 0;
    ASSERT_TRUE(write(*table, by_tuples, {.path = folder / "known.csv", .format = {}, .form = form}, progress));
    EXPECT_EQ(sorted_lines(read_all(folder / "known.csv")), sorted_lines(expected));
    if (exact && !all && width == 4) {
      EXPECT_EQ(looked, 2 * (sorted_lines(expected).size() - 1));
    }
  }
}

TEST(ChangedCsv, LeavesRowsOutOfWhichNoTupleIsKnown) {
  const Folder folder;
  const auto before = shared_tables().open(folder.write("a.csv", "a,b,c\nx,1,u\ny,1,v\n"), {}).value().source;
  const auto after = shared_tables().open(folder.write("b.csv", "a,b,c\nx,1,u\nz,1,w\ny,2,w\n"), {}).value().source;
  Progress progress;
  const std::vector<std::size_t> known = {0, 1};
  const table::TupleCounts tuples = before->group(known, progress).value();
  const table::Rewrite rewrite = changing(*after, 0, 1, 2, &tuples);
  ASSERT_TRUE(write(*after, rewrite, {.path = folder / "out.csv"}, progress));
  EXPECT_EQ(read_all(folder / "out.csv"), "a,b,c\nx or more,1,u\n");
}

}  // namespace changed_csv_test
}  // namespace gauze::engines
