#include "gauze/cli/core/invocation.h"

#include <algorithm>

#include "gauze/cli/core/output_places.h"
#include "gauze/files/atomic_file.h"
#include "gauze/label/printable_text.h"

namespace gauze::cli {

Invocation::Invocation(const Registry& registry, const Command& command, Arguments arguments, Streams& streams,
                       OutputWriter& out, OutputWriter& err)
    : registry_(&registry),
      command_(&command),
      arguments_(std::move(arguments)),
      streams_(&streams),
      out_(&out),
      err_(&err) {}

bool Invocation::has(std::string_view name) const {
  GAUZE_CHECK(find_flag(name) != nullptr || command_->find_positional(name) != nullptr);
  return std::any_of(arguments_.values.begin(), arguments_.values.end(),
                     [&](const auto& argument) { return argument.first == name; });
}

std::optional<std::string> Invocation::optional_text(std::string_view name) const {
  if (has(name)) return texts(name).back();
  const Flag* flag = find_flag(name);
  if (flag != nullptr && !flag->default_text.empty()) return flag->default_text;
  return std::nullopt;
}

Result<std::string> Invocation::text(std::string_view name) const {
  if (auto value = optional_text(name)) return *std::move(value);
  return make_error(
      ErrorCode::usage, "'gauze {}' needs {}; see 'gauze help {}'", command_->name,
      find_flag(name) != nullptr ? display_name(*find_flag(name)) : display_name(*command_->find_positional(name)),
      command_->name);
}

std::vector<std::string> Invocation::texts(std::string_view name) const {
  const Flag* flag = find_flag(name);
  const bool is_made = flag != nullptr && flag->makes != Makes::nothing;
  std::vector<std::string> values;
  for (const auto& [key, value] : arguments_.values) {
    if (key == name) values.push_back(is_made && publish::is_standard_output(value) ? "-" : value);
  }
  return values;
}

Result<std::vector<std::string>> Invocation::list(std::string_view name) const {
  GAUZE_TRY(const std::string joined, text(name));
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = joined.find(',', begin);
    pieces.push_back(joined.substr(begin, comma - begin));
    if (pieces.back().empty()) {
      return invalid_parameter("{}: a list must not have empty pieces", quote(name, joined));
    }
    if (comma == std::string::npos) return pieces;
    begin = comma + 1;
  }
}

Result<Rational> Invocation::rational(std::string_view name) const {
  GAUZE_TRY(const std::string value, text(name));
  return parse_rational(name, value);
}

Result<std::optional<Rational>> Invocation::optional_rational(std::string_view name) const {
  if (!optional_text(name)) return std::optional<Rational>();
  return rational(name);
}

Result<std::vector<Rational>> Invocation::rationals(std::string_view name) const {
  GAUZE_TRY(const auto pieces, list(name));
  std::vector<Rational> values;
  values.reserve(pieces.size());
  for (const auto& piece : pieces) {
    GAUZE_TRY(Rational value, parse_rational(name, piece));
    values.push_back(std::move(value));
  }
  return values;
}

Result<std::int64_t> Invocation::integer(std::string_view name, std::int64_t lowest, std::int64_t highest) const {
  GAUZE_TRY(const std::string given, text(name));
  GAUZE_TRY(const Rational value, parse_rational(name, given));
  if (value.is_integer() && value >= Rational(lowest) && value <= Rational(highest)) return value.to_int64();
  if (highest == std::numeric_limits<std::int64_t>::max()) {
    return invalid_parameter(
        "{}: must be a whole number{}", quote(name, given),
        lowest == std::numeric_limits<std::int64_t>::min() ? std::string() : fmt::format(" of at least {}", lowest));
  }
  return invalid_parameter("{}: must be a whole number from {} to {}", quote(name, given), lowest, highest);
}

Result<Rational> Invocation::parse_rational(std::string_view name, std::string_view value) const {
  auto number = Rational::parse(value);
  if (number) return number;
  if (const auto percent = value.ends_with('%') ? Rational::parse(value.substr(0, value.size() - 1)) : number)
    return invalid_parameter("{}: a percentage is given as a share: {}", quote(name, value),
                             (*percent / Rational(100)).to_decimal());
  return invalid_parameter("{}: {}", quote(name, value), number.error().message);
}

void Invocation::print_json(Json json) {
  json.set("warnings", to_json(warnings_));
  out_->write(json.dump(streams_->out_is_terminal ? 2 : 0));
  out_->write("\n");
}

void Invocation::note(std::string_view text) {
  if (!quiet()) remarks_.push_back({.text = std::string(text), .stays = false});
}

void Invocation::warn(Warning warning) {
  const bool of_privacy = warning.subject == Warning::Subject::privacy;
  if (of_privacy || !quiet()) remarks_.push_back({.text = warning.message, .stays = of_privacy});
  warnings_.push_back(std::move(warning));
}

void Invocation::tell_remarks(bool failed) {
  for (const Remark& remark : remarks_)
    if (!failed || remark.stays)
      err_->write((remark.as_it_is ? remark.text : wrap_text(remark.text, columns())) + "\n");
  remarks_.clear();
}

void Invocation::warn_all(const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings) warn(warning);
}

Result<std::string> Invocation::read_input(const std::string& path, std::size_t limit) const {
  return path == "-" ? streams_->read_in(limit) : read_file(path, limit);
}

Style Invocation::style(bool is_terminal) const {
  const std::string when = optional_text("color").value_or("auto");
  return {.enabled = when == "always" || (when == "auto" && is_terminal && !streams_->no_color)};
}

const Flag* Invocation::find_flag(std::string_view name) const {
  if (const Flag* flag = command_->find_flag(name)) return flag;
  for (const Flag& flag : Registry::global_flags()) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

std::string Invocation::quote(std::string_view name, std::string_view value) const {
  const Flag* flag = find_flag(name);
  const std::string shown =
      flag != nullptr ? fmt::format("--{}", name) : display_name(*command_->find_positional(name));
  if (flag != nullptr && flag->carries_data) return shown;
  return fmt::format("{} '{}'", shown, printable(value.substr(0, 100)));
}

}  // namespace gauze::cli
