#include "gauze/cli/learn/learn_flags.h"

#include <algorithm>
#include <charconv>

#include "gauze/base/joined.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"

namespace gauze::cli {
namespace {

using learn::TrainingOptions;

Result<std::size_t> whole_number(std::string_view text, std::string_view flag) {
  std::size_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || value == 0)
    return invalid_parameter("--{} takes whole numbers above 0, but one of them is '{}'", flag, text);
  return value;
}

/// attribute, reshape:14x10
Result<void> read_tokens(const Invocation& invocation, learn::ModelShape& shape) {
  GAUZE_TRY(const std::string text, invocation.text("tokens"));
  if (text == "attribute") return {};
  constexpr std::string_view kReshape = "reshape:";
  const std::size_t cross = text.find('x', kReshape.size());
  if (!text.starts_with(kReshape) || cross == std::string::npos)
    return invalid_parameter("--tokens takes attribute, or reshape:SxD such as reshape:14x10");
  GAUZE_TRY(const std::size_t positions,
            whole_number(std::string_view(text).substr(kReshape.size(), cross - kReshape.size()), "tokens"));
  GAUZE_TRY(const std::size_t channels, whole_number(std::string_view(text).substr(cross + 1), "tokens"));
  shape.reshape = {positions, channels};
  return {};
}

/// 1.5, adaptive, adaptive:0.7
Result<void> read_clip(const Invocation& invocation, TrainingOptions& options) {
  GAUZE_TRY(const std::string text, invocation.text("clip"));
  if (!text.starts_with("adaptive")) {
    GAUZE_TRY(options.clip, invocation.rational("clip"));
    return {};
  }
  options.adaptive.emplace();
  if (text == "adaptive") return {};
  const auto quantile = text.starts_with("adaptive:") ? Rational::parse(text.substr(9)) : Rational::parse("");
  if (!quantile)
    return invalid_parameter("--clip takes a number, adaptive, or adaptive:Q with a quantile such as 0.7");
  options.adaptive->quantile = *quantile;
  return {};
}

Result<void> read_sampling(const Invocation& invocation, TrainingOptions& options) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  const auto count = [&](const char* name, std::optional<std::uint64_t>& value) -> Result<void> {
    if (!invocation.has(name)) return {};
    GAUZE_TRY(const std::int64_t number, invocation.integer(name, 1, kMost));
    value = static_cast<std::uint64_t>(number);
    return {};
  };
  GAUZE_TRY_VOID(count("steps", options.steps));
  GAUZE_TRY_VOID(count("batch", options.batch));
  GAUZE_TRY_VOID(count("rows", options.rows));
  GAUZE_TRY(options.epochs, invocation.optional_rational("epochs"));
  if (invocation.has("adjacency")) {
    GAUZE_TRY(options.neighbours, adjacency_of(invocation));
  }
  if (invocation.has("sampling")) {
    GAUZE_TRY(options.sampling, invocation.value("sampling", learn::kSamplingWords));
  }
  return {};
}

Result<void> read_budget(const Invocation& invocation, TrainingOptions& options) {
  const auto epsilon = invocation.optional_text("epsilon");
  if (epsilon == "inf" || epsilon == "infinity") {
    options.unprotected = true;
  } else {
    GAUZE_TRY(options.epsilon, invocation.optional_rational("epsilon"));
  }
  GAUZE_TRY(options.sigma, invocation.optional_rational("sigma"));
  GAUZE_TRY(options.delta, invocation.optional_rational("delta"));
  return {};
}

}  // namespace

Result<learn::ModelShape> model_shape_flags(const Invocation& invocation) {
  learn::ModelShape shape;
  constexpr std::int64_t kMost = 65'536;
  if (invocation.has("hidden")) {
    GAUZE_TRY(const auto widths, invocation.list("hidden"));
    shape.hidden.clear();
    for (const std::string& width : widths) {
      GAUZE_TRY(const std::size_t number, whole_number(width, "hidden"));
      shape.hidden.push_back(number);
    }
  }
  const auto size = [&](const char* name, std::size_t& value) -> Result<void> {
    GAUZE_TRY(const std::int64_t number, invocation.integer(name, 1, kMost));
    value = static_cast<std::size_t>(number);
    return {};
  };
  GAUZE_TRY_VOID(size("width", shape.width));
  GAUZE_TRY_VOID(size("heads", shape.heads));
  GAUZE_TRY_VOID(size("blocks", shape.blocks));
  GAUZE_TRY(const Rational dropout, invocation.rational("dropout"));
  shape.dropout = dropout.to_double();
  GAUZE_TRY_VOID(read_tokens(invocation, shape));
  return shape;
}

Flag learn_policy_flag(bool required) {
  return {.name = "policy",
          .placeholder = "P",
          .help = "the policy with a section learn: features, bounds, values, target (docs/formats/policy.md)",
          .required = required,
          .is_file = true};
}

Result<schema::Policy> learn_policy(const Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("policy"));
  GAUZE_TRY(schema::Policy policy, schema::read_policy_file(file));
  GAUZE_TRY(const schema::LearnPolicy* section, learn_section(policy));
  static_cast<void>(section);
  GAUZE_TRY(policy.input, read_options(invocation, std::move(policy.input)));
  return policy;
}

std::vector<Flag> training_budget_flags() {
  Flag epsilon = epsilon_flag();
  epsilon.help += "; inf trains without privacy";
  return {std::move(epsilon),
          {.name = "sigma",
           .placeholder = "S",
           .help = "instead of --epsilon: the noise, relative to the clip; the price follows"},
          delta_flag()};
}

std::vector<Flag> training_flags() {
  Flag adjacency = adjacency_flag();
  adjacency.help = "which tables count as neighbours; default: the policy's";
  adjacency.default_text.clear();
  return {
      {.name = "steps", .placeholder = "N", .help = "steps of training, 1000 unless given"},
      {.name = "epochs", .placeholder = "E", .help = "instead of --steps: how often a row is seen on average"},
      {.name = "batch", .placeholder = "B", .help = "rows a step sees on average, 512 unless given"},
      {.name = "rows", .placeholder = "N", .help = "declared number of rows, over the policy's: public and round"},
      std::move(adjacency),
      {.name = "sampling",
       .placeholder = "KIND",
       .help = "who is in a step; poisson, under replace-one fixed-size",
       .choices = all_words(learn::kSamplingWords)},
      {.name = "clip",
       .placeholder = "C",
       .help = "the largest norm of a gradient, or adaptive[:QUANTILE]",
       .default_text = "1"},
      {.name = "optimizer",
       .placeholder = "KIND",
       .help = "how weights move, momentum unless given",
       .choices = all_words(learn::kOptimiserWords)},
      {.name = "learning-rate", .placeholder = "R", .help = "how far", .default_text = "0.5"},
      {.name = "schedule",
       .placeholder = "KIND",
       .help = "how the rate falls, cosine unless given",
       .choices = all_words(learn::kScheduleWords)},
      {.name = "loss",
       .placeholder = "KIND",
       .help = "what is made small: softmax; hinge for svm, squared for a numeric target",
       .choices = all_words(learn::kLossWords)},
      {.name = "hidden", .placeholder = "A,B", .help = "widths of the hidden layers of mlp, 128,64 unless given"},
      {.name = "width", .placeholder = "W", .help = "numbers of a token", .default_text = "64"},
      {.name = "heads", .placeholder = "H", .help = "heads of attention", .default_text = "4"},
      {.name = "blocks", .placeholder = "N", .help = "blocks of a transformer", .default_text = "1"},
      {.name = "tokens",
       .placeholder = "HOW",
       .help = "how a row becomes a sequence: attribute, or reshape:SxD",
       .default_text = "attribute"},
      {.name = "dropout", .placeholder = "P", .help = "share of numbers dropped in training", .default_text = "0"},
      {.name = "average", .placeholder = "D", .help = "decay of averaged weights; 0: none", .default_text = "0"},
      {.name = "init",
       .placeholder = "KIND",
       .help = "first weights: zero for logistic and svm, else scaled",
       .choices = all_words(learn::kInitialWords)},
      {.name = "method",
       .placeholder = "KIND",
       .help = "dpsgd, or noise shaped by attribute",
       .default_text = "dpsgd",
       .choices = all_words(learn::kMethodWords)},
  };
}

Result<void> check_shape_flags(const Invocation& invocation, learn::ModelKind kind) {
  using learn::ModelKind;
  struct Shape {
    const char* flag;
    std::vector<ModelKind> kinds;
  };
  const std::vector<ModelKind> sequences = {ModelKind::cnn, ModelKind::lstm, ModelKind::transformer};
  for (const Shape& shape : {Shape{"hidden", {ModelKind::mlp}}, Shape{"width", sequences}, Shape{"tokens", sequences},
                             Shape{"heads", {ModelKind::transformer}}, Shape{"blocks", {ModelKind::transformer}}}) {
    const auto fits = std::find(shape.kinds.begin(), shape.kinds.end(), kind) != shape.kinds.end();
    if (fits || !invocation.has(shape.flag)) continue;
    std::vector<std::string> words;
    for (const ModelKind one : shape.kinds) words.emplace_back(word_of(learn::kModelWords, one));
    return make_error(ErrorCode::usage, "--{} is for {}: {} has none", shape.flag, joined(words, ", "),
                      word_of(learn::kModelWords, kind));
  }
  return {};
}

Result<TrainingOptions> training_options(const Invocation& invocation, std::string_view kind) {
  const auto model = value_of(learn::kModelWords, kind);
  if (!model) return tl::unexpected(wrong_word("--model", all_words(learn::kModelWords), kind));
  GAUZE_TRY_VOID(check_shape_flags(invocation, *model));
  GAUZE_TRY(TrainingOptions options, shared_training_options(invocation));
  options.kind = *model;
  return options;
}

Result<TrainingOptions> shared_training_options(const Invocation& invocation) {
  TrainingOptions options;
  if (invocation.command().find_flag("epsilon") != nullptr) GAUZE_TRY_VOID(read_budget(invocation, options));
  GAUZE_TRY(options.shape, model_shape_flags(invocation));
  GAUZE_TRY_VOID(read_sampling(invocation, options));
  GAUZE_TRY_VOID(read_clip(invocation, options));
  GAUZE_TRY_VOID(read_descent_flags(invocation, options));
  if (invocation.command().find_flag("method") != nullptr) {
    GAUZE_TRY(options.method, invocation.value("method", learn::kMethodWords));
  }
  GAUZE_TRY(options.average, invocation.rational("average"));
  return options;
}

}  // namespace gauze::cli
