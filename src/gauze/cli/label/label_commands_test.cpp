#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"
#include "gauze/label/label_file.h"
#include "gauze/label/label_testing.h"
#include "gauze/publish/testing/write_labelled.h"

namespace gauze::cli {
namespace label_commands_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LabelCommands : public ::testing::Test {
 protected:
  LabelCommands() {
    std::string name = (fs::temp_directory_path() / "gauze-cli-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    output_ = (folder_ / "counts.csv").string();
    label_ = output_ + ".label.json";
    EXPECT_TRUE(publish::write_labelled(output_, "a,1\n", plain_label()));
  }
  ~LabelCommands() override { fs::remove_all(folder_); }

  fs::path folder_;
  std::string output_;
  std::string label_;
};

TEST_F(LabelCommands, ShowTakesTheOutputOrItsLabel) {
  const Ran by_output = run({"label", "show", output_});
  EXPECT_EQ(by_output.status, 0) << by_output.err;
  EXPECT_THAT(by_output.out, HasSubstr("pure differential privacy with epsilon 1"));
  EXPECT_THAT(by_output.out, HasSubstr("counts.csv"));
  EXPECT_EQ(run({"label", "show", label_}).out, by_output.out);
}

TEST_F(LabelCommands, ShowGivesProgramsTheWholeLabel) {
  const Ran ran = run({"label", "show", output_, "--json"});
  const auto document = read_json(ran.out);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->find("label")->dump(), read_json(*read_file(label_))->dump());
}

TEST_F(LabelCommands, ShowFindsTheLabelInsideAJsonResult) {
  const std::string result =
      Json::object({{"values", Json::array({1, 2})}, {"label", plain_label().to_json()}}).dump();
  ASSERT_TRUE(write_file(folder_ / "result.json", result));
  EXPECT_THAT(run({"label", "show", (folder_ / "result.json").string()}).out, HasSubstr("1 noisy number"));
  EXPECT_THAT(run({"label", "show", "-"}, result).out, HasSubstr("1 noisy number"));
  EXPECT_EQ(run({"label", "show", "-"}, plain_label().to_json().dump()).status, 0);
  const Ran check = run({"label", "check", "-", "--json"}, result);
  EXPECT_EQ(
      check.out,
      "{\"matches\":true,\"label_file\":\"-\",\"file\":null,\"sha256\":null,\"in_ledger\":null,\"entry\":null,\"committed\":null,"
      "\"warnings\":[]}\n");
  EXPECT_THAT(run({"label", "check", "-"}, result).out, HasSubstr("is intact"));
}

TEST_F(LabelCommands, CheckAcceptsWhatFits) {
  for (const auto& path : {output_, label_}) {
    const Ran ran = run({"label", "check", path});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, output_ + " fits its label.\n");
  }
  const auto document = read_json(run({"label", "check", output_, "--json"}).out);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->find("matches")->dump(), "true");
  EXPECT_EQ(document->find("file")->text(), output_);
  EXPECT_EQ(document->find("label_file")->text(), label_);
  EXPECT_EQ(document->find("sha256")->text(), read_label_file(label_)->released.sha256);
}

TEST_F(LabelCommands, CheckFindsAChangedOutput) {
  ASSERT_TRUE(write_file(output_, "a,2\n"));
  const Ran ran = run({"label", "check", output_});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("is not the file its label was written for"));
  const Ran json = run({"label", "check", label_, "--json"});
  EXPECT_EQ(json.status, 1);
  const auto document = read_json(json.out);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->find("error")->find("code")->text(), "bad_data");
  EXPECT_EQ(document->find("matches")->dump(), "false");
}

TEST_F(LabelCommands, CheckFindsAChangedLabel) {
  std::string text = *read_file(label_);
  text.replace(text.find("one row"), 7, "one day");
  ASSERT_TRUE(write_file(label_, text));
  const Ran ran = run({"label", "check", output_});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("changed after it was written"));
}

TEST_F(LabelCommands, CheckTellsAMissingFileFromAMismatch) {
  fs::remove(output_);
  const Ran ran = run({"label", "check", label_, "--json"});
  EXPECT_EQ(ran.status, 1);
  const auto document = read_json(ran.out);
  EXPECT_EQ(document->find("error")->find("code")->text(), "io");
  EXPECT_EQ(document->find("matches"), nullptr);
}

TEST_F(LabelCommands, CheckWantsTheFileOfALabelThatIsBoundToOne) {
  const std::string label = *read_file(label_);
  const Ran ran = run({"label", "check", "-"}, label);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("put both side by side"));
}

TEST_F(LabelCommands, SayWhenThereIsNoLabel) {
  const std::string plain = (folder_ / "plain.csv").string();
  ASSERT_TRUE(write_file(plain, "a,1\n"));
  const Ran ran = run({"label", "show", plain});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("has no label beside it"));
  EXPECT_EQ(run({"label", "show", (folder_ / "none.csv").string()}).status, 1);
  EXPECT_EQ(run({"label", "show"}).status, 2);
  EXPECT_EQ(run({"label", "show", "-"}, "a,1\n").err,
            "gauze: stdin is neither a label nor a result printed with --json\n");
}

}  // namespace label_commands_test
}  // namespace gauze::cli
