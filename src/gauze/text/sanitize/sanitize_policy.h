#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "gauze/base/words.h"
#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text {

/// What becomes of a kind of token.
enum class TokenPolicy {
  mask,     ///< ***
  drop,     ///< nothing is printed
  keep,     ///< the token itself: whoever reads the output reads it
  replace,  ///< drawn by the mechanism; of an unknown word, for the word of the vocabulary that is spelt most alike
};
inline constexpr Words<TokenPolicy, 4> kTokenPolicyWords = {{{TokenPolicy::mask, "mask"},
                                                             {TokenPolicy::drop, "drop"},
                                                             {TokenPolicy::keep, "keep"},
                                                             {TokenPolicy::replace, "replace"}}};
inline constexpr std::string_view kMask = "***";

struct SanitizePolicy {
  Language language = Language::automatic;           ///< whose rules divide words
  TokenPolicy unknown = TokenPolicy::mask;           ///< words that the vocabulary does not have
  TokenPolicy numbers = TokenPolicy::mask;           ///< numbers; replace: those that the vocabulary has, else masked
  TokenPolicy addresses = TokenPolicy::mask;         ///< e-mail and web addresses, telephone numbers; never replaced
  TokenPolicy symbols = TokenPolicy::mask;           ///< emoji and other symbols; never replaced
  TokenPolicy stop_words = TokenPolicy::replace;     ///< words of the list below
  std::unordered_set<std::string> stop_word_list{};  ///< public, in small letters (stop_words.h)
  bool own_stop_words = false;                       ///< the list is none of those that come with Gauze
};

/// A kind of token, as flags and labels call it, and where its policy is.
struct NamedPolicy {
  const char* flag;
  const char* parameter;
  TokenPolicy SanitizePolicy::*policy;
};
inline constexpr NamedPolicy kTokenPolicies[] = {{"unknown", "unknown", &SanitizePolicy::unknown},
                                                 {"numbers", "numbers", &SanitizePolicy::numbers},
                                                 {"addresses", "addresses", &SanitizePolicy::addresses},
                                                 {"symbols", "symbols", &SanitizePolicy::symbols},
                                                 {"stop-words", "stop_word_policy", &SanitizePolicy::stop_words}};

}  // namespace gauze::text
