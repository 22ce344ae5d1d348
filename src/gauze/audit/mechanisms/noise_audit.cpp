#include "gauze/audit/mechanisms/noise_audit.h"

#include "gauze/base/parallel.h"

namespace gauze::audit {
namespace {

constexpr std::size_t kPiece = 16'384;

void draw_side(const NoiseJob& job, const AuditRandom& random, std::uint64_t streams, std::span<double> draws,
               Progress& progress) {
  parallel_for(draws.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    if (progress.stop_requested()) return;
    const std::span<double> piece = draws.subspan(begin, end - begin);
    random.draw(
        streams + begin / kPiece, [&](SecureRandom& secure) { job.release(secure, piece); },
        [&](SeededRandom& seeded) { job.simulate(seeded, piece); });
    progress.advance(end - begin);
  });
}

}  // namespace

Result<Claim> claim_of_noise(const NoiseRequest& request) {
  GAUZE_TRY(const NoiseJob job, NoiseJob::make(request));
  const PrivacyCost& cost = job.cost();
  Claim claim;
  if (cost.epsilon) claim.epsilon = cost.epsilon->to_double_up();
  if (cost.delta) claim.delta = cost.delta->to_double_up();
  return claim;
}

Result<ClaimAudit> audit_noise(const NoiseAuditRequest& request, Progress& progress) {
  NoiseRequest noise = request.noise;
  noise.count = 1;
  GAUZE_TRY(const Claim own, claim_of_noise(noise));
  const auto kind = value_of(kNoiseWords, noise.mechanism);
  const bool whole = kind == NoiseKind::geometric || kind == NoiseKind::discrete_gaussian;
  noise.value = 0;
  GAUZE_TRY(const NoiseJob left, NoiseJob::make(noise));
  if (kind == NoiseKind::randomized_response)
    noise.value = 1;
  else
    noise.value = whole ? noise.sensitivity.floor() : noise.sensitivity;
  if (noise.value.sign() == 0)
    return invalid_parameter("whole numbers that differ by less than 1 are equal: there is nothing to tell apart");
  GAUZE_TRY(const NoiseJob right, NoiseJob::make(noise));

  const Claim claimed = request.claimed.value_or(own);
  OutcomePair pair;
  std::vector<double> draws(request.runs);
  progress.begin("drawing", 2 * request.runs);
  for (const bool on_left : {true, false}) {
    draw_side(on_left ? left : right, request.random, on_left ? 0 : kRightStreams, draws, progress);
    GAUZE_TRY_VOID(progress.check());
    for (const double draw : draws) (on_left ? pair.left : pair.right).add_number(draw);
  }
  progress.begin("looking for what tells them apart", 0);
  return audit_outcomes(pair, {.claim = "noise " + noise.mechanism,
                               .claimed = claimed,
                               .delta = claimed.delta,
                               .levels = request.levels,
                               .choices = request.choices});
}

}  // namespace gauze::audit
