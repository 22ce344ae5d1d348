#include "gauze/statistics/chi_square.h"

#include <cmath>
#include <limits>

namespace gauze {
namespace {

constexpr int kMostGammaTerms = 100'000;
constexpr double kGammaTiny = 1e-300;

/// P(a, x) by its power series, for x < a + 1.
double lower_series(double a, double x) {
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < kMostGammaTerms; ++n) {
    term *= x / (a + n);
    sum += term;
    if (term < sum * std::numeric_limits<double>::epsilon()) break;
  }
  return sum * std::exp(-x + a * std::log(x) - std::lgamma(a));
}

/// Q(a, x) by its continued fraction (Lentz), for x >= a + 1.
double upper_fraction(double a, double x) {
  double b = x + 1 - a;
  double c = 1 / kGammaTiny;
  double d = 1 / b;
  double h = d;
  for (int i = 1; i < kMostGammaTerms; ++i) {
    const double an = -i * (i - a);
    b += 2;
    d = an * d + b;
    if (std::abs(d) < kGammaTiny) d = kGammaTiny;
    c = b + an / c;
    if (std::abs(c) < kGammaTiny) c = kGammaTiny;
    d = 1 / d;
    h *= d * c;
    if (std::abs(d * c - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return std::exp(-x + a * std::log(x) - std::lgamma(a)) * h;
}

}  // namespace

double chi_square_tail(double statistic, std::size_t degrees) {
  if (degrees == 0 || !(statistic > 0)) return 1;
  if (std::isinf(statistic)) return 0;
  const double a = static_cast<double>(degrees) / 2;
  const double x = statistic / 2;
  return x < a + 1 ? 1 - lower_series(a, x) : upper_fraction(a, x);
}

}  // namespace gauze
