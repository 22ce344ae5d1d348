#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze {
namespace random_test {

std::vector<std::uint64_t> draw(RandomWords& random, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  random.fill(words);
  return words;
}

std::vector<std::uint64_t> draw_one_by_one(RandomWords& random, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  for (std::uint64_t& word : words) word = random.next();
  return words;
}

using Way = std::vector<std::uint64_t> (*)(RandomWords&, std::size_t);

/// The words that a forked child draws from the stream it inherited.
std::vector<std::uint64_t> draw_in_child(RandomWords& stream, std::size_t count, Way way = draw) {
  std::array<int, 2> channel{};
  EXPECT_EQ(pipe(channel.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto words = way(stream, count);
    const bool sent = write(channel[1], words.data(), words.size() * 8) == static_cast<ssize_t>(words.size() * 8);
    _exit(sent ? 0 : 1);
  }
  std::vector<std::uint64_t> words(count);
  EXPECT_EQ(read(channel[0], words.data(), count * 8), static_cast<ssize_t>(count * 8));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  close(channel[0]);
  close(channel[1]);
  return words;
}

TEST(SecureRandom, TwoStreamsShareNoWord) {
  SecureRandom a, b;
  auto words = draw(a, 10'000);
  const auto more = draw(b, 10'000);
  words.insert(words.end(), more.begin(), more.end());
  // 20,000 words of 64 bits collide with probability 1e-11.
  EXPECT_EQ(std::set<std::uint64_t>(words.begin(), words.end()).size(), words.size());
}

TEST(SecureRandom, ParentAndChildDrawDifferentWordsAfterFork) {
  for (const Way way : {Way{draw}, Way{draw_one_by_one}}) {
    SecureRandom stream;
    (void)stream.next();  // the buffer now holds words that a careless child would use too
    const auto child = draw_in_child(stream, 64, way);
    const auto sibling = draw_in_child(stream, 64, way);
    const auto parent = way(stream, 64);
    for (std::size_t i = 0; i < child.size(); ++i) {
      EXPECT_NE(child[i], parent[i]);
      EXPECT_NE(child[i], sibling[i]);
    }
  }
}

TEST(SecureRandom, AGrandchildDrawsItsOwnWords) {
  SecureRandom stream;
  (void)stream.next();
  std::array<int, 2> channel{};
  ASSERT_EQ(pipe(channel.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    (void)stream.next();
    const auto grandchild = draw_in_child(stream, 8);
    const auto own = draw(stream, 8);
    const char differs = grandchild != own ? 'y' : 'n';
    _exit(write(channel[1], &differs, 1) == 1 ? 0 : 1);
  }
  char differs = 0;
  ASSERT_EQ(read(channel[0], &differs, 1), 1);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(differs, 'y');
  close(channel[0]);
  close(channel[1]);
}

TEST(SecureRandom, EachThreadHasItsOwnStream) {
  SecureRandom* here = &SecureRandom::of_thread();
  SecureRandom* there = nullptr;
  std::thread([&] { there = &SecureRandom::of_thread(); }).join();
  EXPECT_NE(here, there);
  EXPECT_EQ(here, &SecureRandom::of_thread());
}

TEST(SecureRandom, ConvertsNeitherToNorFromTheSeededKind) {
  static_assert(!std::is_convertible_v<SeededRandom&, SecureRandom&>);
  static_assert(!std::is_convertible_v<SecureRandom&, SeededRandom&>);
  static_assert(!std::is_constructible_v<SecureRandom, std::uint64_t>, "a real stream takes no seed");
}

TEST(SeededRandom, RepeatsForTheSameSeedOnly) {
  SeededRandom a(7), b(7), c(8), d(7, 1);
  const auto words = draw(a, 10'000);
  EXPECT_EQ(words, draw(b, 10'000));
  EXPECT_NE(words, draw(c, 10'000));
  EXPECT_NE(words, draw(d, 10'000));
}

TEST(SeededRandom, DrawingOneByOneEqualsFilling) {
  SeededRandom a(3), b(3);
  const auto words = draw(a, 9'000);  // crosses two blocks
  for (const std::uint64_t word : words) ASSERT_EQ(word, b.next());
}

// n = 2^20 words, each of the 64 bit positions: alarms on fair bits with p <= 64 * 1.5e-8 < 1e-6 (5.6 sigma); a bit
// that is one with probability 0.505 is 10 sigma away and is caught in > 99.99 % of runs.
TEST(SecureRandom, EveryBitIsFair) {
  SecureRandom stream;
  const auto words = draw(stream, 1U << 20);
  std::array<double, 64> ones{};
  for (const std::uint64_t word : words) {
    for (std::size_t bit = 0; bit < 64; ++bit) ones[bit] += static_cast<double>(word >> bit & 1);
  }
  const double n = static_cast<double>(words.size());
  for (const double count : ones) EXPECT_LT(std::abs(count - n / 2), 5.6 * std::sqrt(n) / 2);
}

// 300,000 draws below 7: chi-square with 6 degrees of freedom exceeds 38.3 with p < 1e-6; a value that is 4 % too
// frequent is caught in > 99 % of runs.
TEST(RandomWords, BelowIsUniform) {
  SeededRandom random(11);
  std::array<double, 7> counts{};
  const int n = 300'000;
  for (int i = 0; i < n; ++i) counts[random.below(7)] += 1;
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - n / 7.0) * (count - n / 7.0) / (n / 7.0);
  EXPECT_LT(chi_square, 38.3);
}

// Without rejection four words would share three results, and every third one would come up half of the time.
// 30,000 draws: 4.9 sigma is 0.0134.
TEST(RandomWords, BelowIsUniformForHugeBounds) {
  SeededRandom random(13);
  double multiples = 0;
  for (int i = 0; i < 30'000; ++i) multiples += random.below(std::uint64_t{3} << 62) % 3 == 0 ? 1 : 0;
  EXPECT_NEAR(multiples / 30'000, 1.0 / 3, 0.0134);
}

// The largest bounds reject almost half of all words: the branch that is hardest to reach otherwise.
TEST(RandomWords, BelowStaysBelowForHugeBounds) {
  SeededRandom random(12);
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
  std::uint64_t largest = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t value = random.below(bound);
    ASSERT_LT(value, bound);
    largest = std::max(largest, value);
  }
  EXPECT_GT(largest, bound - bound / 500);  // 10,000 draws all miss the top 1/500 with probability 2e-9
  EXPECT_EQ(random.below(1), 0U);
}

}  // namespace random_test
}  // namespace gauze
