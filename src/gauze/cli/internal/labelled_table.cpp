#include "gauze/cli/internal/labelled_table.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "gauze/base/atomic_file.h"
#include "gauze/label/label_file.h"

namespace gauze::cli {

namespace {

namespace fs = std::filesystem;

/// A folder beside the output, for the table under its own name; gone at the end, with whatever is left in it.
class Workshop {
 public:
  static Result<Workshop> make(const fs::path& output) {
    std::error_code problem;
    fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
    std::string pattern = (folder / ".gauze-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      return make_error(ErrorCode::io, "cannot write into the folder {}", folder.string());
    return Workshop(pattern);
  }
  Workshop(Workshop&& other) noexcept : folder_(std::move(other.folder_)) { other.folder_.clear(); }
  Workshop& operator=(Workshop&&) = delete;
  ~Workshop() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] fs::path file(const fs::path& output) const { return folder_ / output.filename(); }

 private:
  explicit Workshop(fs::path folder) : folder_(std::move(folder)) {}
  fs::path folder_;
};

/// Where the output really goes: a symbolic link is followed. Refuses what is there and is no regular file: a folder, and
/// above all a device, which must not be replaced.
Result<fs::path> find_place(const fs::path& output) {
  std::error_code problem;
  if (!output.has_filename() || fs::is_directory(output, problem))
    return make_error(ErrorCode::io, "cannot write {}: it is a folder", output.string());
  if (!fs::exists(output, problem)) {
    if (fs::is_symlink(output, problem))
      return make_error(ErrorCode::io, "cannot write {}: it is a link that leads nowhere", output.string());
    return output;
  }
  if (!fs::is_regular_file(output, problem))
    return make_error(ErrorCode::io, "cannot write {}: it is no regular file; - is the standard output",
                      output.string());
  fs::path place = fs::canonical(output, problem);
  if (problem) return make_error(ErrorCode::io, "cannot write {}: {}", output.string(), problem.message());
  return place;
}

/// Puts a file in its place with the permissions of the one it replaces.
Result<void> put_in_place(const fs::path& made, const fs::path& place, const std::string& output) {
  std::error_code problem;
  if (fs::exists(place, problem)) fs::permissions(made, fs::status(place, problem).permissions(), problem);
  fs::rename(made, place, problem);
  if (problem) return make_error(ErrorCode::io, "cannot put {} in its place: {}", output, problem.message());
  return {};
}

}  // namespace

Result<void> write_labelled_table(table::Table& table, const table::Rewrite& rewrite, const std::string& output,
                                  PrivacyLabel& label, Progress& progress) {
  GAUZE_TRY_VOID(label.check_rules());
  table::WriteOptions options;
  options.delimiter = table.delimiter();
  if (output == "-") return table.write(rewrite, output, options, progress);
  const fs::path target(output);
  GAUZE_TRY(const fs::path place, find_place(target));
  GAUZE_TRY(const Workshop workshop, Workshop::make(place));
  const fs::path made = workshop.file(target);
  GAUZE_TRY_VOID(table.write(rewrite, made, options, progress));
  GAUZE_TRY_VOID(bind_to_file(label, made));
  GAUZE_TRY_VOID(write_file(label_path_for(target), label.to_json().dump(2) + "\n"));
  return put_in_place(made, place, output);
}

}  // namespace gauze::cli
