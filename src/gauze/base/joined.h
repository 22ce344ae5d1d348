#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gauze {

/// The words in one text, with the separator between them: "age, sex".
[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");
/// The words as a sentence names them: "age, sex and zip".
[[nodiscard]] std::string enumerated(const std::vector<std::string>& words);

/// "1 row", "5 rows"; irregular plurals are given.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun, std::string_view plural = {});

}  // namespace gauze
