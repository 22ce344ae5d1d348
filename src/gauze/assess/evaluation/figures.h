#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gauze/files/json.h"

namespace gauze::assess {

/// Where a figure stands in the evaluation document: {"fairness", "sex", "eod_sum"}.
using FigurePath = std::vector<std::string>;

/// The figures of an evaluation by number, so that a run is a plain row of numbers.
class FigureList {
 public:
  /// The number of a figure; the same path has the same number.
  std::size_t add(FigurePath path);
  [[nodiscard]] std::size_t size() const { return paths_.size(); }
  [[nodiscard]] const FigurePath& path(std::size_t figure) const { return paths_[figure]; }
  /// The number of a path that was added; the size of the list for others.
  [[nodiscard]] std::size_t find(const FigurePath& path) const;

 private:
  std::vector<FigurePath> paths_;
};

/// Puts a value at its path into an object, making the objects on the way.
void put(Json& object, const FigurePath& path, Json value);

}  // namespace gauze::assess
