// Any text is the body of a query or an error that can be printed; one that is, has a price, a label that keeps the rules, and an answer from
// any bytes as records. The bytes behind the first line are the records.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/collect/central/testing/stored_records.h"

using namespace gauze;
using namespace gauze::collect;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const CentralTask task = central_testing::some_task(2);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view body = bytes.substr(0, bytes.find('\n'));
  const auto json = read_json(body);
  if (!json) return 0;
  const auto query = CentralQuery::parse(task, *json, {10, 12});
  if (!query) return query.error().message.empty() ? (std::abort(), 0) : 0;
  if (!query->cost().is_chargeable() || !query->label().check_rules()) std::abort();
  central_testing::StoredRecords records;
  records.add(query->options().from, std::string(bytes.substr(body.size())));
  SeededRandom random(size);
  const auto answer = query->simulate(records, random);
  if (!answer || answer->values.empty() || answer->to_json().dump().empty()) std::abort();
  return 0;
}
