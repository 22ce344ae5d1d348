#include <algorithm>
#include <cmath>

#include "gauze/audit/scores/score_audit.h"
#include "gauze/audit/scores/score_table.h"
#include "gauze/cli/audit/attack_text.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/audit/score_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/owner_output.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/table/csv_text.h"

namespace gauze::cli {
namespace {

constexpr std::size_t kMostShown = 1'000;

struct ShadowMethod {
  std::string name;
  audit::ShadowVariance variance = audit::ShadowVariance::automatic;
  audit::RmiaOptions rmia = {};

  [[nodiscard]] std::size_t least_shadows() const { return name == "lira" ? 2 : 1; }
  [[nodiscard]] std::vector<double> scores(const audit::ShadowScores& shadows, std::size_t target) const {
    if (name == "lira") return audit::lira_scores(shadows, target, variance);
    if (name == "lira-offline") return audit::lira_offline_scores(shadows, target, variance);
    return audit::rmia_scores(shadows, target, rmia);
  }
};

Result<ShadowMethod> shadow_method(const Invocation& invocation) {
  ShadowMethod method;
  GAUZE_TRY(method.name, invocation.text("method"));
  GAUZE_TRY(method.variance, invocation.value("variance", audit::kShadowVarianceWords));
  GAUZE_TRY(const Rational gamma, invocation.rational("gamma"));
  GAUZE_TRY(const Rational a, invocation.rational("a"));
  if (gamma.sign() <= 0) return invalid_parameter("--gamma must be above 0");
  if (a.sign() < 0 || a > Rational(1)) return invalid_parameter("--a must be between 0 and 1");
  method.rmia = {.gamma = gamma.to_double(), .a = a.to_double()};
  return method;
}

/// A record of the target with its score.
struct Attacked {
  std::size_t record;
  double score;
};

std::vector<Attacked> by_score(const std::vector<double>& scores) {
  std::vector<Attacked> list;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (!std::isnan(scores[i])) list.push_back({i, scores[i]});
  std::stable_sort(list.begin(), list.end(), [](const Attacked& a, const Attacked& b) { return a.score > b.score; });
  return list;
}

Result<void> write_scores(Invocation& invocation, const audit::NamedShadowScores& named, std::size_t target,
                          const std::vector<double>& scores) {
  return write_for_owner(invocation, [&](const publish::ByteSink& sink) -> Result<void> {
    std::string text = "record,member,score\n";
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (std::isnan(scores[i])) continue;
      table::append_csv_cell(text, named.records[i], ',');
      text += fmt::format(",{},{}\n", static_cast<int>(named.scores.is_member(target, i)), scores[i]);
    }
    return sink(text);
  });
}

Result<int> run_attack_shadows(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string target_name, invocation.text("target"));
  GAUZE_TRY(const ShadowMethod method, shadow_method(invocation));
  GAUZE_TRY(const audit::ScoreRequest request, score_request(invocation));
  GAUZE_TRY(const table::ReadOptions options, read_options(invocation, {}));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, options));
  GAUZE_TRY(const audit::NamedShadowScores named, audit::read_shadow_scores(*opened.source, invocation.progress()));
  if (method.name == "rmia") GAUZE_TRY_VOID(audit::check_confidences(named.scores));
  const auto found = std::find(named.models.begin(), named.models.end(), target_name);
  if (found == named.models.end())
    return asking_for("target",
                      invalid_parameter("no row is of the model '{}', which is to be attacked", target_name));
  if (named.models.size() < 1 + method.least_shadows())
    return invalid_parameter("{} needs {} models beside the target", method.name, method.least_shadows());
  const auto target = static_cast<std::size_t>(found - named.models.begin());
  const std::vector<double> scores = method.scores(named.scores, target);
  std::vector<double> members;
  std::vector<double> others;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (!std::isnan(scores[i])) (named.scores.is_member(target, i) == 1 ? members : others).push_back(scores[i]);
  GAUZE_TRY(const audit::ScoreAudit audited, audit::audit_scores(members, others, request));
  Json json = audited.to_json();
  Json records = Json::array();
  const std::vector<Attacked> sorted = by_score(scores);
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostShown); ++i)
    records.push(Json::object({{"record", named.records[sorted[i].record]}, {"score", sorted[i].score}}));
  json.set("records", std::move(records));
  invocation.warn_all(audited.warnings);
  if (invocation.has("output")) GAUZE_TRY_VOID(write_scores(invocation, named, target, scores));
  return print_audit(invocation, std::move(json), scores_text(audited, invocation.out_style()), audited.holds);
}

}  // namespace

void register_attack_shadows_command(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "method",
       .placeholder = "M",
       .help = "how the target is compared with the others",
       .choices = {"lira", "lira-offline", "rmia"},
       .required = true},
      {.name = "target", .placeholder = "NAME", .help = "the model that is attacked", .default_text = "target"},
      {.name = "variance",
       .placeholder = "V",
       .help = "lira: a deviation for each record, one for all, or by how many models know it",
       .default_text = "auto",
       .choices = all_words(audit::kShadowVarianceWords)},
      {.name = "gamma",
       .placeholder = "G",
       .help = "rmia: how many times likelier than another record",
       .default_text = "1"},
      {.name = "a",
       .placeholder = "A",
       .help = "rmia: of records that no other model was trained with",
       .default_text = "0.3"}};
  const auto add = [&](std::vector<Flag> more) {
    for (Flag& flag : more) flags.push_back(std::move(flag));
  };
  add(score_flags());
  add(claim_flags());
  add(table_flags());
  for (Flag& flag : flags)
    if (flag.name == "output") flag.help = "write the score of every record as CSV; it is INTERNAL and has no label";
  registry.add({
      .name = "attack shadows",
      .group = "Attacks and audits",
      .summary = "LiRA and RMIA from scores of somebody else's models",
      .description =
          "Takes a table with the columns record, model, member (1 or 0) and score: of several models made alike, what each says of each "
          "record, and whether it was trained on it. For lira the score is the logit of the confidence in the true class, for rmia the "
          "confidence. The rows of one model, the target, are attacked with the help of all others. INTERNAL.\n\n"
          "The figures, and when a bound follows from them, are those of 'gauze attack scores'.",
      .examples = {{"gauze attack shadows logits.csv --method lira --fair-coins --claimed-epsilon 1 -o scores.csv",
                    "attack the model named target"}},
      .positionals = {table_positional()},
      .flags = std::move(flags),
      .run = run_attack_shadows,
  });
}

}  // namespace gauze::cli
