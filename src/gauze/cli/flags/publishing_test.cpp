#include "gauze/cli/flags/publishing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"
#include "gauze/label/label_file.h"
#include "gauze/label/label_testing.h"

namespace gauze::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A command that releases the number 7.
Ran release(std::vector<std::string> args, const PrivacyLabel& label = plain_label()) {
  Registry registry;
  registry.add(
      {.name = "release",
       .group = "Tests",
       .summary = "Release something",
       .examples = {{"gauze release", "it"}},
       .flags = {epsilon_flag(), delta_flag(), sensitivity_flag(), count_flag(), adjacency_flag(), output_flag()},
       .run = [label](Invocation& in) -> Result<int> {
         GAUZE_TRY(publish::Publication publication, begin_publication(in, false));
         return deliver(in, publication, "7\n", Json::object({{"values", Json::array({7})}}), label);
       }});
  args.insert(args.begin(), "release");
  return run(registry, args);
}

TEST(Deliver, PrintsTheResultAndTellsItsLabelBesides) {
  const Ran ran = release({});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "7\n");
  EXPECT_THAT(ran.err, StartsWith("Released: 1 noisy number."));
  EXPECT_EQ(release({"--quiet"}).err, "");
}

TEST(Deliver, PutsTheLabelInsideJson) {
  const Ran ran = release({"--json"});
  const auto document = read_json(ran.out);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->find("values")->dump(), "[7]");
  EXPECT_TRUE(PrivacyLabel::from_json(*document->find("label")));
  EXPECT_EQ(ran.err, "");
}

TEST(Deliver, WritesTheFileAndItsLabel) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("gauze-deliver-" + std::to_string(::getpid()))).string();
  const Ran ran = release({"-o", path, "--json"});
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(*read_file(path), "7\n");
  const auto label = read_label_file(label_path_for(path));
  ASSERT_TRUE(label);
  EXPECT_TRUE(check_against_file(*label, path));
  EXPECT_EQ(read_json(ran.out)->find("label")->dump(), label->to_json().dump());
  const Ran plain = release({"-o", path});
  EXPECT_EQ(plain.out, "");
  EXPECT_THAT(plain.err, HasSubstr("label.json"));
  std::filesystem::remove(path);
  std::filesystem::remove(label_path_for(path));
  EXPECT_EQ(release({"-o", "-"}).out, "7\n");
  EXPECT_EQ(release({"-o", "/does/not/exist/x"}).status, 1);
}

TEST(Deliver, ReleasesNothingUnderALabelThatBreaksARule) {
  PrivacyLabel label = plain_label();
  label.parameters.set("value", 42);
  const Ran ran = release({}, label);
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "");
}

TEST(SharedFlags, ReadTheAdjacency) {
  const auto adjacency = [](std::vector<std::string> args) {
    Registry registry;
    Neighbours found = Neighbours::not_applicable;
    registry.add({.name = "x",
                  .group = "Tests",
                  .summary = "x",
                  .examples = {{"gauze x", "x"}},
                  .flags = {adjacency_flag()},
                  .run = [&found](Invocation& in) -> Result<int> {
                    GAUZE_TRY(found, adjacency_of(in));
                    return 0;
                  }});
    args.insert(args.begin(), "x");
    static_cast<void>(run(registry, args));
    return found;
  };
  EXPECT_EQ(adjacency({}), Neighbours::add_remove);
  EXPECT_EQ(adjacency({"--adjacency", "replace-one"}), Neighbours::replace_one);
  EXPECT_EQ(adjacency({"--adjacency", "other"}), Neighbours::not_applicable);
}

}  // namespace
}  // namespace gauze::cli
