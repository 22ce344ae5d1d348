#include "gauze/cli/tables/labelled_table.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "gauze/files/atomic_file.h"
#include "gauze/label/label_file.h"
#include "gauze/table/csv_text.h"

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
  [[nodiscard]] fs::path draft() const { return folder_ / "rows.draft"; }

 private:
  explicit Workshop(fs::path folder) : folder_(std::move(folder)) {}
  fs::path folder_;
};

/// What `make` writes, with its label, or nothing. The null device keeps neither.
Result<void> write_labelled(const std::string& output, PrivacyLabel& label,
                            const std::function<Result<void>(const Workshop&, const fs::path&)>& make) {
  const fs::path target(output);
  const bool kept = !is_null_device(target);
  GAUZE_TRY(const Workshop workshop, Workshop::make(kept ? target : fs::temp_directory_path() / target.filename()));
  const fs::path made = workshop.file(target);
  GAUZE_TRY_VOID(make(workshop, made));
  GAUZE_TRY_VOID(bind_to_file(label, made));
  if (!kept) return {};
  GAUZE_TRY_VOID(check_place(target));
  GAUZE_TRY_VOID(write_file(label_path_for(target), label.to_json().dump(2) + "\n"));
  return put_in_place(made, target);
}

/// Plain CSV by the name: nothing has to be converted.
bool is_plain_csv(const fs::path& output) {
  const std::string extension = output.extension().string();
  for (const char* other : {".parquet", ".pq", ".jsonl", ".ndjson", ".json", ".gz", ".zst"})
    if (extension == other) return false;
  return true;
}

Result<void> write_csv(MadeRows& rows, const std::string& delimiter, Progress& progress,
                       const std::function<Result<void>(std::string_view)>& write) {
  std::string line;
  table::append_csv_line(line, rows.columns, delimiter.front());
  std::vector<std::string_view> cells(rows.columns.size());
  while (rows.next(cells)) {
    table::append_csv_line(line, cells, delimiter.front());
    if (line.size() < 1U << 16) continue;
    GAUZE_TRY_VOID(write(line));
    GAUZE_TRY_VOID(progress.check());
    line.clear();
  }
  return write(line);
}

Result<void> write_csv_file(MadeRows& rows, const std::string& delimiter, const fs::path& path, Progress& progress) {
  GAUZE_TRY(AtomicFile file, AtomicFile::create(path));
  GAUZE_TRY_VOID(write_csv(rows, delimiter, progress, [&](std::string_view bytes) { return file.write(bytes); }));
  return file.commit();
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
  return write_labelled(output, label, [&](const Workshop&, const fs::path& made) -> Result<void> {
    GAUZE_TRY(AtomicFile file, AtomicFile::create(made));
    GAUZE_TRY_VOID(produce([&](std::string_view bytes) { return file.write(bytes); }));
    return file.commit();
  });
}

Result<void> write_labelled_table(table::Table& table, const table::Rewrite& rewrite, const std::string& output,
                                  PrivacyLabel& label, Progress& progress) {
  GAUZE_TRY_VOID(label.check_rules());
  table::WriteOptions options;
  options.delimiter = table.delimiter();
  if (output == "-") return table.write(rewrite, output, options, progress);
  return write_labelled(output, label, [&](const Workshop&, const fs::path& made) {
    return table.write(rewrite, made, options, progress);
  });
}

Result<void> write_labelled_rows(table::Engine& engine, MadeRows& rows, const std::string& delimiter,
                                 const std::string& output, PrivacyLabel& label, Progress& progress) {
  GAUZE_TRY_VOID(label.check_rules());
  if (output == "-")
    return write_csv(rows, delimiter, progress, [](std::string_view bytes) -> Result<void> {
      if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
        return make_error(ErrorCode::io, "cannot write to the standard output");
      return {};
    });
  return write_labelled(output, label, [&](const Workshop& workshop, const fs::path& made) -> Result<void> {
    if (is_plain_csv(made)) return write_csv_file(rows, delimiter, made, progress);
    GAUZE_TRY_VOID(write_csv_file(rows, delimiter, workshop.draft(), progress));
    table::ReadOptions reading;
    reading.delimiter = delimiter;
    reading.quote = "\"";
    reading.header = true;
    reading.encoding = "utf-8";
    GAUZE_TRY(const auto draft, engine.open(workshop.draft().string(), reading));
    table::WriteOptions writing;
    writing.delimiter = delimiter;
    return draft->write({}, made, writing, progress);
  });
}

}  // namespace gauze::cli
