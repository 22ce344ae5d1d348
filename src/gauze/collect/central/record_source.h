#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "gauze/base/error.h"

namespace gauze::collect {

/// Takes records of one task: payloads one after the other, each as long as the task's.
using RecordSink = std::function<void(std::string_view payloads)>;

/// Where queries find the records of one version of a central task. Whoever stores them implements it; a query reads it once.
class RecordSource {
 public:
  virtual ~RecordSource() = default;

  /// Hands over every record of the periods from..to, both included, each once, in any order and in pieces of any size. Never more than
  /// reports_per_period of an enrolment in a period: the guarantee of every answer stands on it. That there are none is no error.
  [[nodiscard]] virtual Result<void> read(std::uint32_t from, std::uint32_t to, const RecordSink& sink) = 0;
};

}  // namespace gauze::collect
