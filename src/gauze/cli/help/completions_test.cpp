#include "gauze/cli/help/completions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "gauze/cli/core/cli_testing.h"

namespace gauze::cli {
namespace completions_test {

using ::testing::HasSubstr;
using ::testing::Not;

using Generator = std::string (*)(const Registry&);
constexpr std::pair<const char*, Generator> kShells[] = {
    {"bash", bash_completions}, {"zsh", zsh_completions}, {"fish", fish_completions}};

/// Runs a shell command and gives its status; its output goes nowhere.
int shell(const std::string& command) { return std::system((command + " > /dev/null 2>&1").c_str()); }

void expect_everything_mentioned(const std::string& script, const Registry& registry, bool fish) {
  for (const Command& command : registry.commands()) {
    if (command.hidden) continue;
    const std::size_t blank = command.name.find(' ');
    EXPECT_THAT(script, HasSubstr(command.name.substr(0, blank)));
    if (blank != std::string::npos) {
      EXPECT_THAT(script, HasSubstr(command.name.substr(command.name.rfind(' ') + 1)));
    }
    for (const Flag& flag : command.flags) {
      if (flag.hidden) continue;
      EXPECT_THAT(script, HasSubstr((fish ? "-l " : "--") + flag.name)) << command.name;
      for (const auto& choice : flag.choices) EXPECT_THAT(script, HasSubstr(choice));
    }
    for (const Positional& positional : command.positionals) {
      for (const auto& choice : positional.choices) EXPECT_THAT(script, HasSubstr(choice));
    }
  }
  for (const Flag& flag : Registry::global_flags()) EXPECT_THAT(script, HasSubstr((fish ? "-l " : "--") + flag.name));
  for (const Topic& topic : registry.topics()) EXPECT_THAT(script, HasSubstr(topic.name));
}

TEST(Completions, MentionEveryCommandFlagAndChoice) {
  const Registry probes = probe_registry([](Invocation&) -> Result<int> { return 0; });
  for (const auto& [name, generate] : kShells) {
    SCOPED_TRACE(name);
    expect_everything_mentioned(generate(make_registry()), make_registry(), name == std::string("fish"));
    expect_everything_mentioned(generate(probes), probes, name == std::string("fish"));
    EXPECT_THAT(generate(probes), Not(HasSubstr("secret")));
  }
}

TEST(Completions, AreScriptsThatTheirShellAccepts) {
  const Registry probes = probe_registry([](Invocation&) -> Result<int> { return 0; });
  const std::filesystem::path script =
      std::filesystem::temp_directory_path() / ("gauze-completions-" + std::to_string(::getpid()));
  for (const auto& [name, generate] : kShells) {
    if (shell(std::string("command -v ") + name) != 0) {
      std::cout << name << " is not installed: its script is not checked\n";
      continue;
    }
    for (const Registry& registry : {make_registry(), probes}) {
      std::ofstream(script) << generate(registry);
      EXPECT_EQ(shell(std::string(name) + " -n " + script.string()), 0) << name;
    }
  }
  std::filesystem::remove(script);
}

TEST(Completions, EscapeWhatShellsWouldRead) {
  Registry registry;
  registry.add({.name = "odd",
                .group = "Odd",
                .summary = "It's $HOME `odd` [really]: yes",
                .examples = {{"gauze odd", ""}},
                .flags = {{.name = "quote", .placeholder = "Q", .help = "don't [panic]: it's fine"}},
                .run = [](Invocation&) -> Result<int> { return 0; }});
  const std::filesystem::path script =
      std::filesystem::temp_directory_path() / ("gauze-odd-" + std::to_string(::getpid()));
  for (const auto& [name, generate] : kShells) {
    if (shell(std::string("command -v ") + name) != 0) continue;
    std::ofstream(script) << generate(registry);
    EXPECT_EQ(shell(std::string(name) + " -n " + script.string()), 0) << name;
  }
  std::filesystem::remove(script);
}

/// What bash offers for the words typed so far; the last one is being completed.
std::string bash_offers(const std::vector<std::string>& words) {
  const auto folder = std::filesystem::temp_directory_path();
  const auto script = folder / ("gauze-bash-" + std::to_string(::getpid()));
  const auto answer = folder / ("gauze-answer-" + std::to_string(::getpid()));
  {
    std::ofstream file(script);
    file << bash_completions(probe_registry([](Invocation&) -> Result<int> { return 0; }));
    file << "COMP_WORDS=(gauze";
    for (const auto& word : words) file << " '" << word << "'";
    file << ")\nCOMP_CWORD=" << words.size() << "\n_gauze\necho \"${COMPREPLY[*]}\" > " << answer.string() << "\n";
  }
  shell("bash " + script.string());
  std::string text;
  std::ifstream file(answer);
  std::getline(file, text);
  std::filesystem::remove(script);
  std::filesystem::remove(answer);
  return text;
}

TEST(Completions, OfferWhatFitsInBash) {
  EXPECT_EQ(bash_offers({"pr"}), "probe");
  EXPECT_EQ(bash_offers({"twin", ""}), "one two");
  EXPECT_EQ(bash_offers({"--threads", "2", "twin", "o"}), "one");
  EXPECT_EQ(bash_offers({"probe", "al"}), "alpha");
  EXPECT_EQ(bash_offers({"probe", "alpha", "--mo"}), "--mode --monotone");
  EXPECT_EQ(bash_offers({"probe", "alpha", "--mode", ""}), "slow fast");
  EXPECT_EQ(bash_offers({"probe", "alpha", "--mode", "=", "f"}), "fast");
  EXPECT_EQ(bash_offers({"probe", "--amount", ""}), "");
  EXPECT_EQ(bash_offers({"help", "exit"}), "exit-codes");
  EXPECT_EQ(bash_offers({"--color", "al"}), "always");
}

}  // namespace completions_test
}  // namespace gauze::cli
