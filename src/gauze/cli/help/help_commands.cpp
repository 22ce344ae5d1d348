#include <openssl/crypto.h>

#include <functional>
#include <map>

#include "gauze/base/did_you_mean.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/help/completions.h"
#include "gauze/cli/help/help_text.h"
#include "gauze/cli/help/man_page.h"
#include "gauze/label/version.h"

namespace gauze::cli {
namespace {

std::vector<std::string> names_with_help(const Registry& registry) {
  std::vector<std::string> names;
  for (const Command& command : registry.commands()) names.push_back(command.name);
  for (const Topic& topic : registry.topics()) names.push_back(topic.name);
  return names;
}

/// Text as it is, or under "text" with --json.
Result<int> print_text(Invocation& invocation, const std::string& text) {
  if (invocation.json()) {
    invocation.print_json(Json::object({{"text", text}}));
  } else {
    invocation.out().write(text);
  }
  return 0;
}

Result<int> run_help(Invocation& invocation) {
  const Registry& registry = invocation.registry();
  const HelpLayout layout{.style = invocation.json() ? Style{} : invocation.out_style(),
                          .columns = invocation.columns()};
  std::string name;
  for (const auto& word : invocation.texts("name")) name += (name.empty() ? "" : " ") + word;
  if (name.empty()) return print_text(invocation, overview_text(registry, layout));
  if (const Command* command = registry.find(name)) return print_text(invocation, command_text(*command, layout));
  if (const Topic* topic = registry.find_topic(name)) return print_text(invocation, topic_text(*topic, layout));
  if (const auto family = registry.family(name); !family.empty()) {
    return print_text(invocation, family_text(name, family, layout));
  }
  const std::string hint = did_you_mean(name, names_with_help(registry));
  return make_error(ErrorCode::usage, "there is no help on{}{}",
                    quoted_name(name).empty() ? " that" : quoted_name(name),
                    hint.empty() ? "; 'gauze help' lists commands and topics" : hint);
}

Result<int> run_version(Invocation& invocation) {
#ifdef __clang__
  const std::string compiler = __VERSION__;
#else
  const std::string compiler = fmt::format("g++ {}", __VERSION__);
#endif
  const std::string openssl = OpenSSL_version(OPENSSL_VERSION_STRING);
  if (invocation.json()) {
    invocation.print_json(
        Json::object({{"name", "gauze"}, {"version", version()}, {"openssl", openssl}, {"compiler", compiler}}));
  } else {
    invocation.out().print("gauze {}\n", version());
  }
  return 0;
}

Result<int> run_completions(Invocation& invocation) {
  GAUZE_TRY(const std::string shell, invocation.text("shell"));
  static const std::map<std::string, std::string (*)(const Registry&), std::less<>> scripts = {
      {"bash", bash_completions}, {"zsh", zsh_completions}, {"fish", fish_completions}};
  return print_text(invocation, scripts.at(shell)(invocation.registry()));
}

Result<int> run_man(Invocation& invocation) { return print_text(invocation, man_page(invocation.registry())); }

}  // namespace

void register_help_commands(Registry& registry) {
  registry.add(
      {.name = "help",
       .group = "More",
       .summary = "Show help on a command or a topic",
       .description = "",
       .examples = {{"gauze help label show", "examples and flags of one command"},
                    {"gauze help exit-codes", "a topic"}},
       .positionals = {{.name = "name", .help = "a command or a topic", .optional = true, .repeatable = true}},
       .run = run_help});
  registry.add({.name = "version",
                .group = "More",
                .summary = "Print the version (also: gauze --version)",
                .description = "",
                .examples = {{"gauze --version --json", "with the versions of what it is built with"}},
                .run = run_version});
  registry.add({.name = "completions",
                .group = "More",
                .summary = "Print a completion script for a shell",
                .description = "",
                .examples = {{"gauze completions bash > ~/.local/share/bash-completion/completions/gauze",
                              "complete commands, flags and choices in bash"}},
                .positionals = {{.name = "shell", .help = "the shell", .choices = {"bash", "zsh", "fish"}}},
                .run = run_completions});
  registry.add({.name = "man",
                .group = "More",
                .summary = "Print the manual page in roff",
                .description = "",
                .examples = {{"gauze man | man -l -", "read it"}},
                .run = run_man});
}

}  // namespace gauze::cli
