#include <gtest/gtest.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/label/label_file.h"
#include "gauze/label/label_testing.h"
#include "gauze/publish/labelled_output.h"
#include "gauze/publish/testing/write_labelled.h"

namespace gauze::publish {
namespace published_pair_test {

namespace fs = std::filesystem;

class PublishedPair : public ::testing::Test {
 protected:
  PublishedPair() {
    std::string name = (fs::temp_directory_path() / "gauze-label-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    output_ = folder_ / "counts.csv";
  }
  ~PublishedPair() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename());
    return names;
  }

  fs::path folder_;
  fs::path output_;
  const std::string bytes_ = "class,count\na,3.5\nb,-1.25\n";
};

TEST_F(PublishedPair, IsWrittenInPiecesAsAtOnce) {
  auto file = LabelledOutput::create(output_);
  ASSERT_TRUE(file);
  for (const char letter : bytes_) ASSERT_TRUE(file->write({&letter, 1}));
  EXPECT_FALSE(fs::exists(output_));
  PrivacyLabel label = plain_label();
  ASSERT_TRUE(file->commit(label));
  EXPECT_EQ(files(), (std::set<std::string>{"counts.csv", "counts.csv.label.json"}));
  EXPECT_EQ(*read_file(output_), bytes_);
  EXPECT_EQ(label.released.sha256, sha256_hex(bytes_));
  EXPECT_EQ(read_label_file(label_path_for(output_))->to_json().dump(), label.to_json().dump());
}

// Without turns about a third of the rounds end with the label of another output than the one that is there.
TEST_F(PublishedPair, StaysAPairWhenSeveralWriteToOnePlace) {
  for (int round = 0; round < 40; ++round) {
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i)
      writers.emplace_back([&, i] {
        auto file = LabelledOutput::create(output_);
        PrivacyLabel label = plain_label();
        EXPECT_TRUE(file->write(bytes_ + std::to_string(i)));
        EXPECT_TRUE(file->commit(label));
      });
    for (std::thread& writer : writers) writer.join();
    const auto label = read_label_file(label_path_for(output_));
    ASSERT_TRUE(label);
    ASSERT_TRUE(check_against_file(*label, output_)) << "round " << round;
  }
}

TEST_F(PublishedPair, ItsPlaceIsTriedWithoutATrace) {
  EXPECT_TRUE(LabelledOutput::try_place(output_));
  EXPECT_EQ(files(), std::set<std::string>{});
  EXPECT_EQ(LabelledOutput::try_place(folder_ / "none" / "out").error().code, ErrorCode::io);
  EXPECT_TRUE(LabelledOutput::try_place("-"));
  EXPECT_TRUE(LabelledOutput::try_place("/dev/null"));
}

TEST_F(PublishedPair, LeavesNothingWithoutACommit) {
  ASSERT_TRUE(LabelledOutput::create(output_)->write(bytes_));
  EXPECT_EQ(files(), std::set<std::string>{});
}

TEST_F(PublishedPair, WritesOutputAndLabelAndNothingElse) {
  ASSERT_TRUE(write_labelled(output_, bytes_, plain_label()));
  EXPECT_EQ(files(), (std::set<std::string>{"counts.csv", "counts.csv.label.json"}));
  EXPECT_EQ(*read_file(output_), bytes_);
  const auto label = read_label_file(label_path_for(output_));
  ASSERT_TRUE(label) << label.error().message;
  EXPECT_EQ(label->released.file, "counts.csv");
  EXPECT_EQ(label->released.sha256, sha256_hex(bytes_));
  EXPECT_TRUE(check_against_file(*label, output_));
}

TEST_F(PublishedPair, ReplacesWhatIsThere) {
  ASSERT_TRUE(write_labelled(output_, "old", plain_label()));
  ASSERT_TRUE(write_labelled(output_, bytes_, plain_label()));
  EXPECT_TRUE(check_against_file(*read_label_file(label_path_for(output_)), output_));
}

TEST_F(PublishedPair, WritesNothingWithALabelThatBreaksARule) {
  PrivacyLabel label = plain_label();
  label.parameters.set("value", 42);
  EXPECT_FALSE(write_labelled(output_, bytes_, label));
  EXPECT_TRUE(files().empty());
}

TEST_F(PublishedPair, WritesNothingWhereTheLabelCannotGo) {
  fs::create_directory(label_path_for(output_));
  const auto result = write_labelled(output_, bytes_, plain_label());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_EQ(files(), (std::set<std::string>{"counts.csv.label.json"}));
}

TEST_F(PublishedPair, LeavesTheOldPairWhenTheOutputCannotBeWritten) {
  fs::create_directory(output_);
  EXPECT_EQ(write_labelled(output_, bytes_, plain_label()).error().code, ErrorCode::io);
  EXPECT_EQ(files(), (std::set<std::string>{"counts.csv"}));
  EXPECT_EQ(write_labelled(folder_ / "none" / "x.csv", bytes_, plain_label()).error().code, ErrorCode::io);
}

TEST_F(PublishedPair, APlantedLinkInPlaceOfOutputOrLabelIsNotFollowed) {
  ASSERT_TRUE(write_file(folder_ / "victim", "keep"));
  fs::create_symlink("victim", output_);
  fs::create_symlink("victim", label_path_for(output_));
  ASSERT_TRUE(write_labelled(output_, bytes_, plain_label()));
  EXPECT_EQ(*read_file(folder_ / "victim"), "keep");
  EXPECT_TRUE(check_against_file(*read_label_file(label_path_for(output_)), output_));
}

TEST_F(PublishedPair, AFailureCopiesNothingFromWhereAPlantedLinkLeads) {
  ASSERT_TRUE(write_file(folder_ / "secret", "private"));
  fs::create_symlink("secret", label_path_for(output_));
  fs::create_directory(output_);  // the output cannot take its place
  EXPECT_FALSE(write_labelled(output_, bytes_, plain_label()));
  EXPECT_TRUE(fs::is_symlink(label_path_for(output_)) || !fs::exists(label_path_for(output_)));
  EXPECT_EQ(*read_file(folder_ / "secret"), "private");
}

TEST_F(PublishedPair, TheNullDeviceGetsNoLabelBesideIt) {
  ASSERT_TRUE(write_labelled("/dev/null", bytes_, plain_label()));
  EXPECT_FALSE(fs::exists("/dev/null.label.json"));
}

TEST_F(PublishedPair, RefusesAnOutputThatIsNamedLikeALabel) {
  const auto result = write_labelled(label_path_for(output_), bytes_, plain_label());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_parameter);
}

}  // namespace published_pair_test
}  // namespace gauze::publish
