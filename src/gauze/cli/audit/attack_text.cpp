#include "gauze/cli/audit/attack_text.h"

#include "gauze/cli/core/text_table.h"

namespace gauze::cli {
namespace {

std::string figure_text(const std::optional<double>& value) { return value ? fmt::format("{:.3f}", *value) : "-"; }

std::string figure_text(const std::optional<Estimate>& value) {
  return value ? fmt::format("{:.3f} ({:.3f} to {:.3f})", value->mean, value->low, value->high) : "-";
}

std::string percent_text(const Rational& share) { return (share * Rational(100)).to_decimal() + " %"; }

std::string share_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f} %", 100 * *value) : "not measurable";
}

std::string verdict_line(const std::optional<bool>& holds, bool is_doubtful, const std::optional<double>& lower,
                         double rate, Style style) {
  const std::string verdict = audit::verdict_text(holds, is_doubtful, lower, rate);
  if (verdict.empty()) return "";
  return (*holds && !is_doubtful ? verdict : style.red(verdict)) + "\n";
}

std::string claimed_text(const audit::Claim& claim) {
  if (!claim.epsilon) return "nothing";
  std::string text = fmt::format("epsilon {:.6g}", *claim.epsilon);
  if (claim.delta > 0) text += fmt::format(", delta {:.6g}", claim.delta);
  return text;
}

std::string attacks_table(const std::vector<audit::AttackResult>& attacks, Style style) {
  TextTable table;
  std::vector<std::string> head = {"attack", "AUC", "accuracy", "advantage"};
  for (const audit::RateOverTargets& rate : attacks.front().rates)
    head.push_back("found at " + percent_text(rate.fpr));
  head.emplace_back("epsilon at least");
  table.add(head);
  for (const audit::AttackResult& attack : attacks) {
    std::vector<std::string> row = {std::string(word_of(audit::kAttackWords, attack.attack)), figure_text(attack.auc),
                                    figure_text(attack.accuracy), figure_text(attack.advantage)};
    for (const audit::RateOverTargets& rate : attack.rates)
      row.push_back(share_text(rate.tpr ? std::optional(rate.tpr->mean) : std::nullopt));
    row.push_back(audit::bound_text(attack.epsilon_lower));
    table.add(row);
  }
  return table.text(style);
}

}  // namespace

std::string scores_text(const audit::ScoreAudit& found, Style style) {
  const audit::MembershipFigures& figures = found.figures;
  std::string text = fmt::format("{} members, {} others\n", figures.members, figures.nonmembers);
  text += fmt::format("AUC {}, accuracy {}, advantage {}\n", figure_text(figures.auc), figure_text(figures.accuracy),
                      figure_text(figures.advantage));
  for (const audit::RateAt& rate : figures.rates)
    text += fmt::format("of the members found where {} of the others are taken for members: {}\n",
                        percent_text(rate.fpr), share_text(rate.tpr));
  if (found.one_run)
    text += fmt::format("claimed {}; from one run, {} of {} guesses right: epsilon at least {}\n",
                        claimed_text(found.claimed), found.one_run->correct, found.one_run->guesses,
                        audit::bound_text(found.one_run->epsilon_lower));
  if (found.clopper_pearson)
    text += fmt::format("claimed {}; from independent runs: epsilon at least {}\n", claimed_text(found.claimed),
                        audit::bound_text(found.clopper_pearson->epsilon_lower));
  return text + verdict_line(found.holds, found.is_doubtful(), found.alarm_lower, found.alarm_rate, style);
}

std::string attack_text(const audit::ModelAttack& attack, Style style) {
  std::string text = fmt::format("{} by {}, {} shadows, {} of them attacked\n", attack.model, attack.method,
                                 attack.shadows, attack.targets);
  text += fmt::format("claimed {}", claimed_text(attack.claimed));
  if (attack.advantage_bound)
    text += fmt::format(": no attack can have an advantage above {:.3f}", *attack.advantage_bound);
  text += fmt::format("\naccuracy on members {}, on others {}\n\n", figure_text(attack.train_accuracy),
                      figure_text(attack.test_accuracy));
  text += attacks_table(attack.attacks, style);
  if (attack.unprotected) {
    text += "\nthe same without privacy\n";
    text += attacks_table(*attack.unprotected, style);
  }
  text += "\nA bound that is far below the claim proves nothing: these attacks are weak by nature.\n";
  return text +
         verdict_line(attack.holds, attack.is_doubtful(), attack.alarm.epsilon_lower, attack.alarm.rate, style);
}

}  // namespace gauze::cli
