#include "gauze/server/trail/audit_trail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/atomic_file.h"
#include "gauze/files/testing/folder.h"

namespace gauze::server {
namespace audit_trail_test {

using ::testing::HasSubstr;

class AuditTrailTest : public ::testing::Test {
 protected:
  std::unique_ptr<AuditTrail> open() {
    auto trail = AuditTrail::open(place_, [this] { return now_++; });
    EXPECT_TRUE(trail) << trail.error().message;
    return std::move(*trail);
  }
  /// Changes the file behind the trail's back, as somebody with a tool for SQLite would.
  void tamper(const std::string& sql) {
    auto file = SqliteFile::open(place_, SqliteFile::Access::write, 100, "file");
    ASSERT_TRUE((*file)->execute("DROP TRIGGER trail_stays; DROP TRIGGER trail_grows"));
    ASSERT_TRUE((*file)->execute(sql.c_str()));
  }
  void fill(int entries) {
    const auto trail = open();
    for (int i = 0; i < entries; ++i)
      ASSERT_TRUE(trail->record({.kind = "sweep", .who = "curator", .subject = fmt::format("2027-01-{:02}", i + 1)}));
  }

  Folder folder_;
  std::filesystem::path place_ = folder_.path() / "records.db";
  std::int64_t now_ = 1'800'000'000;
};

TEST_F(AuditTrailTest, EntriesAreThereAfterwardsInTheirOrder) {
  fill(3);
  const auto trail = open();
  const auto entries = trail->entries(2, 10);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].event.subject, "2027-01-02");
  EXPECT_EQ((*entries)[1].previous, (*entries)[0].hash);
  EXPECT_EQ(trail->head(), (*entries)[1].hash);
  EXPECT_EQ(trail->last_time(), 1'800'000'002);
  const auto verified = trail->verify((*entries)[0].hash);
  ASSERT_TRUE(verified);
  EXPECT_EQ(verified->entries, 3);
  EXPECT_EQ(verified->head_entry, 2);
}

TEST_F(AuditTrailTest, AChangeAndItsEntryComeTogetherOrNotAtAll) {
  const auto trail = open();
  const std::string before = trail->head();
  const auto refused = trail->record({.kind = "task proposed", .who = "a"}, [](SqliteFile& file) -> Result<void> {
    GAUZE_TRY_VOID(
        file.execute("INSERT INTO tasks(name, version, hash, document, state, added_by, added_at) VALUES "
                     "('t', 1, 'h', 'd', 'proposed', 'a', 1)"));
    return make_error(ErrorCode::io, "the disk is full");
  });
  EXPECT_FALSE(refused);
  EXPECT_EQ(trail->head(), before);
  ASSERT_TRUE(trail->read([](SqliteFile& file) -> Result<void> {
    EXPECT_EQ(file.whole("SELECT count(*) FROM tasks"), 0);
    return {};
  }));
}

TEST_F(AuditTrailTest, AnEditACutAndARollbackAreFound) {
  fill(4);
  const std::string head = open()->head();
  const std::string before = *read_file(place_);
  const auto found = [&](const std::optional<std::string>& kept) {
    const auto verified = AuditTrail::open_read_only(place_).value()->verify(kept);
    return verified ? std::string() : verified.error().message;
  };
  for (const char* sql : {"UPDATE trail SET who = 'x' WHERE number = 2", "UPDATE trail SET time = 5 WHERE number = 2",
                          "UPDATE trail SET details = '{ }' WHERE number = 2", "DELETE FROM trail WHERE number = 2",
                          "UPDATE trail SET hash = previous WHERE number = 4"}) {
    ASSERT_TRUE(write_file(place_, before));
    EXPECT_EQ(found(head), "");
    tamper(sql);
    EXPECT_THAT(found(std::nullopt), HasSubstr("breaks")) << sql;
  }
  ASSERT_TRUE(write_file(place_, before));
  tamper("DELETE FROM trail WHERE number = 4");
  EXPECT_EQ(found(std::nullopt), "") << "a shorter chain is whole in itself";
  EXPECT_THAT(found(head), HasSubstr("rolled back"));
  EXPECT_THAT(found(std::string(64, 'f')), HasSubstr("rolled back"));
}

TEST_F(AuditTrailTest, ANewEntryIsNotMadeOnABrokenChain) {
  fill(3);
  tamper("UPDATE trail SET who = 'x' WHERE number = 2");
  const auto trail = AuditTrail::open(place_, [] { return std::int64_t{1}; });
  ASSERT_FALSE(trail);
  EXPECT_EQ(trail.error().code, ErrorCode::bad_data);
}

TEST_F(AuditTrailTest, AnotherFileIsLeftAsItIs) {
  ASSERT_TRUE(write_file(place_, std::string(8'192, 'x')));
  EXPECT_FALSE(AuditTrail::open(place_, [] { return std::int64_t{1}; }));
  EXPECT_EQ(*read_file(place_), std::string(8'192, 'x'));
}

}  // namespace audit_trail_test
}  // namespace gauze::server
