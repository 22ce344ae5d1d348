#pragma once

#include <string>
#include <vector>

#include "gauze/files/json.h"

namespace gauze {

/// What the reader of a result should know besides it. Never quotes data, except where the result is the owner's own.
struct Warning {
  /// What it is about decides who hears of it: nobody may overlook what concerns privacy.
  enum class Subject { usage, privacy };

  std::string code;  ///< for programs, in snake_case; stable
  std::string message;
  Subject subject = Subject::usage;

  [[nodiscard]] static Warning of_privacy(std::string code, std::string message) {
    return {std::move(code), std::move(message), Subject::privacy};
  }
};

/// `[{"code","message"}]`, as under "warnings" of every JSON result.
[[nodiscard]] Json to_json(const std::vector<Warning>& warnings);

}  // namespace gauze
