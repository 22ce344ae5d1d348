#pragma once

#include <span>
#include <string>
#include <vector>

#include "gauze/learn/rows/learning_rows.h"
#include "gauze/table/row_sink.h"

namespace gauze::audit {

/// A table as it is attacked: its rows for training, and of each unit where it stands and to which protected groups it belongs.
/// Takes rows in the order of columns().
class AttackedTable final : public table::RowSink {
 public:
  AttackedTable(const schema::LearnPolicy& policy, learn::InputEncoding encoding, table::DecimalSign sign,
                const std::vector<std::string>& null_tokens);

  /// What training reads, then the protected columns.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  void add(std::span<const std::string_view> cells) override;
  void add_unreadable() override;
  /// After the last row.
  void finish() { rows_.finish(); }

  [[nodiscard]] const learn::LearningRows& rows() const { return rows_; }
  /// The place of a unit's first row in the table, from 1.
  [[nodiscard]] std::uint64_t place(std::size_t unit) const { return places_[unit]; }

  struct Group {
    std::vector<std::string> values =
        {};  ///< as attacks name them: of several columns "column=value"; the last is "other"
    std::vector<std::uint32_t> of_unit = {};  ///< which of them
  };
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }

 private:
  void note_unit(std::span<const std::string_view> protected_cells);

  learn::LearningRows rows_;
  std::vector<std::string> columns_;
  std::size_t learnt_columns_;
  std::vector<learn::TextCodes> codes_;
  std::vector<Group> groups_;
  std::vector<std::uint64_t> places_;
  std::uint64_t place_ = 0;
};

}  // namespace gauze::audit
