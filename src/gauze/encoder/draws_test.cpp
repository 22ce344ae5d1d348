#include <gtest/gtest.h>

#include "gauze/encoder/testing/task_blocks.h"

extern "C" {
#include "gauze/encoder/internal/draw.h"
}

// Single draws of the encoder from random bytes that are written down: what they must come to, and which bytes are drawn again.
namespace gauze::draws_test {
namespace {

using namespace encoder_testing;

constexpr std::uint64_t kOne = 1'000'000'000;

TEST(Draws, LanesOfAUnaryReportAreIndependent) {
  // Each lane is what its own digits say, whatever those of the others are.
  const gauze_task task = loaded(honest_fields(GAUZE_SUE, 1'000'000'000, 64));
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::array<std::uint64_t, 64> words;
    for (std::uint64_t& drawn : words) drawn = random() & random();
    const std::int64_t v = static_cast<std::int64_t>(random() % 64);
    const gauze_value value = category(v);
    std::string expected(8, '\0');
    unsigned needed = 8;
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned step = 0;
      while (step < 64 && (words[step] >> lane & 1) == 0) ++step;
      needed = std::max(needed, std::min(step + 1, 64U));
      if (step < 64 && (task.law[lane == v ? 0 : 1] >> (63 - step) & 1) != 0)
        expected[lane / 8] = static_cast<char>(expected[lane / 8] | 1 << (lane % 8));
    }
    ScriptedBytes script;
    script.add_below(0, 64);
    script.add_text({reinterpret_cast<const char*>(words.data()), 64});
    for (unsigned i = 8; i < needed; ++i) script.add(words[i], 8);
    GuardedPayload payload(8);
    ASSERT_EQ(gauze_draw_report(&task, ScriptedBytes::call, &script, &value, payload.data()), GAUZE_OK);
    EXPECT_TRUE(script.is_used_up());
    EXPECT_EQ(payload.text(), expected);
  }
}

TEST(Draws, TheWindowStandsWhereTheNumberIs) {
  // All positions: of k out of `range` the window begins at k (M - w) / range, rounded down or, in as many cases as the rest says, up.
  const gauze_task task = loaded(honest_fields(GAUZE_PIECEWISE, 1'000'000'000, 997));
  const std::uint64_t steps = GAUZE_GRID_CELLS - task.parameter;
  for (std::uint64_t k = 0; k <= 997; ++k) {
    const std::uint64_t rest = k * steps % 997;
    for (const std::uint64_t rounding : {std::uint64_t{0}, rest == 0 ? 0 : rest - 1, rest, std::uint64_t{996}}) {
      ScriptedBytes script;
      script.add_below(0, 998);
      script.add_below(rounding, 997);
      script.add_below(0, task.parameter * task.law[0] + steps * task.law[1]);
      script.add_below(0, task.parameter);
      const gauze_value value = number(task.low + static_cast<std::int64_t>(k));
      std::array<unsigned char, 2> payload;
      ASSERT_EQ(gauze_draw_report(&task, ScriptedBytes::call, &script, &value, payload.data()), GAUZE_OK);
      EXPECT_EQ(payload[0] + 256U * payload[1], k * steps / 997 + (rounding < rest ? 1 : 0));
    }
  }
}

TEST(Draws, HybridIsOneOfItsTwoPartsWhateverTheValue) {
  for (const std::uint64_t nano : {kOne / 1'000, kOne, 4 * kOne + 1, 16 * kOne}) {
    const BlockFields fields = honest_fields(GAUZE_HYBRID, nano, 5);
    const gauze_task hybrid = loaded(fields);
    const gauze_task piecewise = loaded(honest_fields(GAUZE_PIECEWISE, nano, 5));
    const gauze_task duchi = loaded(honest_fields(GAUZE_DUCHI, nano, 5));
    EXPECT_EQ(hybrid.cost_nano, piecewise.cost_nano);
    for (const std::uint64_t branch : {std::uint64_t{0}, fields.law[2] - 1, fields.law[2], UINT64_MAX}) {
      const bool is_piecewise = branch < fields.law[2];
      for (std::int64_t v = -3; v <= 4; ++v) {
        const gauze_value value = number(v);
        ScriptedBytes with;
        ScriptedBytes without;
        with.add_below(3, 6);
        without.add_below(3, 6);
        with.add(branch, 8);
        for (ScriptedBytes* script : {&with, &without}) {
          script->add_below(2, 5);
          const std::uint64_t w = hybrid.parameter;
          if (is_piecewise) script->add_below(1, w * fields.law[0] + (GAUZE_GRID_CELLS - w) * fields.law[1]);
          if (is_piecewise) script->add_below(w / 2, w);
          if (!is_piecewise) script->add_below(fields.law[0], fields.law[0] + fields.law[1]);
        }
        std::array<unsigned char, 3> mixed;
        std::array<unsigned char, 2> part = {};
        ASSERT_EQ(gauze_draw_report(&hybrid, ScriptedBytes::call, &with, &value, mixed.data()), GAUZE_OK);
        ASSERT_EQ(
            gauze_draw_report(is_piecewise ? &piecewise : &duchi, ScriptedBytes::call, &without, &value, part.data()),
            GAUZE_OK);
        EXPECT_EQ(mixed,
                  (std::array<unsigned char, 3>{is_piecewise ? std::uint8_t{1} : std::uint8_t{0}, part[0], part[1]}));
      }
    }
  }
}

std::int64_t figure_at(const std::string& payload, std::size_t i) {
  std::int32_t figure = 0;
  std::memcpy(&figure, payload.data() + 4 * i, 4);
  return figure;
}

TEST(Draws, NoiseOfFiguresDoesNotLookAtTheValue) {
  // For the same random bytes two values differ by 2^11 units in L1, and the noise is exp(-|x| epsilon / 2^11) by law: that is epsilon.
  for (const std::uint64_t nano : {kOne / 1'000, kOne, 4 * kOne + 1, 16 * kOne}) {
    const gauze_task histogram = loaded(honest_fields(GAUZE_SHE, nano, 5));
    EXPECT_EQ(histogram.cost_nano, nano);
    const std::int64_t clamp = 1'024 + static_cast<std::int64_t>(81'920'000'000'000 / nano);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      std::vector<std::string> reports;
      for (std::int64_t v = 0; v < 5; ++v) {
        SeededBytes bytes(seed);
        const gauze_value value = category(v);
        GuardedPayload payload(20);
        ASSERT_EQ(gauze_draw_report(&histogram, SeededBytes::call, &bytes, &value, payload.data()), GAUZE_OK);
        reports.push_back(payload.text());
      }
      for (std::size_t v = 1; v < 5; ++v)
        for (std::size_t i = 0; i < 5; ++i) {
          const std::int64_t first = figure_at(reports[0], i) - (i == 0 ? 1'024 : 0);
          const std::int64_t other = figure_at(reports[v], i) - (i == v ? 1'024 : 0);
          EXPECT_LE(std::abs(figure_at(reports[v], i)), clamp);
          EXPECT_TRUE(first == other || std::abs(first) >= clamp - 2'048);
        }
    }
  }
}

TEST(Draws, AUniformNumberIsUniform) {
  // Every byte, and every pair of bytes, for every bound: each number below it comes out as often, the others are drawn again.
  for (const std::uint64_t bound : {2, 3, 5, 7, 8, 100, 127, 128, 129, 255, 256, 257, 300, 1000, 65535, 65536}) {
    const unsigned bytes = bound <= 256 ? 1 : 2;
    std::vector<unsigned> times(bound);
    for (std::uint64_t drawn = 0; drawn < (bytes == 1 ? 256U : 65'536U); ++drawn) {
      ScriptedBytes script;
      script.add(drawn, bytes);
      gauze_stream stream = {ScriptedBytes::call, &script, 0};
      const std::uint64_t number = gauze_draw_below(&stream, bound);
      ASSERT_LT(number, bound);
      if (stream.failed == 0) ++times[number];  // else it asked for more: drawn again
    }
    for (const unsigned count : times) ASSERT_EQ(count, times.front()) << bound;
    ASSERT_GT(times.front(), 0U);
  }
}

TEST(Draws, ANumberAtItsBoundIsDrawnAgain) {
  for (int digits = 1; digits < 64; ++digits) {
    for (const std::uint64_t bound :
         {(std::uint64_t{1} << digits) + 1, (std::uint64_t{1} << digits) | 0x3, std::uint64_t{1} << digits}) {
      if (bound > std::uint64_t{1} << 63) continue;
      const std::size_t bytes = (static_cast<std::size_t>(std::bit_width(bound - 1)) + 7) / 8;
      for (const std::uint64_t first : {bound - 1, bound}) {
        ScriptedBytes script;
        script.add(first, bytes);
        script.add(1, bytes);
        gauze_stream stream = {ScriptedBytes::call, &script, 0};
        const std::uint64_t drawn = gauze_draw_below(&stream, bound);
        const bool is_power = (bound & (bound - 1)) == 0;  // the mask takes the bound to 0
        EXPECT_EQ(drawn, first < bound ? first : is_power ? 0 : 1) << bound;
        EXPECT_EQ(script.is_used_up(), first == bound && !is_power);
      }
    }
  }
}

}  // namespace
}  // namespace gauze::draws_test
