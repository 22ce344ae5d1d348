#include "gauze/collect/reports/aggregate.h"

#include <algorithm>
#include <set>
#include <utility>

#include "gauze/collect/reports/internal/source_reader.h"
#include "gauze/collect/reports/state_file.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/files/unpacking.h"

namespace gauze::collect {
namespace {

tl::unexpected<Error> given_twice(const std::string& name) {
  return make_error(ErrorCode::bad_data, "{} holds reports that are counted already: the same source was given twice",
                    name);
}

Result<std::unique_ptr<ByteSource>> open(const std::filesystem::path& path) {
  if (path != "-") return open_unpacked(path.string());
  static const FileDescriptor standard_input(0);
  return unpack(std::make_unique<FileSource>(standard_input, "the standard input"), "the standard input");
}

std::uint64_t sum_of(const std::vector<PartCounts>& parts) {
  std::uint64_t sum = 0;
  for (const PartCounts& part : parts) sum += part.reports;
  return sum;
}

/// False when a sum does not fit: no honest state comes near that.
template <class T>
bool add_to(T& sum, T more) {
  return !__builtin_add_overflow(sum, more, &sum);
}

bool add_to(PartCounts& sum, const PartCounts& more) {
  bool fits = add_to(sum.reports, more.reports);
  for (std::size_t i = 0; i < sum.cells.size(); ++i) fits = add_to(sum.cells[i], more.cells[i]) && fits;
  return fits;
}

bool add_to(RejectedReports& sum, const RejectedReports& more) {
  return add_to(sum.malformed, more.malformed) && add_to(sum.damaged, more.damaged) &&
         add_to(sum.unknown_task, more.unknown_task) && add_to(sum.parameter_mismatch, more.parameter_mismatch) &&
         add_to(sum.out_of_range, more.out_of_range);
}

}  // namespace

RejectedReports& RejectedReports::operator+=(const RejectedReports& other) {
  add_to(*this, other);
  return *this;
}

std::uint64_t Aggregate::reports() const {
  std::uint64_t sum = 0;
  for (const auto& [period, parts_of] : periods) sum += sum_of(parts_of);
  return sum;
}

std::vector<PartCounts> Aggregate::total() const {
  std::vector<PartCounts> sums(parts, PartCounts{.cells = std::vector<std::int64_t>(cells, 0)});
  for (const auto& [period, parts_of] : periods)
    for (std::size_t part = 0; part < parts; ++part) add_to(sums[part], parts_of[part]);
  return sums;
}

std::size_t most_periods(std::size_t parts, std::size_t cells) {
  const std::size_t bytes = std::max<std::size_t>(1, parts * cells * sizeof(std::int64_t));
  return std::clamp<std::size_t>(kMostCountBytes / bytes, 1, kMostPeriods);
}

Result<Aggregate> merge(Aggregate first, const Aggregate& second) {
  if (first.task != second.task || first.parts != second.parts || first.cells != second.cells)
    return make_error(ErrorCode::bad_data, "states of different tasks cannot be merged");
  std::vector<std::string> sources;
  std::merge(first.sources.begin(), first.sources.end(), second.sources.begin(), second.sources.end(),
             std::back_inserter(sources));
  if (std::adjacent_find(sources.begin(), sources.end()) != sources.end()) return given_twice("one of the states");
  first.sources = std::move(sources);
  bool fits = add_to(first.rejected, second.rejected) && add_to(first.duplicates, second.duplicates);
  for (const auto& [period, parts] : second.periods) {
    const auto [place, is_new] = first.periods.try_emplace(period, parts);
    for (std::size_t part = 0; !is_new && part < parts.size(); ++part)
      fits = add_to(place->second[part], parts[part]) && fits;
    const std::size_t most = most_periods(first.parts, first.cells);
    if (first.periods.size() > most)
      return make_error(ErrorCode::bad_data,
                        "the states are of more than {} periods, the most that are counted at once for this task",
                        most);
  }
  // A total over periods must fit as well. Without any there is nothing to say how many cells there really are.
  PartCounts total{.cells = std::vector<std::int64_t>(first.periods.empty() ? 0 : first.cells, 0)};
  for (const auto& [period, parts] : first.periods)
    for (const PartCounts& part : parts) fits = add_to(total, part) && fits;
  if (!fits) return make_error(ErrorCode::bad_data, "the sums of the states are too large for 64 bits");
  return first;
}

Result<Aggregate> aggregate_reports(const std::vector<std::filesystem::path>& files, const ReportTask& task,
                                    const AggregateOptions& options) {
  internal::Collector collector(task, options);
  std::vector<Aggregate> states;
  std::set<std::string> sources;
  for (const std::filesystem::path& path : files) {
    const std::string name = path == "-" ? "the standard input" : fmt::format("'{}'", path.string());
    GAUZE_TRY(auto source, open(path));
    GAUZE_TRY(const auto content, internal::read_source(std::move(source), name, task, collector));
    if (content.format != internal::SourceFormat::state) {
      if (!content.digest.empty() && !sources.insert(content.digest).second) return given_twice(name);
      continue;
    }
    GAUZE_TRY(Aggregate state, decode_state(content.state, name));
    if (state.task != task.hash || state.parts != task.parts() || state.cells != task.cells)
      return make_error(ErrorCode::bad_data, "{} is a state of another task", name);
    for (const std::string& digest : state.sources)
      if (!sources.insert(digest).second) return given_twice(name);
    states.push_back(std::move(state));
    if (states.size() == 1) continue;
    GAUZE_TRY(states.front(), merge(std::move(states.front()), states.back()));
    states.pop_back();
  }
  Aggregate out = collector.finish();
  for (const std::string& digest : sources)
    if (states.empty() || !std::binary_search(states.front().sources.begin(), states.front().sources.end(), digest))
      out.sources.push_back(digest);
  if (states.empty()) return out;
  return merge(std::move(out), states.front());
}

}  // namespace gauze::collect
