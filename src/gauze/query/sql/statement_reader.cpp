#include "gauze/query/sql/statement_reader.h"

#include "gauze/query/sql/expression_reader.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

using Tree = nlohmann::json;

class StatementReader {
 public:
  explicit StatementReader(const Tokens& tokens)
      : tokens_(tokens), expressions_(tokens, [this](const Tree& tree) { return read(tree); }) {}

  /// {"SelectStmt": ...}
  [[nodiscard]] Result<std::unique_ptr<Select>> read(const Tree& tree) {
    if (!tree.is_object() || !tree.contains("SelectStmt"))
      return refused_at(ErrorCode::unsupported, first_token(), "only SELECT is answered",
                        "ask with SELECT ... FROM ...");
    return read_select(tree["SelectStmt"]);
  }

 private:
  [[nodiscard]] TextSpan first_token() const { return tokens_.all().front(); }
  /// The first token of this word, for clauses of which the tree tells no place.
  [[nodiscard]] TextSpan word(std::string_view text) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_.is(i, text)) return tokens_.all()[i];
    return first_token();
  }
  [[nodiscard]] static bool has(const Tree& node, const char* name) {
    const auto found = node.find(name);
    return found != node.end() && !found->is_null() && !(found->is_array() && found->empty());
  }

  [[nodiscard]] Result<void> refuse_clauses(const Tree& node) const {
    struct Clause {
      const char* key;
      const char* word;
      const char* hint;
    };
    for (const Clause& clause :
         {Clause{"lockingClause", "for", "leave it out"}, Clause{"intoClause", "into", "leave it out"},
          Clause{"windowClause", "window", "only SUM(...) OVER () of the answer itself is known"}})
      if (has(node, clause.key))
        return refused_at(ErrorCode::unsupported, word(clause.word), "this clause is not answered", clause.hint);
    if (node.value("limitOption", "") == "LIMIT_OPTION_WITH_TIES")
      return refused_at(ErrorCode::unsupported, word("ties"), "WITH TIES is not answered", "use LIMIT");
    if (node.value("groupDistinct", false))
      return refused_at(ErrorCode::unsupported, word("group"), "GROUP BY DISTINCT is not answered",
                        "leave out DISTINCT");
    return {};
  }

  [[nodiscard]] Result<std::unique_ptr<Select>> read_select(const Tree& node) {
    if (++depth_ > 100) return invalid_parameter("the SQL has more than 100 subqueries within each other");
    GAUZE_TRY_VOID(refuse_clauses(node));
    auto select = std::make_unique<Select>();
    select->span = first_token();
    GAUZE_TRY_VOID(read_with(node, *select));
    if (node.value("op", "SETOP_NONE") != "SETOP_NONE") {
      if (node["op"] != "SETOP_UNION" || !node.value("all", false)) {
        const bool is_union = node["op"] == "SETOP_UNION";
        return refused_at(
            ErrorCode::unsupported,
            word(is_union                       ? "union"
                 : node["op"] == "SETOP_EXCEPT" ? "except"
                                                : "intersect"),
            "UNION, INTERSECT and EXCEPT remove duplicates across people, so that one person changes another's rows",
            "UNION ALL keeps them");
      }
      select->span = word("union");
      GAUZE_TRY(select->union_left, read_select(node["larg"]));
      GAUZE_TRY(select->union_right, read_select(node["rarg"]));
    }
    GAUZE_TRY_VOID(read_parts(node, *select));
    --depth_;
    return select;
  }

  [[nodiscard]] Result<void> read_parts(const Tree& node, Select& select) {
    if (has(node, "distinctClause")) {
      select.is_distinct = true;
      if (node["distinctClause"].size() != 1 || !node["distinctClause"][0].empty())
        return refused_at(ErrorCode::unsupported, word("distinct"), "DISTINCT ON is not answered", "use GROUP BY");
    }
    if (has(node, "valuesLists"))
      for (const Tree& row : node["valuesLists"]) {
        GAUZE_TRY(std::vector<SyntaxPtr> cells, expressions_.read_all(row["List"]["items"]));
        select.values.push_back(std::move(cells));
      }
    if (has(node, "targetList"))
      for (const Tree& item : node["targetList"]) {
        Target target;
        const Tree& inner = item["ResTarget"];
        GAUZE_TRY(target.expression, expressions_.read(inner["val"]));
        target.alias = inner.value("name", "");
        target.span = target.expression->span;
        if (select.targets.empty() && !select.union_left) select.span = target.span;
        select.targets.push_back(std::move(target));
      }
    if (has(node, "fromClause"))
      for (const Tree& item : node["fromClause"]) {
        GAUZE_TRY(FromItem from, read_from(item));
        select.from.push_back(std::move(from));
      }
    if (has(node, "whereClause")) {
      GAUZE_TRY(select.where, expressions_.read(node["whereClause"]));
    }
    if (has(node, "groupClause")) {
      GAUZE_TRY(select.group_by, expressions_.read_all(node["groupClause"]));
    }
    if (has(node, "havingClause")) {
      GAUZE_TRY(select.having, expressions_.read(node["havingClause"]));
    }
    if (has(node, "sortClause")) {
      GAUZE_TRY(select.order_by, expressions_.read_sort_keys(node["sortClause"]));
    }
    if (has(node, "limitCount")) {
      GAUZE_TRY(select.limit, expressions_.read(node["limitCount"]));
    }
    if (has(node, "limitOffset")) {
      GAUZE_TRY(select.offset, expressions_.read(node["limitOffset"]));
    }
    return {};
  }

  [[nodiscard]] Result<void> read_with(const Tree& node, Select& select) {
    if (!has(node, "withClause")) return {};
    if (node["withClause"].value("recursive", false))
      return refused_at(ErrorCode::unsupported, word("recursive"), "recursive WITH is not answered",
                        "nothing bounds how often a person would count");
    for (const Tree& item : node["withClause"]["ctes"]) {
      const Tree& inner = item["CommonTableExpr"];
      CommonTable common;
      common.name = inner.value("ctename", "");
      common.span = expressions_.token_span(inner);
      if (has(inner, "aliascolnames")) common.columns = strings_of(inner["aliascolnames"]);
      GAUZE_TRY(std::unique_ptr<Select> read_table, read(inner["ctequery"]));
      common.select = std::move(read_table);
      select.with.push_back(std::move(common));
    }
    return {};
  }

  void read_alias(const Tree& node, FromItem& item) const {
    if (!has(node, "alias")) return;
    item.alias = node["alias"].value("aliasname", "");
    if (has(node["alias"], "colnames")) item.column_aliases = strings_of(node["alias"]["colnames"]);
  }

  [[nodiscard]] Result<FromItem> read_from(const Tree& tree) {
    FromItem item;
    if (tree.contains("RangeVar")) {
      const Tree& node = tree["RangeVar"];
      item.kind = FromItem::Kind::table;
      item.table = node.value("relname", "");
      item.span = expressions_.token_span(node);
      if (has(node, "schemaname"))
        return refused_at(ErrorCode::invalid_parameter, item.span,
                          "tables are named as in the schema file, without a prefix");
      read_alias(node, item);
      return item;
    }
    if (tree.contains("RangeSubselect")) {
      const Tree& node = tree["RangeSubselect"];
      if (node.value("lateral", false))
        return refused_at(ErrorCode::unsupported, word("lateral"), "LATERAL is not answered",
                          "join on the unit instead");
      item.kind = FromItem::Kind::subquery;
      GAUZE_TRY(item.select, read(node["subquery"]));
      item.span = item.select->span;
      read_alias(node, item);
      return item;
    }
    if (tree.contains("JoinExpr")) return read_join(tree["JoinExpr"]);
    return refused_at(ErrorCode::unsupported, word("from"), "only tables, subqueries and joins stand in FROM",
                      "functions and samples of rows are not answered");
  }

  [[nodiscard]] Result<FromItem> read_join(const Tree& node) {
    if (++depth_ > 100) return invalid_parameter("the SQL joins more than 100 tables");
    FromItem item;
    item.kind = FromItem::Kind::join;
    if (node.value("isNatural", false))
      return refused_at(ErrorCode::unsupported, word("natural"), "NATURAL JOIN is not answered",
                        "say which columns: JOIN ... USING (...)");
    GAUZE_TRY(FromItem left, read_from(node["larg"]));
    GAUZE_TRY(FromItem right, read_from(node["rarg"]));
    item.span = right.span;
    item.left = std::make_unique<FromItem>(std::move(left));
    item.right = std::make_unique<FromItem>(std::move(right));
    const std::string kind = node.value("jointype", "");
    item.join = kind == "JOIN_LEFT"    ? FromItem::Join::left
                : kind == "JOIN_RIGHT" ? FromItem::Join::right
                : kind == "JOIN_FULL"  ? FromItem::Join::full
                                       : FromItem::Join::inner;
    if (has(node, "usingClause")) item.using_columns = strings_of(node["usingClause"]);
    if (has(node, "quals")) {
      GAUZE_TRY(item.on, expressions_.read(node["quals"]));
    } else if (item.using_columns.empty()) {
      item.join = FromItem::Join::cross;
    }
    if (has(node, "alias"))
      return refused_at(ErrorCode::unsupported, item.span, "a join has no name of its own here",
                        "name its two tables");
    --depth_;
    return item;
  }

  const Tokens& tokens_;
  ExpressionReader expressions_;
  int depth_ = 0;
};

}  // namespace

Result<std::unique_ptr<Select>> read_statement(const Tree& tree, const Tokens& tokens) {
  return StatementReader(tokens).read(tree);
}

}  // namespace gauze::query
