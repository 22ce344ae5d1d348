#include "gauze/cli/patterns/itemset_output.h"

#include "gauze/table/csv_text.h"

namespace gauze::cli {

using namespace patterns;  // the vocabulary of this file

Result<LineOutput> LineOutput::make(Invocation& invocation) {
  LineOutput output(invocation);
  const auto path = invocation.optional_text("output");
  if (path && *path != "-") {
    GAUZE_TRY(AtomicFile file, AtomicFile::create(*path));
    output.file_.emplace(std::move(file));
  }
  return output;
}

void LineOutput::write(std::string_view line) {
  if (!file_) {
    invocation_->out().write(line);
    return;
  }
  if (problem_) problem_ = file_->write(line);
}

Result<void> LineOutput::finish() {
  GAUZE_TRY_VOID(problem_);
  if (file_) return file_->commit();
  return {};
}

std::string names_text(const Database& database, std::span<const Item> set, BasketFormat format) {
  std::string text;
  for (const Item item : set) {
    const std::string& name = database.names[item];
    if (!text.empty()) text += format == BasketFormat::dat ? " " : ", ";
    if (format == BasketFormat::dat)
      text += name;
    else
      table::append_csv_cell(text, name, ',');
  }
  return text;
}

Json names_json(const Database& database, std::span<const Item> set) {
  Json names = Json::array();
  for (const Item item : set) names.push(database.names[item]);
  return names;
}

}  // namespace gauze::cli
