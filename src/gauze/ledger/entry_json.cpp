#include <array>
#include <ctime>

#include "gauze/ledger/ledger.h"

namespace gauze {
namespace {

void set_outcome(Json& json, const Entry& entry) {
  if (!entry.label_sha256.empty()) json.set("label_sha256", entry.label_sha256);
  if (!entry.output_sha256.empty()) json.set("output_sha256", entry.output_sha256);
  if (!entry.answer_sha256.empty()) json.set("answer_sha256", entry.answer_sha256);
}

}  // namespace

std::string time_text(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  std::array<char, 32> text{};
  if (gmtime_r(&time, &parts) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

Json entry_json(const ChainedEntry& chained, const DatasetTerms& terms) {
  const Entry& entry = chained.entry;
  Json json = Json::object({{"entry", entry.number},
                            {"time", time_text(entry.time)},
                            {"kind", to_string(entry.kind)},
                            {"dataset", entry.dataset}});
  switch (entry.kind) {
    case EntryKind::create:
      json.set("total", terms.total_json()).set("accountant", terms.accountant.name()).set("unit", terms.unit);
      json.set("neighbours", terms.neighbours ? Json(to_string(*terms.neighbours)) : Json());
      break;
    case EntryKind::reserve:
    case EntryKind::spend:
      json.set("analyst", entry.analyst).set("purpose", entry.purpose).set("charge", entry.charge.to_json());
      if (!entry.is_of_format_1()) {
        json.set("unit", entry.unit).set("neighbours", to_string(entry.neighbours));
        json.set("charged", entry.charged.to_json());
      }
      json.set("cost", cost_json(entry.cost, terms)).set("spent", cost_json(entry.spent, terms));
      if (entry.corrects) json.set("corrects", *entry.corrects);
      if (!entry.request.empty()) json.set("request", entry.request).set("request_digest", entry.request_digest);
      if (entry.planned_steps != 0) json.set("planned_steps", entry.planned_steps);
      set_outcome(json, entry);
      break;
    case EntryKind::declare:
      json.set("neighbours", to_string(entry.neighbours));
      break;
    case EntryKind::commit:
      json.set("reservation", entry.reservation);
      set_outcome(json, entry);
      break;
    case EntryKind::progress:
      json.set("reservation", entry.reservation).set("steps", entry.steps);
      break;
    case EntryKind::share:
    case EntryKind::delegate:
      json.set("analyst", entry.analyst);
      if (entry.kind == EntryKind::delegate) json.set("receiver", entry.receiver);
      json.set("share", Json::number(decimal_of(entry.share, Currency::share)));
      break;
  }
  return json.set("hash", chained.hash);
}

}  // namespace gauze
