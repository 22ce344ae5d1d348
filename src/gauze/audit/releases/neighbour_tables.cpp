#include "gauze/audit/releases/neighbour_tables.h"

#include <algorithm>
#include <set>

#include "gauze/audit/releases/internal/class_finder.h"

namespace gauze::audit {
namespace {

using internal::ClassFinder;
using release::ReleasePlan;

/// Of so many persons in one class at most; each needs an id of its own.
constexpr std::uint64_t kMostPersons = 10'000;

void add_rows(TableRows& table, const TableRows& more) {
  for (const auto& [cells, count] : more) table[cells] += count;
}

/// The rows that stand more often in one table than in the other.
TableRows surplus(const TableRows& of, const TableRows& over) {
  TableRows rows;
  for (const auto& [cells, count] : of) {
    const auto other = over.find(cells);
    const std::uint64_t there = other == over.end() ? 0 : other->second;
    if (count > there) rows.emplace(cells, count - there);
  }
  return rows;
}

std::uint64_t number_of(const TableRows& rows) {
  std::uint64_t sum = 0;
  for (const auto& [cells, count] : rows) sum += count;
  return sum;
}

/// The ids of rows; those without one are nobody's.
std::set<std::string> persons_of(const TableRows& rows) {
  std::set<std::string> ids;
  for (const auto& [cells, count] : rows)
    if (cells.back()) ids.insert(*cells.back());
  return ids;
}

bool has_person(const TableRows& rows, const std::string& id) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.first.back() == id; });
}

Result<void> check_rows(const NeighbourTables& pair, const TableRows& only_left, const TableRows& only_right,
                        Neighbours neighbours) {
  const std::uint64_t left = number_of(only_left);
  const std::uint64_t right = number_of(only_right);
  if (neighbours == Neighbours::add_remove) {
    if (left + right == 1) return {};
    return invalid_parameter(
        "the tables must differ by exactly one row that one of them has more, as the policy's neighbours do");
  }
  if (number_of(pair.left) == number_of(pair.right) && left == 1 && right == 1) return {};
  return invalid_parameter("the tables must differ in exactly one row that stands in the place of another");
}

Result<void> check_persons(const NeighbourTables& pair, const TableRows& only_left, const TableRows& only_right,
                           Neighbours neighbours) {
  std::set<std::string> differing = persons_of(only_left);
  differing.merge(persons_of(only_right));
  std::size_t gone = 0;
  std::size_t come = 0;
  for (const std::string& id : differing) {
    if (!has_person(pair.right, id)) ++gone;
    if (!has_person(pair.left, id)) ++come;
  }
  if (neighbours == Neighbours::add_remove) {
    if (differing.size() == 1 && gone + come == 1) return {};
    return invalid_parameter("the tables must differ by all rows of exactly one person, told by the id");
  }
  if ((differing.size() == 1 && gone + come == 0) || (differing.size() == 2 && gone == 1 && come == 1)) return {};
  return invalid_parameter("the tables must differ in the rows of exactly one person, told by the id");
}

/// Puts units into tables.
class PairMaker {
 public:
  PairMaker(const TableRows& table, const ReleasePlan& plan, std::vector<NeighbourTables>& pairs)
      : table_(table), plan_(plan), pairs_(pairs), persons_(plan.counts_persons()) {
    if (persons_)
      for (const auto& id : persons_of(table)) ids_.insert(id);
  }

  /// A unit with these rows; with persons each row as often as one may count, and once more.
  [[nodiscard]] TableRows unit(const std::vector<RowCells>& rows) {
    TableRows unit;
    const auto id = new_id();
    for (const RowCells& row : rows) unit[with(row, id)] += persons_ ? plan_.bounds.max_rows + 1 : 1;
    return unit;
  }
  /// So many units of one row each.
  [[nodiscard]] TableRows units(const RowCells& row, std::uint64_t count) {
    TableRows units;
    if (!persons_)
      units.emplace(row, count);
    else
      for (std::uint64_t i = 0; i < count; ++i) units.emplace(with(row, new_id()), 1);
    if (count == 0) units.clear();
    return units;
  }
  [[nodiscard]] bool can_hold(std::uint64_t count) const { return !persons_ || count <= kMostPersons; }
  [[nodiscard]] TableRows table() const { return table_; }

  /// `unit` more than `base`, or where one replaces another, in the place of `other`.
  void add(std::string what, const TableRows& base, const TableRows& unit, const TableRows& other) {
    NeighbourTables pair{.what = std::move(what), .left = base, .right = base, .differing = unit};
    add_rows(pair.right, unit);
    if (plan_.release.neighbours == Neighbours::replace_one) {
      add_rows(pair.left, other);
      add_rows(pair.differing, other);
    }
    pairs_.push_back(std::move(pair));
  }

 private:
  [[nodiscard]] std::optional<std::string> new_id() {
    if (!persons_) return std::nullopt;
    std::string id;
    do {
      id = fmt::format("person {}", ++last_id_);
    } while (!ids_.insert(id).second);
    return id;
  }
  [[nodiscard]] RowCells with(RowCells row, const std::optional<std::string>& id) const {
    if (persons_) row.push_back(id);
    return row;
  }

  const TableRows& table_;
  const ReleasePlan& plan_;
  std::vector<NeighbourTables>& pairs_;
  bool persons_;
  std::set<std::string> ids_;
  std::uint64_t last_id_ = 0;
};

}  // namespace

Result<NeighbourTables> check_neighbours(TableRows left, TableRows right, const ReleasePlan& plan) {
  NeighbourTables pair{.what = "the given tables", .left = std::move(left), .right = std::move(right)};
  const TableRows only_left = surplus(pair.left, pair.right);
  const TableRows only_right = surplus(pair.right, pair.left);
  const auto check = plan.counts_persons() ? check_persons : check_rows;
  GAUZE_TRY_VOID(check(pair, only_left, only_right, plan.release.neighbours));
  pair.differing = only_left;
  add_rows(pair.differing, only_right);
  return pair;
}

std::vector<NeighbourTables> make_neighbours(const TableRows& table, const ReleasePlan& plan) {
  std::vector<NeighbourTables> pairs;
  PairMaker maker(table, plan, pairs);
  const ClassFinder classes(table, plan);
  const RowCells common = classes.of_largest();
  const RowCells outside = classes.outside();
  const auto own = classes.unoccupied();
  const RowCells away = own.value_or(outside);
  const std::string one = plan.counts_persons() ? "a person" : "a row";

  maker.add(one + " in the largest class", table, maker.unit({common}), maker.unit({away}));
  if (own) {
    maker.add(one + " in a class of its own", table, maker.unit({*own}), maker.unit({common}));
    for (const auto& [count, where] :
         {std::pair(plan.k, std::string("at k")), std::pair(classes.threshold(), std::string("at the threshold"))}) {
      if (count < 2 || !maker.can_hold(count)) continue;
      TableRows base = maker.table();
      add_rows(base, maker.units(*own, count - 1));
      maker.add(fmt::format("{} that makes a class of {}, {}", one, count, where), base, maker.units(*own, 1),
                maker.unit({common}));
    }
  }
  if (plan.counts_persons() && plan.bounds.max_classes > 1)
    maker.add("a person in more classes than count", table, maker.unit(classes.occupied(plan.bounds.max_classes + 1)),
              maker.unit({away}));
  if (!plan.is_stability())
    maker.add(one + " with values that the domain does not have", table, maker.unit({outside}), maker.unit({common}));
  maker.add(one + " with nothing in it", table, maker.unit({RowCells(plan.columns.size())}), maker.unit({common}));
  maker.add(one + " alone", {}, maker.unit({common}), maker.unit({away}));
  return pairs;
}

}  // namespace gauze::audit
