#include "gauze/patterns/job/comparison_series.h"

#include <algorithm>

namespace gauze::patterns {
namespace {

Result<SeriesPoint> point_at(const Database& database, const SensitiveList& sensitive, const HidingOptions& options,
                             std::span<const HidingAlgorithm> algorithms, Progress& progress) {
  SeriesPoint point{.threshold = {options.min_count, options.min_support, 0, {}},
                    .patterns = sensitive.patterns.size(),
                    .runs = {}};
  for (const HidingAlgorithm algorithm : algorithms) {
    HidingOptions own = options;
    own.algorithm = algorithm;
    SeriesRun one{.algorithm = algorithm};
    auto run = compared_run(database, sensitive, own, progress);
    if (run)
      one.run = *std::move(run);
    else if (run.error().code == ErrorCode::unsupported)
      one.skipped = run.error().message;
    else
      return tl::unexpected(run.error());
    point.runs.push_back(std::move(one));
    progress.advance();
  }
  return point;
}

void add_warnings(std::vector<Warning>& warnings, const std::vector<SeriesPoint>& points) {
  for (const SeriesPoint& point : points)
    for (const SeriesRun& one : point.runs)
      for (const Warning& warning : one.run ? one.run->metrics.warnings() : std::vector<Warning>())
        if (std::none_of(warnings.begin(), warnings.end(), [&](const Warning& w) { return w.code == warning.code; }))
          warnings.push_back(warning);
}

Json points_json(const std::vector<SeriesPoint>& points, HidingLevel wanted) {
  Json list = Json::array();
  for (const SeriesPoint& point : points) {
    Json runs = Json::array();
    for (const SeriesRun& one : point.runs) {
      Json object = Json::object({{"algorithm", word_of(kAlgorithmWords, one.algorithm)}});
      if (one.run)
        object.set("run", to_json(*one.run, wanted));
      else
        object.set("skipped", one.skipped);
      runs.push(std::move(object));
    }
    list.push(Json::object({{"min_count", point.threshold.count},
                            {"min_support", point.threshold.share.to_double()},
                            {"patterns", point.patterns},
                            {"algorithms", std::move(runs)}}));
  }
  return list;
}

}  // namespace

Result<ComparisonSeries> compare_series(const Database& database, const SensitiveList& sensitive,
                                        const HidingOptions& options, std::span<const HidingAlgorithm> algorithms,
                                        const SeriesPlan& plan, Progress& progress) {
  for (const std::size_t number : plan.numbers)
    if (number == 0 || number > sensitive.patterns.size())
      return invalid_parameter("a number of patterns lies between 1 and {}, the length of the list, but is {}",
                               sensitive.patterns.size(), number);
  ComparisonSeries series;
  progress.begin("series", algorithms.size() * (plan.thresholds.size() + plan.numbers.size()));
  for (const HidingThreshold& threshold : plan.thresholds) {
    HidingOptions own = options;
    own.min_count = threshold.count;
    own.min_support = threshold.share;
    GAUZE_TRY(SeriesPoint point, point_at(database, sensitive, own, algorithms, progress));
    series.thresholds.push_back(std::move(point));
  }
  for (const std::size_t number : plan.numbers) {
    SensitiveList first = sensitive;
    first.patterns.resize(number);
    GAUZE_TRY(SeriesPoint point, point_at(database, first, options, algorithms, progress));
    series.numbers.push_back(std::move(point));
  }
  add_warnings(series.warnings, series.thresholds);
  add_warnings(series.warnings, series.numbers);
  return series;
}

Json to_json(const ComparisonSeries& series, HidingLevel wanted) {
  return Json::object(
      {{"thresholds", points_json(series.thresholds, wanted)}, {"numbers", points_json(series.numbers, wanted)}});
}

}  // namespace gauze::patterns
