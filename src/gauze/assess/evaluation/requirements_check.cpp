// How an evaluation answers requirements: on its epsilons, and once more between the last that fails and the first that passes.
#include "gauze/assess/evaluation/requirements_check.h"

#include <cmath>
#include <limits>

#include "gauze/assess/evaluation/evaluation.h"
#include "gauze/base/joined.h"

namespace gauze::assess {
namespace {

constexpr int kRefinements = 9;

/// "1", or "1 with k = 5" where several k were tried.
std::string named(const Rational& epsilon, const std::optional<std::uint64_t>& k) {
  return k ? fmt::format("{} with k = {}", epsilon.to_decimal(), *k) : epsilon.to_decimal();
}

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

std::vector<Series> series_of(const std::vector<Candidate>& candidates, const Eligible& eligible) {
  std::vector<Series> all;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!eligible.empty() && eligible[i] == 0) continue;
    if (all.empty() || all.back().k != candidates[i].k) all.push_back({.k = candidates[i].k, .places = {}});
    all.back().places.push_back(i);
  }
  return all;
}

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

Result<std::vector<std::vector<double>>> Evaluation::required_values(std::size_t candidate) const {
  std::vector<std::vector<double>> values;
  std::optional<Json> document;
  for (const Requirement& one : setting_->requirements) {
    std::optional<std::size_t> figure;
    for (std::size_t i = 0; i < runs_->figures.size(); ++i)
      if (joined(runs_->figures.path(i), ".") == one.figure) figure = i;
    if (figure) {
      values.push_back(runs_->values[candidate][*figure]);
      continue;
    }
    if (!document) document = candidate_json(candidate);
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

Result<Evaluation> Evaluation::at_epsilons(std::vector<Rational> epsilons, std::vector<std::uint64_t> ks,
                                           Progress& progress) const {
  Evaluation other;
  other.setting_ = std::make_unique<EvaluationSetting>(*setting_);
  other.setting_->epsilons = std::move(epsilons);
  other.setting_->ks = std::move(ks);
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
  std::vector<std::vector<std::vector<double>>> values;  // [candidate][requirement][run]
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    GAUZE_TRY(auto here, required_values(i));
    values.push_back(std::move(here));
  }
  const std::vector<Series> series = series_of(candidates_, eligible_);
  std::vector<std::size_t> first;  // of each series the place that passes with all larger epsilons; its size: none
  for (const Series& one : series) {
    std::vector<Confirmation> confirmations;
    for (const std::size_t i : one.places) confirmations.push_back(confirm(requirements, values[i]));
    first.push_back(first_passing(confirmations, certainty));
    if (first.back() == one.places.size()) continue;
    const std::size_t place = one.places[first.back()];
    const Rational& epsilon = candidates_[place].epsilon;
    // The smallest epsilon, then the largest k: series come with rising k.
    if (answer.epsilon && *answer.epsilon < epsilon) continue;
    answer.epsilon = epsilon;
    answer.k = setting_->ks.empty() ? std::nullopt : std::optional(one.k);
    answer.confirmation = confirmations[first.back()];
    answer.smallest_tried = first.back() == 0;
  }
  if (!answer.epsilon) {
    GAUZE_TRY(answer.unmet, find_unmet(series, values));
    requirements_ = std::move(answer);
    return {};
  }
  // Once more, between the last that fails and the first that passes, for every k that passes there.
  std::vector<std::uint64_t> ks;
  std::vector<Rational> finer;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (first[i] == 0 || first[i] == series[i].places.size()) continue;
    if (candidates_[series[i].places[first[i]]].epsilon != *answer.epsilon) continue;
    ks.push_back(series[i].k);
    finer = between(candidates_[series[i].places[first[i] - 1]].epsilon, *answer.epsilon);
  }
  if (!finer.empty() && !answer.smallest_tried) {
    GAUZE_TRY(const Evaluation refined, at_epsilons(finer, setting_->ks.empty() ? setting_->ks : ks, progress));
    for (const Series& one : series_of(refined.candidates_, {})) {
      std::vector<Confirmation> confirmations;
      for (const std::size_t i : one.places) {
        GAUZE_TRY(const auto here, refined.required_values(i));
        confirmations.push_back(confirm(requirements, here));
      }
      const std::size_t place = first_passing(confirmations, certainty);
      if (place == one.places.size() || *answer.epsilon < refined.candidates_[one.places[place]].epsilon) continue;
      answer.epsilon = refined.candidates_[one.places[place]].epsilon;
      if (answer.k) answer.k = one.k;
      answer.confirmation = confirmations[place];
    }
  }
  requirements_ = std::move(answer);
  return {};
}

Result<std::vector<RequirementsAnswer::Unmet>> Evaluation::find_unmet(
    const std::vector<Series>& series, const std::vector<std::vector<std::vector<double>>>& values) const {
  const std::vector<Requirement>& requirements = setting_->requirements;
  const double certainty = setting_->certainty.to_double();
  // What cannot be met alone; where each can be, but not together with the others, all of them.
  std::vector<RequirementsAnswer::Unmet> all;
  std::vector<RequirementsAnswer::Unmet> alone_unmet;
  for (std::size_t r = 0; r < requirements.size(); ++r) {
    const auto mean_of_runs = [&](std::size_t candidate) {
      const auto found = estimate(values[candidate][r]);
      return found ? found->mean : std::nan("");
    };
    std::optional<std::size_t> closest;
    Confirmation closest_one;
    const Series* closest_series = nullptr;
    bool met_somewhere = false;
    for (const Series& one : series) {
      std::vector<Confirmation> alone;
      for (const std::size_t i : one.places) {
        alone.push_back(confirm({requirements[r]}, {values[i][r]}));
        const double mean = mean_of_runs(i);
        const double best = closest ? mean_of_runs(*closest) : std::nan("");
        const bool nearer = std::isnan(best) || (requirements[r].at_most ? mean < best : mean > best);
        if (closest && !(alone.back().hits > closest_one.hits || (alone.back().hits == closest_one.hits && nearer)))
          continue;
        closest = i;
        closest_one = alone.back();
        closest_series = &one;
      }
      met_somewhere = met_somewhere || first_passing(alone, certainty) < alone.size();
    }
    if (!closest) continue;
    const auto mean = estimate(values[*closest][r]);
    RequirementsAnswer::Unmet& one = all.emplace_back();
    one = {.requirement = requirements[r].text,
           .epsilon = candidates_[*closest].epsilon,
           .k = setting_->ks.empty() ? std::nullopt : std::optional(candidates_[*closest].k),
           .value = mean ? std::optional(mean->mean) : std::nullopt,
           .share = closest_one.share(),
           .lost = {}};
    // A figure that grows with epsilon may be met where it is small, and be lost at larger ones.
    if (first_passing({closest_one}, certainty) == 0) {
      for (auto place = closest_series->places.rbegin(); *place > *closest && !one.lost; ++place) {
        const Confirmation here = confirm({requirements[r]}, {values[*place][r]});
        if (first_passing({here}, certainty) != 0)
          one.lost = RequirementsAnswer::Lost{candidates_[*place].epsilon, here.share()};
      }
    }
    if (!met_somewhere) alone_unmet.push_back(one);
  }
  return alone_unmet.empty() ? all : alone_unmet;
}

std::string RequirementsAnswer::text() const {
  if (epsilon)
    return fmt::format(
        "Epsilon {} is the smallest {} from which on the requirements are met: in {} of {} repetitions, so with 95 % confidence in "
        "at least {:.1f} % of releases.{}",
        named(*epsilon, k), smallest_tried ? "that was tried, and one" : "found", confirmation.hits,
        confirmation.runs, std::floor(1000 * confirmation.low) / 10,
        smallest_tried ? " A smaller one may do as well." : "");
  std::vector<std::string> parts;
  for (const Unmet& one : unmet)
    parts.push_back(fmt::format(
        "{} comes closest at epsilon {}, {}, met in {:.0f} % of the repetitions{}", one.requirement,
        named(one.epsilon, one.k),
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
  for (const Unmet& one : unmet) {
    Json entry =
        Json::object({{"requirement", one.requirement}, {"epsilon", Json::number(one.epsilon.to_decimal())}});
    if (one.k) entry.set("k", *one.k);
    entry.set("value", one.value ? Json(*one.value) : Json())
        .set("share", one.share)
        .set("lost_at", one.lost ? Json::number(one.lost->epsilon.to_decimal()) : Json())
        .set("lost_share", one.lost ? Json(one.lost->share) : Json());
    missing.push(std::move(entry));
  }
  Json object = Json::object({{"asked", std::move(asked)},
                              {"certainty", certainty},
                              {"epsilon", epsilon ? Json::number(epsilon->to_decimal()) : Json()}});
  if (k) object.set("k", *k);
  object.set("smallest_tried", smallest_tried)
      .set("share", epsilon ? Json(confirmation.share()) : Json())
      .set("share_at_least", epsilon ? Json(confirmation.low) : Json())
      .set("unmet", std::move(missing))
      .set("text", text());
  return object;
}

}  // namespace gauze::assess
