// Any text is the document of a task or an error that can be printed. One that is, is written as a document that reads back as the same
// task.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gauze/collect/task/any_task.h"

using namespace gauze::collect;

namespace {

void read_back(const DeviceTask& task) {
  const std::string text = task.to_json().dump();
  const auto back = parse_any_task(text);
  if (!back || device_task(*back).hash() != task.hash() || device_task(*back).to_json().dump() != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto any = parse_any_task({reinterpret_cast<const char*>(data), size});
  if (!any) return any.error().message.empty() ? (std::abort(), 0) : 0;
  const DeviceTask& task = device_task(*any);
  const auto claim = task.check_claim();
  if (claim.has_value() != (task.cost_nano() <= task.terms().epsilon_nano)) std::abort();
  if ((task.cost_nano() == 0) != std::holds_alternative<CentralTask>(*any)) std::abort();
  static_cast<void>(check_any_task(*any));
  read_back(task);
  return 0;
}
