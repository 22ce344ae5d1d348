// Training that is interrupted, killed and continued: never more steps let out than were paid for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/testing/folder.h"
#include "gauze/label/label_file.h"
#include "gauze/learn/job/checkpoint.h"
#include "gauze/learn/model/model_file.h"
#include "gauze/ledger/ledger.h"

namespace gauze::cli {
namespace train_checkpoint_test {

using ::testing::HasSubstr;

using Args = std::vector<std::string>;

std::string policy_text(const std::string& learn = "", const std::string& z = "[-1, 1]") {
  return "version: 1\nlearn:\n  rows: 600\n  features:\n    x: {numeric: [-1, 1]}\n    z: {numeric: " + z +
         "}\n    colour: {values: [red, blue]}\n  target: {column: y, values: [\"no\", \"yes\"]}\n" + learn +
         "provenance: {features: public, hyperparameters: public}\n";
}

std::string table_text(int rows) {
  std::mt19937_64 random(5);
  std::string text = "x,z,colour,y\n";
  for (int i = 0; i < rows; ++i) {
    const int x = static_cast<int>(random() % 2001) - 1000;
    const int z = static_cast<int>(random() % 2001) - 1000;
    text += fmt::format("{},{},{},{}\n", x / 1000.0, z / 1000.0, random() % 2 == 0 ? "red" : "blue",
                        x + z > 0 ? "yes" : "no");
  }
  return text;
}

Args operator+(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

/// What `train` is given here, but for the places of checkpoints.
Args train_args(const std::string& folder, int steps, const std::string& output) {
  return {"train",     folder + "/people.csv",
          "--policy",  folder + "/policy.yaml",
          "--model",   "mlp",
          "--hidden",  "8",
          "--batch",   "64",
          "--epsilon", "1",
          "--delta",   "1e-6",
          "--steps",   std::to_string(steps),
          "--ledger",  folder + "/l.gledger",
          "--dataset", "d",
          "-o",        folder + "/" + output};
}

class TrainCheckpoint : public ::testing::Test {
 protected:
  TrainCheckpoint() {
    folder_.write("people.csv", table_text(600));
    folder_.write("policy.yaml", policy_text());
    create_ledger();
  }
  void create_ledger() const {
    const Ran created =
        run({"ledger", "create", "d", "--ledger", folder_ / "l.gledger", "--unit", "one row", "--neighbours",
             "add-remove", "--epsilon", "1000", "--delta", "0.01", "--accountant", "basic"});
    EXPECT_EQ(created.status, 0) << created.err;
  }
  /// Puts a ledger in its place in which so many steps of the reservation are counted, as if the run had stopped there.
  void count_only(std::int64_t steps) const {
    const CommitmentKey key = ledger().commitment_key(2).value();
    const Entry reserved = ledger().entry(2).value().entry;
    ChargeRequest asked{.dataset = "d", .analyst = reserved.analyst, .charge = reserved.charge};
    asked.planned_steps = reserved.planned_steps;
    asked.commitment_key = &key;
    std::filesystem::remove(folder_ / "l.gledger");
    create_ledger();
    ASSERT_EQ(ledger().reserve(asked)->entry, 2);
    ASSERT_TRUE(ledger().record_progress(2, steps));
  }
  [[nodiscard]] std::string at() const { return folder_.path().string(); }
  [[nodiscard]] Args training(const std::string& output = "m.gmodel", int steps = 40) const {
    return train_args(at(), steps, output);
  }
  static Ran run_with(const Args& args, const Args& more) { return run(args + more); }
  [[nodiscard]] Args checkpointed() const { return {"--checkpoint", folder_ / "c.ckpt"}; }
  [[nodiscard]] Args resumed() const { return {"--resume", folder_ / "c.ckpt"}; }
  [[nodiscard]] Ledger ledger() const { return *Ledger::open(folder_ / "l.gledger"); }
  [[nodiscard]] std::vector<Entry> entries(EntryKind kind) const {
    std::vector<Entry> found;
    const std::vector<ChainedEntry> all = ledger().history({.dataset = "d"}).value();
    for (const ChainedEntry& one : all)
      if (one.entry.kind == kind) found.push_back(one.entry);
    return found;
  }
  [[nodiscard]] learn::Checkpoint checkpoint() const {
    auto read = learn::Checkpoint::read(folder_ / "c.ckpt");
    EXPECT_TRUE(read) << read.error().message;
    return read.value_or(learn::Checkpoint());
  }
  /// Runs until the ledger has so many entries, then asks to stop.
  Ran stopped_at(const Args& args, std::int64_t entry) const {
    std::atomic<bool> over{false};
    std::thread watcher;
    Ran ran;
    Streams streams = string_streams(ran);
    streams.on_progress = [&](Progress* progress) {
      if (progress == nullptr || watcher.joinable()) return;
      watcher = std::thread([&, progress] {
        while (!over && !ledger().entry(entry)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (!over) progress->request_stop();
      });
    };
    ran.status = run_command_line(args, streams);
    over = true;
    if (watcher.joinable()) watcher.join();
    return ran;
  }

  Folder folder_;
};

TEST_F(TrainCheckpoint, CountsEveryStepOnceAndKeepsTheLastCheckpoint) {
  const Ran ran = run_with(training(), checkpointed());
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto counted = entries(EntryKind::progress);
  ASSERT_EQ(counted.size(), 10U) << "every tenth of 40 steps, the last with the model";
  for (const Entry& entry : counted) EXPECT_EQ(entry.steps, 4);
  EXPECT_EQ(entries(EntryKind::reserve).at(0).planned_steps, 40);
  EXPECT_EQ(checkpoint().state.step, 36U);
  EXPECT_EQ(checkpoint().reservation, 2);
  const auto of_checkpoint = read_label_file(folder_ / "c.ckpt.label.json");
  const auto of_model = read_label_file(folder_ / "m.gmodel.label.json");
  ASSERT_TRUE(of_checkpoint && of_model);
  EXPECT_EQ(of_checkpoint->released.kind, "checkpoint of a model");
  EXPECT_EQ(of_checkpoint->cost.epsilon, of_model->cost.epsilon) << "the whole planned cost";
  EXPECT_TRUE(ledger().entry_of(*of_checkpoint));
  EXPECT_TRUE(check_against_file(*of_checkpoint, folder_ / "c.ckpt"));
  Progress silent;
  EXPECT_TRUE(ledger().verify({}, silent));
  const Ran labels = run({"ledger", "verify", "--ledger", folder_ / "l.gledger", "--labels",
                          folder_ / "m.gmodel.label.json", folder_ / "c.ckpt.label.json"});
  EXPECT_EQ(labels.status, 0) << labels.out << labels.err;
}

TEST_F(TrainCheckpoint, WithoutCheckpointsTheModelCountsAllSteps) {
  ASSERT_EQ(run(training()).status, 0);
  const auto counted = entries(EntryKind::progress);
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_EQ(counted[0].steps, 40);
  EXPECT_EQ(entries(EntryKind::commit).size(), 1U);
  EXPECT_LT(counted[0].number, entries(EntryKind::commit)[0].number);
}

TEST_F(TrainCheckpoint, AsManyLabelsNameTheReservationAsReleasesWereCounted) {
  ASSERT_EQ(run_with(training(), checkpointed() + Args{"--every", "20"}).status, 0);
  const auto compared = [&](const Args& labels) {
    return run(Args{"ledger", "verify", "--ledger", folder_ / "l.gledger", "--labels"} + labels);
  };
  const Args two = {folder_ / "m.gmodel.label.json", folder_ / "c.ckpt.label.json"};
  EXPECT_EQ(compared(two).status, 0);
  auto third = read_label_file(folder_ / "c.ckpt.label.json");
  ASSERT_TRUE(third);
  third->released.sha256 = std::string(64, 'a');
  folder_.write("x.label.json", third->to_json().dump());
  const Ran ran = compared(two + Args{folder_ / "x.label.json"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.out + ran.err, HasSubstr("more labels name the same entry"));
}

TEST_F(TrainCheckpoint, EveryIsRoundedUpAndMayBeSaid) {
  ASSERT_EQ(run_with(training("m.gmodel", 35), checkpointed()).status, 0);
  EXPECT_EQ(entries(EntryKind::progress).size(), 9U) << "8 times 4 steps, and 3";
  ASSERT_EQ(run_with(training("m.gmodel", 35), {"--checkpoint", folder_ / "c.ckpt", "--every", "20"}).status, 0);
  EXPECT_EQ(entries(EntryKind::progress).size(), 11U);
  EXPECT_EQ(checkpoint().state.step, 20U);
  ASSERT_EQ(run_with(training("m.gmodel", 35), {"--checkpoint", folder_ / "d.ckpt", "--every", "35"}).status, 0);
  EXPECT_FALSE(folder_.has("d.ckpt")) << "nothing to keep before the model";
}

TEST_F(TrainCheckpoint, InterruptedItKeepsTheLastCheckpointAndIsContinuedWithoutACharge) {
  const Args args = training("m.gmodel", 20'000) + Args{"--checkpoint", folder_ / "c.ckpt", "--every", "50"};
  const Ran stopped = stopped_at(args, 4);
  ASSERT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("stays charged"));
  EXPECT_FALSE(folder_.has("m.gmodel"));
  const std::uint64_t kept = checkpoint().state.step;
  EXPECT_THAT(stopped.err, HasSubstr(fmt::format("the checkpoint is that of step {} of 20000", kept)));
  EXPECT_GE(kept, 100U);
  ASSERT_LT(kept, 20'000U);
  EXPECT_EQ(ledger().step_reservation(2)->persisted, static_cast<std::int64_t>(kept));

  const Ran continued =
      run_with(training("m.gmodel", 20'000), {"--resume", folder_ / "c.ckpt", "--checkpoint", folder_ / "c.ckpt"});
  ASSERT_EQ(continued.status, 0) << continued.err;
  EXPECT_THAT(continued.err, HasSubstr(fmt::format("training {} steps, from step {} of 20000", 20'000 - kept, kept)));
  EXPECT_TRUE(learn::ModelFile::read(folder_ / "m.gmodel"));
  EXPECT_EQ(ledger().step_reservation(2)->left(), 0);
  EXPECT_EQ(ledger().balance("d")->queries, 1);
  EXPECT_EQ(checkpoint().state.step, 18'000U) << "checkpoints go on at the steps they would have been at";
  EXPECT_TRUE(ledger().entry_of(*read_label_file(folder_ / "m.gmodel.label.json")));
}

/// A run that was stopped after its checkpoint in the middle: 20 steps are counted, 20 are left.
class ContinuedTraining : public TrainCheckpoint {
 protected:
  static constexpr int kHalf = 20;
  ContinuedTraining() {
    EXPECT_EQ(run_with(training("lost.gmodel"), checkpointed() + Args{"--every", "20"}).status, 0);
    count_only(kHalf);
    EXPECT_EQ(left(), kHalf);
    EXPECT_EQ(checkpoint().state.step, 20U);
  }
  [[nodiscard]] std::int64_t left() const { return ledger().step_reservation(2)->left(); }
};

TEST_F(ContinuedTraining, TheSecondContinuationIsRefusedOnceTheStepsAreUsedUp) {
  const Ran first = run_with(training("first.gmodel"), resumed());
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("training 20 steps, from step 20 of 40"));
  const Ran second = run_with(training("second.gmodel"), resumed());
  EXPECT_EQ(second.status, 3);
  EXPECT_THAT(second.err, HasSubstr("no steps are left"));
  EXPECT_FALSE(folder_.has("second.gmodel"));
  EXPECT_EQ(ledger().balance("d")->queries, 1);
  // before anything is read: the table need not even be there
  std::filesystem::remove(folder_ / "people.csv");
  EXPECT_EQ(run_with(training("second.gmodel"), resumed()).status, 3);
}

TEST_F(ContinuedTraining, LostStepsStayLost) {
  // as a kill between the entry and the file leaves it
  ASSERT_TRUE(ledger().record_progress(2, kHalf - 5));
  const Ran ran = run_with(training("first.gmodel"), resumed());
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("training 5 steps, from step 20 of 40; the other steps are used up"));
  EXPECT_EQ(ledger().step_reservation(2)->left(), 0);
  EXPECT_TRUE(learn::ModelFile::read(folder_ / "first.gmodel"));
}

TEST_F(ContinuedTraining, TwoContinuationsShareTheStepsAndDrawAnew) {
  ASSERT_TRUE(ledger().record_progress(2, kHalf - 10));
  const std::string before = folder_.read("l.gledger");
  const Ran first = run_with(training("first.gmodel"), resumed());
  ASSERT_EQ(first.status, 0) << first.err;
  folder_.write("l.gledger", before);  // somebody who has a copy of the ledger
  const Ran second = run_with(training("second.gmodel"), resumed());
  ASSERT_EQ(second.status, 0) << second.err;
  EXPECT_NE(folder_.read("first.gmodel"), folder_.read("second.gmodel"));
}

TEST_F(ContinuedTraining, OtherParametersAnotherPolicyOrAnotherLedgerAreRefused) {
  const auto refused = [&](Args more, const std::string& why) {
    Args args = training("n.gmodel") + resumed();
    // what stands later does not replace what stands before: so it is exchanged in place
    for (std::size_t i = 0; i + 1 < more.size(); i += 2) {
      const auto there = std::find(args.begin(), args.end(), more[i]);
      if (there != args.end()) {
        *(there + 1) = more[i + 1];
      } else {
        args.push_back(more[i]);
        args.push_back(more[i + 1]);
      }
    }
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 2) << more[0] << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(why));
  };
  refused({"--steps", "41"}, "another cost, unit, kind of neighbours or number of steps");
  refused({"--epsilon", "2"}, "another cost");
  refused({"--batch", "65"}, "other parameters or another policy");
  refused({"--hidden", "9"}, "other parameters");
  refused({"--clip", "2"}, "other parameters");
  refused({"--learning-rate", "1"}, "other parameters");
  refused({"--optimizer", "adam"}, "other parameters");
  refused({"--null", "-"}, "other parameters");
  refused({"--adjacency", "replace-one"}, "");
  folder_.write("other.yaml", policy_text("", "[-2, 2]"));
  refused({"--policy", folder_ / "other.yaml"}, "another policy");
  const auto create = [&](const std::string& file, const std::string& name) {
    EXPECT_EQ(run({"ledger", "create", name, "--ledger", folder_ / file, "--unit", "one row", "--neighbours",
                   "add-remove", "--epsilon", "10", "--delta", "0.01", "--accountant", "basic"})
                  .status,
              0);
  };
  create("l.gledger", "e");
  refused({"--dataset", "e"}, "another dataset");
  create("other.gledger", "d");
  refused({"--ledger", folder_ / "other.gledger"}, "cannot be continued with this ledger");
  EXPECT_FALSE(folder_.has("n.gmodel"));
  EXPECT_EQ(left(), kHalf) << "nothing was counted";
  EXPECT_EQ(run_with(training("n.gmodel"), resumed()).status, 0) << "the same as before";
}

TEST_F(ContinuedTraining, AnotherReservationOrAChangedFileIsRefused) {
  ASSERT_EQ(run(training("other.gmodel")).status, 0);
  const std::string bytes = folder_.read("c.ckpt");
  const auto with = [&](const std::function<void(learn::Checkpoint&)>& change) {
    learn::Checkpoint changed = checkpoint();
    change(changed);
    folder_.write("c.ckpt", changed.to_bytes());
    const Ran ran = run_with(training("n.gmodel"), resumed());
    folder_.write("c.ckpt", bytes);
    return ran.status;
  };
  const std::int64_t other = entries(EntryKind::reserve).back().number;
  EXPECT_EQ(with([&](auto& file) { file.reservation = other; }), 2) << "its key is another one";
  EXPECT_EQ(with([](auto& file) { file.reservation = 999; }), 2);
  EXPECT_EQ(with([](auto& file) { file.state.step = 1; }), 1);
  EXPECT_EQ(with([](auto& file) { file.state.weights[0] += 1; }), 1);
  EXPECT_EQ(with([](auto& file) { file.state.clip = 100; }), 1);
  folder_.write("c.ckpt", bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(run_with(training("n.gmodel"), resumed()).status, 1);
  EXPECT_EQ(run_with(training("n.gmodel"), {"--resume", folder_ / "none"}).status, 1);
  EXPECT_EQ(left(), kHalf);
}

TEST_F(TrainCheckpoint, WhatDoesNotGoTogetherIsRefusedBeforeAnything) {
  const auto refused = [&](const Args& more) {
    const Ran ran = run_with(training(), more);
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_EQ(ledger().balance("d")->queries, 0);
    return ran.err;
  };
  const std::string file = folder_ / "c.ckpt";
  for (const char* flag : {"--checkpoint", "--resume"}) {
    EXPECT_THAT(refused({flag, file, "--holdout", "0.2", "--holdout-epsilon", "1"}), HasSubstr("--holdout"));
    EXPECT_THAT(refused({flag, file, "--seed", "1", "--insecure-seed"}), HasSubstr("--seed"));
    EXPECT_THAT(refused({flag, file, "--request", "r"}), HasSubstr("--request"));
    Args without = training();
    without.erase(without.begin() + 15, without.begin() + 19);
    without.push_back(flag);
    without.push_back(file);
    const Ran ran = run(without);
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("needs --ledger"));
  }
  EXPECT_THAT(refused({"--every", "5"}), HasSubstr("--checkpoint"));
  refused({"--checkpoint", file, "--every", "0"});
  refused({"--checkpoint", "-"});
  EXPECT_FALSE(folder_.has("m.gmodel"));
}

TEST_F(TrainCheckpoint, ACheckpointReplacesNothingThatIsReadOrKept) {
  for (const char* name : {"people.csv", "policy.yaml", "l.gledger", "l.gledger-journal", "m.gmodel", "x.label.json"})
    EXPECT_EQ(run_with(training(), {"--checkpoint", folder_ / name}).status, 2) << name;
  EXPECT_EQ(run_with(training("c.ckpt"), resumed()).status, 2) << "the model would replace what is continued";
  EXPECT_NE(run_with(training(), {"--checkpoint", folder_ / "none/c.ckpt"}).status, 0);
  EXPECT_EQ(ledger().balance("d")->queries, 0) << "all of it before the charge";
}

TEST_F(TrainCheckpoint, NoisyEntropiesAreDrawnOnceAndKept) {
  folder_.write("policy.yaml", policy_text("  sensitive: [z, colour]\n  entropies: {rho: 0.01}\n"));
  const Args args = training() + Args{"--method", "shaped", "--every", "20"};
  const Ran first = run_with(args, checkpointed());
  ASSERT_EQ(first.status, 0) << first.err;
  const std::vector<double> entropies = checkpoint().state.entropies;
  ASSERT_EQ(entropies.size(), 2U);
  EXPECT_GT(entropies[0] + entropies[1], 0);
  EXPECT_THAT(folder_.read("c.ckpt"), HasSubstr(fmt::format("\"{:.17g} {:.17g}\"", entropies[0], entropies[1])));
}

TEST_F(TrainCheckpoint, NoisyEntropiesAreNotDrawnAgain) {
  folder_.write("policy.yaml", policy_text("  sensitive: [z, colour]\n  entropies: {rho: 0.01}\n"));
  const Args args = training() + Args{"--method", "shaped"};
  ASSERT_EQ(run_with(args, checkpointed() + Args{"--every", "20"}).status, 0);
  count_only(20);
  const Ran ran = run_with(args, resumed() + Args{"--checkpoint", folder_ / "d.ckpt", "--every", "30"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto later = learn::Checkpoint::read(folder_ / "d.ckpt");
  ASSERT_TRUE(later);
  EXPECT_EQ(later->state.step, 30U);
  EXPECT_EQ(later->state.entropies, checkpoint().state.entropies);
  ASSERT_EQ(entries(EntryKind::progress).size(), 3U);
  EXPECT_EQ(entries(EntryKind::progress)[1].steps, 10);
}

/// What the killed process does; started by the test below in a process of its own, never by itself.
TEST(TrainVictim, DISABLED_Trains) {
  const char* const folder = std::getenv("GAUZE_VICTIM_FOLDER");
  ASSERT_NE(folder, nullptr);
  const std::string at = folder;
  Args args = train_args(at, 300, "m.gmodel") + Args{"--checkpoint", at + "/c.ckpt", "--every", "7"};
  if (std::filesystem::exists(at + "/c.ckpt")) {
    args.emplace_back("--resume");
    args.push_back(at + "/c.ckpt");
  }
  const Ran ran = run(args);
  EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST_F(TrainCheckpoint, KilledAtAnyMomentLetsOutNoMoreStepsThanWerePaidFor) {
  const char* const long_tests = std::getenv("GAUZE_LONG_TESTS");
  const int wanted = long_tests != nullptr && std::string_view(long_tests) == "1" ? 100 : 8;
  ASSERT_EQ(::setenv("GAUZE_VICTIM_FOLDER", at().c_str(), 1), 0);
  for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) ::unsetenv(name);  // the victim is one test
  std::mt19937_64 random(7);
  int killed = 0;
  for (int round = 0; killed < wanted && round < 20 * wanted; ++round) {
    const char* const args[] = {"gauze_cli_tests", "--gtest_filter=TrainVictim.*", "--gtest_also_run_disabled_tests",
                                "--gtest_brief=1", nullptr};
    const std::string before = ledger().head().value();
    pid_t child = 0;
    ASSERT_EQ(::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(args), environ), 0);
    int status = 0;
    // Not before it changes the ledger: starting takes longer than training.
    while (ledger().head() == before && ::waitpid(child, &status, WNOHANG) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) ++killed;

    Progress silent;
    const Ledger after = ledger();
    const auto verified = after.verify({}, silent);
    ASSERT_TRUE(verified) << verified.error().message;
    const auto reserved = after.step_reservation(entries(EntryKind::reserve).back().number);
    ASSERT_TRUE(reserved);
    EXPECT_LE(reserved->persisted, 300);
    bool over = reserved->left() == 0;
    if (folder_.has("c.ckpt")) {
      const learn::Checkpoint kept = checkpoint();
      EXPECT_LE(kept.state.step, static_cast<std::uint64_t>(reserved->persisted))
          << "a file before its steps were counted";
      EXPECT_EQ(kept.reservation, reserved->charge.entry.number);
    }
    if (folder_.has("m.gmodel")) {
      EXPECT_TRUE(learn::ModelFile::read(folder_ / "m.gmodel"));
      EXPECT_TRUE(over);
    }
    if (!over) continue;
    // used up, whether or not the model got out: the next one starts anew, with a charge of its own
    if (folder_.has("c.ckpt")) {
      EXPECT_EQ(run_with(training("n.gmodel", 300), resumed()).status, 3);
    }
    for (const char* name : {"c.ckpt", "c.ckpt.label.json", "m.gmodel", "m.gmodel.label.json"})
      std::filesystem::remove(folder_ / name);
  }
  EXPECT_EQ(killed, wanted);
  const auto reservations = entries(EntryKind::reserve);
  EXPECT_EQ(ledger().balance("d")->queries, static_cast<std::int64_t>(reservations.size()));
}

}  // namespace train_checkpoint_test
}  // namespace gauze::cli
