#include "gauze/anonymize/inspect/inspection.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "gauze/anonymize/inspect/association.h"
#include "gauze/anonymize/inspect/coded_columns.h"
#include "gauze/anonymize/inspect/column_roles.h"
#include "gauze/anonymize/search/optimal_search.h"
#include "gauze/schema/hierarchies/coverage.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

constexpr std::size_t kMostValues = 100'000;    // columns with more are described by their count alone
constexpr std::size_t kMostInCombinations = 8;  // 182 combinations of 3, 4 and 5
constexpr std::uint32_t kOddFanout = 8;
constexpr std::size_t kMostMeasured = 200;  // beyond, information is computed for the chosen columns alone

class Inspector {
 public:
  Inspector(table::Source& table, const InspectionRequest& request, Progress& progress)
      : table_(table), request_(request), progress_(progress) {}

  Result<Inspection> run() {
    GAUZE_TRY_VOID(check_names());
    GAUZE_TRY_VOID(describe_columns());
    GAUZE_TRY_VOID(keep_columns());
    GAUZE_TRY_VOID(measure_information());
    GAUZE_TRY_VOID(find_ties());
    GAUZE_TRY_VOID(find_twins());
    GAUZE_TRY_VOID(combine());
    return std::move(found_);
  }

 private:
  Result<void> check_names() const {
    std::vector<std::string> names = request_.columns;
    names.insert(names.end(), request_.sensitive.begin(), request_.sensitive.end());
    names.insert(names.end(), request_.protected_groups.begin(), request_.protected_groups.end());
    if (request_.target) names.push_back(*request_.target);
    for (const auto& entry : request_.availability) names.push_back(entry.first);
    for (const std::string& name : names) {
      GAUZE_TRY_VOID(table_.column(name));
    }
    return {};
  }

  Result<void> describe_columns() {
    std::vector<std::size_t> all(table_.columns().size());
    for (std::size_t column = 0; column < all.size(); ++column) all[column] = column;
    GAUZE_TRY(found_.rows, table_.row_count());
    GAUZE_TRY(const std::vector<table::ColumnSummary> summaries, table_.summarise(all, kMostValues, progress_));
    GAUZE_TRY(const std::vector<IdentifierEvidence> evidence, gather_evidence(table_, all, summaries, progress_));
    for (const std::size_t column : all) {
      const table::ColumnSummary& summary = summaries[column];
      Inspection::Column described;
      described.name = table_.columns()[column];
      described.type = summary.type;
      described.distinct = summary.distinct;
      described.missing = summary.missing;
      described.figures = column_figures(summary, found_.rows);
      described.odd = table::find_odd_cells(summary);
      SuggestedRole suggested = suggest_role(described.name, summary, evidence[column], found_.rows);
      described.role = suggested.role;
      described.reason = std::move(suggested.reason);
      if (described.name == request_.target) {
        described.role = Role::target;
        described.reason = "you named it as the target";
      } else if (std::find(request_.sensitive.begin(), request_.sensitive.end(), described.name) !=
                 request_.sensitive.end()) {
        described.role = Role::sensitive;
        described.reason = "you named it as sensitive";
      }
      const auto given = request_.availability.find(described.name);
      described.availability =
          given != request_.availability.end() ? given->second : default_availability(described.name, described.role);
      if (described.role != Role::identifier) find_what_needs_cleaning(described.name, summary);
      found_.columns.push_back(std::move(described));
    }
    return {};
  }

  void find_what_needs_cleaning(const std::string& column, const table::ColumnSummary& summary) {
    for (LookAlikes& group : find_look_alikes(column, summary)) found_.spellings.push_back(std::move(group));
    FoundOutliers far = find_outliers(column, summary, request_.today ? *request_.today : date_of_today());
    for (Outliers& one : far.outliers) found_.outliers.push_back(std::move(one));
    if (far.bounds) found_.bounds.emplace(column, *far.bounds);
  }

  [[nodiscard]] bool is_chosen(const Inspection::Column& column) const {
    if (request_.columns.empty()) return column.role == Role::quasi;
    return std::find(request_.columns.begin(), request_.columns.end(), column.name) != request_.columns.end();
  }

  /// Whether a column is compared with others at all.
  [[nodiscard]] bool is_comparable(const Inspection::Column& column) const {
    return column.distinct > 1 && column.distinct <= kMostValues;
  }

  /// Columns that are compared by pairs are read once, where they fit into memory.
  Result<void> keep_columns() {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < found_.columns.size(); ++column)
      if (is_comparable(found_.columns[column])) columns.push_back(column);
    if (columns.size() > kMostMeasured || !CodedColumns::fit(found_.rows, columns.size())) return {};
    GAUZE_TRY(kept_, CodedColumns::read(table_, columns, progress_));
    return {};
  }
  Result<table::TupleCounts> count_pairs(std::size_t first, std::size_t second) {
    if (kept_ && kept_->has(first) && kept_->has(second)) return kept_->pairs(first, second);
    const std::size_t pair[] = {first, second};
    return table_.group(pair, progress_);
  }

  /// Equally many values, and as many pairs: each value of one stands for one of the other.
  Result<void> find_twins() {
    if (!kept_) return {};
    constexpr std::uint64_t kFewest = 3;  // two values agree too easily
    for (std::size_t one = 0; one < found_.columns.size(); ++one)
      for (std::size_t other = one + 1; other < found_.columns.size(); ++other) {
        const Inspection::Column& a = found_.columns[one];
        const Inspection::Column& b = found_.columns[other];
        if (a.distinct != b.distinct || a.distinct < kFewest || !kept_->has(one) || !kept_->has(other)) continue;
        if (a.distinct * 2 > found_.rows) continue;  // nearly unique columns determine each other anyway
        GAUZE_TRY_VOID(progress_.check());
        const table::TupleCounts pairs = kept_->pairs(one, other);
        const std::size_t values = pairs.dictionaries[0].values.size();  // missing is one of them
        if (values == pairs.dictionaries[1].values.size() && pairs.size() == values)
          found_.twins.push_back({a.name, b.name});
      }
    return {};
  }

  Result<void> measure_information() {
    if (!request_.target || found_.rows == 0) return {};
    GAUZE_TRY(const std::size_t target, table_.column(*request_.target));
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (std::size_t column = 0; column < found_.columns.size(); ++column) {
      Inspection::Column& described = found_.columns[column];
      const bool chosen = is_chosen(described);
      if (column == target || described.distinct > kMostValues) continue;
      if (!chosen && found_.columns.size() > kMostMeasured) continue;
      GAUZE_TRY(const table::TupleCounts pairs, count_pairs(column, target));
      described.mutual_information = mutual_information(pairs);
      if (!chosen) continue;
      least = std::min(least, *described.mutual_information);
      most = std::max(most, *described.mutual_information);
    }
    for (Inspection::Column& described : found_.columns) {
      if (!described.mutual_information || !is_chosen(described)) continue;
      described.normalized_mutual_information =
          most > least ? (*described.mutual_information - least) / (most - least) : 0;
      described.risk = *described.normalized_mutual_information * described.availability;
    }
    return {};
  }

  Result<void> find_ties() {
    std::vector<std::string> groups = request_.protected_groups;
    if (groups.empty())
      for (const Inspection::Column& column : found_.columns)
        for (const std::string_view word : {"sex", "gender", "race", "ethnicity", "\u6027\u522b", "\u6c11\u65cf"})
          if (column.name == word) groups.push_back(column.name);
    found_.protected_groups = groups;
    for (const std::string& group : groups) {
      GAUZE_TRY(const std::size_t protected_column, table_.column(group));
      for (std::size_t column = 0; column < found_.columns.size(); ++column) {
        if (column == protected_column || !is_chosen(found_.columns[column]) ||
            found_.columns[column].distinct > kMostValues)
          continue;
        GAUZE_TRY(const table::TupleCounts pairs, count_pairs(column, protected_column));
        if (cramers_v_without_chance(pairs) >= kStrongTie)
          found_.ties.push_back({found_.columns[column].name, group, cramers_v(pairs)});
      }
    }
    std::stable_sort(found_.ties.begin(), found_.ties.end(),
                     [](const Inspection::Tie& a, const Inspection::Tie& b) { return a.cramers_v > b.cramers_v; });
    return {};
  }

  // The riskiest of the chosen columns: by risk where there is one, else by how much they tell apart.
  [[nodiscard]] std::vector<std::size_t> riskiest() const {
    std::vector<std::size_t> places;
    for (std::size_t column = 0; column < found_.columns.size(); ++column)
      if (is_chosen(found_.columns[column]) && found_.columns[column].distinct <= kMostValues)
        places.push_back(column);
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
      const Inspection::Column& one = found_.columns[a];
      const Inspection::Column& other = found_.columns[b];
      if (one.risk && other.risk && *one.risk != *other.risk) return *one.risk > *other.risk;
      return one.availability * std::log(static_cast<double>(one.distinct + 1)) >
             other.availability * std::log(static_cast<double>(other.distinct + 1));
    });
    places.resize(std::min(places.size(), kMostInCombinations));
    std::sort(places.begin(), places.end());
    return places;
  }

  Result<void> combine() {
    const std::vector<std::size_t> places = riskiest();
    if (places.size() < 3 || found_.rows == 0 || found_.rows > UINT32_MAX) return {};
    GAUZE_TRY(const table::TupleCounts tuples, table_.group(places, progress_));
    std::vector<BoundHierarchy> hierarchies;
    for (std::size_t place = 0; place < places.size(); ++place) {
      const std::string& name = table_.columns()[places[place]];
      auto bound = materialise_and_bind(AutomaticSpec{}, name, tuples.dictionaries[place]);
      // A column of dates with cells that are none has no hierarchy of its own: what it costs is tried in the order of letters.
      if (!bound)
        bound = materialise_and_bind(OrderSpec{.values = {}, .fanout = kOddFanout}, name, tuples.dictionaries[place]);
      if (!bound) return tl::unexpected(std::move(bound).error());
      hierarchies.push_back(*std::move(bound));
    }
    std::vector<std::uint32_t> masks;
    for (std::uint32_t mask = 0; mask < (1U << places.size()); ++mask)
      if (const int size = __builtin_popcount(mask); size >= 3 && size <= 5) masks.push_back(mask);
    progress_.begin("combining columns", masks.size());
    for (const std::uint32_t mask : masks) {
      GAUZE_TRY_VOID(progress_.check());
      GAUZE_TRY(Inspection::Combination combination, combine_columns(mask, places, tuples, hierarchies));
      found_.combinations.push_back(std::move(combination));
      progress_.advance();
    }
    std::stable_sort(found_.combinations.begin(), found_.combinations.end(), [](const auto& a, const auto& b) {
      return a.columns.size() != b.columns.size() ? a.columns.size() < b.columns.size() : a.uniques > b.uniques;
    });
    return {};
  }

  Result<Inspection::Combination> combine_columns(std::uint32_t mask, const std::vector<std::size_t>& places,
                                                  const table::TupleCounts& tuples,
                                                  const std::vector<BoundHierarchy>& hierarchies) {
    Inspection::Combination combination;
    Records records;
    records.total = found_.rows;
    for (std::size_t place = 0; place < places.size(); ++place) {
      if ((mask >> place & 1U) == 0) continue;
      combination.columns.push_back(table_.columns()[places[place]]);
      records.quasi.push_back({.name = combination.columns.back(),
                               .hierarchy = hierarchies[place].hierarchy,
                               .weight = 1,
                               .missing = {}});
      std::vector<std::uint32_t>& ground = records.ground.emplace_back();
      ground.reserve(tuples.size());
      for (const std::uint32_t code : tuples.codes[place]) ground.push_back(hierarchies[place].row_of_code[code]);
    }
    for (const std::uint64_t count : tuples.counts) records.counts.push_back(static_cast<std::uint32_t>(count));

    const ClassGrouping grouping(records);
    ClassGrouping::Scratch scratch;
    grouping.group(Levels(records.quasi.size(), 0), scratch);
    combination.smallest_class = found_.rows;
    for (std::size_t slot = 0; slot < scratch.slots; ++slot) {
      const std::uint64_t size = scratch.size[slot];
      if (size == 0) continue;
      combination.uniques += size == 1 ? 1 : 0;
      combination.below_k += size < request_.k ? size : 0;
      combination.smallest_class = std::min(combination.smallest_class, size);
    }
    Criteria criteria;
    criteria.k = request_.k;
    GAUZE_TRY(const CriteriaSet set, CriteriaSet::make(criteria, records));
    Progress silent;
    const auto best = find_optimal_node(
        records, set, {.metric = Metric::loss, .suppression_limit = found_.rows / 20, .time_limit = {}}, silent);
    if (best) combination.loss = best->value;
    combination.reaches_k = best.has_value() && combination.loss < 1;
    return combination;
  }

  table::Source& table_;
  const InspectionRequest& request_;
  Progress& progress_;
  std::optional<CodedColumns> kept_;
  Inspection found_;
};

}  // namespace

Result<Inspection> inspect(table::Source& table, const InspectionRequest& request, Progress& progress) {
  return Inspector(table, request, progress).run();
}

}  // namespace gauze::anonymize
