// Any text is the document of a task or an error that can be printed. One that is, is written as a document that reads back as the same
// task.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/collect/task/task.h"

using gauze::collect::Task;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto task = Task::parse({reinterpret_cast<const char*>(data), size});
  if (!task) return task.error().message.empty() ? (std::abort(), 0) : 0;
  const auto claim = task->check_claim();
  if (claim.has_value() != (task->cost_nano() <= task->spec().epsilon_nano)) std::abort();
  static_cast<void>(task->check());
  const std::string text = task->to_json().dump();
  const auto back = Task::parse(text);
  if (!back || back->hash() != task->hash() || back->to_json().dump() != text) std::abort();
  return 0;
}
