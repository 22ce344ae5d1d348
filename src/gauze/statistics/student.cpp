#include "gauze/statistics/student.h"

#include <cmath>
#include <numbers>

namespace gauze {

double student_within(double t, std::size_t degrees) {
  // Abramowitz and Stegun 26.7.3 and 26.7.4
  const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
  const double cosine = std::cos(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1;
  double sum = 0;
  for (std::size_t k = odd ? 3 : 2; k <= degrees; k += 2) {
    sum += term;
    const auto number = static_cast<double>(k);
    term *= (number - 1) / number * cosine * cosine;
  }
  if (odd) return 2 / std::numbers::pi * (angle + std::sin(angle) * sum);
  return std::sin(angle) * sum;
}

double student_quantile(double confidence, std::size_t degrees) {
  double high = 1;
  while (student_within(high, degrees) < confidence && high < 1e300) high *= 2;
  double low = 0;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (student_within(middle, degrees) < confidence ? low : high) = middle;
  }
  return high;
}

}  // namespace gauze
