#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/words.h"
#include "gauze/files/json.h"
#include "gauze/text/attacks/word_attacks.h"
#include "gauze/text/mechanisms/text_mechanism.h"

namespace gauze::text {

enum class AttackKind { bayes, hmm, mask };

/// As users name them.
inline constexpr Words<AttackKind, 3> kAttackWords = {
    {{AttackKind::bayes, "bayes"}, {AttackKind::hmm, "hmm"}, {AttackKind::mask, "mask"}}};
[[nodiscard]] constexpr std::string_view to_string(AttackKind kind) { return word_of(kAttackWords, kind); }

/// What stands above every result of a study, and what the mask attack guesses with.
inline constexpr std::string_view kAttackNotice = "INTERNAL: compares with the clean text, not to be published";
inline constexpr std::string_view kMaskModel = "n-gram model, not BERT";

/// Documents to attack, and what the attackers have.
struct AttackRequest {
  std::vector<AttackKind> attacks = {AttackKind::bayes};     ///< in the order they are reported
  std::span<const std::string> clean = {};                   ///< the owner's documents, at least one
  std::optional<std::size_t> most_documents = std::nullopt;  ///< attack the first so many; else all
  /// What is seen of them, as many; made with the same mechanism and policy. Without it they are sanitised by simulation.
  std::optional<std::span<const std::string>> sanitized = std::nullopt;
  std::string sanitized_name = "the sanitised text";  ///< what messages call them
  /// Text of the same kind to learn a language from.
  std::optional<std::span<const std::string>> public_documents = std::nullopt;
  std::string public_name = "the public text";  ///< what messages call it
  std::optional<std::vector<double>> prior =
      std::nullopt;          ///< of each word (public_language.h); else as in the public text
  std::uint64_t runs = 100;  ///< draws of each word, where there is no closed law
  std::uint64_t seed = 0;
};

/// An attack, or a baseline, and how it fared.
struct AttackOutcome {
  std::string name;
  AttackScore score;
  [[nodiscard]] double recovery() const {
    return static_cast<double>(score.recovered) / static_cast<double>(score.attacked);
  }
};

/// Private: every figure compares with the clean text.
struct AttackReport {
  std::string mechanism;
  bool as_published = false;
  Rational epsilon;
  Language language = Language::automatic;  ///< whose rules divided the texts
  std::size_t vocabulary = 0;
  std::size_t all_documents = 0;          ///< of the clean text
  std::uint64_t documents = 0;            ///< that were attacked
  std::uint64_t unaligned_documents = 0;  ///< left out: clean and sanitised tokens do not pair up
  std::uint64_t public_tokens = 0;
  std::string_view prior = {};             ///< uniform, public or list
  std::optional<bool> exact = {};          ///< whether what words become was known exactly; nothing when nobody asked
  std::optional<std::uint64_t> runs = {};  ///< from which it was estimated
  std::vector<AttackOutcome> attacks = {};
  std::vector<AttackOutcome> baselines = {};  ///< as_read: the printed word; prior: always the most probable one

  /// Tokens, and those that were drawn: the same for all attacks.
  [[nodiscard]] const AttackScore& counts() const { return baselines.front().score; }
};

/// What attackers recover who know mechanism, epsilon and vocabulary. Where a mechanism has a closed law, also as published, they know it
/// exactly; else they draw every word `runs` times, from another seed than that of the text. `bad_data` when there is no document,
/// or nothing can be learnt from the public ones. Dictionary (may be null) and policy are those the text is sanitised with.
[[nodiscard]] Result<AttackReport> run_attacks(const TextMechanism& mechanism,
                                               const SegmentationDictionary* dictionary, const SanitizePolicy& policy,
                                               const AttackRequest& request, Progress& progress);
/// For the owner's programs (docs/formats/json-output.md).
[[nodiscard]] Json to_json(const AttackReport& report);

}  // namespace gauze::text
