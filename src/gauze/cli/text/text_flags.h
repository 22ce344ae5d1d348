#pragma once

#include <optional>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/text/job/text_label.h"
#include "gauze/text/mechanisms/text_mechanism.h"

namespace gauze::cli {

/// --vectors, --limit
[[nodiscard]] std::vector<Flag> vector_flags();
/// --mechanism, --epsilon, --gamma, --beta, --p, --w, --frequencies, --as-published. Commands that take several epsilons
/// say so; some can have it from a label.
enum class EpsilonFlag { one, list, one_or_label };
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
/// What flags do not say is as the label of a text says, if there is one.
[[nodiscard]] Result<text::MechanismOptions> mechanism_options(
    const Invocation& invocation, const text::WordVectors& vectors,
    const std::optional<text::LabelledText>& labelled = std::nullopt);
/// Those of a list of mechanisms, each once, in the order of the list: of a command whose --mechanism takes several.
[[nodiscard]] Result<std::vector<text::MechanismOptions>> several_mechanism_options(const Invocation& invocation,
                                                                                    const text::WordVectors& vectors);
/// The same with the only value of --epsilon, or that of the label.
[[nodiscard]] Result<text::MechanismOptions> mechanism_with_epsilon(
    const Invocation& invocation, const text::WordVectors& vectors,
    const std::optional<text::LabelledText>& labelled = std::nullopt);

/// "64M", "1G", or a number of bytes.
[[nodiscard]] Result<std::size_t> memory_size(const Invocation& invocation);

}  // namespace gauze::cli
