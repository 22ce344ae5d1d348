#include "gauze/schema/policy/criterion_text.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "gauze/base/did_you_mean.h"

namespace gauze::schema {
namespace {

/// Takes the last `:piece` off the text; nothing when there is no colon.
std::optional<std::string_view> take_last(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view last = text.substr(colon + 1);
  text = text.substr(0, colon);
  return last;
}

Result<Rational> parse_figure(std::string_view text, std::string_view what) {
  auto number = Rational::parse(text);
  if (!number) return invalid_parameter("{}: {}", what, number.error().message);
  return number;
}

Result<void> check_column(const std::string& column, std::string_view what) {
  if (column.empty()) return invalid_parameter("{} needs the name of a column", what);
  return {};
}

Result<void> check_positive(const Rational& value, std::string_view what) {
  if (value.is_defined() && value > 0) return {};
  return invalid_parameter("{} must be positive, but is {}", what, value.to_decimal());
}

/// A criterion that passes its check, or the error.
template <class Criterion>
Result<Criterion> checked(Criterion criterion) {
  GAUZE_TRY_VOID(check(criterion));
  return criterion;
}

constexpr std::string_view kDiversityGrammar =
    "l-diversity is written COLUMN:distinct:3, COLUMN:entropy:3 or COLUMN:recursive:3:4 (l = 3, c = 4)";

}  // namespace

std::string exact_text(const Rational& value) {
  constexpr int kAllDigits = 1000;  // more than Rational::parse reads
  return value.to_decimal(kAllDigits);
}

Result<LDiversity> parse_l_diversity(std::string_view text) {
  LDiversity criterion;
  const auto last = take_last(text);
  const auto before = take_last(text);
  if (!last || !before) return invalid_parameter("{}", kDiversityGrammar);
  if (*before == word_of(kDiversityWords, DiversityKind::distinct) ||
      *before == word_of(kDiversityWords, DiversityKind::entropy)) {
    criterion.kind = *value_of(kDiversityWords, *before);
    GAUZE_TRY(criterion.l, parse_figure(*last, "l-diversity: l"));
  } else {
    const auto word = take_last(text);
    if (!word || *word != word_of(kDiversityWords, DiversityKind::recursive)) {
      return invalid_parameter("{}{}", kDiversityGrammar, did_you_mean(*before, all_words(kDiversityWords)));
    }
    criterion.kind = DiversityKind::recursive;
    GAUZE_TRY(criterion.l, parse_figure(*before, "l-diversity: l"));
    GAUZE_TRY(criterion.c, parse_figure(*last, "l-diversity: c"));
  }
  criterion.column = text;
  return checked(std::move(criterion));
}

Result<TCloseness> parse_t_closeness(std::string_view text) {
  const auto last = take_last(text);
  const auto word = take_last(text);
  if (!last || !word) {
    return invalid_parameter(
        "t-closeness is written COLUMN:equal:0.2, COLUMN:ordered:0.2 or COLUMN:hierarchical:0.2");
  }
  const auto distance = value_of(kDistanceWords, *word);
  if (!distance) return tl::unexpected(wrong_word("t-closeness: the distance", all_words(kDistanceWords), *word));
  TCloseness criterion{.column = std::string(text), .distance = *distance, .t = 0};
  GAUZE_TRY(criterion.t, parse_figure(*last, "t-closeness: t"));
  return checked(std::move(criterion));
}

Result<DeltaDisclosure> parse_delta_disclosure(std::string_view text) {
  const auto last = take_last(text);
  if (!last) return invalid_parameter("delta-disclosure is written COLUMN:1");
  DeltaDisclosure criterion{.column = std::string(text), .delta = 0};
  GAUZE_TRY(criterion.delta, parse_figure(*last, "delta-disclosure: delta"));
  return checked(std::move(criterion));
}

Result<BetaLikeness> parse_beta_likeness(std::string_view text) {
  const auto last = take_last(text);
  const auto word = take_last(text);
  if (!last || !word) return invalid_parameter("beta-likeness is written COLUMN:enhanced:2 or COLUMN:basic:2");
  const auto enhanced = value_of(kLikenessWords, *word);
  if (!enhanced) return tl::unexpected(wrong_word("beta-likeness: the kind", all_words(kLikenessWords), *word));
  BetaLikeness criterion{.column = std::string(text), .enhanced = *enhanced, .beta = 0};
  GAUZE_TRY(criterion.beta, parse_figure(*last, "beta-likeness: beta"));
  return checked(std::move(criterion));
}

Result<Metric> parse_metric(std::string_view text) {
  if (const auto metric = value_of(kMetricWords, text)) return *metric;
  return tl::unexpected(wrong_word("the metric", all_words(kMetricWords), text));
}

Result<SearchKind> parse_search_kind(std::string_view text) {
  if (const auto search = value_of(kSearchWords, text)) return *search;
  return tl::unexpected(wrong_word("the search", all_words(kSearchWords), text));
}

std::string format_criterion(const LDiversity& criterion) {
  std::string text =
      fmt::format("{}:{}:{}", criterion.column, word_of(kDiversityWords, criterion.kind), exact_text(criterion.l));
  if (criterion.kind == DiversityKind::recursive) text += ':' + exact_text(criterion.c);
  return text;
}

std::string format_criterion(const TCloseness& criterion) {
  return fmt::format("{}:{}:{}", criterion.column, word_of(kDistanceWords, criterion.distance),
                     exact_text(criterion.t));
}

std::string format_criterion(const DeltaDisclosure& criterion) {
  return fmt::format("{}:{}", criterion.column, exact_text(criterion.delta));
}

std::string format_criterion(const BetaLikeness& criterion) {
  return fmt::format("{}:{}:{}", criterion.column, word_of(kLikenessWords, criterion.enhanced),
                     exact_text(criterion.beta));
}

Result<void> check(const LDiversity& criterion) {
  GAUZE_TRY_VOID(check_column(criterion.column, "l-diversity"));
  if (!(criterion.l >= 1)) {
    return invalid_parameter("l-diversity: l must be at least 1, but is {}", criterion.l.to_decimal());
  }
  if (criterion.kind != DiversityKind::entropy && !criterion.l.is_integer()) {
    return invalid_parameter("l-diversity: l must be a whole number for {}, but is {}",
                             word_of(kDiversityWords, criterion.kind), criterion.l.to_decimal());
  }
  if (criterion.kind == DiversityKind::recursive) return check_positive(criterion.c, "l-diversity: c");
  if (criterion.c != 0) return invalid_parameter("l-diversity: c belongs to recursive only");
  return {};
}

Result<void> check(const TCloseness& criterion) {
  GAUZE_TRY_VOID(check_column(criterion.column, "t-closeness"));
  if (criterion.t >= 0 && criterion.t <= 1) return {};
  return invalid_parameter("t-closeness: t must lie between 0 and 1, but is {}", criterion.t.to_decimal());
}

Result<void> check(const DeltaDisclosure& criterion) {
  GAUZE_TRY_VOID(check_column(criterion.column, "delta-disclosure"));
  return check_positive(criterion.delta, "delta-disclosure: delta");
}

Result<void> check(const BetaLikeness& criterion) {
  GAUZE_TRY_VOID(check_column(criterion.column, "beta-likeness"));
  return check_positive(criterion.beta, "beta-likeness: beta");
}

Result<void> check(const KMap& criterion) {
  if (criterion.k < 1) return invalid_parameter("k-map: k must be at least 1, but is 0");
  if (criterion.population.empty()) return invalid_parameter("k-map needs the file of the population");
  return {};
}

Result<void> check(const DeltaPresence& criterion) {
  if (!(criterion.minimum >= 0 && criterion.minimum <= criterion.maximum && criterion.maximum <= 1)) {
    return invalid_parameter("delta-presence: 0 <= min <= max <= 1 must hold, but min is {} and max is {}",
                             criterion.minimum.to_decimal(), criterion.maximum.to_decimal());
  }
  if (criterion.population.empty()) return invalid_parameter("delta-presence needs the file of the population");
  return {};
}

Result<void> check(const Criteria& criteria) {
  if (criteria.k < 1) return invalid_parameter("k must be at least 1, but is 0");
  for (const auto& criterion : criteria.l_diversity) GAUZE_TRY_VOID(check(criterion));
  for (const auto& criterion : criteria.t_closeness) GAUZE_TRY_VOID(check(criterion));
  for (const auto& criterion : criteria.delta_disclosure) GAUZE_TRY_VOID(check(criterion));
  for (const auto& criterion : criteria.beta_likeness) GAUZE_TRY_VOID(check(criterion));
  if (criteria.k_map) GAUZE_TRY_VOID(check(*criteria.k_map));
  if (criteria.delta_presence) GAUZE_TRY_VOID(check(*criteria.delta_presence));
  return {};
}

Result<Availability> parse_availability(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    return invalid_parameter("availability is written COLUMN=1 to COLUMN=5");
  }
  const std::string_view level = text.substr(equals + 1);
  if (level.size() != 1 || level.front() < '1' || level.front() > '5') {
    return invalid_parameter("availability must be a whole number from 1 (hard to learn) to 5 (public)");
  }
  return Availability{std::string(text.substr(0, equals)), level.front() - '0'};
}

Result<HierarchyAssignment> parse_hierarchy_assignment(std::string_view text, std::span<const std::string> columns) {
  std::size_t equals = text.find('=');
  std::size_t longest = 0;
  for (const std::string& column : columns) {
    if (column.size() < longest || !text.starts_with(column) || text.substr(column.size(), 1) != "=") continue;
    longest = equals = column.size();
  }
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return invalid_parameter("a hierarchy is given as COLUMN=FILE");
  }
  return HierarchyAssignment{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

}  // namespace gauze::schema
