#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gauze/files/byte_source.h"
#include "gauze/files/json.h"
#include "gauze/label/label.h"
#include "gauze/text/documents/document_stream.h"
#include "gauze/text/mechanisms/text_mechanism.h"
#include "gauze/text/sanitize/text_sanitizer.h"

namespace gauze::text {

/// Where the sanitised text goes, piece by piece.
using TextSink = std::function<Result<void>(std::string_view)>;

/// Documents in, sanitised documents out, and the label of what came out.
///
/// Privacy unit   : one word of a text, at its place.
/// Guarantee      : that of the mechanism, for the words of the documents; label() says it, with what it does not cover.
/// Not covered    : counts are over the private text: for the owner, never beside the output.
/// Memory         : a batch of documents, and `memory_bytes` for prepared rows; as much again for a shuffle.
class TextJob {
 public:
  struct Options {
    DocumentStream::Options documents = {};
    SanitizePolicy policy = {};
    const SegmentationDictionary* dictionary = nullptr;  ///< of Chinese; must outlive the job
    std::size_t memory_bytes = std::size_t{1} << 30;
    bool shuffle = false;  ///< write the lines in a random order; only for documents that are lines
  };
  /// Checks the vectors, byte by byte: what the label names is what is drawn from. Touches nothing private.
  [[nodiscard]] static Result<TextJob> make(const WordVectors& vectors, const MechanismOptions& mechanism,
                                            Options options);
  TextJob(TextJob&&) noexcept;
  ~TextJob();

  [[nodiscard]] const TextMechanism& mechanism() const;
  /// Of what release() writes; known before any text is read.
  [[nodiscard]] const PrivacyLabel& label() const;
  /// Whether the output is UTF-8 although the text is said to be in Latin-1: the vocabulary, or entities of HTML, have characters which that does not have.
  [[nodiscard]] bool writes_utf8_instead() const;

  /// One file after the other ("-" is the standard input, gzip and zstd are unpacked) as one output: tables of the same columns
  /// get one line of names. The output has the encoding of the first. Progress counts bytes. What was written before an error is incomplete and not to be published.
  [[nodiscard]] Result<SanitizeCounts> release(std::span<const std::string> files, const TextSink& sink,
                                               Progress& progress);
  /// One stream; `name` is what messages call it.
  [[nodiscard]] Result<SanitizeCounts> release(std::unique_ptr<ByteSource> source, const std::string& name,
                                               const TextSink& sink, Progress& progress);
  /// The same from a seed, for demonstrations: it repeats, and label() does not hold for it (publish::mark_seeded).
  [[nodiscard]] Result<SanitizeCounts> simulate(std::span<const std::string> files, std::uint64_t seed,
                                                const TextSink& sink, Progress& progress);

 private:
  struct State;
  explicit TextJob(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// What the owner is told of a sanitised text (docs/formats/json-output.md); the share of tokens that read as before is what
/// passed through.
[[nodiscard]] double pass_through_share(const SanitizeCounts& counts);
[[nodiscard]] Json to_json(const SanitizeCounts& counts);

}  // namespace gauze::text
