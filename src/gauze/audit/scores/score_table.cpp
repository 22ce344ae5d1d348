#include "gauze/audit/scores/score_table.h"

#include <cmath>

#include "gauze/base/utf8.h"
#include "gauze/learn/rows/read_rows.h"
#include "gauze/learn/rows/row_encoder.h"

namespace gauze::audit {
namespace {

/// Cells as scores and memberships. The first that is neither ends it: all later rows are passed over.
class ScoreCells {
 public:
  explicit ScoreCells(table::DecimalSign sign) : sign_(sign) {}

  /// The next row begins.
  bool next() {
    ++place_;
    return !failed_;
  }
  double score(std::string_view cell) {
    const double value = learn::number_of_cell(trimmed(cell), sign_);
    if (std::isnan(value)) fail("the score is no number");
    return value;
  }
  bool member(std::string_view cell) {
    const double value = learn::number_of_cell(trimmed(cell), sign_);
    if (value != 1 && value != 0) fail("the membership must be 1 or 0");
    return value == 1;
  }
  void fail(std::string_view reason) {
    if (failed_) return;
    failed_ = make_error(ErrorCode::bad_data, "row {}: {}", place_, reason).value();
  }
  [[nodiscard]] Result<void> check() const {
    if (failed_) return tl::unexpected(*failed_);
    return {};
  }

 private:
  table::DecimalSign sign_;
  std::uint64_t place_ = 0;
  std::optional<Error> failed_ = {};
};

class ScoreSink final : public table::RowSink {
 public:
  explicit ScoreSink(table::DecimalSign sign) : cells_(sign) {}
  void add(std::span<const std::string_view> cells) override {
    if (!cells_.next()) return;
    const bool member = cells_.member(cells[1]);
    (member ? scores.members : scores.others).push_back(cells_.score(cells[0]));
  }
  void add_unreadable() override {
    if (cells_.next()) cells_.fail("its cells cannot be read");
  }
  [[nodiscard]] Result<void> check() const { return cells_.check(); }

  MembershipScores scores;

 private:
  ScoreCells cells_;
};

/// Texts numbered in the order in which they come.
class Names {
 public:
  std::uint32_t number(std::string_view text) {
    const auto next = static_cast<std::uint32_t>(names.size());
    const std::uint32_t found = codes_.find(text, next);
    if (found == next) {
      codes_.add(std::string(text), next);
      names.emplace_back(text);
    }
    return found;
  }
  std::vector<std::string> names;

 private:
  learn::TextCodes codes_;
};

class ShadowSink final : public table::RowSink {
 public:
  explicit ShadowSink(table::DecimalSign sign) : cells_(sign) {}
  void add(std::span<const std::string_view> cells) override {
    if (!cells_.next()) return;
    rows_.push_back({.record = records_.number(trimmed(cells[0])),
                     .model = models_.number(trimmed(cells[1])),
                     .member = cells_.member(cells[2]),
                     .score = cells_.score(cells[3])});
  }
  void add_unreadable() override {
    if (cells_.next()) cells_.fail("its cells cannot be read");
  }

  Result<NamedShadowScores> finish() {
    GAUZE_TRY_VOID(cells_.check());
    NamedShadowScores named{.records = std::move(records_.names), .models = std::move(models_.names)};
    ShadowScores& scores = named.scores;
    scores.records = named.records.size();
    scores.models = named.models.size();
    scores.values.assign(scores.records * scores.models, 0);
    scores.member.assign(scores.records * scores.models, -1);
    for (const Row& row : rows_) {
      const std::size_t place = row.model * scores.records + row.record;
      if (scores.member[place] >= 0)
        return make_error(ErrorCode::bad_data, "a record and a model stand there more than once together");
      scores.member[place] = row.member ? 1 : 0;
      scores.values[place] = row.score;
    }
    return named;
  }

 private:
  struct Row {
    std::uint32_t record;
    std::uint32_t model;
    bool member;
    double score;
  };
  ScoreCells cells_;
  Names records_;
  Names models_;
  std::vector<Row> rows_;
};

Result<table::DecimalSign> sign_of(const table::Source& source, const std::string& column) {
  GAUZE_TRY(const std::size_t place, source.column(column));
  return source.decimal(place);
}

}  // namespace

Result<MembershipScores> read_scores(table::Source& source, const std::string& score_column,
                                     const std::string& member_column, Progress& progress) {
  GAUZE_TRY(const table::DecimalSign sign, sign_of(source, score_column));
  ScoreSink sink(sign);
  GAUZE_TRY_VOID(learn::read_rows(source, {score_column, member_column}, sink, progress));
  GAUZE_TRY_VOID(sink.check());
  return std::move(sink.scores);
}

Result<NamedShadowScores> read_shadow_scores(table::Source& source, Progress& progress) {
  GAUZE_TRY(const table::DecimalSign sign, sign_of(source, "score"));
  ShadowSink sink(sign);
  GAUZE_TRY_VOID(learn::read_rows(source, {"record", "model", "member", "score"}, sink, progress));
  return sink.finish();
}

Result<void> check_confidences(const ShadowScores& scores) {
  for (std::size_t i = 0; i < scores.values.size(); ++i)
    if (scores.member[i] >= 0 && !(scores.values[i] >= 0 && scores.values[i] <= 1))
      return make_error(ErrorCode::bad_data,
                        "a score is no confidence in the true class, from 0 to 1: rmia takes no logits");
  return {};
}

}  // namespace gauze::audit
