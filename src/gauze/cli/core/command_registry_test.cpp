#include "gauze/cli/core/command_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/cli_testing.h"

namespace gauze::cli {
namespace command_registry_test {

using ::testing::ElementsAre;

Registry probes() {
  return probe_registry([](Invocation&) -> Result<int> { return 0; });
}

TEST(Registry, FindsCommandsTopicsAndFamilies) {
  const Registry registry = probes();
  EXPECT_NE(registry.find("probe"), nullptr);
  EXPECT_NE(registry.find("twin one"), nullptr);
  EXPECT_EQ(registry.find("twin"), nullptr);
  EXPECT_EQ(registry.find(""), nullptr);
  EXPECT_EQ(registry.family("twin").size(), 2U);
  EXPECT_TRUE(registry.family("twi").empty());
  EXPECT_NE(registry.find_topic("exit-codes"), nullptr);
  EXPECT_EQ(registry.find_topic("probe"), nullptr);
}

TEST(Registry, ListsGroupsInTheOrderOfRegistration) { EXPECT_THAT(probes().groups(), ElementsAre("Probes", "More")); }

TEST(Registry, FindsFlagsAndPositionals) {
  const Registry registry = probes();
  const Command& probe = *registry.find("probe");
  EXPECT_EQ(probe.find_flag("output")->short_name, 'o');
  EXPECT_EQ(probe.find_flag("kind"), nullptr);
  EXPECT_EQ(probe.find_positional("kind")->choices.size(), 3U);
  EXPECT_TRUE(probe.find_flag("monotone")->is_switch());
  EXPECT_FALSE(probe.find_flag("amount")->is_switch());
}

TEST(Registry, ShowsNamesAsPeopleTypeThem) {
  const Registry registry = probes();
  const Command& probe = *registry.find("probe");
  EXPECT_EQ(display_name(*probe.find_flag("output")), "-o, --output OUT");
  EXPECT_EQ(display_name(*probe.find_flag("monotone")), "--monotone");
  EXPECT_EQ(display_name(probe.positionals[0]), "KIND");
  EXPECT_EQ(display_name(probe.positionals[1]), "[EXTRA...]");
  EXPECT_EQ(synopsis(probe), "gauze probe KIND [EXTRA...] [flags]");
  EXPECT_EQ(synopsis(*registry.find("twin one")), "gauze twin one --must M [flags]");
  const Command start{.name = "start",
                      .positionals = {{.name = "program", .after_dashes = true},
                                      {.name = "args", .optional = true, .repeatable = true, .after_dashes = true}}};
  EXPECT_EQ(synopsis(start), "gauze start [flags] -- PROGRAM [ARGS...]");
}

TEST(Registry, RefusesMistakesOfTheProgrammer) {
  const auto nothing = [](Invocation&) -> Result<int> { return 0; };
  const Command good = {.name = "x", .examples = {{"gauze x", ""}}, .run = nothing};
  Registry registry;
  registry.add(good);
  EXPECT_DEATH(registry.add(good), "does not hold");
  Command bad = good;
  bad.name = "no example";
  bad.examples.clear();
  EXPECT_DEATH(registry.add(bad), "does not hold");
  bad = good;
  bad.name = "hides a global flag";
  bad.flags = {{.name = "json"}};
  EXPECT_DEATH(registry.add(bad), "does not hold");
  bad = good;
  bad.name = "optional before required";
  bad.positionals = {{.name = "a", .optional = true}, {.name = "b"}};
  EXPECT_DEATH(registry.add(bad), "does not hold");
  bad = good;
  bad.name = "does nothing";
  bad.run = nullptr;
  EXPECT_DEATH(registry.add(bad), "does not hold");
}

}  // namespace command_registry_test
}  // namespace gauze::cli
