#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gauze/query/plan/query_plan.h"
#include "gauze/query/run/noisy_table.h"

namespace gauze::query {

/// Two ends between which a number lies, with the probability that was asked for.
struct Box {
  double low = 0;
  double high = 0;
};

/// What aggregates are, given what was measured, and how far off noise can have carried them. Post-processing.
class AnswerValues {
 public:
  AnswerValues(const QueryPlan& plan, const NoisyTable& table) : plan_(plan), table_(table) {}

  /// The value of an aggregate in a row; several for a list of quantiles. Numbers in the units of the column (dates: days).
  [[nodiscard]] double value(std::size_t aggregate, std::size_t row) const;
  [[nodiscard]] std::vector<double> values(std::size_t aggregate, std::size_t row) const;
  /// The chosen value of MODE.
  [[nodiscard]] CellValue chosen(std::size_t aggregate, std::size_t row) const;

  /// The measurements that an aggregate is made of.
  [[nodiscard]] std::vector<std::size_t> measurements_of(std::size_t aggregate) const;
  /// Where an aggregate lies before noise, each of its measurements at this level; none for selections.
  [[nodiscard]] std::optional<Box> box(std::size_t aggregate, std::size_t row, const Rational& level) const;
  /// With 95 %, how many rows the chosen value's rank is off; none for anything but selections.
  [[nodiscard]] std::optional<double> rank_error(std::size_t aggregate) const;

 private:
  [[nodiscard]] double measured(std::size_t measurement, std::size_t row) const;
  [[nodiscard]] Box measured_box(std::size_t measurement, std::size_t row, const Rational& level) const;
  [[nodiscard]] double radius(std::size_t measurement, const Rational& level) const;
  [[nodiscard]] double candidate(std::size_t measurement, std::size_t row) const;

  const QueryPlan& plan_;
  const NoisyTable& table_;
  mutable std::map<std::pair<std::size_t, std::string>, double> radii_;
};

}  // namespace gauze::query
