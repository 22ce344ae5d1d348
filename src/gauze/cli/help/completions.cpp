#include "gauze/cli/help/completions.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "gauze/base/joined.h"
#include "gauze/cli/help/help_text.h"

namespace gauze::cli {
namespace {

/// Words of a shell, one blank between them.
std::string words_of(const std::vector<std::string>& words) { return joined(words, " "); }

std::string in_single_quotes(std::string_view text, std::string_view quote) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string(quote) : std::string(1, c);
  return out + "'";
}

std::vector<Flag> shown_flags(const Command& command) {
  std::vector<Flag> flags;
  for (const auto* list : {&command.flags, &Registry::global_flags()}) {
    std::copy_if(list->begin(), list->end(), std::back_inserter(flags),
                 [](const Flag& flag) { return !flag.hidden; });
  }
  return flags;
}

std::vector<std::string> spellings(const Flag& flag) {
  std::vector<std::string> words = {"--" + flag.name};
  if (flag.short_name != '\0') words.push_back(fmt::format("-{}", flag.short_name));
  return words;
}

std::string first_word(const Command& command) { return command.name.substr(0, command.name.find(' ')); }

/// The words that may follow `gauze`: commands of one word, and the first words of the others.
std::vector<std::string> first_words(const Registry& registry) {
  std::vector<std::string> words;
  for (const Command& command : registry.commands()) {
    if (!command.hidden && std::find(words.begin(), words.end(), first_word(command)) == words.end()) {
      words.push_back(first_word(command));
    }
  }
  return words;
}

/// The words that may follow the beginning of a command's name, each once.
std::vector<std::string> verbs(const Registry& registry, const std::string& beginning) {
  std::vector<std::string> result;
  for (const Command* command : registry.family(beginning)) {
    const std::string rest = command->name.substr(beginning.size() + 1);
    const std::string verb = rest.substr(0, rest.find(' '));
    if (std::find(result.begin(), result.end(), verb) == result.end()) result.push_back(verb);
  }
  return result;
}

/// What a word stands for: the summary of its command, or the words that may follow it.
std::string summary_of(const Registry& registry, const std::string& name) {
  const Command* command = registry.find(name);
  return command != nullptr ? command->summary : joined(verbs(registry, name), ", ");
}

/// Names of two words that more words may follow: "collect task".
std::vector<std::string> longer_names(const Registry& registry) {
  std::vector<std::string> names;
  for (const auto& word : first_words(registry))
    for (const auto& verb : verbs(registry, word))
      if (!registry.family(word + " " + verb).empty()) names.push_back(word + " " + verb);
  return names;
}

/// What `gauze help` may be followed by.
std::vector<std::string> help_words(const Registry& registry) {
  std::vector<std::string> words = first_words(registry);
  for (const Topic& topic : registry.topics()) words.push_back(topic.name);
  return words;
}

std::vector<std::string> positional_words(const Registry& registry, const Command& command,
                                          const Positional& positional) {
  return command.name == "help" ? help_words(registry) : positional.choices;
}

/// All flags that are followed by a value, so that the scripts can skip over it when they look for the command.
std::vector<std::string> flags_with_values(const Registry& registry) {
  std::set<std::string> words;
  for (const Command& command : registry.commands()) {
    for (const Flag& flag : shown_flags(command)) {
      if (flag.is_switch()) continue;
      for (const auto& word : spellings(flag)) words.insert(word);
    }
  }
  return {words.begin(), words.end()};
}

std::string bash_command(const Registry& registry, const Command& command) {
  std::string out = fmt::format("    '{}')\n      case \"$prev\" in\n", command.name);
  std::vector<std::string> all;
  for (const Flag& flag : shown_flags(command)) {
    for (const auto& word : spellings(flag)) all.push_back(word);
    if (flag.is_switch()) continue;
    const std::string pattern = joined(spellings(flag), "|");
    if (!flag.choices.empty()) {
      out += fmt::format("        {}) _gauze_words {}; return ;;\n", pattern, words_of(flag.choices));
    } else {
      out += fmt::format("        {}) {}return ;;\n", pattern, flag.is_file ? "_gauze_files; " : "");
    }
  }
  out += "      esac\n";
  out += fmt::format("      if [[ $cur == -* ]]; then _gauze_words {}; return; fi\n", words_of(all));
  for (const Positional& positional : command.positionals) {
    const auto words = positional_words(registry, command, positional);
    if (!words.empty()) out += fmt::format("      _gauze_words {}\n", words_of(words));
    if (positional.is_file) out += "      _gauze_files\n";
  }
  return out + "      ;;\n";
}

std::string zsh_flag(const Flag& flag) {
  std::string help;
  for (const char c : flag_sentence(flag))
    help += (c == '[' || c == ']' || c == ':') ? fmt::format("\\{}", c) : std::string(1, c);
  std::string value;
  if (!flag.is_switch()) {
    const std::string action = !flag.choices.empty() ? fmt::format("({})", words_of(flag.choices))
                               : flag.is_file        ? "_files"
                                                     : " ";
    value = fmt::format(":{}:{}", flag.placeholder, action);
  }
  std::string out;
  for (const auto& word : spellings(flag)) {
    const std::string equals = flag.is_switch() ? "" : word.starts_with("--") ? "=" : "+";
    const std::string exclusion = flag.repeatable ? "*" : fmt::format("({})", words_of(spellings(flag)));
    out += " \\\n        " +
           in_single_quotes(fmt::format("{}{}{}[{}]{}", exclusion, word, equals, help, value), "'\\''");
  }
  return out;
}

std::string zsh_arguments(const Registry& registry, const Command& command) {
  std::string out = "_arguments -s";
  for (const Flag& flag : shown_flags(command)) out += zsh_flag(flag);
  for (const Positional& positional : command.positionals) {
    const auto words = positional_words(registry, command, positional);
    const std::string action = !words.empty()       ? fmt::format("({})", words_of(words))
                               : positional.is_file ? "_files"
                                                    : " ";
    out += fmt::format(" \\\n        '{}{}:{}'",
                       positional.repeatable ? "*:"
                       : positional.optional ? "::"
                                             : ":",
                       positional.name, action);
  }
  return out;
}

std::string zsh_description(std::string_view word, std::string_view summary) {
  return " " + in_single_quotes(fmt::format("{}:{}", word, summary), "'\\''");
}

std::string fish_line(std::string_view condition, std::string_view rest) {
  return fmt::format("complete -c gauze -n {} {}\n", in_single_quotes(condition, "\\'"), rest);
}

std::string fish_flag(std::string_view condition, const Flag& flag) {
  std::string rest = "-l " + flag.name;
  if (flag.short_name != '\0') rest += fmt::format(" -s {}", flag.short_name);
  if (!flag.is_switch()) rest += flag.is_file ? " -r -F" : " -x";
  if (!flag.choices.empty()) rest += fmt::format(" -a '{}'", words_of(flag.choices));
  return fish_line(condition, rest + " -d " + in_single_quotes(flag_sentence(flag), "\\'"));
}

}  // namespace

std::string bash_completions(const Registry& registry) {
  std::string out = "# bash completion for gauze, printed by 'gauze completions bash'\n";
  out += "_gauze_words() { local IFS=$'\\n'; COMPREPLY+=($(compgen -W \"$*\" -- \"$cur\")); }\n";
  out +=
      "_gauze_files() { local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- \"$cur\")); "
      "}\n";
  out += "_gauze() {\n";
  out += "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} first= second= third= i\n";
  out += "  COMPREPLY=()\n";
  out += "  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n";
  out += "  for ((i = 1; i < COMP_CWORD; i++)); do\n    case ${COMP_WORDS[i]} in\n";
  out += fmt::format("      {}) [[ ${{COMP_WORDS[i+1]}} == = ]] && ((i++)); ((i++)) ;;\n",
                     joined(flags_with_values(registry), "|"));
  out += "      -*|=) ;;\n";
  out +=
      "      *) if [[ -z $first ]]; then first=${COMP_WORDS[i]}; elif [[ -z $second ]]; then "
      "second=${COMP_WORDS[i]}; elif [[ -z $third ]]; then third=${COMP_WORDS[i]}; fi ;;\n";
  out += "    esac\n  done\n";
  out += "  local command=$first\n  case $first in\n";
  for (const auto& word : first_words(registry)) {
    if (!registry.family(word).empty()) out += fmt::format("    {}) command=\"$first $second\" ;;\n", word);
  }
  out += "  esac\n  case \"$command $third\" in\n";
  for (const auto& name : longer_names(registry)) {
    std::vector<std::string> whole;
    for (const auto& verb : verbs(registry, name)) whole.push_back("'" + name + " " + verb + "'");
    out += fmt::format("    {}) command=\"$command $third\" ;;\n", joined(whole, "|"));
  }
  out += "  esac\n  case $command in\n";
  for (const Command& command : registry.commands()) {
    if (!command.hidden) out += bash_command(registry, command);
  }
  for (const auto& name : longer_names(registry)) {
    if (registry.find(name) == nullptr)
      out += fmt::format("    '{}') _gauze_words {} ;;\n", name, words_of(verbs(registry, name)));
  }
  for (const auto& word : first_words(registry)) {
    if (registry.family(word).empty()) continue;
    out += fmt::format("    '{} ') _gauze_words {} ;;\n", word, words_of(verbs(registry, word)));
  }
  std::vector<std::string> globals = {"--version"};
  for (const Flag& flag : Registry::global_flags()) globals.push_back("--" + flag.name);
  out += fmt::format(
      "    '')\n      if [[ $prev == --color ]]; then _gauze_words auto always never; return; fi\n"
      "      if [[ $cur == -* ]]; then _gauze_words {}; else _gauze_words {}; fi\n      ;;\n",
      words_of(globals), words_of(first_words(registry)));
  return out + "  esac\n}\ncomplete -F _gauze gauze\n";
}

/// What follows a word of a command: its arguments, or more words and then those of theirs.
std::string zsh_words(const Registry& registry, const std::string& name, const std::string& word) {
  const auto more = verbs(registry, name);
  const Command* command = registry.find(name);
  const std::string own = command == nullptr ? "" : zsh_arguments(registry, *command);
  if (more.empty()) return fmt::format("      {})\n        {} ;;\n", word, own);
  std::string out = fmt::format("      {})\n        if ((CURRENT == 2)); then\n          commands=(", word);
  for (const auto& verb : more) out += zsh_description(verb, summary_of(registry, name + " " + verb));
  out += ")\n          _describe verb commands\n";
  if (command != nullptr) out += fmt::format("          {}\n", own);
  out += "          return\n        fi\n";
  out += "        shift words; ((CURRENT--))\n        case $words[1] in\n";
  for (const auto& verb : more) out += zsh_words(registry, name + " " + verb, verb);
  return out + (command == nullptr ? "        esac ;;\n"
                                   : fmt::format("        *)\n        {} ;;\n        esac ;;\n", own));
}

std::string zsh_completions(const Registry& registry) {
  std::string out = "#compdef gauze\n# zsh completion for gauze, printed by 'gauze completions zsh'\n";
  out += "_gauze() {\n  local context state state_descr line\n  local -a commands\n  typeset -A opt_args\n";
  out += "  _arguments -C '--version[print the version]'";
  for (const Flag& flag : Registry::global_flags()) out += zsh_flag(flag);
  out += " \\\n        ':command:->command' '*::argument:->argument'\n";
  out += "  case $state in\n    command)\n      commands=(";
  for (const auto& word : first_words(registry))
    out += "\n       " + zsh_description(word, summary_of(registry, word));
  out += ")\n      _describe command commands ;;\n    argument)\n      case $words[1] in\n";
  for (const auto& word : first_words(registry)) out += zsh_words(registry, word, word);
  out += "      esac ;;\n  esac\n}\n";
  return out + "if [ \"$funcstack[1]\" = _gauze ]; then _gauze \"$@\"; else compdef _gauze gauze; fi\n";
}

std::string fish_completions(const Registry& registry) {
  std::string out = "# fish completion for gauze, printed by 'gauze completions fish'\n";
  out += "function __gauze_words\n  set -l skip 0\n  for word in (commandline -opc)[2..-1]\n";
  out += "    if test $skip = 1\n      set skip 0\n      continue\n    end\n    switch $word\n";
  out +=
      fmt::format("      case {}\n        set skip 1\n      case '-*'\n      case '*'\n        echo $word\n    end\n",
                  words_of(flags_with_values(registry)));
  out += "  end\nend\n";
  out += "function __gauze_at\n  set -l words (__gauze_words)\n  test \"$words\" = \"$argv\"\nend\n";
  out += "function __gauze_in\n  set -l words (__gauze_words)\n  string match -q -- \"$argv *\" \"$words \"\nend\n";
  out += "complete -c gauze -f\n";
  out += fish_line("__gauze_at", "-l version -d 'print the version'");
  for (const Flag& flag : Registry::global_flags()) out += fish_flag("__gauze_at", flag);
  const auto word_after = [&](const std::string& beginning, const std::string& word) {
    const std::string name = beginning.empty() ? word : beginning + " " + word;
    out += fish_line(beginning.empty() ? "__gauze_at" : "__gauze_at " + beginning,
                     fmt::format("-a {} -d {}", word, in_single_quotes(summary_of(registry, name), "\\'")));
  };
  for (const auto& word : first_words(registry)) {
    word_after("", word);
    for (const auto& verb : verbs(registry, word)) word_after(word, verb);
  }
  for (const auto& name : longer_names(registry))
    for (const auto& verb : verbs(registry, name)) word_after(name, verb);
  for (const Command& command : registry.commands()) {
    if (command.hidden) continue;
    const std::string condition = "__gauze_in " + command.name;
    for (const Flag& flag : shown_flags(command)) out += fish_flag(condition, flag);
    for (const Positional& positional : command.positionals) {
      const auto words = positional_words(registry, command, positional);
      if (!words.empty()) out += fish_line(condition, fmt::format("-a '{}'", words_of(words)));
      if (positional.is_file) out += fish_line(condition, "-F");
    }
  }
  return out;
}

}  // namespace gauze::cli
