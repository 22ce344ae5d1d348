#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::collect {

/// What everybody says who wants to collect something, whatever it is (docs/formats/collect.md). Texts that are absent are empty.
struct TaskTerms {
  std::string name;
  std::uint64_t epsilon_nano = 0;  ///< of one report; of a central task of all answers, for life
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

  [[nodiscard]] std::int64_t period() const { return period_seconds.value_or(86'400); }
  /// What an organisation must say and has not, by its place in the file: "collection.validity".
  [[nodiscard]] std::vector<std::string> missing() const;
};

[[nodiscard]] Result<void> check_task_name(std::string_view name);

}  // namespace gauze::collect
