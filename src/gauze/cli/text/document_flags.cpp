#include "gauze/cli/text/document_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "gauze/table/csv_dialect.h"
#include "gauze/text/sanitize/stop_words.h"
#include "gauze/text/sanitize/word_lookup.h"
#include "gauze/text/statistics/own_words.h"

namespace gauze::cli {

using namespace text;  // the vocabulary of this file

namespace {

/// Whether HTML is stripped.
constexpr Words<bool, 2> kHtmlWords = {{{false, "keep"}, {true, "strip"}}};

/// Unknown words call the last one nearest-subword.
constexpr std::string_view kNearestSubword = "nearest-subword";
constexpr Words<TokenPolicy, 5> kPolicyWords = {{{TokenPolicy::mask, "mask"},
                                                 {TokenPolicy::drop, "drop"},
                                                 {TokenPolicy::keep, "keep"},
                                                 {TokenPolicy::replace, "replace"},
                                                 {TokenPolicy::replace, kNearestSubword}}};

Result<TokenPolicy> policy(const Invocation& invocation, const char* flag) {
  return invocation.value(flag, kPolicyWords);
}

Flag policy_flag(const char* name, const char* help, const char* usual, std::vector<std::string> choices) {
  return Flag{
      .name = name, .placeholder = "WHAT", .help = help, .default_text = usual, .choices = std::move(choices)};
}

}  // namespace

std::vector<Flag> language_flags() {
  return {
      {.name = "language",
       .placeholder = "LANG",
       .help =
           "en divides contractions (do n't), zh finds numbers in characters, each has stop words of its own, auto is both",
       .default_text = "auto",
       .choices = all_words(kLanguageWords)},
      {.name = "dictionary",
       .placeholder = "FILE",
       .help = "words of Chinese with frequencies, as jieba has them",
       .is_file = true}};
}

std::vector<Flag> token_flags() {
  std::vector<Flag> flags = language_flags();
  const std::vector<Flag> policies = {
      policy_flag("unknown", "words that the vocabulary does not have; nearest-subword: as the word spelt most alike",
                  "mask", {"mask", "drop", "keep", std::string(kNearestSubword)}),
      policy_flag("numbers", "numbers; replace: those that the vocabulary has", "mask",
                  {"mask", "drop", "keep", "replace"}),
      policy_flag("addresses", "e-mail and web addresses, telephone numbers", "mask", {"mask", "drop", "keep"}),
      policy_flag("symbols", "emoji, signs of currencies and arithmetic, and other symbols", "mask",
                  {"mask", "drop", "keep"}),
      policy_flag("stop-words", "common function words, such as the and of", "replace",
                  {"mask", "drop", "keep", "replace"}),
      {.name = "stop-word-list",
       .placeholder = "FILE",
       .help = "public stop words, one a line, instead of the list that comes with Gauze",
       .is_file = true}};
  flags.insert(flags.end(), policies.begin(), policies.end());
  return flags;
}

void tell_misfit(Invocation& invocation, const WordVectors& vectors, Language language) {
  if (has_words_of(vectors, language)) return;
  invocation.warn(
      {"language_misfit", fmt::format("the vectors have no word in {}: --language {} does not fit them",
                                      language == Language::chinese   ? "Chinese characters"
                                      : language == Language::english ? "Latin letters"
                                                                      : "Latin letters or Chinese characters",
                                      to_string(language))});
}

Result<SanitizePolicy> sanitize_policy(Invocation& invocation) {
  SanitizePolicy result;
  GAUZE_TRY(result.language, invocation.value("language", kLanguageWords));
  for (const NamedPolicy& one : kTokenPolicies) {
    GAUZE_TRY(result.*one.policy, policy(invocation, one.flag));
  }
  const auto path = invocation.optional_text("stop-word-list");
  if (!path) {
    use_common_stop_words(result);
    return result;
  }
  if (result.stop_words == TokenPolicy::replace)
    return make_error(ErrorCode::usage, "--stop-word-list goes with --stop-words keep, mask or drop");
  GAUZE_TRY(const std::string list, invocation.read_input(*path, 64U << 20));
  GAUZE_TRY_VOID(use_stop_words(result, list, *path));
  return result;
}

Result<std::optional<SegmentationDictionary>> segmentation_dictionary(Invocation& invocation) {
  GAUZE_TRY(const std::string language, invocation.text("language"));
  const auto path = invocation.optional_text("dictionary");
  if (!path) return std::nullopt;
  if (language == "en")
    return make_error(ErrorCode::usage, "--dictionary divides Chinese: it does not go with --language en");
  GAUZE_TRY(SegmentationDictionary words, SegmentationDictionary::read(*path));
  return words;
}

void tell_unknown(Invocation& invocation, std::uint64_t unknown, std::uint64_t tokens, TokenPolicy policy) {
  if (auto warning = text::misfit_of_text(unknown, tokens, policy)) invocation.warn(*std::move(warning));
}

Result<void> tell_unknown_in(Invocation& invocation, std::span<const std::string> documents,
                             const WordVectors& vectors, const SegmentationDictionary* dictionary,
                             const SanitizePolicy& policy) {
  constexpr std::size_t kEnough = 500;
  GAUZE_TRY(const TextWords words, words_of_text(vectors, dictionary, policy.language,
                                                 documents.first(std::min(kEnough, documents.size()))));
  tell_unknown(invocation, words.unknown, words.unknown + words.known_tokens(), policy.unknown);
  return {};
}

Flag encoding_flag() {
  return {.name = "encoding",
          .placeholder = "NAME",
          .help = "how texts are encoded; found out for each unless given, latin-1 excepted",
          .choices = {"utf-8", "utf-16", "gb18030", "latin-1"}};
}

Flag html_flag() {
  return {
      .name = "html",
      .placeholder = "WHAT",
      .help =
          "strip: texts are HTML; tags, comments, scripts and styles go, entities are decoded. keep: texts are plain",
      .default_text = std::string(word_of(kHtmlWords, false)),
      .choices = all_words(kHtmlWords)};
}

Flag delimiter_flag() {
  return {.name = "delimiter",
          .placeholder = "C",
          .help = "what separates the cells of a CSV file with a column of text; `tab` is a tabulator"};
}

Result<void> check_delimiter(const Invocation& invocation, const std::vector<const char*>& column_flags) {
  if (!invocation.has("delimiter")) return {};
  for (const char* flag : column_flags)
    if (invocation.has(flag)) return {};
  return make_error(ErrorCode::usage, "--delimiter goes with --{}: without it a line is one text",
                    column_flags.front());
}

Result<DocumentStream::Options> document_options(const Invocation& invocation, std::optional<std::string> column) {
  DocumentStream::Options options;
  options.column = std::move(column);
  options.encoding = invocation.optional_text("encoding");
  GAUZE_TRY(options.strip_html, invocation.value("html", kHtmlWords));
  if (const auto delimiter = invocation.optional_text("delimiter")) {
    GAUZE_TRY(options.delimiter, table::parse_mark(*delimiter, "delimiter"));
    if (options.delimiter == '"' || options.delimiter == '\'' || options.delimiter == '\\')
      return invalid_parameter("delimiter must be no quote and no backslash, but is {}", *delimiter);
  }
  return options;
}

Result<std::vector<std::string>> read_documents(const Invocation& invocation, const std::string& source,
                                                std::optional<std::string> column) {
  GAUZE_TRY(const DocumentStream::Options options, document_options(invocation, std::move(column)));
  return text::read_documents(source, options);
}

Result<std::vector<std::string>> read_documents(const Invocation& invocation, const std::string& source,
                                                std::optional<std::string> column, bool strip_html) {
  GAUZE_TRY(DocumentStream::Options options, document_options(invocation, std::move(column)));
  options.strip_html = strip_html;
  return text::read_documents(source, options);
}

}  // namespace gauze::cli
