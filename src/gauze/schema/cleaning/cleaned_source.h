#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gauze/schema/cleaning/cell_cleaning.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/source.h"

namespace gauze::schema {

/// The cleaning of a column, or null where the policy has none.
[[nodiscard]] std::shared_ptr<const CellCleaning> cleaning_of(const PolicyColumn& column, table::DecimalSign decimal,
                                                              bool keeps_texts = false);

/// A table as the policy cleans it: what every command that takes a policy sees, in groups, scans and summaries alike. A column
/// that is cleaned is one of text.
///
/// The raw table must outlive it. Cleaning what is clean changes nothing, so that two of them may stand on each other.
class CleanedSource : public table::Source {
 public:
  struct Options {
    /// How numbers are written; none: as the raw table says. A release reads them as its policy says.
    std::optional<table::DecimalSign> decimal = {};
    /// The table may be a finished one, with intervals and stars: what is no number or date stays.
    bool finished = false;
  };
  /// `unknown_column` for a column of the policy that is to be cleaned and that the table does not have.
  [[nodiscard]] static Result<std::unique_ptr<CleanedSource>> make(table::Source& raw, const Policy& policy,
                                                                   const Options& options);
  [[nodiscard]] static Result<std::unique_ptr<CleanedSource>> make(table::Source& raw, const Policy& policy) {
    return make(raw, policy, Options{});
  }

  [[nodiscard]] table::DecimalSign decimal(std::size_t column) const override;
  [[nodiscard]] Result<std::uint64_t> row_count() override { return raw_.row_count(); }
  using Source::group;
  [[nodiscard]] Result<table::TupleCounts> group(const table::Grouping& grouping, Progress& progress) override;
  [[nodiscard]] Result<std::unique_ptr<table::RowStream>> scan(std::span<const std::size_t> columns,
                                                               table::Cells cells, Progress& progress) override;
  [[nodiscard]] Result<std::vector<table::ColumnSummary>> summarise(std::span<const std::size_t> columns,
                                                                    std::size_t max_values,
                                                                    Progress& progress) override;

  /// Rows in which cleaning changes the cell of a column; 0 where it has none.
  [[nodiscard]] Result<std::uint64_t> changed_rows(std::size_t column, Progress& progress);

 private:
  using Cleanings = std::vector<std::shared_ptr<const CellCleaning>>;
  CleanedSource(table::Source& raw, std::vector<Column> columns, Cleanings cleanings,
                std::optional<table::DecimalSign> decimal);
  /// The raw texts that become what a filter asks for.
  [[nodiscard]] Result<std::vector<std::string>> spellings_of(const table::Grouping::Filter& filter,
                                                              Progress& progress);
  [[nodiscard]] bool is_cleaned(std::size_t column) const { return cleanings_->at(column) != nullptr; }

  table::Source& raw_;
  std::shared_ptr<const Cleanings> cleanings_;  // by column; batches look at their texts
  std::optional<table::DecimalSign> decimal_;
};

}  // namespace gauze::schema
