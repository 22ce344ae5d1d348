#include "gauze/collect/channel/batch.h"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include <set>
#include <thread>
#include <vector>

#include "gauze/collect/channel/self_test.h"

namespace gauze::collect::batch_test {
namespace {

std::string some_blocks(std::size_t size) {
  std::string blocks;
  for (std::size_t i = 0; i < size; ++i) blocks += static_cast<char>(i * 7 + i / 251);
  return blocks;
}

class Batches : public ::testing::TestWithParam<Suite> {
 protected:
  SealingKey key_ = SealingKey::generate(GetParam());
};

INSTANTIATE_TEST_SUITE_P(OfEverySuite, Batches, ::testing::ValuesIn(kSuites),
                         [](const auto& about) { return std::string(word_of(kSuiteWords, about.param)); });

TEST_P(Batches, OpenToWhatWasSealed) {
  for (const std::size_t size : {1UL, 15UL, 16UL, 17UL, 66UL, 4'096UL, 64'000UL}) {
    const auto batch = seal_batch(key_.public_key(), some_blocks(size));
    ASSERT_TRUE(batch);
    EXPECT_EQ(open_batch(key_, *batch).value(), some_blocks(size)) << size;
  }
}

TEST_P(Batches, HaveTheDocumentedParts) {
  const std::string bytes = seal_batch(key_.public_key(), "some blocks").value();
  const auto batch = parse_batch(bytes);
  ASSERT_TRUE(batch);
  EXPECT_EQ(bytes.substr(0, 4), "GZB1");
  EXPECT_EQ(bytes[4], static_cast<char>(number_of(GetParam())));
  EXPECT_EQ(batch->suite, GetParam());
  EXPECT_EQ(batch->key, key_.public_key().id());
  EXPECT_EQ(batch->header, bytes.substr(0, 15));
  EXPECT_EQ(static_cast<std::size_t>(static_cast<unsigned char>(bytes[13])), batch->enc.size());
  EXPECT_EQ(batch->enc, bytes.substr(15, batch->enc.size()));
  const std::size_t tag = GetParam() == Suite::sm ? 32 : 16;
  EXPECT_EQ(batch->sealed.size(), 11 + tag);
  if (GetParam() != Suite::sm) {
    EXPECT_EQ(batch->enc.size(), GetParam() == Suite::p256 ? 65U : 32U);
  }
}

TEST_P(Batches, AreRefusedWithAnyBitFlipped) {
  const std::string batch = seal_batch(key_.public_key(), "7 bytes").value();
  for (std::size_t bit = 0; bit < 8 * batch.size(); ++bit) {
    std::string changed = batch;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
    const auto opened = open_batch(key_, changed);
    ASSERT_FALSE(opened) << "bit " << bit << " of " << 8 * batch.size();
    EXPECT_EQ(opened.error().code, ErrorCode::bad_data);
  }
  EXPECT_EQ(ERR_peek_error(), 0UL) << "what OpenSSL noted must not reach whoever speaks TLS in this thread";
}

TEST_P(Batches, AreRefusedCutOrProlonged) {
  const std::string batch = seal_batch(key_.public_key(), "7 bytes").value();
  for (std::size_t size = 0; size < batch.size(); ++size)
    EXPECT_FALSE(open_batch(key_, batch.substr(0, size))) << size;
  EXPECT_FALSE(open_batch(key_, batch + '\0'));
}

TEST_P(Batches, OpenWithTheirOwnKeyAlone) {
  const std::string batch = seal_batch(key_.public_key(), "blocks").value();
  for (const Suite suite : kSuites) EXPECT_FALSE(open_batch(SealingKey::generate(suite), batch));
  // Also when the id is made to fit.
  const SealingKey other = SealingKey::generate(GetParam());
  std::string readdressed = batch;
  for (std::size_t i = 0; i < 8; ++i) readdressed[5 + i] = static_cast<char>(other.public_key().id()[i]);
  EXPECT_FALSE(open_batch(other, readdressed));
  std::set<std::string> messages;
  for (const auto& refused : {open_batch(other, batch), open_batch(other, readdressed)})
    messages.insert(refused.error().message);
  EXPECT_EQ(messages.size(), 1U) << "the reason must not be told";
}

TEST_P(Batches, AreNeverTheSameTwice) {
  std::set<std::string> seen;
  for (int i = 0; i < 20; ++i) seen.insert(seal_batch(key_.public_key(), "the same blocks").value().substr(15));
  EXPECT_EQ(seen.size(), 20U);
}

TEST_P(Batches, AreOpenedByManyThreadsWithOneKey) {
  const std::string blocks = some_blocks(500);
  const std::string batch = seal_batch(key_.public_key(), blocks).value();
  std::vector<int> right(4);
  std::vector<std::thread> threads;
  for (int& mine : right)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        mine += open_batch(key_, batch).value() == blocks;
        mine += open_batch(key_, seal_batch(key_.public_key(), blocks).value()).value() == blocks;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 40));
}

TEST_P(Batches, HoldSomeBlocksButNotEndlessOnes) {
  EXPECT_EQ(seal_batch(key_.public_key(), "").error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(seal_batch(key_.public_key(), std::string(kMostBatchBytes, 'x')).error().code,
            ErrorCode::invalid_parameter);
}

TEST(BatchParser, RefusesWhatIsNoBatch) {
  const std::string batch = seal_batch(SealingKey::generate(Suite::p256).public_key(), "blocks").value();
  ASSERT_TRUE(parse_batch(batch));
  const auto with = [&](std::size_t at, char byte) {
    std::string changed = batch;
    changed[at] = byte;
    return changed;
  };
  for (const std::string& bytes : {std::string(), std::string("GZB1"), with(0, 'g'), with(4, 0), with(4, 4),
                                   with(4, 2), with(13, 64), with(14, 1), batch.substr(0, 15 + 65 + 15)})
    EXPECT_EQ(parse_batch(bytes).error().code, ErrorCode::bad_data);
}

TEST(ChannelSelfTest, GivesTheKnownAnswersOnThisMachine) {
  const auto outcome = self_test();
  EXPECT_TRUE(outcome) << outcome.error().message;
}

}  // namespace
}  // namespace gauze::collect::batch_test
