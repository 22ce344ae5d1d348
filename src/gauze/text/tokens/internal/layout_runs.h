#pragma once

#include <string_view>
#include <vector>

#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text::internal {

/// Divides a stretch that ICU calls neither word nor number into what is truly layout and what can carry content. ICU's
/// verdict is that of the last rule it applied: a name followed by an invisible character or an emoji may have it.
///
/// Letters, combining marks and digits of any script are words (numbers when there are no letters: also circled and raised
/// ones); pictures, signs of currencies and arithmetic, other symbols, private and unassigned characters, tags and variation
/// selectors are symbols; of ASCII $ + < = > ^ | ~. Left for layout: blanks, punctuation (with `), controls, invisible format
/// characters.
/// Appends tokens that cover [begin, end) of the text, which must be UTF-8.
void add_layout_runs(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& tokens);

}  // namespace gauze::text::internal
