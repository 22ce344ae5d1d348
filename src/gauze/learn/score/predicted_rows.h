#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gauze/learn/score/scored_rows.h"
#include "gauze/table/row_stream.h"
#include "gauze/table/source.h"

namespace gauze::learn {

/// What is written about each row of a table.
struct PredictionRequest {
  std::vector<std::string> keep = {};  ///< columns that stay
  bool probabilities = false;          ///< one column a class, "p=CLASS"
};

/// The rows of a table with a model's answers: kept columns, `prediction`, probabilities. As long as the table is, a batch at a time.
/// `unknown_column` where a feature or a kept column is missing; `invalid_parameter` for probabilities of a model without.
/// Source and progress must outlive the stream; models are for rows that their guarantee does not cover.
[[nodiscard]] Result<std::unique_ptr<table::RowStream>> predicted_rows(const ModelFile& model, table::Source& source,
                                                                       const PredictionRequest& request,
                                                                       Progress& progress);

}  // namespace gauze::learn
