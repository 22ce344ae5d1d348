#include "gauze/ledger/internal/guarded_vfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "gauze/files/atomic_file.h"
#include "gauze/ledger/child_testing.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze::internal {
namespace guarded_vfs_test {

namespace fs = std::filesystem;

/// A plain SQLite file through the guard, without anything of a ledger.
class GuardedVfs : public LedgerTest {
 protected:
  struct Connection {
    explicit Connection(const fs::path& path) {
      EXPECT_EQ(sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, guarded_vfs()),
                SQLITE_OK);
      run("PRAGMA synchronous=EXTRA");
    }
    ~Connection() { sqlite3_close(handle); }
    int run(const char* sql) { return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr); }
    int extended() { return sqlite3_extended_errcode(handle); }

    sqlite3* handle = nullptr;
  };

  static constexpr const char* kChange =
      "BEGIN IMMEDIATE; PRAGMA user_version=7; INSERT INTO t(b) VALUES (zeroblob(9000)); COMMIT";

  std::int64_t rows() {
    Connection reader(path_);
    std::int64_t count = -1;
    const auto take = [](void* target, int, char** texts, char**) {
      *static_cast<std::int64_t*>(target) = std::stoll(texts[0]);
      return 0;
    };
    sqlite3_exec(reader.handle, "SELECT count(*) FROM t", take, &count, nullptr);
    return count;
  }

  /// The four bytes of the mark, straight from the file.
  std::uint32_t mark() {
    const std::string bytes = *read_file(path_);
    std::uint32_t value = 0;
    for (std::size_t i = 72; i < 76; ++i) value = value << 8U | static_cast<unsigned char>(bytes[i]);
    return value;
  }

  /// Leaves the file as a writer does that dies with its pages written and its journal in place.
  void die_in_a_change() {
    const Child child = start([this](int) {
      Connection writer(path_);
      // Pages go to the file as soon as the cache is full: the change is half in the file, and not committed.
      writer.run("PRAGMA cache_size=2");
      writer.run(
          "BEGIN IMMEDIATE; PRAGMA user_version=7;"
          "INSERT INTO t(b) SELECT zeroblob(9000) FROM (VALUES (1),(2),(3),(4),(5),(6),(7),(8))");
      return ::kill(::getpid(), SIGKILL);
    });
    wait_for(child);
    ::close(child.reports);
  }

  fs::path journal() { return path_.string() + "-journal"; }
};

TEST_F(GuardedVfs, AFinishedChangeLeavesNoMark) {
  Connection writer(path_);
  ASSERT_EQ(writer.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"), SQLITE_OK);
  ASSERT_EQ(writer.run(kChange), SQLITE_OK);
  EXPECT_EQ(mark(), 0U);
  EXPECT_FALSE(needs_check(writer.handle));
  EXPECT_FALSE(fs::exists(journal()));
}

TEST_F(GuardedVfs, AChangeThatIsTakenBackLeavesNoMark) {
  Connection writer(path_);
  ASSERT_EQ(writer.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b); PRAGMA cache_size=2"), SQLITE_OK);
  ASSERT_EQ(writer.run("BEGIN IMMEDIATE; INSERT INTO t(b) SELECT zeroblob(9000) FROM (VALUES (1),(2),(3),(4),(5))"),
            SQLITE_OK);
  EXPECT_NE(mark(), 0U) << "pages are in the file before the end";
  ASSERT_EQ(writer.run("ROLLBACK"), SQLITE_OK);
  EXPECT_EQ(mark(), 0U);
  EXPECT_EQ(rows(), 0);
}

TEST_F(GuardedVfs, AWriterThatDiesLeavesTheMarkAndTheJournalUndoesItsPages) {
  ASSERT_EQ(Connection(path_).run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"), SQLITE_OK);
  ASSERT_EQ(Connection(path_).run(kChange), SQLITE_OK);
  die_in_a_change();
  EXPECT_NE(mark(), 0U);
  EXPECT_TRUE(fs::exists(journal()));
  EXPECT_EQ(rows(), 1) << "undone";
  Connection next(path_);
  EXPECT_TRUE(needs_check(next.handle)) << "what was undone is still to be checked";
  set_checked(next.handle);
  EXPECT_EQ(mark(), 0U);
}

TEST_F(GuardedVfs, AWriterThatDiesAndWhoseJournalIsLostLeavesTheMark) {
  ASSERT_EQ(Connection(path_).run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"), SQLITE_OK);
  die_in_a_change();
  fs::remove(journal());
  Connection next(path_);
  EXPECT_TRUE(needs_check(next.handle));
}

TEST_F(GuardedVfs, AnotherJournalIsNotPlayedBackIntoAHalfWrittenFile) {
  ASSERT_EQ(Connection(path_).run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"), SQLITE_OK);
  die_in_a_change();
  const std::string old = *read_file(journal());
  EXPECT_EQ(rows(), 0);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(Connection(path_).run(kChange), SQLITE_OK);
  die_in_a_change();
  ASSERT_TRUE(write_file(journal(), old));
  const std::string bytes = *read_file(path_);
  Connection next(path_);
  EXPECT_NE(next.run("SELECT count(*) FROM t"), SQLITE_OK);
  EXPECT_EQ(next.extended(), SQLITE_IOERR_CORRUPTFS);
  EXPECT_EQ(*read_file(path_), bytes);
  EXPECT_EQ(*read_file(journal()), old) << "the owner may want to see it";
}

TEST_F(GuardedVfs, AnyJournalBesideAWholeFileIsEmptied) {
  ASSERT_EQ(Connection(path_).run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"), SQLITE_OK);
  die_in_a_change();
  const std::string old = *read_file(journal());
  EXPECT_EQ(rows(), 0);
  {
    Connection next(path_);
    set_checked(next.handle);
  }
  for (int i = 0; i < 3; ++i) ASSERT_EQ(Connection(path_).run(kChange), SQLITE_OK);
  for (const std::string& planted : {old, old.substr(0, 700), old.substr(0, 30), std::string(5000, 'x')}) {
    ASSERT_TRUE(write_file(journal(), planted));
    EXPECT_EQ(rows(), 3) << planted.size();
  }
}

TEST_F(GuardedVfs, ADamagedJournalLeavesAMarkedFile) {
  ASSERT_EQ(Connection(path_).run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"), SQLITE_OK);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(Connection(path_).run(kChange), SQLITE_OK);
  die_in_a_change();
  std::string bytes = *read_file(journal());
  bytes[bytes.size() - 100] = static_cast<char>(bytes[bytes.size() - 100] ^ 4);
  ASSERT_TRUE(write_file(journal(), bytes));
  static_cast<void>(rows());
  Connection next(path_);
  EXPECT_TRUE(needs_check(next.handle));
}

TEST_F(GuardedVfs, AJournalWhoseSizeWasChangedCutsNothingOff) {
  ASSERT_EQ(Connection(path_).run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"), SQLITE_OK);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(Connection(path_).run(kChange), SQLITE_OK);
  die_in_a_change();
  std::string bytes = *read_file(journal());
  bytes[19] = '\x02';  // pages before the change
  ASSERT_TRUE(write_file(journal(), bytes));
  const auto size = fs::file_size(path_);
  Connection next(path_);
  EXPECT_NE(next.run("SELECT count(*) FROM t"), SQLITE_OK);
  EXPECT_EQ(next.extended(), SQLITE_IOERR_CORRUPTFS);
  EXPECT_EQ(fs::file_size(path_), size);
}

TEST_F(GuardedVfs, AJournalThatSomeoneDeletesUnderAWriterDoesNotFailIt) {
  Connection writer(path_);
  ASSERT_EQ(writer.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"), SQLITE_OK);
  ASSERT_EQ(writer.run("BEGIN IMMEDIATE; INSERT INTO t(b) VALUES (1)"), SQLITE_OK);
  ASSERT_TRUE(fs::remove(journal()));
  EXPECT_EQ(writer.run("COMMIT"), SQLITE_OK);
  EXPECT_EQ(mark(), 0U);
  EXPECT_EQ(rows(), 1);
}

TEST_F(GuardedVfs, AChangeByAnotherProgramIsSeen) {
  ASSERT_EQ(Connection(path_).run("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"), SQLITE_OK);
  ASSERT_EQ(Connection(path_).run(kChange), SQLITE_OK);
  EXPECT_FALSE(needs_check(Connection(path_).handle));
  EXPECT_EQ(Intruder(path_).run("INSERT INTO t(b) VALUES (1)"), SQLITE_OK);
  Connection next(path_);
  EXPECT_TRUE(needs_check(next.handle));
  set_checked(next.handle);
  EXPECT_FALSE(needs_check(next.handle));
  ASSERT_EQ(next.run(kChange), SQLITE_OK);
  EXPECT_FALSE(needs_check(next.handle));
}

TEST_F(GuardedVfs, AnEmptyFileGetsNoMark) {
  const Child child = start([this](int) {
    Connection writer(path_);
    writer.run("BEGIN IMMEDIATE; CREATE TABLE t(a INTEGER PRIMARY KEY, b)");
    writer.run("ROLLBACK");
    return 0;
  });
  wait_for(child);
  ::close(child.reports);
  EXPECT_EQ(fs::file_size(path_), 0U);
}

}  // namespace guarded_vfs_test
}  // namespace gauze::internal
