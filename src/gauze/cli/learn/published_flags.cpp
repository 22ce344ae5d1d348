#include "gauze/cli/learn/published_flags.h"

#include "gauze/cli/learn/learn_flags.h"

namespace gauze::cli {
namespace {

using learn::PublishedOptions;

/// eps_1 and eps_2: given, or 0.4 and 0.6 of --epsilon.
Result<void> read_epsilons(const Invocation& invocation, PublishedOptions& options) {
  if (invocation.has("epsilon")) {
    if (invocation.has("epsilon-1") || invocation.has("epsilon-2"))
      return make_error(ErrorCode::usage, "--epsilon means 0.4 and 0.6 of it: not beside --epsilon-1 or --epsilon-2");
    GAUZE_TRY(const Rational epsilon, invocation.rational("epsilon"));
    options.epsilon_1 = epsilon * Rational(2, 5);
    options.epsilon_2 = epsilon * Rational(3, 5);
    return {};
  }
  GAUZE_TRY(options.epsilon_1, invocation.rational("epsilon-1"));
  GAUZE_TRY(options.epsilon_2, invocation.rational("epsilon-2"));
  return {};
}

Result<void> read_counts(const Invocation& invocation, PublishedOptions& options) {
  if (invocation.has("epochs")) {
    GAUZE_TRY(const std::int64_t epochs, invocation.integer("epochs", 1, 1'000'000));
    options.epochs = static_cast<std::uint64_t>(epochs);
  }
  if (invocation.has("batch")) {
    GAUZE_TRY(const std::int64_t batch, invocation.integer("batch", 1, 1 << 26));
    options.batch = static_cast<std::uint64_t>(batch);
  }
  if (invocation.has("rows")) {
    GAUZE_TRY(const std::int64_t rows, invocation.integer("rows", 1, 1'000'000'000'000));
    options.rows = static_cast<std::uint64_t>(rows);
  }
  return {};
}

}  // namespace

std::vector<Flag> allocation_flags() {
  return {{.name = "sensitive", .placeholder = "A,B", .help = "sensitive attributes, instead of the policy's"},
          {.name = "sensitive-share",
           .placeholder = "S",
           .help = "instead: the first features, this share of them; 0.1 where nothing else says"},
          {.name = "log",
           .placeholder = "BASE",
           .help = "the logarithm of entropies",
           .default_text = "e",
           .choices = all_words(learn::kEntropyLogWords)}};
}

std::vector<Flag> published_constant_flags() {
  std::vector<Flag> flags = {
      {.name = "c", .placeholder = "C", .help = "factor of the Gaussian noise", .default_text = "2"},
      {.name = "clip-w", .placeholder = "C", .help = "L1 bound of the mapping layer", .default_text = "5"},
      {.name = "gaussian",
       .placeholder = "FIGURE",
       .help = "what N(.) of the paper is given",
       .default_text = "sd",
       .choices = all_words(learn::kGaussianFigureWords)},
      {.name = "laplace-epochs",
       .placeholder = "YES",
       .help = "whether the Laplace scale has the number of epochs",
       .default_text = "yes",
       .choices = {"yes", "no"}}};
  for (Flag& flag : allocation_flags()) flags.push_back(std::move(flag));
  return flags;
}

std::vector<Flag> published_flags() {
  std::vector<Flag> flags = {
      {.name = "as-published", .help = "APBA-DP to the letter, with what is claimed and what is proved of it"},
      {.name = "reading",
       .placeholder = "HOW",
       .help = "how Algorithm 1 is read: the mapping layer stays, moves plainly, or moves with noise",
       .choices = all_words(learn::kReadingWords)},
      {.name = "allocation",
       .placeholder = "HOW",
       .help = "budgets by entropy, or the same for every attribute",
       .default_text = "entropy",
       .choices = all_words(learn::kAllocationWords)},
      {.name = "epsilon-1", .placeholder = "E", .help = "budget of the mapping layer", .default_text = "0.4"},
      {.name = "epsilon-2", .placeholder = "E", .help = "budget of the gradients", .default_text = "0.6"}};
  for (Flag& flag : published_constant_flags()) flags.push_back(std::move(flag));
  return flags;
}

Result<learn::SensitiveChoice> sensitive_choice(const Invocation& invocation) {
  learn::SensitiveChoice choice;
  if (invocation.has("sensitive")) {
    GAUZE_TRY(choice.names, invocation.list("sensitive"));
  }
  GAUZE_TRY(choice.share, invocation.optional_rational("sensitive-share"));
  if (choice.share && !choice.names.empty())
    return make_error(ErrorCode::usage, "give either --sensitive or --sensitive-share");
  return choice;
}

Result<learn::EntropyLog> entropy_log(const Invocation& invocation) {
  return invocation.value("log", learn::kEntropyLogWords);
}

Result<PublishedOptions> shared_published_options(const Invocation& invocation) {
  PublishedOptions options;
  GAUZE_TRY_VOID(read_counts(invocation, options));
  if (invocation.has("delta")) {
    GAUZE_TRY(options.delta, invocation.rational("delta"));
  }
  if (invocation.has("clip")) {
    GAUZE_TRY(options.clip, invocation.rational("clip"));
  }
  GAUZE_TRY(options.c, invocation.rational("c"));
  GAUZE_TRY(options.clip_w, invocation.rational("clip-w"));
  GAUZE_TRY(options.gaussian, invocation.value("gaussian", learn::kGaussianFigureWords));
  GAUZE_TRY(const std::string epochs, invocation.text("laplace-epochs"));
  options.laplace_epochs = epochs == "yes";
  GAUZE_TRY(options.sensitive, sensitive_choice(invocation));
  GAUZE_TRY(options.log, entropy_log(invocation));
  GAUZE_TRY(options.shape, model_shape_flags(invocation));
  GAUZE_TRY_VOID(read_descent_flags(invocation, options));
  return options;
}

Result<PublishedOptions> published_options(const Invocation& invocation, std::string_view kind) {
  for (const char* flag : {"sigma", "steps", "sampling", "adjacency", "method", "average", "tokens", "holdout",
                           "holdout-epsilon", "checkpoint", "resume"})
    if (invocation.command().find_flag(flag) != nullptr && invocation.has(flag))
      return make_error(ErrorCode::usage, "--as-published takes no --{}: the paper has none", flag);
  GAUZE_TRY(PublishedOptions options, shared_published_options(invocation));
  const auto model = value_of(learn::kModelWords, kind);
  if (!model) return tl::unexpected(wrong_word("--model", all_words(learn::kModelWords), kind));
  options.kind = *model;
  GAUZE_TRY_VOID(check_shape_flags(invocation, options.kind));
  if (!invocation.has("reading"))
    return make_error(ErrorCode::usage,
                      "--as-published needs --reading frozen, plain or private: the paper can be read so");
  GAUZE_TRY(options.reading, invocation.value("reading", learn::kReadingWords));
  GAUZE_TRY(options.allocation, invocation.value("allocation", learn::kAllocationWords));
  GAUZE_TRY_VOID(read_epsilons(invocation, options));
  return options;
}

}  // namespace gauze::cli
