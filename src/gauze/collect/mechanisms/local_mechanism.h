#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/words.h"
#include "gauze/collect/count/report_shape.h"
#include "gauze/collect/mechanisms/integer_laws.h"
#include "gauze/files/json.h"

namespace gauze::collect {

/// What is asked of devices: which share of them has a value, or the mean of a number.
enum class Question { frequency, mean };
inline constexpr Words<Question, 2> kQuestionWords = {{{Question::frequency, "frequency"}, {Question::mean, "mean"}}};

/// The law of one task, and over how many values: what estimates are computed from. Never the declared epsilon.
struct LawOfValues {
  LocalLaw law;
  std::uint32_t size = 0;  ///< of a mean: 0
};

/// The chance that a report supports the value of its device, and that of any other value.
struct SupportChances {
  double p = 0;
  double q = 0;
};

/// How shares are estimated from reports. Variances are those of one report: divide by the number of reports. They are given these
/// devices' values, whose shares are `f`; unknown shares are put in as estimated.
struct FrequencyMechanism {
  std::optional<SupportChances> (*chances)(const LawOfValues&) = nullptr;  ///< none: reports are figures (`she`)
  /// How many reports support each value; of `she` the sums of figures in units of 2^-10.
  std::vector<std::int64_t> (*supports)(std::span<const std::int64_t> cells, const LawOfValues&) = nullptr;
  double (*variance)(const LawOfValues&, double f) = nullptr;
  /// Of the estimated share of a set of different values.
  double (*variance_of_sum)(const LawOfValues&, std::span<const std::uint32_t> set,
                            std::span<const double> estimates) = nullptr;
  /// Of the share of a minus that of b.
  double (*variance_of_difference)(const LawOfValues&, std::uint32_t a, std::uint32_t b,
                                   std::span<const double> estimates) = nullptr;
};

/// A mean on [-1, 1] and the variance of one report, given these devices, averaged over them.
struct MeanFigures {
  double mean = 0;
  double variance = 0;
};

struct MeanMechanism {
  /// The variance of one report of a device whose number, on [-1, 1], is t.
  double (*variance)(const LawOfValues&, double t) = nullptr;
  /// From counted reports; there is at least one.
  MeanFigures (*figures)(std::span<const std::int64_t> cells, std::uint64_t reports, const LawOfValues&) = nullptr;
};

/// One mechanism: its laws, what is counted of its reports and how estimates are made of that. A file registers one or several that
/// differ in numbers alone; planner, aggregator and simulation know this struct and no name.
struct LocalMechanism {
  std::string_view name;
  unsigned char number = 0;  ///< in task blocks
  Question question = Question::frequency;
  LocalLaw (*law)(std::uint64_t epsilon_nano, std::uint32_t size) = nullptr;
  /// Why the law makes no sense for so many values; empty when it does.
  std::string (*refusal)(const LawOfValues&) = nullptr;
  std::uint64_t (*payload_bytes)(const LawOfValues&) = nullptr;
  /// Public parameters by name, for people: g, w, K, theta, C.
  Json (*parameters)(const LawOfValues&, std::uint64_t epsilon_nano) = nullptr;
  std::size_t (*cells)(const LawOfValues&) = nullptr;
  CountReports count = nullptr;
  const FrequencyMechanism* frequency = nullptr;  ///< one of the two
  const MeanMechanism* mean = nullptr;
  /// What documents call the numbers of its law; empty: it has no such number.
  std::array<std::string_view, 3> law_names = {"A", "B", ""};
};

/// All of them, in the order in which plans list them.
[[nodiscard]] std::span<const LocalMechanism* const> local_mechanisms();
[[nodiscard]] const LocalMechanism* find_local_mechanism(std::string_view name);
[[nodiscard]] const LocalMechanism* find_local_mechanism(unsigned char number);
/// Those that answer a question, by name.
[[nodiscard]] std::vector<std::string> names_of_mechanisms(Question question);

/// What the counter must know of reports of the law.
[[nodiscard]] ReportShape shape_of(const LocalMechanism& mechanism, const LawOfValues& law);

/// What a report costs as the encoder charges it, in 1e-9.
[[nodiscard]] std::uint64_t cost_of_law(const LocalMechanism& mechanism, const LocalLaw& law);

}  // namespace gauze::collect
