#include "gauze/cli/core/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/cli/core/command_line_parser.h"

namespace gauze::cli {
namespace commands_test {

/// The arguments of `gauze ...` as a shell would split them, up to a pipe or a redirection.
std::vector<std::string> arguments_of(const std::string& command_line) {
  std::vector<std::string> words;
  std::string word;
  char quote = '\0';
  for (const char c : command_line + " ") {
    if (quote != '\0' ? c == quote : (c == '\'' || c == '"')) {
      quote = quote == '\0' ? c : '\0';
    } else if (c != ' ' || quote != '\0') {
      word += c;
    } else if (word == "|" || word == ">" || word == "<") {
      break;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  EXPECT_EQ(words.at(0), "gauze") << command_line;
  words.erase(words.begin());
  return words;
}

TEST(Commands, HaveExamplesThatParse) {
  const Registry registry = make_registry();
  for (const Command& command : registry.commands()) {
    EXPECT_FALSE(command.examples.empty() && !command.hidden) << command.name;
    for (const Example& example : command.examples) {
      const auto line = parse_command_line(registry, arguments_of(example.command_line));
      ASSERT_TRUE(line) << example.command_line << ": " << line.error().message;
      EXPECT_EQ(line->command->name, command.name) << example.command_line;
      EXPECT_FALSE(example.shows.empty()) << example.command_line;
    }
  }
}

TEST(Commands, AreDescribedInTheSameWay) {
  const Registry registry = make_registry();
  for (const Command& command : registry.commands()) {
    EXPECT_FALSE(command.summary.empty() || command.summary.ends_with('.')) << command.name;
    EXPECT_LE(command.summary.size(), 65U) << command.name;
    EXPECT_FALSE(command.group.empty() && !command.hidden) << command.name;
    for (const Flag& flag : command.flags) {
      EXPECT_FALSE(flag.help.empty() || flag.help.ends_with('.')) << command.name << " --" << flag.name;
      const bool known = flag.choices.empty() || flag.default_text.empty() ||
                         std::count(flag.choices.begin(), flag.choices.end(), flag.default_text) == 1;
      EXPECT_TRUE(known) << command.name << " --" << flag.name;
    }
    for (const Positional& positional : command.positionals) EXPECT_FALSE(positional.help.empty()) << command.name;
  }
}

TEST(Commands, AnswerHelpInEveryWay) {
  const Registry registry = make_registry();
  for (const Command& command : registry.commands()) {
    std::vector<std::string> words = arguments_of("gauze " + command.name);
    std::vector<std::string> by_help = words;
    by_help.insert(by_help.begin(), "help");
    const Ran help = run(by_help);
    EXPECT_EQ(help.status, 0) << command.name;
    for (const char* flag : {"-h", "--help"}) {
      std::vector<std::string> by_flag = words;
      by_flag.emplace_back(flag);
      EXPECT_EQ(run(by_flag).out, help.out) << command.name;
    }
  }
}

}  // namespace commands_test
}  // namespace gauze::cli
