#include "gauze/patterns/audit/audit_json.h"

namespace gauze::patterns {
namespace {

Json share_json(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? Json(0) : Json(static_cast<double>(part) / static_cast<double>(whole));
}

Json truths(const std::vector<bool>& values) {
  Json list = Json::array();
  for (const bool value : values) list.push(value);
  return list;
}

Json bands_json(const HidingMetrics& metrics) {
  Json bands = Json::array();
  for (const BandMetrics& band : metrics.bands)
    bands.push(
        Json::object({{"factor", band.factor},
                      {"min_count", band.min_count},
                      {"itemsets", band.literal_total},
                      {"others", band.ideal_total},
                      {"misses_cost", Json::object({{"literal", share_json(band.literal_lost, band.literal_total)},
                                                    {"ideal", share_json(band.ideal_lost, band.ideal_total)}})},
                      {"lost", Json::object({{"literal", band.literal_lost}, {"ideal", band.ideal_lost}})}}));
  return bands;
}

}  // namespace

void add_metrics(Json& object, const HidingMetrics& metrics) {
  const BandMetrics& first = metrics.bands.front();
  object
      .set("misses_cost", Json::object({{"literal", share_json(first.literal_lost, first.literal_total)},
                                        {"ideal", share_json(first.ideal_lost, first.ideal_total)}}))
      .set("artifactual", share_json(metrics.artifactual_definite, metrics.found_definite))
      .set("artifactual_ignoring_unknown",
           metrics.ignoring_complete ? share_json(metrics.artifactual_ignoring, metrics.found_ignoring) : Json())
      .set("removed", metrics.removed)
      .set("added", metrics.added)
      .set("dissimilarity", metrics.dissimilarity)
      .set("bands", bands_json(metrics))
      .set("metrics_complete", metrics.complete);
}

Json to_json(const AttackReport& report) {
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

}  // namespace gauze::patterns
