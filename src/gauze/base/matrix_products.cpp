#include "gauze/base/matrix_products.h"

#include <cblas.h>
#include <dlfcn.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <type_traits>

#include "gauze/base/parallel.h"

namespace gauze {
namespace {

/// The functions of OpenBLAS that are called, found at run time: a library that is linked would start its threads in
/// commands that multiply nothing, and where addresses are short it waits for them without end.
struct Library {
  Library() {
    // Loops are parallel by themselves: threads of the library below them would only get in the way. Its own function
    // for that comes too late, after they were started. What is added first in a process disturbs no reader of the
    // environment: the list that they may be walking through is left as it is.
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void* const file = ::dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (file == nullptr) return;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(file, name));
      return function != nullptr;
    };
    decltype(&openblas_get_parallel) kind = nullptr;
    complete = find(dgemm, "cblas_dgemm") && find(sgemm, "cblas_sgemm") && find(kind, "openblas_get_parallel");
    has_locks = complete && kind() != OPENBLAS_SEQUENTIAL;
  }
  [[nodiscard]] std::unique_lock<std::mutex> enter() {
    return has_locks ? std::unique_lock<std::mutex>() : std::unique_lock(mutex);
  }

  decltype(&cblas_dgemm) dgemm = nullptr;
  decltype(&cblas_sgemm) sgemm = nullptr;
  bool complete = false;
  bool has_locks = false;
  std::mutex mutex;
};

Library& library() {
  static Library library;
  return library;
}

std::atomic<bool> library_is_used{false};

/// Whether every thread may have a work space, and a little more. The library does not say when it gets none: it tries for
/// ever.
bool has_room() {
  const std::size_t bytes = static_cast<std::size_t>(thread_count()) * (std::size_t{136} << 20);
  void* const place = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return false;
  ::munmap(place, bytes);
  return true;
}

template <class Number>
void plain_product(const Number* a, std::size_t rows, const Number* b, std::size_t columns, std::size_t n,
                   Number factor, Number keep, Number* out) {
  constexpr std::size_t kLanes = 8;  // sums side by side, which the compiler keeps in registers
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const Number* const x = a + i * n;
      const Number* const y = b + j * n;
      std::array<Number, kLanes> sums{};
      std::size_t d = 0;
      for (; d + kLanes <= n; d += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += x[d + lane] * y[d + lane];
      for (; d < n; ++d) sums[0] += x[d] * y[d];
      Number sum = 0;
      for (const Number part : sums) sum += part;
      Number& place = out[i * columns + j];
      place = keep == 0 ? factor * sum : factor * sum + keep * place;
    }
  }
}

/// By the library where it is used.
template <class Number, class Function>
void product(Function Library::*function, const Number* a, std::size_t rows, const Number* b, std::size_t columns,
             std::size_t n, Number factor, Number keep, Number* out) {
  if (!library_is_used) return plain_product(a, rows, b, columns, n, factor, keep, out);
  const auto lock = library().enter();
  (library().*function)(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows), static_cast<int>(columns),
                        static_cast<int>(n), factor, a, static_cast<int>(n), b, static_cast<int>(n), keep, out,
                        static_cast<int>(columns));
}

}  // namespace

void prepare_matrix_products() { library_is_used = library().complete && has_room(); }

void multiply_transposed(const double* a, std::size_t rows, const double* b, std::size_t columns, std::size_t n,
                         double factor, double keep, double* out) {
  product(&Library::dgemm, a, rows, b, columns, n, factor, keep, out);
}

void multiply_transposed(const float* a, std::size_t rows, const float* b, std::size_t columns, std::size_t n,
                         float factor, float keep, float* out) {
  product(&Library::sgemm, a, rows, b, columns, n, factor, keep, out);
}

void add_transposed_product(const double* a, std::size_t m, const double* b, std::size_t n, std::size_t rows,
                            double* out, std::size_t stride) {
  if (!library_is_used) return add_transposed_product_plainly(a, m, b, n, rows, out, stride);
  const auto lock = library().enter();
  library().dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(m), static_cast<int>(n),
                  static_cast<int>(rows), 1.0, a, static_cast<int>(m), b, static_cast<int>(n), 1.0, out,
                  static_cast<int>(stride));
}

void multiply_plainly(const double* a, std::size_t rows, const double* b, std::size_t columns, std::size_t n,
                      double factor, double keep, double* out) {
  plain_product(a, rows, b, columns, n, factor, keep, out);
}

void multiply_plainly(const float* a, std::size_t rows, const float* b, std::size_t columns, std::size_t n,
                      float factor, float keep, float* out) {
  plain_product(a, rows, b, columns, n, factor, keep, out);
}

void add_transposed_product_plainly(const double* a, std::size_t m, const double* b, std::size_t n, std::size_t rows,
                                    double* out, std::size_t stride) {
  for (std::size_t row = 0; row < rows; ++row, a += m, b += n) {
    for (std::size_t i = 0; i < m; ++i) {
      double* const sums = out + i * stride;
      for (std::size_t j = 0; j < n; ++j) sums[j] += a[i] * b[j];
    }
  }
}

}  // namespace gauze
