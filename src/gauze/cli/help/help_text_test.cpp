#include "gauze/cli/help/help_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/label/printable_text.h"

namespace gauze::cli {
namespace help_text_test {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Registry probes() {
  return probe_registry([](Invocation&) -> Result<int> { return 0; });
}

TEST(HelpText, ShowsExamplesFirstThenFlagsInColumns) {
  const Registry registry = probes();
  EXPECT_EQ(command_text(*registry.find("twin one"), {}), R"(gauze twin one: The first of a pair.

Examples
  # an example
  gauze twin one --must 1

Usage
  gauze twin one --must M [flags]

Flags
  --must M            needed (required)

Flags of every command
  --json              print one JSON object on stdout, errors too
  --quiet             print results and errors only: no notes, no progress
  --threads N         how many threads to use; results do not depend on it
                      (default: all cores)
  --color WHEN        when to use colour; NO_COLOR is respected: auto, always,
                      never (default: auto)
  --allow-core-dumps  for developers: let debuggers and core dumps see the
                      memory, private data included
  -h, --help          show help
)");
}

TEST(HelpText, ShowsChoicesDefaultsAndRepetition) {
  const Registry registry = probes();
  const std::string text = command_text(*registry.find("probe"), {.style = {}, .columns = 100});
  EXPECT_THAT(text, HasSubstr("KIND                which one: alpha, beta, gamma\n"));
  EXPECT_THAT(text, HasSubstr("--size N            how many (default: 7)\n"));
  EXPECT_THAT(text, HasSubstr("--null TOKEN        tokens; may be repeated\n"));
  EXPECT_THAT(text, HasSubstr("-o, --output OUT    where\n"));
  EXPECT_THAT(text, Not(HasSubstr("--secret")));
}

TEST(HelpText, ListsEveryCommandByGroupAndEveryTopic) {
  const Registry registry = make_registry();
  const std::string text = overview_text(registry, {});
  EXPECT_THAT(text, StartsWith("Gauze: see the pattern, not the person.\n"));
  for (const Command& command : registry.commands()) {
    if (command.hidden) continue;
    EXPECT_THAT(text, HasSubstr("\n  " + command.name + " ")) << command.name;
  }
  for (const Topic& topic : registry.topics()) EXPECT_THAT(text, HasSubstr("\n  " + topic.name + " "));
  for (const auto& group : registry.groups()) EXPECT_THAT(text, HasSubstr("\n\n" + group + "\n"));
}

TEST(HelpText, ShowsAFamily) {
  const Registry registry = probes();
  const std::string text = family_text("twin", registry.family("twin"), {});
  EXPECT_THAT(text, HasSubstr("gauze twin one  The first of a pair\n"));
  EXPECT_THAT(text, HasSubstr("gauze twin two  The second of a pair\n"));
}

TEST(HelpText, KeepsToTheWidth) {
  const Registry registry = make_registry();
  const auto check = [](const std::string& text, int columns) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      const std::string line = text.substr(begin, end - begin);
      // Command lines are not broken: they are there to be copied.
      begin = end + 1;
      if (line.starts_with("  gauze ")) continue;
      EXPECT_LE(text_width(line), columns) << line;
    }
  };
  for (const int columns : {80, 100}) {
    const HelpLayout layout{.style = {}, .columns = columns};
    check(overview_text(registry, layout), columns);
    for (const Command& command : registry.commands()) check(command_text(command, layout), columns);
    for (const Topic& topic : registry.topics()) check(topic_text(topic, layout), columns);
  }
}

TEST(HelpText, UsesBoldOnlyWhenStyled) {
  const Registry registry = make_registry();
  EXPECT_THAT(overview_text(registry, {}), Not(HasSubstr("\033")));
  EXPECT_THAT(overview_text(registry, {.style = {.enabled = true}, .columns = 80}), HasSubstr("\033[1m"));
}

}  // namespace help_text_test
}  // namespace gauze::cli
