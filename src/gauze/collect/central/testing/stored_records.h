#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gauze/collect/central/central_query.h"
#include "gauze/files/json_reader.h"

// Records in memory, for tests of queries.
namespace gauze::collect::central_testing {

/// One record: a number for each field, by the layout of the task, whatever it is.
inline std::string record_of(const CentralTask& task, const std::vector<std::int64_t>& numbers) {
  std::string record;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (std::size_t byte = 0; byte < task.spec().fields[i].bytes(); ++byte)
      record += static_cast<char>(static_cast<std::uint64_t>(numbers[i]) >> (8 * byte) & 0xff);
  return record;
}

class StoredRecords final : public RecordSource {
 public:
  void add(std::uint32_t period, std::string record) { periods_[period] += std::move(record); }
  Result<void> read(std::uint32_t from, std::uint32_t to, const RecordSink& sink) override {
    ++reads;
    asked = {from, to};
    for (auto at = periods_.lower_bound(from); at != periods_.end() && at->first <= to; ++at) sink(at->second);
    return {};
  }
  int reads = 0;
  std::pair<std::uint32_t, std::uint32_t> asked = {1, 0};

 private:
  std::map<std::uint32_t, std::string> periods_;
};

/// age 0 to 120, city of three values and `other`, price -1.50 to 20.25, step (an integer of 8 values), L = `reports`.
inline CentralTask some_task(std::uint32_t reports = 1) {
  CentralSpec spec;
  spec.name = "survey";
  spec.epsilon_nano = 1'000'000'000;
  spec.reports_per_period = reports;
  spec.fields = {
      {.name = "age", .number = {0, 120, 0}},
      {.name = "city", .values = ValueList::listed({"Oslo", "Lima", "Bern", "other"}).value(), .other = true},
      {.name = "price", .number = {-150, 2'025, 2}},
      {.name = "step", .number = {-3, 4, 0}}};
  return CentralTask::make(std::move(spec)).value();
}

inline Result<CentralQuery> query_of(const CentralTask& task, std::string_view body,
                                     std::pair<std::uint32_t, std::uint32_t> periods = {10, 12}) {
  return CentralQuery::parse(task, read_json(body).value(), periods);
}

}  // namespace gauze::collect::central_testing
