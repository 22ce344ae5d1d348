#include "gauze/label/version.h"

namespace gauze {

std::string_view version() { return GAUZE_VERSION; }

}  // namespace gauze
