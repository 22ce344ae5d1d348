#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/collect/mechanisms/local_mechanism.h"
#include "gauze/collect/task/value_list.h"

namespace gauze::collect {

/// A number on [low, high], in whole units of 10^-places.
struct NumberField {
  std::int64_t low = 0;  ///< in units
  std::int64_t high = 0;
  int places = 0;

  [[nodiscard]] std::uint64_t range() const {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  }
  /// Units as a decimal: "12.50".
  [[nodiscard]] std::string text(std::int64_t units) const;
  /// A number of the field, from exact decimals. Refuses an empty range, one of 2^62 units or more (2^31 where squares are
  /// asked for), and ends that are no whole units.
  [[nodiscard]] static Result<NumberField> make(const Rational& low, const Rational& high, int places, bool squares);
};

/// What a task lets a device spend, on top of the app's own limits.
struct TaskLimits {
  std::optional<std::uint32_t> reports_per_period = {};
  std::optional<std::int64_t> window_seconds = {};
  std::optional<std::uint64_t> window_nano = {};
  std::optional<std::uint64_t> lifetime_nano = {};
};

/// What a person says who wants to collect something (docs/formats/collect.md). Texts that are absent are empty.
struct TaskSpec {
  std::string name;
  Question question = Question::frequency;
  ValueList values;    ///< of a frequency
  bool other = false;  ///< the last of them stands for all that is not listed
  NumberField number;  ///< of a mean
  bool variance = false;
  std::string mechanism = "auto";
  std::uint64_t epsilon_nano = 0;
  TaskLimits limits;
  std::optional<std::uint64_t> users;

  std::string purpose;
  std::string legal_basis;
  std::optional<std::int64_t> period_seconds;  ///< absent: a day
  std::string validity;                        ///< a date
  std::string detection;
  std::string entry;
  std::string depth;
  std::optional<std::int64_t> retention_seconds;
  std::string source;  ///< of the data, with the two after it: its classification
  std::string type;
  std::string importance;
  std::string profile;
  std::string deviation;
  std::string justification;
  std::string contact;

  [[nodiscard]] std::uint32_t size() const { return question == Question::frequency ? values.size() : 0; }
  [[nodiscard]] std::int64_t period() const { return period_seconds.value_or(86'400); }
  /// What an organisation must say and has not, by its place in the file: "collection.validity".
  [[nodiscard]] std::vector<std::string> missing() const;
};

/// Reads a specification. Total: any bytes give one or an error with its line.
[[nodiscard]] Result<TaskSpec> parse_task_spec(std::string_view yaml, std::string_view name = "");

/// What every specification must obey, wherever it comes from: the name, the ceiling of its profile (`not_private`).
[[nodiscard]] Result<void> check_task_spec(const TaskSpec& spec);

}  // namespace gauze::collect
