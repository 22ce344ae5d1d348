#pragma once

#include <string_view>
#include <vector>

namespace gauze::text {

/// Cuts a long text into pieces that are divided into words one by one, so that a text of any length takes bounded memory
/// and time in proportion to its length. Texts of up to `longest` bytes stay whole. A piece ends after a blank between two
/// letters if there is one in its second half, so that no word, address or telephone number is cut; else after any blank;
/// else after a comma or the end of a sentence, so that words with their clitics and numbers stay whole where blanks are not
/// usual; else between two characters (then a word may be cut in two, and each part is a word or masked by itself).
[[nodiscard]] std::vector<std::string_view> document_pieces(std::string_view text, std::size_t longest = 65'536);

}  // namespace gauze::text
