#include "gauze/cli/patterns/hiding_json.h"

#include <algorithm>

#include "gauze/cli/patterns/itemset_output.h"

namespace gauze::cli {
namespace {

using namespace patterns;  // the vocabulary of this file

constexpr std::array<std::string_view, 4> kLevelWords = {"none", "H1", "H2", "H3"};

Json share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? Json(0) : Json(static_cast<double>(part) / static_cast<double>(whole));
}

Json truths(const std::vector<bool>& values) {
  Json list = Json::array();
  for (const bool value : values) list.push(value);
  return list;
}

}  // namespace

std::string_view word(HidingLevel level) { return kLevelWords[static_cast<std::size_t>(level)]; }

Json patterns_json(const Database& database, const std::vector<HiddenPattern>& patterns) {
  Json list = Json::array();
  for (const HiddenPattern& one : patterns) {
    Json object = Json::object(
        {{"items", names_json(database, one.pattern.items)},
         {"before", one.before.definite},
         {"after", Json::array({Json(one.after.definite), Json(one.after.definite + one.after.undetermined)})},
         {"min_count", one.threshold.count},
         {"level", word(one.level)}});
    if (!one.pattern.left.empty()) object.set("if", names_json(database, one.pattern.left));
    list.push(std::move(object));
  }
  return list;
}

Json notices_json(const std::vector<std::string>& notices) {
  Json list = Json::array();
  for (const std::string& notice : notices) list.push(notice);
  return list;
}

double hiding_failure(const std::vector<HiddenPattern>& patterns) {
  if (patterns.empty()) return 0;
  const auto failed = std::count_if(patterns.begin(), patterns.end(), [](const HiddenPattern& one) {
    HidingThreshold threshold = one.threshold;
    threshold.margin = 0;
    return level_of(one.after, threshold, ~std::uint64_t{0} >> 1) == HidingLevel::none;
  });
  return static_cast<double>(failed) / static_cast<double>(patterns.size());
}

Json bands_json(const HidingMetrics& metrics) {
  Json bands = Json::array();
  for (const BandMetrics& band : metrics.bands)
    bands.push(Json::object({{"factor", band.factor},
                             {"min_count", band.min_count},
                             {"itemsets", band.literal_total},
                             {"others", band.ideal_total},
                             {"misses_cost", Json::object({{"literal", share(band.literal_lost, band.literal_total)},
                                                           {"ideal", share(band.ideal_lost, band.ideal_total)}})},
                             {"lost", Json::object({{"literal", band.literal_lost}, {"ideal", band.ideal_lost}})}}));
  return bands;
}

void add_metrics(Json& object, const HidingMetrics& metrics) {
  const BandMetrics& first = metrics.bands.front();
  object
      .set("misses_cost", Json::object({{"literal", share(first.literal_lost, first.literal_total)},
                                        {"ideal", share(first.ideal_lost, first.ideal_total)}}))
      .set("artifactual", share(metrics.artifactual_definite, metrics.found_definite))
      .set("artifactual_ignoring_unknown",
           metrics.ignoring_complete ? share(metrics.artifactual_ignoring, metrics.found_ignoring) : Json())
      .set("dissimilarity", metrics.dissimilarity)
      .set("bands", bands_json(metrics))
      .set("metrics_complete", metrics.complete);
}

Json attacks_json(const AttackReport& report) {
  const FillAttack& fill = report.fill;
  const GuessAttack& guess = report.guess;
  const PileAttack& pile = report.pile;
  return Json::object(
      {{"fill_with_ones", Json::object({{"marks", fill.marks},
                                        {"true_marks", fill.true_marks},
                                        {"found", truths(fill.found)},
                                        {"suspects", fill.suspects},
                                        {"suspects_sensitive", fill.suspects_listed}})},
       {"ignore_unknown", Json::object({{"found_undetermined", truths(report.ignore.found_undetermined)},
                                        {"found_touched", truths(report.ignore.found_touched)}})},
       {"candidates_per_mark", Json::object({{"marks", guess.marks},
                                             {"fewest", guess.fewest},
                                             {"median", guess.median},
                                             {"guessed", guess.tried},
                                             {"right", guess.right}})},
       {"just_below", Json::object({{"from", pile.from},
                                    {"below", pile.below},
                                    {"sets_before", pile.sets_before},
                                    {"sets", pile.sets},
                                    {"sensitive", pile.listed}})},
       {"added_items", report.added},
       {"complete", report.complete}});
}

Json trace_json(const Database& database, const HidingResult& result) {
  Json list = Json::array();
  for (const TraceStep& step : result.trace) {
    Json object = Json::object({{"victim", database.names[step.victim]}});
    if (step.pattern) {
      object.set("pattern", names_json(database, result.patterns[*step.pattern].pattern.items));
      object.set("support", step.support);
    } else {
      object.set("hides", step.support);
    }
    if (!step.shared.empty()) {
      Json shared = Json::object();
      for (const auto& [item, count] : step.shared) shared.set(database.names[item], count);
      object.set("shared", std::move(shared));
    }
    if (!step.order.empty()) {
      Json order = Json::array();
      for (const auto& [row, conflicts] : step.order) order.push(Json::array({Json(row + 1), Json(conflicts)}));
      object.set("order", std::move(order));
    }
    Json rows = Json::array();
    for (const std::size_t row : step.changed) rows.push(row + 1);
    object.set("rows", std::move(rows));
    if (step.price) object.set("price", *step.price);
    list.push(std::move(object));
  }
  return list;
}

}  // namespace gauze::cli
