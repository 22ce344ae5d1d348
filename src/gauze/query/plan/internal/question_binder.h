#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gauze/query/plan/expression_binder.h"
#include "gauze/query/plan/question.h"

namespace gauze::query {

/// The work of understand(), in several sources by what they bind.
class QuestionBinder {
 public:
  QuestionBinder(const schema::DatabaseSchema& schema, PublicData& data, std::int64_t today)
      : schema_(schema), data_(data), today_(today) {}

  [[nodiscard]] Result<Question> bind(std::unique_ptr<Select> statement);

 private:
  using Made = Result<std::shared_ptr<Relation>>;
  /// What stands in a FROM: one relation, and what its columns are called.
  struct Source {
    std::shared_ptr<Relation> relation;
    Scope scope;
  };
  struct Grouping {
    std::vector<ExpressionPtr> keys;
    std::vector<std::string> fingerprints;
    std::vector<Aggregate> aggregates;
    std::vector<std::string> aggregate_fingerprints;
    std::vector<RelationColumn> key_columns;  ///< of the grouped relation
    std::vector<RelationColumn> aggregate_columns;
    bool holds_unit = false;
  };

  // question_binder.cpp: statements
  [[nodiscard]] Made bind_select(const Select& select, const Scope* outer, bool is_top);
  [[nodiscard]] Made bind_union(const Select& select, const Scope* outer);
  [[nodiscard]] Made bind_values(const Select& select);
  [[nodiscard]] Made bind_plain(const Select& select, Source source, bool is_top);
  [[nodiscard]] Made project(const Select& select, std::shared_ptr<Relation> input, ExpressionBinder& binder,
                             bool is_top);
  [[nodiscard]] Result<void> refuse_order(const Select& select) const;
  [[nodiscard]] Result<std::int64_t> row_number(const SyntaxPtr& syntax, std::string_view clause) const;
  [[nodiscard]] Made sort(const Select& select, std::shared_ptr<Relation> projected,
                          std::vector<ExpressionPtr> order);
  [[nodiscard]] std::shared_ptr<Relation> filter(std::shared_ptr<Relation> input, ExpressionPtr condition,
                                                 Scope* scope);

  // from_binder.cpp: tables, subqueries, joins
  [[nodiscard]] Result<Source> bind_from(const std::vector<FromItem>& items);
  [[nodiscard]] Result<Source> bind_item(const FromItem& item);
  [[nodiscard]] Result<Source> bind_table(const FromItem& item);
  [[nodiscard]] Result<Source> bind_join(const FromItem& item);
  [[nodiscard]] Result<Source> join(Source left, Source right, const FromItem& item);
  [[nodiscard]] Result<ExpressionPtr> using_condition(const FromItem& item, Source& left, Source& right,
                                                      Scope& scope);
  [[nodiscard]] Result<void> check_private_join(const Relation& left, const Relation& right,
                                                const ExpressionPtr& condition, const FromItem& item) const;
  [[nodiscard]] Result<void> check_row_join(const RelationPtr& public_side, const ExpressionPtr& condition,
                                            const FromItem& item);
  [[nodiscard]] Result<void> check_key(const RelationPtr& relation, const std::vector<ColumnId>& key, TextSpan span);
  [[nodiscard]] std::shared_ptr<Relation> scan(const schema::TableSchema& table);
  [[nodiscard]] Source named(std::shared_ptr<Relation> relation, const FromItem& item,
                             const std::string& fallback) const;

  // subquery_binder.cpp
  [[nodiscard]] Result<ExpressionPtr> bind_subquery(const Syntax& syntax, ExpressionBinder& binder,
                                                    const Relation& around);
  [[nodiscard]] Result<ExpressionPtr> bind_single_value(const Syntax& syntax, const Scope& around);

  // group_binder.cpp: GROUP BY and aggregates
  [[nodiscard]] Made bind_grouped(const Select& select, Source source, bool is_top);
  [[nodiscard]] Result<Grouping> bind_keys(const Select& select, const Source& source, ExpressionBinder& inner);
  [[nodiscard]] Result<void> refuse_key(const Expression& key, const Relation& input, bool is_top) const;
  [[nodiscard]] Result<Aggregate> bind_aggregate(const Syntax& call, ExpressionBinder& inner, const Relation& input);
  [[nodiscard]] Result<void> read_quantile(const Syntax& call, Aggregate& aggregate, ExpressionBinder& inner) const;
  [[nodiscard]] Result<std::size_t> aggregate_index(const Syntax& call, ExpressionBinder& inner,
                                                    const Relation& input, Grouping& grouping);
  [[nodiscard]] std::shared_ptr<Relation> grouped_relation(const Select& select, std::shared_ptr<Relation> input,
                                                           Grouping& grouping);
  [[nodiscard]] Shape aggregate_shape(const Aggregate& aggregate, bool by_unit) const;
  [[nodiscard]] Result<void> check_aggregate(const Aggregate& aggregate, const Relation& input, bool by_unit) const;

  [[nodiscard]] bool unit_is_row() const { return schema_.unit.is_row; }
  [[nodiscard]] ColumnId next_column() { return next_column_++; }
  [[nodiscard]] ExpressionBinder binder_for(const Scope& scope, const Relation& relation);

  const schema::DatabaseSchema& schema_;
  PublicData& data_;
  std::int64_t today_;
  ColumnId next_column_ = 0;
  int selects_ = 0;  ///< bound so far
  std::vector<std::map<std::string, const CommonTable*>> common_tables_;
  std::optional<Answer> answer_;
};

/// Whether a call is an aggregate, and whether an expression holds one outside of its subqueries.
[[nodiscard]] bool is_aggregate(const Syntax& syntax);
[[nodiscard]] bool holds_aggregate(const Syntax& syntax);

/// The expression with columns replaced by formulas; nothing where one has none.
[[nodiscard]] ExpressionPtr in_formulas(const ExpressionPtr& expression, const Relation& input);
/// Whether an expression is made of noisy columns.
[[nodiscard]] bool is_noisy(const ExpressionPtr& expression, const Relation& input);

}  // namespace gauze::query
