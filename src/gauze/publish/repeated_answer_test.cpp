#include "gauze/publish/repeated_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gauze/files/sha256.h"
#include "gauze/files/testing/folder.h"
#include "gauze/label/label_file.h"
#include "gauze/label/label_testing.h"
#include "gauze/ledger/ledger.h"
#include "gauze/publish/publication.h"

namespace gauze::publish {
namespace repeated_answer_test {

using ::testing::HasSubstr;

class RepeatedAnswerTest : public ::testing::Test {
 protected:
  RepeatedAnswerTest() {
    auto ledger = Ledger::create(folder_ / "budget");
    DatasetOptions options;
    options.name = "visits";
    options.epsilon = Rational(1);
    EXPECT_TRUE(ledger->create_dataset(DatasetTerms::make(options).value()));
  }

  [[nodiscard]] tl::expected<void, Refusal> ask(Publication& publication) const {
    return publication.reserve(PrivacyCost::of_epsilon(Rational(1, 4)));
  }
  [[nodiscard]] Publication begin() const {
    Account account{.ledger = folder_ / "budget", .dataset = "visits"};
    account.request = {.id = "monday", .digest = sha256_hex("asked")};
    return Publication::begin({.account = account}).value();
  }
  /// Releases the bytes into a file of that name, or to no file.
  void release(const std::string& name, const std::string& bytes) {
    Publication publication = begin();
    ASSERT_TRUE(ask(publication));
    PrivacyLabel label = plain_label();
    label.cost.epsilon = "0.25";
    std::vector<LabelledOutput> outputs;
    if (name.empty()) {
      publication.keep_answer(bytes);
    } else {
      outputs.push_back(LabelledOutput::create(folder_ / name).value());
      ASSERT_TRUE(outputs[0].write(bytes));
    }
    ASSERT_TRUE(publication.finish(label, outputs));
  }
  [[nodiscard]] RepeatedAnswer again() const {
    Publication publication = begin();
    return RepeatedAnswer::of(ask(publication).error()).value();
  }
  [[nodiscard]] std::int64_t queries() const { return Ledger::open(folder_ / "budget")->balance("visits")->queries; }

  Folder folder_;
};

TEST_F(RepeatedAnswerTest, IsNoneOfAnotherRefusal) {
  EXPECT_FALSE(RepeatedAnswer::of(Refusal(Error{ErrorCode::budget_exhausted, "nothing is left"})));
  Publication lost = begin();
  ASSERT_TRUE(ask(lost));
  Publication publication = begin();
  EXPECT_FALSE(RepeatedAnswer::of(ask(publication).error())) << "it was charged, and is not finished";
}

TEST_F(RepeatedAnswerTest, WritesTheSameBytesWithTheirLabelElsewhere) {
  release("a", "42\n");
  const RepeatedAnswer answer = again();
  ASSERT_TRUE(answer.write_to(folder_ / "b"));
  EXPECT_EQ(folder_.read("b"), "42\n");
  const auto label = read_label_file(folder_ / "b.label.json");
  ASSERT_TRUE(label);
  EXPECT_TRUE(check_against_file(*label, folder_ / "b"));
  EXPECT_EQ(label->budget.entry, "2");
  EXPECT_EQ(answer.text().value(), "42\n");
  EXPECT_EQ(answer.warning().code, "repeated_request");
  EXPECT_THAT(answer.warning().message, HasSubstr(sha256_hex("42\n")));
  EXPECT_EQ(queries(), 1);
}

TEST_F(RepeatedAnswerTest, AnswersWithoutAFileAreGivenAsText) {
  release("", "42\n");
  const RepeatedAnswer answer = again();
  EXPECT_EQ(answer.text().value(), "42\n");
  EXPECT_EQ(answer.label()->value().budget.entry, "2");
  const Json document = answer.to_json("42\n").value();
  EXPECT_EQ(document.find("repeated")->dump(), "true");
  EXPECT_EQ(document.find("entry")->dump(), "2");
  EXPECT_EQ(document.find("output_sha256")->dump(), "null");
  EXPECT_EQ(document.find("answer")->text(), "42\n");
  EXPECT_TRUE(PrivacyLabel::from_json(*document.find("label")));
  EXPECT_EQ(answer.to_json({})->find("answer")->dump(), "null");
}

TEST_F(RepeatedAnswerTest, WhatIsNoTextGoesIntoAFileAlone) {
  release("a.gz", "\x1f\x8b\xff");
  const RepeatedAnswer answer = again();
  EXPECT_EQ(answer.text().error().code, ErrorCode::io);
  EXPECT_THAT(answer.text().error().message, HasSubstr("no text"));
  ASSERT_TRUE(answer.write_to(folder_ / "b.gz"));
  const auto other = answer.write_to(folder_ / "b.csv");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("another format"));
  EXPECT_FALSE(folder_.has("b.csv"));
}

TEST_F(RepeatedAnswerTest, WhatWasTooLargeToKeepMustStillBeThere) {
  release("a", std::string(kLargestKept + 1, 'x'));
  const RepeatedAnswer answer = again();
  EXPECT_THAT(answer.text().error().message, HasSubstr("not kept"));
  std::filesystem::remove(folder_ / "a.label.json");
  ASSERT_TRUE(answer.write_to(folder_ / "a"));
  EXPECT_TRUE(check_against_file(*read_label_file(folder_ / "a.label.json"), folder_ / "a"));
  const auto lost = answer.write_to(folder_ / "b");
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().message, HasSubstr("nor did the ledger keep it"));
  EXPECT_FALSE(folder_.has("b"));
}

TEST_F(RepeatedAnswerTest, ARequestCommittedByHandHasNoLabel) {
  Publication publication = begin();
  ASSERT_TRUE(ask(publication));
  ASSERT_TRUE(Ledger::open(folder_ / "budget")->commit(2));
  const RepeatedAnswer answer = again();
  EXPECT_FALSE(answer.label().value());
  EXPECT_EQ(answer.to_json({})->find("label")->dump(), "null");
  EXPECT_FALSE(answer.text());
  EXPECT_FALSE(answer.write_to(folder_ / "a"));
}

}  // namespace repeated_answer_test
}  // namespace gauze::publish
