#include "gauze/cli/audit/score_flags.h"

#include <algorithm>

#include "gauze/cli/audit/claim_flags.h"

namespace gauze::cli {

Flag false_rates_flag() {
  return {.name = "fpr",
          .placeholder = "F,...",
          .help = "shares of others that may be taken for members",
          .default_text = "0.01,0.001"};
}

Result<std::vector<Rational>> false_rates(const Invocation& invocation) {
  GAUZE_TRY(const std::vector<Rational> rates, invocation.rationals("fpr"));
  for (const Rational& rate : rates)
    if (rate.sign() <= 0 || rate > Rational(1)) return invalid_parameter("--fpr takes shares above 0, at most 1");
  return rates;
}

Result<std::vector<audit::AttackKind>> attack_kinds(const Invocation& invocation) {
  GAUZE_TRY(std::vector<std::string> names, invocation.list("attacks"));
  if (names == std::vector<std::string>{"all"}) names = all_words(audit::kAttackWords);
  std::vector<audit::AttackKind> kinds;
  for (const std::string& name : names) {
    const auto kind = value_of(audit::kAttackWords, name);
    if (!kind) return tl::unexpected(wrong_word("an attack", all_words(audit::kAttackWords), name));
    if (std::find(kinds.begin(), kinds.end(), *kind) == kinds.end()) kinds.push_back(*kind);
  }
  return kinds;
}

Flag attack_seed_flag() {
  return {.name = "seed", .placeholder = "S", .help = "what is drawn, is drawn from it", .default_text = "1"};
}

Result<std::uint64_t> attack_seed(const Invocation& invocation) {
  GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
  return static_cast<std::uint64_t>(seed);
}

std::vector<Flag> score_flags() {
  return {false_rates_flag(),
          {.name = "fair-coins", .help = "each record was a member by a fair coin of its own: a bound from one run"},
          {.name = "independent", .help = "each score comes from a run of its own: a bound from many runs"},
          attack_seed_flag()};
}

Result<audit::ScoreRequest> score_request(const Invocation& invocation) {
  audit::ScoreRequest request;
  GAUZE_TRY(request.false_rates, false_rates(invocation));
  if (invocation.has("fair-coins") && invocation.has("independent"))
    return make_error(ErrorCode::usage, "--fair-coins says one run, --independent many: give one of them");
  if (invocation.has("fair-coins")) request.origin = audit::ScoreOrigin::fair_coins;
  if (invocation.has("independent")) request.origin = audit::ScoreOrigin::independent;
  GAUZE_TRY(request.claimed, claim_of(invocation));
  GAUZE_TRY(request.levels, levels_of(invocation));
  GAUZE_TRY(request.seed, attack_seed(invocation));
  return request;
}

}  // namespace gauze::cli
