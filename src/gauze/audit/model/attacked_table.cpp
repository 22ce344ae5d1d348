#include "gauze/audit/model/attacked_table.h"

#include "gauze/base/utf8.h"

namespace gauze::audit {

AttackedTable::AttackedTable(const schema::LearnPolicy& policy, learn::InputEncoding encoding,
                             table::DecimalSign sign, const std::vector<std::string>& null_tokens)
    : rows_(policy, encoding, sign, null_tokens), columns_(policy.columns()), learnt_columns_(columns_.size()) {
  for (const schema::LearnGroup& group : policy.groups) {
    columns_.push_back(group.column);
    Group known;
    learn::TextCodes codes;
    const std::string prefix = policy.groups.size() > 1 ? group.column + "=" : "";
    for (const std::string& value : group.values) {
      codes.add(value, static_cast<std::uint32_t>(known.values.size()));
      known.values.push_back(prefix + value);
    }
    codes.add_spellings(group.same);
    known.values.push_back(prefix + "other");
    codes_.push_back(std::move(codes));
    groups_.push_back(std::move(known));
  }
}

void AttackedTable::add(std::span<const std::string_view> cells) {
  ++place_;
  const std::size_t units = rows_.units();
  rows_.add(cells.first(learnt_columns_));
  if (rows_.units() > units) note_unit(cells.subspan(learnt_columns_));
}

void AttackedTable::add_unreadable() {
  ++place_;
  const std::size_t units = rows_.units();
  rows_.add_unreadable();
  if (rows_.units() > units) note_unit(std::vector<std::string_view>(groups_.size()));
}

void AttackedTable::note_unit(std::span<const std::string_view> protected_cells) {
  places_.push_back(place_);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto other = static_cast<std::uint32_t>(groups_[i].values.size() - 1);
    groups_[i].of_unit.push_back(codes_[i].find(trimmed(protected_cells[i]), other));
  }
}

}  // namespace gauze::audit
