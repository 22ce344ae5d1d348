#pragma once

#include <cstddef>

#include "gauze/base/error.h"

namespace gauze::text::internal {

/// out = factor A B^T + keep out, all row by row: A has `rows` rows and B `columns` rows of n numbers. One thread; may be
/// called concurrently, whatever OpenBLAS is found at run time: a library built without locks (Debian's serial one)
/// mixes up the work space of concurrent calls and gives wrong products, so its calls wait for each other here.
void multiply_transposed(const double* a, std::size_t rows, const double* b, std::size_t columns, std::size_t n,
                         double factor, double keep, double* out);
void multiply_transposed(const float* a, std::size_t rows, const float* b, std::size_t columns, std::size_t n,
                         float factor, float keep, float* out);

/// `io` when there is no room for the library's work space, 128 MB of addresses a thread: it would try for ever.
[[nodiscard]] Result<void> check_work_space();

}  // namespace gauze::text::internal
