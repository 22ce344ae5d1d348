// Runs query/tests/*.test. A case is a line that says what is expected, the SQL, and for some `----` and the expected lines; an
// empty line ends it. What there is:
//
//   database shop                       the shop of query_testing.h; or `schema` and `file NAME`, each ended by `end`
//   set epsilon|delta|groups|rows X     for the cases below it; a new database starts with epsilon 1 and no more
//   refused CODE: WORDS                 the SQL, with a line of ^ under what the refusal points at, if at anything
//   answer                              ---- the rows without noise, cells parted by " | "
//   same                                ---- SQL that the engine itself answers with the same rows, in any order
//   plan                                ---- the plan as --explain tells it, and what is measured with which sensitivity
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "gauze/base/testing/source_folder.h"
#include "gauze/base/utf8.h"
#include "gauze/query/job/query_json.h"
#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace text_files_test {

using Lines = std::vector<std::string>;

std::string joined_lines(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += (&line == lines.data() ? "" : "\n") + line;
  return text;
}

bool is_caret(const std::string& line) {
  return line.find('^') != std::string::npos && line.find_first_not_of(" ^") == std::string::npos;
}

std::string cell_text(const OutputCell& cell) {
  if (cell.list.empty()) return cell.value.value_or("NULL");
  std::string text = "[";
  for (const CellValue& one : cell.list) text += (text.size() == 1 ? "" : " ") + one.value_or("NULL");
  return text + "]";
}

/// Numbers of nine digits, so that two ways to the same number look the same; rows in one order.
Lines comparable(const std::vector<Lines>& rows) {
  Lines lines;
  for (const Lines& row : rows) {
    std::string line;
    for (const std::string& cell : row) {
      char* end = nullptr;
      const double number = std::strtod(cell.c_str(), &end);
      const bool is_number = !cell.empty() && *end == '\0';
      line += (line.empty() ? "" : " | ") + (is_number ? fmt::format("{:.9g}", number + 0.0) : cell);
    }
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// The SQL with a line of ^ under what an error points at.
std::string with_caret(const std::string& sql, const Error& error) {
  if (!error.span) return sql;
  const std::size_t at = error.span->offset;
  const std::size_t begin = at == 0 ? 0 : sql.rfind('\n', at - 1) + 1;
  const std::size_t line_end = std::min(sql.find('\n', at), sql.size());
  const std::size_t end = std::min(at + error.span->length, line_end);
  return sql.substr(0, line_end) + "\n" + std::string(character_count(sql.substr(begin, at - begin)), ' ') +
         std::string(std::max<std::size_t>(1, character_count(sql.substr(at, end - at))), '^') + sql.substr(line_end);
}

class TextFile {
 public:
  explicit TextFile(std::filesystem::path path) : path_(std::move(path)) {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) lines_.push_back(line);
  }

  /// The number of cases.
  std::size_t run() {
    while (next_ < lines_.size()) {
      line_ = next_ + 1;
      const std::string head = lines_[next_++];
      if (head.empty() || head.starts_with("#")) continue;
      std::istringstream words(head);
      std::string word, name, value;
      words >> word >> name >> value;
      if (word == "database") {
        start(testing::shop_schema(), testing::shop_files());
      } else if (word == "schema") {
        start(joined_lines(until("end")) + "\n", {});
      } else if (word == "file") {
        files_.emplace_back(name, joined_lines(until("end")) + "\n");
      } else if (word == "set") {
        set(name, value);
      } else {
        run_case(word, head);
      }
    }
    return cases_;
  }

 private:
  Lines until(const std::string& last) {
    Lines lines;
    while (next_ < lines_.size() && lines_[next_] != last) lines.push_back(lines_[next_++]);
    ++next_;
    return lines;
  }
  void start(std::string schema, std::vector<std::pair<std::string, std::string>> files) {
    tables_.reset();
    database_.reset();
    schema_ = std::move(schema);
    files_ = std::move(files);
    parameters_ = testing::with_epsilon(1);
  }
  void set(const std::string& name, const std::string& value) {
    if (name == "epsilon") parameters_.budget.epsilon = Rational::parse(value).value();
    if (name == "delta") parameters_.budget.delta = Rational::parse(value).value();
    if (name == "groups") parameters_.groups_per_unit = std::stoull(value);
    if (name == "rows") parameters_.rows_per_unit = std::stoull(value);
  }

  void run_case(const std::string& kind, const std::string& head) {
    ++cases_;
    const Lines block = until("");
    const auto parted = std::find(block.begin(), block.end(), "----");
    const Lines sql(block.begin(), parted);
    const std::string expected = parted == block.end() ? "" : joined_lines({parted + 1, block.end()});
    if (!database_) database_ = std::make_unique<testing::Database>(files_, schema_);
    if (kind == "refused") return expect_refusal(head, sql);
    const std::string text = joined_lines(sql);
    const auto plan = database_->plan(text, parameters_);
    if (!plan) return differ(expected, "refused " + to_text(plan.error(), text));
    if (kind == "plan") return expect(expected, plan_text(*plan));
    if (!tables_) tables_ = std::make_unique<SchemaTables>(database_->load(1));
    std::vector<Lines> rows;
    if (const std::string failure = answer(*plan, rows); !failure.empty()) return differ(expected, failure);
    if (kind == "answer") {
      Lines lines;
      for (const Lines& row : rows) {
        std::string line;
        for (const std::string& cell : row) line += (&cell == row.data() ? "" : " | ") + cell;
        lines.push_back(line);
      }
      return expect(expected, joined_lines(lines));
    }
    if (kind != "same") return differ("refused, answer, same or plan", kind);
    const auto plain = tables_->rows(expected, std::vector<Shape>(output_columns(*plan).size()));
    if (!plain) return differ(expected, plain.error().message);
    std::vector<Lines> others;
    for (const auto& row : *plain) {
      others.emplace_back();
      for (const CellValue& cell : row) others.back().push_back(cell.value_or("NULL"));
    }
    expect(joined_lines(comparable(others)), joined_lines(comparable(rows)));
  }

  void expect_refusal(const std::string& head, const Lines& sql) {
    Lines plain = sql;
    std::erase_if(plain, is_caret);
    const std::string text = joined_lines(plain);
    const auto plan = database_->plan(text, parameters_);
    const std::string words = head.substr(std::min(head.find(": "), head.size() - 2) + 2);
    if (!plan) {
      const std::string code = fmt::format("refused {}:", to_string(plan.error().code));
      const std::string message = plan.error().message + " " + plan.error().hint;
      if (head.starts_with(code) && message.find(words) != std::string::npos &&
          with_caret(text, plan.error()) == joined_lines(sql))
        return;
    }
    differ(head + "\n" + joined_lines(sql), plan ? "it may be asked" : "refused " + to_text(plan.error(), text));
  }
  static std::string to_text(const Error& error, const std::string& sql) {
    return fmt::format("{}: {}; {}\n{}", to_string(error.code), error.message, error.hint, with_caret(sql, error));
  }

  std::string answer(const QueryPlan& plan, std::vector<Lines>& rows) {
    SeededRandom seeded(1);
    Chance chance = Chance::none(seeded);
    Progress progress;
    const auto table = measure(plan, *tables_, chance, progress);
    if (!table) return "failed: " + table.error().message;
    const auto result = finish_answer(plan, *table, false, {.engine = {.threads = 1}});
    if (!result) return "failed: " + result.error().message;
    for (const auto& row : result->rows) {
      rows.emplace_back();
      for (const OutputCell& cell : row) rows.back().push_back(cell_text(cell));
    }
    return {};
  }

  static std::string plan_text(const QueryPlan& plan) {
    const auto told = explain(plan, 1000);
    if (!told) return "failed: " + told.error().message;
    Lines lines = told->plan;
    if (!plan.question.answer.keys.empty())
      lines.push_back(plan.keys.are_public ? fmt::format("public keys, {} cells", plan.keys.cells.size())
                                           : std::string("private keys"));
    for (std::size_t i = 0; i < plan.measurements.all.size(); ++i) {
      const Measurement& one = plan.measurements.all[i];
      lines.push_back(fmt::format("{}{}", word_of(kMeasurementWords, one.kind),
                                  one.is_selection() ? "" : " " + (one.sensitivity * one.granule).to_decimal()));
    }
    return joined_lines(lines);
  }

  void expect(const std::string& expected, const std::string& got) const {
    if (expected != got) differ(expected, got);
  }
  void differ(const std::string& expected, const std::string& got) const {
    ADD_FAILURE_AT(path_.c_str(), static_cast<int>(line_)) << "expected:\n" << expected << "\ngot:\n" << got << "\n";
  }

  std::filesystem::path path_;
  Lines lines_;
  std::size_t next_ = 0;
  std::size_t line_ = 0;
  std::size_t cases_ = 0;
  std::string schema_ = {};
  std::vector<std::pair<std::string, std::string>> files_ = {};
  QueryParameters parameters_ = {};
  std::unique_ptr<testing::Database> database_ = {};
  std::unique_ptr<SchemaTables> tables_ = {};
};

TEST(QueryTextFiles, HoldWhatTheySay) {
  std::size_t cases = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(gauze_source_folder) + "/src/gauze/query/tests"))
    if (entry.path().extension() == ".test") cases += TextFile(entry.path()).run();
  EXPECT_GE(cases, 150U);
}

}  // namespace text_files_test
}  // namespace gauze::query
