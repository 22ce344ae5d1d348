#pragma once

#include <string>
#include <string_view>

namespace gauze::text {

/// What a reader of a page sees of a document in HTML: its text without tags, comments, declarations, scripts and styles, with
/// entities decoded. A fragment is understood as browsers do: a tag, comment or script that is not closed reaches to the end.
///
/// A tag that begins a new line on the page (br, p, div, li, td and the like) leaves a blank where there is none; tags within words
/// leave nothing ("un<b>believ</b>able" is one word). Control characters that entities stand for, line ends among them, become blanks:
/// a document stays on its line. Entities are the 252 of HTML 4 and &apos; with a semicolon, and characters by number; what is none
/// stays as it is.
///
/// The text must be UTF-8; so is the result.
[[nodiscard]] std::string text_of_html(std::string_view html);

}  // namespace gauze::text
