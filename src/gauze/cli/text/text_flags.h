#pragma once

#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/text/mechanisms/text_mechanism.h"

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

/// The mechanism that the flags describe, at an epsilon that the caller fills in; reads --frequencies or --sensitive.
[[nodiscard]] Result<text::MechanismOptions> mechanism_options(const Invocation& invocation,
                                                               const text::WordVectors& vectors);
/// The same with the only value of --epsilon.
[[nodiscard]] Result<text::MechanismOptions> mechanism_with_epsilon(const Invocation& invocation,
                                                                    const text::WordVectors& vectors);

/// "64M", "1G", or a number of bytes.
[[nodiscard]] Result<std::size_t> memory_size(const Invocation& invocation);

}  // namespace gauze::cli
