#include "gauze/label/neighbours.h"

namespace gauze {

Result<void> check_one_unit(Neighbours neighbours) {
  for (const auto& one : kOneUnitWords) {
    if (one.first == neighbours) return {};
  }
  return invalid_parameter("a sensitivity is about add-remove or replace-one neighbours, not {}",
                           to_string(neighbours));
}

}  // namespace gauze
