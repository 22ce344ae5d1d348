#include "gauze/cli/query/query_text.h"

#include <algorithm>
#include <cmath>

#include "gauze/base/joined.h"
#include "gauze/base/utf8.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::cli {
namespace {

using query::OutputCell;
using query::OutputColumn;
using query::Type;

std::string short_number(double value, bool whole) {
  if (whole && std::fabs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.6g}", value);
}

std::string value_text(const OutputCell& cell, const OutputColumn& column) {
  if (column.is_list) {
    std::string list;
    for (const auto& one : cell.list) list += (list.empty() ? "" : ", ") + one.value_or("NULL");
    return "[" + list + "]";
  }
  if (!cell.value) return "NULL";
  if (column.is_key || column.type != Type::real) return *cell.value;
  return short_number(std::strtod(cell.value->c_str(), nullptr), false);
}

/// Where a line begins, outside of all parentheses but those of a SELECT.
bool begins_clause(std::string_view rest) {
  for (const std::string_view word :
       {"SELECT ", "FROM ", "WHERE ", "JOIN ", "LEFT JOIN ", "GROUP BY ", "HAVING ", "ORDER BY ", "UNION ALL "})
    if (rest.starts_with(word)) return true;
  return false;
}

std::string interval_text(const OutputCell& cell, const OutputColumn& column) {
  if (cell.rank_error) return fmt::format("rank +-{:.3g}", *cell.rank_error);
  if (!cell.low || !cell.high) return "";
  const bool whole = column.type == Type::integer;
  return fmt::format("{} .. {}", short_number(whole ? std::floor(*cell.low) : *cell.low, whole),
                     short_number(whole ? std::ceil(*cell.high) : *cell.high, whole));
}

}  // namespace

std::string answer_text(const query::QueryResult& result, Style style) {
  TextTable table;
  std::vector<std::string> heading;
  for (const OutputColumn& column : result.columns) {
    heading.push_back(column.name);
    if (!column.is_key) heading.emplace_back("95 %");
  }
  table.add(std::move(heading));
  for (const auto& row : result.rows) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(value_text(row[i], result.columns[i]));
      if (!result.columns[i].is_key) cells.push_back(interval_text(row[i], result.columns[i]));
    }
    table.add(std::move(cells));
  }
  return table.text(style);
}

std::string sql_in_lines(std::string_view sql, std::size_t indent) {
  std::vector<bool> selects;  // of each open parenthesis: whether a SELECT stands in it
  std::string text(indent, ' ');
  const auto new_line = [&] {
    while (text.ends_with(' ')) text.pop_back();
    text += '\n' + std::string(indent + 2 * selects.size(), ' ');
  };
  const auto is_free = [&] {
    return std::all_of(selects.begin(), selects.end(), [](bool select) { return select; });
  };
  for (std::size_t i = 0; i < sql.size(); ++i) {
    const char c = sql[i];
    if (c == '\'' || c == '"') {
      const std::size_t end = std::min(sql.find(c, i + 1), sql.size() - 1);
      text += sql.substr(i, end - i + 1);
      i = end;
      continue;
    }
    if (c == '(') {
      text += c;
      selects.push_back(is_free() && sql.substr(i + 1).starts_with("SELECT "));
      if (selects.back()) new_line();
      continue;
    }
    if (c == ')' && !selects.empty()) {
      const bool ends_select = selects.back();
      selects.pop_back();
      if (ends_select) new_line();
      text += c;
      continue;
    }
    const bool at_word = i > 0 && sql[i - 1] == ' ' && is_free();
    if (at_word && begins_clause(sql.substr(i))) new_line();
    text += c;
    // The word itself is done with: LEFT JOIN is one.
    if (at_word && sql.substr(i).starts_with("LEFT JOIN ")) {
      text += sql.substr(i + 1, 9);
      i += 9;
    }
  }
  return text + '\n';
}

std::string explanation_text(const query::QueryPlan& plan, const query::Explanation& explanation,
                             std::uint64_t assumed_rows, Style style) {
  std::string text = style.bold("plan") + "\n";
  for (const std::string& line : explanation.plan) text += "  " + line + "\n";
  text += style.bold("keys") + "\n  ";
  if (plan.question.answer.keys.empty())
    text += "none: one row\n";
  else if (plan.keys.are_public)
    text += fmt::format("public: {}, all of them shown\n", counted(plan.keys.cells.size(), "cell"));
  else
    text += fmt::format(
        "private: a group is named from {} noisy units on; of 10, 100, 1,000 units with probability {:.3g}, {:.3g}, {:.3g}\n",
        query::to_json(plan, explanation).find("threshold")->text(), *explanation.keep_10, *explanation.keep_100,
        *explanation.keep_1000);
  text += style.bold("measurements") + "\n";
  TextTable table;
  table.add({"  measurement", "kind", "noise", "sensitivity", "sd"});
  const Json measurements = query::measurements_json(plan);
  for (const Json& one : *measurements.elements()) {
    const auto figure = [&](std::string_view name) {
      const Json* value = one.find(name);
      return value == nullptr || value->is_null()
                 ? std::string("-")
                 : fmt::format("{:.6g}", std::strtod(std::string(value->text()).c_str(), nullptr));
    };
    table.add({"  " + std::string(one.find("name")->text()), std::string(one.find("kind")->text()),
               std::string(one.find("mechanism")->text()), figure("sensitivity"), figure("sd")});
  }
  text += table.text(style);
  if (!explanation.half_widths.empty()) {
    text += style.bold(fmt::format("interval of a group of {}", counted(assumed_rows, "row"))) + "\n";
    for (const auto& one : explanation.half_widths) text += fmt::format("  {} +-{:.4g}\n", one.name, one.width);
  }
  for (const std::string& statement : explanation.statements)
    text += style.bold("statement") + "\n" + sql_in_lines(statement, 2);
  return text;
}

std::string caret_text(std::string_view sql, const Error& error) {
  std::string text;
  if (error.span && error.span->length > 0) {
    const std::size_t begin = std::min(error.span->offset, sql.size());
    std::size_t line_begin = sql.rfind('\n', begin == 0 ? 0 : begin - 1);
    line_begin = line_begin == std::string_view::npos ? 0 : line_begin + 1;
    if (begin == 0) line_begin = 0;
    const std::size_t line_end = std::min(sql.find('\n', begin), sql.size());
    const std::size_t end = std::min(begin + error.span->length, line_end);
    text += fmt::format("  {}\n  {}{}\n", sql.substr(line_begin, line_end - line_begin),
                        std::string(character_count(sql.substr(line_begin, begin - line_begin)), ' '),
                        std::string(std::max<std::size_t>(1, character_count(sql.substr(begin, end - begin))), '^'));
  }
  if (!error.hint.empty()) text += "  " + error.hint + "\n";
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace gauze::cli
