#pragma once
// Rows of floats as doubles: what norms and sums of gradients are made of.

#include <cstddef>

#include "gauze/learn/engine/internal/buffer.h"

namespace gauze::learn::internal {

/// Sum over j of (scales[j] row[j])^2, in an order of its own, whatever stands beside the row; no scales: 1.
[[nodiscard]] double squared_norm(const float* row, std::size_t size, const double* scales);
[[nodiscard]] double squared_norm(const double* row, std::size_t size, const double* scales);

/// to = factor row as doubles, and sum += that, where there is a sum.
void widen_row(const float* row, std::size_t size, double factor, double* to, double* sum);
void widen_row(const double* row, std::size_t size, double factor, double* to, double* sum);

/// The row into one row of the panels of a packed matrix, whose next panels lie panel_stride numbers apart; times the scales.
void widen_into_panels(const float* row, std::size_t size, const double* scales, double* to,
                       std::size_t panel_stride);
void widen_into_panels(const double* row, std::size_t size, const double* scales, double* to,
                       std::size_t panel_stride);

/// sum += factor row, in double.
void add_row(const float* row, std::size_t size, double factor, double* sum);
void add_row(const double* row, std::size_t size, double factor, double* sum);

/// The same of the products x[j] y[j]: their squared norm, and their sum.
[[nodiscard]] double squared_norm_of_products(const float* x, const float* y, std::size_t size);
[[nodiscard]] double squared_norm_of_products(const double* x, const double* y, std::size_t size);
void add_products(const float* x, const float* y, std::size_t size, double factor, double* sum);
void add_products(const double* x, const double* y, std::size_t size, double factor, double* sum);

/// Sum of x[i] y[i].
[[nodiscard]] double sum_of_products(const double* x, const double* y, std::size_t size);

}  // namespace gauze::learn::internal
