#include "gauze/audit/scores/score_audit.h"
#include "gauze/audit/scores/score_table.h"
#include "gauze/cli/audit/attack_text.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/audit/score_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/engines/open_source.h"

namespace gauze::cli {
namespace {

Result<int> run_attack_scores(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string score, invocation.text("score"));
  GAUZE_TRY(const std::string member, invocation.text("member"));
  GAUZE_TRY(const audit::ScoreRequest request, score_request(invocation));
  GAUZE_TRY(const table::ReadOptions options, read_options(invocation, {}));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, options));
  GAUZE_TRY(const audit::MembershipScores scores,
            audit::read_scores(*opened.source, score, member, invocation.progress()));
  GAUZE_TRY(const audit::ScoreAudit found, audit::audit_scores(scores.members, scores.others, request));
  invocation.warn_all(found.warnings);
  return deliver_audit(invocation, "scores", found.to_json(), scores_text(found, invocation.out_style()),
                       found.holds);
}

}  // namespace

void register_attack_scores_command(Registry& registry) {
  std::vector<Flag> flags = {{.name = "score",
                              .placeholder = "COL",
                              .help = "the column of scores; a higher one means member",
                              .required = true},
                             {.name = "member",
                              .placeholder = "COL",
                              .help = "the column that says who was a member: 1 or 0",
                              .required = true}};
  const auto add = [&](std::vector<Flag> more) {
    for (Flag& flag : more) flags.push_back(std::move(flag));
  };
  add(score_flags());
  add(claim_flags());
  add(table_flags());
  registry.add({
      .name = "attack scores",
      .group = "Attacks and audits",
      .summary = "How well scores from elsewhere tell members from others",
      .description =
          "AUC, accuracy and the share of members that are found at small shares of false alarms, for scores that some attack gave to "
          "records that were in the training data and to others. INTERNAL.\n\n"
          "A bound on epsilon follows from them only where you say why: --fair-coins when each record was a member by a fair coin of its "
          "own (one model), --independent when each score comes from a run of its own (many models). A fixed split of two files is "
          "neither. Exit status 3 when the bound, at the false-alarm rate, lies above the claim.",
      .examples = {{"gauze attack scores scores.csv --score s --member m --fair-coins --claimed-epsilon 1",
                    "can the claim be true?"},
                   {"gauze attack scores scores.csv --score s --member m", "the figures alone"}},
      .positionals = {table_positional()},
      .flags = std::move(flags),
      .run = run_attack_scores,
  });
}

}  // namespace gauze::cli
