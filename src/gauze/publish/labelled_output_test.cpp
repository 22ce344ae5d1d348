#include "gauze/publish/labelled_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/testing/folder.h"
#include "gauze/label/label_file.h"
#include "gauze/label/label_testing.h"
#include "gauze/publish/testing/write_labelled.h"

namespace gauze::publish {
namespace labelled_output_test {

using ::testing::ElementsAre;

TEST(LabelledOutput, PutsBothInPlaceOrNeither) {
  const Folder folder;
  PrivacyLabel label = plain_label();
  {
    auto output = LabelledOutput::create(folder / "out.csv");
    ASSERT_TRUE(output) << output.error().message;
    ASSERT_TRUE(output->write("a,b\n"));
    EXPECT_FALSE(folder.has("out.csv"));
  }
  EXPECT_THAT(folder.list(), ElementsAre()) << "without commit() nothing is left";
  auto output = LabelledOutput::create(folder / "out.csv");
  ASSERT_TRUE(output->write("a,b\n"));
  ASSERT_TRUE(output->write("1,2\n"));
  ASSERT_TRUE(output->commit(label));
  EXPECT_EQ(folder.read("out.csv"), "a,b\n1,2\n");
  const auto written = read_label_file(folder / "out.csv.label.json");
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_TRUE(check_against_file(*written, folder / "out.csv"));
  EXPECT_THAT(folder.list(), ElementsAre("out.csv", "out.csv.label.json"));
}

TEST(LabelledOutput, TakesAFileThatSomebodyElseMakes) {
  const Folder folder;
  PrivacyLabel label = plain_label();
  auto output = LabelledOutput::create(folder / "out.parquet");
  const auto path = output->path();
  ASSERT_TRUE(path);
  EXPECT_EQ(path->filename(), "out.parquet") << "its ending says what it is";
  ASSERT_TRUE(write_file(*path, "PAR1"));
  ASSERT_TRUE(output->commit(label));
  EXPECT_EQ(folder.read("out.parquet"), "PAR1");
  EXPECT_EQ(label.released.file, "out.parquet");
  { const LabelledOutput gone = std::move(*output); }
  EXPECT_THAT(folder.list(), ElementsAre("out.parquet", "out.parquet.label.json")) << "no workshop stays";
}

TEST(LabelledOutput, ALabelThatBreaksARuleLeavesNothing) {
  const Folder folder;
  PrivacyLabel label = plain_label();
  label.parameters.set("true_count", 17);
  auto output = LabelledOutput::create(folder / "out");
  ASSERT_TRUE(output->write("x"));
  EXPECT_FALSE(output->commit(label));
  { const LabelledOutput gone = std::move(*output); }
  EXPECT_THAT(folder.list(), ElementsAre());
}

TEST(LabelledOutput, WhatFailsLeavesTheOldPair) {
  const Folder folder;
  PrivacyLabel old = plain_label();
  ASSERT_TRUE(write_labelled(folder / "out", "old", old));
  PrivacyLabel label = plain_label();
  label.mechanism = "gaussian";
  auto output = LabelledOutput::create(folder / "out");
  ASSERT_TRUE(output->path());  // nobody makes the file
  EXPECT_FALSE(output->commit(label));
  EXPECT_EQ(folder.read("out"), "old");
  EXPECT_EQ(read_label_file(folder / "out.label.json")->mechanism, "laplace");
}

TEST(LabelledOutput, AnEmptyOutputIsOne) {
  const Folder folder;
  PrivacyLabel label = plain_label();
  ASSERT_TRUE(write_labelled(folder / "out", "", label));
  EXPECT_THAT(folder.list(), ElementsAre("out", "out.label.json"));
}

TEST(LabelledOutput, TheStandardOutputTakesBytesAndNoLabelFile) {
  std::string seen;
  auto output = LabelledOutput::create("/dev/stdout", [&](std::string_view bytes) -> Result<void> {
    seen += bytes;
    return {};
  });
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->is_standard_output());
  PrivacyLabel label = plain_label();
  ASSERT_TRUE(output->write("42\n"));
  ASSERT_TRUE(output->commit(label));
  EXPECT_EQ(seen, "42\n");
  EXPECT_EQ(label.released.sha256, "");
}

TEST(LabelledOutput, RefusesTheNameOfALabel) {
  const Folder folder;
  EXPECT_FALSE(LabelledOutput::create(folder / "x.label.json"));
  EXPECT_FALSE(LabelledOutput::create("/nowhere/x"));
}

TEST(LabelledOutput, TheNullDeviceKeepsNothing) {
  PrivacyLabel label = plain_label();
  EXPECT_TRUE(write_labelled("/dev/null", "x", label));
  auto output = LabelledOutput::create("/dev/null");
  ASSERT_TRUE(write_file(output->path().value(), "x"));
  EXPECT_TRUE(output->commit(label));
}

}  // namespace labelled_output_test
}  // namespace gauze::publish
