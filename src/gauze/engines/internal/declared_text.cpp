#include "gauze/engines/internal/declared_text.h"

#include "gauze/engines/internal/declared_csv.h"
#include "gauze/engines/internal/declared_json.h"
#include "gauze/table/missing_tokens.h"
#include "gauze/table/tuple_grouper.h"

namespace gauze::engines {
namespace {

std::vector<std::string> unreadable_texts(const std::vector<table::DeclaredColumn>& columns) {
  std::vector<std::string> texts;
  for (const auto& column : columns) texts.push_back(column.unreadable);
  return texts;
}

template <class File>
class DeclaredFiles : public table::DeclaredSource {
 public:
  DeclaredFiles(std::vector<File> files, const std::vector<table::DeclaredColumn>& columns,
                const table::ReadOptions& options, std::string assumption)
      : files_(std::move(files)),
        unreadable_(unreadable_texts(columns)),
        tokens_(options.null_tokens),
        assumption_(std::move(assumption)) {}

  [[nodiscard]] Result<table::TupleCounts> group(Progress& progress, const ByteWitness& witness) override {
    table::TupleGrouper groups(unreadable_, tokens_);
    GAUZE_TRY_VOID(read(groups, progress, witness));
    return groups.finish();
  }
  [[nodiscard]] Result<void> read(table::RowSink& rows, Progress& progress, const ByteWitness& witness) override {
    // progress is told in bytes of the files: how many rows there are is not told
    std::uint64_t bytes = 0;
    for (const File& file : files_) bytes += file.byte_count();
    progress.begin("reading", bytes);
    const ByteWitness counting = [&](std::string_view block) {
      progress.advance(block.size());
      if (witness) witness(block);
    };
    for (const File& file : files_) GAUZE_TRY_VOID(file.read(rows, progress, counting));
    return {};
  }
  [[nodiscard]] std::string assumption() const override { return assumption_; }

 private:
  std::vector<File> files_;
  std::vector<std::string> unreadable_;
  table::MissingTokens tokens_;
  std::string assumption_;
};

}  // namespace

Result<std::unique_ptr<table::DeclaredSource>> open_declared_text(std::vector<InputFile> files,
                                                                  const std::vector<table::DeclaredColumn>& columns,
                                                                  const table::ReadOptions& options) {
  if (files.front().format() == table::FileFormat::json_lines) {
    std::vector<DeclaredJson> lines;
    for (InputFile& file : files) lines.emplace_back(std::move(file), columns);
    return std::make_unique<DeclaredFiles<DeclaredJson>>(std::move(lines), columns, options, "");
  }
  std::vector<DeclaredCsv> tables;
  for (InputFile& file : files) {
    GAUZE_TRY(DeclaredCsv csv, DeclaredCsv::open(std::move(file), columns, options));
    tables.push_back(std::move(csv));
  }
  return std::make_unique<DeclaredFiles<DeclaredCsv>>(
      std::move(tables), columns, options,
      "records that run into each other: whoever wrote the CSV file is trusted to have closed every quote, and to have "
      "quoted line ends inside cells");
}

}  // namespace gauze::engines
