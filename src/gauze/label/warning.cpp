#include "gauze/label/warning.h"

namespace gauze {

Json to_json(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings)
    list.push(Json::object({{"code", warning.code}, {"message", warning.message}}));
  return list;
}

}  // namespace gauze
