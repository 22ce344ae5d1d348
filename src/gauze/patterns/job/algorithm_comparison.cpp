#include "gauze/patterns/job/algorithm_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "gauze/base/cpu_time.h"
#include "gauze/patterns/audit/audit_json.h"
#include "gauze/patterns/hiding/hiding_json.h"

namespace gauze::patterns {
namespace {

/// Margins as shares of the threshold: how the cost grows when patterns are pushed further down.
constexpr std::array<double, 4> kMargins = {0, 0.1, 0.25, 0.5};

Result<ComparedAlgorithm> run_at_margins(const Database& database, const SensitiveList& sensitive,
                                         HidingOptions options, Progress& progress) {
  ComparedAlgorithm compared{.algorithm = options.algorithm};
  const std::uint64_t base = options.margin;
  for (const double share : kMargins) {
    options.margin = base + static_cast<std::uint64_t>(std::floor(share * static_cast<double>(options.min_count)));
    if (!compared.runs.empty() && options.margin == compared.runs.back().margin) continue;
    if (options.algorithm == HidingAlgorithm::exact && !compared.runs.empty()) break;  // each may take its whole time
    auto run = compared_run(database, sensitive, options, progress);
    if (!run && run.error().code == ErrorCode::unsupported) {
      compared.skipped = run.error().message;
      return compared;
    }
    if (!run) return tl::unexpected(run.error());
    compared.runs.push_back(*std::move(run));
    progress.advance();
  }
  return compared;
}

/// Each warning of the runs' figures once, and that border looked at a part alone.
std::vector<Warning> warnings_of(const std::vector<ComparedAlgorithm>& algorithms) {
  std::map<std::string, Warning> warnings;
  for (const ComparedAlgorithm& one : algorithms)
    for (const ComparedRun& run : one.runs) {
      for (const Warning& warning : run.metrics.warnings()) warnings.emplace(warning.code, warning);
      for (const Warning& warning : run.result.warnings)
        if (warning.code == kPartProtected) warnings.emplace(warning.code, warning);
    }
  std::vector<Warning> result;
  for (const auto& [code, warning] : warnings) result.push_back(warning);
  return result;
}

}  // namespace

Result<ComparedRun> compared_run(const Database& database, const SensitiveList& sensitive,
                                 const HidingOptions& options, Progress& progress) {
  ComparedRun run{.margin = options.margin, .result = {}, .metrics = {}};
  const double started = cpu_seconds();
  GAUZE_TRY(run.result, hide(database, sensitive, options, progress));
  run.seconds = cpu_seconds() - started;
  GAUZE_TRY(run.metrics, measure_hiding(database, run.result.released, itemsets_of(run.result.patterns),
                                        options.min_count, options.min_support, progress));
  run.result.released = {};
  return run;
}

Json to_json(const ComparedRun& run, HidingLevel wanted) {
  Json object = Json::object({{"margin", run.margin},
                              {"marks_total", run.result.changes()},
                              {"rows_touched", run.result.rows_touched()},
                              {"level", word_of(kLevelWords, run.result.level)},
                              {"reached", run.result.level >= wanted},
                              {"hiding_failure", hiding_failure(run.result.patterns)},
                              {"seconds", run.seconds}});
  add_metrics(object, run.metrics);
  return object;
}

Result<AlgorithmComparison> compare_algorithms(const Database& database, const SensitiveList& sensitive,
                                               const HidingOptions& options,
                                               std::span<const HidingAlgorithm> algorithms, Progress& progress) {
  if (sensitive.patterns.empty()) return invalid_parameter("there is no pattern to hide");
  if (algorithms.empty()) return invalid_parameter("there is no algorithm to compare");
  AlgorithmComparison comparison{.transactions = database.rows(),
                                 .items = database.names.size(),
                                 .min_count = options.min_count,
                                 .level = options.level,
                                 .algorithms = {}};
  progress.begin("hiding", algorithms.size() * kMargins.size());
  for (const HidingAlgorithm algorithm : algorithms) {
    HidingOptions own = options;
    own.algorithm = algorithm;
    GAUZE_TRY(ComparedAlgorithm one, run_at_margins(database, sensitive, std::move(own), progress));
    comparison.algorithms.push_back(std::move(one));
  }
  std::stable_partition(comparison.algorithms.begin(), comparison.algorithms.end(),
                        [](const ComparedAlgorithm& one) { return one.skipped.empty(); });
  const std::string& reason = comparison.algorithms.front().skipped;
  if (!reason.empty()) return make_error(ErrorCode::unsupported, "{}", reason);
  comparison.warnings = warnings_of(comparison.algorithms);
  return comparison;
}

Json to_json(const AlgorithmComparison& comparison, std::string_view file) {
  Json algorithms = Json::array();
  for (const ComparedAlgorithm& one : comparison.algorithms) {
    Json object = Json::object({{"algorithm", one.name()}});
    if (!one.skipped.empty()) object.set("skipped", one.skipped);
    Json runs = Json::array();
    for (const ComparedRun& run : one.runs) runs.push(to_json(run, comparison.level));
    object.set("runs", std::move(runs));
    algorithms.push(std::move(object));
  }
  Json patterns = Json::array();
  for (const HiddenPattern& one : comparison.first_run().result.patterns)
    patterns.push(Json::object(
        {{"text", one.pattern.text}, {"before", one.before.definite}, {"min_count", one.threshold.count}}));
  return Json::object({{"kind", "patterns-comparison"},
                       {"file", file},
                       {"transactions", comparison.transactions},
                       {"items", comparison.items},
                       {"min_count", comparison.min_count},
                       {"level", word_of(kLevelWords, comparison.level)},
                       {"patterns", std::move(patterns)},
                       {"algorithms", std::move(algorithms)}});
}

PrivacyLabel comparison_label() {
  PrivacyLabel label;
  label.released.kind = "comparison of ways to hide patterns";
  label.mechanism = "measured on the original transactions";
  label.privacy_unit = "none";
  label.definition = Definition::internal;
  label.warning = "INTERNAL: not to be published";
  label.does_not_cover = {"anything: it names sensitive patterns, and every figure is computed from the original"};
  return label;
}

}  // namespace gauze::patterns
