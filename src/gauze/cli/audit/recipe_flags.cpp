#include "gauze/cli/audit/recipe_flags.h"

#include "gauze/cli/learn/learn_flags.h"
#include "gauze/cli/learn/published_flags.h"

namespace gauze::cli {

std::vector<Flag> recipe_flags() {
  std::vector<Flag> flags = {{.name = "model",
                              .placeholder = "KIND",
                              .help = "what is trained",
                              .choices = all_words(learn::kModelWords),
                              .required = true}};
  for (auto* more : {training_budget_flags, training_flags, published_flags})
    for (Flag& flag : more()) flags.push_back(std::move(flag));
  return flags;
}

Result<audit::Recipe> recipe_of(const Invocation& invocation, const schema::Policy& policy) {
  GAUZE_TRY(const std::string kind, invocation.text("model"));
  if (invocation.has("as-published")) {
    GAUZE_TRY(learn::PublishedOptions options, published_options(invocation, kind));
    GAUZE_TRY(learn::PublishedPlan plan, learn::PublishedPlan::make(std::move(options), *policy.learn));
    return audit::Recipe(std::move(plan));
  }
  for (const Flag& flag : published_flags())
    if (invocation.has(flag.name)) return make_error(ErrorCode::usage, "--{} goes with --as-published", flag.name);
  GAUZE_TRY(learn::TrainingOptions options, training_options(invocation, kind));
  GAUZE_TRY(learn::TrainingPlan plan, learn::TrainingPlan::make(std::move(options), *policy.learn));
  return audit::Recipe(std::move(plan));
}

}  // namespace gauze::cli
