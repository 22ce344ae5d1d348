#include "gauze/patterns/baskets/internal/row_changes.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "gauze/patterns/baskets/internal/basket_parser.h"
#include "gauze/patterns/baskets/internal/line_cells.h"

namespace gauze::patterns::internal {
namespace {

using Kind = BasketCell::Kind;

std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  state = (state ^ value) + 0x9e3779b97f4a7c15;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
  return state ^ (state >> 31);
}

std::uint64_t mixed(std::uint64_t state, std::string_view text) {
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    state = mixed(state, word);
  }
  std::uint64_t word = text.size();
  for (const char c : text) word = word << 8 | static_cast<unsigned char>(c);
  return mixed(state, word);
}

bool is_number(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Names as numbers if they all are, else byte by byte.
struct NameOrder {
  bool numbers = false;
  bool operator()(std::string_view a, std::string_view b) const {
    if (!numbers) return a < b;
    while (a.size() > 1 && a.front() == '0') a.remove_prefix(1);
    while (b.size() > 1 && b.front() == '0') b.remove_prefix(1);
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

/// An item that is marked though it is absent, and the cell it is written before.
struct Decoy {
  Item item = 0;
  std::string_view name;
  std::size_t slot = 0;
  std::uint64_t draw = 0;
};

tl::unexpected<Error> has_already(std::size_t row) {
  return invalid_parameter("transaction {} holds or marks the item already: it cannot have a decoy", row + 1);
}

tl::unexpected<Error> has_not(std::size_t row) {
  return invalid_parameter("transaction {} does not hold the item that is to be hidden in it", row + 1);
}

/// One row on its way into the release.
class RowWriter {
 public:
  RowWriter(const BasketFile& file, std::size_t row, MarkStyle style)
      : file_(file),
        row_(row),
        style_(style),
        rules_(cell_rules(file.format(), file.delimiter())),
        cells_(file.cells(row)),
        fates_(cells_.size()) {}

  Result<void> apply(std::span<const Edit> edits, const DecoyPlaces& places) {
    std::vector<Decoy> decoys;
    for (const Edit& edit : edits) {
      const std::string& name = file_.database().names[edit.item];
      const bool found = set_fates(edit, name);
      if (edit.operation == Operation::decoy) {
        if (found) return has_already(row_);
        decoys.push_back({edit.item, name});
      } else if (!found) {
        return has_not(row_);
      }
    }
    place(std::move(decoys), places);
    return {};
  }

  std::vector<Change> line_changes() const;
  std::vector<Change> long_changes() const;
  Result<std::vector<Change>> matrix_changes(std::span<const Edit> edits) const;

 private:
  enum class Fate { kept, marked, removed };

  /// What becomes of the cells of an item; false when it has none. An edit is about all of them: an item that is there
  /// twice, or also marked, must not stay because of the second.
  bool set_fates(const Edit& edit, const std::string& name) {
    bool found = false;
    bool marked = false;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const BasketCell& cell = cells_[i];
      if (cell.name != name || (cell.kind != Kind::item && cell.kind != Kind::mark)) continue;
      found = true;
      if (edit.operation == Operation::remove) fates_[i] = {Fate::removed, edit.item};
      if (edit.operation != Operation::mark) continue;
      if (cell.kind == Kind::item && (style_ == MarkStyle::anchored || !marked)) {
        fates_[i] = {Fate::marked, edit.item};
        marked = true;
      } else if (style_ == MarkStyle::anonymous && has_item(name)) {
        fates_[i] = {Fate::removed, edit.item};  // one item, one anonymous mark
      }
    }
    return found;
  }

  [[nodiscard]] bool has_item(const std::string& name) const {
    return std::any_of(cells_.begin(), cells_.end(),
                       [&](const BasketCell& cell) { return cell.kind == Kind::item && cell.name == name; });
  }

  /// Decoys among the cells: where they belong if the row is in rising order, else wherever the draw puts them.
  void place(std::vector<Decoy> decoys, const DecoyPlaces& places) {
    if (decoys.empty()) return;
    const auto named = [](const BasketCell& cell) { return cell.kind == Kind::item || cell.kind == Kind::mark; };
    NameOrder before{true};
    for (const BasketCell& cell : cells_) before.numbers = before.numbers && (!named(cell) || is_number(cell.name));
    for (const Decoy& one : decoys) before.numbers = before.numbers && is_number(one.name);
    bool rising = true;
    const BasketCell* last = nullptr;
    for (const BasketCell& cell : cells_) {
      if (!named(cell)) continue;
      rising = rising && (last == nullptr || !before(cell.name, last->name));
      last = &cell;
    }
    for (Decoy& one : decoys) {
      one.draw = places.draw(row_, one.name);
      one.slot = one.draw % (cells_.size() + 1);
      if (!rising) continue;
      const auto larger = std::find_if(cells_.begin(), cells_.end(), [&](const BasketCell& cell) {
        return named(cell) && before(one.name, cell.name);
      });
      one.slot = static_cast<std::size_t>(larger - cells_.begin());
    }
    std::sort(decoys.begin(), decoys.end(), [&](const Decoy& a, const Decoy& b) {
      if (a.slot != b.slot) return a.slot < b.slot;
      return !rising && a.draw != b.draw ? a.draw < b.draw : before(a.name, b.name);
    });
    decoys_ = std::move(decoys);
  }

  [[nodiscard]] std::string mark_text(std::string_view name) const {
    return style_ == MarkStyle::anonymous ? "?" : written_name(name, true, rules_);
  }

  [[nodiscard]] Change marked(std::size_t i) const {
    const BasketCell& cell = cells_[i];
    if (style_ == MarkStyle::anonymous) return {cell.begin, cell.end, "?", "anonymous", fates_[i].item, row_};
    std::string text = file_.bytes().substr(cell.begin, cell.end - cell.begin);
    text.insert(rules_.with_quotes && text.front() == '"' ? 1 : 0, "?");
    return {cell.begin, cell.end, std::move(text), "anchored", fates_[i].item, row_};
  }

  /// What stands between the first two cells, if that is one separator and nothing else.
  [[nodiscard]] std::string separator() const {
    const std::string plain(1, file_.format() == BasketFormat::dat ? ' ' : rules_.delimiter);
    if (cells_.size() < 2) return plain;
    const std::string gap = file_.bytes().substr(cells_[0].end, cells_[1].begin - cells_[0].end);
    const bool one = file_.format() == BasketFormat::dat || std::count(gap.begin(), gap.end(), rules_.delimiter) == 1;
    return one ? gap : plain;
  }

  [[nodiscard]] std::string line_end_of(const BasketCell& cell) const {
    const std::string& bytes = file_.bytes();
    const std::size_t stop = bytes.find('\n', cell.line_end);
    if (stop != std::string::npos) return bytes.substr(cell.line_end, stop + 1 - cell.line_end);
    const std::size_t first = bytes.find('\n');  // of the header
    return first > 0 && bytes[first - 1] == '\r' ? "\r\n" : "\n";
  }

  struct CellFate {
    Fate fate = Fate::kept;
    Item item = 0;
  };
  const BasketFile& file_;
  std::size_t row_;
  MarkStyle style_;
  CellRules rules_;
  std::vector<BasketCell> cells_;
  std::vector<CellFate> fates_;
  std::vector<Decoy> decoys_;
};

/// A line of dat or csv. The separator before a cell belongs to the cell: it goes and comes with it. Of what is left the
/// first has none.
std::vector<Change> RowWriter::line_changes() const {
  std::vector<Change> changes;
  const std::string between = separator();
  const auto [line_begin, line_end] = file_.line(row_);
  const bool has_only_empty_cells =
      cells_.empty() &&
      std::string_view(file_.bytes()).substr(line_begin, line_end - line_begin).find_first_not_of(" \t") !=
          std::string_view::npos;
  bool any_visible = false;  // written before, in this line
  std::size_t next_decoy = 0;
  for (std::size_t i = 0; i <= cells_.size(); ++i) {
    const bool keeps_first = i == 0 && !cells_.empty() && fates_[0].fate != Fate::removed;
    for (; next_decoy < decoys_.size() && decoys_[next_decoy].slot == i; ++next_decoy) {
      const Decoy& one = decoys_[next_decoy];
      std::string text = mark_text(one.name);
      if (keeps_first)
        text += between;
      else if (any_visible)
        text.insert(0, between);
      const std::size_t at = i > 0 ? cells_[i - 1].end : !cells_.empty() ? cells_[0].begin : line_begin;
      if (has_only_empty_cells && next_decoy + 1 == decoys_.size()) text += between;
      changes.push_back({at, at, std::move(text), "decoy", one.item, row_});
      any_visible = true;
    }
    if (i == cells_.size()) break;
    if (fates_[i].fate == Fate::removed) {
      Change change{i > 0 ? cells_[i - 1].end : cells_[0].begin, cells_[i].end, "", "delete", fates_[i].item, row_};
      const bool next_is_first = !any_visible && i + 1 < cells_.size() && fates_[i + 1].fate != Fate::removed &&
                                 !(next_decoy < decoys_.size() && decoys_[next_decoy].slot == i + 1);
      if (next_is_first) {
        change.end = cells_[i + 1].begin;
        // A line that begins with # would be a comment, and a file that begins with a byte order mark would lose it.
        const std::string_view rest = std::string_view(file_.bytes()).substr(change.end);
        const bool read_otherwise = rest.starts_with('#') || (line_begin == 0 && rest.starts_with("\xEF\xBB\xBF"));
        if (read_otherwise && cells_[0].begin == line_begin) --change.end;
      }
      changes.push_back(std::move(change));
      continue;
    }
    any_visible = true;
    if (fates_[i].fate == Fate::marked) changes.push_back(marked(i));
  }
  return changes;
}

/// The lines of a long table. A line that is deleted goes with its end, but the transaction must stay where it is among the
/// others: if no line before the next transaction's first is left, the first stays with an empty cell.
std::vector<Change> RowWriter::long_changes() const {
  std::vector<Change> changes;
  const std::string& bytes = file_.bytes();
  const std::size_t next_row = row_ + 1 < file_.database().rows() ? file_.line(row_ + 1).first : std::string::npos;
  const auto anchor = [&](const Decoy& one) { return std::min(one.slot, cells_.size() - 1); };
  bool stays = false;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    stays = stays || (fates_[i].fate != Fate::removed && cells_[i].line_begin < next_row);
  for (const Decoy& one : decoys_) stays = stays || cells_[anchor(one)].line_begin < next_row;
  const auto decoy_line = [&](const Decoy& one) {
    const BasketCell& cell = cells_[anchor(one)];
    return bytes.substr(cell.line_begin, cell.begin - cell.line_begin) + mark_text(one.name) +
           bytes.substr(cell.end, cell.line_end - cell.end);
  };
  std::size_t next_decoy = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const BasketCell& cell = cells_[i];
    for (; next_decoy < decoys_.size() && decoys_[next_decoy].slot == i; ++next_decoy) {
      const Decoy& one = decoys_[next_decoy];
      changes.push_back(
          {cell.line_begin, cell.line_begin, decoy_line(one) + line_end_of(cell), "decoy", one.item, row_});
    }
    if (fates_[i].fate == Fate::marked) changes.push_back(marked(i));
    if (fates_[i].fate != Fate::removed) continue;
    if (i == 0 && !stays) {
      changes.push_back({cell.begin, cell.end, "", "delete", fates_[i].item, row_});
      continue;
    }
    const std::size_t stop = bytes.find('\n', cell.line_end);
    changes.push_back(
        {cell.line_begin, stop == std::string::npos ? bytes.size() : stop + 1, "", "delete", fates_[i].item, row_});
  }
  if (next_decoy == decoys_.size()) return changes;
  const BasketCell& last = cells_.back();
  const std::size_t stop = bytes.find('\n', last.line_end);
  const bool open_end = stop == std::string::npos;
  bool own_line = open_end && !changes.empty() && changes.back().begin == last.line_begin &&
                  changes.back().end == bytes.size() && changes.back().operation == "delete";
  for (; next_decoy < decoys_.size(); ++next_decoy) {
    const Decoy& one = decoys_[next_decoy];
    const std::size_t at = open_end ? bytes.size() : stop + 1;
    const std::string line = decoy_line(one);
    std::string text = !open_end ? line + line_end_of(last) : own_line ? line : line_end_of(last) + line;
    own_line = false;
    changes.push_back({at, at, std::move(text), "decoy", one.item, row_});
  }
  return changes;
}

Result<std::vector<Change>> RowWriter::matrix_changes(std::span<const Edit> edits) const {
  if (cells_.empty())
    return invalid_parameter("transaction {} is a blank line of the matrix: nothing can be marked in it", row_ + 1);
  std::vector<Change> changes;
  for (const BasketCell& cell : cells_) {
    const auto edit = std::find_if(edits.begin(), edits.end(),
                                   [&](const Edit& one) { return file_.database().names[one.item] == cell.name; });
    if (edit == edits.end()) continue;
    const bool is_decoy = edit->operation == Operation::decoy;
    if (is_decoy && cell.kind != Kind::none) return has_already(row_);
    if (!is_decoy && cell.kind == Kind::none) return has_not(row_);
    if (cell.kind == Kind::mark && edit->operation == Operation::mark) continue;
    changes.push_back(
        {cell.begin, cell.end, edit->operation == Operation::remove ? "0" : "?", "cell", edit->item, row_});
  }
  return changes;
}

}  // namespace

DecoyPlaces::DecoyPlaces(std::string_view original) : key_(mixed(original.size(), original)) {}

std::uint64_t DecoyPlaces::draw(std::size_t row, std::string_view name) const {
  return mixed(mixed(mixed(key_, row), name), key_);
}

Result<std::vector<Change>> row_changes(const BasketFile& file, std::size_t row, std::span<const Edit> edits,
                                        MarkStyle style, const DecoyPlaces& places) {
  RowWriter writer(file, row, style);
  if (file.format() == BasketFormat::matrix) return writer.matrix_changes(edits);
  GAUZE_TRY_VOID(writer.apply(edits, places));
  return file.format() == BasketFormat::long_table ? writer.long_changes() : writer.line_changes();
}

}  // namespace gauze::patterns::internal
