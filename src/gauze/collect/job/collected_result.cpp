#include "gauze/collect/job/collected_result.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "gauze/base/joined.h"
#include "gauze/collect/count/count_records.h"
#include "gauze/collect/plan/planner.h"

namespace gauze::collect {
namespace {

Result<std::uint32_t> find_value(const Task& task, const std::string& text) {
  if (const auto found = task.spec().values.find(text)) return *found;
  return invalid_parameter("the task '{}' has no value '{}'", task.spec().name, text);
}

Result<void> add_sums(CollectedResult& result, const ResultRequest& request) {
  for (const auto& texts : request.sums) {
    std::vector<std::uint32_t> set;
    for (const std::string& text : texts) {
      GAUZE_TRY(const std::uint32_t value, find_value(*result.task, text));
      if (std::find(set.begin(), set.end(), value) != set.end())
        return invalid_parameter("the value '{}' is twice in a sum", text);
      set.push_back(value);
    }
    result.sums.push_back({texts, result.reports == 0 ? std::nullopt : std::optional(result.frequency->sum(set))});
  }
  for (const auto& [a, b] : request.comparisons) {
    GAUZE_TRY(const std::uint32_t first, find_value(*result.task, a));
    GAUZE_TRY(const std::uint32_t second, find_value(*result.task, b));
    result.comparisons.push_back(
        {a, b, result.reports == 0 ? std::nullopt : std::optional(result.frequency->difference(first, second))});
  }
  return {};
}

void add_consistent(CollectedResult& result, Consistency method) {
  if (result.reports == 0) return;
  result.consistent = make_consistent(result.frequency->shares(), method);
  if (!result.consistent || !adds_up(method)) return;
  result.consistent_counts = whole_parts(*result.consistent, result.reports);
  result.percents = percent_texts(*result.consistent);
}

std::uint64_t all_of(const RejectedReports& rejected) {
  return rejected.malformed + rejected.damaged + rejected.unknown_task + rejected.parameter_mismatch +
         rejected.out_of_range;
}

Json values_json(const CollectedResult& result) {
  std::vector<Json> values;
  const ValueList& names = result.task->spec().values;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    Json one = Json::object({{"value", names.text(i)}, {"support", result.frequency->supports()[i]}});
    if (result.reports > 0) {
      const ValueEstimate estimate = result.frequency->value(i);
      one.set("estimate", estimate.share.estimate).set("sd", estimate.share.sd);
      one.set("low", estimate.share.low).set("high", estimate.share.high);
      one.set("band_low", estimate.band_low).set("band_high", estimate.band_high);
      one.set("count", estimate.share.estimate * static_cast<double>(result.reports));
    } else {
      for (const char* name : {"estimate", "sd", "low", "high", "band_low", "band_high", "count"})
        one.set(name, Json());
    }
    one.set("consistent", result.consistent ? Json((*result.consistent)[i]) : Json());
    one.set("consistent_count", result.consistent_counts ? Json((*result.consistent_counts)[i]) : Json());
    one.set("percent", result.percents ? Json((*result.percents)[i]) : Json());
    values.push_back(std::move(one));
  }
  return Json::array(std::move(values));
}

}  // namespace

ReportTask report_task(const Task& task) {
  ReportTask out;
  out.hash = task.hash_bytes();
  out.shape = shape_of(task.mechanism(), task.law());
  out.count = task.mechanism().count;
  out.cells = task.mechanism().cells(task.law());
  out.has_part_byte = task.spec().variance;
  return out;
}

ReportTask report_task(const CentralTask& task) {
  ReportTask out;
  out.hash = task.hash_bytes();
  out.shape.payload_bytes = task.payload_bytes();
  out.shape.record = std::make_shared<const RecordLayout>(task.spec().layout());
  out.count = count_records;
  return out;
}

ReportTask report_task(const AnyTask& task) {
  return std::visit([](const auto& one) { return report_task(one); }, task);
}

Result<CollectedResult> make_result(const Task& task, const Aggregate& aggregate, const ResultRequest& request) {
  CollectedResult result;
  result.task = &task;
  result.rejected = aggregate.rejected;
  result.duplicates = aggregate.duplicates;
  result.warnings = task.warnings();
  std::vector<PartCounts> parts = aggregate.total();
  for (PartCounts& part : parts) {
    result.reports += part.reports;
    part.cells.resize(task.mechanism().cells(task.law()));
  }
  if (const std::uint64_t rejected = all_of(aggregate.rejected); rejected > 0)
    result.warnings.push_back({"rejected_reports", fmt::format("{} rejected and not counted",
                                                               counted(rejected, "report was", "reports were"))});
  if (task.spec().question == Question::mean) {
    if (!request.sums.empty() || !request.comparisons.empty())
      return invalid_parameter("sums and comparisons are of values, but the task '{}' asks for a mean",
                               task.spec().name);
    const NumberField& field = task.spec().number;
    const double unit = std::pow(10.0, -field.places);
    result.mean = estimate_mean(task.mechanism(), task.law(), parts, static_cast<double>(field.low) * unit,
                                static_cast<double>(field.range()) * unit);
    for (const Warning& one : result.mean->warnings) result.warnings.push_back(one);
    return result;
  }
  result.frequency = FrequencyEstimate::from_cells(task.mechanism(), task.law(), parts.front().cells, result.reports);
  for (const Warning& one : result.frequency->warnings()) result.warnings.push_back(one);
  add_consistent(result, request.consistency);
  GAUZE_TRY_VOID(add_sums(result, request));
  return result;
}

PrivacyLabel CollectedResult::label() const {
  PrivacyLabel label = task->label(mean ? "estimated mean" : "estimated share");
  label.released.count = mean ? std::nullopt : std::optional<std::uint64_t>(task->spec().size());
  label.parameters.set("reports", reports);
  return label;
}

Json to_json(const std::optional<NoisyFigure>& figure) {
  if (!figure) return {};
  return Json::object(
      {{"estimate", figure->estimate}, {"sd", figure->sd}, {"low", figure->low}, {"high", figure->high}});
}

Json to_json(const RejectedReports& rejected) {
  const std::pair<const char*, std::uint64_t> all[] = {{"malformed", rejected.malformed},
                                                       {"damaged", rejected.damaged},
                                                       {"unknown_task", rejected.unknown_task},
                                                       {"parameter_mismatch", rejected.parameter_mismatch},
                                                       {"out_of_range", rejected.out_of_range}};
  Json object = Json::object();
  for (const auto& [name, count] : all) object.set(name, count);
  return object;
}

Json to_json(const CollectedResult& result) {
  const Task& task = *result.task;
  Json object = Json::object({{"task", task.spec().name},
                              {"hash", task.hash()},
                              {"reports", result.reports},
                              {"rejected", to_json(result.rejected)},
                              {"duplicates", result.duplicates}});
  if (result.mean) {
    object.set("mean", to_json(result.mean->mean));
    if (task.spec().variance) object.set("variance", to_json(result.mean->variance));
  } else {
    object.set("values", values_json(result));
    const auto with_figure = [](Json one, const std::optional<NoisyFigure>& figure) {
      for (const char* name : {"estimate", "sd", "low", "high"}) {
        const Json whole = to_json(figure);
        const Json* member = whole.is_null() ? nullptr : whole.find(name);
        one.set(name, member == nullptr ? Json() : *member);
      }
      return one;
    };
    std::vector<Json> sums;
    for (const auto& sum : result.sums) {
      std::vector<Json> values(sum.values.begin(), sum.values.end());
      sums.push_back(with_figure(Json::object({{"values", Json::array(std::move(values))}}), sum.figure));
    }
    std::vector<Json> comparisons;
    for (const auto& one : result.comparisons)
      comparisons.push_back(with_figure(Json::object({{"a", one.a}, {"b", one.b}}), one.figure));
    object.set("sums", Json::array(std::move(sums))).set("comparisons", Json::array(std::move(comparisons)));
  }
  object.set("cost", epsilon_json(task.spec(), task.cost_nano()));
  object.set("collision_sd", Json());
  return object;
}

}  // namespace gauze::collect
