#include "gauze/text/metric/internal/matrix_products.h"

#include <cblas.h>
#include <sys/mman.h>

#include <mutex>

#include "gauze/base/parallel.h"

namespace gauze::text::internal {
namespace {

/// Loops are parallel by themselves: a threaded BLAS below them would only get in the way.
class Library {
 public:
  Library() : has_locks_(openblas_get_parallel() != OPENBLAS_SEQUENTIAL) { openblas_set_num_threads(1); }
  /// Locked when the library needs it.
  [[nodiscard]] std::unique_lock<std::mutex> enter() {
    return has_locks_ ? std::unique_lock<std::mutex>() : std::unique_lock(mutex_);
  }

 private:
  bool has_locks_;
  std::mutex mutex_;
};

Library& library() {
  static Library library;
  return library;
}

}  // namespace

Result<void> check_work_space() {
  const std::size_t bytes = static_cast<std::size_t>(thread_count()) * (std::size_t{136} << 20);
  void* const place = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED)
    return make_error(ErrorCode::io,
                      "there is no room for matrix products: they need {} MB of addresses (fewer with --threads)",
                      bytes >> 20);
  ::munmap(place, bytes);
  return {};
}

void multiply_transposed(const double* a, std::size_t rows, const double* b, std::size_t columns, std::size_t n,
                         double factor, double keep, double* out) {
  const auto lock = library().enter();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows), static_cast<int>(columns),
              static_cast<int>(n), factor, a, static_cast<int>(n), b, static_cast<int>(n), keep, out,
              static_cast<int>(columns));
}

void multiply_transposed(const float* a, std::size_t rows, const float* b, std::size_t columns, std::size_t n,
                         float factor, float keep, float* out) {
  const auto lock = library().enter();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows), static_cast<int>(columns),
              static_cast<int>(n), factor, a, static_cast<int>(n), b, static_cast<int>(n), keep, out,
              static_cast<int>(columns));
}

}  // namespace gauze::text::internal
