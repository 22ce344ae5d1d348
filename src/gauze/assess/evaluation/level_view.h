#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gauze/assess/evaluation/evaluation_data.h"
#include "gauze/assess/measures/class_view.h"
#include "gauze/assess/measures/model_transfer.h"
#include "gauze/release/modes/histogram_release.h"
#include "gauze/schema/domain/domain.h"

namespace gauze::assess {

/// The columns an evaluation releases, with their domains: public where the policy declares them, else what occurs.
struct ReleasedColumns {
  std::vector<std::shared_ptr<const schema::DomainColumn>> quasi;
  std::vector<std::shared_ptr<const schema::DomainColumn>> of_records;  ///< what records have besides
  bool is_public = true;  ///< every domain is declared: cells that do not occur are cells too

  [[nodiscard]] static Result<ReleasedColumns> make(const EvaluationSetting& setting, const EvaluationData& data);
};

/// The levels of the policy, the lowest where it gives none.
[[nodiscard]] std::vector<int> fixed_levels(const EvaluationSetting& setting, const ReleasedColumns& columns);

/// How much of the domain each value of a dictionary loses at a level: 0 for a value as it is, 1 for one that stands for all
/// values or lies outside the domain.
[[nodiscard]] std::vector<double> value_losses(const schema::DomainColumn& column, const table::Dictionary& values,
                                               int level);

/// The table at one combination of levels: its classes, what is measured on them, and what models are trained and tested
/// with. Everything that does not depend on noise is computed once.
class LevelView {
 public:
  [[nodiscard]] static Result<LevelView> make(const EvaluationSetting& setting, const EvaluationData& data,
                                              const ReleasedColumns& columns, const std::vector<int>& levels);

  std::vector<int> levels;
  std::shared_ptr<const schema::Domain> domain;
  schema::CodedTuples coded;
  schema::Histogram histogram;  ///< of all rows
  ClassTable truth;
  std::optional<Marginals> marginals;
  std::optional<RangeQueries> queries;
  std::vector<double> column_losses;         ///< generalisation loss of each quasi-identifier, 0 to 1
  double loss = 0;                           ///< their weighted mean
  std::vector<double> published_losses;      ///< the same as the thesis defines it; empty but as published
  std::vector<std::size_t> sampled_classes;  ///< of the histogram: those whose relative error is kept

  /// With `kind: records`: what is released are combinations of classes with further columns.
  struct Records {
    schema::Histogram histogram;
    std::uint64_t cells = 0;             ///< of the domain
    std::uint64_t cells_a_class = 1;     ///< where all combinations are cells
    std::vector<std::uint64_t> classes;  ///< of each cell where only those that occur are cells; else empty

    /// The file of records as its reader counts it: by class, and nothing of what stayed out.
    [[nodiscard]] ClassTable by_class(const release::ReleasedHistogram& released) const;
  };
  std::optional<Records> records;
  /// What noise goes on: classes, or combinations of records.
  [[nodiscard]] const schema::Histogram& released() const { return records ? records->histogram : histogram; }
  [[nodiscard]] std::uint64_t released_cells() const { return records ? records->cells : domain->size(); }
  std::vector<std::uint64_t> cell_ends;  ///< cumulated sizes of the cells released, to draw persons by

  // With a target.
  std::uint64_t cells_a_class = 2;  ///< of the joint histogram: outcomes times combinations of sensitive values
  schema::Histogram joint;          ///< of the rows to train on
  std::optional<ModelTest> test;
  struct Outcomes {
    std::uint64_t positive = 0;
    std::uint64_t negative = 0;
  };
  schema::Histogram train_classes;                             ///< the classes of the rows to train on
  std::unordered_map<std::uint64_t, Outcomes> train_outcomes;  ///< by class

  // With protected columns: what belonging to a group means for each class.
  struct GroupShare {
    std::uint32_t group = 0;
    double rows = 0;
  };
  std::vector<std::vector<std::vector<GroupShare>>> group_shares;  ///< [grouping][class of the histogram]
  std::vector<std::vector<double>> group_rows;                     ///< [grouping][group]
  std::vector<std::vector<double>> group_outside;                  ///< rows that no class holds
  std::vector<std::vector<double>> group_losses;                   ///< mean generalisation loss

  /// What a model is trained on: released counts of the joint histogram, by class.
  [[nodiscard]] models::Examples examples(const ClassTable& joint_counts) const;

 private:
  void add_losses(const EvaluationSetting& setting, const EvaluationData& data);
  void add_groups(const EvaluationData& data);
  [[nodiscard]] Result<void> add_records(const EvaluationData& data, const ReleasedColumns& columns);
  void add_models(const EvaluationData& data, const ReleasedColumns& columns);
  std::vector<std::vector<double>> tuple_losses_;  // [quasi][value of the dictionary]
};

}  // namespace gauze::assess
