// What a label must obey, and what it must never hold.
#include <algorithm>
#include <initializer_list>

#include "gauze/base/rational.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/label/internal/declared_parameters.h"
#include "gauze/label/internal/label_format.h"
#include "gauze/label/label.h"
#include "gauze/label/meaning.h"
#include "gauze/label/printable_text.h"

namespace gauze {
namespace internal {

bool is_json_number(std::string_view text) {
  const auto take_digits = [&text] {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool leading_zero = text.starts_with('0');
  const std::size_t whole = take_digits();
  if (whole == 0 || (leading_zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (take_digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (take_digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace internal

namespace {

template <class... Args>
tl::unexpected<Error> broken(fmt::format_string<Args...> format, Args&&... args) {
  return make_error(ErrorCode::bad_data, format, std::forward<Args>(args)...);
}

/// A number, a text, true, false or null.
Result<void> check_plain(std::string_view name, const Json& value) {
  if (value.members() != nullptr || value.elements() != nullptr)
    return broken("the parameter '{}' in the label has another form than it must have", name);
  if (kind_of(value) == JsonKind::string && !is_printable(value.text()))
    return broken("'parameters' in the label has a text with control characters");
  return {};
}

bool is_listed(std::string_view column, const Json& parameters) {
  for (const char* list : {"columns", "quasi_identifiers"}) {
    const Json* names = parameters.find(list);
    if (names == nullptr || names->elements() == nullptr) continue;
    for (const Json& name : *names->elements()) {
      if (name.text() == column) return true;
    }
  }
  return false;
}

/// The level of each column and nothing more: whatever a column is called.
Result<void> check_by_column(std::string_view name, const Json& value, const Json& parameters) {
  if (value.is_null()) return {};
  if (value.members() == nullptr)
    return broken("the parameter '{}' in the label has another form than it must have", name);
  for (const auto& [column, level] : *value.members()) {
    if (!is_printable(column)) return broken("'parameters' in the label has a name with control characters");
    if (kind_of(level) != JsonKind::number) return broken("'parameters' in the label must give levels as numbers");
    if (!is_listed(column, parameters))
      return broken("'{}' in the label names a column that neither 'columns' nor 'quasi_identifiers' list", name);
  }
  return {};
}

/// What files were, by a name that is public.
Result<void> check_digests_by_name(std::string_view name, const Json& value) {
  if (value.members() == nullptr)
    return broken("the parameter '{}' in the label has another form than it must have", name);
  for (const auto& [file, digest] : *value.members()) {
    if (!is_printable(file)) return broken("'parameters' in the label has a name with control characters");
    if (kind_of(digest) != JsonKind::string || !is_digest(digest.text()))
      return broken("'{}' in the label must give digests of 64 lower-case hexadecimal digits", name);
  }
  return {};
}

Result<void> check_list(std::string_view name, const Json& value) {
  if (value.elements() == nullptr)
    return broken("the parameter '{}' in the label has another form than it must have", name);
  for (const Json& element : *value.elements()) GAUZE_TRY_VOID(check_plain(name, element));
  return {};
}

/// What is not declared may tell about the data: true sizes, supports, seeds, keys.
Result<void> check_parameters(const PrivacyLabel& label) {
  for (const auto& [name, value] : *label.parameters.members()) {
    if (!is_printable(name)) return broken("'parameters' in the label has a name with control characters");
    const auto shape = internal::declared_shape(label.definition, label.neighbours, name);
    if (!shape)
      return broken(
          "a label must not hold the parameter '{}': a guarantee that is {} between {} neighbours declares none "
          "of that name",
          name, to_string(label.definition), to_string(label.neighbours));
    switch (*shape) {
      case internal::ParameterShape::plain:
        GAUZE_TRY_VOID(check_plain(name, value));
        break;
      case internal::ParameterShape::list:
        GAUZE_TRY_VOID(check_list(name, value));
        break;
      case internal::ParameterShape::digests:
        GAUZE_TRY_VOID(check_digests_by_name(name, value));
        break;
      case internal::ParameterShape::by_column:
        GAUZE_TRY_VOID(check_by_column(name, value, label.parameters));
        break;
    }
  }
  return {};
}

Result<void> check_amount(std::string_view name, const std::optional<std::string>& amount, bool expected) {
  if (!amount) {
    if (expected) return broken("a label with this definition must state '{}'", name);
    return {};
  }
  const auto value = Rational::parse(*amount);
  if (!internal::is_json_number(*amount) || !value || value->sign() < 0) {
    return broken("'cost.{}' in the label must be a decimal that is not negative", name);
  }
  return {};
}

Result<void> check_cost(const PrivacyLabel& label) {
  const auto& cost = label.cost;
  const Definition kind = label.definition;
  const auto is = [kind](std::initializer_list<Definition> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  const bool needs_epsilon = is({Definition::pure, Definition::approximate, Definition::metric, Definition::umldp});
  GAUZE_TRY_VOID(check_amount("epsilon", cost.epsilon, needs_epsilon));
  GAUZE_TRY_VOID(check_amount("delta", cost.delta, kind == Definition::approximate));
  GAUZE_TRY_VOID(check_amount("rho", cost.rho, kind == Definition::zcdp));
  GAUZE_TRY_VOID(check_amount("mu", cost.mu, kind == Definition::gaussian));
  GAUZE_TRY_VOID(check_amount("renyi.order", cost.renyi_order, kind == Definition::renyi));
  GAUZE_TRY_VOID(check_amount("renyi.epsilon", cost.renyi_epsilon, kind == Definition::renyi));
  if (cost.renyi_order && !(*Rational::parse(*cost.renyi_order) > Rational(1)))
    return broken("'cost.renyi.order' in the label must be above 1");
  if (kind == Definition::pure && cost.delta && Rational::parse(*cost.delta)->sign() > 0) {
    return broken("a pure guarantee has no delta above 0");
  }
  const bool promises_nothing = is({Definition::none, Definition::internal});
  if (promises_nothing &&
      (cost.epsilon || cost.delta || cost.rho || cost.mu || cost.renyi_order || cost.renyi_epsilon)) {
    return broken("a label without a guarantee must not state a cost, which would look like one");
  }
  if (promises_nothing && (!label.warning || label.warning->empty())) {
    return broken("a label without a guarantee must carry a warning");
  }
  return {};
}

Result<void> check_texts(const PrivacyLabel& label) {
  std::vector<std::string_view> texts = {label.released.kind, label.released.file,   label.mechanism,
                                         label.privacy_unit,  label.budget.dataset,  label.budget.entry,
                                         label.producer.name, label.producer.version};
  if (label.warning) texts.push_back(*label.warning);
  if (label.stated_meaning) texts.push_back(label.stated_meaning->text);
  texts.insert(texts.end(), label.covers.begin(), label.covers.end());
  texts.insert(texts.end(), label.does_not_cover.begin(), label.does_not_cover.end());
  for (const auto& entry : label.provenance) texts.push_back(entry.first);
  for (const auto& entry : label.commitments.inputs) texts.push_back(entry.first);
  for (const std::string_view text : texts) {
    if (!is_printable(text)) return broken("a text in the label holds control characters or is not UTF-8");
  }
  if (label.released.kind.empty()) return broken("a label must say what was released: 'released.kind' is empty");
  if (label.released.file.find('/') != std::string::npos) {
    return broken("'released.file' in the label must be a name without folders");
  }
  return {};
}

Result<void> check_digests(const PrivacyLabel& label) {
  const auto& released = label.released;
  if (released.file.empty() != released.sha256.empty()) {
    return broken("'released.file' and 'released.sha256' in the label come together");
  }
  if (!released.sha256.empty() && !is_digest(released.sha256)) {
    return broken("'released.sha256' in the label must be 64 lower-case hexadecimal digits");
  }
  const auto is_sound = [](const std::optional<std::string>& one) { return !one || is_digest(*one); };
  bool are_sound = is_sound(label.commitments.input) && is_sound(label.commitments.policy);
  for (const auto& [name, commitment] : label.commitments.inputs) are_sound = are_sound && is_digest(commitment);
  if (!are_sound) return broken("a commitment in the label must be 64 lower-case hexadecimal digits");
  return {};
}

}  // namespace

Result<void> PrivacyLabel::check_rules() const {
  if (parameters.members() == nullptr) return broken("'parameters' in the label must be an object");
  GAUZE_TRY_VOID(check_texts(*this));
  GAUZE_TRY_VOID(check_parameters(*this));
  GAUZE_TRY_VOID(check_cost(*this));
  if (stated_meaning) GAUZE_TRY_VOID(check_meaning(*this, *stated_meaning));
  GAUZE_TRY_VOID(check_digests(*this));
  if (!budget.recorded && !(budget.dataset.empty() && budget.entry.empty())) {
    return broken("a label whose budget is not recorded must not name a ledger entry");
  }
  return {};
}

}  // namespace gauze
