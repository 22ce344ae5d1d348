#pragma once
// What sequence layers do to one vector at a time. Sums over a vector have an order of their own, whatever stands beside it.

#include <cstddef>

namespace gauze::learn::internal {

/// `count` vectors of `width` numbers: with mean 0 and variance 1, then times gain plus shift.
template <class Real>
struct Normalisation {
  const Real* x = nullptr;
  std::size_t count = 0;
  std::size_t width = 0;
  const Real* gain = nullptr;
  const Real* shift = nullptr;
  Real* normal = nullptr;    ///< before gain and shift
  Real* inverses = nullptr;  ///< 1 / deviation of each vector
  Real* y = nullptr;
};
void normalise(const Normalisation<float>& n);
void normalise(const Normalisation<double>& n);

/// The way back: dx of dy, for the vectors that normalise() was given.
template <class Real>
struct NormalisationGradients {
  const Real* dy = nullptr;
  std::size_t count = 0;
  std::size_t width = 0;
  const Real* gain = nullptr;
  const Real* normal = nullptr;
  const Real* inverses = nullptr;
  Real* dx = nullptr;
};
void pass_back(const NormalisationGradients<float>& n);
void pass_back(const NormalisationGradients<double>& n);

/// rows (count x width) = softmax of scale times each, in place.
void soften(float* rows, std::size_t count, std::size_t width, float scale);
void soften(double* rows, std::size_t count, std::size_t width, double scale);
/// gradients by the shares become gradients by what was softened.
void pass_back_shares(const float* shares, float* gradients, std::size_t count, std::size_t width, float scale);
void pass_back_shares(const double* shares, double* gradients, std::size_t count, std::size_t width, double scale);

/// One step of an LSTM for one row: gates i, f, g, o of `width` numbers each, before their functions and after.
template <class Real>
struct CellStep {
  std::size_t width = 0;
  Real* gates = nullptr;
  const Real* before = nullptr;  ///< the cell of the step before; null: 0
  Real* cell = nullptr;
  Real* cell_tanh = nullptr;
  Real* hidden = nullptr;
};
void step_cell(const CellStep<float>& step);
void step_cell(const CellStep<double>& step);

template <class Real>
struct CellGradients {
  std::size_t width = 0;
  const Real* gates = nullptr;
  const Real* before = nullptr;
  const Real* cell_tanh = nullptr;
  const Real* hidden_gradients = nullptr;
  Real* cell_gradients = nullptr;  ///< by the cell after this step; becomes that by the cell before
  Real* gate_gradients = nullptr;  ///< by the gates before their functions
};
void pass_back(const CellGradients<float>& step);
void pass_back(const CellGradients<double>& step);

/// y = bias + sum over j of x[j] vectors[j], leaving out those where x[j] is 0.
template <class Real>
struct Combination {
  const Real* x = nullptr;
  std::size_t count = 0;
  const Real* vectors = nullptr;
  const Real* bias = nullptr;
  std::size_t width = 0;
  Real* y = nullptr;
};
void combine(const Combination<float>& c);
void combine(const Combination<double>& c);

/// The sum of x[i] y[i].
[[nodiscard]] float product_of(const float* x, const float* y, std::size_t size);
[[nodiscard]] double product_of(const double* x, const double* y, std::size_t size);

}  // namespace gauze::learn::internal
