#include "gauze/learn/score/predicted_rows.h"

#include <fmt/format.h>

namespace gauze::learn {
namespace {

using table::ValueBatch;
using table::ValueType;

std::vector<table::RowStream::Column> columns_of(const PredictionRequest& request,
                                                 const schema::LearnTarget& target) {
  std::vector<table::RowStream::Column> columns;
  for (const std::string& name : request.keep) columns.push_back({name, ValueType::text});
  columns.push_back({"prediction", target.numeric ? ValueType::real : ValueType::text});
  if (request.probabilities)
    for (const schema::LearnTarget::Class& one : target.classes)
      columns.push_back({"p=" + one.name, ValueType::real});
  return columns;
}

class PredictedRows final : public table::RowStream {
 public:
  PredictedRows(const ModelFile& model, const PredictionRequest& request, RowPredictor predictor,
                std::unique_ptr<RowStream> rows, Progress& progress)
      : RowStream(columns_of(request, model.description.policy.target)),
        target_(model.description.policy.target),
        request_(request),
        predictor_(std::move(predictor)),
        rows_(std::move(rows)),
        progress_(&progress) {}

  [[nodiscard]] Result<std::optional<ValueBatch>> next() override {
    GAUZE_TRY(auto read, rows_->next());
    if (!read) return std::optional<ValueBatch>{};
    const std::size_t features = predictor_.encoder().features().size();
    codes_.resize(read->rows * features);
    for (std::size_t i = 0; i < features; ++i) {
      const table::ValueColumn& column = read->columns[i];
      for (std::size_t row = 0; row < read->rows; ++row)
        codes_[row * features + i] =
            predictor_.encoder().code(i, column.is_null(row) ? std::string_view() : column.texts[row]);
    }
    predictor_.answer(codes_, read->rows, answers_, scores_);
    ValueBatch made;
    made.rows = read->rows;
    for (std::size_t i = 0; i < request_.keep.size(); ++i)
      made.columns.push_back(std::move(read->columns[features + i]));
    made.columns.push_back(predictions());
    if (request_.probabilities) add_probabilities(made);
    // texts of kept cells look at what was read, those of predictions at the names of classes
    made.memory = read->memory;
    progress_->advance(made.rows);
    return std::optional<ValueBatch>(std::move(made));
  }

 private:
  [[nodiscard]] table::ValueColumn predictions() const {
    table::ValueColumn column;
    for (const Answer& answer : answers_) {
      if (target_.numeric)
        column.reals.push_back(answer.value);
      else
        column.texts.emplace_back(target_.classes[answer.label].name);
    }
    return column;
  }

  void add_probabilities(ValueBatch& made) const {
    const std::size_t classes = target_.classes.size();
    for (std::size_t c = 0; c < classes; ++c) {
      table::ValueColumn column;
      for (std::size_t row = 0; row < made.rows; ++row)
        // seven digits are what single precision has
        column.reals.push_back(std::stod(fmt::format("{:.7g}", static_cast<double>(scores_[row * classes + c]))));
      made.columns.push_back(std::move(column));
    }
  }

  schema::LearnTarget target_;
  PredictionRequest request_;
  RowPredictor predictor_;
  std::unique_ptr<RowStream> rows_;
  Progress* progress_;
  std::vector<std::uint32_t> codes_;
  std::vector<Answer> answers_;
  std::vector<float> scores_;
};

}  // namespace

Result<std::unique_ptr<table::RowStream>> predicted_rows(const ModelFile& model, table::Source& source,
                                                         const PredictionRequest& request, Progress& progress) {
  GAUZE_TRY(RowPredictor predictor, RowPredictor::make(model));
  if (request.probabilities && (model.description.policy.target.numeric || !predictor.has_probabilities()))
    return invalid_parameter("this model has no probabilities: its loss is {}",
                             word_of(kLossWords, model.description.loss));
  std::vector<std::size_t> places;
  const auto add = [&](const std::string& name) -> Result<void> {
    GAUZE_TRY(const std::size_t place, source.column(name));
    places.push_back(place);
    return {};
  };
  for (const schema::LearnFeature& feature : predictor.encoder().features()) GAUZE_TRY_VOID(add(feature.name));
  for (const std::string& name : request.keep) GAUZE_TRY_VOID(add(name));
  progress.begin("predicting", 0);
  GAUZE_TRY(auto rows, source.scan(places, table::Cells::text, progress));
  return std::unique_ptr<table::RowStream>(
      std::make_unique<PredictedRows>(model, request, std::move(predictor), std::move(rows), progress));
}

}  // namespace gauze::learn
