#include "gauze/ledger/sqlite_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/atomic_file.h"
#include "gauze/ledger/internal/schema.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze::internal {
namespace sqlite_file_test {

using ::testing::HasSubstr;
using Access = SqliteFile::Access;

class SqliteFileTest : public LedgerTest {
 protected:
  std::unique_ptr<SqliteFile> file(Access access = Access::create) { return *SqliteFile::open(path_, access, 50); }
};

TEST_F(SqliteFileTest, BindsAndReadsValues) {
  const auto sqlite = file();
  ASSERT_TRUE(sqlite->execute("CREATE TABLE t(a INTEGER, b TEXT, c TEXT)"));
  const std::string odd("with\0zero and 'quotes'", 22);
  for (const std::int64_t number : {std::int64_t{-1}, std::int64_t{9'223'372'036'854'775'807}}) {
    auto insert = sqlite->prepare("INSERT INTO t VALUES (?,?,?)");
    ASSERT_TRUE(insert->bind(number).bind(odd).bind_null().run());
  }
  auto rows = sqlite->prepare("SELECT a, b, c FROM t ORDER BY a DESC");
  ASSERT_TRUE(*rows->step());
  EXPECT_EQ(rows->whole(0), 9'223'372'036'854'775'807);
  EXPECT_EQ(rows->text(1), odd);
  EXPECT_TRUE(rows->is_null(2));
  EXPECT_EQ(rows->text(2), "");
  ASSERT_TRUE(*rows->step());
  EXPECT_FALSE(*rows->step());
  EXPECT_EQ(sqlite->whole("SELECT count(*) FROM t"), 2);
  EXPECT_EQ(sqlite->whole("SELECT a FROM t WHERE a = 5"), 0);
}

TEST_F(SqliteFileTest, ATransactionIsRolledBackUnlessCommitted) {
  const auto sqlite = file();
  ASSERT_TRUE(sqlite->execute("CREATE TABLE t(a)"));
  {
    auto transaction = SqliteTransaction::begin(*sqlite, true);
    ASSERT_TRUE(sqlite->execute("INSERT INTO t VALUES (1)"));
  }
  EXPECT_EQ(sqlite->whole("SELECT count(*) FROM t"), 0);
  {
    auto transaction = SqliteTransaction::begin(*sqlite, true);
    ASSERT_TRUE(sqlite->execute("INSERT INTO t VALUES (1)"));
    ASSERT_TRUE(transaction->commit());
  }
  EXPECT_EQ(sqlite->whole("SELECT count(*) FROM t"), 1);
}

TEST_F(SqliteFileTest, ErrorsNameTheFileAndQuoteNothing) {
  const auto sqlite = file();
  const auto broken = sqlite->execute("SELECT secret FROM nowhere");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::bad_data);
  EXPECT_THAT(broken.error().message, HasSubstr(path_.string()));
  EXPECT_EQ(broken.error().message.find("secret"), std::string::npos);
  EXPECT_FALSE(sqlite->prepare("no sql"));
}

TEST_F(SqliteFileTest, OddNamesArePlainNames) {
  for (const char* name : {":memory:", "file:x?mode=memory", "a?b#c%41", "with blank"}) {
    path_ = folder_ / name;
    { Ledger ledger = with_dataset(epsilon_options("visits", "1")); }
    EXPECT_TRUE(std::filesystem::exists(path_)) << name;
    Ledger::Options reading = options();
    reading.read_only = true;
    EXPECT_TRUE(Ledger::open(path_, reading)) << name;
  }
}

TEST_F(SqliteFileTest, AFileOpenedForReadingCannotBeChanged) {
  ASSERT_TRUE(file()->execute("CREATE TABLE t(a)"));
  EXPECT_EQ(file(Access::read)->execute("INSERT INTO t VALUES (1)").error().code, ErrorCode::io);
  EXPECT_TRUE(file(Access::write)->execute("INSERT INTO t VALUES (1)"));
}

TEST_F(SqliteFileTest, AFileThatEndsWithinAPageIsDamaged) {
  ASSERT_TRUE(file()->execute("CREATE TABLE t(a)"));
  EXPECT_TRUE(file(Access::read)->check_size());
  const std::string bytes = *read_file(path_);
  ASSERT_TRUE(write_file(path_, bytes + "x"));
  EXPECT_EQ(file(Access::read)->check_size().error().code, ErrorCode::bad_data);
}

TEST_F(SqliteFileTest, TheSchemaIsMadeOnceAndRecognised) {
  {
    const auto sqlite = file();
    EXPECT_FALSE(check_schema(*sqlite));
    ASSERT_TRUE(make_schema(*sqlite));
    ASSERT_TRUE(make_schema(*sqlite));
    const auto checked = check_schema(*sqlite);
    EXPECT_TRUE(checked) << checked.error().message;
    EXPECT_EQ(sqlite->whole("PRAGMA synchronous"), 3);
    EXPECT_EQ(sqlite->whole("PRAGMA foreign_keys"), 1);
    EXPECT_EQ(sqlite->whole("PRAGMA application_id"), 0x475A4C47);
    EXPECT_EQ(sqlite->whole("PRAGMA user_version"), 4);
  }
  EXPECT_EQ(Intruder(path_).column("PRAGMA journal_mode"), std::vector<std::string>{"delete"});
}

TEST_F(SqliteFileTest, ANewFileIsForItsOwnerAlone) {
  const auto sqlite = file();
  ASSERT_TRUE(make_schema(*sqlite));
  EXPECT_EQ(std::filesystem::status(path_).permissions(), std::filesystem::perms(0600));
}

TEST_F(SqliteFileTest, AFileThatIsThereKeepsItsPermissions) {
  ASSERT_TRUE(make_schema(*file()));
  std::filesystem::permissions(path_, std::filesystem::perms(0640));
  ASSERT_TRUE(make_schema(*file()));
  EXPECT_EQ(std::filesystem::status(path_).permissions(), std::filesystem::perms(0640));
}

}  // namespace sqlite_file_test
}  // namespace gauze::internal
