#include <gtest/gtest.h>

#include <map>

#include "gauze/encoder/testing/task_blocks.h"

// The exact distribution of reports as the compiled encoder draws them: its random numbers are enumerated. Numbers below a small bound are
// all tried; one below a large bound is tried at both ends of, and inside, every piece that the documents give, and counts as many times
// as the piece is long. That numbers at the bound or above it are drawn again is tested apart.
namespace gauze::laws_test {
namespace {

using namespace encoder_testing;

/// What was reported, and in how many of all cases.
using Distribution = std::map<std::string, mpz_class>;

/// A number below a bound: all of them, or one of each piece.
struct Draw {
  std::uint64_t bound = 1;
  std::vector<std::uint64_t> ends = {};  ///< of pieces; none: every number is one
  std::uint64_t begin = 0;               ///< of the first piece
};

class Enumeration {
 public:
  Enumeration(const gauze_task& task, const gauze_value* value) : task_(task), value_(value) {}

  /// All cases of these draws, each counting `weight` times.
  void add(const std::vector<Draw>& draws, const mpz_class& weight = 1) {
    std::vector<std::uint64_t> numbers;
    visit(draws, numbers, weight, 0);
  }
  /// Before the draws: bytes that are not enumerated.
  void begin_with(std::string text) { first_ = std::move(text); }
  [[nodiscard]] const Distribution& found() const { return found_; }

 private:
  void visit(const std::vector<Draw>& draws, std::vector<std::uint64_t>& numbers, const mpz_class& weight,
             std::size_t at) {
    if (at == draws.size()) {
      found_[report(draws, numbers)] += weight;
      return;
    }
    const Draw& draw = draws[at];
    if (draw.ends.empty()) {
      for (std::uint64_t number = 0; number < draw.bound; ++number) {
        numbers.push_back(number);
        visit(draws, numbers, weight, at + 1);
        numbers.pop_back();
      }
      return;
    }
    std::uint64_t begin = draw.begin;
    for (const std::uint64_t end : draw.ends) {
      if (end > begin) visit_piece(draws, numbers, weight, at, begin, end);
      begin = end;
    }
  }

  /// The whole piece is tried as its first number; the others that are tried must report the same.
  void visit_piece(const std::vector<Draw>& draws, std::vector<std::uint64_t>& numbers, const mpz_class& weight,
                   std::size_t at, std::uint64_t begin, std::uint64_t end) {
    std::vector<Distribution> seen;
    for (const std::uint64_t number : {begin, end - 1, begin + (end - begin) / 2, begin + (end - begin) / 3}) {
      Enumeration part(task_, value_);
      part.first_ = first_;
      numbers.push_back(number);
      part.visit(draws, numbers, mpz_class(1), at + 1);
      numbers.pop_back();
      seen.push_back(part.found_);
      EXPECT_TRUE(seen.back() == seen.front()) << "a piece is not one";
    }
    for (const auto& [payload, times] : seen.front()) found_[payload] += weight * times * whole(end - begin);
  }

  [[nodiscard]] std::string report(const std::vector<Draw>& draws, const std::vector<std::uint64_t>& numbers) const {
    ScriptedBytes script;
    script.add_below(numbers[0], draws[0].bound);
    if (!first_.empty()) script.add_text(first_);
    for (std::size_t i = 1; i < draws.size(); ++i) script.add_below(numbers[i], draws[i].bound);
    GuardedPayload payload(gauze_payload_size(&task_));
    EXPECT_EQ(gauze_draw_report(&task_, ScriptedBytes::call, &script, value_, payload.data()), GAUZE_OK);
    EXPECT_TRUE(script.is_used_up());
    EXPECT_TRUE(payload.is_intact());
    return payload.text();
  }

  const gauze_task& task_;
  const gauze_value* value_;
  std::string first_;
  Distribution found_;
};

mpz_class sum_of(const Distribution& distribution) {
  mpz_class sum = 0;
  for (const auto& [payload, weight] : distribution) sum += weight;
  return sum;
}

/// The largest ratio of two probabilities of one report; all distributions have the same sum.
mpq_class largest_ratio(const std::vector<Distribution>& all) {
  mpq_class largest = 1;
  for (const Distribution& one : all) {
    for (const Distribution& other : all) {
      const mpz_class sum = sum_of(one);
      EXPECT_TRUE(sum == sum_of(other));
      for (const auto& [payload, weight] : one) {
        const auto found = other.find(payload);
        if (found == other.end()) {
          ADD_FAILURE() << "a report that another value never gives";
          return largest;
        }
        mpq_class ratio(weight, found->second);
        ratio.canonicalize();
        if (ratio > largest) largest = ratio;
      }
    }
  }
  return largest;
}

Real log_of(const mpq_class& ratio) { return log(Real(ratio.get_num()) / Real(ratio.get_den())); }

/// At most what is charged, which is at most what is declared and close to it.
void expect_cost(const gauze_task& task, const Real& largest_log, const std::string& what) {
  std::uint64_t cost = 0;
  ASSERT_EQ(gauze_task_cost(&task, &cost, nullptr), GAUZE_OK);
  EXPECT_LE(cost, task.claimed_nano) << what;
  EXPECT_TRUE(largest_log <= epsilon_of(cost)) << what;
  EXPECT_TRUE(epsilon_of(cost) <= largest_log + Real(2e-9)) << what << ": charged for more than it tells";
  if (task.mechanism == GAUZE_THE) return;
  EXPECT_TRUE(epsilon_of(task.claimed_nano) <= largest_log + Real(1e-6)) << what << ": budget is wasted";
}

constexpr std::array<std::uint64_t, 9> kEpsilons = {1'000'000,     10'000'000,    500'000'000,
                                                    1'000'000'000, 1'234'567'891, 2'000'000'000,
                                                    4'000'000'001, 8'000'000'000, 16'000'000'000};

std::string name_of(const gauze_task& task) {
  return "mechanism " + std::to_string(task.mechanism) + ", " + std::to_string(task.size) + " values, parameter " +
         std::to_string(task.parameter) + ", claim " + std::to_string(task.claimed_nano);
}

/// Runs `enumerate` for every value of the domain, one beyond it and none at all.
template <class Function>
std::vector<Distribution> of_all_values(const gauze_task& task, const Function& enumerate) {
  std::vector<Distribution> all;
  const std::int64_t count =
      is_mean(task.mechanism) ? static_cast<std::int64_t>(task.range) + 1 : std::int64_t{task.size};
  for (std::int64_t i = -1; i <= count; ++i) {
    const gauze_value value = is_mean(task.mechanism) ? number(task.low + i) : category(i);
    Enumeration enumeration(task, &value);
    enumerate(enumeration);
    all.push_back(enumeration.found());
  }
  Enumeration missing(task, nullptr);
  enumerate(missing);
  all.push_back(missing.found());
  return all;
}

std::vector<std::uint64_t> ends_of_weights(const gauze_task& task, std::uint64_t favoured, std::uint64_t pieces) {
  std::vector<std::uint64_t> ends = {favoured * task.law[0]};
  for (std::uint64_t i = 0; i < pieces; ++i) ends.push_back(ends.back() + task.law[1]);
  return ends;
}

TEST(Laws, DirectEncodingTellsWhatIsCharged) {
  for (const std::uint64_t nano : kEpsilons) {
    for (std::uint32_t d = 2; d <= 6; ++d) {
      for (const unsigned char flags : {std::uint8_t{0}, std::uint8_t{GAUZE_FLAG_OTHER}}) {
        BlockFields fields = honest_fields(GAUZE_DE, nano, d);
        fields.flags = flags;
        const gauze_task task = loaded(fields);
        const auto ends = ends_of_weights(task, 1, d - 1);
        const auto all = of_all_values(task, [&](Enumeration& enumeration) {
          enumeration.add({{.bound = flags != 0 ? 1 : d}, {.bound = ends.back(), .ends = ends}});
        });
        expect_cost(task, log_of(largest_ratio(all)), name_of(task));
      }
    }
  }
}

TEST(Laws, LocalHashingTellsWhatIsCharged) {
  std::mt19937_64 random(1);
  for (const std::uint64_t nano : kEpsilons) {
    for (std::uint32_t d = 2; d <= 6; ++d) {
      for (std::uint32_t g = 2; g <= std::min(4U, d); ++g) {
        const gauze_task task = loaded(honest_fields(g == 2 ? GAUZE_BLH : GAUZE_OLH, nano, d, g));
        const auto ends = ends_of_weights(task, 1, g - 1);
        Real largest(0);
        for (int trial = 0; trial < 6; ++trial) {
          // The hash is part of the report and drawn before the value is looked at: the ratio is that for each hash.
          std::string hash(12, '\0');
          for (char& byte : hash) byte = static_cast<char>(random());
          if (trial == 0) hash.assign(12, '\0');
          const auto all = of_all_values(task, [&](Enumeration& enumeration) {
            enumeration.begin_with(hash);
            enumeration.add({{.bound = d}, {.bound = ends.back(), .ends = ends}});
          });
          const Real found = log_of(largest_ratio(all));
          if (largest <= found) largest = found;
        }
        expect_cost(task, largest, name_of(task));
      }
    }
  }
}

TEST(Laws, HadamardResponseTellsWhatIsCharged) {
  for (const std::uint64_t nano : kEpsilons) {
    for (std::uint32_t d = 2; d <= 6; ++d) {
      const gauze_task task = loaded(honest_fields(GAUZE_HR, nano, d));
      const auto ends = ends_of_weights(task, 1, 1);
      const auto all = of_all_values(task, [&](Enumeration& enumeration) {
        enumeration.add({{.bound = d}, {.bound = ends.back(), .ends = ends}, {.bound = task.parameter}});
      });
      expect_cost(task, log_of(largest_ratio(all)), name_of(task));
    }
  }
}

/// The draws of Floyd's method for so many of the other d - 1 values.
std::vector<Draw> floyd_draws(std::uint32_t d, std::uint32_t others) {
  std::vector<Draw> draws;
  for (std::uint32_t last = d - 1 - others; last < d - 1; ++last) draws.push_back({.bound = last + 1});
  return draws;
}

mpz_class cases_of(const std::vector<Draw>& draws) {
  mpz_class product = 1;
  for (const Draw& draw : draws) product *= whole(draw.bound);
  return product;
}

TEST(Laws, SubsetSelectionTellsWhatIsCharged) {
  for (const std::uint64_t nano : kEpsilons) {
    for (std::uint32_t d = 2; d <= 6; ++d) {
      for (std::uint32_t w = 1; w < d; ++w) {
        const gauze_task task = loaded(honest_fields(GAUZE_SS, nano, d, w));
        const std::uint64_t with = w * task.law[0];
        const std::uint64_t sum = with + (d - w) * task.law[1];
        const auto all = of_all_values(task, [&](Enumeration& enumeration) {
          // What follows has other draws where the value is in than where it is not: each side counts as often as the other has cases.
          for (const bool is_in : {true, false}) {
            std::vector<Draw> draws = {{.bound = d}, {.bound = sum, .ends = {with}, .begin = 0}};
            if (!is_in) draws[1] = {.bound = sum, .ends = {sum}, .begin = with};
            for (const Draw& draw : floyd_draws(d, is_in ? w - 1 : w)) draws.push_back(draw);
            enumeration.add(draws, cases_of(floyd_draws(d, is_in ? w : w - 1)));
          }
        });
        expect_cost(task, log_of(largest_ratio(all)), name_of(task));
      }
    }
  }
}

/// A lane's numerator of T / 2^64: the words before step s decide nothing, the one of step s decides every lane.
std::vector<mpz_class> lanes_of(const gauze_task& task, std::int64_t v) {
  std::vector<mpz_class> lanes(task.size, mpz_class(0));
  const gauze_value value = category(v);
  for (unsigned step = 0; step <= 64; ++step) {
    ScriptedBytes script;
    script.add_below(0, task.size);
    std::string first(64, '\0');
    if (step < 8) first.replace(8 * step, 8, 8, '\xFF');
    script.add_text(first);
    for (unsigned later = 8; later <= step && later < 64; ++later) script.add(later == step ? UINT64_MAX : 0, 8);
    GuardedPayload payload(gauze_payload_size(&task));
    EXPECT_EQ(gauze_draw_report(&task, ScriptedBytes::call, &script, &value, payload.data()), GAUZE_OK);
    EXPECT_TRUE(script.is_used_up());
    for (std::uint32_t i = 0; i < task.size; ++i) {
      const bool is_set = (payload.data()[i / 8] >> (i % 8) & 1) != 0;
      if (is_set && step == 64) ADD_FAILURE() << "a lane without a decision is set";
      if (is_set && step < 64) lanes[i] += power_of_two(63 - step);
    }
  }
  return lanes;
}

TEST(Laws, UnaryEncodingsTellWhatIsCharged) {
  const mpz_class one = power_of_two(64);
  for (const unsigned char mechanism : {GAUZE_SUE, GAUZE_OUE, GAUZE_THE}) {
    for (const std::uint64_t nano : kEpsilons) {
      for (std::uint32_t d = 2; d <= 6; ++d) {
        const gauze_task task = loaded(honest_fields(mechanism, nano, d));
        std::vector<Distribution> all;
        for (std::int64_t v = 0; v < std::int64_t{d}; ++v) {
          const auto lanes = lanes_of(task, v);
          for (std::uint32_t i = 0; i < d; ++i)
            EXPECT_TRUE(lanes[i] == whole(task.law[std::int64_t{i} == v ? 0 : 1])) << name_of(task);
          Distribution found;
          for (unsigned bits = 0; bits < 1U << d; ++bits) {
            mpz_class weight = 1;
            for (std::uint32_t i = 0; i < d; ++i)
              weight *= (bits >> i & 1) != 0 ? lanes[i] : mpz_class(one - lanes[i]);
            found[std::to_string(bits)] = weight;
          }
          all.push_back(found);
        }
        expect_cost(task, log_of(largest_ratio(all)), name_of(task));
      }
    }
  }
}

TEST(Laws, DuchiTellsWhatIsCharged) {
  for (const std::uint64_t nano : kEpsilons) {
    for (std::uint32_t range = 1; range <= 5; ++range) {
      const gauze_task task = loaded(honest_fields(GAUZE_DUCHI, nano, range));
      const auto ends = ends_of_weights(task, 1, 1);
      const auto all = of_all_values(task, [&](Enumeration& enumeration) {
        enumeration.add({{.bound = range + 1}, {.bound = range}, {.bound = ends.back(), .ends = ends}});
      });
      expect_cost(task, log_of(largest_ratio(all)), name_of(task));
      // At value v of the range, `high` has v/range of A and the rest of B.
      for (std::uint32_t v = 0; v <= range; ++v)
        EXPECT_TRUE(all[v + 1].at(std::string(1, '\1')) ==
                    whole(range + 1) * (whole(v) * whole(task.law[0]) + whole(range - v) * whole(task.law[1])));
    }
  }
}

/// How often each cell comes out inside and outside of the window, over all numbers drawn after the rounding.
struct Cells {
  std::vector<std::uint32_t> inside = std::vector<std::uint32_t>(GAUZE_GRID_CELLS);
  std::vector<std::uint32_t> outside = std::vector<std::uint32_t>(GAUZE_GRID_CELLS);
};

void count_cells(const gauze_task& task, const gauze_value& value, std::uint64_t rounding, Cells& cells) {
  const std::uint32_t w = task.parameter;
  const std::uint64_t in = w * task.law[0];
  const std::uint64_t sum = in + (GAUZE_GRID_CELLS - w) * task.law[1];
  const auto draw = [&](std::uint64_t side, std::uint64_t bound, std::uint64_t place) {
    ScriptedBytes script;
    script.add_below(0, task.range + 1);
    script.add_below(rounding, task.range);
    script.add_below(side, sum);
    script.add_below(place, bound);
    std::array<unsigned char, 2> payload;
    EXPECT_EQ(gauze_draw_report(&task, ScriptedBytes::call, &script, &value, payload.data()), GAUZE_OK);
    return static_cast<std::size_t>(payload[0] + 256 * payload[1]);
  };
  for (std::uint64_t place = 0; place < w; ++place) ++cells.inside[draw(place % 2 == 0 ? 0 : in - 1, w, place)];
  for (std::uint64_t place = 0; place < GAUZE_GRID_CELLS - w; ++place)
    ++cells.outside[draw(place % 2 == 0 ? in : sum - 1, GAUZE_GRID_CELLS - w, place)];
}

TEST(Laws, PiecewiseTellsWhatIsCharged) {
  for (const std::uint64_t nano : {kEpsilons[0], kEpsilons[3], kEpsilons[6], kEpsilons[8]}) {
    const std::uint32_t range = 2;
    const gauze_task task = loaded(honest_fields(GAUZE_PIECEWISE, nano, range));
    std::vector<Cells> of_values(range + 1);
    for (std::uint32_t v = 0; v <= range; ++v)
      for (std::uint64_t rounding = 0; rounding < range; ++rounding)
        count_cells(task, number(task.low + v), rounding, of_values[v]);
    mpq_class largest = 1;
    for (std::size_t cell = 0; cell < GAUZE_GRID_CELLS; ++cell) {
      std::vector<mpz_class> weights;
      for (const Cells& cells : of_values) {
        EXPECT_EQ(cells.inside[cell] + cells.outside[cell], range);
        weights.push_back(whole(task.law[0]) * cells.inside[cell] + whole(task.law[1]) * cells.outside[cell]);
      }
      const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
      mpq_class ratio(*most, *least);
      ratio.canonicalize();
      if (ratio > largest) largest = ratio;
    }
    expect_cost(task, log_of(largest), name_of(task));
  }
}

}  // namespace
}  // namespace gauze::laws_test
