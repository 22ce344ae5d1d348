#include "gauze/cli/noise/noise_flags.h"

#include <algorithm>

#include "gauze/cli/flags/shared_flags.h"

namespace gauze::cli {
namespace {

/// Which flags make sense for a mechanism, beyond those of all, and what may say how much noise there is instead of epsilon.
struct FlagsOfKind {
  NoiseKind kind;
  std::vector<std::string_view> flags;
  std::string_view amount;
};

const FlagsOfKind& flags_of(NoiseKind kind) {
  static const std::vector<FlagsOfKind> table = {
      {NoiseKind::laplace, {"scale", "sensitivity", "granularity-bits"}, "scale"},
      {NoiseKind::gaussian, {"delta", "sigma", "sensitivity", "granularity-bits"}, "sigma"},
      {NoiseKind::geometric, {"scale", "sensitivity"}, "scale"},
      {NoiseKind::discrete_gaussian, {"delta", "sigma", "sensitivity"}, "sigma"},
      {NoiseKind::staircase, {"sensitivity", "granularity-bits"}, ""},
      {NoiseKind::snapping, {"sensitivity", "bound"}, ""},
      {NoiseKind::randomized_response, {"categories"}, ""},
  };
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.kind == kind; });
  GAUZE_CHECK(found != table.end());
  return *found;
}

/// A flag that means nothing for the mechanism is a mistake, not something to overlook.
Result<void> check_flags(const Invocation& invocation, const std::string& name, const FlagsOfKind& known) {
  for (const char* flag : {"delta", "scale", "sigma", "sensitivity", "granularity-bits", "bound", "categories"}) {
    if (invocation.has(flag) && std::find(known.flags.begin(), known.flags.end(), flag) == known.flags.end())
      return make_error(ErrorCode::usage, "{} takes no --{}; see 'gauze help noise'", name, flag);
  }
  if (known.kind == NoiseKind::snapping && !invocation.has("bound"))
    return make_error(ErrorCode::usage, "snapping needs --bound: values and outputs are clamped to [-B, B]");
  if (known.kind == NoiseKind::randomized_response && !invocation.has("categories"))
    return make_error(ErrorCode::usage, "randomized-response needs --categories K; values are 0 to K-1");
  return {};
}

/// Exactly one of the flags that fix how much noise there is.
Result<void> check_amount(const Invocation& invocation, std::string_view other) {
  const bool by_epsilon = invocation.has("epsilon");
  const bool by_other = !other.empty() && invocation.has(other);
  if (by_epsilon && by_other)
    return make_error(ErrorCode::usage, "give --epsilon or --{}, not both: one follows from the other", other);
  if (!by_epsilon && !by_other)
    return other.empty() ? make_error(ErrorCode::usage, "--epsilon is needed")
                         : make_error(ErrorCode::usage, "--epsilon or --{} is needed", other);
  // A zero given on purpose must not be taken for "not given".
  for (const std::string_view flag : {std::string_view("epsilon"), other}) {
    if (flag.empty() || !invocation.has(flag)) continue;
    GAUZE_TRY(const Rational amount, invocation.rational(flag));
    if (amount.sign() <= 0) return invalid_parameter("{} must be positive, but is {}", flag, amount.to_decimal());
  }
  if (other == "sigma" && by_epsilon && !invocation.has("delta"))
    return make_error(ErrorCode::usage, "Gaussian noise needs --delta beside --epsilon, for example --delta 1e-6");
  if (other == "sigma" && by_other && invocation.has("delta"))
    return make_error(ErrorCode::usage, "with --sigma the guarantee is stated as zCDP; leave out --delta");
  return {};
}

Result<void> read_number(const Invocation& invocation, std::string_view flag, Rational& number) {
  GAUZE_TRY(const auto value, invocation.optional_rational(flag));
  if (value) number = *value;
  return {};
}

/// Delta, sensitivity, grid, bound, categories.
Result<void> read_shape(const Invocation& invocation, NoiseKind kind, NoiseRequest& request) {
  GAUZE_TRY_VOID(read_number(invocation, "delta", request.delta));
  GAUZE_TRY_VOID(read_number(invocation, "bound", request.bound));
  GAUZE_TRY(request.sensitivity, invocation.rational("sensitivity"));
  GAUZE_TRY(const std::int64_t bits, invocation.integer("granularity-bits", 0, 48));
  request.granularity_bits = static_cast<int>(bits);
  if (kind == NoiseKind::randomized_response) {
    GAUZE_TRY(request.categories, invocation.integer("categories", 2, std::int64_t{1} << 53));
  }
  return {};
}

}  // namespace

Positional noise_positional() {
  return {.name = "mechanism", .help = "the law of the noise", .choices = all_words(kNoiseWords)};
}

std::vector<Flag> noise_amount_flags() {
  return {epsilon_flag(),
          delta_flag(),
          {.name = "scale", .placeholder = "T", .help = "instead of epsilon: scale of (discrete) Laplace noise"},
          {.name = "sigma", .placeholder = "S", .help = "instead of epsilon and delta: sigma of Gaussian noise"},
          sensitivity_flag(),
          {.name = "granularity-bits",
           .placeholder = "B",
           .help = "the grid is the largest power of two up to scale / 2^B (laplace, gaussian, staircase)",
           .default_text = "40"},
          {.name = "bound", .placeholder = "B", .help = "snapping: clamp values and outputs to [-B, B]"},
          {.name = "categories", .placeholder = "K", .help = "randomized-response: values are 0 to K-1"}};
}

Result<NoiseRequest> plotted_noise(const Invocation& invocation) {
  NoiseRequest request;
  GAUZE_TRY(request.mechanism, invocation.text("mechanism"));
  GAUZE_TRY(const NoiseKind kind, invocation.value("mechanism", kNoiseWords));
  const FlagsOfKind& known = flags_of(kind);
  GAUZE_TRY_VOID(check_flags(invocation, request.mechanism, known));
  if (known.amount == "sigma" && !invocation.has("delta"))
    return make_error(ErrorCode::usage, "Gaussian noise needs --delta, for example --delta 1e-6");
  GAUZE_TRY_VOID(read_shape(invocation, kind, request));
  return request;
}

Result<NoiseRequest> noise_amount(const Invocation& invocation) {
  NoiseRequest request;
  GAUZE_TRY(request.mechanism, invocation.text("mechanism"));
  GAUZE_TRY(const NoiseKind kind, invocation.value("mechanism", kNoiseWords));
  const FlagsOfKind& known = flags_of(kind);
  GAUZE_TRY_VOID(check_flags(invocation, request.mechanism, known));
  GAUZE_TRY_VOID(check_amount(invocation, known.amount));
  GAUZE_TRY_VOID(read_number(invocation, "epsilon", request.epsilon));
  GAUZE_TRY_VOID(read_number(invocation, "scale", request.scale));
  GAUZE_TRY_VOID(read_number(invocation, "sigma", request.sigma));
  GAUZE_TRY_VOID(read_shape(invocation, kind, request));
  return request;
}

Result<NoiseRequest> noise_request(const Invocation& invocation) {
  GAUZE_TRY(NoiseRequest request, noise_amount(invocation));
  GAUZE_TRY(request.count, invocation.integer("count", 1, kMostDraws));
  GAUZE_TRY(request.neighbours, adjacency_of(invocation));
  request.unit = invocation.optional_text("unit").value_or("");
  GAUZE_TRY(request.value, invocation.rational("value"));
  return request;
}

}  // namespace gauze::cli
