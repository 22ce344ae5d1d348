#include "gauze/audit/training/pair_audit.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "gauze/audit/events/event_audit.h"
#include "gauze/audit/training/released_numbers.h"
#include "gauze/base/parallel.h"

namespace gauze::audit {
namespace {

constexpr std::size_t kRunsAtATime = 65'536;  ///< whose numbers are in memory twice
constexpr std::size_t kRunsOfAPiece = 64;
constexpr double kTellingDelta = 0.01;
constexpr double kFarAboveClip = 2;

/// One table, trained on again and again by as many engines as there are threads.
class PairSide {
 public:
  PairSide(const Recipe& recipe, const schema::Policy& policy, const learn::LearningRows& rows,
           const ExtremePair& pair, const TrainingPairRequest& request)
      : recipe_(&recipe),
        policy_(&policy),
        rows_(&rows),
        pair_(&pair),
        request_(&request),
        seed_(seed_of_runs(request.random)) {}

  /// Streams of its runs have numbers from `streams` on.
  Result<void> run(std::uint64_t streams, Outcomes& side, Progress& progress) {
    for (std::uint64_t begin = 0; begin < request_->runs; begin += kRunsAtATime) {
      GAUZE_TRY_VOID(progress.check());
      const std::size_t runs = std::min<std::uint64_t>(kRunsAtATime, request_->runs - begin);
      std::vector<std::vector<double>> pieces((runs + kRunsOfAPiece - 1) / kRunsOfAPiece);
      parallel_for(runs, kRunsOfAPiece, [&](std::size_t first, std::size_t last) {
        auto drawn = draw(streams + begin, first, last, pieces[first / kRunsOfAPiece], progress);
        if (!drawn) {
          const std::lock_guard lock(mutex_);
          if (failed_) failed_ = tl::unexpected(std::move(drawn).error());
        }
        progress.advance(last - first);
      });
      GAUZE_TRY_VOID(failed_);
      for (const std::vector<double>& piece : pieces)
        for (std::size_t i = 0; i < piece.size(); i += width_) side.add_numbers(std::span(piece).subspan(i, width_));
    }
    return {};
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  struct Engine {
    std::unique_ptr<ReleasedNumbers> numbers;
    std::optional<EngineRuns> runs;
  };

  Result<void> draw(std::uint64_t streams, std::size_t first, std::size_t last, std::vector<double>& numbers,
                    const Progress& progress) {
    GAUZE_TRY(std::unique_ptr<Engine> engine, take());
    for (std::size_t run = first; run < last; ++run) {
      RunStreams random(seed_, streams + run, request_->fault);
      GAUZE_TRY(const EngineRuns::Released released, engine->runs->run(random, progress));
      const std::vector<double>& seen = engine->numbers->finish(released);
      numbers.insert(numbers.end(), seen.begin(), seen.end());
    }
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(engine));
    return {};
  }

  Result<std::unique_ptr<Engine>> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Engine> engine = std::move(idle_.back());
        idle_.pop_back();
        return engine;
      }
    }
    auto engine = std::make_unique<Engine>();
    engine->numbers = std::make_unique<ReleasedNumbers>(*recipe_, *policy_->learn, *pair_, request_->fault);
    GAUZE_TRY(engine->runs, EngineRuns::make(*recipe_, *policy_, *rows_, *engine->numbers));
    const std::lock_guard lock(mutex_);
    names_ = engine->numbers->names();
    width_ = names_.size();
    return engine;
  }

  const Recipe* recipe_;
  const schema::Policy* policy_;
  const learn::LearningRows* rows_;
  const ExtremePair* pair_;
  const TrainingPairRequest* request_;
  std::optional<std::uint64_t> seed_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Engine>> idle_;
  std::vector<std::string> names_;
  std::size_t width_ = 1;
  Result<void> failed_;
};

std::vector<Warning> warnings_of(const Recipe& recipe, const ExtremePair& pair, double delta) {
  std::vector<Warning> warnings;
  const bool is_full = recipe.plan() ? recipe.plan()->sampling == learn::SamplingKind::full
                                     : recipe.published()->options.batch == recipe.published()->declared;
  if (delta < kTellingDelta || !is_full)
    warnings.push_back(Warning::of_privacy(
        "weak_audit",
        fmt::format(
            "bounds are taken at delta {:.3g}{}: to test the engine sharply, audit the same noise {}at delta 0.01",
            delta, is_full ? "" : ", and the record is in few of the steps", is_full ? "" : "with full sampling ")));
  if (pair.norm < kFarAboveClip)
    warnings.push_back(Warning::of_privacy(
        "clip_untested",
        fmt::format("no record that the policy allows has a gradient far above the clip (at most {:.3g} times): "
                    "whether it is applied is hardly tested; a smaller clip, or no policy, tests it",
                    pair.norm)));
  return warnings;
}

}  // namespace

Result<TrainingPairAudit> audit_training_pair(const Recipe& recipe, const schema::Policy& policy,
                                              const TrainingPairRequest& request, Progress& progress) {
  GAUZE_TRY(const ExtremePair pair, extreme_pair(recipe, policy, progress));
  OutcomePair outcomes;
  progress.begin("training", 2 * request.runs);
  PairSide left(recipe, policy, pair.left, pair, request);
  GAUZE_TRY_VOID(left.run(0, outcomes.left, progress));
  PairSide right(recipe, policy, pair.right, pair, request);
  GAUZE_TRY_VOID(right.run(kRightStreams, outcomes.right, progress));
  outcomes.names = right.names();
  progress.begin("looking for what tells them apart", 0);
  return TrainingPairAudit{
      .audit = audit_outcomes(
          outcomes,
          {.claim = "train", .claimed = request.claimed, .delta = request.claimed.delta, .levels = request.levels}),
      .pair = pair.what,
      .warnings = warnings_of(recipe, pair, request.claimed.delta)};
}

}  // namespace gauze::audit
