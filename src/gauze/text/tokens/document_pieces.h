#pragma once

#include <string_view>
#include <vector>

namespace gauze::text {

/// Cuts a long text into pieces that are divided into words one by one, so that a text of any length takes time in
/// proportion to it. Texts of up to `longest` bytes stay whole. A piece ends in its second half, at the best place there is:
/// behind a blank between two letters; behind another blank or punctuation of Chinese; behind a comma or the end of a
/// sentence; between two letters of a script without blanks; between any two characters. The last two may cut a word in
/// two, and each part is a word or masked by itself.
///
/// Never cut are addresses and telephone numbers, of whatever length, lest what is left of one be printed as a number: a
/// piece is longer than asked if one of them is. For numbers in Chinese characters it may be sixteen times as long.
[[nodiscard]] std::vector<std::string_view> document_pieces(std::string_view text, std::size_t longest = 65'536);

}  // namespace gauze::text
