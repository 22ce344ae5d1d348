#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/files/json.h"
#include "gauze/label/label.h"
#include "gauze/ledger/terms/privacy_filter.h"

namespace gauze {

/// What the owner of a dataset asks for when it enters the ledger.
struct DatasetOptions {
  std::string name;                                ///< required
  std::string unit = "one row";                    ///< whom a guarantee about this dataset protects
  Neighbours neighbours = Neighbours::add_remove;  ///< or replace_one: which two states of the data it compares
  std::optional<Rational> epsilon;                 ///< the lifetime total: epsilon, with or without delta ...
  std::optional<Rational> delta;                   ///< (0 counts as none)
  std::optional<Rational> rho;                     ///< ... or rho, with or without delta
  std::string accountant;                          ///< empty: basic for pure totals, else zcdp
  std::int64_t window_seconds = 0;                 ///< 0: no window
  std::optional<Rational> window_limit;            ///< in the currency of the total; required with a window
  std::optional<Rational> max_per_query;           ///< in the currency of the total
  std::optional<Rational> max_delta_per_query;     ///< of totals with a delta
  std::optional<std::int64_t> max_queries;         ///< over the lifetime
};

/// A limit inside the total: as declared in the total's currency, and in the accountant's.
struct InnerLimit {
  std::int64_t declared = 0;
  std::int64_t limit = 0;
};

/// The terms of a dataset. They are its first entry and never change.
struct DatasetTerms {
  std::string name;
  std::string unit;
  std::optional<Neighbours> neighbours;  ///< none in format 1, where it is declared later
  Total total;
  PrivacyFilter accountant;
  Cost capacity;                    ///< what the accountant may spend
  std::int64_t window_seconds = 0;  ///< 0: no window
  InnerLimit window;                ///< what it may spend before the window renews
  std::optional<InnerLimit> max_per_query;
  std::optional<std::int64_t> max_delta_per_query;  ///< units of delta
  std::optional<std::int64_t> max_queries;

  /// Rounds totals and limits down. `invalid_parameter` names what breaks a rule.
  [[nodiscard]] static Result<DatasetTerms> make(const DatasetOptions& options);

  /// Whether one query may cost this much. An epsilon charge is compared by its epsilon where the limit is one.
  [[nodiscard]] bool allows_query(const Charge& charge, const Cost& cost) const;
  /// {"epsilon":1,"delta":1e-06} or {"rho":0.5}, with "delta" where it has one.
  [[nodiscard]] Json total_json() const;
  /// What the total is worth as one pure release: {"epsilon":1}; null under basic, where the total says it itself, and under
  /// gdp, which takes no pure charge.
  [[nodiscard]] Json as_one_pure_release() const;
  /// The same in words: "as one pure release: at most epsilon 1"; empty under basic.
  [[nodiscard]] std::string worth_text() const;
};

/// Names of datasets and analysts: 1 to 200 bytes of printable text, without '=' and without blanks at the ends.
[[nodiscard]] Result<void> check_name(std::string_view what, std::string_view name);
/// What new names and units must be besides: without characters that take no room, such as the zero-width space. Two
/// names that look alike would be two budgets.
[[nodiscard]] Result<void> check_visible(std::string_view what, std::string_view text);
/// Other texts: at most `most` bytes of printable text; may be empty.
[[nodiscard]] Result<void> check_text(std::string_view what, std::string_view text, std::size_t most);

/// The longest purpose and privacy unit, in bytes.
inline constexpr std::size_t kLongestPurpose = 1000;
inline constexpr std::size_t kLongestUnit = 200;

/// A window lasts from a minute to a hundred years.
inline constexpr std::int64_t kShortestWindow = 60;
inline constexpr std::int64_t kLongestWindow = 3'155'760'000;

/// "30d" as seconds: a whole number and m, h, d or w; at most a hundred years.
[[nodiscard]] Result<std::int64_t> parse_window(std::string_view text);
/// The same back: "30d".
[[nodiscard]] std::string window_text(std::int64_t seconds);

}  // namespace gauze
