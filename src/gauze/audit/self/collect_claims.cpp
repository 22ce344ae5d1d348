#include "gauze/audit/events/event_audit.h"
#include "gauze/audit/self/internal/claim_lists.h"
#include "gauze/collect/encode/draw_reports.h"
#include "gauze/collect/job/collected_result.h"

namespace gauze::audit::internal {
namespace {

constexpr std::uint64_t kCollectRuns = 20'000;
constexpr std::uint64_t kBillion = 1'000'000'000;
constexpr std::uint32_t kValues = 8;

Result<collect::Task> task_of(std::string_view mechanism, bool variance) {
  const collect::LocalMechanism* found = collect::find_local_mechanism(mechanism);
  collect::TaskSpec spec;
  spec.name = "audit";
  spec.question = found->question;
  spec.mechanism = mechanism;
  spec.epsilon_nano = kBillion;
  spec.variance = variance;
  if (spec.question == collect::Question::frequency) {
    GAUZE_TRY(spec.values, collect::ValueList::numbered(kValues));
  } else {
    GAUZE_TRY(spec.number, collect::NumberField::make(0, 100, 0, variance));
  }
  return collect::Task::make(std::move(spec));
}

/// What one report says for an estimator: which part of the question it answers, then what supports each value, or a figure.
class ReportReader {
 public:
  explicit ReportReader(const collect::Task& task) : task_(task), counting_(collect::report_task(task)) {}

  [[nodiscard]] std::size_t bytes() const { return counting_.report_bytes(); }
  [[nodiscard]] std::vector<double> numbers(const unsigned char* report) const {
    std::vector<double> numbers;
    if (counting_.has_part_byte) numbers.push_back(*report++);
    std::vector<std::int64_t> cells(counting_.cells);
    counting_.count(counting_.shape, report, counting_.report_bytes(), 1, cells);
    if (task_.mechanism().mean != nullptr) {
      numbers.push_back(task_.mechanism().mean->figures(cells, 1, task_.law()).mean);
      return numbers;
    }
    for (const std::int64_t support : task_.mechanism().frequency->supports(cells, task_.law()))
      numbers.push_back(static_cast<double>(support));
    return numbers;
  }

 private:
  const collect::Task& task_;
  collect::ReportTask counting_;
};

/// Any two values of a device are neighbours: the ends of a range, or two categories.
Result<ClaimAudit> audit_task(const collect::Task& task, const SelfAuditRequest& request, Progress& progress) {
  const ReportReader reader(task);
  OutcomePair pair;
  const bool is_mean = task.mechanism().mean != nullptr;
  const auto draw = [&](Outcomes& side, std::int64_t value, std::uint64_t stream) {
    const std::vector<gauze_value> values(
        request.runs(kCollectRuns),
        gauze_value{.kind = is_mean ? 1 : 0, .number = value, .text = nullptr, .length = 0});
    std::vector<unsigned char> reports(values.size() * reader.bytes());
    request.random.draw(
        stream, [&](SecureRandom& secure) { collect::draw_reports(task, secure, values, reports.data()); },
        [&](SeededRandom& seeded) { collect::simulate_reports(task, seeded, values, reports.data()); });
    for (std::size_t i = 0; i < values.size(); ++i)
      side.add_numbers(reader.numbers(reports.data() + i * reader.bytes()));
  };
  progress.begin("reporting", 0);
  draw(pair.left, is_mean ? task.spec().number.low : 0, 0);
  draw(pair.right, is_mean ? task.spec().number.high : 1, kRightStreams);
  if (task.spec().variance) pair.names = {"the part", "the figure"};
  return audit_outcomes(
      pair, {.claimed = {.epsilon = static_cast<double>(task.spec().epsilon_nano) / static_cast<double>(kBillion),
                         .delta = 0},
             .levels = request.levels});
}

SelfClaim claim_of_collect(std::string_view mechanism, bool variance) {
  return {fmt::format("collect {}{}", mechanism, variance ? ", with variance" : ""),
          {"collect encode", "collect aggregate", "collect estimate", "collect simulate"},
          [name = std::string(mechanism), variance](const SelfAuditRequest& request,
                                                    Progress& progress) -> Result<ClaimAudit> {
            GAUZE_TRY(const collect::Task task, task_of(name, variance));
            return audit_task(task, request, progress);
          }};
}

}  // namespace

std::vector<SelfClaim> collect_claims() {
  std::vector<SelfClaim> claims;
  for (const collect::LocalMechanism* mechanism : collect::local_mechanisms()) {
    claims.push_back(claim_of_collect(mechanism->name, false));
    if (mechanism->question == collect::Question::mean) claims.push_back(claim_of_collect(mechanism->name, true));
  }
  return claims;
}

}  // namespace gauze::audit::internal
