#include <cmath>

#include "gauze/audit/self/internal/claim_lists.h"
#include "gauze/text/statistics/promise_check.h"

namespace gauze::audit::internal {
namespace {

constexpr std::size_t kWords = 60;
constexpr std::size_t kLongWords = 400;

/// Words on a line, or in a plane: not all mechanisms have known probabilities there.
Result<text::WordVectors> words_of(std::size_t count, bool on_a_line) {
  std::vector<std::string> words;
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    words.push_back(fmt::format("w{}", i));
    values.push_back(0.25F * static_cast<float>(i));
    if (!on_a_line) values.push_back(0.5F * static_cast<float>(i % 7));
  }
  return text::WordVectors::make(words, values);
}

/// By the very numbers that words are drawn from: no runs, and no doubt.
Result<ClaimAudit> audit_text(text::MechanismKind kind, const SelfAuditRequest& request, Progress& progress) {
  const std::size_t count = request.is_long ? kLongWords : kWords;
  GAUZE_TRY(const text::WordVectors vectors, words_of(count, text::adds_noise(kind)));
  text::MechanismOptions options{.kind = kind, .epsilon = 1};
  if (kind == text::MechanismKind::tem) options.gamma = Rational(3);
  if (kind == text::MechanismKind::santext_plus) {
    text::SensitiveWords sensitive;
    sensitive.marked.assign(count, false);
    for (std::size_t i = 0; i < count; i += 2) sensitive.marked[i] = true;
    options.sensitive = std::move(sensitive);
  }
  GAUZE_TRY(const text::TextMechanism mechanism, text::TextMechanism::make(vectors, options));
  GAUZE_TRY(const text::PromiseCheck check, text::check_promise(mechanism, progress));
  const text::InequalityCheck& found = check.found;
  ClaimAudit audit;
  audit.confidence = request.levels.confidence;
  audit.alarm_rate = request.levels.alarm;
  audit.claimed = {.epsilon = found.allowed + check.promised_excess, .delta = 0};
  audit.epsilon_lower = std::max(0.0, found.allowed + found.worst - found.error);
  audit.alarm_lower = audit.epsilon_lower;
  audit.event = fmt::format("{} becomes {}, not {}: by exact probabilities of {} cases", vectors.word(found.x),
                            vectors.word(found.y), vectors.word(found.x_prime), found.triples);
  audit.decide();
  return audit;
}

}  // namespace

std::vector<SelfClaim> text_claims() {
  std::vector<SelfClaim> claims;
  for (const auto& [kind, word] : text::kMechanismWords) {
    if (kind == text::MechanismKind::vickrey)
      continue;  // no closed probabilities; a coin behind dchi, whose claim is looked at
    claims.push_back({fmt::format("text {}", word),
                      {"text sanitize"},
                      [kind = kind](const SelfAuditRequest& request, Progress& progress) {
                        return audit_text(kind, request, progress);
                      }});
  }
  return claims;
}

}  // namespace gauze::audit::internal
