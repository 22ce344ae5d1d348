#include "gauze/collect/task/central_spec.h"

#include "gauze/accounting/profiles.h"
#include "gauze/collect/plan/planner.h"
#include "gauze/encoder/task_block.h"
#include "gauze/label/printable_text.h"

namespace gauze::collect {
namespace {

constexpr std::size_t kLongestName = 64;

Result<void> check_fields(const CentralSpec& spec) {
  if (spec.fields.empty() || spec.fields.size() > GAUZE_MOST_FIELDS)
    return invalid_parameter("a central task has 1 to {} fields, not {}", GAUZE_MOST_FIELDS, spec.fields.size());
  for (std::size_t i = 0; i < spec.fields.size(); ++i) {
    const std::string& name = spec.fields[i].name;
    if (name.empty() || name.size() > kLongestName || !is_printable(name) || name.find('=') != std::string::npos)
      return invalid_parameter("the name of a field has 1 to {} bytes that can be printed, and no =", kLongestName);
    if (spec.find(name) != i) return invalid_parameter("two fields have one name");
  }
  return {};
}

}  // namespace

std::size_t RecordField::bytes() const { return is_category() ? index_bytes(values.size()) : sizeof(std::int64_t); }

std::optional<std::size_t> CentralSpec::find(std::string_view field) const {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == field) return i;
  return std::nullopt;
}

RecordLayout CentralSpec::layout() const {
  RecordLayout layout;
  std::size_t at = 0;
  for (const RecordField& field : fields) {
    layout.fields.push_back({field.low(), field.high(), at, field.bytes()});
    at += field.bytes();
  }
  return layout;
}

Result<void> check_central_spec(const CentralSpec& spec) {
  GAUZE_TRY_VOID(check_task_name(spec.name));
  GAUZE_TRY_VOID(check_fields(spec));
  if (spec.epsilon_nano == 0 || spec.epsilon_nano > GAUZE_MOST_CENTRAL_NANO)
    return invalid_parameter("epsilon, for life, must lie above 0 and not above 1,000,000");
  if (spec.reports_per_period == 0 || spec.reports_per_period > 1'000'000)
    return invalid_parameter("reports_per_period must lie between 1 and 1,000,000");
  if (spec.profile.empty()) return {};
  GAUZE_TRY(const SpendingProfile profile, find_profile(spec.profile));
  if (Rational(static_cast<std::int64_t>(spec.epsilon_nano), 1'000'000'000) <= profile.central_epsilon ||
      !spec.deviation.empty())
    return {};
  return make_error(
      ErrorCode::not_private,
      "epsilon {} for life is above {}, the ceiling of the profile '{}' for a trusted curator; a deviation "
      "with its reason allows it and stands in the label",
      nano_text(spec.epsilon_nano), profile.central_epsilon.to_decimal(), spec.profile);
}

}  // namespace gauze::collect
