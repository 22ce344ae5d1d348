#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gauze/learn/engine/loss.h"
#include "gauze/learn/rows/row_encoder.h"
#include "gauze/table/row_sink.h"

namespace gauze::learn {

/// What cells say about the target and the weight of a row.
class TargetEncoder {
 public:
  TargetEncoder(const schema::LearnPolicy& policy, table::DecimalSign sign,
                const std::vector<std::string>& null_tokens);
  /// Weight 0 for a target that is none: the row contributes nothing. A number is clamped, and scaled to [-1, 1].
  [[nodiscard]] RowTarget target(std::string_view cell) const;
  /// A survey weight: missing and unreadable is the lower bound. 1 without weights.
  [[nodiscard]] float survey_weight(std::string_view cell) const;

 private:
  bool numeric_;
  double low_ = 0;
  double high_ = 1;
  TextCodes classes_;
  std::vector<float> class_weights_;
  bool weighted_ = false;
  double least_weight_ = 1;
  double most_weight_ = 1;
  table::DecimalSign sign_;
  table::MissingTokens missing_;
};

/// The rows of a table as codes, by unit: what training draws from. Four bytes a feature and row.
///
/// Takes rows in the order of LearnPolicy::columns(). Every row is taken by total rules. A row without an id, where units have
/// one, contributes nothing; units stand in the order of their first row.
class LearningRows final : public table::RowSink {
 public:
  LearningRows(const schema::LearnPolicy& policy, InputEncoding encoding, table::DecimalSign sign,
               const std::vector<std::string>& null_tokens);

  void add(std::span<const std::string_view> cells) override;
  void add_unreadable() override;
  /// After the last row.
  void finish();

  /// The rows of these units alone, in this order: for simulations.
  [[nodiscard]] LearningRows select(std::span<const std::uint32_t> units) const;
  /// All units in their places, those without a mark (one a unit) with no row: they contribute nothing. For simulations.
  [[nodiscard]] LearningRows only(std::span<const std::uint8_t> marks) const;

  [[nodiscard]] const RowEncoder& encoder() const { return encoder_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t units() const { return units_; }
  /// The rows of a unit that contribute.
  [[nodiscard]] std::span<const std::uint32_t> rows_of(std::size_t unit) const {
    return std::span(rows_by_unit_).subspan(unit_starts_[unit], unit_starts_[unit + 1] - unit_starts_[unit]);
  }
  [[nodiscard]] std::span<const std::uint32_t> codes(std::size_t row) const {
    return {chunks_[row / kChunk].get() + row % kChunk * stride_, stride_};
  }
  [[nodiscard]] const RowTarget& target(std::size_t row) const { return targets_[row]; }

 private:
  static constexpr std::size_t kChunk = 4096;
  void keep(std::span<const std::string_view> cells, std::uint32_t unit);
  /// The place of the next row's codes.
  [[nodiscard]] std::uint32_t* place_for_row();
  LearningRows(const LearningRows& like, std::size_t units);
  void copy_rows(const LearningRows& from, std::uint32_t from_unit, std::uint32_t unit);

  RowEncoder encoder_;
  TargetEncoder target_encoder_;
  std::size_t stride_;
  std::size_t target_column_ = 0;
  std::size_t weight_column_ = 0;
  std::size_t id_column_ = 0;
  bool has_weights_ = false;
  bool has_ids_ = false;
  table::MissingTokens missing_;
  TextCodes unit_codes_;
  std::vector<std::unique_ptr<std::uint32_t[]>> chunks_;
  std::vector<RowTarget> targets_;
  std::vector<std::uint32_t> unit_of_row_;
  std::size_t rows_ = 0;
  std::size_t units_ = 0;
  std::vector<std::uint64_t> unit_starts_;
  std::vector<std::uint32_t> rows_by_unit_;
};

}  // namespace gauze::learn
