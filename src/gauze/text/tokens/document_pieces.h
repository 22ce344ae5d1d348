#pragma once

#include <string_view>
#include <vector>

#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text {

struct PieceOptions {
  const SegmentationDictionary* dictionary = nullptr;  ///< that words will be divided by
  Language language = Language::automatic;             ///< likewise
  std::size_t longest = 65'536;                        ///< texts of up to so many bytes stay whole
};

/// Cuts a long text into pieces that are divided into words one by one, so that a text of any length takes time in
/// proportion to it. A piece ends in its second half, at the best place there is: behind a blank between two letters; behind
/// another blank or punctuation of Chinese; behind a comma or the end of a sentence; else where a word ends, by the same rules
/// that will divide the pieces, looking some thousand bytes beyond.
///
/// Never cut are addresses and telephone numbers, of whatever length, lest what is left of one be printed as a number: a
/// piece is longer than asked if one of them is. For any other word or number it may be sixteen times as long; one that is
/// longer still is cut, and each part is a word or masked by itself.
[[nodiscard]] std::vector<std::string_view> document_pieces(std::string_view text, const PieceOptions& options = {});

}  // namespace gauze::text
