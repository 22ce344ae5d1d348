#include "gauze/anonymize/classes/record_layers.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace gauze::anonymize {

namespace {

constexpr std::size_t kMostLayers = 64;
constexpr int kRequestsBefore = 3;  // a layer costs about as much as two or three nodes

// All layers together may hold so many tuples.
std::size_t most_tuples(std::size_t whole) { return std::max<std::size_t>(std::size_t{1} << 20U, 2 * whole); }

}  // namespace

RecordLayers::Layer::Layer(const Records& from, const std::vector<std::size_t>& columns)
    : records(from), grouping(from) {
  for (const std::size_t column : columns) values.emplace_back(from, column);
}

RecordLayers::RecordLayers(const Records& records, std::vector<std::size_t> columns)
    : records_(records), columns_(std::move(columns)), whole_(records, columns_) {
  std::vector<std::size_t> order(records.quasi.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return records.quasi[a].hierarchy->size() > records.quasi[b].hierarchy->size();
  });
  std::size_t nodes = 1;
  for (const QuasiIdentifier& quasi : records.quasi)
    nodes = std::min<std::size_t>(nodes * static_cast<std::size_t>(quasi.hierarchy->levels()), Lattice::kMostNodes);
  std::size_t layers = 1;
  for (const std::size_t quasi : order) {
    const auto levels = static_cast<std::size_t>(records.quasi[quasi].hierarchy->levels());
    // Each layer should serve some nodes.
    if (levels == 1 || layers * levels > std::min(kMostLayers, nodes / 8)) continue;
    generalised_.push_back(quasi);
    layers *= levels;
  }
  places_ = std::make_unique<Place[]>(layers);
}

const RecordLayers::Layer& RecordLayers::below(const Levels& levels, ClassGrouping::Scratch& scratch) const {
  Levels start(levels.size(), 0);
  std::size_t place = 0;
  for (const std::size_t quasi : generalised_) {
    start[quasi] = levels[quasi];
    place = place * static_cast<std::size_t>(records_.quasi[quasi].hierarchy->levels()) + levels[quasi];
  }
  if (place == 0) return whole_;
  Place& wanted = places_[place];
  if (wanted.asked.fetch_add(1) < kRequestsBefore) return whole_;
  std::call_once(wanted.looked_at, [&] { make(start, wanted, scratch); });
  return wanted.layer ? *wanted.layer : whole_;
}

void RecordLayers::order_by_values() const {
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  joint_.assign(records_.size(), 0);
  std::vector<std::uint32_t> key(columns_.size());
  for (std::size_t tuple = 0; tuple < records_.size(); ++tuple) {
    if (columns_.size() == 1) {
      joint_[tuple] = records_.values[columns_.front()][tuple];
      continue;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) key[i] = records_.values[columns_[i]][tuple];
    joint_[tuple] = known.emplace(key, static_cast<std::uint32_t>(known.size())).first->second;
  }
  sorted_.resize(records_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  std::stable_sort(sorted_.begin(), sorted_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return joint_[a] < joint_[b]; });
}

void RecordLayers::make(const Levels& levels, Place& place, ClassGrouping::Scratch& scratch) const {
  std::call_once(ordered_, [&] { order_by_values(); });
  whole_.grouping.group(levels, scratch);
  // Tuples come by their values, so those of one class with the same values come without others of the class between.
  struct Last {
    std::uint32_t joint = UINT32_MAX;
    std::uint32_t place = 0;
  };
  std::vector<Last> last(scratch.slots);
  std::vector<std::uint32_t> place_of(records_.size());
  std::vector<std::uint32_t> chosen;  // any tuple of those that have become one will do
  for (const std::uint32_t tuple : sorted_) {
    Last& here = last[scratch.slot[tuple]];
    if (here.joint != joint_[tuple]) {
      here = {joint_[tuple], static_cast<std::uint32_t>(chosen.size())};
      chosen.push_back(tuple);
    }
    place_of[tuple] = here.place;
  }
  if (chosen.size() > records_.size() / 4 * 3 ||
      tuples_made_.fetch_add(chosen.size()) + chosen.size() > most_tuples(records_.size()))
    return;
  place.records = std::make_unique<Records>();
  Records& made = *place.records;
  made.quasi = records_.quasi;
  made.sensitive = records_.sensitive;
  made.total = records_.total;
  auto pick = [&](const std::vector<std::uint32_t>& from) {
    std::vector<std::uint32_t> to;
    to.reserve(chosen.size());
    for (const std::uint32_t tuple : chosen) to.push_back(from[tuple]);
    return to;
  };
  auto sum = [&](const std::vector<std::uint32_t>& from) {
    std::vector<std::uint32_t> to(chosen.size(), 0);
    for (std::size_t tuple = 0; tuple < from.size(); ++tuple) to[place_of[tuple]] += from[tuple];
    return to;
  };
  for (const auto& column : records_.ground) made.ground.push_back(pick(column));
  for (const auto& column : records_.values) made.values.push_back(pick(column));
  made.counts = sum(records_.counts);
  if (!records_.population.empty()) made.population = sum(records_.population);
  place.layer = std::make_unique<Layer>(made, columns_);
  place.layer->place = std::move(place_of);
}

}  // namespace gauze::anonymize
