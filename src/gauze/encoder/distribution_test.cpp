#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gauze/base/testing/watched.h"
#include "gauze/encoder/testing/task_blocks.h"

extern "C" {
#include "gauze/encoder/internal/draw.h"
}

// Distributions of the compiled encoder against the documents, by chi-square with a false alarm of 1e-6. How sharp the tests are is shown
// by encoders with a mistake in them (altered laws, altered random bytes, altered reports), which all of them catch.
namespace gauze::distribution_test {
namespace {

using namespace encoder_testing;

/// The value that chi-square with so many degrees of freedom exceeds with a probability of 1e-6 (Wilson and Hilferty; within 1 %).
double alarm_at(std::size_t freedom) {
  const double k = static_cast<double>(freedom);
  const double root = 1 - 2 / (9 * k) + 4.7534 * std::sqrt(2 / (9 * k));
  return 1.01 * k * root * root * root;
}

double chi_square(const std::vector<double>& counts, const std::vector<double>& chances) {
  const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = n * chances[i];
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return sum;
}

bool is_alarm(const std::vector<double>& counts, const std::vector<double>& chances) {
  EXPECT_EQ(counts.size(), chances.size());
  EXPECT_NEAR(std::accumulate(chances.begin(), chances.end(), 0.0), 1, 1e-9);
  return chi_square(counts, chances) > alarm_at(counts.size() - 1);
}

/// What a mistaken encoder does otherwise.
struct Mistake {
  std::function<void(gauze_task&)> law = [](gauze_task&) {};
  std::function<void(unsigned char*)> report = [](unsigned char*) {};
  gauze_random_fn random = SeededBytes::call;
};

using Cell = std::function<std::size_t(const unsigned char*)>;

/// Counts of reports of one value, by the cell that a payload is in.
std::vector<double> counts_of(const BlockFields& fields, const gauze_value& value, std::size_t cells,
                              const Cell& cell, int reports, const Mistake& mistake = {}) {
  gauze_task task = loaded(fields);
  mistake.law(task);
  SeededBytes bytes(fields.mechanism * 1'000U + fields.size + static_cast<std::uint64_t>(value.number + 5));
  std::vector<double> counts(cells);
  std::vector<unsigned char> payload(task.payload_size);
  for (int i = 0; i < reports; ++i) {
    EXPECT_EQ(gauze_draw_report(&task, mistake.random, &bytes, &value, payload.data()), GAUZE_OK);
    mistake.report(payload.data());
    ++counts[cell(payload.data())];
  }
  return counts;
}

double weight(const BlockFields& fields) { return static_cast<double>(fields.law[0]) / 0x1p32; }

constexpr std::uint64_t kOne = 1'000'000'000;

// 200,000 reports: a weight that is off by 5 % is found with a probability above 0.999 (non-centrality 100 or more where 40 alarm).
constexpr int kReports = 200'000;

std::size_t first_byte(const unsigned char* payload) { return payload[0]; }

std::vector<double> direct_chances(const BlockFields& fields, std::size_t value) {
  const double a = weight(fields);
  std::vector<double> chances(fields.size, 1 / (a + fields.size - 1));
  chances[value] *= a;
  return chances;
}

TEST(Distribution, DirectEncoding) {
  for (const std::uint64_t nano : {kOne / 10, kOne, 4 * kOne}) {
    const BlockFields fields = honest_fields(GAUZE_DE, nano, 6);
    for (const std::size_t v : {std::size_t{0}, std::size_t{3}, std::size_t{5}})
      EXPECT_FALSE(is_alarm(counts_of(fields, category(static_cast<std::int64_t>(v)), 6, first_byte, kReports),
                            direct_chances(fields, v)));
  }
}

TEST(Distribution, OutOfDomainIsUniformOrOther) {
  BlockFields fields = honest_fields(GAUZE_DE, 2 * kOne, 5);
  EXPECT_FALSE(is_alarm(counts_of(fields, category(77), 5, first_byte, kReports), std::vector<double>(5, 0.2)));
  EXPECT_FALSE(is_alarm(counts_of(fields, number(1), 5, first_byte, kReports), std::vector<double>(5, 0.2)));
  fields.flags = GAUZE_FLAG_OTHER;
  EXPECT_FALSE(is_alarm(counts_of(fields, category(-1), 5, first_byte, kReports), direct_chances(fields, 4)));
}

/// Chances of all reports of d bits.
std::vector<double> bits_chances(const BlockFields& fields, std::size_t value) {
  std::vector<double> chances;
  for (std::size_t bits = 0; bits < std::size_t{1} << fields.size; ++bits) {
    double chance = 1;
    for (std::size_t i = 0; i < fields.size; ++i) {
      const double p = static_cast<double>(fields.law[i == value ? 0 : 1]) * 0x1p-64;
      chance *= (bits >> i & 1) != 0 ? p : 1 - p;
    }
    chances.push_back(chance);
  }
  return chances;
}

TEST(Distribution, UnaryEncodings) {
  for (const unsigned char mechanism : {GAUZE_SUE, GAUZE_OUE, GAUZE_THE})
    for (const std::uint64_t nano : {kOne / 10, kOne, 3 * kOne})
      for (const std::size_t v : {std::size_t{0}, std::size_t{4}}) {
        const BlockFields fields = honest_fields(mechanism, nano, 5);
        EXPECT_FALSE(is_alarm(counts_of(fields, category(static_cast<std::int64_t>(v)), 32, first_byte, kReports),
                              bits_chances(fields, v)));
      }
}

TEST(Distribution, UnaryBitsOfSeveralWords) {
  // 130 bits, the true one in the last word: the number of ones in each 65 is binomial enough for its mean and that of the true bit.
  const BlockFields fields = honest_fields(GAUZE_OUE, kOne, 130);
  const double q = static_cast<double>(fields.law[1]) * 0x1p-64;
  const auto cell = [](const unsigned char* payload) -> std::size_t {
    return (payload[16] >> 1 & 1) * 4U + (payload[8] & 1) * 2U + (payload[7] >> 7 & 1);
  };
  std::vector<double> chances;
  for (std::size_t i = 0; i < 8; ++i)
    chances.push_back(0.5 * ((i & 2) != 0 ? q : 1 - q) * ((i & 1) != 0 ? q : 1 - q));
  EXPECT_FALSE(is_alarm(counts_of(fields, category(129), 8, cell, kReports), chances));
}

/// Supports of the value and of another, by the documents' own arithmetic.
std::size_t supports(const unsigned char* payload, std::uint32_t value, std::uint32_t other, std::uint32_t g) {
  std::array<std::uint32_t, 3> hash;
  std::memcpy(hash.data(), payload, 12);
  const auto is_support = [&](std::uint32_t v) {
    const mpz_class prime = 2'147'483'647;
    const mpz_class t = (mpz_class(hash[0]) + mpz_class(hash[1]) * v + mpz_class(hash[2]) * v * v) % prime;
    return mpz_class(t * g / prime) == payload[12];
  };
  return (is_support(value) ? 2U : 0U) + (is_support(other) ? 1U : 0U);
}

std::vector<double> hash_chances(const BlockFields& fields) {
  const double a = weight(fields), g = fields.parameter, p = a / (a + g - 1);
  return {(1 - p) * (1 - 1 / g), (1 - p) / g, p * (1 - 1 / g), p / g};
}

TEST(Distribution, LocalHashing) {
  const int reports = watched_less(30'000);
  for (const std::uint32_t g : {2U, 4U, 7U}) {
    const BlockFields fields = honest_fields(g == 2 ? GAUZE_BLH : GAUZE_OLH, kOne, 40, g);
    const auto cell = [&](const unsigned char* payload) { return supports(payload, 9, 31, g); };
    EXPECT_FALSE(is_alarm(counts_of(fields, category(9), 4, cell, reports), hash_chances(fields)));
    for (const int part : {0, 4, 8}) {  // a, b, c by their upper four bits
      const auto upper = [&](const unsigned char* payload) {
        return static_cast<std::size_t>(payload[part + 3] >> 3);
      };
      EXPECT_FALSE(is_alarm(counts_of(fields, category(9), 16, upper, reports), std::vector<double>(16, 1.0 / 16)));
    }
  }
}

TEST(Distribution, HadamardResponse) {
  const BlockFields fields = honest_fields(GAUZE_HR, kOne, 6);
  const double a = weight(fields);
  for (std::int64_t v = 0; v < 6; ++v) {
    std::vector<double> chances;
    for (unsigned y = 0; y < 8; ++y)
      chances.push_back((std::popcount(static_cast<unsigned>(v + 1) & y) % 2 == 0 ? a : 1) / (4 * (a + 1)));
    EXPECT_FALSE(is_alarm(counts_of(fields, category(v), 8, first_byte, kReports), chances));
  }
}

TEST(Distribution, SubsetSelection) {
  const BlockFields fields = honest_fields(GAUZE_SS, kOne, 6, 2);
  const double a = weight(fields);
  for (const unsigned v : {0U, 2U, 5U}) {
    std::vector<double> chances;
    std::vector<std::size_t> place(64);
    double sum = 0;
    for (unsigned set = 0; set < 64; ++set) {
      if (std::popcount(set) != 2) continue;
      place[set] = chances.size();
      chances.push_back((set >> v & 1) != 0 ? a : 1);
      sum += chances.back();
    }
    for (double& chance : chances) chance /= sum;
    const auto cell = [&](const unsigned char* payload) { return place[payload[0]]; };
    EXPECT_FALSE(is_alarm(counts_of(fields, category(v), 15, cell, kReports), chances));
  }
}

double high_chance(const BlockFields& fields, double share) {
  const double a = weight(fields);
  return (share * a + 1 - share) / (a + 1);
}

TEST(Distribution, Duchi) {
  BlockFields fields = honest_fields(GAUZE_DUCHI, kOne, 8);
  for (std::int64_t v = 0; v <= 8; v += 2) {
    const double high = high_chance(fields, static_cast<double>(v) / 8);
    EXPECT_FALSE(is_alarm(counts_of(fields, number(fields.low + v), 2, first_byte, kReports), {1 - high, high}));
  }
  fields.flags = GAUZE_FLAG_VARIANCE;
  const double high = high_chance(fields, 0.25);
  const double square = high_chance(fields, 0.0625);
  const auto cell = [](const unsigned char* payload) { return payload[0] * std::size_t{2} + payload[1]; };
  EXPECT_FALSE(is_alarm(counts_of(fields, number(0), 4, cell, kReports),
                        {(1 - high) / 2, high / 2, (1 - square) / 2, square / 2}));
}

/// Chances of 16 parts of the grid for a number at `share` of the range.
std::vector<double> grid_chances(const BlockFields& fields, double share) {
  const double a = weight(fields), w = fields.parameter, m = 65'536, sum = w * a + m - w;
  const double position = share * (m - w), first = std::floor(position), up = position - first;
  std::vector<double> chances(16);
  for (std::size_t cell = 0; cell < 65'536; ++cell) {
    const double at = static_cast<double>(cell);
    const double inside =
        (at >= first && at < first + w ? 1 - up : 0) + (at >= first + 1 && at < first + 1 + w ? up : 0);
    chances[cell / 4'096] += (inside * a + 1 - inside) / sum;
  }
  return chances;
}

TEST(Distribution, PiecewiseAndHybrid) {
  for (const std::uint64_t nano : {kOne, 4 * kOne}) {
    const BlockFields piecewise = honest_fields(GAUZE_PIECEWISE, nano, 7);
    const BlockFields hybrid = honest_fields(GAUZE_HYBRID, nano, 7);
    const double branch = static_cast<double>(hybrid.law[2]) * 0x1p-64;
    for (std::int64_t v = 0; v <= 7; v += 3) {
      const double share = static_cast<double>(v) / 7;
      const std::vector<double> grid = grid_chances(piecewise, share);
      const gauze_value value = number(piecewise.low + v);
      const auto part = [](const unsigned char* payload) { return static_cast<std::size_t>(payload[1] >> 4); };
      EXPECT_FALSE(is_alarm(counts_of(piecewise, value, 16, part, kReports), grid));
      const auto both = [](const unsigned char* payload) {
        return payload[0] == 1 ? static_cast<std::size_t>(payload[2] >> 4) : std::size_t{16} + payload[1];
      };
      std::vector<double> chances;
      for (const double chance : grid) chances.push_back(branch * chance);
      const double high = high_chance(hybrid, share);
      chances.insert(chances.end(), {(1 - branch) * (1 - high), (1 - branch) * high});
      EXPECT_FALSE(is_alarm(counts_of(hybrid, value, 18, both, kReports), chances));
    }
  }
}

/// Chances of noise in parts of `step` units around 0, the outer two open.
std::vector<double> noise_chances(double epsilon, std::int64_t step) {
  const double r = std::exp(-epsilon / 2'048);
  std::vector<double> chances(20);
  for (std::int64_t x = -2'000'000; x <= 2'000'000; ++x) {
    const std::int64_t part = std::clamp<std::int64_t>((x + 10 * step) / step, 0, 19);
    chances[static_cast<std::size_t>(x < -10 * step ? 0 : part)] +=
        (1 - r) / (1 + r) * std::pow(r, static_cast<double>(std::abs(x)));
  }
  return chances;
}

std::vector<double> noise_counts(std::uint64_t nano, std::int64_t step, int reports) {
  SeededBytes bytes(nano);
  gauze_stream stream = {SeededBytes::call, &bytes, 0};
  std::vector<double> counts(20);
  for (int i = 0; i < reports; ++i) {
    const std::int64_t x = gauze_draw_laplace(&stream, nano);
    ++counts[static_cast<std::size_t>(x < -10 * step ? 0 : std::clamp<std::int64_t>((x + 10 * step) / step, 0, 19))];
  }
  return counts;
}

TEST(Distribution, NoiseOfFigures) {
  for (const std::uint64_t nano : {kOne / 2, kOne, 4 * kOne, 16 * kOne}) {
    const double epsilon = static_cast<double>(nano) * 1e-9;
    const auto step = static_cast<std::int64_t>(600 / epsilon);
    const auto counts = noise_counts(nano, step, watched_less(60'000));
    EXPECT_FALSE(is_alarm(counts, noise_chances(epsilon, step))) << epsilon;
    EXPECT_TRUE(is_watched() || is_alarm(counts, noise_chances(1.05 * epsilon, step)))
        << "5 % more noise are not seen";
  }
  // one unit is one cell: small noise, which a wrong zero would show in
  EXPECT_FALSE(is_alarm(noise_counts(16 * kOne, 1, watched_less(60'000)), noise_chances(16, 1)));
}

TEST(Distribution, ANumberWithNoiseIsWhereItShouldBe) {
  const BlockFields fields = honest_fields(GAUZE_LAPLACE, 8 * kOne, 10);
  const auto sign = [](const unsigned char* payload) {
    std::int32_t figure = 0;
    std::memcpy(&figure, payload, 4);
    return std::size_t{figure > 0 ? 2U : figure == 0 ? 1U : 0U};
  };
  const double r = std::exp(-8.0 / 2'048), zero = (1 - r) / (1 + r);
  EXPECT_FALSE(
      is_alarm(counts_of(fields, number(3), 3, sign, watched_less(40'000)), {(1 - zero) / 2, zero, (1 - zero) / 2}));
}

// Mistakes.

TEST(DistributionOfMutants, ATrueBitThatIsNeverClearedIsFound) {
  const BlockFields fields = honest_fields(GAUZE_OUE, kOne, 5);
  const Mistake never_cleared = {.report = [](unsigned char* payload) { payload[0] |= 1U << 2; }};
  EXPECT_TRUE(
      is_alarm(counts_of(fields, category(2), 32, first_byte, 2'000, never_cleared), bits_chances(fields, 2)));
}

TEST(DistributionOfMutants, SwappedProbabilitiesAreFound) {
  const Mistake swapped = {.law = [](gauze_task& task) { std::swap(task.law[0], task.law[1]); }};
  for (const unsigned char mechanism : {GAUZE_SUE, GAUZE_OUE, GAUZE_THE}) {
    const BlockFields fields = honest_fields(mechanism, kOne, 5);
    EXPECT_TRUE(is_alarm(counts_of(fields, category(2), 32, first_byte, 5'000, swapped), bits_chances(fields, 2)));
  }
  const BlockFields fields = honest_fields(GAUZE_DUCHI, kOne, 8);
  const Mistake other_side = {.report = [](unsigned char* payload) { payload[0] ^= 1; }};
  const double high = high_chance(fields, 1);
  EXPECT_TRUE(is_alarm(counts_of(fields, number(fields.high), 2, first_byte, 2'000, other_side), {1 - high, high}));
}

TEST(DistributionOfMutants, WeightsThatAreOffByFivePercentAreFound) {
  const auto more = [](double factor) {
    return Mistake{.law = [=](gauze_task& task) {
      task.law[0] = static_cast<std::uint64_t>(static_cast<double>(task.law[0]) * factor);
    }};
  };
  for (const double factor : {1.05, 0.95}) {
    const BlockFields direct = honest_fields(GAUZE_DE, kOne, 6);
    EXPECT_TRUE(
        is_alarm(counts_of(direct, category(3), 6, first_byte, kReports, more(factor)), direct_chances(direct, 3)));
    const BlockFields unary = honest_fields(GAUZE_OUE, kOne, 5);
    EXPECT_TRUE(
        is_alarm(counts_of(unary, category(2), 32, first_byte, kReports, more(factor)), bits_chances(unary, 2)));
    const BlockFields duchi = honest_fields(GAUZE_DUCHI, kOne, 8);
    const double high = high_chance(duchi, 1);
    EXPECT_TRUE(
        is_alarm(counts_of(duchi, number(duchi.high), 2, first_byte, kReports, more(factor)), {1 - high, high}));
  }
}

TEST(DistributionOfMutants, AHashThatIsUsedAgainIsFound) {
  const Mistake reused = {.random = [](void* context, unsigned char* out, std::size_t size) {
    if (size != 12) return SeededBytes::call(context, out, size);
    std::memcpy(out, "\x15\x92\x65\x35\x89\x79\x32\x38\x46\x26\x43\x38", 12);
    return 0;
  }};
  const BlockFields fields = honest_fields(GAUZE_OLH, kOne, 40, 4);
  const auto cell = [](const unsigned char* payload) { return supports(payload, 9, 31, 4); };
  EXPECT_TRUE(is_alarm(counts_of(fields, category(9), 4, cell, 2'000, reused), hash_chances(fields)));
}

/// Pairs of reports that follow each other.
std::vector<double> pair_counts(gauze_random_fn random, void* context, const BlockFields& fields, int pairs) {
  const gauze_task task = loaded(fields);
  std::vector<double> counts(4);
  const gauze_value value = category(2);
  for (int i = 0; i < pairs; ++i) {
    std::array<std::array<unsigned char, 8>, 2> reports;
    for (auto& report : reports)
      EXPECT_EQ(gauze_draw_report(&task, random, context, &value, report.data()), GAUZE_OK);
    ++counts[(reports[0][1] & 1) * 2U + (reports[1][1] & 1)];
  }
  return counts;
}

TEST(DistributionOfMutants, BytesThatAreUsedTwiceAreFound) {
  struct Twice {
    SeededBytes bytes{4};
    std::array<unsigned char, 64> block = {};
    bool is_second = false;
    static int call(void* context, unsigned char* out, std::size_t size) {
      auto& self = *static_cast<Twice*>(context);
      if (size != 64) return SeededBytes::call(&self.bytes, out, size);
      if (!self.is_second) SeededBytes::call(&self.bytes, self.block.data(), 64);
      self.is_second = !self.is_second;
      std::memcpy(out, self.block.data(), 64);
      return 0;
    }
  };
  const BlockFields fields = honest_fields(GAUZE_OUE, kOne, 64);
  const double q = static_cast<double>(fields.law[1]) * 0x1p-64;
  const std::vector<double> chances = {(1 - q) * (1 - q), (1 - q) * q, q * (1 - q), q * q};
  SeededBytes good(4);
  EXPECT_FALSE(is_alarm(pair_counts(SeededBytes::call, &good, fields, 20'000), chances));
  Twice twice;
  EXPECT_TRUE(is_alarm(pair_counts(Twice::call, &twice, fields, 500), chances));
}

}  // namespace
}  // namespace gauze::distribution_test
