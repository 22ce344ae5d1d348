#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/hiding/hide.h"
#include "gauze/random/seeded_random.h"

namespace gauze::patterns {

inline Database baskets(const std::string& text) { return BasketFile::parse(text, BasketFormat::dat)->database(); }

inline SensitiveList sensitive(const std::string& text, const Database& database) {
  auto list = parse_sensitive(text, database, {.unknown = UnknownItems::leave_out});
  EXPECT_TRUE(list) << list.error().message;
  return *list;
}

/// Hides with the share that belongs to min_count.
inline HidingResult hidden(const Database& database, const std::string& patterns, HidingOptions options) {
  options.min_support =
      Rational(static_cast<std::int64_t>(options.min_count)) / Rational(static_cast<std::int64_t>(database.rows()));
  Progress progress;
  auto result = hide(database, sensitive(patterns, database), options, progress);
  EXPECT_TRUE(result) << result.error().message;
  return *std::move(result);
}

/// Row (from 1) and name of each change.
inline std::vector<std::pair<std::size_t, std::string>> edits_of(const HidingResult& result,
                                                                 const Database& database) {
  std::vector<std::pair<std::size_t, std::string>> list;
  for (const Edit& edit : result.edits) list.emplace_back(edit.row + 1, database.names[edit.item]);
  return list;
}

/// Items a, b, c ... each there with this chance in percent, else marked with that one; anonymous marks likewise.
inline Database random_baskets(SeededRandom& random, std::size_t items, std::size_t rows, std::uint64_t there,
                               std::uint64_t marked = 0, std::uint64_t anonymous = 0) {
  Database database;
  for (std::size_t i = 0; i < items; ++i) database.names.push_back(std::string(1, static_cast<char>('a' + i)));
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Item> row;
    std::vector<Item> marks;
    for (Item i = 0; i < items; ++i) {
      const std::uint64_t draw = random.below(100);
      if (draw < there)
        row.push_back(i);
      else if (draw < there + marked)
        marks.push_back(i);
    }
    database.add_row(row, marks, random.below(100) < anonymous ? 1 + static_cast<std::uint32_t>(random.below(2)) : 0);
  }
  return database;
}

}  // namespace gauze::patterns
