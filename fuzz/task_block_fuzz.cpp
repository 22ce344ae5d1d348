// Any 256 bytes are a task or none, and any 512 a central one or none. One that is, has a cost within its law's bounds and a payload in its limits, and draws a report of
// that size from random bytes, or none when they fail. The checksum is put right, or nothing would get behind it.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gauze/encoder/testing/central_blocks.h"

namespace {

using namespace gauze::encoder_testing;

void draw(const gauze_task& task, const gauze_value& value, std::uint64_t seed, std::size_t fails_at) {
  SeededBytes bytes(seed, fails_at);
  GuardedPayload payload(gauze_payload_size(&task));
  const int result = gauze_draw_report(&task, SeededBytes::call, &bytes, &value, payload.data());
  if (!payload.is_intact()) std::abort();
  if (result == GAUZE_OK) return;
  if (result != GAUZE_E_RANDOM || fails_at == SIZE_MAX) std::abort();
  for (const char byte : payload.text())
    if (byte != 0) std::abort();
}

/// A central task writes a record of its size, whatever it is given.
void try_central(const std::uint8_t* data, std::size_t size) {
  std::string block(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 508));
  block.resize(512);
  sign_central(block);
  gauze_task task;
  if (load_central(task, block) != GAUZE_OK) return;
  if (task.field_count == 0 || task.cost_nano != 0) std::abort();
  GuardedPayload record(gauze_payload_size(&task));
  std::vector<gauze_value> values(task.field_count, {data[0] % 3, 0, nullptr, 0});
  for (gauze_value& value : values) std::memcpy(&value.number, data + 200, 8);
  SeededBytes bytes(data[99], data[100] % 4 == 0 ? 0 : SIZE_MAX);
  const int result = gauze_write_record(&task, SeededBytes::call, &bytes, values.data(), record.data());
  if (!record.is_intact() || (result != GAUZE_OK && result != GAUZE_E_RANDOM)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gauze_task task;
  if (gauze_task_load(&task, data, size) == GAUZE_OK && size != GAUZE_TASK_BLOCK && size != GAUZE_CENTRAL_BLOCK)
    std::abort();
  if (size < 228) return 0;
  try_central(data, size);
  Block block = {};
  std::memcpy(block.data(), data, 228);
  sign(block);
  const int result = gauze_task_load(&task, block.data(), block.size());
  std::uint64_t cost = 0;
  if (result != GAUZE_OK) {
    if (result != GAUZE_E_TASK || gauze_payload_size(&task) != 0 ||
        gauze_task_cost(&task, &cost, nullptr) == GAUZE_OK)
      std::abort();
    return 0;
  }
  if (gauze_task_cost(&task, &cost, nullptr) != GAUZE_OK || cost == 0) std::abort();
  const Real exact = exact_cost_nano(task.mechanism, {task.law[0], task.law[1], task.law[2]});
  if (!(exact <= Real(whole(cost))) || !(Real(whole(cost)) <= exact + Real(1.01))) std::abort();
  const std::size_t bytes = gauze_payload_size(&task);
  if (bytes == 0 || bytes > GAUZE_LARGEST_PAYLOAD) std::abort();
  if (task.mechanism == GAUZE_SHE && task.size > 200) return 0;  // a second of noise
  gauze_value value = {static_cast<int>(data[0] % 3), 0, nullptr, 0};
  std::memcpy(&value.number, data + 200, 8);
  for (const std::int64_t v : {value.number, std::int64_t{0}, task.low}) {
    value.number = v;
    draw(task, value, data[99], SIZE_MAX);
    draw(task, value, data[99], data[100] % 8);
  }
  return 0;
}
