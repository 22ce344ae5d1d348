#pragma once
// Rows of floats as doubles: what norms and sums of gradients are made of.

#include <cstddef>

#include "gauze/learn/engine/internal/buffer.h"

namespace gauze::learn::internal {

/// Vectors of `size` numbers, `stride` apart.
template <class Real>
struct Run {
  const Real* first = nullptr;
  std::size_t count = 0;
  std::size_t stride = 0;
  std::size_t size = 0;
};

/// Sum over j of (scales[j] row[j])^2, in an order of its own, whatever stands beside the row; no scales: 1.
[[nodiscard]] double squared_norm(const float* row, std::size_t size, const double* scales);
[[nodiscard]] double squared_norm(const double* row, std::size_t size, const double* scales);
/// norms[i] += that of vector i.
void add_squared_norms_of(const Run<float>& run, const double* scales, double* norms);
void add_squared_norms_of(const Run<double>& run, const double* scales, double* norms);

/// Vector i as doubles, times the scales, at to + i * to_stride.
void widen(const Run<float>& run, const double* scales, double* to, std::size_t to_stride);
void widen(const Run<double>& run, const double* scales, double* to, std::size_t to_stride);

/// The vectors as rows of a packed matrix, from its row `to` on; the panels lie panel_stride numbers apart.
void widen_into_panels(const Run<float>& run, const double* scales, double* to, std::size_t panel_stride);
void widen_into_panels(const Run<double>& run, const double* scales, double* to, std::size_t panel_stride);

/// `factor` times the vectors in blocks of kRowBlock numbers that lie block_stride apart, in each vector by vector from `to` on; and
/// sum += all of them, where there is a sum. `tile` has room for one vector.
void widen_into_blocks(const Run<float>& run, double factor, double* to, std::size_t block_stride, double* tile,
                       double* sum);
void widen_into_blocks(const Run<double>& run, double factor, double* to, std::size_t block_stride, double* tile,
                       double* sum);

/// Products of every vector with every other, times those of other vectors: the sum over t, s of (a_t a_s)(b_t b_s). The vectors are
/// doubles, one after the other, filled up with zeros to whole panels of kPanelWidth.
[[nodiscard]] double sum_of_gram_products(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
                                          std::size_t count);

/// sum += factor row, in double.
void add_row(const float* row, std::size_t size, double factor, double* sum);
void add_row(const double* row, std::size_t size, double factor, double* sum);

/// The same for all vectors.
void add_rows(const Run<float>& run, double factor, double* sum);
void add_rows(const Run<double>& run, double factor, double* sum);

/// The same of the products x[j] y[j]: their squared norm, and their sum.
[[nodiscard]] double squared_norm_of_products(const float* x, const float* y, std::size_t size);
[[nodiscard]] double squared_norm_of_products(const double* x, const double* y, std::size_t size);
void add_products(const float* x, const float* y, std::size_t size, double factor, double* sum);
void add_products(const double* x, const double* y, std::size_t size, double factor, double* sum);

/// Sum of x[i] y[i].
[[nodiscard]] double sum_of_products(const double* x, const double* y, std::size_t size);

}  // namespace gauze::learn::internal
