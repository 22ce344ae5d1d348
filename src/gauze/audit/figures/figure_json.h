#pragma once

#include <optional>

#include "gauze/files/json.h"

namespace gauze::audit {

/// A figure that may be absent: null then.
template <class Figure>
[[nodiscard]] Json figure_json(const std::optional<Figure>& figure) {
  return figure ? Json(*figure) : Json();
}

}  // namespace gauze::audit
