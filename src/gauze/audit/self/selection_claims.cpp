#include "gauze/audit/events/event_audit.h"
#include "gauze/audit/self/internal/claim_lists.h"
#include "gauze/mechanisms/job/selection_statement.h"
#include "gauze/mechanisms/selection/sparse_vector.h"

namespace gauze::audit::internal {
namespace {

constexpr std::uint64_t kSelectionRuns = 50'000;
constexpr std::uint64_t kVectorRuns = 20'000;
constexpr std::size_t kCandidates = 32;

/// The first candidate's score against that of all others: one unit moves each of them by 1 at most.
std::vector<Rational> scores(int first, int others) {
  std::vector<Rational> all(kCandidates, Rational(others));
  all.front() = Rational(first);
  return all;
}

EventAuditRequest event_of(const SelfAuditRequest& request, const Claim& claimed) {
  return {.claimed = claimed, .delta = claimed.delta, .levels = request.levels};
}

Result<ClaimAudit> audit_selection(const SelectionMechanism::Options& options, const SelfAuditRequest& request,
                                   Progress& progress) {
  GAUZE_TRY(const SelectionMechanism mechanism, SelectionMechanism::make(options));
  OutcomePair pair;
  const std::size_t runs = request.runs(kSelectionRuns);
  const auto draw = [&](Outcomes& side, const std::vector<Rational>& of, std::uint64_t stream) -> Result<void> {
    GAUZE_TRY(const std::vector<std::size_t> chosen,
              request.random.draw(
                  stream, [&](SecureRandom& secure) { return mechanism.release(secure, of, runs, &progress); },
                  [&](SeededRandom& seeded) { return mechanism.simulate(seeded, of, runs, &progress); }));
    for (const std::size_t one : chosen) side.add_number(one == 0 ? 0 : 1);  // the others are alike
    return {};
  };
  progress.begin("choosing", 2 * runs);
  GAUZE_TRY_VOID(draw(pair.left, options.monotone ? scores(0, 0) : scores(0, 1), 0));
  GAUZE_TRY_VOID(draw(pair.right, scores(1, 0), kRightStreams));
  pair.names = {"the chosen candidate"};
  return audit_outcomes(pair, event_of(request, {.epsilon = options.epsilon.to_double_up(), .delta = 0}));
}

/// A group with one person, and with one person more.
Result<ClaimAudit> audit_partitions(const PartitionSelection::Options& options, std::int64_t users,
                                    const SelfAuditRequest& request, Progress& progress) {
  GAUZE_TRY(const PartitionSelection selection, PartitionSelection::make(options));
  OutcomePair pair;
  const std::uint64_t runs = request.runs(kSelectionRuns);
  const auto draw = [&](Outcomes& side, std::int64_t in_group, std::uint64_t stream) {
    request.random.draw(
        stream,
        [&](SecureRandom& secure) {
          for (std::uint64_t i = 0; i < runs; ++i) side.add_number(selection.release(secure, in_group) ? 1 : 0);
        },
        [&](SeededRandom& seeded) {
          for (std::uint64_t i = 0; i < runs; ++i) side.add_number(selection.simulate(seeded, in_group) ? 1 : 0);
        });
  };
  progress.begin("choosing", 0);
  draw(pair.left, users, 0);
  draw(pair.right, users + 1, kRightStreams);
  pair.names = {"whether the group is named"};
  return audit_outcomes(
      pair, event_of(request, {.epsilon = options.epsilon.to_double_up(), .delta = options.delta.to_double_up()}));
}

/// Ten questions whose answers all move by 1, at the threshold.
Result<ClaimAudit> audit_sparse_vector(const SelfAuditRequest& request, Progress& progress) {
  constexpr int kQuestions = 10;
  const SparseVector::Options options{.epsilon = 1, .threshold = 5, .max_above = 1};
  OutcomePair pair;
  const auto draw = [&](Outcomes& side, double before, double last, std::uint64_t stream) -> Result<void> {
    const auto ask = [&](auto& random, const auto& make, const auto& is_above) -> Result<void> {
      for (std::uint64_t run = 0; run < request.runs(kVectorRuns); ++run) {
        GAUZE_TRY(SparseVector vector, make(random));
        double first_above = kQuestions;
        for (int i = 0; i < kQuestions && first_above == kQuestions; ++i) {
          GAUZE_TRY(const bool above, is_above(vector, random, i + 1 < kQuestions ? before : last));
          if (above) first_above = i;
        }
        side.add_number(first_above);
      }
      return {};
    };
    return request.random.draw(
        stream,
        [&](SecureRandom& secure) {
          return ask(
              secure, [&](SecureRandom& random) { return SparseVector::make(options, random); },
              [](SparseVector& one, SecureRandom& random, double query) { return one.is_above(random, query); });
        },
        [&](SeededRandom& seeded) {
          return ask(
              seeded, [&](SeededRandom& random) { return SparseVector::make_simulation(options, random); },
              [](SparseVector& one, SeededRandom& random, double query) {
                return one.simulate_is_above(random, query);
              });
        });
  };
  progress.begin("asking", 0);
  GAUZE_TRY_VOID(draw(pair.left, 5, 6, 0));
  GAUZE_TRY_VOID(draw(pair.right, 6, 5, kRightStreams));
  pair.names = {"the first question above the threshold"};
  return audit_outcomes(pair, event_of(request, {.epsilon = 1, .delta = 0}));
}

}  // namespace

std::vector<SelfClaim> selection_claims() {
  std::vector<SelfClaim> claims;
  for (const auto& [kind, word] : kSelectionWords)
    for (const bool monotone : {false, true}) {
      const SelectionMechanism::Options options{.kind = kind, .epsilon = 1, .monotone = monotone};
      claims.push_back({fmt::format("select {}{}", word, monotone ? ", monotone" : ""),
                        {"select"},
                        [options](const SelfAuditRequest& request, Progress& progress) {
                          return audit_selection(options, request, progress);
                        }});
    }
  for (const auto& [noise, word] : kPartitionNoiseWords) {
    // delta large enough to be seen: a threshold that is one too low shows in it alone
    const PartitionSelection::Options options{
        .noise = noise, .epsilon = 1, .delta = Rational(1, 200), .min_group = 3};
    for (const std::int64_t users : {2, 6})
      claims.push_back({fmt::format("threshold {}, a group of {}", word, users + 1),
                        {"threshold"},
                        [options, users](const SelfAuditRequest& request, Progress& progress) {
                          return audit_partitions(options, users, request, progress);
                        }});
  }
  claims.push_back({"the sparse vector technique", {}, audit_sparse_vector});
  return claims;
}

}  // namespace gauze::audit::internal
