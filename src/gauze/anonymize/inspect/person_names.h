#pragma once

#include <string_view>

namespace gauze::anonymize {

/// What a cell may be, judged by itself.
enum class NameForm {
  none,
  capitals,  ///< two to four words with capitals: a person, a place, a title
  known,     ///< the same, with a given name or a surname that many people have where names begin
  chinese,   ///< two to four characters of which the first is a common surname
};

/// "Anna Berg", "Berg, Anna", "Wang Wei" and the like, or a Chinese name.
[[nodiscard]] NameForm name_form(std::string_view value);

}  // namespace gauze::anonymize
