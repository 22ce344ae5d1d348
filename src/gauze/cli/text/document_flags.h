#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/text/documents/document_stream.h"
#include "gauze/text/sanitize/sanitize_policy.h"
#include "gauze/text/tokens/tokenizer.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::cli {

/// --language, --dictionary: how text is divided into words.
[[nodiscard]] std::vector<Flag> language_flags();
/// These, --unknown, --numbers, --addresses, --symbols, --stop-words, --stop-word-list: and what becomes of
/// tokens that are no words of the vocabulary.
[[nodiscard]] std::vector<Flag> token_flags();

[[nodiscard]] Result<text::SanitizePolicy> sanitize_policy(Invocation& invocation);
/// Notes that the vectors have no word in the script of --language.
void tell_misfit(Invocation& invocation, const text::WordVectors& vectors, text::Language language);
/// Warns when most tokens of the text, all but layout, are words that the vectors do not have.
void tell_unknown(Invocation& invocation, std::uint64_t unknown, std::uint64_t tokens, text::TokenPolicy policy);
/// The same of documents that are to be read by somebody else: the first 500 tell their language. The dictionary may be null.
[[nodiscard]] Result<void> tell_unknown_in(Invocation& invocation, std::span<const std::string> documents,
                                           const text::WordVectors& vectors,
                                           const text::SegmentationDictionary* dictionary,
                                           const text::SanitizePolicy& policy);
[[nodiscard]] Result<std::optional<text::SegmentationDictionary>> segmentation_dictionary(Invocation& invocation);

/// --delimiter, of CSV with a column.
[[nodiscard]] Flag delimiter_flag();
/// --encoding, of all texts that a command reads.
[[nodiscard]] Flag encoding_flag();
[[nodiscard]] Flag html_flag();
/// Refuses it where no flag of these names a column.
[[nodiscard]] Result<void> check_delimiter(const Invocation& invocation,
                                           const std::vector<const char*>& column_flags);
/// How documents are read, with the column or one a line.
[[nodiscard]] Result<text::DocumentStream::Options> document_options(const Invocation& invocation,
                                                                     std::optional<std::string> column);

/// All documents of a file, of those a glob matches or of "-", the standard input: for commands that need them at once.
[[nodiscard]] Result<std::vector<std::string>> read_documents(const Invocation& invocation, const std::string& source,
                                                              std::optional<std::string> column);
/// The same with HTML stripped or not whatever the flag says: of labels of classes, and of what was sanitised.
[[nodiscard]] Result<std::vector<std::string>> read_documents(const Invocation& invocation, const std::string& source,
                                                              std::optional<std::string> column, bool strip_html);

}  // namespace gauze::cli
