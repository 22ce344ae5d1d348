#include "gauze/publish/output_places.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>

#include "gauze/files/atomic_file.h"
#include "gauze/label/label_file.h"

namespace gauze::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kLedgerSuffixes = {"-journal", "-wal", "-shm"};

/// A file or a label that will be made.
struct Place {
  std::string what;  ///< "-o", "the label of -o"
  fs::path path;
  bool is_label = false;
};

std::vector<Place> places_of(const std::vector<MadeFile>& made) {
  std::vector<Place> places;
  for (const MadeFile& file : made) {
    if (is_standard_output(file.path.string()) || is_null_device(file.path)) continue;
    places.push_back({.what = file.what, .path = file.path});
    if (file.labelled)
      places.push_back({.what = "the label of " + file.what, .path = label_path_for(file.path), .is_label = true});
  }
  return places;
}

/// Whether two paths mean one file, whether or not it exists yet.
bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code problem;
  if (fs::equivalent(a, b, problem)) return true;
  return fs::weakly_canonical(a, problem) == fs::weakly_canonical(b, problem);
}

/// Whether the path lies among the devices, as /dev/stderr and /proc/self/fd/2 do: to put a file there would replace the link.
/// Shared memory is no device.
bool is_device(const fs::path& path) {
  std::error_code problem;
  const std::string folder = fs::weakly_canonical(fs::absolute(path, problem).parent_path(), problem).string() + "/";
  return (folder.starts_with("/dev/") && !folder.starts_with("/dev/shm/")) || folder.starts_with("/proc/") ||
         folder.starts_with("/sys/");
}

/// The first bytes of a regular file; nothing when there is none, or none that can be read.
std::string beginning(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return {};
  std::string bytes(64, '\0');
  struct stat status {};
  const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  const ssize_t got = regular ? ::read(file, bytes.data(), bytes.size()) : 0;
  ::close(file);
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return bytes;
}

/// Ledgers are databases of SQLite, and no output of Gauze is one.
bool is_database(std::string_view bytes) { return bytes.starts_with(std::string_view("SQLite format 3\0", 16)); }

bool is_journal(const fs::path& path, std::string_view bytes) {
  // The first bytes of a rollback journal and of a write-ahead log (sqlite.org/fileformat2.html).
  if (bytes.starts_with("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7") || bytes.starts_with("\x37\x7f\x06\x82") ||
      bytes.starts_with("\x37\x7f\x06\x83"))
    return true;
  std::error_code problem;
  const std::string name = fs::weakly_canonical(path, problem).string();
  return std::any_of(kLedgerSuffixes.begin(), kLedgerSuffixes.end(), [&](std::string_view suffix) {
    return name.ends_with(suffix) && is_database(beginning(name.substr(0, name.size() - suffix.size())));
  });
}

bool is_label(std::string_view bytes) {
  return bytes.starts_with('{') && bytes.find("\"gauze-label\"") != std::string_view::npos;
}

/// What is at the place by its content, if it must stay whatever the command line says.
std::optional<std::string_view> precious(const Place& file) {
  const std::string bytes = beginning(file.path);
  if (is_database(bytes)) return "a ledger";
  if (is_journal(file.path, bytes)) return "a journal of a ledger";
  if (is_label(bytes) && !file.is_label) return "a label";
  return std::nullopt;
}

}  // namespace

Result<void> check_places(const std::vector<MadeFile>& made, const std::vector<KeptFile>& kept) {
  const std::vector<Place> places = places_of(made);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place& file = places[i];
    if (!file.is_label && is_label_path(file.path))
      return make_error(ErrorCode::usage, "{} must not be named '*.label.json', which is where labels go: {}",
                        file.what, file.path.string());
    if (is_device(file.path))
      return make_error(ErrorCode::io, "cannot write {} to {}: it lies among the devices", file.what,
                        file.path.string());
    for (const auto& [what, path] : kept)
      if (is_same_file(file.path, path))
        return make_error(ErrorCode::usage, "{} would replace {}: {}", file.what, what, file.path.string());
    for (std::size_t j = 0; j < i; ++j)
      if (is_same_file(file.path, places[j].path))
        return make_error(ErrorCode::usage, "{} would replace {}: {}", file.what, places[j].what, file.path.string());
    if (const auto what = precious(file))
      return make_error(ErrorCode::usage, "{} would replace {}: {}; remove that first if it is not needed", file.what,
                        *what, file.path.string());
    GAUZE_TRY_VOID(check_place(file.path));
  }
  return {};
}

std::vector<KeptFile> files_of_ledger(const std::string& ledger) {
  std::vector<KeptFile> files = {{"the ledger", ledger}};
  for (const std::string_view suffix : kLedgerSuffixes)
    files.push_back({"a journal of the ledger", ledger + std::string(suffix)});
  return files;
}

bool is_standard_output(std::string_view path) {
  const auto names = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  return std::find(names.begin(), names.end(), path) != names.end();
}

}  // namespace gauze::publish
