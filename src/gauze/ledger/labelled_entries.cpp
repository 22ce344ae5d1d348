// Which charge a label belongs to, and which charges have none.
#include <charconv>

#include "gauze/ledger/internal/ledger_parts.h"

namespace gauze {

namespace {

tl::unexpected<Error> misfit(std::string_view reason) {
  return make_error(ErrorCode::bad_data, "the label does not fit the ledger: {}", reason);
}

Result<std::int64_t> number_of(const PrivacyLabel& label) {
  if (!label.budget.recorded) return misfit("it says that its release was not recorded");
  const std::string& text = label.budget.entry;
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number < 1) {
    return misfit("it names no entry");
  }
  return number;
}

/// An amount of a label in units; a label rounds up to decimals, a charge up to units.
std::int64_t units_of(const std::optional<std::string>& amount, Currency currency) {
  const auto value = amount ? Rational::parse(*amount) : Result<Rational>(Rational());
  return value ? units_up(*value, currency).value_or(-1) : -1;
}

bool states_cost(const PrivacyLabel& label, const Charge& charge) {
  if (charge.kind == Charge::Kind::rho) {
    // Beside a rho without a delta, that of a label belongs to the epsilon it is converted into.
    return units_of(label.cost.rho, Currency::rho) == charge.amount &&
           (charge.delta == 0 || units_of(label.cost.delta, Currency::delta) == charge.delta);
  }
  return charge.kind == Charge::Kind::epsilon && units_of(label.cost.epsilon, Currency::epsilon) == charge.amount &&
         units_of(label.cost.delta, Currency::delta) == charge.delta;
}

Result<void> compare(const PrivacyLabel& label, const Entry& entry, const Balance& dataset) {
  if (!entry.is_charge()) return misfit("the entry it names is not a charge");
  if (entry.dataset != label.budget.dataset) return misfit("the entry it names is about another dataset");
  if (!states_cost(label, entry.charge)) return misfit("it states another cost than was charged");
  const std::string& unit = entry.is_of_format_1() ? dataset.terms->unit : entry.unit;
  if (label.privacy_unit != unit) return misfit("it is about another privacy unit than the charge");
  if (!entry.is_of_format_1() && label.neighbours != entry.neighbours) {
    return misfit("it is about other neighbours than the charge");
  }
  return {};
}

Result<ChainedEntry> read_entry(SqliteFile& file, std::int64_t number) {
  GAUZE_TRY(SqliteStatement row, file.prepare("SELECT entry, time, dataset, body, previous, hash FROM entries "
                                              "WHERE entry = ?"));
  GAUZE_TRY(const bool found, row.bind(number).step());
  if (!found) return misfit("the ledger has no entry of the number it names");
  GAUZE_TRY(Entry entry, internal::stored_entry(row));
  return ChainedEntry{.entry = std::move(entry), .hash = row.text(5)};
}

}  // namespace

Result<ChainedEntry> Ledger::entry_of(const PrivacyLabel& label) const {
  GAUZE_TRY(const std::int64_t number, number_of(label));
  GAUZE_TRY(ChainedEntry chained, read_entry(*parts_->file, number));
  GAUZE_TRY(const Balance dataset, balance(chained.entry.dataset));
  GAUZE_TRY_VOID(compare(label, chained.entry, dataset));
  return chained;
}

Result<bool> Ledger::is_committed(std::int64_t entry) const {
  GAUZE_TRY(SqliteStatement row, parts_->file->prepare("SELECT committed_by FROM reservations WHERE entry = ?"));
  GAUZE_TRY(const bool reserved, row.bind(entry).step());
  if (!reserved || !row.is_null(0)) return true;
  GAUZE_TRY(const std::int64_t steps, internal::persisted_steps(*parts_->file, entry));
  return steps > 0;
}

Result<std::vector<ChainedEntry>> Ledger::committed_charges(const std::string& dataset) const {
  GAUZE_TRY(
      SqliteStatement row,
      parts_->file->prepare("SELECT entry, time, entries.dataset, body, previous, hash, committed_by FROM entries "
                            "LEFT JOIN reservations USING (entry) WHERE entries.dataset = ? ORDER BY entry"));
  row.bind(dataset);
  std::vector<ChainedEntry> charges;
  for (;;) {
    GAUZE_TRY(const bool more, row.step());
    if (!more) return charges;
    GAUZE_TRY(Entry entry, internal::stored_entry(row));
    bool committed = entry.kind == EntryKind::spend || (entry.kind == EntryKind::reserve && !row.is_null(6));
    if (entry.planned_steps != 0 && !committed) {
      GAUZE_TRY(const std::int64_t steps, internal::persisted_steps(*parts_->file, entry.number));
      committed = steps > 0;
    }
    if (committed) charges.push_back({.entry = std::move(entry), .hash = row.text(5)});
  }
}

}  // namespace gauze
