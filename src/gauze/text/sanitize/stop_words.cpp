#include "gauze/text/sanitize/stop_words.h"

#include <algorithm>
#include <array>

#include "gauze/text/sanitize/word_lookup.h"
#include "gauze/text/vectors/word_list.h"

namespace gauze::text {

std::span<const std::string_view> common_stop_words(Language language) {
  // English first, then Chinese.
  static constexpr auto kWords = std::to_array<std::string_view>({
      "a",          "about",   "above",   "after",  "again",   "against",    "all",   "also",    "although",
      "am",         "among",   "an",      "and",    "any",     "are",        "as",    "at",      "be",
      "because",    "been",    "before",  "being",  "below",   "between",    "both",  "but",     "by",
      "can",        "could",   "did",     "do",     "does",    "doing",      "down",  "during",  "each",
      "either",     "every",   "few",     "for",    "from",    "further",    "had",   "has",     "have",
      "having",     "he",      "her",     "here",   "hers",    "herself",    "him",   "himself", "his",
      "how",        "i",       "if",      "in",     "into",    "is",         "it",    "its",     "itself",
      "just",       "may",     "me",      "might",  "more",    "most",       "must",  "my",      "myself",
      "neither",    "no",      "nor",     "not",    "now",     "of",         "off",   "on",      "once",
      "only",       "or",      "other",   "our",    "ours",    "ourselves",  "out",   "over",    "own",
      "same",       "shall",   "she",     "should", "since",   "so",         "some",  "such",    "than",
      "that",       "the",     "their",   "theirs", "them",    "themselves", "then",  "there",   "these",
      "they",       "this",    "those",   "though", "through", "to",         "too",   "under",   "until",
      "up",         "upon",    "us",      "very",   "was",     "we",         "were",  "what",    "when",
      "where",      "whether", "which",   "while",  "who",     "whom",       "whose", "why",     "will",
      "with",       "within",  "without", "would",  "yet",     "you",        "your",  "yours",   "yourself",
      "yourselves", "'s",      "'re",     "'ve",    "'ll",     "'d",         "'m",    "'t",      "n't",
      "的",         "了",      "和",      "是",     "在",      "也",         "就",    "都",      "而",
      "及",         "与",      "或",      "但",     "但是",    "因为",       "所以",  "如果",    "虽然",
      "然而",       "不",      "没",      "没有",   "很",      "还",         "又",    "再",      "只",
      "把",         "被",      "给",      "对",     "对于",    "关于",       "从",    "向",      "到",
      "由",         "于",      "以",      "为",     "为了",    "之",         "其",    "这",      "那",
      "这个",       "那个",    "这些",    "那些",   "我",      "你",         "他",    "她",      "它",
      "我们",       "你们",    "他们",    "她们",   "它们",    "什么",       "怎么",  "谁",      "哪",
      "哪里",       "着",      "过",      "地",     "得",      "吗",         "呢",    "吧",      "啊",
      "一个",       "一些",    "个",      "会",     "能",      "可以",       "要",    "等",
  });
  constexpr std::string_view kFirstChinese = "的";
  const std::span<const std::string_view> both = kWords;
  const auto english = static_cast<std::size_t>(std::find(both.begin(), both.end(), kFirstChinese) - both.begin());
  if (language == Language::automatic) return both;
  return language == Language::english ? both.first(english) : both.subspan(english);
}

void use_common_stop_words(SanitizePolicy& policy) {
  policy.own_stop_words = false;
  policy.stop_word_list.clear();
  for (const std::string_view word : common_stop_words(policy.language)) policy.stop_word_list.emplace(word);
}

Result<void> use_stop_words(SanitizePolicy& policy, std::string_view list, const std::string& name) {
  GAUZE_TRY(const std::vector<std::string_view> words, words_of_list(list, name));
  if (words.empty()) return make_error(ErrorCode::bad_data, "{} names no word", name);
  policy.own_stop_words = true;
  policy.stop_word_list.clear();
  for (const std::string_view word : words) policy.stop_word_list.insert(list_form(word));
  return {};
}

}  // namespace gauze::text
