#include "gauze/text/job/text_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace text_job_test {

using ::testing::HasSubstr;
using ::testing::Not;

/// At epsilon 1000 no word of this vocabulary becomes another, but with a chance below exp(-400).
class TextJobs : public ::testing::Test {
 protected:
  [[nodiscard]] TextJob job(TextJob::Options options = {}, const char* epsilon = "1000") const {
    auto made = TextJob::make(vectors_, {.epsilon = *Rational::parse(epsilon)}, std::move(options));
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }
  [[nodiscard]] TextSink into(std::string& text) const {
    return [&text](std::string_view part) -> Result<void> {
      text += part;
      return {};
    };
  }
  [[nodiscard]] std::vector<std::string> files(const std::vector<std::string>& texts) const {
    std::vector<std::string> names;
    for (const std::string& text : texts) names.push_back(folder_.file("f" + std::to_string(names.size()), text));
    return names;
  }

  testing::TemporaryFolder folder_;
  WordVectors vectors_ = testing::words_at({{0, 0}, {1, 0}, {0, 3}, {4, 0}});
  Progress progress_;
};

TEST_F(TextJobs, TakesAStreamAndKeepsItsLayout) {
  std::string out;
  TextJob one = job();
  const auto counts =
      one.release(std::make_unique<TextSource>("W0, w1!\r\nzorro 42\n\nw3"), "notes", into(out), progress_);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(out, "W0, w1!\r\n*** ***\n\nw3");
  EXPECT_EQ(
      to_json(*counts).dump(),
      R"({"documents":4,"tokens":5,"replaced":3,"kept":0,"unknown":1,"masked":2,"simplified":0,"pass_through_share":0.6})");
}

TEST_F(TextJobs, CountsEveryRunByItself) {
  TextJob one = job();
  for (int i = 0; i < 2; ++i) {
    std::string out;
    EXPECT_EQ(one.release(std::make_unique<TextSource>("w0 w1\n"), "notes", into(out), progress_)->tokens, 2U);
  }
}

TEST_F(TextJobs, HasItsLabelBeforeAnyTextIsRead) {
  const TextJob one = job({.documents = {.column = "note"}});
  EXPECT_EQ(one.label().definition, Definition::metric);
  EXPECT_EQ(*one.label().cost.epsilon, "1000");
  EXPECT_EQ(one.label().parameters.find("column")->dump(), "\"note\"");
  EXPECT_EQ(one.mechanism().kind(), MechanismKind::santext);
}

TEST_F(TextJobs, JoinsFilesWithALineEndBetweenThem) {
  std::string out;
  ASSERT_TRUE(job().release(files({"w0\nw1", "", "w2\n", "w3"}), into(out), progress_));
  EXPECT_EQ(out, "w0\nw1\nw2\nw3");
}

TEST_F(TextJobs, GivesTablesOfTheSameColumnsOneLineOfNames) {
  std::string out;
  TextJob table = job({.documents = {.column = "note"}});
  ASSERT_TRUE(table.release(files({"id,note\n1,w0\n", "id,note\n2,\"w1, w2\"\n"}), into(out), progress_));
  EXPECT_EQ(out, "id,note\n1,w0\n2,\"w1, w2\"\n");
  const auto other = table.release(files({"id,note\n1,w0\n", "note,id\nw0,1\n"}), into(out), progress_);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("has other columns than"));
}

TEST_F(TextJobs, ShufflesLines) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += "w" + std::to_string(i % 4) + "!" + std::string(static_cast<std::size_t>(i), '.') + "\n";
  std::string out;
  TextJob shuffling = job({.memory_bytes = 1U << 20, .shuffle = true});
  ASSERT_TRUE(shuffling.release(files({text}), into(out), progress_));
  EXPECT_NE(out, text) << "one of 200! orders";
  const auto sorted = [](std::string bytes) {
    std::sort(bytes.begin(), bytes.end());
    return bytes;
  };
  EXPECT_EQ(sorted(out), sorted(text));
  EXPECT_EQ(shuffling.label().parameters.find("order")->dump(), "\"random\"");
}

TEST_F(TextJobs, RefusesToShuffleAColumn) {
  const auto made = TextJob::make(vectors_, {.epsilon = 1}, {.documents = {.column = "note"}, .shuffle = true});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::invalid_parameter);
}

TEST_F(TextJobs, RepeatsFromASeedOnly) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "w0 w1 w2 w3\n";
  const std::vector<std::string> names = files({text});
  TextJob one = job({.shuffle = true}, "0.1");
  const auto simulated = [&](std::uint64_t seed) {
    std::string out;
    EXPECT_TRUE(one.simulate(names, seed, into(out), progress_));
    return out;
  };
  EXPECT_EQ(simulated(7), simulated(7));
  EXPECT_NE(simulated(7), simulated(8));
  std::string first, second;
  ASSERT_TRUE(one.release(names, into(first), progress_));
  ASSERT_TRUE(one.release(names, into(second), progress_));
  EXPECT_NE(first, second) << "with a chance below 2^-300";
}

TEST_F(TextJobs, ReportsBytesAndStopsWhenAsked) {
  std::uint64_t done = 0, total = 0;
  std::string stage;
  Progress progress([&](const Progress::Report& report) {
    stage = report.stage;
    done = report.done;
    total = report.total;
  });
  std::string out;
  ASSERT_TRUE(job().release(files({"w0\n", "w1 w2\n"}), into(out), progress));
  EXPECT_EQ(stage, "sanitising text");
  EXPECT_EQ(total, 9U);
  EXPECT_EQ(done, 9U);
  progress.request_stop();
  const auto stopped = job().release(files({"w0\n"}), into(out), progress);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

TEST_F(TextJobs, EndsWithTheSinksError) {
  TextJob one = job();
  const TextSink full = [](std::string_view) -> Result<void> {
    return make_error(ErrorCode::io, "the disk is full");
  };
  const auto ended = one.release(files({"w0\n"}), full, progress_);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "the disk is full");
}

TEST_F(TextJobs, NamesNoLineWhereItMayNot) {
  std::string out;
  TextJob one = job({.documents = {.unnumbered_line = "some line"}});
  const auto bad = one.release(files({"w0\nsecret\xFF\n"}), into(out), progress_);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::bad_data);
  EXPECT_THAT(bad.error().message, HasSubstr("some line"));
  EXPECT_THAT(bad.error().message, Not(HasSubstr("secret")));
}

TEST_F(TextJobs, DoNotSayHowMuchOfADamagedFileWasRead) {
  std::string out;
  const auto bad = job().release({std::vector{folder_.file("t.gz", "\x1f\x8b\x08 not gzip")}}, into(out), progress_);
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("the compressed file is damaged or cut off"));
}

TEST_F(TextJobs, RefuseVectorsThatAreNotWhatTheirFingerprintNames) {
  const std::string path = folder_.file("v.gvec");
  ASSERT_TRUE(vectors_.write(path));
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  bool refused = false;
  for (std::size_t i = bytes.size(); i-- > 0 && !refused;) {  // the first byte from the end that open() lets pass
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    const auto opened = WordVectors::open(folder_.file("d.gvec", damaged));
    if (!opened) continue;
    const auto made = TextJob::make(*opened, {.epsilon = 1}, {});
    if (made) continue;
    EXPECT_EQ(made.error().code, ErrorCode::bad_data);
    refused = true;
  }
  EXPECT_TRUE(refused);
}

}  // namespace text_job_test
}  // namespace gauze::text
