#pragma once

#include <string_view>
#include <vector>

#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text::internal {

/// Whether a Chinese numeral (〇 零 一 ... 億, also the forms for cheques) stands at a place of the text.
[[nodiscard]] bool is_chinese_numeral(std::string_view text, std::size_t place);

/// Makes numbers of Chinese numerals: 一百|二|十块钱 becomes the number 一百二十 and the word 块钱.
///
/// A number begins with a word that is made of numerals alone, goes on as long as there are numerals, and has two at least. It
/// may take the beginning of the word behind it (the segmentation of amounts is not reliable), never the end of the word
/// before it: 统一|二十. What the segmentation has for one word with more than numerals in it stays one: 第二, 十二月,
/// 百万富翁. So do everyday words that are made of numerals (千万 "by all means", 万一 "in case"), be they divided or not,
/// where no numeral stands before them: as amounts they would be too round to tell much.
///
/// 伍, 陆 and 万 are surnames as well. Two or three numerals that begin with one (伍六七, 陆仟) are one word: it is drawn or
/// masked, while a number might be kept. Seven single figures or more are a telephone number: 一三八〇〇一三八〇〇〇.
///
/// The tokens must cover the text without a gap, and do so afterwards.
void join_chinese_numerals(std::string_view text, std::vector<Token>& tokens);

}  // namespace gauze::text::internal
