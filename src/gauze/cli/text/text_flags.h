#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/label/label.h"
#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/mechanisms/published_dchi.h"
#include "gauze/text/mechanisms/published_softmax.h"
#include "gauze/text/mechanisms/sensitive_words.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"
#include "gauze/text/sanitize/word_replacer.h"

namespace gauze::cli {

/// --vectors, --limit
[[nodiscard]] std::vector<Flag> vector_flags();
/// --mechanism, --epsilon, --gamma, --beta, --p, --w, --frequencies, --as-published. Commands that take several epsilons
/// say so.
enum class EpsilonFlag { one, list };
[[nodiscard]] std::vector<Flag> mechanism_flags(EpsilonFlag epsilon = EpsilonFlag::one);

/// --prior: what an attacker expects before anything is seen.
[[nodiscard]] Flag prior_flag();

[[nodiscard]] Result<text::WordVectors> open_vectors(Invocation& invocation);

/// The words of --words, by number; none without it. `invalid_parameter` when one is not in the vocabulary.
[[nodiscard]] Result<std::vector<std::uint32_t>> named_words(const Invocation& invocation,
                                                             const text::WordVectors& vectors);

/// The values of --epsilon, ascending, each once.
[[nodiscard]] Result<std::vector<Rational>> epsilons(const Invocation& invocation);

/// A mechanism as the flags say: softmax or dchi, and under --as-published what is drawn from instead of it.
struct TextMechanism {
  std::string name;
  std::unique_ptr<text::SoftmaxMechanism> softmax;
  std::unique_ptr<text::DchiMechanism> dchi;
  std::unique_ptr<text::PublishedSoftmax> published_softmax;
  std::unique_ptr<text::PublishedDchi> published_dchi;
  std::optional<Rational> w;                    ///< santext+: the share of words that are sensitive
  std::string list_sha256;                      ///< santext+: of the public list
  std::optional<double> expected_pass_through;  ///< santext+: from p, w and the public list

  [[nodiscard]] std::unique_ptr<text::WordReplacer> replacer(std::size_t memory_bytes) const;
  /// --frequencies and --w, or --sensitive.
  [[nodiscard]] Result<void> read_sensitive(Invocation& invocation, const text::WordVectors& vectors,
                                            text::SoftmaxMechanism::Options& options);
  [[nodiscard]] bool as_published() const { return published_softmax || published_dchi; }
  /// Definition, metric, cost and what is promised for a text whose words it replaced.
  [[nodiscard]] PrivacyLabel label(const text::WordVectors& vectors) const;

 private:
  void tell_sensitive(PrivacyLabel& label) const;
  void tell_published(PrivacyLabel& label, const text::WordVectors& vectors, const Rational& epsilon) const;
};
[[nodiscard]] Result<TextMechanism> text_mechanism(Invocation& invocation, const text::WordVectors& vectors,
                                                   const Rational& epsilon);
/// With the only value of --epsilon.
[[nodiscard]] Result<TextMechanism> text_mechanism(Invocation& invocation, const text::WordVectors& vectors);

/// "64M", "1G", or a number of bytes.
[[nodiscard]] Result<std::size_t> memory_size(const Invocation& invocation);

}  // namespace gauze::cli
