#include "gauze/audit/model/answer_attacks.h"

#include "gauze/audit/figures/linear_attack.h"
#include "gauze/base/error.h"

namespace gauze::audit {
namespace {

std::vector<double> trained_attack(const Signals& signals, std::span<const std::int8_t> member, RandomWords& random) {
  const std::size_t classes = signals.records() == 0 ? 0 : signals.answers.size() / signals.records();
  const LinearAttack linear =
      linear_attack(answers_where(signals, member, 1), answers_where(signals, member, 0), classes, random);
  std::vector<double> scores(member.size());
  auto in = linear.members.begin();
  auto out = linear.others.begin();
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = member[i] == 1 ? *in++ : *out++;
  return scores;
}

}  // namespace

std::vector<float> answers_where(const Signals& signals, std::span<const std::int8_t> member, std::int8_t which) {
  const std::size_t classes = signals.records() == 0 ? 0 : signals.answers.size() / signals.records();
  std::vector<float> answers;
  for (std::size_t i = 0; i < signals.records(); ++i) {
    if (member[i] != which) continue;
    const auto own = signals.answers.begin() + static_cast<std::ptrdiff_t>(i * classes);
    answers.insert(answers.end(), own, own + static_cast<std::ptrdiff_t>(classes));
  }
  return answers;
}

std::vector<double> answer_attack(AttackKind attack, const Signals& signals, std::span<const std::int8_t> member,
                                  RandomWords& random) {
  GAUZE_CHECK(shadows_needed(attack) == 0);
  switch (attack) {
    case AttackKind::loss:
      return signals.loss;
    case AttackKind::entropy:
      return signals.entropy;
    case AttackKind::modified_entropy:
      return signals.modified_entropy;
    case AttackKind::gap:
      return signals.right;
    default:
      return trained_attack(signals, member, random);
  }
}

}  // namespace gauze::audit
