#include "gauze/assess/evaluation/figures.h"

#include <algorithm>

namespace gauze::assess {
namespace {

void put_from(Json& object, const FigurePath& path, std::size_t depth, Json value) {
  if (depth + 1 == path.size()) {
    object.set(path[depth], std::move(value));
    return;
  }
  const Json* inner = object.find(path[depth]);
  Json next = inner != nullptr ? *inner : Json::object();
  put_from(next, path, depth + 1, std::move(value));
  object.set(path[depth], std::move(next));
}

}  // namespace

std::size_t FigureList::find(const FigurePath& path) const {
  return static_cast<std::size_t>(std::find(paths_.begin(), paths_.end(), path) - paths_.begin());
}

std::size_t FigureList::add(FigurePath path) {
  const std::size_t found = find(path);
  if (found == paths_.size()) paths_.push_back(std::move(path));
  return found;
}

void put(Json& object, const FigurePath& path, Json value) { put_from(object, path, 0, std::move(value)); }

}  // namespace gauze::assess
