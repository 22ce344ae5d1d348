#include "gauze/anonymize/metrics/information_loss.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/anonymize/internal/count_entropy.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using internal::c_log_c;

std::vector<std::uint64_t> count_at_level(const Hierarchy& hierarchy, int level,
                                          const std::vector<std::uint64_t>& by_ground) {
  std::vector<std::uint64_t> counts(hierarchy.value_count(level), 0);
  for (std::uint32_t row = 0; row < by_ground.size(); ++row) counts[hierarchy.code(level, row)] += by_ground[row];
  return counts;
}

}  // namespace

InformationLoss::InformationLoss(Metric metric, const Records& records) : metric_(metric), records_(records) {
  double total_weight = 0;
  for (const QuasiIdentifier& quasi : records.quasi) total_weight += quasi.weight;
  coarsest_.resize(records.quasi.size());
  for (std::size_t a = 0; a < records.quasi.size(); ++a) {
    const Hierarchy& hierarchy = *records.quasi[a].hierarchy;
    weights_.push_back(metric == Metric::entropy ? records.quasi[a].weight : records.quasi[a].weight / total_weight);
    std::vector<std::uint64_t> by_ground(hierarchy.size(), 0);
    for (std::size_t tuple = 0; tuple < records.size(); ++tuple)
      by_ground[records.ground[a][tuple]] += records.counts[tuple];
    std::vector<double> covered;
    std::vector<double> entropy;
    double ground_entropy = 0;
    for (const std::uint64_t count : by_ground) ground_entropy += c_log_c(static_cast<double>(count));
    for (int level = 0; level < hierarchy.levels(); ++level) {
      const std::vector<std::uint64_t> counts = count_at_level(hierarchy, level, by_ground);
      Coarsest& here = coarsest_[a].emplace_back();
      for (std::uint32_t code = 0; code < counts.size(); ++code)
        if (counts[code] > 0) here.codes.push_back(code);
      std::stable_sort(here.codes.begin(), here.codes.end(), [&](std::uint32_t one, std::uint32_t other) {
        return hierarchy.rows_under(level, one) > hierarchy.rows_under(level, other);
      });
      for (const std::uint32_t code : here.codes) here.counts.push_back(counts[code]);
      double rows = 0;
      double coarse = 0;
      for (std::uint32_t code = 0; code < counts.size(); ++code) {
        rows += static_cast<double>(counts[code]) * hierarchy.rows_under(level, code);
        coarse += c_log_c(static_cast<double>(counts[code]));
      }
      covered.push_back(rows);
      // - sum over records of log2(freq(ground) / freq(generalised))
      entropy.push_back(level == 0 ? 0 : std::max(0.0, coarse - ground_entropy));
    }
    covered_.push_back(std::move(covered));
    entropy_.push_back(std::move(entropy));
  }
}

bool InformationLoss::additive() const { return metric_ != Metric::discernibility && metric_ != Metric::aecs; }

double InformationLoss::loss_of(std::size_t quasi, double covered) const {
  const double size = records_.quasi[quasi].hierarchy->size();
  const auto records = static_cast<double>(records_.total);
  if (size <= 1) return 0;
  // The definition with numerator and denominator times D: whole numbers, so that no loss is exactly 0.
  return std::max(0.0, (covered - records) / (records * (size - 1)));
}

// Whichever the further records are: of each attribute by itself, those that lose least by being suppressed have the coarsest values.
double InformationLoss::most_rows(std::size_t quasi, int level, const std::vector<std::uint64_t>& gone,
                                  std::uint64_t further) const {
  const Hierarchy& hierarchy = *records_.quasi[quasi].hierarchy;
  const Coarsest& here = coarsest_[quasi][static_cast<std::size_t>(level)];
  double rows = 0;
  for (std::size_t i = 0; i < here.codes.size() && further > 0; ++i) {
    const std::uint32_t code = here.codes[i];
    const std::uint64_t left = here.counts[i] - (gone.empty() ? 0 : gone[code]);
    const std::uint64_t taken = std::min(further, left);
    rows += static_cast<double>(taken) * hierarchy.rows_under(level, code);
    further -= taken;
  }
  return rows;
}

InformationLoss::Terms InformationLoss::terms(const SuppressedRecords& suppressed, std::uint64_t further) const {
  Terms terms(records_.quasi.size());
  const auto records = static_cast<double>(records_.total);
  const auto gone = static_cast<double>(suppressed.records + (metric_ == Metric::entropy ? 0 : further));
  for (std::size_t a = 0; a < terms.size(); ++a) {
    const Hierarchy& hierarchy = *records_.quasi[a].hierarchy;
    for (int level = 0; level < hierarchy.levels(); ++level) {
      double term = 0;
      std::vector<std::uint64_t> counts;
      if (suppressed.records > 0 && metric_ != Metric::precision)
        counts = count_at_level(hierarchy, level, suppressed.by_ground[a]);
      if (metric_ == Metric::loss || metric_ == Metric::loss_geometric) {
        double rows = 0;
        for (std::uint32_t code = 0; code < counts.size(); ++code)
          rows += static_cast<double>(counts[code]) * hierarchy.rows_under(level, code);
        rows += most_rows(a, level, counts, further);
        const double kept = covered_[a][static_cast<std::size_t>(level)] - rows;
        const double loss = loss_of(a, kept + gone * hierarchy.size());
        term = metric_ == Metric::loss ? loss : std::log1p(loss);
      } else if (metric_ == Metric::entropy) {
        double spread = c_log_c(gone);
        for (const std::uint64_t count : counts) spread -= c_log_c(static_cast<double>(count));
        term = entropy_[a][static_cast<std::size_t>(level)] + std::max(0.0, spread);
      } else if (metric_ == Metric::precision) {
        const double height = hierarchy.height();
        term = ((height == 0 ? 0 : (records - gone) * level / height) + gone) / records;
      }
      terms[a].push_back(weights_[a] * term);
    }
  }
  return terms;
}

double InformationLoss::sum(const Terms& terms, const Levels& levels) {
  double total = 0;
  for (std::size_t a = 0; a < terms.size(); ++a) total += terms[a][levels[a]];
  return total;
}

double InformationLoss::score(const Levels& levels, const NodeOutcome& outcome) const {
  const auto records = static_cast<double>(records_.total);
  const auto gone = static_cast<double>(outcome.suppressed.records);
  if (metric_ == Metric::discernibility) return outcome.sum_of_squares + records * gone;
  if (metric_ == Metric::aecs) {
    const double classes = static_cast<double>(outcome.kept_classes) + (gone > 0 ? 1 : 0);
    return classes > 0 ? records / classes : 0;
  }
  return sum(terms(outcome.suppressed), levels);
}

double InformationLoss::value(double score) const {
  return metric_ == Metric::loss_geometric ? std::expm1(score) : score;
}

}  // namespace gauze::anonymize
