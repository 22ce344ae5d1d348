#include "gauze/publish/publication.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "gauze/files/testing/folder.h"
#include "gauze/label/label_file.h"
#include "gauze/label/label_testing.h"
#include "gauze/ledger/group_commit.h"

namespace gauze::publish {
namespace publication_test {

using ::testing::HasSubstr;

class PublicationTest : public ::testing::Test {
 protected:
  PublicationTest() {
    auto ledger = Ledger::create(folder_ / "budget");
    DatasetOptions options;
    options.name = "visits";
    options.epsilon = Rational(1);
    EXPECT_TRUE(ledger->create_dataset(DatasetTerms::make(options).value()));
  }
  [[nodiscard]] Publication::Request request() const {
    return {.account = Account{.ledger = folder_ / "budget", .dataset = "visits", .purpose = "a count"}};
  }
  [[nodiscard]] std::vector<ChainedEntry> history() const {
    return Ledger::open(folder_ / "budget")->history({.dataset = "visits"}).value();
  }
  Folder folder_;
};

TEST_F(PublicationTest, ChargesFirstAndCommitsLast) {
  auto publication = Publication::begin(request());
  ASSERT_TRUE(publication) << publication.error().message;
  EXPECT_EQ(history().size(), 1U) << "nothing is charged yet";
  ASSERT_TRUE(publication->reserve(PrivacyCost::of_epsilon(Rational(1, 2))));
  ASSERT_EQ(history().size(), 2U);
  EXPECT_EQ(history().back().entry.kind, EntryKind::reserve);
  EXPECT_EQ(history().back().entry.purpose, "a count");
  EXPECT_THAT(publication->aftermath(), HasSubstr("0.5 stays charged to 'visits': reservation 2"));

  PrivacyLabel label = plain_label();
  label.cost.epsilon = "0.5";
  const ByteWitness witness = publication->witness_of_input();
  ASSERT_TRUE(witness);
  witness("the ");
  witness("rows");
  publication->bind_policy("k: 5");
  std::vector<LabelledOutput> outputs;
  outputs.push_back(LabelledOutput::create(folder_ / "out").value());
  ASSERT_TRUE(outputs[0].write("42\n"));
  ASSERT_TRUE(publication->finish(label, outputs));
  EXPECT_EQ(history().back().entry.kind, EntryKind::commit);
  EXPECT_THAT(publication->aftermath(), HasSubstr("its charge is entry 2"));

  const auto written = read_label_file(folder_ / "out.label.json");
  ASSERT_TRUE(written);
  EXPECT_EQ(written->budget.entry, "2");
  const auto ledger = Ledger::open(folder_ / "budget");
  EXPECT_TRUE(ledger->entry_of(*written));
  const auto key = ledger->commitment_key(2);
  Commitment input(*key, "input");
  input.add("the rows");
  EXPECT_TRUE(input.verify(*written->commitments.input));
  Commitment policy(*key, "policy");
  policy.add("k: 5");
  EXPECT_TRUE(policy.verify(*written->commitments.policy));
}

TEST_F(PublicationTest, ARefusalIsDataAndChargesNothing) {
  auto publication = Publication::begin(request());
  const auto refused = publication->reserve(PrivacyCost::of_epsilon(Rational(2)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::budget_exhausted);
  EXPECT_EQ(refused.error().allowed->to_json().dump(), R"({"epsilon":1})");
  EXPECT_EQ(history().size(), 1U);
  EXPECT_EQ(publication->aftermath(), "");
}

TEST_F(PublicationTest, RefusesAnotherUnitAndWhatDoesNotAddUp) {
  auto publication = Publication::begin(request());
  PrivacyCost cost = PrivacyCost::of_epsilon(Rational(1, 2));
  cost.unit = "one person";
  EXPECT_EQ(publication->reserve(cost).error().code, ErrorCode::invalid_parameter);
  cost.unit = "one row";
  cost.definition = Definition::k_anonymity;
  EXPECT_EQ(publication->reserve(cost).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(history().size(), 1U);
}

TEST_F(PublicationTest, WhatFailsAfterTheChargeStaysCharged) {
  auto publication = Publication::begin(request());
  ASSERT_TRUE(publication->reserve(PrivacyCost::of_epsilon(Rational(1, 2))));
  PrivacyLabel label = plain_label();
  label.parameters.set("true_count", 17);
  EXPECT_FALSE(publication->finish(label, {}));
  EXPECT_EQ(history().back().entry.kind, EntryKind::reserve);
  EXPECT_THAT(publication->aftermath(), HasSubstr("not committed"));
}

TEST_F(PublicationTest, SeededReleasesPromiseNothingAndAreNotCharged) {
  Publication::Request seeded = request();
  seeded.seeded = true;
  EXPECT_EQ(Publication::begin(seeded).error().code, ErrorCode::usage);
  auto publication = Publication::begin({.seeded = true});
  ASSERT_TRUE(publication);
  ASSERT_TRUE(publication->reserve(PrivacyCost::of_epsilon(Rational(1))));
  PrivacyLabel label = plain_label();
  ASSERT_TRUE(publication->finish(label, {}));
  EXPECT_EQ(label.definition, Definition::none);
  EXPECT_THAT(*label.warning, HasSubstr("seed"));
  EXPECT_FALSE(label.cost.epsilon);
}

TEST_F(PublicationTest, APlaceThatTakesNothingIsFoundBeforeTheCharge) {
  Publication::Request asked = request();
  asked.outputs = {folder_ / "none/out"};
  EXPECT_FALSE(Publication::begin(asked));
  EXPECT_EQ(history().size(), 1U);
}

TEST_F(PublicationTest, WithoutAnAccountTheLabelSaysNotRecorded) {
  auto publication = Publication::begin({});
  ASSERT_TRUE(publication->reserve(PrivacyCost::of_epsilon(Rational(1))));
  EXPECT_FALSE(publication->witness_of_input()) << "nothing is to be bound";
  PrivacyLabel label = plain_label();
  ASSERT_TRUE(publication->finish(label, {}));
  EXPECT_FALSE(label.budget.recorded);
  EXPECT_EQ(publication->to_json().dump(), "null");
}

/// A training of 10 steps that costs a half.
class TrainingPublication : public PublicationTest {
 protected:
  [[nodiscard]] Publication begun(std::uint64_t steps = 10) const {
    Publication publication = Publication::begin(request()).value();
    EXPECT_TRUE(publication.reserve(kCost, steps));
    return publication;
  }
  [[nodiscard]] static PrivacyLabel label() {
    PrivacyLabel label = plain_label();
    label.cost.epsilon = "0.5";
    return label;
  }
  [[nodiscard]] LabelledOutput output(const std::string& name, std::string_view bytes) const {
    LabelledOutput file = LabelledOutput::create(folder_ / name).value();
    EXPECT_TRUE(file.write(bytes));
    return file;
  }
  static Result<void> finish(Publication& publication, LabelledOutput file) {
    PrivacyLabel own = label();
    return publication.finish(own, {&file, 1});
  }
  const PrivacyCost kCost = PrivacyCost::of_epsilon(Rational(1, 2));
};

TEST_F(TrainingPublication, CountsStepsBeforeACheckpointAndBeforeTheModel) {
  Publication publication = begun();
  const ByteWitness witness = publication.witness_of_input();
  witness("rows");
  publication.bind_policy("k: 5");
  EXPECT_THAT(publication.aftermath(), HasSubstr("which was not committed"));
  ASSERT_TRUE(publication.progress(4));
  EXPECT_FALSE(folder_.has("ckpt"));
  EXPECT_EQ(history().back().entry.steps, 4);
  LabelledOutput checkpoint = output("ckpt", "half");
  ASSERT_TRUE(publication.put_checkpoint(label(), checkpoint));
  EXPECT_EQ(folder_.read("ckpt"), "half");
  EXPECT_THAT(publication.aftermath(), HasSubstr("4 of whose 10 steps are counted"));
  ASSERT_TRUE(publication.progress(6));
  ASSERT_TRUE(finish(publication, output("model", "whole")));
  EXPECT_EQ(history().back().entry.kind, EntryKind::commit);
  const auto of_checkpoint = read_label_file(folder_ / "ckpt.label.json");
  const auto of_model = read_label_file(folder_ / "model.label.json");
  ASSERT_TRUE(of_checkpoint && of_model);
  EXPECT_EQ(of_checkpoint->commitments.input, of_model->commitments.input);
  EXPECT_EQ(of_checkpoint->commitments.policy, of_model->commitments.policy);
  EXPECT_TRUE(of_model->commitments.policy);
  const auto ledger = Ledger::open(folder_ / "budget");
  EXPECT_TRUE(ledger->entry_of(*of_checkpoint));
  EXPECT_TRUE(ledger->entry_of(*of_model));
}

TEST_F(TrainingPublication, WhatIsNotCountedIsNotPutAnywhere) {
  Publication publication = begun();
  ASSERT_TRUE(publication.progress(10));
  const auto refused = publication.progress(1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::budget_exhausted);
  EXPECT_EQ(publication.steps_left(), 0U);
}

TEST_F(TrainingPublication, IsContinuedWithoutAChargeUntilTheStepsAreUsedUp) {
  {
    Publication first = begun();
    ASSERT_TRUE(first.progress(4));
    LabelledOutput checkpoint = output("ckpt", "half");
    ASSERT_TRUE(first.put_checkpoint(label(), checkpoint));
  }
  Publication second = Publication::begin(request()).value();
  ASSERT_TRUE(second.take_up(2, kCost, 10));
  EXPECT_EQ(second.steps_left(), 6U);
  EXPECT_EQ(second.reservation(), 2);
  Publication third = Publication::begin(request()).value();
  ASSERT_TRUE(third.take_up(2, kCost, 10));
  ASSERT_TRUE(second.progress(3));
  ASSERT_TRUE(third.progress(3));
  ASSERT_TRUE(finish(second, output("second", "a")));
  ASSERT_TRUE(finish(third, output("third", "b"))) << "committed already, and out all the same";
  EXPECT_EQ(third.progress(1).error().code, ErrorCode::budget_exhausted);
  Publication fourth = Publication::begin(request()).value();
  ASSERT_TRUE(fourth.take_up(2, kCost, 10));
  EXPECT_EQ(fourth.steps_left(), 0U);
  EXPECT_THAT(fourth.text(), HasSubstr("charged nothing to 'visits': entry 2 has paid for all 10 steps"));
  const auto ledger = Ledger::open(folder_ / "budget");
  EXPECT_EQ(ledger->balance("visits")->queries, 1);
  EXPECT_TRUE(ledger->entry_of(*read_label_file(folder_ / "third.label.json")));
}

TEST_F(TrainingPublication, OnlyTheReservationOfTheSameTrainingIsTakenUp) {
  { static_cast<void>(begun()); }
  const auto refused = [&](std::int64_t reservation, const PrivacyCost& cost, std::uint64_t steps) {
    Publication publication = Publication::begin(request()).value();
    const auto taken = publication.take_up(reservation, cost, steps);
    return !taken && taken.error().code == ErrorCode::invalid_parameter && !publication.is_charged();
  };
  EXPECT_FALSE(refused(2, kCost, 10));
  EXPECT_TRUE(refused(1, kCost, 10));
  EXPECT_TRUE(refused(7, kCost, 10));
  EXPECT_TRUE(refused(2, PrivacyCost::of_epsilon(Rational(1, 4)), 10));
  EXPECT_TRUE(refused(2, kCost, 11));
  PrivacyCost other = kCost;
  other.unit = "one person";
  EXPECT_TRUE(refused(2, other, 10));
  other = kCost;
  other.neighbours = Neighbours::replace_one;
  EXPECT_TRUE(refused(2, other, 10));
  {
    auto ledger = Ledger::open(folder_ / "budget");
    DatasetOptions options;
    options.name = "stays";
    options.epsilon = Rational(1);
    ASSERT_TRUE(ledger->create_dataset(DatasetTerms::make(options).value()));
  }
  Publication::Request elsewhere = request();
  elsewhere.account->dataset = "stays";
  EXPECT_FALSE(Publication::begin(elsewhere)->take_up(2, kCost, 10));
}

TEST_F(TrainingPublication, KnowsItsOwnBytesByTheKeyOfTheCharge) {
  std::string bound;
  {
    const Publication first = begun();
    bound = first.commitment_to("training", "steps: 10");
  }
  Publication second = Publication::begin(request()).value();
  ASSERT_TRUE(second.take_up(2, kCost, 10));
  EXPECT_TRUE(second.is_commitment_to("training", "steps: 10", bound));
  EXPECT_FALSE(second.is_commitment_to("training", "steps: 11", bound));
  EXPECT_FALSE(second.is_commitment_to("policy", "steps: 10", bound));
  EXPECT_FALSE(second.is_commitment_to("training", "steps: 10", "short"));
}

TEST_F(PublicationTest, AStreamedAnswerHasItsLabelBeforeTheFirstByte) {
  auto publication = Publication::begin(request());
  ASSERT_TRUE(publication->reserve(PrivacyCost::of_epsilon(Rational(1, 2))));
  PrivacyLabel label = plain_label();
  label.cost.epsilon = "0.5";
  ASSERT_TRUE(publication->open(label));
  EXPECT_EQ(label.budget.entry, "2");
  ASSERT_TRUE(publication->finish(label, {}));
  EXPECT_EQ(history().back().entry.kind, EntryKind::commit);
}

TEST_F(PublicationTest, ARepeatedRequestGivesTheStoredAnswerAndIsNotCharged) {
  Publication::Request asked = request();
  const std::string digest = request_digest("noise", Json::object({{"epsilon", "0.25"}}), "owner", "k: 5");
  asked.account->request = {.id = "monday", .digest = digest};
  auto first = Publication::begin(asked);
  ASSERT_TRUE(first->reserve(PrivacyCost::of_epsilon(Rational(1, 4))));
  PrivacyLabel label = plain_label();
  label.cost.epsilon = "0.25";
  std::vector<LabelledOutput> outputs;
  outputs.push_back(LabelledOutput::create(folder_ / "out").value());
  ASSERT_TRUE(outputs[0].write("42\n"));
  first->keep_answer("42\n");

  auto unfinished = Publication::begin(asked);
  EXPECT_EQ(unfinished->reserve(PrivacyCost::of_epsilon(Rational(1, 4))).error().code, ErrorCode::request_unfinished);
  ASSERT_TRUE(first->finish(label, outputs));

  const std::size_t entries = history().size();
  auto again = Publication::begin(asked);
  const auto refused = again->reserve(PrivacyCost::of_epsilon(Rational(1, 4)));
  ASSERT_FALSE(refused);
  ASSERT_TRUE(refused.error().request && refused.error().request->is_committed());
  EXPECT_EQ(refused.error().request->outcome.answer, "42\n");
  EXPECT_EQ(refused.error().request->outcome.output_sha256, label.released.sha256);
  EXPECT_EQ(PrivacyLabel::parse(refused.error().request->outcome.label)->budget.entry, "2");
  EXPECT_EQ(history().size(), entries);

  asked.account->request->digest = request_digest("noise", Json::object({{"epsilon", "0.5"}}), "owner", "k: 5");
  auto other = Publication::begin(asked);
  EXPECT_EQ(other->reserve(PrivacyCost::of_epsilon(Rational(1, 2))).error().code, ErrorCode::invalid_parameter);
}

TEST_F(PublicationTest, AServerTakesUpItsOwnReservation) {
  Publication::Request asked = request();
  asked.account->request = {.id = "monday", .digest = request_digest("query", Json::object(), "owner", "")};
  {
    auto lost = Publication::begin(asked);
    ASSERT_TRUE(lost->reserve(PrivacyCost::of_epsilon(Rational(1, 4))));
  }
  asked.account->resume = true;
  auto resumed = Publication::begin(asked);
  ASSERT_TRUE(resumed->reserve(PrivacyCost::of_epsilon(Rational(1, 4))));
  EXPECT_EQ(history().size(), 2U) << "nothing is charged twice";
  resumed->bind_policy("schema");
  PrivacyLabel label = plain_label();
  label.cost.epsilon = "0.25";
  ASSERT_TRUE(resumed->finish(label, {}));
  Commitment policy(Ledger::open(folder_ / "budget")->commitment_key(2).value(), "policy");
  policy.add("schema");
  EXPECT_TRUE(policy.verify(*label.commitments.policy)) << "under the key that the ledger kept";
}

TEST_F(PublicationTest, ThreadsOfAServerShareOneLedger) {
  constexpr int kThreads = 8;
  constexpr int kEach = 6;  // 48 times 1/32 is more than 1: 32 are granted
  const auto shared = std::make_shared<GroupCommit>(Ledger::open(folder_ / "budget").value());
  std::atomic<int> released = 0;
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) {
        auto publication = Publication::begin({.account = Account{.ledger = shared, .dataset = "visits"}}).value();
        if (const auto granted = publication.reserve(PrivacyCost::of_epsilon(Rational(1, 32))); !granted) {
          EXPECT_EQ(granted.error().code, ErrorCode::budget_exhausted);
          ++refused;
          continue;
        }
        const ByteWitness witness = publication.witness_of_input();
        witness("rows");
        PrivacyLabel label = plain_label();
        label.cost.epsilon = "0.03125";
        EXPECT_TRUE(publication.finish(label, {}));
        Commitment input(shared->commitment_key(std::stoll(label.budget.entry)).value(), "input");
        input.add("rows");
        EXPECT_TRUE(input.verify(*label.commitments.input)) << "under the key of its own entry";
        ++released;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(released, 32);
  EXPECT_EQ(refused, kThreads * kEach - 32);
  EXPECT_EQ(history().size(), 1U + 2 * 32);
}

TEST_F(PublicationTest, AServerAnswersAndResumesThroughItsSharedLedger) {
  const auto shared = std::make_shared<GroupCommit>(Ledger::open(folder_ / "budget").value());
  Publication::Request asked{.account = Account{.ledger = shared, .dataset = "visits"}};
  asked.account->request = {.id = "monday", .digest = request_digest("query", Json::object(), "owner", "")};
  ASSERT_TRUE(Publication::begin(asked)->reserve(PrivacyCost::of_epsilon(Rational(1, 4))));  // and was then lost
  asked.account->resume = true;
  auto resumed = Publication::begin(asked).value();
  ASSERT_TRUE(resumed.reserve(PrivacyCost::of_epsilon(Rational(1, 4))));
  resumed.keep_answer("42");
  PrivacyLabel label = plain_label();
  label.cost.epsilon = "0.25";
  ASSERT_TRUE(resumed.finish(label, {}));
  const auto refused = Publication::begin(asked)->reserve(PrivacyCost::of_epsilon(Rational(1, 4)));
  ASSERT_TRUE(!refused && refused.error().request);
  EXPECT_EQ(refused.error().request->outcome.answer, "42");
  EXPECT_EQ(history().size(), 3U);
}

TEST(RequestDigest, IsThatOfAllThatWasAsked) {
  const Json parameters = Json::object({{"epsilon", "1"}});
  const std::string digest = request_digest("noise", parameters, "ada", "policy");
  EXPECT_EQ(digest, request_digest("noise", parameters, "ada", "policy"));
  EXPECT_NE(digest, request_digest("select", parameters, "ada", "policy"));
  EXPECT_NE(digest, request_digest("noise", Json::object({{"epsilon", "2"}}), "ada", "policy"));
  EXPECT_NE(digest, request_digest("noise", parameters, "ben", "policy"));
  EXPECT_NE(digest, request_digest("noise", parameters, "ada", "policy\n"));
}

}  // namespace publication_test
}  // namespace gauze::publish
