#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// The words of a public list, one a line, without the blanks around them; blank lines and a byte order mark are passed over.
/// `bad_data` when it is not UTF-8; `name` is what messages call it.
[[nodiscard]] Result<std::vector<std::string_view>> words_of_list(std::string_view list, const std::string& name);

/// Of every word of the vectors whether such a list has it; `bad_data` when it has none.
[[nodiscard]] Result<std::vector<bool>> marked_words(std::string_view list, const std::string& name,
                                                     const WordVectors& vectors);

}  // namespace gauze::text
