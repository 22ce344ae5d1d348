#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/text/mechanisms/cumulative_rows.h"
#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/mechanisms/published_dchi.h"
#include "gauze/text/mechanisms/published_softmax.h"
#include "gauze/text/mechanisms/text_mechanism.h"

namespace gauze::text {

/// The words of one document (or a piece of it) that are to be replaced, by their numbers, and what they became.
struct DocumentWords {
  std::uint64_t stream = 0;  ///< of its random numbers when a seed is given: its place in the whole input
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> replacements;
};

/// Draws replacements for many documents at once. Every word of every document is drawn by itself: equal documents get
/// different outputs.
class WordReplacer {
 public:
  virtual ~WordReplacer() = default;
  /// Fills `replacements` from cryptographic randomness.
  [[nodiscard]] virtual Result<void> release(std::span<DocumentWords> documents) = 0;
  /// The same from a seed, one stream a document: repeats, whatever the batches and threads; no guarantee.
  [[nodiscard]] virtual Result<void> simulate(std::span<DocumentWords> documents, std::uint64_t seed) = 0;
};

/// SanText, SanText+ and TEM. Rows are prepared for the words of a batch, as many as the memory holds.
class SoftmaxReplacer final : public WordReplacer {
 public:
  /// The mechanism must outlive the replacer.
  SoftmaxReplacer(const SoftmaxMechanism& mechanism, std::size_t memory_bytes) : rows_(mechanism, memory_bytes) {}
  [[nodiscard]] Result<void> release(std::span<DocumentWords> documents) override;
  [[nodiscard]] Result<void> simulate(std::span<DocumentWords> documents, std::uint64_t seed) override;

 private:
  [[nodiscard]] Result<void> prepare(std::span<const DocumentWords> documents);
  CumulativeRows rows_;
};

/// d_chi (with mahalanobis and vickrey), exact or as published, and custext: the words of several documents are drawn together.
template <class Mechanism>
class BatchReplacer final : public WordReplacer {
 public:
  /// The mechanism must outlive the replacer.
  explicit BatchReplacer(const Mechanism& mechanism) : mechanism_(mechanism) {}
  [[nodiscard]] Result<void> release(std::span<DocumentWords> documents) override;
  [[nodiscard]] Result<void> simulate(std::span<DocumentWords> documents, std::uint64_t seed) override;

 private:
  const Mechanism& mechanism_;
};
using DchiReplacer = BatchReplacer<DchiMechanism>;
using CustextReplacer = BatchReplacer<CustextMechanism>;
using PublishedDchiReplacer = BatchReplacer<PublishedDchi>;

/// SanText, SanText+ and TEM as published: the softmax of a word is computed once a batch.
class PublishedSoftmaxReplacer final : public WordReplacer {
 public:
  /// The mechanism must outlive the replacer.
  explicit PublishedSoftmaxReplacer(const PublishedSoftmax& mechanism) : mechanism_(mechanism) {}
  [[nodiscard]] Result<void> release(std::span<DocumentWords> documents) override;
  [[nodiscard]] Result<void> simulate(std::span<DocumentWords> documents, std::uint64_t seed) override;

 private:
  using Drawn = std::vector<std::vector<PublishedSoftmax::Uniforms>>;  ///< for every word of every document
  void pick(std::span<DocumentWords> documents, const Drawn& drawn) const;
  const PublishedSoftmax& mechanism_;
};

/// What draws for a mechanism, which must outlive it. `memory_bytes` is for prepared rows of words.
[[nodiscard]] std::unique_ptr<WordReplacer> make_replacer(const TextMechanism& mechanism, std::size_t memory_bytes);

}  // namespace gauze::text
