#include "gauze/base/matrix_products.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <random>
#include <vector>

#include "gauze/base/testing/watched.h"

namespace gauze {
namespace matrix_products_test {

/// Whole numbers, whose products and sums of a few hundred are exact in either precision.
template <class Number>
std::vector<Number> whole_numbers(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Number> numbers(count);
  for (Number& number : numbers) number = static_cast<Number>(random() % 201) - 100;
  return numbers;
}

struct Shape {
  std::size_t rows, columns, n;
};
constexpr Shape kShapes[] = {{1, 1, 1}, {3, 5, 2}, {7, 4, 8}, {16, 33, 25}, {130, 140, 100}};

template <class Number>
void expect_equal_products() {
  for (const Shape& shape : kShapes) {
    const auto a = whole_numbers<Number>(shape.rows * shape.n, 1);
    const auto b = whole_numbers<Number>(shape.columns * shape.n, 2);
    const auto before = whole_numbers<Number>(shape.rows * shape.columns, 3);
    auto by_library = before, by_loops = before;
    multiply_transposed(a.data(), shape.rows, b.data(), shape.columns, shape.n, Number{2}, Number{1},
                        by_library.data());
    multiply_plainly(a.data(), shape.rows, b.data(), shape.columns, shape.n, Number{2}, Number{1}, by_loops.data());
    EXPECT_EQ(by_library, by_loops) << shape.rows << " x " << shape.columns << " x " << shape.n;
    const std::size_t i = shape.rows - 1, j = shape.columns - 1;
    Number sum = 0;
    for (std::size_t d = 0; d < shape.n; ++d) sum += a[i * shape.n + d] * b[j * shape.n + d];
    EXPECT_EQ(by_loops.back(), 2 * sum + before.back());
  }
}

TEST(MatrixProducts, AreTheSameByLibraryAndByLoops) {
  prepare_matrix_products();
  expect_equal_products<double>();
  expect_equal_products<float>();
}

TEST(MatrixProducts, OverwriteWhatIsNotToBeKeptWhateverItIs) {
  prepare_matrix_products();
  const double a[] = {1, 2}, b[] = {3, 4};
  double by_library = std::nan(""), by_loops = std::nan("");
  multiply_transposed(a, 1, b, 1, 2, 1.0, 0.0, &by_library);
  multiply_plainly(a, 1, b, 1, 2, 1.0, 0.0, &by_loops);
  EXPECT_EQ(by_library, 11);
  EXPECT_EQ(by_loops, 11);
}

TEST(MatrixProducts, AddWhatIsMultipliedAlongItsRowsIntoRowsThatLieApart) {
  prepare_matrix_products();
  for (const Shape& shape : kShapes) {
    const std::size_t stride = shape.columns + 3;
    const auto a = whole_numbers<double>(shape.n * shape.rows, 1);
    const auto b = whole_numbers<double>(shape.n * shape.columns, 2);
    const auto before = whole_numbers<double>(shape.rows * stride, 3);
    auto by_library = before, by_loops = before;
    add_transposed_product(a.data(), shape.rows, b.data(), shape.columns, shape.n, by_library.data(), stride);
    add_transposed_product_plainly(a.data(), shape.rows, b.data(), shape.columns, shape.n, by_loops.data(), stride);
    EXPECT_EQ(by_library, by_loops) << shape.rows << " x " << shape.columns << " x " << shape.n;
    double sum = 0;
    for (std::size_t k = 0; k < shape.n; ++k) sum += a[k * shape.rows] * b[k * shape.columns + shape.columns - 1];
    EXPECT_EQ(by_loops[shape.columns - 1], sum + before[shape.columns - 1]);
    EXPECT_EQ(by_loops[shape.columns], before[shape.columns]);
  }
}

// A library that gets no work space tries for ever: the alarm would end the child.
TEST(MatrixProducts, AreMadeWhereThereIsNoRoomForTheLibrary) {
  if (is_watched()) GTEST_SKIP() << "sanitizers need more addresses than the limit allows";
  // Made before the limit: what is there already may be more than it allows.
  const auto a = whole_numbers<double>(130 * 100, 1);
  std::vector<double> by_default(130 * 130), by_loops(130 * 130);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    const rlimit little{.rlim_cur = 100U << 20, .rlim_max = 100U << 20};
    if (::setrlimit(RLIMIT_AS, &little) != 0) ::_exit(2);
    prepare_matrix_products();
    multiply_transposed(a.data(), 130, a.data(), 130, 100, 1.0, 0.0, by_default.data());
    multiply_plainly(a.data(), 130, a.data(), 130, 100, 1.0, 0.0, by_loops.data());
    ::_exit(by_default == by_loops ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace matrix_products_test
}  // namespace gauze
