#include "gauze/ledger/internal/guarded_vfs.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gauze::internal {
namespace {

// The header of a SQLite file (sqlite.org/fileformat2.html): a counter of changes, and bytes kept for later use.
constexpr sqlite3_int64 kCounterPlace = 24;
constexpr sqlite3_int64 kSizePlace = 28;  // of the file, in pages
constexpr sqlite3_int64 kMarkPlace = 72;
constexpr sqlite3_int64 kStampPlace = 76;
constexpr sqlite3_int64 kOwnEnd = 80;  // of mark and stamp
constexpr int kHeaderSize = 100;
// The header of a journal; its first record is a page number and that page as it was before the change.
constexpr std::string_view kJournalMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
constexpr std::size_t kPagesPlace = 16;
constexpr std::size_t kSectorPlace = 20;

std::uint32_t number_at(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U | bytes[3];
}

void put_number(std::uint32_t value, unsigned char* bytes) {
  for (unsigned i = 0; i < 4; ++i) bytes[i] = static_cast<unsigned char>(value >> (24U - 8 * i));
}

/// An open file: what SQLite sees, and behind it the file of the system's own VFS, which lies right after it.
struct GuardedFile {
  sqlite3_file base;
  bool is_main;
  bool in_change;      ///< of the main file: this connection has a journal of its own beside it
  std::uint32_t mark;  ///< of the main file: what this connection has put into it

  [[nodiscard]] sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

GuardedFile& guarded(sqlite3_file* file) { return *reinterpret_cast<GuardedFile*>(file); }
sqlite3_file* real(sqlite3_file* file) { return guarded(file).real(); }
const sqlite3_io_methods& methods_of(sqlite3_file* file) { return *file->pMethods; }

/// Which main file is in a change, by the name of its journal: SQLite deletes journals by name.
struct Changes {
  std::mutex mutex;
  std::map<std::string, GuardedFile*, std::less<>> by_journal;
};

Changes& changes() {
  static Changes all;
  return all;
}

std::optional<std::uint32_t> read_number(sqlite3_file* file, sqlite3_int64 place) {
  std::array<unsigned char, 4> bytes{};
  if (methods_of(file).xRead(file, bytes.data(), 4, place) != SQLITE_OK) return std::nullopt;
  return number_at(bytes.data());
}

int write_number(GuardedFile& main, std::uint32_t value, sqlite3_int64 place) {
  sqlite3_int64 size = 0;
  const int known = methods_of(main.real()).xFileSize(main.real(), &size);
  if (known != SQLITE_OK || size < kHeaderSize) return known;  // a file that is empty has nothing to lose
  std::array<unsigned char, 4> bytes{};
  put_number(value, bytes.data());
  return methods_of(main.real()).xWrite(main.real(), bytes.data(), 4, place);
}

int write_mark(GuardedFile& main, std::uint32_t mark) {
  const int code = write_number(main, mark, kMarkPlace);
  if (code == SQLITE_OK) main.mark = mark;
  return code;
}

/// The change counter that a journal would bring back, 0 for an empty file; nothing when it is not of the form that
/// changes of a ledger have, the first page first.
std::optional<std::uint32_t> counter_in_journal(sqlite3_file* journal) {
  std::array<unsigned char, 28> header{};
  if (methods_of(journal).xRead(journal, header.data(), header.size(), 0) != SQLITE_OK) return std::nullopt;
  if (std::memcmp(header.data(), kJournalMagic.data(), kJournalMagic.size()) != 0) return std::nullopt;
  if (number_at(&header[kPagesPlace]) == 0) return 0;
  const sqlite3_int64 record = number_at(&header[kSectorPlace]);
  if (read_number(journal, record) != std::uint32_t{1}) return std::nullopt;
  // SQLite would cut the file off at the size the journal names, which no checksum covers; the page says it, too.
  if (read_number(journal, record + 4 + kSizePlace) != number_at(&header[kPagesPlace])) return std::nullopt;
  return read_number(journal, record + 4 + kCounterPlace);
}

/// Before SQLite plays back a journal it has found, with the file locked for itself.
int judge_journal(GuardedFile& main, sqlite3_file* journal) {
  const auto mark = read_number(main.real(), kMarkPlace);
  const auto counter = read_number(main.real(), kCounterPlace);
  if (!mark || !counter) return SQLITE_OK;  // an empty file: there is nothing to bring back
  const auto before = counter_in_journal(journal);
  // Of the change that is half-written; or of one that had not yet written anything, to a file that may be marked
  // because someone died before. What it brings back is looked at as a whole later: the mark stays.
  if (before && *mark != 0 && (*before + 1 == *mark || *before == *counter)) return SQLITE_OK;
  if (before && *mark == 0 && *before == *counter) return write_mark(main, *before + 1);
  if (*mark != 0) return SQLITE_IOERR_CORRUPTFS;
  return methods_of(journal).xTruncate(journal, 0);
}

int close_file(sqlite3_file* file) {
  const std::lock_guard lock(changes().mutex);
  std::erase_if(changes().by_journal, [&](const auto& item) { return item.second == &guarded(file); });
  return methods_of(real(file)).xClose(real(file));
}

int read_file(sqlite3_file* file, void* buffer, int size, sqlite3_int64 place) {
  const int code = methods_of(real(file)).xRead(real(file), buffer, size, place);
  if (!guarded(file).is_main) return code;
  // SQLite never sees mark and stamp, so that they stand neither in its cache nor in a journal.
  const sqlite3_int64 from = std::max(place, kMarkPlace);
  const sqlite3_int64 to = std::min(place + size, kOwnEnd);
  if (from < to) std::memset(static_cast<char*>(buffer) + (from - place), 0, static_cast<std::size_t>(to - from));
  return code;
}

int write_file(sqlite3_file* file, const void* buffer, int size, sqlite3_int64 place) {
  GuardedFile& mine = guarded(file);
  const auto plainly = [&](const void* bytes) {
    return methods_of(real(file)).xWrite(real(file), bytes, size, place);
  };
  if (!mine.is_main) return plainly(buffer);
  const bool header = place == 0 && size >= kHeaderSize;
  const auto* bytes = static_cast<const unsigned char*>(buffer);
  if (mine.in_change && mine.mark == 0) {
    // The first page that a change writes. If it is the header, its counter and the mark share a sector.
    const std::uint32_t next =
        header ? number_at(bytes + kCounterPlace) : read_number(real(file), kCounterPlace).value_or(0) + 1;
    if (!header) {
      if (const int code = write_mark(mine, next); code != SQLITE_OK) return code;
    }
    mine.mark = next;
  }
  if (!header) return plainly(buffer);
  std::vector<unsigned char> page(bytes, bytes + size);
  if (mine.in_change) {
    put_number(mine.mark, &page[kMarkPlace]);
    put_number(number_at(bytes + kCounterPlace), &page[kStampPlace]);
  } else {
    put_number(read_number(real(file), kMarkPlace).value_or(0), &page[kMarkPlace]);
    put_number(read_number(real(file), kStampPlace).value_or(0), &page[kStampPlace]);
  }
  return plainly(page.data());
}

int device_characteristics(sqlite3_file* file) {
  // A journal counts only once the mark is set, which is after its sync: its length may tell how many records it has.
  constexpr int kKept =
      SQLITE_IOCAP_POWERSAFE_OVERWRITE | SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN | SQLITE_IOCAP_IMMUTABLE;
  return (methods_of(real(file)).xDeviceCharacteristics(real(file)) & kKept) | SQLITE_IOCAP_SAFE_APPEND;
}

// What remains is passed on. Version 2: without memory mapping, which would go around read_file.
const sqlite3_io_methods kMethods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = [](sqlite3_file* f, sqlite3_int64 size) { return methods_of(real(f)).xTruncate(real(f), size); },
    .xSync = [](sqlite3_file* f, int flags) { return methods_of(real(f)).xSync(real(f), flags); },
    .xFileSize = [](sqlite3_file* f, sqlite3_int64* size) { return methods_of(real(f)).xFileSize(real(f), size); },
    .xLock = [](sqlite3_file* f, int lock) { return methods_of(real(f)).xLock(real(f), lock); },
    .xUnlock = [](sqlite3_file* f, int lock) { return methods_of(real(f)).xUnlock(real(f), lock); },
    .xCheckReservedLock = [](sqlite3_file* f,
                             int* out) { return methods_of(real(f)).xCheckReservedLock(real(f), out); },
    .xFileControl = [](sqlite3_file* f, int op,
                       void* value) { return methods_of(real(f)).xFileControl(real(f), op, value); },
    .xSectorSize = [](sqlite3_file* f) { return methods_of(real(f)).xSectorSize(real(f)); },
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = [](sqlite3_file* f, int page, int size, int extend,
                  void volatile** out) { return methods_of(real(f)).xShmMap(real(f), page, size, extend, out); },
    .xShmLock = [](sqlite3_file* f, int offset, int n,
                   int flags) { return methods_of(real(f)).xShmLock(real(f), offset, n, flags); },
    .xShmBarrier = [](sqlite3_file* f) { methods_of(real(f)).xShmBarrier(real(f)); },
    .xShmUnmap = [](sqlite3_file* f, int remove) { return methods_of(real(f)).xShmUnmap(real(f), remove); },
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

sqlite3_vfs* system_vfs() {
  static sqlite3_vfs* const found = sqlite3_vfs_find(nullptr);
  return found;
}

/// A journal that was opened: a new one begins a change and must be empty, one that was found is judged.
int enter_journal(const char* name, sqlite3_file* journal, int flags) {
  GuardedFile& main = guarded(sqlite3_database_file_object(name));
  if ((flags & SQLITE_OPEN_CREATE) == 0) return judge_journal(main, journal);
  if (const int code = methods_of(journal).xTruncate(journal, 0); code != SQLITE_OK) return code;
  const std::lock_guard lock(changes().mutex);
  changes().by_journal[name] = &main;
  main.in_change = true;
  main.mark = 0;
  return SQLITE_OK;
}

int open_file(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  GuardedFile& mine = guarded(file);
  mine = {
      .base = {.pMethods = nullptr}, .is_main = (flags & SQLITE_OPEN_MAIN_DB) != 0, .in_change = false, .mark = 0};
  int code = system_vfs()->xOpen(system_vfs(), name, mine.real(), flags, flags_out);
  if (code != SQLITE_OK) return code;
  const bool journal = (flags & SQLITE_OPEN_MAIN_JOURNAL) != 0 && (flags & SQLITE_OPEN_READWRITE) != 0;
  if (journal) code = enter_journal(name, mine.real(), flags);
  if (code != SQLITE_OK) {
    methods_of(mine.real()).xClose(mine.real());
    return code;
  }
  mine.base.pMethods = &kMethods;
  return SQLITE_OK;
}

/// Someone else has deleted the journal: that it is gone must be on the disk all the same.
int sync_folder_of(const char* name) {
  const std::string folder = std::filesystem::path(name).parent_path().string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  if (descriptor >= 0) ::close(descriptor);
  return synced ? SQLITE_OK : SQLITE_IOERR_DIR_FSYNC;
}

/// SQLite deletes the journal as the last step of a change, made or undone: from then on the file is whole.
int delete_file(sqlite3_vfs* /*vfs*/, const char* name, int sync_folder) {
  int code = system_vfs()->xDelete(system_vfs(), name, sync_folder);
  const std::lock_guard lock(changes().mutex);
  const auto found = changes().by_journal.find(std::string_view(name));
  if (found == changes().by_journal.end()) return code;
  GuardedFile& main = *found->second;
  if (code == SQLITE_IOERR_DELETE_NOENT) code = sync_folder_of(name);
  if (code != SQLITE_OK) return code;
  main.in_change = false;
  changes().by_journal.erase(found);
  // Without a sync: a mark that comes back with a loss of power costs a look at the whole file, nothing else.
  if (main.mark != 0) static_cast<void>(write_mark(main, 0));
  return SQLITE_OK;
}

sqlite3_file* main_file(sqlite3* connection) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return file;
}

}  // namespace

const char* guarded_vfs() {
  static constexpr const char* kName = "gauze-ledger";
  static sqlite3_vfs vfs = [] {
    sqlite3_initialize();
    sqlite3_vfs made = *system_vfs();
    made.zName = kName;
    made.szOsFile += static_cast<int>(sizeof(GuardedFile));
    made.pNext = nullptr;
    made.xOpen = open_file;
    made.xDelete = delete_file;
    return made;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  return registered == SQLITE_OK ? kName : nullptr;
}

bool needs_check(sqlite3* connection) {
  sqlite3_file* file = real(main_file(connection));
  return read_number(file, kMarkPlace) != std::uint32_t{0} ||
         read_number(file, kStampPlace) != read_number(file, kCounterPlace);
}

void set_checked(sqlite3* connection) {
  GuardedFile& main = guarded(main_file(connection));
  const auto counter = read_number(main.real(), kCounterPlace);
  if (!counter || write_number(main, *counter, kStampPlace) != SQLITE_OK) return;  // it will be checked again
  static_cast<void>(write_mark(main, 0));
}

}  // namespace gauze::internal
