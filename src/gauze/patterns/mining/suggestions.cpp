#include "gauze/patterns/mining/suggestions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gauze/patterns/hiding/sensitive_patterns.h"
#include "gauze/patterns/mining/internal/itemset_hash.h"

namespace gauze::patterns {
namespace {

using internal::SupportOf;

double number(std::uint64_t value) { return static_cast<double>(value); }
Rational exact(std::uint64_t value) { return Rational(static_cast<std::int64_t>(value)); }

constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

/// ln(n over k), and in `size` how large the numbers were that it is the difference of.
double log_binomial(double n, double k, double& size) {
  const double all = std::lgamma(n + 1);
  const double chosen = std::lgamma(k + 1);
  const double left = std::lgamma(n - k + 1);
  size += all + std::abs(chosen) + std::abs(left);
  return all - chosen - left;
}

/// ln P[X >= both] for X hypergeometric: of `rows`, `a` are marked and `b` are drawn.
double log_pair_chance(double rows, double a, double b, double both) {
  if (both <= std::max(0.0, a + b - rows)) return 0;
  if (both > std::min(a, b)) return -std::numeric_limits<double>::infinity();
  double size = 0;
  const double first =
      log_binomial(a, both, size) + log_binomial(rows - a, b - both, size) - log_binomial(rows, b, size);
  double sum = 1;  // in units of the first term
  double term = 1;
  for (double x = both; x < std::min(a, b); ++x) {
    const double ratio = (a - x) * (b - x) / ((x + 1) * (rows - a - b + x + 1));
    term *= ratio;
    sum += term;
    if (ratio < 1 && term < sum * 1e-18) break;
  }
  return std::min(0.0, first + std::log(sum) + kRounding * (size + 64));
}

/// An upper bound of ln P[at least `support` rows hold all items].
///
/// Row r holds all items with probability p = product of f_i / N. Which rows hold item i is a random subset of fixed size:
/// the indicators of one item are negatively associated (Joag-Dev, Proschan 1983, permutation distributions), those of
/// different items are independent, and "holds all" is an increasing function of the indicators of its own row: so the
/// indicators of "holds all" are negatively associated too, and Chernoff's bound for independent ones holds for their sum:
/// P[sum >= N q] <= exp(-N KL(q || p)) for q >= p.
double log_set_chance(double rows, double log_p, double support) {
  const double q = support / rows;
  const double p = std::exp(log_p);
  if (q <= p) return 0;
  const double holds = q * (std::log(q) - log_p);
  const double fails = q < 1 ? (1 - q) * (std::log1p(-q) - std::log1p(-p)) : 0;
  const double rounding = kRounding * rows * (std::abs(holds) + std::abs(fails) + q);
  return std::min(0.0, -rows * (holds + fails) + rounding);
}

/// Whether support * N^(k-1) / product of the frequencies is more than the least interest, exactly.
bool is_interesting(std::uint64_t rows, std::span<const std::uint64_t> frequencies, std::uint64_t support,
                    const Rational& min_interest, double interest) {
  const double least = min_interest.to_double();
  if (std::abs(interest - least) > 1e-9 * (interest + least)) return interest > least;
  Rational left = exact(support);
  Rational right = min_interest;
  for (std::size_t i = 0; i + 1 < frequencies.size(); ++i) left = left * exact(rows);
  for (const std::uint64_t one : frequencies) right = right * exact(one);
  return left > right;
}

double probability(double log_value) {
  return log_value >= 0 ? 1 : std::max(std::exp(log_value), std::numeric_limits<double>::min());
}

/// Judges the itemsets of one database.
class Judge {
 public:
  Judge(const Database& database, const SuggestOptions& options, const SupportOf& supports)
      : rows_(database.rows()), options_(options), supports_(supports) {
    frequency_.assign(database.names.size(), 0);
    for (const Item item : database.items) ++frequency_[item];
    for (const std::uint64_t one : frequency_) items_ += one >= options.mining.min_count ? 1 : 0;
  }

  [[nodiscard]] std::uint64_t items() const { return items_; }

  /// A candidate and the logarithm of its corrected p-value, or nothing.
  [[nodiscard]] std::optional<std::pair<double, Suggestion>> judge(const Itemset& set, std::uint64_t support) {
    Suggestion one;
    one.items = set;
    one.support = support;
    // A larger left side is in fewer rows: the strongest rule has one item on the right.
    std::uint64_t least = 0;
    Itemset left;
    for (std::size_t i = 0; i < set.size(); ++i) {
      left = set;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      const auto found = supports_.find(left);
      if (found == supports_.end()) return std::nullopt;  // only after a search that was cut short
      if (least != 0 && found->second >= least) continue;
      least = found->second;
      one.if_items = left;
      one.then_items = {set[i]};
    }
    if (exact(support) < options_.min_confidence * exact(least)) return std::nullopt;
    one.confidence = number(support) / number(least);
    frequencies_.clear();
    for (const Item item : set) {
      frequencies_.push_back(frequency_[item]);
      // support / f_1, then times rows / f_i: one row count cancels out
      one.interest = frequencies_.size() == 1 ? number(support) / number(frequency_[item])
                                              : one.interest * number(rows_) / number(frequency_[item]);
    }
    if (!is_interesting(rows_, frequencies_, support, options_.min_interest, one.interest)) return std::nullopt;
    const double log_p = log_chance(rows_, frequencies_, support);
    double ignored = 0;
    const double sets = log_binomial(number(items_), number(set.size()), ignored) +
                        (number(set.size()) - 1) * std::log(2.0) + kRounding * ignored;
    one.p_value = probability(log_p);
    one.p_corrected = probability(log_p + sets);
    one.significant = one.p_corrected <= options_.significance;
    return std::pair(log_p + sets, std::move(one));
  }

 private:
  std::uint64_t rows_;
  const SuggestOptions& options_;
  const SupportOf& supports_;
  std::vector<std::uint64_t> frequency_;
  std::uint64_t items_ = 0;
  std::vector<std::uint64_t> frequencies_;  // of the set
};

}  // namespace

double log_chance(std::uint64_t rows, std::span<const std::uint64_t> frequencies, std::uint64_t support) {
  if (frequencies.size() == 2)
    return log_pair_chance(number(rows), number(frequencies[0]), number(frequencies[1]), number(support));
  const std::uint64_t rarest = *std::min_element(frequencies.begin(), frequencies.end());
  if (support > rarest) return -std::numeric_limits<double>::infinity();
  double log_p = 0;
  for (const std::uint64_t one : frequencies) log_p += std::log(number(one)) - std::log(number(rows));
  return log_set_chance(number(rows), log_p, number(support));
}

Result<Suggestions> suggest_patterns(const Database& database, const SuggestOptions& options, Progress& progress) {
  if (!(options.min_confidence >= 0 && options.min_confidence <= 1))
    return invalid_parameter("the smallest confidence must lie between 0 and 1");
  if (!(options.significance > 0 && options.significance <= 1))
    return invalid_parameter("the significance must lie between 0 and 1");
  if (options.min_interest < 0) return invalid_parameter("the smallest interest must not be negative");
  SupportOf supports;
  std::vector<const Itemset*> order;
  MiningOptions mining = options.mining;
  mining.kind = ItemsetKind::frequent;
  mining.min_size = 1;
  Suggestions result;
  const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
    order.push_back(&supports.emplace(Itemset(set.begin(), set.end()), support).first->first);
    return true;
  };
  GAUZE_TRY(result.itemsets, mine_itemsets(database, mining, keep, progress));
  Judge judge(database, options, supports);
  result.items_tested = judge.items();
  std::vector<std::pair<double, Suggestion>> found;
  std::uint64_t looked = 0;
  for (const Itemset* set : order) {
    if ((++looked & 0xfff) == 0) GAUZE_TRY_VOID(progress.check());
    if (set->size() < std::max<std::size_t>(2, options.mining.min_size)) continue;
    auto one = judge.judge(*set, supports.at(*set));
    if (!one) continue;
    result.significant += one->second.significant ? 1 : 0;
    if (one->second.significant || !options.significant_only) found.push_back(std::move(*one));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.support > b.second.support;
  });
  result.found = found.size();
  if (options.top && found.size() > *options.top) found.resize(static_cast<std::size_t>(*options.top));
  for (auto& [ignored, one] : found) result.candidates.push_back(std::move(one));
  return result;
}

std::string sensitive_line(const Database& database, const Suggestion& suggestion) {
  const auto has_wide_comma = [](const std::string& name) {
    return std::any_of(kWideCommas.begin(), kWideCommas.end(),
                       [&](std::string_view comma) { return name.find(comma) != std::string::npos; });
  };
  bool commas = false;
  for (const Item item : suggestion.items)
    commas = commas || database.names[item].find_first_of(" \t,\"") != std::string::npos;
  const auto side = [&](const Itemset& set) {
    std::string text;
    for (const Item item : set) {
      const std::string& name = database.names[item];
      if (!text.empty()) text += commas ? ", " : " ";
      if (name.find_first_of(" \t,\"#@=>") == std::string::npos && !has_wide_comma(name)) {
        text += name;
        continue;
      }
      text += '"';
      for (const char c : name) {
        if (c == '"') text += c;
        text += c;
      }
      text += '"';
    }
    return text;
  };
  return side(suggestion.if_items) + " => " + side(suggestion.then_items);
}

}  // namespace gauze::patterns
