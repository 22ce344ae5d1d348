#include "gauze/label/label_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/label/label_testing.h"

namespace gauze {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class LabelFile : public testing::Test {
 protected:
  LabelFile() {
    std::string name = (fs::temp_directory_path() / "gauze-label-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    output_ = folder_ / "counts.csv";
  }
  ~LabelFile() override {
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

TEST(LabelPath, LiesBesideTheOutput) {
  EXPECT_EQ(label_path_for("out/counts.csv"), fs::path("out/counts.csv.label.json"));
  EXPECT_EQ(output_path_for("out/counts.csv.label.json"), fs::path("out/counts.csv"));
  EXPECT_TRUE(is_label_path("out/counts.csv.label.json"));
  EXPECT_FALSE(is_label_path("out/counts.csv"));
  EXPECT_FALSE(is_label_path(".label.json"));
  EXPECT_FALSE(is_label_path("label.json"));
}

TEST_F(LabelFile, IsWrittenInPiecesAsAtOnce) {
  auto file = LabelledFile::create(output_);
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

TEST_F(LabelFile, LeavesNothingWithoutACommit) {
  ASSERT_TRUE(LabelledFile::create(output_)->write(bytes_));
  EXPECT_EQ(files(), std::set<std::string>{});
}

TEST_F(LabelFile, WritesOutputAndLabelAndNothingElse) {
  ASSERT_TRUE(write_with_label(output_, bytes_, plain_label()));
  EXPECT_EQ(files(), (std::set<std::string>{"counts.csv", "counts.csv.label.json"}));
  EXPECT_EQ(*read_file(output_), bytes_);
  const auto label = read_label_file(label_path_for(output_));
  ASSERT_TRUE(label) << label.error().message;
  EXPECT_EQ(label->released.file, "counts.csv");
  EXPECT_EQ(label->released.sha256, sha256_hex(bytes_));
  EXPECT_TRUE(check_against_file(*label, output_));
}

TEST_F(LabelFile, FindsEverySingleByteChangeOfTheOutput) {
  ASSERT_TRUE(write_with_label(output_, bytes_, plain_label()));
  const auto label = read_label_file(label_path_for(output_));
  ASSERT_TRUE(label);
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    std::string changed = bytes_;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    ASSERT_TRUE(write_file(output_, changed));
    const auto result = check_against_file(*label, output_);
    ASSERT_FALSE(result) << "byte " << i;
    EXPECT_EQ(result.error().code, ErrorCode::bad_data);
  }
  for (const std::string& changed : {bytes_ + "\n", bytes_.substr(1), std::string()}) {
    ASSERT_TRUE(write_file(output_, changed));
    EXPECT_FALSE(check_against_file(*label, output_));
  }
}

TEST_F(LabelFile, AllowsRenamingOutputAndLabelTogether) {
  ASSERT_TRUE(write_with_label(output_, bytes_, plain_label()));
  const auto label = read_label_file(label_path_for(output_));
  fs::rename(output_, folder_ / "other.csv");
  EXPECT_TRUE(check_against_file(*label, folder_ / "other.csv"));
}

TEST_F(LabelFile, TellsAMissingFileFromAChangedOne) {
  ASSERT_TRUE(write_with_label(output_, bytes_, plain_label()));
  const auto label = read_label_file(label_path_for(output_));
  fs::remove(output_);
  EXPECT_EQ(check_against_file(*label, output_).error().code, ErrorCode::io);
  EXPECT_EQ(check_against_file(*label, folder_).error().code, ErrorCode::io);
  EXPECT_EQ(check_against_file(plain_label(), output_).error().code, ErrorCode::bad_data);
}

TEST_F(LabelFile, BindsToAFileOfAnySizeAsToItsBytes) {
  const std::string large(1'000'003, 'x');
  ASSERT_TRUE(write_file(output_, large));
  PrivacyLabel by_file = plain_label();
  PrivacyLabel by_bytes = plain_label();
  ASSERT_TRUE(bind_to_file(by_file, output_));
  bind_to_bytes(by_bytes, output_, large);
  EXPECT_EQ(by_file.released.sha256, by_bytes.released.sha256);
  EXPECT_EQ(by_file.released.file, "counts.csv");
  EXPECT_EQ(bind_to_file(by_file, folder_ / "none").error().code, ErrorCode::io);
}

TEST_F(LabelFile, ReplacesWhatIsThere) {
  ASSERT_TRUE(write_with_label(output_, "old", plain_label()));
  ASSERT_TRUE(write_with_label(output_, bytes_, plain_label()));
  EXPECT_TRUE(check_against_file(*read_label_file(label_path_for(output_)), output_));
}

TEST_F(LabelFile, WritesNothingWithALabelThatBreaksARule) {
  PrivacyLabel label = plain_label();
  label.parameters.set("value", 42);
  EXPECT_FALSE(write_with_label(output_, bytes_, label));
  EXPECT_TRUE(files().empty());
}

TEST_F(LabelFile, WritesNothingWhereTheLabelCannotGo) {
  fs::create_directory(label_path_for(output_));
  const auto result = write_with_label(output_, bytes_, plain_label());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_EQ(files(), (std::set<std::string>{"counts.csv.label.json"}));
}

TEST_F(LabelFile, LeavesTheOldPairWhenTheOutputCannotBeWritten) {
  fs::create_directory(output_);
  EXPECT_EQ(write_with_label(output_, bytes_, plain_label()).error().code, ErrorCode::io);
  EXPECT_EQ(files(), (std::set<std::string>{"counts.csv"}));
  EXPECT_EQ(write_with_label(folder_ / "none" / "x.csv", bytes_, plain_label()).error().code, ErrorCode::io);
}

TEST_F(LabelFile, APlantedLinkInPlaceOfOutputOrLabelIsNotFollowed) {
  ASSERT_TRUE(write_file(folder_ / "victim", "keep"));
  fs::create_symlink("victim", output_);
  fs::create_symlink("victim", label_path_for(output_));
  ASSERT_TRUE(write_with_label(output_, bytes_, plain_label()));
  EXPECT_EQ(*read_file(folder_ / "victim"), "keep");
  EXPECT_TRUE(check_against_file(*read_label_file(label_path_for(output_)), output_));
}

TEST_F(LabelFile, AFailureCopiesNothingFromWhereAPlantedLinkLeads) {
  ASSERT_TRUE(write_file(folder_ / "secret", "private"));
  fs::create_symlink("secret", label_path_for(output_));
  fs::create_directory(output_);  // the output cannot take its place
  EXPECT_FALSE(write_with_label(output_, bytes_, plain_label()));
  EXPECT_TRUE(fs::is_symlink(label_path_for(output_)) || !fs::exists(label_path_for(output_)));
  EXPECT_EQ(*read_file(folder_ / "secret"), "private");
}

TEST_F(LabelFile, TheNullDeviceGetsNoLabelBesideIt) {
  ASSERT_TRUE(write_with_label("/dev/null", bytes_, plain_label()));
  EXPECT_FALSE(fs::exists("/dev/null.label.json"));
}

TEST_F(LabelFile, RefusesAnOutputThatIsNamedLikeALabel) {
  const auto result = write_with_label(label_path_for(output_), bytes_, plain_label());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_parameter);
}

TEST_F(LabelFile, ReportsALabelThatIsNone) {
  ASSERT_TRUE(write_file(label_path_for(output_), "{}"));
  EXPECT_EQ(read_label_file(label_path_for(output_)).error().code, ErrorCode::bad_data);
  EXPECT_EQ(read_label_file(folder_ / "none.label.json").error().code, ErrorCode::io);
  ASSERT_TRUE(write_file(label_path_for(output_), std::string(3U << 20, ' ')));
  EXPECT_THAT(read_label_file(label_path_for(output_)).error().message, HasSubstr("larger"));
}

}  // namespace
}  // namespace gauze
