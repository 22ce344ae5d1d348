#include "gauze/cli/core/output_places.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>

#include "gauze/cli/core/invocation.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/find_files.h"
#include "gauze/label/label_file.h"

namespace gauze::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kLedgerSuffixes = {"-journal", "-wal", "-shm"};

/// A file that the command makes.
struct MadeFile {
  std::string what;  ///< "-o", "the label of -o"
  fs::path path;
  bool is_label = false;
};

/// Whether two paths mean one file, whether or not it exists yet.
bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code problem;
  if (fs::equivalent(a, b, problem)) return true;
  return fs::weakly_canonical(a, problem) == fs::weakly_canonical(b, problem);
}

std::string shown(const Flag& flag) {
  return flag.short_name == '\0' ? "--" + flag.name : fmt::format("-{}", flag.short_name);
}

Result<std::vector<MadeFile>> made_files(const Invocation& invocation) {
  std::vector<MadeFile> files;
  for (const Flag& flag : invocation.command().flags) {
    if (flag.makes == Makes::nothing || !invocation.has(flag.name)) continue;
    GAUZE_TRY(const std::string path, invocation.text(flag.name));
    if (is_standard_output(path)) {
      if (flag.or_stdout) continue;
      return make_error(ErrorCode::usage, "{} needs a file: it cannot be the standard output", shown(flag));
    }
    if (is_null_device(path)) continue;
    files.push_back({.what = shown(flag), .path = path});
    if (flag.makes == Makes::labelled_file)
      files.push_back({.what = "the label of " + shown(flag), .path = label_path_for(path), .is_label = true});
  }
  return files;
}

/// The files that a value means: as it stands, those of a glob, and what follows a column's name (COL=FILE).
void add_named(std::vector<KeptFile>& files, const std::string& what, const std::string& value) {
  if (value == "-") return;
  files.push_back({what, value});
  if (const auto found = find_files(value))
    for (const std::string& path : *found) files.push_back({what, path});
  if (const std::size_t equal = value.find('='); equal != std::string::npos)
    files.push_back({what, value.substr(equal + 1)});
}

std::vector<KeptFile> kept_files(const Invocation& invocation) {
  std::vector<KeptFile> files;
  for (const Positional& positional : invocation.command().positionals) {
    if (!positional.is_file) continue;
    for (const std::string& value : invocation.texts(positional.name)) add_named(files, "the input", value);
  }
  for (const Flag& flag : invocation.command().flags) {
    if (!flag.is_file || flag.makes != Makes::nothing) continue;
    for (const std::string& value : invocation.texts(flag.name)) {
      add_named(files, fmt::format("what --{} names", flag.name), value);
      if (flag.name != "ledger") continue;
      for (const std::string_view suffix : kLedgerSuffixes)
        files.push_back({"a journal of the ledger", value + std::string(suffix)});
    }
  }
  return files;
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
std::optional<std::string_view> precious(const MadeFile& file) {
  const std::string bytes = beginning(file.path);
  if (is_database(bytes)) return "a ledger";
  if (is_journal(file.path, bytes)) return "a journal of a ledger";
  if (is_label(bytes) && !file.is_label) return "a label";
  return std::nullopt;
}

}  // namespace

Result<void> check_output_places(const Invocation& invocation, const std::vector<KeptFile>& more) {
  GAUZE_TRY(const std::vector<MadeFile> made, made_files(invocation));
  if (made.empty()) return {};
  std::vector<KeptFile> kept = kept_files(invocation);
  kept.insert(kept.end(), more.begin(), more.end());
  for (std::size_t i = 0; i < made.size(); ++i) {
    const MadeFile& file = made[i];
    if (!file.is_label && is_label_path(file.path))
      return make_error(ErrorCode::usage, "{} must not be named '*.label.json', which is where labels go: {}",
                        file.what, file.path.string());
    for (const auto& [what, path] : kept)
      if (is_same_file(file.path, path))
        return make_error(ErrorCode::usage, "{} would replace {}: {}", file.what, what, file.path.string());
    for (std::size_t j = 0; j < i; ++j)
      if (is_same_file(file.path, made[j].path))
        return make_error(ErrorCode::usage, "{} would replace {}: {}", file.what, made[j].what, file.path.string());
    if (const auto what = precious(file))
      return make_error(ErrorCode::usage, "{} would replace {}: {}; remove that first if it is not needed", file.what,
                        *what, file.path.string());
    GAUZE_TRY_VOID(check_place(file.path));
  }
  return {};
}

std::string wrote_with_label(const std::string& output) {
  if (is_null_device(output)) return fmt::format("nothing is kept of what went to {}, nor a label", output);
  return fmt::format("wrote {} and {}", output, label_path_for(output).string());
}

bool is_standard_output(std::string_view path) {
  const auto names = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  return std::find(names.begin(), names.end(), path) != names.end();
}

}  // namespace gauze::cli
