#include "gauze/patterns/audit/release_audit.h"

#include <algorithm>

#include "gauze/patterns/audit/audit_json.h"
#include "gauze/patterns/hiding/hiding_json.h"

namespace gauze::patterns {
namespace {

/// The threshold of one pattern.
HidingThreshold threshold_of(const SensitivePattern& pattern, HidingThreshold threshold, std::uint64_t rows) {
  if (pattern.min_support) {
    const HidingThreshold own = HidingThreshold::of_share(*pattern.min_support, rows);
    threshold.count = own.count;
    threshold.share = own.share;
  }
  if (pattern.left.empty()) threshold.confidence.reset();
  return threshold;
}

/// The listed patterns as they stand in the original.
std::vector<HiddenPattern> listed(const Database& original, const SensitiveList& sensitive,
                                  const HidingThreshold& threshold) {
  std::vector<PatternShape> shapes;
  for (const SensitivePattern& one : sensitive.patterns) shapes.push_back({one.items, one.left});
  const std::vector<PatternStanding> before = standings_in(original, shapes);
  std::vector<HiddenPattern> result;
  for (std::size_t p = 0; p < shapes.size(); ++p) {
    const SensitivePattern& one = sensitive.patterns[p];
    result.push_back({.pattern = one,
                      .threshold = threshold_of(one, threshold, original.rows()),
                      .before = before[p],
                      .after = {}});
  }
  return result;
}

}  // namespace

Result<ReleaseAudit> audit_release(const Database& original, const Database& released, const SensitiveList& sensitive,
                                   const HidingThreshold& threshold, Progress& progress) {
  GAUZE_TRY(const Database aligned, align(original, released));
  ReleaseAudit audit{.transactions = aligned.rows(),
                     .threshold = threshold,
                     .patterns = listed(original, sensitive, threshold),
                     .metrics = {},
                     .attacks = {},
                     .warnings = sensitive.warnings};
  audit.level = judge(aligned, audit.patterns);
  GAUZE_TRY(audit.metrics, measure_hiding(original, aligned, itemsets_of(audit.patterns), threshold.count,
                                          threshold.share, progress));
  std::vector<AuditedPattern> audited;
  for (const HiddenPattern& one : audit.patterns)
    audited.push_back({{one.pattern.items, one.pattern.left}, one.threshold});
  GAUZE_TRY(audit.attacks, attack(original, aligned, audited, threshold.count, progress));
  std::vector<Warning> about_figures = audit.metrics.warnings();
  if (!audit.attacks.complete &&
      std::ranges::none_of(about_figures, [](const Warning& one) { return one.code == incomplete_figures().code; }))
    about_figures.push_back(incomplete_figures());
  audit.warnings.insert(audit.warnings.end(), about_figures.begin(), about_figures.end());
  return audit;
}

Json to_json(const Database& original, const ReleaseAudit& audit) {
  Json object = Json::object({{"transactions", audit.transactions},
                              {"min_count", audit.threshold.count},
                              {"hiding_failure", hiding_failure(audit.patterns)},
                              {"level", word_of(kLevelWords, audit.level)},
                              {"patterns", to_json(original, audit.patterns)}});
  add_metrics(object, audit.metrics);
  object.set("attacks", to_json(audit.attacks));
  return object;
}

}  // namespace gauze::patterns
