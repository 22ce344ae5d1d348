#include "gauze/cli/accounting/event_flags.h"

#include <algorithm>

#include "gauze/cli/flags/shared_flags.h"

namespace gauze::cli {
namespace {

using EventKind = PrivacyEvent::Kind;

Result<void> read_figure(const Invocation& invocation, std::string_view flag, PrivacyEvent& event) {
  GAUZE_TRY(const Rational value, invocation.rational(flag));
  return set_figure(event, flag, value);
}

Result<void> read_amount(const Invocation& invocation, const std::vector<std::string_view>& amounts,
                         PrivacyEvent& event) {
  const std::string_view wanted = amount_name(event.kind);
  for (const std::string_view flag : amounts) {
    if (invocation.has(flag) && flag != wanted) {
      return make_error(ErrorCode::usage, "{} takes --{}, not --{}", to_string(event.kind), wanted, flag);
    }
  }
  if (!invocation.has(wanted)) return make_error(ErrorCode::usage, "{} needs --{}", to_string(event.kind), wanted);
  return read_figure(invocation, wanted, event);
}

/// "256/60000", each a whole number.
Result<Rational> read_share(const Invocation& invocation) {
  GAUZE_TRY(const std::string text, invocation.text("fixed-size"));
  const auto slash = text.find('/');
  const auto number = Rational::parse(std::string_view(text).substr(0, slash));
  const auto size =
      slash == std::string::npos ? Rational(1) : Rational::parse(std::string_view(text).substr(slash + 1));
  if (!number || !size || size->sign() <= 0 || number->sign() <= 0 || *number > *size) {
    return invalid_parameter("--fixed-size must be M/N, a sample of M out of N, such as 256/60000");
  }
  return *number / *size;
}

Result<void> read_sampling(const Invocation& invocation, PrivacyEvent& event) {
  if (invocation.has("poisson") && invocation.has("fixed-size")) {
    return make_error(ErrorCode::usage, "give --poisson or --fixed-size, not both");
  }
  if (invocation.has("poisson")) GAUZE_TRY_VOID(read_figure(invocation, "poisson", event));
  if (invocation.has("fixed-size")) {
    GAUZE_TRY(const Rational share, read_share(invocation));
    GAUZE_TRY_VOID(set_figure(event, "fixed-size", share));
  }
  GAUZE_TRY(event.neighbours, adjacency_of(invocation));
  return {};
}

}  // namespace

std::vector<std::string> event_names() {
  std::vector<std::string> names;
  for (const EventKind kind :
       {EventKind::gaussian, EventKind::laplace, EventKind::discrete_laplace, EventKind::discrete_gaussian,
        EventKind::staircase, EventKind::randomized_response, EventKind::exponential, EventKind::permute_and_flip,
        EventKind::pure, EventKind::approximate, EventKind::zcdp}) {
    names.emplace_back(to_string(kind));
  }
  return names;
}

std::vector<Flag> event_flags() {
  return {sensitivity_flag(),
          {.name = "categories",
           .placeholder = "K",
           .help = "randomized-response: how many categories",
           .default_text = "2"},
          {.name = "steps", .placeholder = "N", .help = "how often the mechanism runs", .default_text = "1"},
          {.name = "poisson", .placeholder = "Q", .help = "each unit takes part with probability Q (add-remove)"},
          {.name = "fixed-size", .placeholder = "M/N", .help = "M of N units take part (replace-one)"},
          adjacency_flag()};
}

Result<PrivacyEvent> read_event(const Invocation& invocation, const std::vector<std::string_view>& amounts) {
  PrivacyEvent event;
  GAUZE_TRY(const std::string name, invocation.text("mechanism"));
  event.kind = *parse_event_kind(name);
  if (!amounts.empty()) GAUZE_TRY_VOID(read_amount(invocation, amounts, event));
  GAUZE_TRY_VOID(read_figure(invocation, "sensitivity", event));
  GAUZE_TRY(const std::int64_t steps, invocation.integer("steps", 1, 1'000'000'000));
  event.count = static_cast<double>(steps);
  GAUZE_TRY(const std::int64_t categories, invocation.integer("categories", 2, std::int64_t{1} << 49));
  event.categories = static_cast<double>(categories);
  GAUZE_TRY_VOID(read_sampling(invocation, event));
  return event;
}

}  // namespace gauze::cli
