#include "gauze/learn/score/figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/learn/step/plain_draws.h"

namespace gauze::learn {
namespace {

using Figure = std::optional<double> Figures::*;
using Interval = std::optional<Estimate> FigureEstimates::*;
struct FigureName {
  const char* name;
  Figure figure;
  Interval interval;
};
constexpr FigureName kFigures[] = {
    {"accuracy", &Figures::accuracy, &FigureEstimates::accuracy},
    {"balanced_accuracy", &Figures::balanced_accuracy, &FigureEstimates::balanced_accuracy},
    {"f1_weighted", &Figures::f1_weighted, &FigureEstimates::f1_weighted},
    {"f1_macro", &Figures::f1_macro, &FigureEstimates::f1_macro},
    {"log_loss", &Figures::log_loss, &FigureEstimates::log_loss},
    {"auc", &Figures::auc, &FigureEstimates::auc},
    {"mae", &Figures::mae, &FigureEstimates::mae},
    {"rmse", &Figures::rmse, &FigureEstimates::rmse},
};

/// The figures of rows with weights: order of the scores found once, since a bootstrap sample changes weights alone.
class RowFigures {
 public:
  RowFigures(const ScoredRows& rows, std::vector<std::uint32_t> chosen) : rows_(&rows), chosen_(std::move(chosen)) {
    if (rows.scores.empty()) return;
    const std::size_t classes = rows.classes();
    for (std::size_t c = 0; c < classes; ++c) {
      std::vector<std::uint32_t> order(chosen_.size());
      std::iota(order.begin(), order.end(), 0U);
      std::sort(order.begin(), order.end(),
                [&](std::uint32_t a, std::uint32_t b) { return score(a, c) < score(b, c); });
      orders_.push_back(std::move(order));
    }
  }

  [[nodiscard]] const std::vector<std::uint32_t>& chosen() const { return chosen_; }

  [[nodiscard]] Figures of(std::span<const double> weights) const {
    if (rows_->numeric) return numeric_figures(weights);
    Confusion confusion(rows_->classes(), std::vector<double>(rows_->classes()));
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      confusion[rows_->truths[chosen_[i]]][rows_->predicted[chosen_[i]]] += weights[i];
    Figures figures = figures_of(confusion, rows_->ordered);
    if (!orders_.empty()) figures.auc = auc(weights);
    if (rows_->has_probabilities && !rows_->scores.empty()) figures.log_loss = log_loss(weights);
    return figures;
  }

 private:
  [[nodiscard]] float score(std::uint32_t row, std::size_t label) const {
    return rows_->scores[chosen_[row] * rows_->classes() + label];
  }

  [[nodiscard]] Figures numeric_figures(std::span<const double> weights) const {
    double total = 0;
    double absolute = 0;
    double squared = 0;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const double error = rows_->predicted_values[chosen_[i]] - rows_->true_values[chosen_[i]];
      total += weights[i];
      absolute += weights[i] * std::abs(error);
      squared += weights[i] * error * error;
    }
    if (total == 0) return {};
    return {.mae = absolute / total, .rmse = std::sqrt(squared / total)};
  }

  [[nodiscard]] std::optional<double> log_loss(std::span<const double> weights) const {
    double total = 0;
    double loss = 0;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const double chance = score(static_cast<std::uint32_t>(i), rows_->truths[chosen_[i]]);
      total += weights[i];
      loss -= weights[i] * std::log(std::max(chance, 1e-15));
    }
    return total == 0 ? std::nullopt : std::optional(loss / total);
  }

  /// Mean over classes that occur, and not alone, of the chance that a row of the class scores higher than another; ties count half.
  [[nodiscard]] std::optional<double> auc(std::span<const double> weights) const {
    double sum = 0;
    int counted = 0;
    const std::size_t classes = rows_->classes();
    for (std::size_t c = classes == 2 ? 1 : 0; c < classes; ++c) {
      double inside = 0;
      double outside = 0;
      double pairs = 0;
      const std::vector<std::uint32_t>& order = orders_[c];
      for (std::size_t i = 0; i < order.size();) {
        double in_here = 0;
        double out_here = 0;
        const float here = score(order[i], c);
        for (; i < order.size() && score(order[i], c) == here; ++i)
          (rows_->truths[chosen_[order[i]]] == c ? in_here : out_here) += weights[order[i]];
        pairs += in_here * (outside + out_here / 2);
        inside += in_here;
        outside += out_here;
      }
      if (inside == 0 || outside == 0) continue;
      sum += pairs / (inside * outside);
      ++counted;
    }
    return counted == 0 ? std::nullopt : std::optional(sum / counted);
  }

  const ScoredRows* rows_;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::vector<std::uint32_t>> orders_;
};

/// The middle 95 % of what repetitions gave, around the figure itself.
std::optional<Estimate> around(std::optional<double> figure, const std::vector<double>& repeated) {
  if (!figure) return std::nullopt;
  auto spread = estimate(repeated);
  if (!spread) return Estimate{.mean = *figure, .low = *figure, .high = *figure, .sd = 0};
  spread->mean = *figure;
  return spread;
}

/// Runs `repetitions` figures through `draw` and puts their spread around `exact`.
template <class Draw>
FigureEstimates spread_around(const Figures& exact, std::size_t repetitions, const Draw& draw) {
  std::vector<std::vector<double>> repeated(std::size(kFigures));
  for (std::size_t i = 0; i < repetitions; ++i) {
    const Figures figures = draw();
    for (std::size_t k = 0; k < std::size(kFigures); ++k)
      if (const auto figure = figures.*kFigures[k].figure) repeated[k].push_back(*figure);
  }
  FigureEstimates estimates;
  for (std::size_t k = 0; k < std::size(kFigures); ++k)
    estimates.*kFigures[k].interval = around(exact.*kFigures[k].figure, repeated[k]);
  return estimates;
}

std::vector<std::uint32_t> rows_of_group(const ScoredRows& rows, std::optional<std::uint32_t> group) {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t row = 0; row < rows.size(); ++row)
    if (!group || rows.groups[row] == *group) chosen.push_back(row);
  return chosen;
}

}  // namespace

Confusion clipped_at_zero(Confusion confusion) {
  for (auto& row : confusion)
    for (double& cell : row) cell = std::max(cell, 0.0);
  return confusion;
}

Figures figures_of(const Confusion& confusion, bool ordered) {
  const std::size_t classes = confusion.size();
  std::vector<double> true_totals(classes);
  std::vector<double> predicted_totals(classes);
  double total = 0;
  double right = 0;
  double distance = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = 0; j < classes; ++j) {
      const double cell = confusion[i][j];
      true_totals[i] += cell;
      predicted_totals[j] += cell;
      total += cell;
      distance += cell * std::abs(static_cast<double>(i) - static_cast<double>(j));
    }
    right += confusion[i][i];
  }
  if (!(total > 0)) return {};
  Figures figures{.accuracy = right / total};
  double recalls = 0;
  double f1_sum = 0;
  double f1_weighted = 0;
  int occurring = 0;
  int concerned = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    const double either = true_totals[i] + predicted_totals[i];
    if (either > 0) {
      const double f1 = 2 * confusion[i][i] / either;
      f1_sum += f1;
      f1_weighted += f1 * true_totals[i] / total;
      ++concerned;
    }
    if (true_totals[i] > 0) {
      recalls += confusion[i][i] / true_totals[i];
      ++occurring;
    }
  }
  if (occurring > 0) figures.balanced_accuracy = recalls / occurring;
  figures.f1_weighted = f1_weighted;
  if (concerned > 0) figures.f1_macro = f1_sum / concerned;
  if (ordered) figures.mae = distance / total;
  return figures;
}

Majority majority_of(const Confusion& confusion) {
  double total = 0;
  double most = 0;
  Majority majority;
  for (std::uint32_t i = 0; i < confusion.size(); ++i) {
    const double own = std::accumulate(confusion[i].begin(), confusion[i].end(), 0.0);
    total += own;
    if (own > most) {
      most = own;
      majority.label = i;
    }
  }
  if (total > 0) majority.accuracy = most / total;
  return majority;
}

Confusion confusion_of(const ScoredRows& rows, std::optional<std::uint32_t> group) {
  Confusion confusion(rows.classes(), std::vector<double>(rows.classes()));
  if (rows.numeric) return confusion;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (!group || rows.groups[row] == *group) ++confusion[rows.truths[row]][rows.predicted[row]];
  return confusion;
}

Json FigureEstimates::to_json() const {
  Json object = Json::object();
  for (const FigureName& one : kFigures) object.set(one.name, gauze::to_json(this->*one.interval));
  return object;
}

Result<FigureEstimates> bootstrap_figures(const ScoredRows& rows, std::optional<std::uint32_t> group,
                                          std::size_t repetitions, RandomWords& random, const Progress& progress) {
  const RowFigures figures(rows, rows_of_group(rows, group));
  std::vector<double> weights(figures.chosen().size(), 1.0);
  const Figures exact = figures.of(weights);
  // units that have a row here, numbered anew: they are what is drawn again
  std::vector<std::uint32_t> unit_of(figures.chosen().size());
  std::vector<std::uint32_t> number(rows.units(), 0xffffffff);
  std::uint32_t units = 0;
  for (std::size_t i = 0; i < unit_of.size(); ++i) {
    std::uint32_t& own = number[rows.unit_of_row[figures.chosen()[i]]];
    if (own == 0xffffffff) own = units++;
    unit_of[i] = own;
  }
  std::vector<double> times(units);
  const FigureEstimates found = spread_around(exact, units == 0 ? 0 : repetitions, [&] {
    if (progress.stop_requested()) return Figures();
    std::fill(times.begin(), times.end(), 0.0);
    for (std::uint32_t i = 0; i < units; ++i) ++times[random.below(units)];
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = times[unit_of[i]];
    return figures.of(weights);
  });
  GAUZE_TRY_VOID(progress.check());
  return found;
}

FigureEstimates noisy_figures(const Confusion& noisy, bool ordered, double noise_scale, std::size_t repetitions,
                              RandomWords& random) {
  const Confusion seen = clipped_at_zero(noisy);
  return spread_around(figures_of(seen, ordered), repetitions, [&] {
    // who else could have been there, and what else could have been drawn
    Confusion again = seen;
    for (auto& row : again)
      for (double& cell : row)
        cell = std::max(0.0, cell + std::sqrt(cell) * normal_draw(random) + laplace_draw(noise_scale, random));
    return figures_of(again, ordered);
  });
}

}  // namespace gauze::learn
