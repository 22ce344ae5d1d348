#include "gauze/cli/learn/published_training_command.h"

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/learn/learn_flags.h"
#include "gauze/cli/learn/published_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/learn/job/training_job.h"
#include "gauze/learn/published/published_training.h"
#include "gauze/learn/rows/read_rows.h"

namespace gauze::cli {
namespace {

using learn::BudgetAllocation;
using learn::PublishedPlan;

void print_published(Invocation& invocation, const PublishedPlan& plan) {
  const auto line = [&](std::string_view name, const std::string& text) {
    invocation.out().print("{} {}\n", invocation.out_style().bold(fmt::format("{:<10}", name)), text);
  };
  line("model",
       fmt::format("{}, {} attributes, {} classes, {} weights", word_of(learn::kModelWords, plan.options.kind),
                   plan.attributes, plan.outputs, plan.weights));
  line("method", fmt::format("APBA-DP as published, reading {}, budgets {}",
                             word_of(learn::kReadingWords, plan.options.reading),
                             word_of(learn::kAllocationWords, plan.options.allocation)));
  line("claimed",
       fmt::format("epsilon {}, delta {}", plan.claimed_epsilon().to_decimal(), plan.options.delta.to_decimal()));
  const auto proved = [&](const std::optional<Bounds>& bounds) {
    return bounds ? fmt::format("epsilon {:.6g}, delta {}", bounds->upper, plan.options.delta.to_decimal())
                  : std::string("nothing");
  };
  line("proved", proved(plan.is_proved() ? plan.if_public : std::nullopt) + ": " + plan.reason());
  if (!plan.is_proved()) line("if public", proved(plan.if_public) + ", were the entropies public");
}

void print_allocation(Invocation& invocation, const BudgetAllocation& allocation) {
  TextTable table;
  table.add({"attribute", "sensitive", "entropy", "epsilon", "scale"});
  for (const BudgetAllocation::Column& column : allocation.columns)
    table.add({column.name, column.sensitive ? "yes" : "no",
               column.entropy ? fmt::format("{:.4f}", *column.entropy) : "-", fmt::format("{:.4f}", column.epsilon),
               fmt::format("{:.4f}", column.scale)});
  invocation.out().write(table.text(invocation.out_style()));
}

Result<int> run_allocate(Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const schema::Policy policy, learn_policy(invocation));
  GAUZE_TRY(const Rational epsilon, invocation.rational("epsilon"));
  if (!(epsilon > Rational())) return invalid_parameter("--epsilon must be above 0");
  GAUZE_TRY(const learn::SensitiveChoice choice, sensitive_choice(invocation));
  GAUZE_TRY(const auto names, learn::sensitive_names(*policy.learn, choice));
  GAUZE_TRY(const learn::EntropyLog log, entropy_log(invocation));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, policy.input));
  learn::LearningRows rows(*policy.learn, learn::InputEncoding::positions,
                           policy.input.decimal.value_or(table::DecimalSign::point), policy.input.null_tokens);
  GAUZE_TRY_VOID(learn::read_rows(*opened.source, policy.learn->columns(), rows, invocation.progress()));
  rows.finish();
  const BudgetAllocation allocation = learn::allocate_budgets(rows, names, epsilon, log);
  invocation.end_progress();
  invocation.warn(Warning::of_privacy("internal", "INTERNAL: entropies of private columns, not to be published"));
  if (invocation.json()) {
    Json object = allocation.to_json();
    object.set("internal", true);
    invocation.print_json(std::move(object));
  } else {
    print_allocation(invocation, allocation);
  }
  return 0;
}

}  // namespace

Result<int> run_published_training(Invocation& invocation) {
  GAUZE_TRY(const schema::Policy policy, learn_policy(invocation));
  GAUZE_TRY(const std::string kind, invocation.text("model"));
  GAUZE_TRY(const learn::PublishedOptions options, published_options(invocation, kind));
  GAUZE_TRY(const PublishedPlan plan, PublishedPlan::make(options, *policy.learn));
  if (!plan.is_proved() && invocation.has("ledger"))
    return invalid_parameter("as published there is no guarantee that a ledger could be charged for: {}",
                             plan.reason());
  if (invocation.has("plan")) {
    if (!invocation.json()) {
      print_published(invocation, plan);
      return 0;
    }
    Json object = learn::published_json(plan, {});
    object.set("planned", true).set("ledger", Json()).set("label", Json());
    invocation.print_json(std::move(object));
    return 0;
  }
  GAUZE_TRY(const std::string file, invocation.text("file"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  if (output == "-") return make_error(ErrorCode::usage, "a model is a file: -o needs a name, not -");
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(publish::Publication publication,
            begin_publication(invocation, random.is_seeded(), "train " + output, policy.text));
  GAUZE_TRY(const auto source,
            engines::open_declared_source(file, learn::training_columns(*policy.learn), policy.input));
  if (plan.is_proved()) {
    GAUZE_TRY(const bool granted, reserve(invocation, publication, plan.cost()));
    if (!granted) return 0;  // this request was answered before
  }
  GAUZE_TRY(const learn::LearningRows rows,
            learn::read_training_rows(*source, policy, learn::InputEncoding::positions,
                                      publication.witness_of_input(), invocation.progress()));
  GAUZE_TRY(const learn::PublishedModel made, [&]() -> Result<learn::PublishedModel> {
    if (random.is_seeded()) {
      GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
      learn::SeededStreams streams(static_cast<std::uint64_t>(seed));
      return learn::simulate_as_published(plan, policy, rows, streams, invocation.progress());
    }
    learn::SecureStreams streams;
    return learn::train_as_published(plan, policy, rows, streams, invocation.progress());
  }());
  PrivacyLabel label = learn::published_label(plan, policy, source->assumption());
  publication.bind_policy(policy.text);
  GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, output));
  GAUZE_TRY_VOID(written.write(made.file.to_bytes()));
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  invocation.end_progress();
  if (!plan.is_proved())
    invocation.warn(Warning::of_privacy("as_published", "as published: no guarantee; " + plan.reason()));
  if (invocation.json()) {
    Json object = learn::published_json(plan, made.allocation);
    object.set("ledger", publication.to_json()).set("label", label.to_json());
    invocation.print_json(std::move(object));
  } else {
    print_published(invocation, plan);
    invocation.note(wrote_with_label(output));
  }
  return 0;
}

void register_allocate_command(Registry& registry) {
  Flag epsilon = epsilon_flag();
  epsilon.help = "eps_1: the largest budget of an attribute";
  epsilon.required = true;
  std::vector<Flag> flags = {learn_policy_flag(true), std::move(epsilon)};
  for (Flag& flag : allocation_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add({
      .name = "allocate",
      .group = "Models",
      .summary = "Budgets of attributes by entropy, as APBA-DP shares them out",
      .description =
          "The entropies of the sensitive columns and what the published method makes of them. INTERNAL: they are read "
          "from the rows without noise, and no guarantee stands on them.",
      .examples = {{"gauze allocate people.csv --policy people.yaml --sensitive age,hours --epsilon 0.4",
                    "entropy, budget and scale of each attribute"}},
      .positionals = {table_positional()},
      .flags = std::move(flags),
      .run = run_allocate,
  });
}

}  // namespace gauze::cli
