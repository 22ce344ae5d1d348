#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/learn/model/model_file.h"

namespace gauze::learn {

/// A finished model that answers: inputs of rows in, outputs of rows out. A kind of model enters the program by a class of this and a
/// line in the table of kinds.
/// Thread safety: one call at a time.
class Predictor {
 public:
  virtual ~Predictor() = default;
  [[nodiscard]] virtual std::size_t inputs() const = 0;
  [[nodiscard]] virtual std::size_t outputs() const = 0;
  /// rows x inputs() numbers to rows x outputs() numbers: logits, margins, or a scaled number.
  virtual void predict(std::span<const float> inputs, std::size_t rows, std::span<float> outputs) = 0;
};

/// The predictor of a model; `bad_data` where kind, arrays and features do not fit together.
[[nodiscard]] Result<std::unique_ptr<Predictor>> make_predictor(const ModelFile& model);

/// Whether a kind's outputs are linear in its inputs, so that its coefficients say what it does.
[[nodiscard]] bool is_linear(std::string_view kind);

}  // namespace gauze::learn
