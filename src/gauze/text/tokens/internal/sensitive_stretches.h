#pragma once

#include <string_view>
#include <vector>

#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text::internal {

/// E-mail and web addresses, @handles and telephone numbers in a text, in order, without overlap. By shape alone: it finds
/// what looks like one, and cannot know what is one.
///
/// Addresses are kept on demand: what they take with them of the sentence around is printed, so they end where in doubt.
///   Signs   : those of ASCII that addresses have, in e-mail addresses never two dots or dashes in a row, but
///             full-width forms as well. Any other blank or punctuation ends an address.
///   Letters : of one script, which changes at a dot to Latin only, in web addresses also at a slash and the like:
///             müller@exämple.de, иван@пример.рф. Never of scripts without blanks between words: of 电邮zhang@x.cn谢谢 it is
///             zhang@x.cn, and 张三@例子.中国 is none at all, but words. An @ and a domain behind such a letter are an
///             address: 张三|@x.cn.
///
/// A telephone number has seven digits or more, full-width ones and those of other scripts alike, with at most two blanks,
/// dashes, dots, slashes or brackets between two of them, or one with a blank on either side; invisible characters do not
/// count. Digits that letters touch (A12) count, but belong to the word.
[[nodiscard]] std::vector<Token> sensitive_stretches(std::string_view text);

/// Whether a telephone number might go on over this place: there are digits on either side, and nothing but what may stand
/// between the digits of one.
[[nodiscard]] bool may_part_digits(std::string_view text, std::size_t place);

}  // namespace gauze::text::internal
