#include "gauze/cli/tables/labelled_table.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "gauze/engines/open_source.h"
#include "gauze/files/atomic_file.h"
#include "gauze/label/label_file.h"
#include "gauze/table/table_writer.h"

namespace gauze::cli {

namespace {

namespace fs = std::filesystem;

/// A folder beside the output, for the table under its own name; gone at the end, with whatever is left in it.
class Workshop {
 public:
  static Result<Workshop> make(const fs::path& output) {
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

/// What `make` writes, with its label, or nothing. The null device keeps neither.
Result<void> write_labelled(const std::string& output, PrivacyLabel& label,
                            const std::function<Result<void>(const fs::path&)>& make) {
  const fs::path target(output);
  const bool kept = !is_null_device(target);
  GAUZE_TRY(const Workshop workshop, Workshop::make(kept ? target : fs::temp_directory_path() / target.filename()));
  const fs::path made = workshop.file(target);
  GAUZE_TRY_VOID(make(made));
  GAUZE_TRY_VOID(bind_to_file(label, made));
  if (!kept) return {};
  GAUZE_TRY_VOID(check_place(target));
  GAUZE_TRY_VOID(write_file(label_path_for(target), label.to_json().dump(2) + "\n"));
  return put_in_place(made, target);
}

using WriteTable = std::function<Result<void>(table::TableWriter&, const table::TableTarget&)>;

Result<void> write_labelled_by(const std::string& output, const std::string& delimiter, PrivacyLabel& label,
                               const WriteTable& write) {
  GAUZE_TRY_VOID(label.check_rules());
  const auto writer = engines::make_table_writer();
  if (output == "-") return write(*writer, {.path = output, .format = {}, .delimiter = delimiter});
  return write_labelled(output, label, [&](const fs::path& made) {
    return write(*writer, {.path = made.string(), .format = {}, .delimiter = delimiter});
  });
}

}  // namespace

Result<void> write_labelled_bytes(const std::string& output, PrivacyLabel& label,
                                  const std::function<Result<void>(const ByteSink&)>& produce) {
  if (output == "-") {
    return produce([](std::string_view bytes) -> Result<void> {
      if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
        return make_error(ErrorCode::io, "cannot write to the standard output");
      return {};
    });
  }
  return write_labelled(output, label, [&](const fs::path& made) -> Result<void> {
    GAUZE_TRY(AtomicFile file, AtomicFile::create(made));
    GAUZE_TRY_VOID(produce([&](std::string_view bytes) { return file.write(bytes); }));
    return file.commit();
  });
}

Result<void> write_labelled_table(table::Source& table, const table::Rewrite& rewrite, const std::string& delimiter,
                                  const std::string& output, PrivacyLabel& label, Progress& progress) {
  return write_labelled_by(output, delimiter, label,
                           [&](table::TableWriter& writer, const table::TableTarget& target) {
                             return writer.write(table, rewrite, target, progress);
                           });
}

Result<void> write_labelled_rows(table::RowStream& rows, const std::string& delimiter, const std::string& output,
                                 PrivacyLabel& label, Progress& progress) {
  return write_labelled_by(output, delimiter, label,
                           [&](table::TableWriter& writer, const table::TableTarget& target) {
                             return writer.write(rows, target, progress);
                           });
}

}  // namespace gauze::cli
