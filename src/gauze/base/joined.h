#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gauze {

/// The words in one text, with the separator between them: "age, sex".
[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");
/// The words as a sentence names them: "age, sex and zip".
[[nodiscard]] std::string enumerated(const std::vector<std::string>& words);

}  // namespace gauze
