// Any text is a specification of a task or an error that can be printed. A small one that is, makes a task or an error; the document of
// a task reads back as the same task, which draws reports.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/collect/encode/draw_reports.h"
#include "gauze/collect/task/task.h"

using namespace gauze::collect;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto spec = parse_task_spec({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!spec) return spec.error().message.empty() ? (std::abort(), 0) : 0;
  if (spec->size() > 5'000) return 0;  // their document is long
  const auto task = Task::make(*spec);
  if (!task) return task.error().message.empty() ? (std::abort(), 0) : 0;
  if (!task->check() || task->cost_nano() == 0 || task->cost_nano() > spec->epsilon_nano) std::abort();
  const std::string text = task->to_json().dump();
  const auto back = Task::parse(text);
  if (!back || !back->check() || back->hash() != task->hash() || back->to_json().dump() != text) std::abort();
  if (task->payload_bytes() > 1'000) return 0;
  gauze::SeededRandom random(size);
  const gauze_value value = {static_cast<int>(size % 3), static_cast<std::int64_t>(size % 7), nullptr, 0};
  std::vector<unsigned char> payload(task->payload_bytes());
  simulate_reports(*task, random, {&value, 1}, payload.data());
  return 0;
}
