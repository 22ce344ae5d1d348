#include "gauze/query/sql/expression_reader.h"

#include <algorithm>

#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

using Tree = ExpressionReader::Tree;
using SyntaxKind = Syntax::Kind;

constexpr int kDeepest = 1'000;

const Tree& member(const Tree& node, const char* name) {
  static const Tree kNothing;
  const auto found = node.find(name);
  return found == node.end() ? kNothing : *found;
}

std::string text_of(const Tree& node, const char* name) {
  const Tree& value = member(node, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool flag_of(const Tree& node, const char* name) {
  const Tree& value = member(node, name);
  return value.is_boolean() && value.get<bool>();
}

TypeName read_type(const Tree& node) {
  TypeName type;
  const auto names = strings_of(member(node, "names"));
  if (!names.empty()) type.name = names.back();
  for (const Tree& modifier : member(node, "typmods"))
    if (const Tree& constant = member(modifier, "A_Const"); constant.is_object())
      type.modifiers.push_back(member(constant, "ival").value("ival", 0));
  type.is_array = member(node, "arrayBounds").is_array();
  return type;
}

}  // namespace

std::vector<std::string> strings_of(const Tree& list) {
  std::vector<std::string> names;
  for (const Tree& item : list) {
    const std::string name = text_of(member(item, "String"), "sval");
    if (name != "pg_catalog") names.push_back(name);
  }
  return names;
}

TextSpan ExpressionReader::token_span(const Tree& node) const {
  const Tree& location = member(node, "location");
  const std::int64_t place = location.is_number_integer() ? location.get<std::int64_t>() : 0;
  if (place < 0 || tokens_.size() == 0) return {0, 0};
  const std::size_t token = std::min(tokens_.at(static_cast<std::size_t>(place)), tokens_.size() - 1);
  return tokens_.all()[token];
}

SyntaxPtr ExpressionReader::make(SyntaxKind kind, const Tree& node) const {
  auto syntax = std::make_unique<Syntax>();
  syntax->kind = kind;
  syntax->span = token_span(node);
  return syntax;
}

void ExpressionReader::extend(Syntax& syntax, std::size_t end) const {
  if (end > syntax.span.offset + syntax.span.length) syntax.span.length = end - syntax.span.offset;
}

void ExpressionReader::cover(Syntax& syntax) const {
  const auto over = [&](const SyntaxPtr& part) {
    if (!part || part->span.length == 0) return;
    if (syntax.span.length == 0) syntax.span = part->span;
    const std::size_t end = std::max(syntax.span.offset + syntax.span.length, part->span.offset + part->span.length);
    syntax.span.offset = std::min(syntax.span.offset, part->span.offset);
    syntax.span.length = end - syntax.span.offset;
  };
  for (const SyntaxPtr& argument : syntax.arguments) over(argument);
  over(syntax.operand);
  over(syntax.otherwise);
}

void ExpressionReader::cover_brackets(Syntax& syntax, std::size_t from_token) const {
  for (std::size_t token = from_token; token < tokens_.size(); ++token) {
    if (tokens_.text(token) != "(" && tokens_.text(token) != "[") continue;
    extend(syntax, tokens_.end_of(tokens_.closing(token)));
    return;
  }
}

Result<SyntaxPtr> ExpressionReader::read(const Tree& tree) {
  if (!tree.is_object() || tree.empty()) return make_error(ErrorCode::internal, "an expression is missing");
  if (++depth_ > kDeepest) return invalid_parameter("an expression is nested more than {} deep", kDeepest);
  const auto entry = tree.begin();
  auto syntax = read_node(entry.key(), entry.value());
  --depth_;
  return syntax;
}

Result<std::vector<SyntaxPtr>> ExpressionReader::read_all(const Tree& list) {
  std::vector<SyntaxPtr> all;
  if (!list.is_array()) return all;
  for (const Tree& item : list) {
    GAUZE_TRY(SyntaxPtr one, read(item));
    all.push_back(std::move(one));
  }
  return all;
}

Result<std::vector<SortKey>> ExpressionReader::read_sort_keys(const Tree& list) {
  std::vector<SortKey> keys;
  if (!list.is_array()) return keys;
  for (const Tree& item : list) {
    const Tree& sort = member(item, "SortBy");
    SortKey key;
    GAUZE_TRY(key.expression, read(member(sort, "node")));
    key.descending = text_of(sort, "sortby_dir") == "SORTBY_DESC";
    if (text_of(sort, "sortby_dir") == "SORTBY_USING")
      return refused_at(ErrorCode::unsupported, key.expression->span, "ORDER BY ... USING is not answered",
                        "use ASC or DESC");
    const std::string nulls = text_of(sort, "sortby_nulls");
    if (nulls != "SORTBY_NULLS_DEFAULT") key.nulls_first = nulls == "SORTBY_NULLS_FIRST";
    keys.push_back(std::move(key));
  }
  return keys;
}

Result<SyntaxPtr> ExpressionReader::read_node(const std::string& kind, const Tree& node) {
  if (kind == "ColumnRef") return read_column(node);
  if (kind == "A_Const") return read_constant(node);
  if (kind == "A_Expr") return read_operation(node);
  if (kind == "BoolExpr") return read_connective(node);
  if (kind == "FuncCall") return read_call(node);
  if (kind == "CaseExpr") return read_case(node);
  if (kind == "TypeCast") return read_cast(node);
  if (kind == "NullTest" || kind == "BooleanTest") return read_test(kind, node);
  if (kind == "SubLink") return read_subquery(node);
  if (kind == "CoalesceExpr") return read_bracketed(SyntaxKind::call, node, "coalesce");
  if (kind == "MinMaxExpr")
    return read_bracketed(SyntaxKind::call, node, text_of(node, "op") == "IS_GREATEST" ? "greatest" : "least");
  if (kind == "A_ArrayExpr") {
    SyntaxPtr array = make(SyntaxKind::array, node);
    GAUZE_TRY(array->arguments, read_all(member(node, "elements")));
    cover_brackets(*array, tokens_.at(array->span.offset));
    return array;
  }
  if (kind == "SQLValueFunction") {
    const bool is_date = text_of(node, "op") == "SVFOP_CURRENT_DATE";
    return make(is_date ? SyntaxKind::current_date : SyntaxKind::volatile_value, node);
  }
  if (kind == "GroupingSet" || kind == "GroupingFunc")
    return refused_at(ErrorCode::unsupported, token_span(node), "grouping sets are not answered",
                      "ask one question for each GROUP BY");
  return refused_at(ErrorCode::unsupported, token_span(node), "this kind of expression is not answered",
                    "'gauze help sql' lists what is");
}

Result<SyntaxPtr> ExpressionReader::read_column(const Tree& node) {
  SyntaxPtr column = make(SyntaxKind::column, node);
  const Tree& fields = member(node, "fields");
  for (const Tree& field : fields) {
    if (field.contains("A_Star"))
      column->kind = SyntaxKind::star;
    else
      column->names.push_back(text_of(member(field, "String"), "sval"));
  }
  extend(*column, tokens_.end_of(tokens_.at(column->span.offset) + 2 * (fields.size() - 1)));
  return column;
}

/// The parser's tree tells 0 for every integer that is not above it: the text tells which one it is.
void ExpressionReader::read_sign(Syntax& number) const {
  bool negative = false;
  std::size_t token = tokens_.at(number.span.offset);
  while (tokens_.text(token) == "-" || tokens_.text(token) == "(") negative ^= tokens_.text(token++) == "-";
  const std::string_view digits = tokens_.text(token);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return;
  number.text = (negative ? "-" : "") + std::string(digits);
  extend(number, tokens_.end_of(token));
}

Result<SyntaxPtr> ExpressionReader::read_constant(const Tree& node) {
  if (flag_of(node, "isnull")) return make(SyntaxKind::null, node);
  if (const Tree& value = member(node, "ival"); value.is_object()) {
    SyntaxPtr number = make(SyntaxKind::number, node);
    number->text = std::to_string(value.value("ival", std::int64_t{0}));
    if (!value.contains("ival")) read_sign(*number);
    return number;
  }
  if (const Tree& value = member(node, "fval"); value.is_object()) {
    SyntaxPtr number = make(SyntaxKind::number, node);
    number->text = text_of(value, "fval");
    return number;
  }
  if (const Tree& value = member(node, "boolval"); value.is_object()) {
    SyntaxPtr truth = make(SyntaxKind::boolean, node);
    truth->text = flag_of(value, "boolval") ? "true" : "false";
    return truth;
  }
  if (const Tree& value = member(node, "sval"); value.is_object()) {
    SyntaxPtr text = make(SyntaxKind::text, node);
    text->text = text_of(value, "sval");
    return text;
  }
  return refused_at(ErrorCode::unsupported, token_span(node), "constants of bits are not answered", "write a number");
}

Result<SyntaxPtr> ExpressionReader::read_operation(const Tree& node) {
  const std::string kind = text_of(node, "kind");
  if (kind == "AEXPR_IN" || kind.starts_with("AEXPR_BETWEEN") || kind.starts_with("AEXPR_NOT_BETWEEN"))
    return read_list_operation(node, kind);
  SyntaxPtr operation = make(SyntaxKind::operation, node);
  const auto names = strings_of(member(node, "name"));
  operation->text = names.empty() ? "" : names.back();
  for (const char* side : {"lexpr", "rexpr"})
    if (const Tree& argument = member(node, side); argument.is_object()) {
      GAUZE_TRY(SyntaxPtr read_argument, read(argument));
      operation->arguments.push_back(std::move(read_argument));
    }
  if (kind == "AEXPR_LIKE" || kind == "AEXPR_ILIKE") {
    operation->kind = SyntaxKind::like;
    operation->ignores_case = kind == "AEXPR_ILIKE";
    operation->negated = operation->text.starts_with('!');
  } else if (kind == "AEXPR_DISTINCT" || kind == "AEXPR_NOT_DISTINCT") {
    operation->kind = SyntaxKind::distinct_from;
    operation->negated = kind == "AEXPR_NOT_DISTINCT";
  } else if (kind == "AEXPR_NULLIF") {
    operation->kind = SyntaxKind::call;
    operation->text = "nullif";
    cover_brackets(*operation, tokens_.at(operation->span.offset));
    return operation;
  } else if (kind != "AEXPR_OP") {
    return refused_at(ErrorCode::unsupported, operation->span, "this comparison is not answered",
                      "'gauze help sql' lists what is");
  }
  cover(*operation);
  return operation;
}

Result<SyntaxPtr> ExpressionReader::read_list_operation(const Tree& node, const std::string& kind) {
  const bool is_in = kind == "AEXPR_IN";
  SyntaxPtr operation = make(is_in ? SyntaxKind::in_list : SyntaxKind::between, node);
  if (kind.ends_with("_SYM"))
    return refused_at(ErrorCode::unsupported, operation->span, "BETWEEN SYMMETRIC is not answered", "use BETWEEN");
  const auto names = strings_of(member(node, "name"));
  operation->negated = is_in ? !names.empty() && names.back() == "<>" : kind == "AEXPR_NOT_BETWEEN";
  GAUZE_TRY(SyntaxPtr what, read(member(node, "lexpr")));
  operation->arguments.push_back(std::move(what));
  GAUZE_TRY(std::vector<SyntaxPtr> items, read_all(member(member(member(node, "rexpr"), "List"), "items")));
  for (SyntaxPtr& item : items) operation->arguments.push_back(std::move(item));
  const std::size_t keyword = tokens_.at(operation->span.offset);
  cover(*operation);
  if (is_in) cover_brackets(*operation, keyword);
  return operation;
}

Result<SyntaxPtr> ExpressionReader::read_connective(const Tree& node) {
  const std::string kind = text_of(node, "boolop");
  SyntaxPtr syntax = make(kind == "AND_EXPR"  ? SyntaxKind::and_
                          : kind == "OR_EXPR" ? SyntaxKind::or_
                                              : SyntaxKind::not_,
                          node);
  GAUZE_TRY(syntax->arguments, read_all(member(node, "args")));
  cover(*syntax);
  return syntax;
}

Result<SyntaxPtr> ExpressionReader::read_call(const Tree& node) {
  SyntaxPtr call = make(SyntaxKind::call, node);
  const auto names = strings_of(member(node, "funcname"));
  call->text = names.empty() ? "" : names.back();
  const std::size_t begin = tokens_.at(call->span.offset);
  cover_brackets(*call, begin);
  GAUZE_TRY(call->arguments, read_all(member(node, "args")));
  call->has_star = flag_of(node, "agg_star");
  call->is_distinct = flag_of(node, "agg_distinct");
  if (const Tree& filter = member(node, "agg_filter"); filter.is_object()) {
    GAUZE_TRY(call->filter, read(filter));
  }
  GAUZE_TRY(std::vector<SortKey> order, read_sort_keys(member(node, "agg_order")));
  if (flag_of(node, "agg_within_group"))
    call->within_group = std::move(order);
  else if (!order.empty())
    call->ordered_arguments = order.front().expression->span;
  if (const Tree& window = member(node, "over"); window.is_object()) {
    call->has_window = true;
    call->has_empty_window = !window.contains("partitionClause") && !window.contains("orderClause") &&
                             !window.contains("name") && window.value("frameOptions", 1058) == 1058;
  }
  // FILTER (...), WITHIN GROUP (...), OVER (...) behind the arguments
  for (;;) {
    const std::size_t next = tokens_.at(call->span.offset + call->span.length);
    const bool goes_on = (call->filter && tokens_.is(next, "filter")) ||
                         (!call->within_group.empty() && tokens_.is(next, "within")) ||
                         (call->has_window && tokens_.is(next, "over"));
    if (!goes_on) break;
    if (tokens_.is(next, "over") && tokens_.text(next + 1) != "(") {
      extend(*call, tokens_.end_of(next + 1));
      break;
    }
    cover_brackets(*call, next);
  }
  return call;
}

Result<SyntaxPtr> ExpressionReader::read_case(const Tree& node) {
  SyntaxPtr syntax = make(SyntaxKind::case_, node);
  std::size_t depth = 0;
  for (std::size_t token = tokens_.at(syntax->span.offset); token < tokens_.size(); ++token) {
    if (tokens_.is(token, "case")) ++depth;
    if (!tokens_.is(token, "end") || --depth > 0) continue;
    extend(*syntax, tokens_.end_of(token));
    break;
  }
  if (const Tree& operand = member(node, "arg"); operand.is_object()) {
    GAUZE_TRY(syntax->operand, read(operand));
  }
  for (const Tree& branch : member(node, "args")) {
    const Tree& when = member(branch, "CaseWhen");
    for (const char* part : {"expr", "result"}) {
      GAUZE_TRY(SyntaxPtr one, read(member(when, part)));
      syntax->arguments.push_back(std::move(one));
    }
  }
  if (const Tree& otherwise = member(node, "defresult"); otherwise.is_object()) {
    GAUZE_TRY(syntax->otherwise, read(otherwise));
  }
  return syntax;
}

Result<SyntaxPtr> ExpressionReader::read_cast(const Tree& node) {
  const Tree& type = member(node, "typeName");
  SyntaxPtr cast = make(SyntaxKind::cast, type);
  cast->type = read_type(type);
  GAUZE_TRY(SyntaxPtr argument, read(member(node, "arg")));
  cast->arguments.push_back(std::move(argument));
  if (const std::size_t token = tokens_.at(cast->span.offset);
      tokens_.text(token + 1) == "(" && !cast->type.modifiers.empty())
    cover_brackets(*cast, token);
  cover(*cast);
  if (member(node, "location").is_number_integer() && node["location"].get<std::int64_t>() >= 0) {
    const TextSpan own = token_span(node);
    if (tokens_.is(tokens_.at(own.offset), "cast")) {
      cast->span = own;
      cover_brackets(*cast, tokens_.at(own.offset));
    }
  }
  return cast;
}

Result<SyntaxPtr> ExpressionReader::read_test(const std::string& kind, const Tree& node) {
  const bool is_null = kind == "NullTest";
  SyntaxPtr test = make(is_null ? SyntaxKind::is_null : SyntaxKind::is_truth, node);
  GAUZE_TRY(SyntaxPtr argument, read(member(node, "arg")));
  const std::string which = text_of(node, is_null ? "nulltesttype" : "booltesttype");
  test->negated = which.find("NOT") != std::string::npos;
  if (!is_null) test->text = which.ends_with("TRUE") ? "true" : which.ends_with("FALSE") ? "false" : "unknown";
  std::size_t last = tokens_.at(test->span.offset);  // IS [NOT] NULL, ISNULL, NOTNULL
  if (tokens_.is(last, "is")) last += test->negated ? 2 : 1;
  extend(*test, tokens_.end_of(last));
  test->arguments.push_back(std::move(argument));
  cover(*test);
  return test;
}

Result<SyntaxPtr> ExpressionReader::read_subquery(const Tree& node) {
  const std::string kind = text_of(node, "subLinkType");
  SyntaxPtr syntax = make(SyntaxKind::scalar_select, node);
  const std::size_t begin = tokens_.at(syntax->span.offset);
  if (kind == "EXISTS_SUBLINK") {
    syntax->kind = SyntaxKind::exists;
  } else if (kind == "ANY_SUBLINK" && (!node.contains("operName") || strings_of(node["operName"]).back() == "=")) {
    syntax->kind = SyntaxKind::in_select;
    GAUZE_TRY(SyntaxPtr what, read(member(node, "testexpr")));
    syntax->arguments.push_back(std::move(what));
  } else if (kind != "EXPR_SUBLINK") {
    return refused_at(ErrorCode::unsupported, syntax->span, "this kind of subquery is not answered",
                      "use IN (SELECT ...) or EXISTS (SELECT ...)");
  }
  cover(*syntax);
  cover_brackets(*syntax, begin);
  GAUZE_TRY(syntax->select, read_select_(member(node, "subselect")));
  return syntax;
}

Result<SyntaxPtr> ExpressionReader::read_bracketed(SyntaxKind kind, const Tree& node, std::string text) {
  SyntaxPtr syntax = make(kind, node);
  syntax->text = std::move(text);
  cover_brackets(*syntax, tokens_.at(syntax->span.offset));
  GAUZE_TRY(syntax->arguments, read_all(member(node, "args")));
  return syntax;
}

}  // namespace gauze::query
