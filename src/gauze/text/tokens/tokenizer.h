#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/words.h"

namespace gauze::text {

/// Whose rules divide text besides those of every script.
enum class Language {
  automatic,  ///< those of both
  english,    ///< clitics
  chinese,    ///< numbers in characters
};

/// As users name them.
inline constexpr Words<Language, 3> kLanguageWords = {
    {{Language::automatic, "auto"}, {Language::english, "en"}, {Language::chinese, "zh"}}};
[[nodiscard]] constexpr std::string_view to_string(Language language) { return word_of(kLanguageWords, language); }

/// What a stretch of text is.
enum class TokenKind {
  word,     ///< may be replaced
  number,   ///< digits without letters, with the signs of numbers; two Chinese numerals or more
  address,  ///< e-mail, web address, @handle
  phone,    ///< seven digits or more with blanks, dashes, dots or brackets between them; as many Chinese figures
  symbol,   ///< pictures (emoji), signs of currencies and arithmetic, other symbols, private characters
  layout,   ///< blanks, punctuation, invisible characters: stays as it is
};

struct Token {
  std::size_t begin = 0;
  std::size_t end = 0;
  TokenKind kind = TokenKind::layout;
  friend bool operator==(const Token&, const Token&) = default;
};

/// Words of Chinese with their frequencies, as jieba has them: "word frequency [tag]" a line.
class SegmentationDictionary {
 public:
  /// `bad_data` names the line.
  [[nodiscard]] static Result<SegmentationDictionary> parse(std::string_view text);
  [[nodiscard]] static Result<SegmentationDictionary> read(const std::string& path);
  SegmentationDictionary(SegmentationDictionary&&) noexcept;
  SegmentationDictionary& operator=(SegmentationDictionary&&) noexcept;
  ~SegmentationDictionary();

  /// The most probable division of a run of Chinese characters into words (unigrams, Viterbi): where each word ends, in
  /// bytes. A character that is in no word stands alone.
  void divide(std::string_view run, std::vector<std::size_t>& ends) const;

 private:
  struct Words;
  SegmentationDictionary();
  std::unique_ptr<Words> words_;
};

/// Divides text into tokens that cover it without a gap: ICU's word boundaries, or the dictionary's in runs of Chinese
/// characters. Addresses and telephone numbers are found first (internal/sensitive_stretches.h).
///
/// English : a clitic that stands alone is one word with its apostrophe, ' or ’ ("it 's", 电影's). One at the end of a word
///           stays in it ("don't"): whether to divide there depends on the vocabulary (document_plan.h).
/// Chinese : two numerals or more are a number (internal/chinese_numerals.h): 一百二十|元.
///
/// Thread safety: one object a thread.
class Tokenizer {
 public:
  /// The dictionary must outlive the tokenizer.
  explicit Tokenizer(const SegmentationDictionary* dictionary = nullptr, Language language = Language::automatic);
  Tokenizer(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// The text must be UTF-8. Replaces what is in `tokens`.
  void split(std::string_view text, std::vector<Token>& tokens);

 private:
  struct State;
  void split_plain(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& tokens);
  void add_word(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& tokens) const;
  /// Divides the runs of Chinese characters anew, each as a whole, from a token on: ICU has divided them by its own words.
  void divide_chinese(std::string_view text, std::size_t first, std::vector<Token>& tokens) const;
  std::unique_ptr<State> state_;
  const SegmentationDictionary* dictionary_;
  Language language_;
};

}  // namespace gauze::text
