#include "gauze/cli/core/output_places.h"

#include "gauze/cli/core/invocation.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/find_files.h"
#include "gauze/label/label_file.h"

namespace gauze::cli {
namespace {

using publish::KeptFile;
using publish::MadeFile;

std::string shown(const Flag& flag) {
  return flag.short_name == '\0' ? "--" + flag.name : fmt::format("-{}", flag.short_name);
}

Result<std::vector<MadeFile>> made_files(const Invocation& invocation) {
  std::vector<MadeFile> files;
  for (const Flag& flag : invocation.command().flags) {
    if (flag.makes == Makes::nothing || !invocation.has(flag.name)) continue;
    GAUZE_TRY(const std::string path, invocation.text(flag.name));
    if (publish::is_standard_output(path) && !flag.or_stdout)
      return make_error(ErrorCode::usage, "{} needs a file: it cannot be the standard output", shown(flag));
    files.push_back({.what = shown(flag), .path = path, .labelled = flag.makes == Makes::labelled_file});
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
      for (KeptFile& file : publish::files_of_ledger(value)) files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace

Result<void> check_output_places(const Invocation& invocation, const std::vector<KeptFile>& more) {
  GAUZE_TRY(const std::vector<MadeFile> made, made_files(invocation));
  if (made.empty()) return {};
  std::vector<KeptFile> kept = kept_files(invocation);
  kept.insert(kept.end(), more.begin(), more.end());
  return publish::check_places(made, kept);
}

std::string wrote_with_label(const std::string& output) {
  if (is_null_device(output)) return fmt::format("nothing is kept of what went to {}, nor a label", output);
  return fmt::format("wrote {} and {}", output, label_path_for(output).string());
}

}  // namespace gauze::cli
