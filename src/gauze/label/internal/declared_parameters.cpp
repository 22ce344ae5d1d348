#include "gauze/label/internal/declared_parameters.h"

#include <algorithm>
#include <initializer_list>
#include <span>

namespace gauze::internal {
namespace {

struct Declared {
  std::string_view name;
  ParameterShape shape = ParameterShape::plain;
};

/// Of mechanisms that draw noise or choose, and of what they cost together.
constexpr Declared kMechanisms[] = {{"epsilon"},
                                    {"delta"},
                                    {"rho"},
                                    {"mu"},
                                    {"sensitivity"},
                                    {"scale"},
                                    {"sigma"},
                                    {"granularity"},
                                    {"gamma"},
                                    {"bound"},
                                    {"nominal_epsilon"},
                                    {"categories"},
                                    {"keep_probability"},
                                    {"monotone"},
                                    {"steps"},
                                    {"events"}};

/// Of releases of counts and records.
constexpr Declared kReleases[] = {{"mode"},
                                  {"kind"},
                                  {"k"},
                                  {"columns", ParameterShape::list},
                                  {"columns_cleaned", ParameterShape::list},
                                  {"levels", ParameterShape::by_column},
                                  {"noise"},
                                  {"threshold"},
                                  {"domain_size"},
                                  {"cut"},
                                  {"expected_phantom_cells"},
                                  {"fit"},
                                  {"epsilon_counts"},
                                  {"epsilon_total"},
                                  {"epsilon_select"},
                                  {"rho_counts"},
                                  {"rho_total"},
                                  {"scale_total"},
                                  {"sigma_total"},
                                  {"unit_column"},
                                  {"max_classes"},
                                  {"max_rows"}};

/// Of questions in SQL. The digest of the question is of the text as it was asked, which is shown on one line.
constexpr Declared kQueries[] = {
    {"sql"},       {"sql_sha256"},   {"schema_sha256"},   {"keys"},
    {"noise"},     {"threshold"},    {"groups_per_unit"}, {"rows_per_unit"},
    {"min_group"}, {"measurements"}, {"consistent"},      {"public_tables", ParameterShape::digests}};

/// Of tasks of local collection, which are public, and of what is made under them.
constexpr Declared kCollections[] = {{"task"},           {"task_sha256"}, {"question"},
                                     {"epsilon_window"}, {"window"},      {"epsilon_lifetime"},
                                     {"profile"},        {"deviation"},   {"period"}};

/// Of answers about the records of a central task, and of such tasks: what was asked, never what was found.
constexpr Declared kCentralQueries[] = {{"field"},   {"where", ParameterShape::list}, {"tau"},       {"from"}, {"to"},
                                        {"periods"}, {"reports_per_period"},          {"candidates"}};

/// Of trained models: how they were trained, never what was seen on the way.
constexpr Declared kModels[] = {
    {"model"},           {"method"},         {"sampling"},       {"rate"},          {"batch"},
    {"declared_rows"},   {"normaliser"},     {"sigma_gradient"}, {"clip"},          {"margin"},
    {"clip_quantile"},   {"sigma_clipping"}, {"entropy_rho"},    {"entropy_sigma"}, {"holdout"},
    {"holdout_epsilon"}, {"optimizer"},      {"learning_rate"},  {"schedule"},      {"loss"},
    {"weights"},         {"reading"},        {"claimed_delta"},  {"epsilon_1"},     {"epsilon_2"}};

/// Of anonymised tables.
constexpr Declared kTables[] = {{"k"},
                                {"criteria", ParameterShape::list},
                                {"quasi_identifiers", ParameterShape::list},
                                {"levels", ParameterShape::by_column},
                                {"heights", ParameterShape::by_column},
                                {"metric"},
                                {"suppression_limit"},
                                {"suppression"},
                                {"row_order"},
                                {"rows_of_stars"},  // of labels made before rows of `*` were classes like others
                                {"columns_unchanged", ParameterShape::list},
                                {"columns_pseudonymous", ParameterShape::list},
                                {"columns_cleaned", ParameterShape::list},
                                {"missing"},
                                {"decimal"},
                                {"null_tokens", ParameterShape::list},
                                {"spreadsheet_safe"}};

/// Of sanitised texts. The lists are there as digests of public lists.
constexpr Declared kTexts[] = {{"epsilon"},
                               {"vectors"},
                               {"vocabulary"},
                               {"granule"},
                               {"largest_distance"},
                               {"gamma"},
                               {"p"},
                               {"epsilon0"},
                               {"sensitive_words"},
                               {"sensitive"},
                               {"w"},
                               {"frequencies"},
                               {"expected_pass_through"},
                               {"language"},
                               {"unknown"},
                               {"numbers"},
                               {"addresses"},
                               {"symbols"},
                               {"stop_word_policy"},
                               {"stop_words"},
                               {"html"},
                               {"lambda"},
                               {"t"},
                               {"output_sets"},
                               {"set_size"},
                               {"column"},
                               {"order"}};

/// Of transactions with hidden patterns: never the patterns.
constexpr Declared kPatterns[] = {{"level"}, {"operation"}, {"mark_style"}, {"order"}};

/// Of published methods, which claim what does not hold.
constexpr Declared kClaims[] = {{"claimed_epsilon"}, {"noise_scale"}};

/// Of simulations for the owner.
constexpr Declared kSimulations[] = {{"epsilons", ParameterShape::list}, {"repetitions"}};

/// The size of the data is public where neighbours have equally many rows.
constexpr Declared kRows[] = {{"rows"}};
/// Every device sends its report to whoever collects: their number is known.
constexpr Declared kReports[] = {{"reports"}};

using Group = std::span<const Declared>;

std::vector<Group> groups_of(Definition definition) {
  switch (definition) {
    case Definition::pure:
    case Definition::approximate:
    case Definition::zcdp:
    case Definition::renyi:
    case Definition::gaussian:
      return {kMechanisms, kReleases, kQueries, kCollections, kCentralQueries, kModels};
    case Definition::metric:
    case Definition::umldp:
      return {kTexts};
    case Definition::k_anonymity:
      return {kTables};
    case Definition::pattern_hiding:
      return {kPatterns};
    case Definition::none:  // a seed, or a published method, took the promise away from any of the above
    case Definition::internal:
      break;
  }
  return {kMechanisms, kReleases, kQueries,  kCollections, kCentralQueries, kModels,
          kTables,     kTexts,    kPatterns, kClaims,      kSimulations};
}

}  // namespace

std::optional<ParameterShape> declared_shape(Definition definition, Neighbours neighbours, std::string_view name) {
  std::vector<Group> groups = groups_of(definition);
  if (neighbours == Neighbours::replace_one) groups.emplace_back(kRows);
  if (neighbours == Neighbours::any_two_inputs) groups.emplace_back(kReports);
  for (const Group& group : groups) {
    const auto found =
        std::find_if(group.begin(), group.end(), [&](const Declared& one) { return one.name == name; });
    if (found != group.end()) return found->shape;
  }
  return std::nullopt;
}

}  // namespace gauze::internal
