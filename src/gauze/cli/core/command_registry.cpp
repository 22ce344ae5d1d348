#include "gauze/cli/core/command_registry.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace gauze::cli {
namespace {

template <class Range>
auto find_named(const Range& range, std::string_view name) -> decltype(&*range.begin()) {
  const auto found = std::find_if(range.begin(), range.end(), [&](const auto& item) { return item.name == name; });
  return found == range.end() ? nullptr : &*found;
}

void check_names(const Command& command) {
  std::set<std::string, std::less<>> names;
  for (const Flag& flag : Registry::global_flags()) names.insert(flag.name);
  for (const Flag& flag : command.flags) {
    GAUZE_CHECK(names.insert(flag.name).second);
    GAUZE_CHECK(flag.makes == Makes::nothing || (flag.is_file && !flag.repeatable));
    GAUZE_CHECK(!flag.or_stdout || flag.makes != Makes::nothing);
  }
  for (const Positional& positional : command.positionals) GAUZE_CHECK(names.insert(positional.name).second);
}

void check_positionals(const Command& command) {
  for (const Flag& flag : command.flags) GAUZE_CHECK(!flag.takes_rest || flag.repeatable);
  bool optional_before = false;
  bool dashes_before = false;
  for (const Positional& positional : command.positionals) {
    GAUZE_CHECK(!dashes_before || positional.after_dashes);
    GAUZE_CHECK(!optional_before || positional.optional);
    GAUZE_CHECK(!positional.repeatable || &positional == &command.positionals.back());
    optional_before = positional.optional;
    dashes_before = positional.after_dashes;
  }
}

}  // namespace

const Flag* Command::find_flag(std::string_view flag_name) const { return find_named(flags, flag_name); }

const Positional* Command::find_positional(std::string_view positional_name) const {
  return find_named(positionals, positional_name);
}

void Registry::add(Command command) {
  GAUZE_CHECK(find(command.name) == nullptr);
  GAUZE_CHECK(!command.examples.empty() || command.hidden);
  GAUZE_CHECK(command.run != nullptr);
  check_names(command);
  check_positionals(command);
  commands_.push_back(std::move(command));
}

void Registry::add(Topic topic) {
  GAUZE_CHECK(find_topic(topic.name) == nullptr);
  topics_.push_back(std::move(topic));
}

const std::vector<Flag>& Registry::global_flags() {
  static const std::vector<Flag> flags = {
      {.name = "json", .help = "print one JSON object on stdout, errors too"},
      {.name = "quiet", .help = "print results and errors only: no notes, no progress"},
      {.name = "threads",
       .placeholder = "N",
       .help = "how many threads to use; results do not depend on it (default: all cores)"},
      {.name = "color",
       .placeholder = "WHEN",
       .help = "when to use colour; NO_COLOR is respected",
       .default_text = "auto",
       .choices = {"auto", "always", "never"}},
      {.name = "allow-core-dumps",
       .help = "for developers: let debuggers and core dumps see the memory, private data included"},
      {.name = "help", .short_name = 'h', .help = "show help"},
  };
  return flags;
}

const Command* Registry::find(std::string_view name) const { return find_named(commands_, name); }
const Topic* Registry::find_topic(std::string_view name) const { return find_named(topics_, name); }

std::vector<const Command*> Registry::family(std::string_view word) const {
  std::vector<const Command*> members;
  for (const Command& command : commands_) {
    if (command.name.starts_with(std::string(word) + " ")) members.push_back(&command);
  }
  return members;
}

std::vector<std::string> Registry::groups() const {
  std::vector<std::string> names;
  for (const Command& command : commands_) {
    if (!command.hidden && std::find(names.begin(), names.end(), command.group) == names.end()) {
      names.push_back(command.group);
    }
  }
  return names;
}

std::string display_name(const Positional& positional) {
  std::string name = positional.name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  if (positional.repeatable) name += "...";
  return positional.optional ? fmt::format("[{}]", name) : name;
}

std::string display_name(const Flag& flag) {
  std::string text = flag.short_name == '\0' ? "" : fmt::format("-{}, ", flag.short_name);
  text += "--" + flag.name;
  if (!flag.is_switch()) text += " " + flag.placeholder;
  return text;
}

std::string synopsis(const Command& command) {
  std::string text = "gauze " + command.name;
  std::string of_program;
  for (const Positional& positional : command.positionals)
    (positional.after_dashes ? of_program : text) += " " + display_name(positional);
  for (const Flag& flag : command.flags) {
    if (flag.required) text += fmt::format(" --{} {}", flag.name, flag.placeholder);
  }
  return text + " [flags]" + (of_program.empty() ? "" : " --" + of_program);
}

}  // namespace gauze::cli
