#include "gauze/label/label_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gauze/files/atomic_file.h"
#include "gauze/label/label_testing.h"

namespace gauze {
namespace label_file_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LabelFile : public ::testing::Test {
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

  fs::path folder_;
  fs::path output_;
  const std::string bytes_ = "class,count\na,3.5\nb,-1.25\n";
};

/// A file that a label is bound to.
PrivacyLabel bound_label(const fs::path& output, std::string_view bytes) {
  EXPECT_TRUE(write_file(output, bytes));
  PrivacyLabel label = plain_label();
  bind_to_bytes(label, output, bytes);
  return label;
}

TEST(LabelPath, LiesBesideTheOutput) {
  EXPECT_EQ(label_path_for("out/counts.csv"), fs::path("out/counts.csv.label.json"));
  EXPECT_EQ(output_path_for("out/counts.csv.label.json"), fs::path("out/counts.csv"));
  EXPECT_TRUE(is_label_path("out/counts.csv.label.json"));
  EXPECT_FALSE(is_label_path("out/counts.csv"));
  EXPECT_FALSE(is_label_path(".label.json"));
  EXPECT_FALSE(is_label_path("label.json"));
}

TEST_F(LabelFile, FindsEverySingleByteChangeOfTheOutput) {
  const PrivacyLabel label = bound_label(output_, bytes_);
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    std::string changed = bytes_;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    ASSERT_TRUE(write_file(output_, changed));
    const auto result = check_against_file(label, output_);
    ASSERT_FALSE(result) << "byte " << i;
    EXPECT_EQ(result.error().code, ErrorCode::bad_data);
  }
  for (const std::string& changed : {bytes_ + "\n", bytes_.substr(1), std::string()}) {
    ASSERT_TRUE(write_file(output_, changed));
    EXPECT_FALSE(check_against_file(label, output_));
  }
}

TEST_F(LabelFile, AllowsRenamingOutputAndLabelTogether) {
  const PrivacyLabel label = bound_label(output_, bytes_);
  fs::rename(output_, folder_ / "other.csv");
  EXPECT_TRUE(check_against_file(label, folder_ / "other.csv"));
}

TEST_F(LabelFile, TellsAMissingFileFromAChangedOne) {
  const PrivacyLabel label = bound_label(output_, bytes_);
  fs::remove(output_);
  EXPECT_EQ(check_against_file(label, output_).error().code, ErrorCode::io);
  EXPECT_EQ(check_against_file(label, folder_).error().code, ErrorCode::io);
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

TEST_F(LabelFile, ReportsALabelThatIsNone) {
  ASSERT_TRUE(write_file(label_path_for(output_), "{}"));
  EXPECT_EQ(read_label_file(label_path_for(output_)).error().code, ErrorCode::bad_data);
  EXPECT_EQ(read_label_file(folder_ / "none.label.json").error().code, ErrorCode::io);
  ASSERT_TRUE(write_file(label_path_for(output_), std::string(3U << 20, ' ')));
  EXPECT_THAT(read_label_file(label_path_for(output_)).error().message, HasSubstr("larger"));
}

}  // namespace label_file_test
}  // namespace gauze
