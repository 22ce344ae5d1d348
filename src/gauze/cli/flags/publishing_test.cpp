#include "gauze/cli/flags/publishing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/files/testing/folder.h"
#include "gauze/label/label_file.h"
#include "gauze/label/label_testing.h"

namespace gauze::cli {
namespace publishing_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

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

class ChargedCommands : public ::testing::Test {
 protected:
  ChargedCommands() {
    EXPECT_EQ(
        run({"ledger", "create", "visits", "--ledger", ledger_, "--epsilon", "1", "--unit", "one patient"}).status,
        0);
  }
  [[nodiscard]] Ran charged(std::vector<std::string> args) const {
    for (const char* word : {"--ledger", ledger_.c_str(), "--dataset", "visits"}) args.emplace_back(word);
    return run(args);
  }
  [[nodiscard]] std::string left() const {
    const auto shown = read_json(run({"ledger", "show", "visits", "--ledger", ledger_, "--json"}).out);
    return std::string(shown->find("left")->find("epsilon")->text());
  }
  Folder folder_;
  const std::string ledger_ = folder_ / "budget";
};

TEST_F(ChargedCommands, NoiseAndSelectAreCharged) {
  const Ran noise = charged({"noise", "geometric", "--epsilon", "0.25", "--count", "2", "--value", "7", "--json"});
  ASSERT_EQ(noise.status, 0) << noise.out << noise.err;
  const auto document = read_json(noise.out);
  EXPECT_EQ(document->find("ledger")->find("left")->dump(), R"({"epsilon":0.5,"delta":0})");
  const auto label = PrivacyLabel::from_json(*document->find("label"));
  ASSERT_TRUE(label) << label.error().message;
  EXPECT_EQ(label->privacy_unit, "one patient");
  EXPECT_TRUE(label->budget.recorded);
  const Ran select =
      charged({"select", "noisy-max", "--scores", "3,2,0", "--epsilon", "0.5", "-o", folder_ / "choice"});
  ASSERT_EQ(select.status, 0) << select.err;
  EXPECT_EQ(left(), "0");
  const Ran refused = charged({"noise", "laplace", "--epsilon", "0.1", "--json"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.out, HasSubstr("\"left\""));
  EXPECT_EQ(run({"label", "check", folder_ / "choice", "--ledger", ledger_}).status, 0)
      << "its label names its entry";
  EXPECT_EQ(run({"ledger", "verify", "--ledger", ledger_}).status, 0);
}

TEST_F(ChargedCommands, NothingIsChargedWithoutAGuarantee) {
  EXPECT_EQ(charged({"noise", "laplace", "--epsilon", "0.1", "--seed", "1", "--insecure-seed"}).status, 2);
  EXPECT_EQ(charged({"select", "exponential", "--scores", "1,2", "--epsilon", "0.1", "--probabilities"}).status, 2);
  EXPECT_EQ(charged({"noise", "randomized-response", "--epsilon", "0.1", "--categories", "2"}).status, 2);
  EXPECT_EQ(charged({"noise", "laplace", "--epsilon", "0.1", "--unit", "one row"}).status, 2) << "another unit";
  EXPECT_EQ(charged({"noise", "laplace", "--epsilon", "0.1", "--adjacency", "replace-one"}).status, 2);
  EXPECT_EQ(run({"noise", "laplace", "--epsilon", "0.1", "--request", "x"}).status, 2) << "without a ledger";
  EXPECT_EQ(left(), "1");
}

TEST_F(ChargedCommands, ARequestIsChargedAndDrawnOnce) {
  const std::vector<std::string> asked = {"noise", "laplace", "--epsilon",   "0.25",      "--value",
                                          "7",     "-o",      folder_ / "a", "--request", "monday"};
  ASSERT_EQ(charged(asked).status, 0);
  const std::string answer = folder_.read("a");
  std::vector<std::string> again = asked;
  again[5] = "8";            // private, so that it is no part of the request
  again[7] = folder_ / "b";  // nor is the place of a file
  again.emplace_back("--json");
  const Ran repeated = charged(again);
  ASSERT_EQ(repeated.status, 0) << repeated.out;
  const auto document = read_json(repeated.out);
  EXPECT_EQ(document->find("repeated")->dump(), "true");
  EXPECT_EQ(document->find("output_sha256")->text(), sha256_hex(answer));
  EXPECT_TRUE(PrivacyLabel::from_json(*document->find("label")));
  EXPECT_EQ(folder_.read("b"), answer) << "the same draw";
  EXPECT_EQ(run({"label", "check", folder_ / "b", "--ledger", ledger_}).status, 0);
  EXPECT_EQ(folder_.read("a"), answer);
  again[7] = folder_ / "b.parquet";
  EXPECT_EQ(charged(again).status, 1) << "another format than was written";
  EXPECT_FALSE(folder_.has("b.parquet"));
  EXPECT_EQ(left(), "0.75");
  std::vector<std::string> other = asked;
  other[3] = "0.5";
  EXPECT_EQ(charged(other).status, 2) << "the same id with another request";
  EXPECT_EQ(left(), "0.75");
  EXPECT_EQ(run({"ledger", "verify", "--ledger", ledger_}).status, 0);
}

TEST_F(ChargedCommands, ARequestThatWentToTheStandardOutputIsPrintedAgain) {
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"noise", "laplace", "--epsilon", "0.1", "--count", "3", "--request", "a"},
        std::vector<std::string>{"select", "exponential", "--scores", "1,2", "--epsilon", "0.1", "--request", "b"}}) {
    const Ran first = charged(asked);
    ASSERT_EQ(first.status, 0) << first.err;
    const Ran again = charged(asked);
    EXPECT_EQ(again.status, 0);
    EXPECT_EQ(again.out, first.out);
    EXPECT_THAT(again.err, HasSubstr("answered before"));
    std::vector<std::string> json = asked;
    json.emplace_back("--json");
    EXPECT_EQ(read_json(charged(json).out)->find("answer")->text(), first.out);
  }
}

TEST_F(ChargedCommands, AnAnswerThatIsTooLargeToBeKeptMustStillBeThere) {
  const std::vector<std::string> asked = {"noise", "laplace", "--epsilon",   "1e-6",      "--count",
                                          "99999", "-o",      folder_ / "a", "--request", "large"};
  ASSERT_EQ(charged(asked).status, 0);
  ASSERT_GT(folder_.read("a").size(), std::size_t{1} << 20U);
  EXPECT_EQ(charged(asked).status, 0) << "it is where it was";
  std::vector<std::string> elsewhere = asked;
  elsewhere[7] = folder_ / "b";
  const Ran lost = charged(elsewhere);
  EXPECT_EQ(lost.status, 1);
  EXPECT_THAT(lost.out + lost.err, HasSubstr("nor did the ledger keep it"));
  EXPECT_FALSE(folder_.has("b"));
}

TEST_F(ChargedCommands, CopiesOfOneAnswerFitTheLedgerAndLabelsComeBack) {
  std::vector<std::string> asked = {"noise", "laplace", "--epsilon",   "1e-6",      "--count",
                                    "99999", "-o",      folder_ / "a", "--request", "large"};
  ASSERT_EQ(charged(asked).status, 0);
  std::filesystem::remove(folder_ / "a.label.json");
  ASSERT_EQ(charged(asked).status, 0);
  EXPECT_EQ(run({"label", "check", folder_ / "a", "--ledger", ledger_}).status, 0) << "the label is there again";
  std::vector<std::string> small = {"noise", "laplace",     "--epsilon", "0.1",
                                    "-o",    folder_ / "b", "--request", "small"};
  ASSERT_EQ(charged(small).status, 0);
  small[5] = folder_ / "c";
  ASSERT_EQ(charged(small).status, 0);
  EXPECT_EQ(run({"ledger", "verify", "--ledger", ledger_, "--labels", folder_ / "b", folder_ / "c"}).status, 0);
  ASSERT_TRUE(write_file(folder_ / "c", "forged\n"));
  auto label = *read_label_file(label_path_for(folder_ / "c"));
  label.released.sha256 = sha256_hex("forged\n");
  ASSERT_TRUE(write_file(label_path_for(folder_ / "c"), label.to_json().dump()));
  const Ran forged = run({"ledger", "verify", "--ledger", ledger_, "--labels", folder_ / "b", folder_ / "c"});
  EXPECT_EQ(forged.status, 1);
  EXPECT_THAT(forged.err, HasSubstr("c.label.json: another label names the same entry")) << "which, and why";
}

TEST_F(ChargedCommands, WhatWentToTheNullDeviceCanBeAskedForAgain) {
  std::vector<std::string> asked = {"noise", "laplace", "--epsilon", "0.1", "-o", "/dev/null", "--request", "null"};
  ASSERT_EQ(charged(asked).status, 0);
  asked[5] = folder_ / "a.txt";
  ASSERT_EQ(charged(asked).status, 0);
  EXPECT_FALSE(folder_.read("a.txt").empty());
  EXPECT_EQ(run({"label", "check", folder_ / "a.txt", "--ledger", ledger_}).status, 0);
}

}  // namespace publishing_test
}  // namespace gauze::cli
