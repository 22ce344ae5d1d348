#include "gauze/cli/patterns/hiding_flags.h"

#include <algorithm>

#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/patterns/basket_flags.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

constexpr Words<double HidingObjective::*, 3> kObjectiveWords = {
    {{&HidingObjective::losses, "losses"}, {&HidingObjective::marks, "marks"}, {&HidingObjective::rows, "rows"}}};

/// The levels that can be asked for.
std::vector<std::string> wanted_levels() {
  std::vector<std::string> words = all_words(kLevelWords);
  std::erase(words, word_of(kLevelWords, HidingLevel::none));
  return words;
}

/// "losses", or weights: "losses=1,marks=0.01".
Result<HidingObjective> parse_objective(std::string_view text) {
  const auto bad = [given = text] {
    return invalid_parameter(
        "--objective is losses, marks or rows, or weights such as losses=1,marks=0.01, but is {}", given);
  };
  HidingObjective objective{0, 0, 0};
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const std::size_t sign = part.find('=');
    const auto member = value_of(kObjectiveWords, part.substr(0, sign));
    if (!member) return bad();
    double& weight = objective.*(*member);
    weight = 1;
    if (sign == std::string_view::npos) continue;
    const auto number = Rational::parse(part.substr(sign + 1));
    if (!number || !(*number >= 0)) return bad();
    weight = number->to_double();
  }
  if (objective.losses + objective.marks + objective.rows <= 0) return bad();
  return objective;
}

}  // namespace

std::vector<Flag> sensitive_flags() {
  return {{.name = "sensitive",
           .placeholder = "FILE",
           .help = "the patterns to hide, one a line",
           .required = true,
           .is_file = true},
          {.name = "allow-unknown", .help = "leave out listed patterns with an item that does not occur"}};
}

Flag rule_confidence_flag() {
  return {.name = "min-confidence",
          .placeholder = "C",
          .help = "a rule is hidden, too, when it holds less often than this"};
}

std::vector<Flag> hiding_flags() {
  std::vector<Flag> flags = {
      rule_confidence_flag(),
      {.name = "level",
       .placeholder = "LEVEL",
       .help = "how well hidden",
       .default_text = "H2",
       .choices = wanted_levels()},
      {.name = "margin", .placeholder = "M", .help = "so many transactions below the threshold", .default_text = "0"},
      {.name = "random-margin",
       .placeholder = "M",
       .help = "and up to so many more, drawn for each pattern",
       .default_text = "0"},
      {.name = "operation",
       .placeholder = "WHAT",
       .help = "mark items as unknown, delete them, or both in turn",
       .default_text = "mark",
       .choices = all_words(kChangeWords)},
      {.name = "mark-style",
       .placeholder = "STYLE",
       .help =
           "whether a mark names its item; they do not by default, except in a matrix, in Parquet and as published",
       .choices = all_words(kMarkStyleWords)},
      {.name = "decoys",
       .placeholder = "D",
       .help = "so many marks on items that are not there, for each that is",
       .default_text = "0"},
      {.name = "objective",
       .placeholder = "WHAT",
       .help = "what border and exact spare: losses, marks or rows, or weights: losses=1,marks=0.01",
       .default_text = "losses"},
      {.name = "window",
       .placeholder = "N",
       .help = "transactions that swa looks at together",
       .default_text = "10000"},
      {.name = "time-limit", .placeholder = "SECONDS", .help = "for exact", .default_text = "60"},
      seed_flag(),
      insecure_seed_flag()};
  for (Flag& flag : sensitive_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : basket_threshold_flags()) flags.push_back(std::move(flag));
  return flags;
}

Result<std::optional<Rational>> rule_confidence(const Invocation& invocation) {
  if (!invocation.has("min-confidence")) return std::optional<Rational>();
  GAUZE_TRY(Rational confidence, invocation.rational("min-confidence"));
  if (!(confidence > 0) || !(confidence <= 1))
    return invalid_parameter("--min-confidence must lie between 0 and 1, but is {}", confidence.to_decimal());
  return std::optional(std::move(confidence));
}

Result<HidingOptions> hiding_options(const Invocation& invocation, const BasketFile& file) {
  HidingOptions options;
  GAUZE_TRY(const HidingThreshold threshold, basket_threshold(invocation, file.database().rows()));
  options.min_count = threshold.count;
  options.min_support = threshold.share;
  GAUZE_TRY(options.min_confidence, rule_confidence(invocation));
  GAUZE_TRY(options.level, invocation.value("level", kLevelWords));
  GAUZE_TRY(options.change, invocation.value("operation", kChangeWords));
  if (file.format() == BasketFormat::matrix) options.mark_style = MarkStyle::anchored;
  if (invocation.has("mark-style")) {
    GAUZE_TRY(options.mark_style, invocation.value("mark-style", kMarkStyleWords));
  }
  GAUZE_TRY(const std::int64_t margin, invocation.integer("margin", 0, 1'000'000'000));
  options.margin = static_cast<std::uint64_t>(margin);
  GAUZE_TRY(const std::int64_t drawn, invocation.integer("random-margin", 0, 1'000'000'000));
  options.random_margin = static_cast<std::uint64_t>(drawn);
  GAUZE_TRY(const Rational decoys, invocation.rational("decoys"));
  options.decoys = decoys.to_double();
  GAUZE_TRY(const std::string objective, invocation.text("objective"));
  GAUZE_TRY(options.objective, parse_objective(objective));
  GAUZE_TRY(const std::int64_t window, invocation.integer("window", 1));
  options.window = static_cast<std::size_t>(window);
  GAUZE_TRY(const Rational seconds, invocation.rational("time-limit"));
  if (!(seconds > 0) || !(seconds <= 1'000'000)) return invalid_parameter("--time-limit must be positive");
  options.time_limit_seconds = seconds.to_double();
  GAUZE_TRY_VOID(RandomChoice::make(invocation));  // a seed goes with --insecure-seed
  if (invocation.has("seed")) {
    GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
    options.seed = static_cast<std::uint64_t>(seed);
  }
  return options;
}

Result<SensitiveList> read_sensitive(Invocation& invocation, const Database& database) {
  GAUZE_TRY(const std::string path, invocation.text("sensitive"));
  GAUZE_TRY(const std::string text, invocation.read_input(path, 64U << 20));
  SensitiveReading reading;
  if (invocation.has("allow-unknown")) reading.unknown = UnknownItems::leave_out;
  reading.encoding = invocation.optional_text("encoding");
  auto list = parse_sensitive(text, database, reading);
  if (list) return list;
  reading.unknown = UnknownItems::leave_out;
  const bool would_do = parse_sensitive(text, database, reading).has_value();
  return make_error(list.error().code, "{}{}", list.error().message,
                    would_do ? "; --allow-unknown goes on without their patterns" : "");
}

}  // namespace gauze::cli
