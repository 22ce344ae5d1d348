#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gauze/query/sql/syntax.h"
#include "gauze/query/sql/tokens.h"

namespace gauze::query {

/// Reads expressions of PostgreSQL's tree, and finds where they end.
class ExpressionReader {
 public:
  using Tree = nlohmann::json;
  using SelectReader = std::function<Result<std::unique_ptr<Select>>(const Tree&)>;
  ExpressionReader(const Tokens& tokens, SelectReader read_select)
      : tokens_(tokens), read_select_(std::move(read_select)) {}

  [[nodiscard]] Result<SyntaxPtr> read(const Tree& tree);
  [[nodiscard]] Result<std::vector<SyntaxPtr>> read_all(const Tree& list);
  [[nodiscard]] Result<std::vector<SortKey>> read_sort_keys(const Tree& list);
  [[nodiscard]] TextSpan token_span(const Tree& node) const;

 private:
  using Reading = Result<SyntaxPtr>;
  [[nodiscard]] Reading read_node(const std::string& kind, const Tree& node);
  [[nodiscard]] Reading read_column(const Tree& node);
  [[nodiscard]] Reading read_constant(const Tree& node);
  [[nodiscard]] Reading read_operation(const Tree& node);
  [[nodiscard]] Reading read_list_operation(const Tree& node, const std::string& kind);
  [[nodiscard]] Reading read_connective(const Tree& node);
  [[nodiscard]] Reading read_call(const Tree& node);
  [[nodiscard]] Reading read_case(const Tree& node);
  [[nodiscard]] Reading read_cast(const Tree& node);
  [[nodiscard]] Reading read_test(const std::string& kind, const Tree& node);
  [[nodiscard]] Reading read_subquery(const Tree& node);
  [[nodiscard]] Reading read_bracketed(Syntax::Kind kind, const Tree& node, std::string text = {});

  void read_sign(Syntax& number) const;
  [[nodiscard]] SyntaxPtr make(Syntax::Kind kind, const Tree& node) const;
  /// Widens an expression over its arguments.
  void cover(Syntax& syntax) const;
  /// Widens it to the bracket that closes the first one behind its beginning.
  void cover_brackets(Syntax& syntax, std::size_t from_token) const;
  void extend(Syntax& syntax, std::size_t end) const;

  const Tokens& tokens_;
  SelectReader read_select_;
  int depth_ = 0;
};

/// Names of a qualified name, without `pg_catalog`.
[[nodiscard]] std::vector<std::string> strings_of(const nlohmann::json& list);

}  // namespace gauze::query
