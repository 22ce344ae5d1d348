#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/learn/model/model_kinds.h"
#include "gauze/learn/rows/learning_rows.h"
#include "gauze/table/row_sink.h"

namespace gauze::learn {

/// What a model answers, in the words of its target.
struct Answer {
  std::uint32_t label = 0;  ///< of the largest output; the first of equal ones
  double value = 0;         ///< of a numeric target, on the scale of its column
};

/// A model with everything that turns cells into answers.
class RowPredictor {
 public:
  [[nodiscard]] static Result<RowPredictor> make(const ModelFile& model);

  [[nodiscard]] const RowEncoder& encoder() const { return encoder_; }
  [[nodiscard]] std::size_t outputs() const { return predictor_->outputs(); }
  [[nodiscard]] bool has_probabilities() const { return loss_ == LossKind::softmax; }
  /// The answers of rows by their codes, row after row, and their scores: probabilities where there are some, else outputs.
  void answer(std::span<const std::uint32_t> codes, std::size_t rows, std::vector<Answer>& answers,
              std::vector<float>& scores);
  /// Their outputs: logits, margins, or a scaled number; always finite.
  void outputs_of(std::span<const std::uint32_t> codes, std::size_t rows, std::vector<float>& outputs);

 private:
  RowPredictor(const ModelFile& model, std::unique_ptr<Predictor> predictor);
  [[nodiscard]] static float ordered(float output);

  RowEncoder encoder_;
  std::unique_ptr<Predictor> predictor_;
  LossKind loss_;
  bool numeric_;
  double low_;
  double high_;
  std::vector<float> inputs_;
};

/// Rows with their truth and the model's answers: what figures are made of. Rows without a truth, and of no unit where units have an id,
/// are left out. Takes rows in the order of columns().
class ScoredRows final : public table::RowSink {
 public:
  /// `policy` decides target, unit and groups; `by` names one of its groups, or nothing. The model must outlive it.
  [[nodiscard]] static Result<ScoredRows> make(const ModelFile& model, const schema::LearnPolicy& policy,
                                               const std::string& by, bool keep_scores);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  void add(std::span<const std::string_view> cells) override;
  void add_unreadable() override {}  // its target cannot be read
  /// After the last row.
  void finish() { answer_pending(); }

  [[nodiscard]] std::size_t size() const { return truths.size(); }
  [[nodiscard]] std::size_t units() const { return units_; }
  [[nodiscard]] std::size_t classes() const { return class_names.size(); }

  std::vector<std::string> class_names = {};
  std::vector<std::string> group_names = {};  ///< the last is "other"; empty without --by
  bool numeric = false;
  bool ordered = false;
  bool has_probabilities = false;
  std::vector<std::uint32_t> truths = {};
  std::vector<std::uint32_t> predicted = {};
  std::vector<std::uint32_t> groups = {};
  std::vector<std::uint32_t> unit_of_row = {};
  std::vector<float> scores = {};  ///< classes() a row, if kept
  std::vector<double> true_values = {};
  std::vector<double> predicted_values = {};

 private:
  ScoredRows(RowPredictor predictor, const schema::LearnPolicy& policy, const ModelFile& model, std::string by,
             bool keep_scores);
  void answer_pending();

  RowPredictor predictor_;
  TargetEncoder target_encoder_;
  std::vector<std::string> columns_;
  std::size_t features_ = 0;
  std::size_t target_column_ = 0;
  std::optional<std::size_t> id_column_ = {};
  std::optional<std::size_t> group_column_ = {};
  double low_ = 0;
  double high_ = 1;
  bool keep_scores_;
  table::MissingTokens missing_;
  TextCodes group_codes_;
  TextCodes unit_codes_;
  std::size_t units_ = 0;
  std::vector<std::uint32_t> pending_;  // codes of rows that wait for their answer
  std::vector<Answer> answers_;
  std::vector<float> made_scores_;
};

}  // namespace gauze::learn
