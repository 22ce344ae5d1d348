#include "gauze/anonymize/job/pseudonyms.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "gauze/files/atomic_file.h"

namespace gauze::anonymize {
namespace pseudonyms_test {

namespace fs = std::filesystem;

class PseudonymTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("gauze-pseudonyms-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(PseudonymTest, AreStableUnderAKeyAndDifferUnderAnother) {
  const auto first = Pseudonyms::open(folder_ / "a.key");
  const auto again = Pseudonyms::open(folder_ / "a.key");
  const auto other = Pseudonyms::open(folder_ / "b.key");
  ASSERT_TRUE(first && again && other);
  EXPECT_TRUE(first->key_is_new());
  EXPECT_FALSE(again->key_is_new());
  EXPECT_EQ(first->of("name", "Ada"), again->of("name", "Ada"));
  EXPECT_NE(first->of("name", "Ada"), other->of("name", "Ada"));
  EXPECT_NE(first->of("name", "Ada"), first->of("name", "Adb"));
  EXPECT_NE(first->of("name", "Ada"), first->of("alias", "Ada"));
  EXPECT_EQ(first->of("name", "Ada").size(), 32U);
}

TEST_F(PseudonymTest, TheKeyIsForItsOwnerAlone) {
  ASSERT_TRUE(Pseudonyms::open(folder_ / "a.key").has_value());
  EXPECT_EQ(fs::status(folder_ / "a.key").permissions() & fs::perms::all,
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(PseudonymTest, RefusesAFileThatIsNoKey) {
  ASSERT_TRUE(write_file(folder_ / "x", "secret\n").has_value());
  const auto opened = Pseudonyms::open(folder_ / "x");
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, ErrorCode::bad_data);
}

}  // namespace pseudonyms_test
}  // namespace gauze::anonymize
