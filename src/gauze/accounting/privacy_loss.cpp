#include "gauze/accounting/privacy_loss.h"

#include <algorithm>
#include <cmath>

#include "gauze/accounting/internal/infinity.h"

namespace gauze {
namespace {

using Tail = PrivacyLoss::Tail;
using internal::kInfinity;

double normal_tail(double x) { return std::erfc(x / std::sqrt(2.0)) / 2; }

class GaussianLoss final : public PrivacyLoss {
 public:
  explicit GaussianLoss(double ratio) : mu_(1 / ratio) {}
  [[nodiscard]] Tail above(double epsilon) const override {
    const double there = epsilon / mu_ - mu_ / 2, here = epsilon / mu_ + mu_ / 2;
    // The tail at x falls by at most x + 1 of itself for each unit; x is off by some units in the last place of its terms,
    // of which a sampled loss has already cost one.
    const double x = std::max(here, 0.0);
    return {normal_tail(there), normal_tail(here), 1.2e-16 * (16 + (x + 1) * (7 * x + 4 * mu_))};
  }

 private:
  double mu_;
};

class LaplaceLoss final : public PrivacyLoss {
 public:
  explicit LaplaceLoss(double ratio) : ratio_(ratio) {}
  [[nodiscard]] Tail above(double epsilon) const override {
    if (epsilon >= highest()) return {0, 0};
    if (epsilon < lowest()) return {1, 1};
    // The loss at x in [0, 1] (in sensitivities, P centred at 1) is (2x - 1) / ratio.
    const double x = std::clamp((1 + ratio_ * epsilon) / 2, 0.0, 1.0);
    return {1 - std::exp((x - 1) / ratio_) / 2, std::exp(-x / ratio_) / 2, 2e-15 + 1e-15 / ratio_};
  }
  [[nodiscard]] double lowest() const override { return -1 / ratio_; }
  [[nodiscard]] double highest() const override { return 1 / ratio_; }

 private:
  double ratio_;
};

class DiscreteLoss final : public PrivacyLoss {
 public:
  DiscreteLoss(std::vector<std::pair<double, double>> atoms, double infinite_mass) : infinite_mass_(infinite_mass) {
    if (!std::is_sorted(atoms.begin(), atoms.end())) std::sort(atoms.begin(), atoms.end());
    losses_.reserve(atoms.size());
    for (const auto& atom : atoms) losses_.push_back(atom.first);
    tails_.resize(atoms.size() + 1);
    tails_.back() = {infinite_mass_, 0};
    long double p = infinite_mass_, q = 0, error_p = 2e-15L * p, error_q = 0;
    for (std::size_t i = atoms.size(); i-- > 0;) {
      const auto& [loss, mass] = atoms[i];
      if (!(mass > 0)) {
        tails_[i] = tails_[i + 1];
        continue;
      }
      // Masses and factors come from exponentials whose exponents are rounded.
      const long double there = static_cast<long double>(mass) * std::exp(-loss);
      const long double error = 2e-15L + 3e-16L * (std::abs(std::ilogb(mass)) + std::abs(loss));
      p += mass;
      q += there;
      error_p += error * mass;
      error_q += error * there;
      const long double worse = q > 0 ? std::max(error_p / p, error_q / q) : error_p / p;
      tails_[i] = {static_cast<double>(p), static_cast<double>(q), static_cast<double>(worse) + 2e-16};
    }
  }
  [[nodiscard]] Tail above(double epsilon) const override {
    const auto first = std::upper_bound(losses_.begin(), losses_.end(), epsilon);
    return tails_[static_cast<std::size_t>(first - losses_.begin())];
  }
  [[nodiscard]] double infinite_mass() const override { return infinite_mass_; }
  [[nodiscard]] double lowest() const override { return losses_.empty() ? 0 : losses_.front(); }
  [[nodiscard]] double highest() const override { return losses_.empty() ? 0 : losses_.back(); }

 private:
  std::vector<double> losses_;
  std::vector<Tail> tails_;
  double infinite_mass_;
};

class PoissonSampled final : public PrivacyLoss {
 public:
  PoissonSampled(LossPair base, double rate, bool removing)
      : base_(std::move(base)), rate_(rate), removing_(removing) {}

  [[nodiscard]] Tail above(double epsilon) const override {
    if (removing_) {
      // L = ln(1 - q + q e^l) for the base loss l: P = (1 - q) Q0 + q P0 against Q0. No outcome has less than ln(1 - q), which
      // those have that Q0 alone knows: they are in no tail of the base.
      if (std::expm1(epsilon) < -rate_) return {1, 1};
      const Tail base = base_->above(base_loss(epsilon));
      return {(1 - rate_) * base.q + rate_ * base.p, base.q, base.error + 6e-16};
    }
    // Q0 against the mixture: the loss is -L, so {-L > epsilon} = {l < base_loss(-epsilon)}.
    const double bound = base_loss(-epsilon);
    if (bound == -kInfinity) return {0, 0};
    // Base losses below `bound`, by symmetry of the base: P0[l < b] = Q0[l > -b] and the other way round.
    const Tail mirrored = base_->above(-bound);
    const double q0 = mirrored.p, p0 = mirrored.q;
    return {q0, (1 - rate_) * q0 + rate_ * p0, mirrored.error + 6e-16};
  }
  [[nodiscard]] double infinite_mass() const override { return removing_ ? rate_ * base_->infinite_mass() : 0; }
  [[nodiscard]] double lowest() const override {
    return removing_ ? sampled(base_lowest()) : -sampled(base_->highest());
  }
  [[nodiscard]] double highest() const override {
    return removing_ ? sampled(base_->highest()) : -sampled(base_lowest());
  }

 private:
  /// Mass that P alone has means, by symmetry, mass that Q alone has: a loss of minus infinity.
  [[nodiscard]] double base_lowest() const { return base_->infinite_mass() > 0 ? -kInfinity : base_->lowest(); }
  [[nodiscard]] double sampled(double base_loss) const { return std::log1p(rate_ * std::expm1(base_loss)); }
  /// The base loss at which the sampled loss is epsilon: ln(1 + (e^epsilon - 1) / q).
  [[nodiscard]] double base_loss(double epsilon) const {
    const double excess = std::expm1(epsilon) / rate_;
    if (excess <= -1) return -kInfinity;
    if (std::isinf(excess)) return epsilon - std::log(rate_);
    return std::log1p(excess);
  }

  LossPair base_;
  double rate_;
  bool removing_;
};

class FixedSizeSampled final : public PrivacyLoss {
 public:
  FixedSizeSampled(LossPair base, double rate) : removing_(poisson_sampled(std::move(base), rate, true)) {}
  [[nodiscard]] Tail above(double epsilon) const override {
    // For epsilon >= 0 the curve is that of removal; below zero it is its mirror image.
    if (epsilon >= 0) return removing_->above(epsilon);
    const Tail mirrored = removing_->above(-epsilon);
    const double rest = std::max(1 - mirrored.p, 1e-12);
    return {1 - mirrored.q, 1 - mirrored.p, (mirrored.error + 3e-16) / rest};
  }
  [[nodiscard]] double infinite_mass() const override { return removing_->infinite_mass(); }
  [[nodiscard]] double lowest() const override { return -removing_->highest(); }
  [[nodiscard]] double highest() const override { return removing_->highest(); }
  [[nodiscard]] bool is_tight() const override { return false; }

 private:
  LossPair removing_;
};

}  // namespace

LossPair gaussian_loss(double ratio) { return std::make_shared<GaussianLoss>(ratio); }
LossPair laplace_loss(double ratio) { return std::make_shared<LaplaceLoss>(ratio); }

LossPair discrete_laplace_loss(double scale, double sensitivity) {
  // Losses (2x - D) / t for x = 0..D, the tails of the noise at both ends.
  std::vector<std::pair<double, double>> atoms;
  const double r = std::exp(-1 / scale);
  const double peak = -std::expm1(-1 / scale) / (1 + r);
  for (double x = 0; x <= sensitivity; ++x) {
    const double distance = sensitivity - x;  // from P's centre
    double mass = peak * std::exp(-distance / scale);
    if (x == 0) mass = std::exp(-distance / scale) / (1 + r);
    if (x == sensitivity) mass = 1 / (1 + r);
    if (sensitivity == 0) mass = 1;
    atoms.emplace_back((2 * x - sensitivity) / scale, mass);
  }
  return discrete_loss(std::move(atoms));
}

LossPair discrete_gaussian_loss(double sigma, double sensitivity) {
  const double reach = std::ceil(40 * sigma) + 1;
  long double sum = 0;
  for (double x = -reach; x <= reach; ++x) sum += std::exp(-x * x / (2 * sigma * sigma));
  const auto total = static_cast<double>(sum);
  std::vector<std::pair<double, double>> atoms;
  atoms.reserve(static_cast<std::size_t>(2 * reach + 1));
  for (double x = -reach; x <= reach; ++x) {  // x: from P's centre
    const double loss = sensitivity * (2 * x + sensitivity) / (2 * sigma * sigma);
    const double mass = std::exp(-x * x / (2 * sigma * sigma)) / total;
    if (mass > 0) atoms.emplace_back(loss, mass);
  }
  return discrete_loss(std::move(atoms));
}

LossPair discrete_loss(std::vector<std::pair<double, double>> loss_and_mass, double infinite_mass) {
  return std::make_shared<DiscreteLoss>(std::move(loss_and_mass), infinite_mass);
}

LossPair pure_loss(double epsilon, double delta) {
  const double heavy = 1 / (1 + std::exp(-epsilon));
  return discrete_loss({{epsilon, (1 - delta) * heavy}, {-epsilon, (1 - delta) * heavy * std::exp(-epsilon)}}, delta);
}

LossPair randomized_response_loss(double epsilon, double categories) {
  const double keep = 1 / (1 + (categories - 1) * std::exp(-epsilon));
  const double other = keep * std::exp(-epsilon);
  return discrete_loss({{epsilon, keep}, {0, (categories - 2) * other}, {-epsilon, other}});
}

LossPair poisson_sampled(LossPair base, double rate, bool removing) {
  return std::make_shared<PoissonSampled>(std::move(base), rate, removing);
}

LossPair fixed_size_sampled(LossPair base, double rate) {
  return std::make_shared<FixedSizeSampled>(std::move(base), rate);
}

}  // namespace gauze
