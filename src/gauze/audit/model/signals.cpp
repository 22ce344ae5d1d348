#include "gauze/audit/model/signals.h"

#include <algorithm>
#include <cmath>

#include "gauze/learn/score/scored_rows.h"

namespace gauze::audit {
namespace {

constexpr std::size_t kUnitsAtOnce = 256;

/// ln of the sum of e^x, for numbers of any size.
double log_sum(std::span<const double> logs) {
  const double most = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(most)) return most;
  double sum = 0;
  for (const double one : logs) sum += std::exp(one - most);
  return most + std::log(sum);
}

/// p ln p, which is 0 at 0.
double x_log_x(double log_p) { return log_p == -HUGE_VAL ? 0 : std::exp(log_p) * log_p; }

/// A model whose numbers are far out of range may answer with what is no number: nothing is said then, and very much is finite.
double finite(float output) {
  constexpr float kMost = 1e30F;
  return std::isnan(output) ? 0 : static_cast<double>(std::clamp(output, -kMost, kMost));
}

/// The figures of single rows.
class RowSignals {
 public:
  explicit RowSignals(std::size_t classes) : logs_(classes), others_(classes) {}

  /// ln p of every class, and ln(1 - p).
  void take(std::span<const float> outputs) {
    for (std::size_t c = 0; c < logs_.size(); ++c) logs_[c] = finite(outputs[c]);
    const double all = log_sum(logs_);
    for (std::size_t c = 0; c < logs_.size(); ++c) {
      rest_.clear();
      for (std::size_t other = 0; other < logs_.size(); ++other)
        if (other != c) rest_.push_back(finite(outputs[other]));
      others_[c] = log_sum(rest_) - all;
    }
    for (double& log : logs_) log -= all;
  }

  void add_to(Signals& signals, std::size_t record, std::uint32_t truth, double share) const {
    signals.logit[record] += share * (logs_[truth] - others_[truth]);
    signals.confidence[record] += share * std::exp(logs_[truth]);
    signals.loss[record] += share * logs_[truth];
    double entropy = 0;
    double modified = std::exp(others_[truth]) * logs_[truth];
    for (std::size_t c = 0; c < logs_.size(); ++c) {
      entropy += x_log_x(logs_[c]);
      if (c != truth) modified += std::exp(logs_[c]) * others_[c];
      signals.answers[record * logs_.size() + c] += static_cast<float>(share * std::exp(logs_[c]));
    }
    signals.entropy[record] += share * entropy;
    signals.modified_entropy[record] += share * modified;
    const auto best = std::max_element(logs_.begin(), logs_.end()) - logs_.begin();
    if (best == static_cast<std::ptrdiff_t>(truth)) signals.right[record] += share;
  }

 private:
  std::vector<double> logs_;
  std::vector<double> others_;
  std::vector<double> rest_;
};

}  // namespace

Result<Signals> signals_of(const learn::ModelFile& model, const learn::LearningRows& rows,
                           std::span<const std::uint32_t> units) {
  GAUZE_TRY(learn::RowPredictor predictor, learn::RowPredictor::make(model));
  const std::size_t classes = predictor.outputs();
  Signals signals;
  for (std::vector<double>* figure : {&signals.logit, &signals.confidence, &signals.loss, &signals.entropy,
                                      &signals.modified_entropy, &signals.right})
    figure->resize(units.size());
  signals.answers.resize(units.size() * classes);
  RowSignals row_signals(classes);
  std::vector<std::uint32_t> codes;
  std::vector<float> outputs;
  for (std::size_t begin = 0; begin < units.size(); begin += kUnitsAtOnce) {
    const std::size_t end = std::min(begin + kUnitsAtOnce, units.size());
    codes.clear();
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      for (const std::uint32_t row : rows.rows_of(units[i])) {
        codes.insert(codes.end(), rows.codes(row).begin(), rows.codes(row).end());
        ++count;
      }
    }
    predictor.outputs_of(codes, count, outputs);
    std::size_t place = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const auto own = rows.rows_of(units[i]);
      for (const std::uint32_t row : own) {
        row_signals.take(std::span<const float>(outputs).subspan(place++ * classes, classes));
        row_signals.add_to(signals, i, rows.target(row).label, 1 / static_cast<double>(own.size()));
      }
    }
  }
  return signals;
}

}  // namespace gauze::audit
