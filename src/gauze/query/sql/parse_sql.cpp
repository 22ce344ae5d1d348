#include "gauze/query/sql/parse_sql.h"

#include <pg_query.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gauze/base/utf8.h"
#include "gauze/query/sql/statement_reader.h"
#include "gauze/query/sql/tokens.h"

namespace gauze::query {
namespace {

struct ParseGuard {
  PgQueryParseResult result;
  ~ParseGuard() { pg_query_free_parse_result(result); }
};

}  // namespace

tl::unexpected<Error> refused_at(ErrorCode code, TextSpan span, std::string message, std::string hint) {
  return tl::unexpected<Error>(
      Error{.code = code, .message = std::move(message), .span = span, .hint = std::move(hint)});
}

TextPlace place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  TextPlace place;
  place.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_end = before.rfind('\n');
  place.column += character_count(line_end == std::string_view::npos ? before : before.substr(line_end + 1));
  return place;
}

Result<std::unique_ptr<Select>> parse_sql(std::string_view sql) {
  GAUZE_TRY(const Tokens tokens, Tokens::scan(sql));
  if (tokens.size() == 0) return invalid_parameter("the SQL is empty; ask with SELECT ... FROM ...");
  const ParseGuard parsed{pg_query_parse(std::string(sql).c_str())};
  if (const PgQueryError* error = parsed.result.error; error != nullptr) {
    // PostgreSQL counts characters.
    const std::size_t offset = character_offset(sql, static_cast<std::size_t>(std::max(error->cursorpos - 1, 0)));
    const std::size_t token = std::min(tokens.at(offset), tokens.size() - 1);
    return refused_at(ErrorCode::invalid_parameter, tokens.all()[token],
                      fmt::format("the SQL cannot be read: {}", error->message));
  }
  const nlohmann::json tree = nlohmann::json::parse(parsed.result.parse_tree, nullptr, false);
  if (tree.is_discarded() || !tree.contains("stmts"))
    return make_error(ErrorCode::internal, "the SQL's parser gave no tree");
  const auto& statements = tree["stmts"];
  if (statements.empty()) return invalid_parameter("the SQL is empty; ask with SELECT ... FROM ...");
  if (statements.size() > 1) {
    const std::size_t begin = statements[1].value("stmt_location", std::size_t{0});
    const std::size_t token = std::min(tokens.at(begin), tokens.size() - 1);
    return refused_at(ErrorCode::unsupported, tokens.all()[token], "one statement is answered at a time",
                      "ask the second question on its own");
  }
  return read_statement(statements[0]["stmt"], tokens);
}

}  // namespace gauze::query
