#include "gauze/audit/study/learning_study.h"
#include "gauze/base/joined.h"
#include "gauze/cli/audit/score_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/cli/flags/owner_output.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/learn/learn_flags.h"
#include "gauze/cli/learn/learn_text.h"
#include "gauze/cli/learn/published_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/learn/rows/read_rows.h"

namespace gauze::cli {
namespace {

using audit::LearningStudy;
using audit::StudyRequest;
using audit::StudyResult;

/// 0.7/0.1/0.2: training, validation, test.
Result<void> read_split(const Invocation& invocation, StudyRequest& request) {
  GAUZE_TRY(const std::string text, invocation.text("split"));
  std::vector<Rational> shares;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    const auto share = Rational::parse(text.substr(begin, end - begin));
    if (!share || share->sign() < 0) return invalid_parameter("--split takes three shares, such as 0.7/0.1/0.2");
    shares.push_back(*share);
    begin = end + 1;
  }
  if (shares.size() != 3 || shares[0] + shares[1] + shares[2] != Rational(1))
    return invalid_parameter("--split takes three shares that add up to 1, such as 0.7/0.1/0.2");
  request.training_share = shares[0];
  request.test_share = shares[2];
  return {};
}

Result<std::vector<audit::AttackKind>> study_attacks(const Invocation& invocation) {
  if (invocation.has("attacks")) return attack_kinds(invocation);
  if (!invocation.has("attack")) return std::vector<audit::AttackKind>();
  return std::vector<audit::AttackKind>{audit::AttackKind::trained, audit::AttackKind::loss};
}

Result<StudyRequest> study_request(const Invocation& invocation) {
  StudyRequest request;
  GAUZE_TRY(const auto models, invocation.list("models"));
  for (const std::string& word : models) {
    const auto model = value_of(learn::kModelWords, word);
    if (!model) return tl::unexpected(wrong_word("a model", all_words(learn::kModelWords), word));
    request.models.push_back(*model);
  }
  GAUZE_TRY(const auto methods, invocation.list("methods"));
  for (const std::string& word : methods) {
    const auto method = value_of(audit::kStudyMethodWords, word);
    if (!method) return tl::unexpected(wrong_word("a method", all_words(audit::kStudyMethodWords), word));
    request.methods.push_back(*method);
    if (invocation.has("steps") && audit::is_published(*method))
      return make_error(ErrorCode::usage, "--steps does not go with {}: the published method trains by --epochs",
                        word);
  }
  if (invocation.has("epsilons") && invocation.has("sigma"))
    return make_error(ErrorCode::usage, "--sigma is the noise itself: not beside --epsilons");
  if (invocation.has("epsilons")) {
    GAUZE_TRY(request.epsilons, invocation.rationals("epsilons"));
  }
  GAUZE_TRY(const auto delta, invocation.optional_rational("delta"));
  if (delta) request.delta = *delta;
  GAUZE_TRY(request.training, shared_training_options(invocation));
  GAUZE_TRY(request.training.sigma, invocation.optional_rational("sigma"));
  GAUZE_TRY(request.published, shared_published_options(invocation));
  GAUZE_TRY(const std::int64_t seeds, invocation.integer("seeds", 1, 10'000));
  request.seeds = static_cast<std::uint64_t>(seeds);
  GAUZE_TRY(request.first_seed, simulation_seed(invocation));
  request.first_seed %= std::uint64_t{1} << 50U;
  GAUZE_TRY(request.attacks, study_attacks(invocation));
  GAUZE_TRY_VOID(read_split(invocation, request));
  return request;
}

std::string figure_text(const std::optional<Estimate>& estimate) {
  if (!estimate) return "-";
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", estimate->mean, estimate->low, estimate->high);
}

/// Attack by attack: accuracy and AUC are of everybody, the shares that are found with few false alarms of those who are exposed.
void print_attacks(Invocation& invocation, const LearningStudy& study) {
  if (study.results.empty() || study.results.front().attacks.empty()) return;
  TextTable table;
  std::vector<std::string> head = {"model", "method", "epsilon", "attack", "accuracy", "AUC"};
  for (const Rational& rate : study.false_rates)
    head.push_back("found at " + (rate * Rational(100)).to_decimal() + " %");
  table.add(head);
  for (const StudyResult& result : study.results) {
    for (const StudyResult::Attack& attack : result.attacks) {
      std::vector<std::string> row = {std::string(word_of(learn::kModelWords, result.model)),
                                      std::string(word_of(audit::kStudyMethodWords, result.method)),
                                      result.epsilon ? result.epsilon->to_decimal() : "-",
                                      std::string(word_of(audit::kAttackWords, attack.kind)),
                                      figure_text(attack.accuracy),
                                      figure_text(attack.auc)};
      for (const auto& rate : attack.rates)
        row.push_back(rate ? fmt::format("{:.2f} %", 100 * rate->mean) : "not measurable");
      table.add(row);
    }
  }
  invocation.out().print("\n{}", table.text(invocation.out_style()));
  invocation.note("no epsilon follows from these attacks: who was in a training part was not tossed by fair coins");
}

void print_study(Invocation& invocation, const LearningStudy& study, std::uint64_t seeds) {
  TextTable table;
  table.add({"model", "method", "epsilon", "proved", "accuracy", "F1, weighted", "balanced", "attack", "AUC"});
  table.add({"majority", "", "", "", figure_text(study.majority), "", "", "", ""});
  for (const StudyResult& result : study.results) {
    const StudyResult::Attack* strongest = result.strongest_attack();
    table.add({std::string(word_of(learn::kModelWords, result.model)),
               std::string(word_of(audit::kStudyMethodWords, result.method)),
               result.epsilon ? result.epsilon->to_decimal() : "-",
               result.proved ? fmt::format("{:.3g}", *result.proved) : "none", figure_text(result.accuracy),
               result.f1_weighted ? fmt::format("{:.3f}", result.f1_weighted->mean) : "-",
               result.balanced_accuracy ? fmt::format("{:.3f}", result.balanced_accuracy->mean) : "-",
               strongest && strongest->accuracy ? fmt::format("{:.3f}", strongest->accuracy->mean) : "-",
               strongest && strongest->auc ? fmt::format("{:.3f}", strongest->auc->mean) : "-"});
  }
  invocation.out().write(table.text(invocation.out_style()));
  print_attacks(invocation, study);
  invocation.note(fmt::format("over {} seeds; intervals hold the middle 95 % of them", seeds));
}

Result<int> run_study(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const schema::Policy policy, learn_policy(invocation));
  GAUZE_TRY(const StudyRequest request, study_request(invocation));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, policy.input));
  const auto decimal = policy.input.decimal.value_or(table::DecimalSign::point);
  learn::LearningRows expanded(*policy.learn, learn::InputEncoding::expanded, decimal, policy.input.null_tokens);
  learn::LearningRows positions(*policy.learn, learn::InputEncoding::positions, decimal, policy.input.null_tokens);
  for (learn::LearningRows* rows : {&expanded, &positions}) {
    GAUZE_TRY_VOID(learn::read_rows(*opened.source, policy.learn->columns(), *rows, invocation.progress()));
    rows->finish();
  }
  GAUZE_TRY(const LearningStudy study,
            audit::study_learning(policy, expanded, positions, request, invocation.progress()));
  invocation.end_progress();
  invocation.warn(Warning::of_privacy("internal", "INTERNAL: measured on private rows, not to be published"));
  if (invocation.json())
    invocation.print_json(study.to_json());
  else
    print_study(invocation, study, request.seeds);
  return 0;
}

}  // namespace

void register_study_command(Registry& registry) {
  std::vector<Flag> flags = {
      learn_policy_flag(true),
      {.name = "models", .placeholder = "A,B", .help = "kinds of models", .default_text = "mlp"},
      {.name = "methods",
       .placeholder = "A,B",
       .help = "none, dpsgd, shaped, apba-frozen, apba-plain, apba-private, apba-uniform",
       .default_text = "none,dpsgd"},
      {.name = "epsilons", .placeholder = "E,...", .help = "budgets to compare"},
      {.name = "seeds",
       .placeholder = "N",
       .help = "repetitions, each with a split of its own",
       .default_text = "10"},
      {.name = "split",
       .placeholder = "A/B/C",
       .help = "shares for training, validation and test",
       .default_text = "0.7/0.1/0.2"},
      {.name = "attack", .help = "attack every model: the paper's linear model on its answers, and its loss"},
      {.name = "attacks",
       .placeholder = "A,B",
       .help = "attack by these instead: " + joined(all_words(audit::kAttackWords), ", ") +
               "; shadows are the models of the other seeds"}};
  const auto add = [&](std::vector<Flag> more) {
    for (Flag& flag : more) flags.push_back(std::move(flag));
  };
  add({{.name = "sigma", .placeholder = "S", .help = "instead of --epsilons: the noise, relative to the clip"},
       delta_flag()});
  add(training_flags());
  add(published_constant_flags());
  add({simulation_seed_flag()});
  add(table_flags());
  std::erase_if(flags, [](const Flag& flag) { return flag.name == "method" || flag.name == "allocation"; });
  registry.add({
      .name = "study",
      .group = "Models",
      .summary = "Compare models, methods and budgets over many seeds, for yourself",
      .description =
          "Splits the table anew for every seed, trains each model by each method at each epsilon, and measures on the "
          "test part, beside the majority class and, with --attack, under attack. INTERNAL: what is chosen by it was "
          "chosen on this data.",
      .examples =
          {{"gauze study people.csv --policy people.yaml --models logistic,mlp --methods none,dpsgd --epsilons "
            "0.3,1 --delta 1e-6 --attack",
            "what privacy costs here, and what an attacker gets"}},
      .positionals = {table_positional()},
      .flags = std::move(flags),
      .run = run_study,
  });
}

}  // namespace gauze::cli
