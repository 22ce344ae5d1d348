#pragma once

#include <string>
#include <vector>

#include "gauze/audit/training/engine_runs.h"
#include "gauze/audit/training/extreme_pair.h"

namespace gauze::audit {

/// The numbers of one run that an attacker looks at: of each of the first steps the noisy sum along what the extreme record adds to it, in
/// parts of it and in single coordinates, how these change from step to step, and then what the model became. All in clips.
class ReleasedNumbers final : public learn::StepProbe {
 public:
  ReleasedNumbers(const Recipe& recipe, const schema::LearnPolicy& policy, const ExtremePair& pair,
                  const EngineFault& fault);

  void begin(std::span<const float> weights) override;
  void see(const learn::StepSum& sum) override;
  /// After the last step: as many numbers as there are names.
  [[nodiscard]] const std::vector<double>& finish(const EngineRuns::Released& released);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  struct Part {
    std::string name = {};
    std::vector<std::uint32_t> places = {};
    std::vector<double> weights = {};  ///< of length 1
  };
  [[nodiscard]] static double along(const Part& part, const std::vector<double>& vector);

  const EngineFault* fault_;
  std::size_t steps_ = 0;  ///< that are looked at one by one
  bool sums_up_ = false;   ///< whether there are several
  std::vector<Part> parts_;
  std::vector<Part> model_parts_;
  std::vector<std::uint32_t> places_;  ///< where the record adds something
  bool has_clip_ = false;
  std::vector<std::string> entropies_;  ///< of these features, where they are released
  std::vector<std::string> names_;

  std::vector<double> numbers_;
  std::vector<double> sum_;
  std::vector<double> before_;  ///< the sum of the step before
  double total_ = 0;
};

}  // namespace gauze::audit
