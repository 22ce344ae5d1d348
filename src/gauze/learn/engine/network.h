#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/learn/engine/layer_spec.h"
#include "gauze/random/random_words.h"

namespace gauze::learn {

/// One array of weights. All arrays of a network lie one after the other in one vector.
struct WeightTensor {
  std::string name;  ///< "0.weight", "2.bias", "3.inner.0.weight": the index of its layer, then its part
  std::vector<std::size_t> shape;  ///< [out, in] for linear, as PyTorch has it
  std::size_t offset = 0;          ///< of its first number in the vector of all weights
  std::size_t fan_in = 0;          ///< inputs that add up in one output, for scaled initial weights; 0: not drawn
  double initial = 0;              ///< of what is not drawn: 0 for a bias, 1 for a gain
  bool leaves_input = false;       ///< the inputs of the network are multiplied with these: input_of_weights()
  [[nodiscard]] std::size_t size() const;
};

/// How the norm of a unit's gradient is found.
enum class NormMode {
  ghost,         ///< Gram matrices or materialised a layer and unit, whichever costs less; never all of a gradient
  materialised,  ///< every gradient written out: for checking
};

/// Layers one after the other, on rows of numbers: forward, backward, the norm of each unit's gradient, and the weighted sum of
/// the gradients of all units.
///
/// Place invariance : outputs, gradients by row and norms of a row (a unit) are the same bits in every place of a batch and in
///                    any company, on any thread; products whose rows are records are made by kernels of this room.
/// Sums             : add_gradients() adds in double: in a sum that was 0 the error of a weight with K terms (rows x positions) is at most
///                    (K + 2) 2^-53 times the sum of the absolute values.
/// Not covered      : privacy. Clipping, sampling and noise are the business of gauze/learn/step.
/// Thread safety    : const members may be called concurrently, each caller with a Pass of its own.
/// Real             : float for training, double for checks.
template <class Real>
class Network {
 public:
  /// The layers checked against each other: channels that do not fit, no outputs at one position in the end, heads that do not
  /// divide, more than 2^26 weights, more than 2^26 numbers kept of a row are `invalid_parameter`.
  [[nodiscard]] static Result<Network> make(std::vector<LayerSpec> layers, std::size_t inputs);
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  ~Network();

  [[nodiscard]] const std::vector<LayerSpec>& layers() const;
  [[nodiscard]] const std::vector<WeightTensor>& tensors() const;
  [[nodiscard]] std::size_t weights() const;  ///< how many numbers
  [[nodiscard]] std::size_t inputs() const;
  [[nodiscard]] std::size_t outputs() const;
  /// The most positions of any layer that has weights: 1 for an MLP.
  [[nodiscard]] std::size_t most_positions() const;
  /// Multiplications and additions for one row forward and backward, with norms and sums.
  [[nodiscard]] double operations_per_row() const;
  /// Bytes that a Pass for one more row takes.
  [[nodiscard]] std::size_t bytes_per_row() const;

  /// Weights laid out for the products; shared by all passes of a step.
  class Packed {
   public:
    ~Packed();

   private:
    friend class Network;
    struct Parts;
    explicit Packed(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
  };
  [[nodiscard]] std::unique_ptr<Packed> make_packed() const;
  void pack(std::span<const Real> weights, Packed& packed) const;

  /// The buffers of one thread, for up to so many rows.
  class Pass {
   public:
    ~Pass();

   private:
    friend class Network;
    struct Parts;
    explicit Pass(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
  };
  [[nodiscard]] std::unique_ptr<Pass> make_pass(std::size_t most_rows) const;
  /// Where the caller puts rows x inputs numbers, row by row.
  [[nodiscard]] std::span<Real> inputs_of(Pass& pass, std::size_t rows) const;
  /// rows x outputs numbers after forward().
  [[nodiscard]] std::span<const Real> outputs_of(const Pass& pass, std::size_t rows) const;
  /// Where the caller puts the gradient of the loss by the outputs, rows x outputs numbers, before backward().
  [[nodiscard]] std::span<Real> output_gradients_of(Pass& pass, std::size_t rows) const;

  /// `masks`: where dropout takes its coins from while training; none: nothing is dropped (prediction).
  void forward(const Packed& packed, Pass& pass, std::size_t rows, RandomWords* masks) const;
  /// After forward() of the same rows: the factors of every gradient.
  void backward(const Packed& packed, Pass& pass, std::size_t rows) const;

  /// For each unit the sum over blocks of n_b^2 + [T > 1] 2^-20 m_b^2 of its gradient, in double: n_b the norm of the unit's
  /// gradient by block b, m_b what could have cancelled in it, the sum over terms of |a_t| |b_t|. Rows unit_ends[u - 1] to unit_ends[u] are
  /// those of unit u (the first begins at 0; an empty unit has 0); T is rows x positions of the unit. `input_scales`, if not empty, has
  /// one s per input: gradients of weights that leave input j count divided by s_j (their terms, too). May be infinite or NaN.
  void squared_norms(Pass& pass, std::span<const std::uint32_t> unit_ends, NormMode mode,
                     std::span<const double> input_scales, std::span<double> squared) const;

  /// sum += for each unit factors[u] x its gradient; in double, `weights()` numbers, unscaled. Rows of a unit with factor 0 add exact
  /// zeros whatever they hold (infinite, NaN). Ends the use of this pass for these rows: it may overwrite them.
  void add_gradients(Pass& pass, std::span<const std::uint32_t> unit_ends, std::span<const double> factors,
                     std::span<double> sum) const;

  /// For weight i the input that it is multiplied with, or -1: those of the first layer's matrix (linear) or vectors (tokens). For
  /// scales by attribute. `invalid_parameter` where a weight serves several inputs (first layer reshape, conv1d, lstm, ...).
  [[nodiscard]] Result<std::vector<std::int32_t>> input_of_weights() const;

 private:
  class Parts;
  explicit Network(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

extern template class Network<float>;
extern template class Network<double>;

}  // namespace gauze::learn
