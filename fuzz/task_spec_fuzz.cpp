// Any text is a specification of a task or an error that can be printed. A small one that is, makes a task or an error; the document of
// a task reads back as the same task, which draws reports.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/collect/encode/draw_reports.h"
#include "gauze/collect/job/collected_result.h"

using namespace gauze::collect;

namespace {

/// What its document says reads back as the same task.
void read_back(const AnyTask& any) {
  const DeviceTask& task = device_task(any);
  const std::string text = task.to_json().dump();
  const auto back = parse_any_task(text);
  if (!back || !check_any_task(*back) || device_task(*back).hash() != task.hash() ||
      device_task(*back).to_json().dump() != text)
    std::abort();
}

void draw(const Task& task, std::size_t seed) {
  if (task.payload_bytes() > 1'000) return;
  gauze::SeededRandom random(seed);
  const gauze_value value = {static_cast<int>(seed % 3), static_cast<std::int64_t>(seed % 7), nullptr, 0};
  std::vector<unsigned char> payload(task.payload_bytes());
  simulate_reports(task, random, {&value, 1}, payload.data());
}

void draw(const CentralTask& task, std::size_t seed) {
  const std::vector<gauze_value> values(task.spec().fields.size(), {static_cast<int>(seed % 3), 5, nullptr, 0});
  std::vector<unsigned char> record(task.payload_bytes());
  write_records(task, gauze::SecureRandom::of_thread(), values, record.data());
  const auto about = report_task(task);
  if (about.count(about.shape, record.data(), record.size(), 1, {}) != 0) std::abort();
}

bool is_small(const TaskSpec& spec) { return spec.size() <= 5'000; }
bool is_small(const CentralSpec& spec) {
  std::size_t values = 0;
  for (const RecordField& field : spec.fields) values += field.values.size();
  return values <= 5'000;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto spec = parse_any_task_spec({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!spec) return spec.error().message.empty() ? (std::abort(), 0) : 0;
  if (!std::visit([](const auto& one) { return is_small(one); }, *spec)) return 0;  // their document is long
  const std::uint64_t epsilon = std::visit([](const auto& one) { return one.epsilon_nano; }, *spec);
  const bool is_central = std::holds_alternative<CentralSpec>(*spec);
  const auto task = make_any_task(std::move(*spec));
  if (!task) return task.error().message.empty() ? (std::abort(), 0) : 0;
  const std::uint64_t cost = device_task(*task).cost_nano();
  if (!check_any_task(*task) || (cost == 0) != is_central || cost > epsilon) std::abort();
  read_back(*task);
  std::visit([size](const auto& one) { draw(one, size); }, *task);
  return 0;
}
