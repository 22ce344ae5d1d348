#pragma once
// An output with its label in one go, for tests.

#include <string>
#include <string_view>

#include "gauze/publish/labelled_output.h"

namespace gauze::publish {

[[nodiscard]] inline Result<void> write_labelled(const std::string& output, std::string_view bytes,
                                                 PrivacyLabel label) {
  GAUZE_TRY(LabelledOutput file, LabelledOutput::create(output));
  GAUZE_TRY_VOID(file.write(bytes));
  return file.commit(label);
}

}  // namespace gauze::publish
