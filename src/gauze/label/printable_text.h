#pragma once

#include <string>
#include <string_view>

namespace gauze {

/// The text as valid UTF-8 without control characters: each offending byte becomes U+FFFD, blanks of every kind
/// become a plain blank. Whatever came from a command line or a file goes through here before it is shown, so that it
/// can neither steer a terminal nor break JSON.
[[nodiscard]] std::string printable(std::string_view text);

/// Whether printable() would leave the text as it is.
[[nodiscard]] bool is_printable(std::string_view text);

/// Whether the text, which must be printable, has characters that take no room: zero-width spaces, soft hyphens,
/// direction marks, fillers, variation selectors, tags. Two names that differ in them alone look the same. The two
/// joiners, which some scripts and pictures are written with, can be let pass.
enum class Joiners { count, pass };
[[nodiscard]] bool has_invisible(std::string_view text, Joiners joiners = Joiners::count);

/// How many characters (code points) the text has.
[[nodiscard]] int text_width(std::string_view text);

/// Breaks one paragraph at blanks so that no line is wider than `width` (a longer word stays whole). Every line after
/// the first begins with `indent` blanks; the first is taken to begin after `first_column` characters already
/// written. The result has no line break at its end.
[[nodiscard]] std::string wrap_text(std::string_view text, int width, int indent = 0, int first_column = 0);

}  // namespace gauze
