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

/// A number where it was counted; an estimate with its interval; null where nothing is known.
Json share_json(const SetShare& share) {
  if (share.part == 0U) return 0;
  if (share.part && share.total) return share_json(*share.part, *share.total);
  return gauze::to_json(share.sampled);
}

Json count_json(const std::optional<std::uint64_t>& count) { return count ? Json(*count) : Json(); }

Json misses_json(const BandMetrics& band) {
  return Json::object({{"literal", share_json(band.literal)}, {"ideal", share_json(band.ideal)}});
}

Json bands_json(const HidingMetrics& metrics) {
  Json bands = Json::array();
  for (const BandMetrics& band : metrics.bands)
    bands.push(Json::object({{"factor", band.factor},
                             {"min_count", band.min_count},
                             {"itemsets", count_json(band.literal.total)},
                             {"others", count_json(band.ideal.total)},
                             {"misses_cost", misses_json(band)},
                             {"lost", Json::object({{"literal", count_json(band.literal.part)},
                                                    {"ideal", count_json(band.ideal.part)}})}}));
  return bands;
}

}  // namespace

void add_metrics(Json& object, const HidingMetrics& metrics) {
  object.set("misses_cost", misses_json(metrics.bands.front()))
      .set("artifactual", share_json(metrics.artifactual))
      .set("artifactual_ignoring_unknown",
           metrics.ignoring_complete ? share_json(metrics.artifactual_ignoring, metrics.found_ignoring) : Json())
      .set("removed", metrics.removed)
      .set("added", metrics.added)
      .set("dissimilarity", metrics.dissimilarity)
      .set("bands", bands_json(metrics))
      .set("metrics_complete", metrics.complete());
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
