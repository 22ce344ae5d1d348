// How an evaluation answers requirements: on its epsilons, and once more between the last that fails and the first that passes.
#include "gauze/assess/evaluation/requirements_check.h"

#include <cmath>
#include <limits>

#include "gauze/assess/evaluation/evaluation.h"
#include "gauze/base/joined.h"

namespace gauze::assess {
namespace {

constexpr int kRefinements = 9;

/// Between two epsilons, on the logarithmic scale, with three digits.
std::vector<Rational> between(const Rational& low, const Rational& high) {
  const double ratio = high.to_double() / low.to_double();
  std::vector<Rational> epsilons;
  for (int i = 1; i <= kRefinements; ++i) {
    const double value = low.to_double() * std::pow(ratio, static_cast<double>(i) / (kRefinements + 1));
    const Rational rounded = *Rational::parse(fmt::format("{:.2e}", value));
    if (rounded > (epsilons.empty() ? low : epsilons.back()) && rounded < high) epsilons.push_back(rounded);
  }
  return epsilons;
}

}  // namespace

std::optional<double> number_at(const Json& document, std::string_view path) {
  if (document.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (path.empty()) {
    if (document.text().empty()) return std::nullopt;
    const auto value = Rational::parse(document.text());
    return value ? std::optional(value->to_double()) : std::nullopt;
  }
  if (document.members() == nullptr) return std::nullopt;
  for (const auto& [key, value] : *document.members()) {
    if (!path.starts_with(key)) continue;
    const std::string_view rest = path.substr(key.size());
    if (!rest.empty() && rest[0] != '.') continue;
    if (const auto found = number_at(value, rest.empty() ? rest : rest.substr(1))) return found;
  }
  return std::nullopt;
}

Result<std::vector<std::vector<double>>> Evaluation::required_values(std::size_t epsilon) const {
  std::vector<std::vector<double>> values;
  std::optional<Json> document;
  for (const Requirement& one : setting_->requirements) {
    std::optional<std::size_t> figure;
    for (std::size_t i = 0; i < runs_->figures.size(); ++i)
      if (joined(runs_->figures.path(i), ".") == one.figure) figure = i;
    if (figure) {
      values.push_back(runs_->values[epsilon][*figure]);
      continue;
    }
    if (!document) document = epsilon_json(epsilon);
    const auto number = number_at(*document, one.figure);
    if (!number)
      return invalid_parameter(
          "the requirement '{}' names no figure: an epsilon's document has none at {}; the names are those of "
          "docs/formats/evaluation.md, such as tvd, accuracy, eod.COLUMN, utility.score",
          one.text, one.figure);
    values.emplace_back(static_cast<std::size_t>(setting_->repetitions), *number);
  }
  return values;
}

Result<Evaluation> Evaluation::at_epsilons(std::vector<Rational> epsilons, Progress& progress) const {
  Evaluation other;
  other.setting_ = std::make_unique<EvaluationSetting>(*setting_);
  other.setting_->epsilons = std::move(epsilons);
  other.data_ = data_;
  other.columns_ = columns_;
  other.baselines_ = baselines_;
  GAUZE_TRY_VOID(other.prepare());
  GAUZE_TRY(other.runs_, other.sweep_->run(progress));
  return other;
}

Result<void> Evaluation::check_requirements(Progress& progress) {
  const std::vector<Requirement>& requirements = setting_->requirements;
  const double certainty = setting_->certainty.to_double();
  RequirementsAnswer answer;
  answer.requirements = requirements;
  answer.certainty = certainty;
  std::vector<std::vector<std::vector<double>>> values;  // [epsilon][requirement][run]
  std::vector<Confirmation> confirmations;
  for (std::size_t e = 0; e < setting_->epsilons.size(); ++e) {
    GAUZE_TRY(auto here, required_values(e));
    confirmations.push_back(confirm(requirements, here));
    values.push_back(std::move(here));
  }
  const std::size_t first = first_passing(confirmations, certainty);
  if (first < confirmations.size()) {
    answer.epsilon = setting_->epsilons[first];
    answer.confirmation = confirmations[first];
    answer.smallest_tried = first == 0;
    std::vector<Rational> finer;
    if (first > 0) finer = between(setting_->epsilons[first - 1], setting_->epsilons[first]);
    if (!finer.empty()) {
      GAUZE_TRY(const Evaluation refined, at_epsilons(finer, progress));
      std::vector<Confirmation> between_them;
      for (std::size_t e = 0; e < finer.size(); ++e) {
        GAUZE_TRY(const auto here, refined.required_values(e));
        between_them.push_back(confirm(requirements, here));
      }
      const std::size_t place = first_passing(between_them, certainty);
      if (place < finer.size()) {
        answer.epsilon = finer[place];
        answer.confirmation = between_them[place];
      }
    }
    requirements_ = std::move(answer);
    return {};
  }
  // What cannot be met alone; where each can be, but not together with the others, all of them.
  std::vector<RequirementsAnswer::Unmet> all;
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    std::vector<Confirmation> alone;
    std::size_t closest = 0;
    for (std::size_t e = 0; e < values.size(); ++e) {
      alone.push_back(confirm({requirements[i]}, {values[e][i]}));
      const auto mean_of_runs = [&](std::size_t epsilon) {
        const auto found = estimate(values[epsilon][i]);
        return found ? found->mean : std::nan("");
      };
      const double mean = mean_of_runs(e);
      const double best = mean_of_runs(closest);
      const bool nearer = std::isnan(best) || (requirements[i].at_most ? mean < best : mean > best);
      if (alone[e].hits > alone[closest].hits || (alone[e].hits == alone[closest].hits && nearer)) closest = e;
    }
    const auto mean = estimate(values[closest][i]);
    RequirementsAnswer::Unmet& one = all.emplace_back();
    one = {.requirement = requirements[i].text,
           .epsilon = setting_->epsilons[closest],
           .value = mean ? std::optional(mean->mean) : std::nullopt,
           .share = alone[closest].share(),
           .lost = {}};
    // A figure that grows with epsilon may be met where it is small, and be lost at larger ones.
    if (first_passing({alone[closest]}, certainty) == 0) {
      for (std::size_t e = alone.size(); e-- > closest + 1 && !one.lost;)
        if (first_passing({alone[e]}, certainty) != 0)
          one.lost = RequirementsAnswer::Lost{setting_->epsilons[e], alone[e].share()};
    }
    if (first_passing(alone, certainty) == alone.size()) answer.unmet.push_back(all.back());
  }
  if (answer.unmet.empty()) answer.unmet = std::move(all);
  requirements_ = std::move(answer);
  return {};
}

std::string RequirementsAnswer::text() const {
  if (epsilon)
    return fmt::format(
        "Epsilon {} is the smallest {} from which on the requirements are met: in {} of {} repetitions, so with 95 % confidence in "
        "at least {:.1f} % of releases.{}",
        epsilon->to_decimal(), smallest_tried ? "that was tried, and one" : "found", confirmation.hits,
        confirmation.runs, std::floor(1000 * confirmation.low) / 10,
        smallest_tried ? " A smaller one may do as well." : "");
  std::vector<std::string> parts;
  for (const Unmet& one : unmet)
    parts.push_back(fmt::format(
        "{} comes closest at epsilon {}, {}, met in {:.0f} % of the repetitions{}", one.requirement,
        one.epsilon.to_decimal(),
        one.value ? fmt::format("with {:.4g} on average", *one.value) : "where it is not scored", 100 * one.share,
        one.lost ? fmt::format(", but not from there on: at epsilon {} in {:.0f} %", one.lost->epsilon.to_decimal(),
                               100 * one.lost->share)
                 : ""));
  return fmt::format("No epsilon that was tried meets the requirements{}: {}.",
                     unmet.size() > 1 && unmet.size() == requirements.size() ? " together" : "", joined(parts, "; "));
}

Json RequirementsAnswer::to_json() const {
  Json asked = Json::array();
  for (const Requirement& one : requirements) asked.push(one.text);
  Json missing = Json::array();
  for (const Unmet& one : unmet)
    missing.push(Json::object({{"requirement", one.requirement},
                               {"epsilon", Json::number(one.epsilon.to_decimal())},
                               {"value", one.value ? Json(*one.value) : Json()},
                               {"share", one.share},
                               {"lost_at", one.lost ? Json::number(one.lost->epsilon.to_decimal()) : Json()},
                               {"lost_share", one.lost ? Json(one.lost->share) : Json()}}));
  return Json::object({{"asked", std::move(asked)},
                       {"certainty", certainty},
                       {"epsilon", epsilon ? Json::number(epsilon->to_decimal()) : Json()},
                       {"smallest_tried", smallest_tried},
                       {"share", epsilon ? Json(confirmation.share()) : Json()},
                       {"share_at_least", epsilon ? Json(confirmation.low) : Json()},
                       {"unmet", std::move(missing)},
                       {"text", text()}});
}

}  // namespace gauze::assess
