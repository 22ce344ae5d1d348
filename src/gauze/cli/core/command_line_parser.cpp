// An own parser rather than CLI11: the registry already holds all that CLI11 would have to be told again, and three
// rules go against its grain. Its messages quote the arguments, which may be data; it takes a repeated flag and an
// empty value in silence; and it does not let global flags stand on either side of a two-word command. What is left
// for a library is a loop over the arguments, at several seconds of compile time.
#include "gauze/cli/core/command_line_parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "gauze/base/did_you_mean.h"
#include "gauze/base/joined.h"
#include "gauze/label/printable_text.h"

namespace gauze::cli {
namespace {

template <class... Args>
tl::unexpected<Error> usage(fmt::format_string<Args...> format, Args&&... args) {
  return make_error(ErrorCode::usage, format, std::forward<Args>(args)...);
}

/// -3, -.5 and - itself are values, not flags.
bool is_flag(std::string_view argument) {
  if (argument.size() < 2 || argument[0] != '-') return false;
  return argument[1] != '.' && !(argument[1] >= '0' && argument[1] <= '9');
}

class Parser {
 public:
  Parser(const Registry& registry, std::span<const std::string> args) : registry_(registry), args_(args) {}

  Result<ParsedLine> parse() {
    GAUZE_TRY_VOID(find_command());
    if (line_.command == nullptr) return to_command("help", {});
    if (asks_for_help()) return help_for_command();
    while (next_ < args_.size()) GAUZE_TRY_VOID(take_argument());
    GAUZE_TRY_VOID(assign_positionals());
    GAUZE_TRY_VOID(check_required());
    return std::move(line_);
  }

 private:
  /// Reads up to and including the command's name, which may be two or three words.
  Result<void> find_command() {
    std::string family;
    while (next_ < args_.size() && line_.command == nullptr) {
      const std::string& argument = args_[next_];
      if (argument == "--version" && family.empty()) return use_command("version");
      if (argument == "--help" || argument == "-h") {
        if (!family.empty()) words_.push_back(family);
        return use_command("help");
      }
      if (is_flag(argument)) {
        GAUZE_TRY_VOID(take_flag());
        continue;
      }
      ++next_;
      GAUZE_TRY_VOID(take_command_word(argument, family));
    }
    if (line_.command != nullptr || family.empty()) return {};
    return usage("'gauze {}' needs one of: {}", family, joined(verbs(family)));
  }

  Result<void> use_command(std::string_view name) {
    line_.command = registry_.find(name);
    if (line_.command == nullptr) return usage("this program has no '{}'", name);
    ++next_;
    return {};
  }

  Result<void> take_command_word(const std::string& word, std::string& family) {
    std::string name = family.empty() ? word : family + " " + word;
    // The longest name counts: `collect task check`, not `collect task` of a file called check.
    while (next_ < args_.size() && is_name(name + " " + args_[next_])) name += " " + args_[next_++];
    line_.command = registry_.find(name);
    if (line_.command != nullptr) return {};
    if (!registry_.family(name).empty()) {
      family = name;
      return {};
    }
    if (!family.empty()) {
      const std::string hint = did_you_mean(word, verbs(family), family + " ");
      return usage("'gauze {}' has no{}{}", family, quoted_name(word).empty() ? " such verb" : quoted_name(word),
                   hint.empty() ? "; it has: " + joined(verbs(family)) : hint);
    }
    std::vector<std::string> names;
    for (const Command& command : registry_.commands()) {
      if (!command.hidden) names.push_back(command.name.substr(0, command.name.find(' ')));
    }
    const std::string hint = did_you_mean(word, names);
    return usage("unknown command{}{}", quoted_name(word), hint.empty() ? "; 'gauze help' lists the commands" : hint);
  }

  /// Whether a command is called so, or begins so.
  bool is_name(const std::string& name) const {
    return registry_.find(name) != nullptr || !registry_.family(name).empty();
  }

  std::vector<std::string> verbs(std::string_view family) const {
    std::vector<std::string> words;
    for (const Command* command : registry_.family(family)) words.push_back(command->name.substr(family.size() + 1));
    return words;
  }

  /// Help is given whatever else the line says.
  bool asks_for_help() const {
    for (std::size_t i = next_; i < args_.size() && args_[i] != "--"; ++i) {
      if (args_[i] == "-h" || args_[i] == "--help") return true;
    }
    return false;
  }

  Result<ParsedLine> help_for_command() {
    while (next_ < args_.size()) {
      const std::string_view argument = args_[next_];
      if (argument == "--") break;
      const std::string_view name = argument.substr(0, argument.find('='));
      const bool is_global = name.starts_with("--") && name != "--help" &&
                             find_flag_in(Registry::global_flags(), name.substr(2)) != nullptr;
      if (is_global) {
        static_cast<void>(take_flag());  // --color counts; a mistake in it does not stand in the way of help
      } else {
        ++next_;
      }
    }
    return to_command("help", {line_.command->name});
  }

  Result<ParsedLine> to_command(std::string_view name, const std::vector<std::string>& words) {
    ParsedLine line{.command = registry_.find(name), .arguments = {}};
    if (line.command == nullptr) return usage("this program has no '{}'", name);
    for (const auto& [key, value] : line_.arguments.values) {
      const bool is_global = find_flag_in(Registry::global_flags(), key) != nullptr;
      if (is_global) line.arguments.values.emplace_back(key, value);
    }
    for (const auto& word : words) line.arguments.values.emplace_back("name", word);
    return line;
  }

  Result<void> take_argument() {
    const std::string& argument = args_[next_];
    if (!flags_ended_ && argument == "--") {
      flags_ended_ = true;
      words_before_dashes_ = words_.size();
      ++next_;
      return {};
    }
    if (!flags_ended_ && is_flag(argument)) return take_flag();
    const bool is_of_program = flags_ended_ && line_.command->takes_program();
    if (argument.empty() && !is_of_program) return usage("an argument of 'gauze {}' is empty", line_.command->name);
    ++next_;
    if (rest_ != nullptr) return give(*rest_, true, argument);
    words_.push_back(argument);
    return {};
  }

  static const Flag* find_flag_in(const std::vector<Flag>& flags, std::string_view name) {
    const auto found = std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) { return flag.name == name; });
    return found == flags.end() ? nullptr : &*found;
  }

  const Flag* find_flag(std::string_view name) const {
    if (line_.command != nullptr) {
      if (const Flag* flag = line_.command->find_flag(name)) return flag;
    }
    return find_flag_in(Registry::global_flags(), name);
  }

  const Flag* find_short(char letter) const {
    const auto search = [letter](const std::vector<Flag>& flags) -> const Flag* {
      const auto found =
          std::find_if(flags.begin(), flags.end(), [letter](const Flag& flag) { return flag.short_name == letter; });
      return letter == '\0' || found == flags.end() ? nullptr : &*found;
    };
    const Flag* flag = line_.command == nullptr ? nullptr : search(line_.command->flags);
    return flag != nullptr ? flag : search(Registry::global_flags());
  }

  /// Takes --name, --name=value, -n or -nvalue at the current place, with the value that follows.
  Result<void> take_flag() {
    const std::string_view argument = args_[next_++];
    const bool is_long = argument.starts_with("--");
    const std::size_t equals = is_long ? argument.find('=') : std::string_view::npos;
    const std::string_view name = is_long ? argument.substr(2, equals - 2) : argument.substr(1, 1);
    const Flag* flag = is_long ? find_flag(name) : find_short(name[0]);
    if (flag == nullptr) return unknown_flag(name, is_long);
    std::string_view rest = is_long ? argument.substr(std::min(equals, argument.size())) : argument.substr(2);
    const bool attached = !rest.empty();
    if (rest.starts_with('=')) rest.remove_prefix(1);
    return give(*flag, attached, rest);
  }

  Result<void> unknown_flag(std::string_view name, bool is_long) const {
    const std::string dashes = is_long ? "--" : "-";
    std::vector<std::string> names;
    for (const Flag& flag : Registry::global_flags()) names.push_back(flag.name);
    if (line_.command == nullptr) names.push_back("version");
    if (line_.command != nullptr) {
      for (const Flag& flag : line_.command->flags) {
        if (!flag.hidden) names.push_back(flag.name);
      }
    }
    const std::string shown = quoted_name(name).empty() ? "" : fmt::format(" '{}{}'", dashes, name);
    const std::string hint = is_long ? did_you_mean(name, names, "--") : "";
    if (line_.command == nullptr) {
      return usage("unknown flag{} before the command{}", shown,
                   hint.empty() ? "; only --json, --quiet, --threads, --color and --help may stand there" : hint);
    }
    if (hint.empty() && line_.command->takes_program())
      return usage("'gauze {}' has no flag{}; put '--' before the program, its flags come behind it",
                   line_.command->name, shown.empty() ? " of that name" : shown);
    return usage("'gauze {}' has no flag{}{}", line_.command->name, shown.empty() ? " of that name" : shown,
                 hint.empty() ? fmt::format("; see 'gauze help {}'", line_.command->name) : hint);
  }

  Result<void> give(const Flag& flag, bool attached, std::string_view value) {
    auto& values = line_.arguments.values;
    const bool given = std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == flag.name; });
    if (given && !flag.repeatable) return usage("--{} is given twice", flag.name);
    if (flag.is_switch()) {
      if (attached) return usage("--{} takes no value", flag.name);
      values.emplace_back(flag.name, "");
      return {};
    }
    if (!attached) {
      if (next_ == args_.size() || is_known_flag(args_[next_])) {
        return usage("--{0} needs a value: --{0} {1}", flag.name, flag.placeholder);
      }
      value = args_[next_++];
    }
    if (value.empty() && !flag.may_be_empty) return usage("--{} must not be empty", flag.name);
    GAUZE_TRY_VOID(check_choice("--" + flag.name, flag.choices, value, flag.carries_data));
    values.emplace_back(flag.name, value);
    if (flag.takes_rest) rest_ = &flag;
    return {};
  }

  /// Whether the argument cannot be a value: a forgotten value must not swallow the flag that follows.
  bool is_known_flag(std::string_view argument) const {
    if (argument.starts_with("--")) return true;
    return is_flag(argument) && find_short(argument[1]) != nullptr;
  }

  static Result<void> check_choice(const std::string& what, const std::vector<std::string>& choices,
                                   std::string_view value, bool carries_data) {
    if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return {};
    const std::string given =
        carries_data || quoted_name(value).empty() ? "" : fmt::format(", but is{}", quoted_name(value));
    return usage("{} must be one of {}{}{}", what, joined(choices), given, did_you_mean(value, choices));
  }

  Result<void> assign_positionals() {
    const auto& positionals = line_.command->positionals;
    std::size_t place = 0;
    std::size_t number = 0;
    for (const std::string& word : words_) {
      const bool is_before_dashes = number++ < words_before_dashes_;
      if (place == positionals.size()) {
        // Not quoted: the surplus may be data that was not put in quotes.
        return usage("'gauze {}' takes {} argument{} beside its flags, but {} are given; see 'gauze help {}'",
                     line_.command->name, positionals.size(), positionals.size() == 1 ? "" : "s", words_.size(),
                     line_.command->name);
      }
      const Positional& positional = positionals[place];
      if (positional.after_dashes && is_before_dashes)
        return usage("put '--' before {} of 'gauze {}'", display_name(positionals[place]), line_.command->name);
      GAUZE_TRY_VOID(check_choice(display_name(positional), positional.choices, word, false));
      line_.arguments.values.emplace_back(positional.name, word);
      if (!positional.repeatable) ++place;
    }
    const bool filled = place == positionals.size() || positionals[place].optional ||
                        (positionals[place].repeatable && words_.size() > place);
    if (filled) return {};
    const auto& choices = positionals[place].choices;
    return usage("'gauze {}' needs {}{}{}", line_.command->name, positionals[place].after_dashes ? "-- " : "",
                 display_name(positionals[place]),
                 choices.empty() ? "" : fmt::format(": one of {}", joined(choices)));
  }

  Result<void> check_required() const {
    for (const Flag& flag : line_.command->flags) {
      const auto& values = line_.arguments.values;
      const bool given =
          std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == flag.name; });
      if (flag.required && !given) {
        return usage("'gauze {}' needs --{} {}", line_.command->name, flag.name, flag.placeholder);
      }
    }
    return {};
  }

  const Registry& registry_;
  std::span<const std::string> args_;
  std::size_t next_ = 0;
  bool flags_ended_ = false;
  const Flag* rest_ = nullptr;  ///< takes every word from here on
  std::vector<std::string> words_;
  std::size_t words_before_dashes_ = std::numeric_limits<std::size_t>::max();
  ParsedLine line_;
};

}  // namespace

Result<ParsedLine> parse_command_line(const Registry& registry, std::span<const std::string> args) {
  return Parser(registry, args).parse();
}

bool wants_json(std::span<const std::string> args) {
  for (const std::string& argument : args) {
    if (argument == "--") return false;
    if (argument == "--json") return true;
  }
  return false;
}

}  // namespace gauze::cli
