#pragma once
// Tasks for tests, and reports of made-up devices, counted.

#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/collect/encode/draw_reports.h"
#include "gauze/collect/job/collected_result.h"
#include "gauze/collect/plan/planner.h"

namespace gauze::collect {

inline Task frequency_task(const std::string& mechanism, const char* epsilon, std::uint32_t size) {
  TaskSpec spec;
  spec.name = "test";
  spec.mechanism = mechanism;
  spec.epsilon_nano = *epsilon_nano(*Rational::parse(epsilon));
  spec.values = *ValueList::numbered(size);
  auto task = Task::make(std::move(spec));
  GAUZE_CHECK(task);
  return std::move(*task);
}

inline Task mean_task(const std::string& mechanism, const char* epsilon, int low, int high, bool variance = false) {
  TaskSpec spec;
  spec.name = "test";
  spec.question = Question::mean;
  spec.mechanism = mechanism;
  spec.variance = variance;
  spec.epsilon_nano = *epsilon_nano(*Rational::parse(epsilon));
  spec.number = *NumberField::make(Rational(low), Rational(high), 0, variance);
  auto task = Task::make(std::move(spec));
  GAUZE_CHECK(task);
  return std::move(*task);
}

inline gauze_value category(std::int64_t number) { return {0, number, nullptr, 0}; }
inline gauze_value number(std::int64_t units) { return {1, units, nullptr, 0}; }

/// One report of each of these devices, counted.
inline Aggregate counted_reports(const Task& task, const std::vector<gauze_value>& values, SeededRandom& random) {
  const ReportTask counting = report_task(task);
  Aggregate aggregate;
  aggregate.task = counting.hash;
  aggregate.parts = counting.parts();
  aggregate.cells = counting.cells;
  auto& parts = aggregate.periods[0];
  parts.assign(counting.parts(), PartCounts{0, std::vector<std::int64_t>(counting.cells)});
  std::vector<unsigned char> report(counting.report_bytes());
  for (const gauze_value& value : values) {
    simulate_reports(task, random, {&value, 1}, report.data());
    PartCounts& part = parts[counting.has_part_byte ? report[0] : 0];
    GAUZE_CHECK(counting.count(counting.shape, report.data() + (counting.has_part_byte ? 1 : 0), report.size(), 1,
                               part.cells) == 0);
    ++part.reports;
  }
  return aggregate;
}

}  // namespace gauze::collect
