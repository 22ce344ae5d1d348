#include "gauze/query/sql/tokens.h"

#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <memory>
#include <string>

#include "gauze/base/ascii.h"
#include "gauze/base/utf8.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

struct ScanGuard {
  PgQueryScanResult result;
  ~ScanGuard() { pg_query_free_scan_result(result); }
};

Result<void> check_text(std::string_view sql) {
  if (sql.size() > kLongestSql)
    return invalid_parameter("the SQL has {} bytes; at most {} are read", sql.size(), kLongestSql);
  if (const std::size_t nul = sql.find('\0'); nul != std::string_view::npos)
    return refused_at(ErrorCode::invalid_parameter, {nul, 1}, "the SQL holds a NUL byte");
  if (const auto bad = find_invalid_utf8(sql))
    return refused_at(ErrorCode::invalid_parameter, {*bad, 1}, "the SQL is not UTF-8");
  return {};
}

bool is_opening(std::string_view token) { return token == "(" || token == "["; }
bool is_closing(std::string_view token) { return token == ")" || token == "]"; }

}  // namespace

Result<Tokens> Tokens::scan(std::string_view sql) {
  GAUZE_TRY_VOID(check_text(sql));
  Tokens tokens(sql);
  const ScanGuard scanned{pg_query_scan(std::string(sql).c_str())};
  if (scanned.result.error != nullptr) {
    const auto place = static_cast<std::size_t>(std::max(scanned.result.error->cursorpos - 1, 0));
    return refused_at(ErrorCode::invalid_parameter, {std::min(place, sql.size()), 1},
                      fmt::format("the SQL cannot be read: {}", scanned.result.error->message));
  }
  const auto free = [](PgQuery__ScanResult* result) { pg_query__scan_result__free_unpacked(result, nullptr); };
  const std::unique_ptr<PgQuery__ScanResult, decltype(free)> unpacked(
      pg_query__scan_result__unpack(nullptr, scanned.result.pbuf.len,
                                    reinterpret_cast<const std::uint8_t*>(scanned.result.pbuf.data)),
      free);
  if (!unpacked) return make_error(ErrorCode::internal, "cannot read the SQL's tokens");
  std::size_t depth = 0;
  for (std::size_t i = 0; i < unpacked->n_tokens; ++i) {
    const PgQuery__ScanToken& token = *unpacked->tokens[i];
    if (token.token == PG_QUERY__TOKEN__SQL_COMMENT || token.token == PG_QUERY__TOKEN__C_COMMENT) continue;
    const auto begin = static_cast<std::size_t>(token.start);
    tokens.tokens_.push_back({begin, static_cast<std::size_t>(token.end) - begin});
    const std::string_view text = tokens.text(tokens.size() - 1);
    if (is_opening(text)) ++depth;
    if (is_closing(text) && depth > 0) --depth;
    if (depth > kDeepestNesting)
      return refused_at(ErrorCode::invalid_parameter, tokens.tokens_.back(),
                        fmt::format("the SQL is nested more than {} deep", kDeepestNesting));
    if (tokens.size() > kMostTokens)
      return refused_at(ErrorCode::invalid_parameter, tokens.tokens_.back(),
                        fmt::format("the SQL has more than {} words and signs", kMostTokens));
  }
  return tokens;
}

std::size_t Tokens::at(std::size_t offset) const {
  const auto found = std::lower_bound(tokens_.begin(), tokens_.end(), offset,
                                      [](const TextSpan& token, std::size_t place) { return token.offset < place; });
  return static_cast<std::size_t>(found - tokens_.begin());
}

std::size_t Tokens::end_of(std::size_t token) const {
  if (tokens_.empty()) return 0;
  const TextSpan& span = tokens_[std::min(token, tokens_.size() - 1)];
  return span.offset + span.length;
}

bool Tokens::is(std::size_t token, std::string_view word) const {
  const std::string_view own = text(token);
  return own.size() == word.size() && std::equal(own.begin(), own.end(), word.begin(),
                                                 [](char a, char b) { return ascii_lower(a) == ascii_lower(b); });
}

std::size_t Tokens::closing(std::size_t token) const {
  std::size_t depth = 0;
  for (std::size_t i = token; i < tokens_.size(); ++i) {
    if (is_opening(text(i))) ++depth;
    if (is_closing(text(i)) && --depth == 0) return i;
  }
  return tokens_.empty() ? 0 : tokens_.size() - 1;
}

}  // namespace gauze::query
