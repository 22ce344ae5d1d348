#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/query/plan/relation.h"
#include "gauze/query/sql/syntax.h"
#include "gauze/schema/database/database_schema.h"

namespace gauze::query {

/// A value in its canonical spelling (numbers in digits, dates as 2024-05-17, true and false), nothing for NULL.
using CellValue = std::optional<std::string>;

/// SHA-256 of the bytes of public tables, by their names.
using TableDigests = std::map<std::string, std::string>;

/// What may be looked at before anybody is charged: public tables, and computations on constants.
class PublicData {
 public:
  virtual ~PublicData() = default;
  /// All rows of a relation that holds nothing private, at most `most`: more are `invalid_parameter`.
  [[nodiscard]] virtual Result<std::vector<std::vector<CellValue>>> rows(const Relation& relation,
                                                                         std::size_t most) = 0;
  /// What was read for that.
  [[nodiscard]] virtual TableDigests digests() const { return {}; }
};

/// The one private aggregation of a question.
struct Answer {
  RelationPtr input = {};  ///< unit-local
  std::vector<ExpressionPtr> keys = {};
  std::vector<Aggregate> aggregates = {};
  std::shared_ptr<Relation> table = {};  ///< what it becomes: keys, then a column for each aggregate
  TextSpan span = {};
};

/// A question that was understood.
struct Question {
  std::unique_ptr<Select> syntax = {};
  Answer answer = {};
  RelationPtr result = {};  ///< what is made of the answer; public from there on
  int columns_used = 0;     ///< numbers of columns below this are taken
};

/// Finds out what a statement means under a schema, and refuses what is not unit-local (docs/proofs/query.md). Reads nothing
/// but public tables. `today` is the day since 1970 that CURRENT_DATE stands for. The schema outlives the question.
[[nodiscard]] Result<Question> understand(std::unique_ptr<Select> statement, const schema::DatabaseSchema& schema,
                                          PublicData& data, std::int64_t today);

}  // namespace gauze::query
