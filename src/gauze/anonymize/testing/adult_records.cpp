#include "gauze/anonymize/testing/adult_records.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <unordered_map>

#include "gauze/schema/hierarchies/hierarchy_file.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::anonymize::testing {

using namespace schema;  // the vocabulary of this file

namespace {

std::vector<std::vector<std::string>> read_rows(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ';');) rows.back().push_back(cell);
  }
  return rows;
}

}  // namespace

std::optional<Records> adult_records(int factor, const std::vector<std::string>& sensitive) {
  const auto folder = table::shared_data("arx-adult");
  if (!folder) return std::nullopt;
  std::vector<std::vector<std::string>> rows = read_rows(*folder / "adult.csv");
  const std::vector<std::string> names = rows.front();
  rows.erase(rows.begin());

  Records records;
  std::vector<std::vector<std::uint32_t>> quasi;   // [column][row]
  std::vector<std::vector<std::uint32_t>> values;  // [column][row]
  std::mt19937_64 random(1);
  for (std::size_t column = 0; column < names.size(); ++column) {
    std::vector<std::uint32_t> codes;
    const bool is_sensitive = std::find(sensitive.begin(), sensitive.end(), names[column]) != sensitive.end();
    std::map<std::string, std::uint32_t> known;
    std::shared_ptr<const Hierarchy> hierarchy;
    if (is_sensitive) {
      for (const auto& row : rows) known.emplace(row[column], 0);
      std::uint32_t next = 0;
      for (auto& entry : known) entry.second = next++;
    } else {
      auto file = read_hierarchy_file(*folder / ("adult_hierarchy_" + names[column] + ".csv"), names[column]);
      GAUZE_CHECK(file.has_value());
      hierarchy = std::make_shared<const Hierarchy>(std::move(file->hierarchy));
    }
    for (int copy = 0; copy < factor; ++copy)
      for (const auto& row : rows)
        codes.push_back(is_sensitive ? known.at(row[column]) : hierarchy->find(row[column]).value());
    if (factor > 1 &&
        (names[column] == "age" || names[column] == "occupation" || names[column] == "native-country")) {
      std::vector<std::size_t> chosen;
      for (std::size_t row = 0; row < codes.size(); ++row)
        if (random() % 2 == 0) chosen.push_back(row);
      for (std::size_t i = chosen.size(); i-- > 1;) std::swap(codes[chosen[i]], codes[chosen[random() % (i + 1)]]);
    }
    if (is_sensitive) {
      SensitiveColumn made;
      made.name = names[column];
      made.totals.assign(known.size(), 0);
      for (const std::uint32_t code : codes) ++made.totals[code];
      made.records = codes.size();
      made.order.resize(known.size());
      std::iota(made.order.begin(), made.order.end(), 0U);
      records.sensitive.push_back(std::move(made));
      values.push_back(std::move(codes));
    } else {
      records.quasi.push_back({.name = names[column], .hierarchy = hierarchy, .weight = 1, .missing = {}});
      quasi.push_back(std::move(codes));
    }
  }
  records.total = rows.size() * static_cast<std::size_t>(factor);
  records.ground.resize(quasi.size());
  records.values.resize(values.size());
  struct Hash {
    std::size_t operator()(const std::vector<std::uint32_t>& tuple) const {
      std::size_t hash = 0;
      for (const std::uint32_t code : tuple) hash = (hash ^ code) * 0x9E3779B97F4A7C15U;
      return hash ^ (hash >> 32U);
    }
  };
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, Hash> place;
  std::vector<std::uint32_t> tuple(quasi.size() + values.size());
  for (std::size_t row = 0; row < records.total; ++row) {
    for (std::size_t i = 0; i < quasi.size(); ++i) tuple[i] = quasi[i][row];
    for (std::size_t i = 0; i < values.size(); ++i) tuple[quasi.size() + i] = values[i][row];
    const auto [found, is_new] = place.emplace(tuple, static_cast<std::uint32_t>(records.size()));
    if (is_new) {
      for (std::size_t i = 0; i < quasi.size(); ++i) records.ground[i].push_back(tuple[i]);
      for (std::size_t i = 0; i < values.size(); ++i) records.values[i].push_back(tuple[quasi.size() + i]);
      records.counts.push_back(0);
    }
    ++records.counts[found->second];
  }
  return records;
}

}  // namespace gauze::anonymize::testing
