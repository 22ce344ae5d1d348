#include "gauze/audit/model/model_attack.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gauze/audit/bounds/one_run.h"
#include "gauze/audit/figures/linear_attack.h"
#include "gauze/audit/figures/membership_figures.h"
#include "gauze/audit/model/answer_attacks.h"
#include "gauze/audit/model/shadow_run.h"
#include "gauze/base/parallel.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace {

constexpr std::size_t kExposed = 10;
constexpr std::uint64_t kHalves = 0x4a1f'0000'0000;
constexpr int kCurvePointsPerDecade = 10;
constexpr int kCurveDecades = 4;

/// Scores of members and of others of one target, and what came of them.
struct Membership {
  std::vector<double> members;
  std::vector<double> others;
};

Membership split_by(const std::vector<double>& scores, std::span<const std::int8_t> member) {
  Membership split;
  for (std::size_t i = 0; i < scores.size(); ++i)
    (member[i] == 1 ? split.members : split.others).push_back(scores[i]);
  return split;
}

/// One target: the scores of every attack on it, and for bounds those of records that were chosen without looking at membership.
class Target {
 public:
  Target(const ShadowRun& run, const ShadowScores& confidences, std::size_t number, std::uint64_t seed)
      : run_(&run),
        confidences_(&confidences),
        number_(number),
        member_(std::span(run.logits.member).subspan(number * run.logits.records, run.logits.records)),
        seed_(seed) {}

  [[nodiscard]] std::span<const std::int8_t> member() const { return member_; }

  /// By record.
  [[nodiscard]] std::vector<double> scores(AttackKind attack) const {
    switch (attack) {
      case AttackKind::lira:
        return lira_scores(run_->logits, number_, ShadowVariance::automatic);
      case AttackKind::lira_offline:
        return lira_offline_scores(run_->logits, number_, ShadowVariance::automatic);
      case AttackKind::rmia:
        return rmia_scores(*confidences_, number_, {});
      default:
        break;
    }
    SeededRandom random(seed_, kHalves + 2 * number_);
    return answer_attack(attack, run_->targets[number_], member_, random);
  }

  /// What a bound may be taken from.
  [[nodiscard]] SortedScores fair_scores(AttackKind attack, const std::vector<double>& scores) const {
    if (attack != AttackKind::trained) {
      Membership split = split_by(scores, member_);
      return {std::move(split.members), std::move(split.others)};
    }
    SeededRandom random(seed_, kHalves + 2 * number_ + 1);
    const Signals& signals = run_->targets[number_];
    LinearAttack linear = linear_attack_on_half(answers_where(signals, member_, 1),
                                                answers_where(signals, member_, 0), run_->classes, random);
    return {std::move(linear.members), std::move(linear.others)};
  }

 private:
  const ShadowRun* run_;
  const ShadowScores* confidences_;
  std::size_t number_;
  std::span<const std::int8_t> member_;
  std::uint64_t seed_;
};

/// One attack on one target.
struct Measured {
  MembershipFigures figures = {};
  std::vector<double> scores = {};  ///< by record
  std::vector<std::pair<double, double>> curve = {};
  double printed_lower = 0;
  double printed_delta = 0;
  double alarm_lower = 0;
  double alarm_delta = 0;
};

std::vector<std::pair<double, double>> curve_of(const SortedScores& sorted) {
  std::vector<std::pair<double, double>> curve;
  for (int i = -kCurveDecades * kCurvePointsPerDecade; i <= 0; ++i) {
    const double share = std::pow(10, static_cast<double>(i) / kCurvePointsPerDecade);
    if (const auto rate = sorted.rate_at(Rational(share))) curve.emplace_back(share, *rate);
  }
  return curve;
}

class Measuring {
 public:
  Measuring(const ModelAttackRequest& request, const AttackedTable& table, const ShadowRun& run, const Claim& claim,
            bool only_known_at_delta)
      : request_(&request), table_(&table), run_(&run), claim_(claim), stays_(only_known_at_delta) {
    confidences_ = run.logits;
    confidences_.values = run.confidences;
    const std::uint64_t choices = kNumbersOfGuesses * request.attacks.size() * request.targets;
    printed_risk_ = request.levels.printed_risk(choices);
    alarm_risk_ = request.levels.alarm_risk(choices);
  }

  /// Every attack on every target, attack by attack.
  [[nodiscard]] std::vector<std::vector<Measured>> measure(Progress& progress) const {
    std::vector<std::vector<Measured>> all(request_->attacks.size(), std::vector<Measured>(request_->targets));
    progress.begin("attacking", all.size() * request_->targets);
    parallel_for(all.size() * request_->targets, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (progress.stop_requested()) return;
        all[i / request_->targets][i % request_->targets] =
            one(request_->attacks[i / request_->targets], i % request_->targets);
        progress.advance();
      }
    });
    return all;
  }

  /// Whether a bound at the alarm's level can lie above 0 at all.
  [[nodiscard]] bool can_alarm() const { return !stays_ || 2 * claim_.delta < alarm_risk_; }

  [[nodiscard]] AttackResult summarise(AttackKind attack, const std::vector<Measured>& targets) const {
    AttackResult result{.attack = attack};
    const auto over = [&](std::optional<double> MembershipFigures::*figure) {
      std::vector<double> values;
      for (const Measured& one : targets) values.push_back((one.figures.*figure).value_or(NAN));
      return estimate_mean(values);
    };
    result.auc = over(&MembershipFigures::auc);
    result.accuracy = over(&MembershipFigures::accuracy);
    result.advantage = over(&MembershipFigures::advantage);
    for (std::size_t i = 0; i < request_->false_rates.size(); ++i) {
      std::vector<double> values;
      for (const Measured& one : targets) values.push_back(one.figures.rates[i].tpr.value_or(NAN));
      result.rates.push_back({.fpr = request_->false_rates[i], .tpr = estimate_mean(values)});
    }
    const auto strongest = std::max_element(targets.begin(), targets.end(), [](const Measured& a, const Measured& b) {
      return a.printed_lower < b.printed_lower;
    });
    result.epsilon_lower = strongest->printed_lower;
    result.delta1 = strongest->printed_delta;
    result.by_class = groups(targets, class_names(), class_of_records());
    for (const AttackedTable::Group& group : table_->groups()) {
      std::vector<std::uint32_t> of_record;
      for (const std::uint32_t unit : run_->units) of_record.push_back(group.of_unit[unit]);
      for (AttackedGroup& one : groups(targets, group.values, of_record)) result.by_group.push_back(std::move(one));
    }
    result.exposed = exposed(targets);
    result.curve = mean_curve(targets);
    return result;
  }

  std::vector<std::string> names = {};  ///< of the classes

 private:
  [[nodiscard]] Measured one(AttackKind attack, std::size_t number) const {
    const Target target(*run_, confidences_, number, request_->seed);
    Measured measured;
    measured.scores = target.scores(attack);
    const Membership split = split_by(measured.scores, target.member());
    SeededRandom random(request_->seed, kHalves / 2 + number * 16 + static_cast<std::uint64_t>(attack));
    measured.figures = membership_figures(split.members, split.others, request_->false_rates, random);
    measured.curve = curve_of({split.members, split.others});
    const SortedScores fair = target.fair_scores(attack, measured.scores);
    const std::size_t canaries = fair.members().size() + fair.others().size();
    measured.printed_delta = stays_ ? claim_.delta : telling_delta(claim_.delta, printed_risk_, canaries);
    measured.alarm_delta = stays_ ? claim_.delta : telling_delta(claim_.delta, alarm_risk_, canaries);
    measured.printed_lower = one_run_bound(fair, measured.printed_delta, printed_risk_).epsilon_lower;
    measured.alarm_lower = one_run_bound(fair, measured.alarm_delta, alarm_risk_).epsilon_lower;
    return measured;
  }

  [[nodiscard]] std::span<const std::int8_t> member_of(std::size_t target) const {
    return std::span(run_->logits.member).subspan(target * run_->logits.records, run_->logits.records);
  }

  [[nodiscard]] const std::vector<std::string>& class_names() const { return names; }

  [[nodiscard]] std::vector<std::uint32_t> class_of_records() const {
    std::vector<std::uint32_t> classes;
    for (const std::uint32_t unit : run_->units)
      classes.push_back(table_->rows().target(table_->rows().rows_of(unit).front()).label);
    return classes;
  }

  [[nodiscard]] std::vector<AttackedGroup> groups(const std::vector<Measured>& targets,
                                                  const std::vector<std::string>& group_names,
                                                  const std::vector<std::uint32_t>& of_record) const {
    std::vector<AttackedGroup> result;
    for (std::uint32_t group = 0; group < group_names.size(); ++group) {
      AttackedGroup one{.name = group_names[group]};
      std::vector<double> areas;
      for (std::size_t target = 0; target < targets.size(); ++target) {
        Membership split;
        for (std::size_t i = 0; i < of_record.size(); ++i) {
          if (of_record[i] != group) continue;
          (member_of(target)[i] == 1 ? split.members : split.others).push_back(targets[target].scores[i]);
        }
        one.members += split.members.size();
        one.nonmembers += split.others.size();
        areas.push_back(area_under_curve(split.members, split.others).value_or(NAN));
      }
      one.members /= targets.size();
      one.nonmembers /= targets.size();
      if (one.members + one.nonmembers == 0) continue;
      one.auc = estimate_mean(areas);
      result.push_back(std::move(one));
    }
    return result;
  }

  /// By the mean score in those targets of which a record was a member.
  [[nodiscard]] std::vector<Exposed> exposed(const std::vector<Measured>& targets) const {
    std::vector<Exposed> all;
    for (std::size_t i = 0; i < run_->units.size(); ++i) {
      double sum = 0;
      double count = 0;
      for (std::size_t target = 0; target < targets.size(); ++target) {
        if (member_of(target)[i] != 1) continue;
        sum += targets[target].scores[i];
        ++count;
      }
      if (count > 0) all.push_back({.row = table_->place(run_->units[i]), .score = sum / count});
    }
    const auto more = [](const Exposed& a, const Exposed& b) {
      return a.score != b.score ? a.score > b.score : a.row < b.row;
    };
    const std::size_t count = std::min(kExposed, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(), more);
    all.resize(count);
    return all;
  }

  [[nodiscard]] static std::vector<std::pair<double, double>> mean_curve(const std::vector<Measured>& targets) {
    std::map<double, std::pair<double, double>> sums;
    for (const Measured& one : targets) {
      for (const auto& [share, rate] : one.curve) {
        sums[share].first += rate;
        ++sums[share].second;
      }
    }
    std::vector<std::pair<double, double>> curve = {{0, 0}};
    // where all of them can be measured: the mean of fewer would go up and down
    for (const auto& [share, sum] : sums)
      if (sum.second == static_cast<double>(targets.size())) curve.emplace_back(share, sum.first / sum.second);
    return curve;
  }

  const ModelAttackRequest* request_;
  const AttackedTable* table_;
  const ShadowRun* run_;
  Claim claim_;
  bool stays_;
  ShadowScores confidences_;
  double printed_risk_ = 0;
  double alarm_risk_ = 0;
};

std::optional<Estimate> accuracy_of(const ShadowRun& run, std::int8_t member) {
  std::vector<double> values;
  for (std::size_t target = 0; target < run.targets.size(); ++target) {
    double right = 0;
    double count = 0;
    for (std::size_t i = 0; i < run.logits.records; ++i) {
      if (run.logits.is_member(target, i) != member) continue;
      right += run.targets[target].right[i];
      ++count;
    }
    values.push_back(count > 0 ? right / count : NAN);
  }
  return estimate_mean(values);
}

std::string method_of(const Recipe& recipe) {
  if (recipe.published())
    return "apba-" + std::string(word_of(learn::kReadingWords, recipe.published()->options.reading));
  return recipe.claim().epsilon ? "dpsgd" : "none";
}

/// The epsilon that is claimed at the delta of a bound.
class ClaimThere {
 public:
  ClaimThere(const Recipe& recipe, const Claim& claim, bool stays) : recipe_(&recipe), claim_(claim), stays_(stays) {}
  std::optional<double> operator()(double delta) {
    if (!claim_.epsilon) return std::nullopt;
    if (stays_) return claim_.epsilon;
    const auto known = known_.find(delta);
    if (known != known_.end()) return known->second;
    return known_[delta] = recipe_->claimed_at(delta);
  }

 private:
  const Recipe* recipe_;
  Claim claim_;
  bool stays_;
  std::map<double, std::optional<double>> known_;
};

/// The bound that exceeds its claim most decides; with no claim the largest one is told.
void decide(ModelAttack& attack, const std::vector<std::vector<Measured>>& measured, ClaimThere& claim_there,
            bool can_alarm) {
  double worst = -HUGE_VAL;
  for (const std::vector<Measured>& targets : measured) {
    for (const Measured& one : targets) {
      const std::optional<double> claimed = claim_there(one.alarm_delta);
      const double excess = one.alarm_lower - claimed.value_or(0);
      if (excess <= worst) continue;
      worst = excess;
      attack.alarm.epsilon_lower = one.alarm_lower;
      attack.alarm.delta1 = one.alarm_delta;
      attack.alarm.claimed_at_delta1 = claimed;
    }
  }
  if (!attack.claimed.epsilon) return;
  if (!can_alarm) {
    attack.warnings.push_back(Warning::of_privacy(
        "cannot_alarm",
        "only one delta of the claim is known, and twice that is more than the alarm may be wrong: no bound from one "
        "run can lie above 0 there"));
    return;
  }
  if (attack.alarm.claimed_at_delta1) attack.holds = attack.alarm.epsilon_lower <= *attack.alarm.claimed_at_delta1;
}

}  // namespace

Result<void> ModelAttackRequest::check() const {
  if (attacks.empty()) return invalid_parameter("name at least one attack");
  if (shadows < 1 || targets < 1) return invalid_parameter("there must be at least one shadow and one target");
  if (targets > shadows)
    return invalid_parameter("targets are the first of the shadows: {} of {} cannot be", targets, shadows);
  for (const AttackKind attack : attacks) {
    if (shadows < 1 + shadows_needed(attack))
      return invalid_parameter("the attack {} needs {} shadows beside the target", word_of(kAttackWords, attack),
                               shadows_needed(attack));
  }
  return {};
}

bool ModelAttack::is_doubtful() const {
  return holds == std::optional(true) && std::any_of(attacks.begin(), attacks.end(), [](const AttackResult& one) {
           return one.epsilon_lower && one.claimed_at_delta1 && *one.epsilon_lower > *one.claimed_at_delta1;
         });
}

Result<std::vector<Warning>> check_declared(const Recipe& recipe, std::size_t units) {
  std::vector<Warning> warnings;
  if (recipe.neighbours() == Neighbours::replace_one) {
    if (recipe.declared() < units)
      return asking_for("rows",
                        invalid_parameter("under replace-one every unit of the table needs a place, so the declared "
                                          "number of rows must not be below that of the table"));
    return warnings;
  }
  const double half = static_cast<double>(units) / 2;
  const auto declared = static_cast<double>(recipe.declared());
  if (declared > 1.5 * half || declared < half / 1.5)
    warnings.push_back(Warning::of_privacy(
        "declared_rows",
        "every model is trained on about half of the table, but the declared number of rows is another: "
        "rate and epsilon are those of the declared one"));
  return warnings;
}

Result<ModelAttack> attack_model(const schema::Policy& policy, const AttackSubject& subject,
                                 const std::optional<AttackSubject>& unprotected, const ModelAttackRequest& request,
                                 Progress& progress) {
  if (policy.learn->target.numeric)
    return invalid_parameter("attacks are on classifiers: the target must have classes");
  GAUZE_TRY_VOID(request.check());
  const Recipe& recipe = *subject.recipe;
  ModelAttack attack{.model = std::string(word_of(learn::kModelWords, recipe.kind())),
                     .method = method_of(recipe),
                     .shadows = request.shadows,
                     .targets = request.targets,
                     .claimed = request.claimed.value_or(recipe.claim())};
  GAUZE_TRY(attack.warnings, check_declared(recipe, subject.table->rows().units()));
  attack.alarm.rate = request.levels.alarm;
  // one delta alone is known of claims that somebody states and of published ones
  const bool stays = attack.claimed.epsilon && (request.claimed || recipe.published());
  if (attack.claimed.epsilon) attack.advantage_bound = advantage_bound(*attack.claimed.epsilon, attack.claimed.delta);

  std::vector<std::string> names;
  for (const auto& one : policy.learn->target.classes) names.push_back(one.name);
  const ShadowRequest shadows{.shadows = request.shadows,
                              .targets = request.targets,
                              .seed = request.seed,
                              .keep = request.keep,
                              .identity = request.identity};
  {
    GAUZE_TRY(const ShadowRun run, run_shadows(policy, recipe, *subject.table, shadows, progress));
    Measuring measuring(request, *subject.table, run, attack.claimed, stays);
    measuring.names = names;
    const std::vector<std::vector<Measured>> measured = measuring.measure(progress);
    GAUZE_TRY_VOID(progress.check());
    ClaimThere claim_there(recipe, attack.claimed, stays);
    for (std::size_t i = 0; i < measured.size(); ++i) {
      attack.attacks.push_back(measuring.summarise(request.attacks[i], measured[i]));
      attack.attacks.back().claimed_at_delta1 = claim_there(*attack.attacks.back().delta1);
    }
    decide(attack, measured, claim_there, measuring.can_alarm());
    attack.train_accuracy = accuracy_of(run, 1);
    attack.test_accuracy = accuracy_of(run, 0);
  }
  if (!unprotected) return attack;
  ShadowRequest open = shadows;
  open.stage = "training shadows without privacy";
  GAUZE_TRY(const ShadowRun run, run_shadows(policy, *unprotected->recipe, *unprotected->table, open, progress));
  Measuring measuring(request, *unprotected->table, run, {}, false);
  measuring.names = names;
  const std::vector<std::vector<Measured>> measured = measuring.measure(progress);
  GAUZE_TRY_VOID(progress.check());
  attack.unprotected.emplace();
  for (std::size_t i = 0; i < measured.size(); ++i)
    attack.unprotected->push_back(measuring.summarise(request.attacks[i], measured[i]));
  return attack;
}

}  // namespace gauze::audit
