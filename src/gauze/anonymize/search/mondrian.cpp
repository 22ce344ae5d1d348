#include "gauze/anonymize/search/mondrian.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "gauze/anonymize/classes/class_judge.h"
#include "gauze/base/rational.h"
#include "gauze/schema/hierarchies/kinds/dates.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

/// The ground values of a quasi-identifier along a line.
struct Axis {
  bool has_ranges = false;          // numbers or ISO dates: a stretch of the line is written as its ends
  bool missing_first = false;       // rank 0 is "missing", before the others
  std::vector<std::uint32_t> rank;  // of each ground value
  std::vector<std::uint32_t> row;   // of each rank
};

// 2024-05-17, and a day of the calendar.
bool is_iso_date(const std::string& text) {
  return text.size() == 10 && text[4] == '-' && text[7] == '-' && parse_date(text, std::nullopt).has_value();
}

Axis make_axis(const QuasiIdentifier& quasi) {
  const Hierarchy& hierarchy = *quasi.hierarchy;
  const std::optional<std::uint32_t> missing = quasi.missing;
  Axis axis;
  axis.row.resize(hierarchy.size());
  std::iota(axis.row.begin(), axis.row.end(), 0U);
  std::vector<Rational> numbers(hierarchy.size());
  bool numeric = hierarchy.size() > (missing ? 2U : 1U);
  bool dates = numeric;
  for (std::uint32_t row = 0; row < hierarchy.size(); ++row) {
    if (row == missing) continue;
    const std::string& text = hierarchy.text(0, row);
    dates = dates && is_iso_date(text);
    if (!numeric) continue;
    auto number = table::parse_number(text, quasi.decimal);
    numeric = number.has_value();
    if (number) numbers[row] = *std::move(number);
  }
  axis.has_ranges = numeric || dates;
  // Values that share a parent lie side by side, from the top of the tree down.
  std::stable_sort(axis.row.begin(), axis.row.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (axis.has_ranges && (a == missing || b == missing)) return a == missing && b != missing;
    if (numeric) return numbers[a] < numbers[b];
    if (dates) return hierarchy.text(0, a) < hierarchy.text(0, b);  // ISO dates sort as texts do
    for (int level = hierarchy.height(); level >= 0; --level)
      if (hierarchy.code(level, a) != hierarchy.code(level, b))
        return hierarchy.code(level, a) < hierarchy.code(level, b);
    return false;
  });
  axis.missing_first = axis.has_ranges && missing;
  axis.rank.resize(axis.row.size());
  for (std::uint32_t rank = 0; rank < axis.row.size(); ++rank) axis.rank[axis.row[rank]] = rank;
  return axis;
}

using Piece = TupleShare;
using Region = std::vector<Piece>;

class Mondrian {
 public:
  Mondrian(const Records& records, const CriteriaSet& criteria, bool relaxed, Progress& progress)
      : records_(records), criteria_(criteria), judge_(records, criteria), relaxed_(relaxed), progress_(progress) {
    for (const QuasiIdentifier& quasi : records.quasi) axes_.push_back(make_axis(quasi));
  }

  Result<Recoding> run() {
    Region everything;
    for (std::uint32_t tuple = 0; tuple < records_.size(); ++tuple)
      everything.push_back({tuple, records_.counts[tuple]});
    if (!judge_.holds(everything))
      return make_error(ErrorCode::infeasible, "not even all records together satisfy the criteria: ask for less");
    progress_.begin("cutting", records_.total);
    std::vector<Region> waiting;
    waiting.push_back(std::move(everything));
    std::vector<Region> done;
    while (!waiting.empty()) {
      GAUZE_TRY_VOID(progress_.check());
      Region region = std::move(waiting.back());
      waiting.pop_back();
      if (auto halves = cut(region)) {
        waiting.push_back(std::move(halves->second));
        waiting.push_back(std::move(halves->first));
      } else {
        progress_.advance(size(region));
        done.push_back(std::move(region));
      }
    }
    return recode(std::move(done));
  }

 private:
  struct Span {
    std::uint32_t low = UINT32_MAX;
    std::uint32_t high = 0;
  };
  using Halves = std::pair<Region, Region>;

  static std::uint64_t size(const Region& region) {
    std::uint64_t sum = 0;
    for (const Piece& piece : region) sum += piece.records;
    return sum;
  }

  [[nodiscard]] std::uint32_t rank(std::size_t quasi, const Piece& piece) const {
    return axes_[quasi].rank[records_.ground[quasi][piece.tuple]];
  }

  [[nodiscard]] Span span(std::size_t quasi, const Region& region) const {
    Span span;
    for (const Piece& piece : region) {
      span.low = std::min(span.low, rank(quasi, piece));
      span.high = std::max(span.high, rank(quasi, piece));
    }
    return span;
  }

  [[nodiscard]] std::optional<Halves> cut(const Region& region) const {
    if (size(region) < 2 * criteria_.k()) return std::nullopt;
    std::vector<std::pair<double, std::size_t>> widths;
    for (std::size_t quasi = 0; quasi < axes_.size(); ++quasi) {
      const Span width = span(quasi, region);
      const double weight = records_.quasi[quasi].weight;
      if (width.high > width.low)
        widths.emplace_back(-weight * (width.high - width.low) / static_cast<double>(axes_[quasi].row.size()), quasi);
    }
    std::sort(widths.begin(), widths.end());
    for (const auto& [width, quasi] : widths) {
      Halves halves = relaxed_ ? halve(quasi, region) : divide(quasi, region);
      if (halves.first.empty() || halves.second.empty()) continue;
      if (judge_.holds(halves.first) && judge_.holds(halves.second)) return halves;
    }
    return std::nullopt;
  }

  // Values up to the median to the left, the others to the right; if nothing lies above the median, it goes right.
  [[nodiscard]] Halves divide(std::size_t quasi, const Region& region) const {
    std::map<std::uint32_t, std::uint64_t> by_rank;
    for (const Piece& piece : region) by_rank[rank(quasi, piece)] += piece.records;
    const std::uint64_t half = (size(region) + 1) / 2;
    std::uint64_t seen = 0;
    std::uint32_t median = 0;
    for (const auto& [value, count] : by_rank) {
      seen += count;
      median = value;
      if (seen >= half) break;
    }
    const bool exclusive = median == by_rank.rbegin()->first;
    Halves halves;
    for (const Piece& piece : region) {
      const std::uint32_t value = rank(quasi, piece);
      (exclusive ? value < median : value <= median) ? halves.first.push_back(piece) : halves.second.push_back(piece);
    }
    return halves;
  }

  // The first half of the records in their order; records of the median are divided.
  [[nodiscard]] Halves halve(std::size_t quasi, const Region& region) const {
    Region sorted = region;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Piece& a, const Piece& b) { return rank(quasi, a) < rank(quasi, b); });
    std::uint64_t room = (size(region) + 1) / 2;
    Halves halves;
    for (const Piece& piece : sorted) {
      const auto left = static_cast<std::uint32_t>(std::min<std::uint64_t>(room, piece.records));
      if (left > 0) halves.first.push_back({piece.tuple, left});
      if (left < piece.records) halves.second.push_back({piece.tuple, piece.records - left});
      room -= left;
    }
    return halves;
  }

  /// The text of a span: a range of numbers or dates, or the lowest value of the hierarchy that covers it.
  [[nodiscard]] CellValue cell(std::size_t quasi, const Span& span, const std::vector<std::uint64_t>& up_to) const {
    const Hierarchy& hierarchy = *records_.quasi[quasi].hierarchy;
    const Axis& axis = axes_[quasi];
    CellValue value;
    const std::uint32_t low = axis.row[span.low];
    const std::uint32_t high = axis.row[span.high];
    if (axis.has_ranges) {
      // "Missing" is in no range: "? or [20, 35]".
      const bool or_missing = axis.missing_first && span.low == 0 && span.high > 0;
      const std::uint32_t first = or_missing ? axis.row[1] : low;
      value.text = first == high
                       ? hierarchy.text(0, high)
                       : fmt::format("[{}{}{}]", hierarchy.text(0, first),
                                     table::range_separator(records_.quasi[quasi].decimal), hierarchy.text(0, high));
      const std::string& missing = hierarchy.text(0, low);  // nothing, in many files: it would not be seen
      if (or_missing) value.text = fmt::format("{} or {}", missing.empty() ? "?" : missing, value.text);
      value.rows = span.high - span.low + 1;
      value.height = hierarchy.size() <= 1 ? 0 : (value.rows - 1.0) / (hierarchy.size() - 1.0);
      value.records = up_to[span.high + 1] - up_to[span.low];
      return value;
    }
    int level = 0;
    while (level < hierarchy.height() && hierarchy.code(level, low) != hierarchy.code(level, high)) ++level;
    const std::uint32_t code = hierarchy.code(level, low);
    value.text = hierarchy.text(level, code);
    value.rows = hierarchy.rows_under(level, code);
    value.height = hierarchy.height() == 0 ? 0 : static_cast<double>(level) / hierarchy.height();
    if (code != hierarchy.code(level, high)) {  // a hierarchy without a single top
      value = {.text = "*", .rows = hierarchy.size(), .height = 1, .records = 0};
      value.records = up_to.back();
      return value;
    }
    for (std::uint32_t row = 0; row < hierarchy.size(); ++row)
      if (hierarchy.code(level, row) == code) value.records += up_to[axis.rank[row] + 1] - up_to[axis.rank[row]];
    return value;
  }

  /// Regions whose cells come out the same are one class. Where a union of good classes may be bad, they are checked.
  [[nodiscard]] Result<Recoding> recode(std::vector<Region> regions) const {
    Recoding recoding;
    recoding.values.resize(axes_.size());
    recoding.class_of.assign(records_.size(), Recoding::kSuppressed);
    if (relaxed_) recoding.splits.resize(records_.size());
    const std::vector<std::vector<std::uint64_t>> up_to = records_up_to_each_rank();
    // A value is known by its meaning, not by its text: a group may be called like one of its members.
    std::vector<std::map<std::tuple<std::string, std::uint32_t, std::uint64_t>, std::uint32_t>> places(axes_.size());
    ClassesByText known(recoding);
    std::vector<Region> joined;
    for (Region& region : regions) {
      std::vector<std::uint32_t> cells;
      for (std::size_t quasi = 0; quasi < axes_.size(); ++quasi) {
        CellValue value = cell(quasi, span(quasi, region), up_to[quasi]);
        const auto [place, is_new] = places[quasi].emplace(std::tuple(value.text, value.rows, value.records),
                                                           static_cast<std::uint32_t>(recoding.values[quasi].size()));
        if (is_new) recoding.values[quasi].push_back(std::move(value));
        cells.push_back(place->second);
      }
      const std::uint32_t output = known.use(std::move(cells));
      if (output == joined.size()) joined.emplace_back();
      joined[output].insert(joined[output].end(), region.begin(), region.end());
    }
    for (std::uint32_t output = 0; output < joined.size(); ++output) {
      if (!criteria_.closed_under_merging() && !judge_.holds(joined[output]))
        return make_error(
            ErrorCode::infeasible,
            "two parts came out with the same values and do not satisfy the criteria together: take the "
            "search `optimal` or `local`");
      for (const Piece& piece : joined[output]) {
        recoding.classes[output].records += piece.records;
        if (recoding.class_of[piece.tuple] == Recoding::kSuppressed) recoding.class_of[piece.tuple] = output;
        if (relaxed_) recoding.splits[piece.tuple].push_back({output, piece.records});
      }
    }
    return recoding;
  }

  [[nodiscard]] std::vector<std::vector<std::uint64_t>> records_up_to_each_rank() const {
    std::vector<std::vector<std::uint64_t>> up_to(axes_.size());
    for (std::size_t quasi = 0; quasi < axes_.size(); ++quasi) {
      up_to[quasi].assign(axes_[quasi].row.size() + 1, 0);
      for (std::size_t tuple = 0; tuple < records_.size(); ++tuple)
        up_to[quasi][axes_[quasi].rank[records_.ground[quasi][tuple]] + 1] += records_.counts[tuple];
      std::partial_sum(up_to[quasi].begin(), up_to[quasi].end(), up_to[quasi].begin());
    }
    return up_to;
  }

  const Records& records_;
  const CriteriaSet& criteria_;
  ClassJudge judge_;  // nothing is suppressed, so all records are the kept ones
  bool relaxed_;
  Progress& progress_;
  std::vector<Axis> axes_;
};

}  // namespace

Result<Recoding> cut_by_mondrian(const Records& records, const CriteriaSet& criteria, bool relaxed,
                                 Progress& progress) {
  if (criteria.needs_population() || criteria.missing_matches_everything())
    return invalid_parameter(
        "mondrian knows neither population models nor missing values that match everything: take the "
        "search `optimal`");
  return Mondrian(records, criteria, relaxed, progress).run();
}

}  // namespace gauze::anonymize
