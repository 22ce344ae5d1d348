#include "gauze/publish/labelled_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/engines/open_source.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/testing/folder.h"
#include "gauze/label/label_file.h"
#include "gauze/label/label_testing.h"

namespace gauze::publish {
namespace labelled_table_test {

using ::testing::StartsWith;

class LabelledTable : public ::testing::Test {
 protected:
  LabelledTable() { EXPECT_TRUE(write_file(folder_ / "in.csv", "name,age\nAda,36\nBen,41\n")); }
  [[nodiscard]] std::unique_ptr<table::Source> source() const {
    return std::move(engines::open_source(folder_ / "in.csv", {})->source);
  }
  /// Leaves the names out.
  const table::Rewrite rewrite_{.dropped = {0}};
  Folder folder_;
  Progress progress_;
};

TEST_F(LabelledTable, GoesIntoAFileInTheFormItsNameSays) {
  const table::TextForm form{.delimiter = ";"};
  for (const auto& [name, begin] : {std::pair<std::string, std::string>{"out.csv", "age\n36\n41\n"},
                                    {"out.parquet", "PAR1"},
                                    {"out.csv.gz", "\x1f\x8b"}}) {
    LabelledOutput output = LabelledOutput::create(folder_ / name).value();
    ASSERT_TRUE(write_table(*source(), rewrite_, form, output, progress_));
    EXPECT_FALSE(folder_.has(name)) << "not before its label";
    PrivacyLabel label = plain_label();
    ASSERT_TRUE(output.commit(label));
    EXPECT_THAT(folder_.read(name), StartsWith(begin));
    EXPECT_TRUE(check_against_file(*read_label_file(label_path_for(folder_ / name)), folder_ / name));
  }
  LabelledOutput output = LabelledOutput::create(folder_ / "all.csv").value();
  ASSERT_TRUE(write_table(*source(), {}, form, output, progress_));
  PrivacyLabel label = plain_label();
  ASSERT_TRUE(output.commit(label));
  EXPECT_EQ(folder_.read("all.csv"), "name;age\nAda;36\nBen;41\n");
}

TEST_F(LabelledTable, GoesToTheStandardOutputThroughTheSinkAlone) {
  std::string shown;
  LabelledOutput output = LabelledOutput::create("-", [&](std::string_view bytes) -> Result<void> {
                            shown += bytes;
                            return {};
                          }).value();
  ASSERT_TRUE(write_table(*source(), rewrite_, {}, output, progress_));
  EXPECT_EQ(shown, "age\n36\n41\n");
  EXPECT_EQ(output.content(100)->value(), shown) << "so that a repeated request gets it again";
}

TEST_F(LabelledTable, NothingIsShownOfWhatFailsHalfWay) {
  std::string shown;
  LabelledOutput output = LabelledOutput::create("-", [&](std::string_view bytes) -> Result<void> {
                            shown += bytes;
                            return {};
                          }).value();
  table::Rewrite stopping = rewrite_;
  stopping.inputs = {1};
  stopping.outputs = {1};
  stopping.rewrite = [&](const table::RowBatch&, table::RewrittenBatch&) { progress_.request_stop(); };
  EXPECT_FALSE(write_table(*source(), stopping, {}, output, progress_));
  EXPECT_EQ(shown, "");
}

TEST_F(LabelledTable, RowsFromElsewhereGoTheSameWay) {
  auto from = source();
  const std::vector<std::size_t> ages = {1};
  const auto rows = from->scan(ages, table::Cells::text, progress_).value();
  std::string shown;
  LabelledOutput output = LabelledOutput::create("-", [&](std::string_view bytes) -> Result<void> {
                            shown += bytes;
                            return {};
                          }).value();
  ASSERT_TRUE(write_rows(*rows, {}, output, progress_));
  EXPECT_EQ(shown, "age\n36\n41\n");
}

}  // namespace labelled_table_test
}  // namespace gauze::publish
