#include <algorithm>
#include <cmath>

#include "gauze/audit/scores/shadow_scores.h"

namespace gauze::audit {
namespace {

/// How likely models in general find a record: half of them trained with it, or guessed from those without.
double general_confidence(double in, double in_count, double out, double out_count, double a) {
  if (in_count == 0 && out_count == 0) return 0;
  if (in_count == 0) return ((1 + a) * out / out_count + 1 - a) / 2;
  if (out_count == 0) return in / in_count;
  return (in / in_count + out / out_count) / 2;
}

/// p / q, where 0 / 0 is 1.
double ratio_of(double p, double q) { return p == q ? 1 : p / q; }

}  // namespace

std::vector<double> rmia_scores(const ShadowScores& scores, std::size_t target, const RmiaOptions& options) {
  const std::size_t records = scores.records;
  std::vector<double> in(records);
  std::vector<double> out(records);
  std::vector<double> in_count(records);
  std::vector<double> out_count(records);
  for (std::size_t model = 0; model < scores.models; ++model) {
    if (model == target) continue;
    for (std::size_t record = 0; record < records; ++record) {
      const std::int8_t member = scores.is_member(model, record);
      if (member < 0) continue;
      (member == 1 ? in : out)[record] += scores.value(model, record);
      ++(member == 1 ? in_count : out_count)[record];
    }
  }
  std::vector<double> ratios(records, std::nan(""));
  std::vector<double> sorted;
  for (std::size_t record = 0; record < records; ++record) {
    if (scores.is_member(target, record) < 0) continue;
    const double general =
        general_confidence(in[record], in_count[record], out[record], out_count[record], options.a);
    ratios[record] = ratio_of(scores.value(target, record), general);
    sorted.push_back(ratios[record]);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> result(records, std::nan(""));
  for (std::size_t record = 0; record < records; ++record) {
    const double own = ratios[record];
    if (std::isnan(own)) continue;
    if (sorted.size() < 2) {
      result[record] = 0;
      continue;
    }
    // those z with own / z >= gamma, itself left out; 0 / 0 and inf / inf are 1
    const auto beaten = std::partition_point(sorted.begin(), sorted.end(),
                                             [&](double z) { return ratio_of(own, z) >= options.gamma; });
    const std::ptrdiff_t itself = options.gamma <= 1 ? 1 : 0;
    result[record] = static_cast<double>(beaten - sorted.begin() - itself) / static_cast<double>(sorted.size() - 1);
  }
  return result;
}

}  // namespace gauze::audit
