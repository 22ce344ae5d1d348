#include "gauze/models/logistic_regression.h"

#include <algorithm>
#include <limits>

#include "gauze/models/internal/logistic_loss.h"
#include "gauze/models/internal/logistic_options.h"
#include "gauze/models/internal/newton.h"
#include "gauze/models/internal/training_rows.h"
#include "gauze/models/sparse_logistic.h"

namespace gauze::models {
namespace {

constexpr int kSparseStepsPerStep = 20;

/// The same problem without a dense matrix.
Result<internal::LogisticFit> fit_sparse(const internal::TrainingRows& rows,
                                         const LogisticRegression::Options& options) {
  SparseRows sparse;
  sparse.columns = rows.column_count();
  sparse.starts.resize(rows.size() + 1);
  for (std::size_t row = 0; row <= rows.size(); ++row) sparse.starts[row] = row * rows.features;
  sparse.indices = rows.columns;
  sparse.values.assign(rows.columns.size(), 1.0);
  const int most = std::numeric_limits<int>::max() / kSparseStepsPerStep;
  GAUZE_TRY(const SparseLogistic model,
            SparseLogistic::train(sparse, rows.positive, rows.negative,
                                  {.l2 = options.l2 / rows.unit,
                                   .max_iterations = std::min(options.max_iterations, most) * kSparseStepsPerStep,
                                   .tolerance = options.tolerance}));
  internal::LogisticFit fit{.intercept = model.intercept(),
                            .weights = {model.weights().begin(), model.weights().end()},
                            .iterations = model.iterations(),
                            .converged = model.converged()};
  internal::center(rows, fit.weights, fit.intercept);
  return fit;
}

}  // namespace

Result<LogisticRegression> LogisticRegression::train(const Examples& examples, const Options& options) {
  GAUZE_TRY_VOID(internal::check_logistic_options(options.l2, options.max_iterations, options.tolerance));
  GAUZE_TRY(const internal::TrainingRows rows, internal::training_rows(examples, options.l2));
  LogisticRegression model;
  model.cardinalities_ = examples.cardinalities;
  for (const std::uint32_t cardinality : examples.cardinalities) model.coefficients_.emplace_back(cardinality, 0.0);
  if (rows.one_class()) {
    model.intercept_ = internal::smoothed_log_odds(rows.total_positive, rows.total_negative);
    return model;
  }
  internal::LogisticFit fit;
  if (rows.column_count() <= options.max_dense_columns) {
    fit = internal::fit_newton(rows, options.l2 / rows.unit, options.max_iterations, options.tolerance);
  } else {
    GAUZE_TRY(fit, fit_sparse(rows, options));
  }
  for (std::size_t f = 0; f < rows.features; ++f) {
    for (std::uint32_t column = rows.first_column[f]; column < rows.first_column[f + 1]; ++column) {
      model.coefficients_[f][rows.code_of[column]] = fit.weights[column];
    }
  }
  model.intercept_ = fit.intercept;
  model.iterations_ = fit.iterations;
  model.converged_ = fit.converged;
  return model;
}

std::vector<double> LogisticRegression::probabilities(const Examples& examples) const {
  return predict(examples.codes, examples.size());
}

std::vector<double> LogisticRegression::probabilities(CodeColumns codes) const {
  return predict(codes, codes.empty() ? 0 : codes.front().size());
}

std::vector<double> LogisticRegression::predict(CodeColumns codes, std::size_t tuples) const {
  internal::check_codes(codes, cardinalities_, tuples);
  std::vector<double> result(tuples, intercept_);
  for (std::size_t f = 0; f < codes.size(); ++f) {
    const double* const coefficients = coefficients_[f].data();
    for (std::size_t i = 0; i < tuples; ++i) result[i] += coefficients[codes[f][i]];
  }
  for (double& each : result) each = internal::sigmoid(each);
  return result;
}

}  // namespace gauze::models
