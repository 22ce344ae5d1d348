// Any bytes give a ledger or a bad_data error that is safe to print; a ledger that was read obeys every rule, so its
// charges add up to its balances within its totals. The bytes are tried as an export, and each line of them as the
// body of an entry in a chain whose hashes fit, so that the search gets past the hashes.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "gauze/label/printable_text.h"
#include "gauze/ledger/internal/ledger_parts.h"

namespace {

std::string chained(std::string_view text) {
  std::string lines;
  std::string head = gauze::genesis_hash();
  std::size_t count = 0;
  while (!text.empty()) {
    const std::string body(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), body.size() + 1));
    const std::string hash = gauze::chain_hash(head, body);
    lines += fmt::format(R"({{"previous":"{}","hash":"{}","body":{}}})", head, hash, body);
    lines += '\n';
    head = hash;
    ++count;
  }
  return R"({"format":"gauze-ledger","version":3,"entries":)" + std::to_string(count) + R"(,"head":")" + head +
         "\"}\n" + lines;
}

void check(const gauze::internal::ImportedLedger& imported) {
  std::map<std::string, gauze::Cost> sums;
  for (const auto& line : imported.lines) {
    const auto again = gauze::Entry::parse(line.body);
    if (!again || again->canonical() != line.body) std::abort();
    if (!line.entry.is_charge()) continue;
    sums[line.entry.dataset].amount += line.entry.cost.amount;
    sums[line.entry.dataset].delta += line.entry.cost.delta;
  }
  for (const auto& [name, state] : imported.replay.accounts().datasets) {
    const gauze::Cost& capacity = state.terms->capacity;
    if (state.spent.amount != sums[name].amount || state.spent.delta != sums[name].delta) std::abort();
    if (state.spent.amount > capacity.amount || state.spent.delta > capacity.delta) std::abort();
    if (!gauze::is_printable(state.balance(gauze::kLastTime).left_json().dump())) std::abort();
  }
}

void try_export(std::string_view text) {
  const auto imported = gauze::internal::read_export(text);
  if (imported) return check(*imported);
  if (imported.error().code != gauze::ErrorCode::bad_data || !gauze::is_printable(imported.error().message)) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_export(text);
  try_export(chained(text));
  return 0;
}
