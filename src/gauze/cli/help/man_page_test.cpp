#include "gauze/cli/help/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gauze/cli/core/cli_testing.h"

namespace gauze::cli {
namespace man_page_test {

using ::testing::HasSubstr;
using ::testing::Not;

/// As roff writes a name: with dashes that can be copied.
std::string in_roff(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '-' ? std::string("\\-") : std::string(1, c);
  return out;
}

TEST(ManPage, MentionsEveryCommandFlagExampleAndTopic) {
  for (const Registry& registry : {make_registry(), probe_registry([](Invocation&) -> Result<int> { return 0; })}) {
    const std::string page = man_page(registry);
    for (const Command& command : registry.commands()) {
      EXPECT_THAT(page, HasSubstr(in_roff("gauze " + command.name)));
      for (const Flag& flag : command.flags) {
        const auto mentioned = HasSubstr(in_roff("--" + flag.name));
        if (flag.hidden) {
          EXPECT_THAT(page, Not(mentioned));
        } else {
          EXPECT_THAT(page, mentioned) << command.name;
        }
      }
    }
    for (const Flag& flag : Registry::global_flags()) EXPECT_THAT(page, HasSubstr(in_roff("--" + flag.name)));
    for (const char* section : {".SH NAME", ".SH SYNOPSIS", ".SH COMMANDS", ".SH OPTIONS", ".SH \"EXIT CODES"}) {
      EXPECT_THAT(page, HasSubstr(section));
    }
  }
}

TEST(ManPage, EscapesWhatRoffWouldRead) {
  Registry registry;
  registry.add({.name = "odd",
                .group = "Odd",
                .summary = ".starts with a dot, has a \\ and a \"quote\"",
                .description = "'quoted' at the beginning\n.dot at the beginning\n  kept  line",
                .examples = {{"gauze odd ~/x", "an 'example'"}},
                .run = [](Invocation&) -> Result<int> { return 0; }});
  const std::string page = man_page(registry);
  EXPECT_THAT(page, HasSubstr("\\&.starts with a dot, has a \\e and"));
  EXPECT_THAT(page, HasSubstr("\n\\&\\(aqquoted\\(aq at"));
  EXPECT_THAT(page, HasSubstr("\n\\&.dot at"));
  EXPECT_THAT(page, HasSubstr(".EX\n  kept  line\n.EE\n"));
  EXPECT_THAT(page, HasSubstr("gauze odd \\(ti/x"));
}

TEST(ManPage, RendersWithoutWarnings) {
  if (std::system("command -v man > /dev/null 2>&1") != 0) GTEST_SKIP() << "man is not installed";
  const auto folder = std::filesystem::temp_directory_path();
  const auto page = folder / ("gauze-man-" + std::to_string(::getpid()) + ".1");
  const auto warnings = folder / ("gauze-man-" + std::to_string(::getpid()) + ".warnings");
  std::ofstream(page) << man_page(make_registry());
  const std::string command =
      "LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -l " + page.string() + " > /dev/null 2> " + warnings.string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(warnings);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "");
  std::filesystem::remove(page);
  std::filesystem::remove(warnings);
}

}  // namespace man_page_test
}  // namespace gauze::cli
