#pragma once

#include <cstddef>

namespace gauze {

/// Loads OpenBLAS at the first call, on one thread of its own, and looks whether its work space (128 MB of addresses for
/// every thread that multiplies) has room: where it has not, or where the library is missing, products are made by plain
/// loops, which give the same and take longer. To be called before products that may be large; without it they are plain.
void prepare_matrix_products();

/// out = factor A B^T + keep out, all row by row: A has `rows` rows and B `columns` rows of n numbers. One thread; may be
/// called concurrently, whatever OpenBLAS is found at run time: a library built without locks (Debian's serial one)
/// mixes up the work space of concurrent calls and gives wrong products, so its calls wait for each other here.
/// Sums may be taken in any order: callers hold for all of them.
void multiply_transposed(const double* a, std::size_t rows, const double* b, std::size_t columns, std::size_t n,
                         double factor, double keep, double* out);
void multiply_transposed(const float* a, std::size_t rows, const float* b, std::size_t columns, std::size_t n,
                         float factor, float keep, float* out);

/// out += A^T B, row by row: A has `rows` rows of m numbers, B as many of n, and out m rows of n numbers, `stride` apart. At most
/// `rows` 2^-53 times the sum of the absolute values away from the exact sum, whatever the order. The same numbers in arrays that
/// are equally aligned give the same bits.
void add_transposed_product(const double* a, std::size_t m, const double* b, std::size_t n, std::size_t rows,
                            double* out, std::size_t stride);

/// The same without the library.
void multiply_plainly(const double* a, std::size_t rows, const double* b, std::size_t columns, std::size_t n,
                      double factor, double keep, double* out);
void multiply_plainly(const float* a, std::size_t rows, const float* b, std::size_t columns, std::size_t n,
                      float factor, float keep, float* out);
void add_transposed_product_plainly(const double* a, std::size_t m, const double* b, std::size_t n, std::size_t rows,
                                    double* out, std::size_t stride);

}  // namespace gauze
