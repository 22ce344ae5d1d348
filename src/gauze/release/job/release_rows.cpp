#include "gauze/release/job/release_rows.h"

#include <algorithm>
#include <array>

#include "gauze/schema/policy/criterion_text.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

using schema::kReleaseKindWords;
using schema::kReleaseModeWords;
using schema::ReleaseKind;

namespace {

using Rows = std::unique_ptr<table::RowStream>;

/// The text of every column in the row that stands for records no class holds, whatever the values are.
constexpr std::string_view kRemainder = "(other)";

/// A value as a row of counts shows it: one that reads like the remainder's name gets a backslash in front, and so does one
/// with backslashes before it, so that every text has one meaning.
std::string shown_value(const std::string& value) {
  const std::size_t name = value.find_first_not_of('\\');
  if (name == std::string::npos || std::string_view(value).substr(name) != kRemainder) return value;
  return "\\" + value;
}

/// Class by class: values, count, interval. The last row is the remainder, without an interval where it has none; nothing is
/// told of it where no total was measured.
Rows count_rows(const ReleasePlan& plan, const Release& release) {
  std::vector<std::string> columns = plan.columns;
  for (const char* name : {"count", "low", "high"}) columns.emplace_back(name);
  auto next = [&release, width = plan.columns.size(), place = std::size_t{0},
               texts =
                   std::vector<std::string>(plan.columns.size() + 3)](std::vector<std::string_view>& cells) mutable {
    const auto& classes = release.histogram.cells;
    if (place > classes.size()) return false;
    const bool remainder = place == classes.size();
    for (std::size_t i = 0; i < width; ++i)
      texts[i] = remainder ? std::string(kRemainder) : shown_value(release.domain->text(classes[place].cell, i));
    std::array<std::string, 3> figures;
    if (!remainder) {
      const ReleasedCell& one = classes[place];
      figures = {std::to_string(one.count), std::to_string(one.low), std::to_string(one.high)};
    } else if (release.histogram.total) {
      figures[0] = std::to_string(release.histogram.remainder);
      if (const auto& interval = release.histogram.remainder_interval) {
        figures[1] = std::to_string(interval->low);
        figures[2] = std::to_string(interval->high);
      }
    }
    std::move(figures.begin(), figures.end(), texts.begin() + static_cast<std::ptrdiff_t>(width));
    std::copy(texts.begin(), texts.end(), cells.begin());
    ++place;
    return true;
  };
  return std::make_unique<table::MadeRows>(columns, std::move(next));
}

/// Each combination of values as often as its count says.
Rows record_rows(const ReleasePlan& plan, const Release& release) {
  auto next = [&release, place = std::size_t{0},
               done = std::int64_t{0}](std::vector<std::string_view>& cells) mutable {
    const auto& classes = release.histogram.cells;
    while (place < classes.size() && done >= classes[place].count) {
      ++place;
      done = 0;
    }
    if (place == classes.size()) return false;
    if (done++ == 0)
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = release.domain->text(classes[place].cell, i);
    return true;
  };
  return std::make_unique<table::MadeRows>(plan.columns, std::move(next));
}

}  // namespace

std::unique_ptr<table::RowStream> rows_of(const ReleasePlan& plan, const Release& release) {
  return plan.release.kind == ReleaseKind::records ? record_rows(plan, release) : count_rows(plan, release);
}

std::unique_ptr<table::RowStream> rows_of(const PublishedRows& published) {
  auto next = [&published, place = std::size_t{0},
               done = std::uint64_t{0}](std::vector<std::string_view>& cells) mutable {
    while (place < published.copies.size() && done >= published.copies[place]) {
      ++place;
      done = 0;
    }
    if (place == published.copies.size()) return false;
    if (done++ > 0) return true;
    const Domain& domain = *published.coded.domain;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i < domain.width())
        cells[i] = domain.text(published.coded.cells[place], i);
      else
        cells[i] = published.tuples.dictionaries[i].values[published.tuples.codes[i][place]];
    }
    return true;
  };
  return std::make_unique<table::MadeRows>(published.columns, std::move(next));
}

std::int64_t record_count(const Release& release) {
  std::int64_t rows = 0;
  for (const auto& one : release.histogram.cells) rows += one.count;
  return rows;
}

namespace {

Json interval_json(const std::optional<CountInterval>& interval) {
  if (!interval) return {};
  return Json::object({{"low", interval->low}, {"high", interval->high}});
}

}  // namespace

Json to_json(const ReleasePlan& plan, const Release& release) {
  Json levels = Json::object();
  for (std::size_t i = 0; i < plan.quasi.size(); ++i) levels.set(plan.quasi[i], release.levels[i]);
  const bool records = plan.release.kind == ReleaseKind::records;
  Json object = Json::object({{"mode", word_of(kReleaseModeWords, plan.release.mode)},
                              {"kind", word_of(kReleaseKindWords, plan.release.kind)},
                              {"epsilon", Json::number(plan.budget.epsilon.to_decimal_up())},
                              {"delta", Json::number(plan.budget.delta.to_decimal_up())},
                              {"k", plan.k},
                              {"levels", std::move(levels)},
                              {"classes", release.histogram.cells.size()}});
  if (plan.is_stability())
    object.set("threshold", release.cut);
  else
    object.set("cells", release.domain->size())
        .set("cut", release.cut)
        .set("expected_phantom_cells", release.expected_phantom_cells);
  object.set("total", release.histogram.total ? Json(*release.histogram.total) : Json());
  if (records)
    object.set("rows", record_count(release));
  else
    object.set("other", release.histogram.total ? Json(release.histogram.remainder) : Json())
        .set("other_interval", interval_json(release.histogram.remainder_interval));
  return object;
}

}  // namespace gauze::release
