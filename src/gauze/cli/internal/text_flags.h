#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gauze/cli/command_registry.h"
#include "gauze/cli/invocation.h"
#include "gauze/label/label.h"
#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/mechanisms/sensitive_words.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"
#include "gauze/text/sanitize/word_replacer.h"

namespace gauze::cli {

/// --vectors, --limit
[[nodiscard]] std::vector<Flag> vector_flags();
/// --mechanism, --epsilon, --gamma, --beta, --p, --w, --frequencies, --granule
[[nodiscard]] std::vector<Flag> mechanism_flags();

[[nodiscard]] Result<text::WordVectors> open_vectors(Invocation& invocation);

/// A mechanism as the flags say: one of the two.
struct TextMechanism {
  std::string name;
  std::unique_ptr<text::SoftmaxMechanism> softmax;
  std::unique_ptr<text::DchiMechanism> dchi;
  std::optional<double> expected_pass_through;  ///< santext+: from p, w and the public list

  [[nodiscard]] std::unique_ptr<text::WordReplacer> replacer(std::size_t memory_bytes) const;
  /// Definition, metric, cost and what is promised for a text whose words it replaced.
  [[nodiscard]] PrivacyLabel label(const text::WordVectors& vectors) const;
};
[[nodiscard]] Result<TextMechanism> text_mechanism(Invocation& invocation, const text::WordVectors& vectors);

/// "64M", "1G", or a number of bytes.
[[nodiscard]] Result<std::size_t> memory_size(const Invocation& invocation);

}  // namespace gauze::cli
