#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gauze/cli/core/invocation.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json.h"
#include "gauze/patterns/baskets/basket_file.h"

namespace gauze::cli {

/// So many itemsets are found at most, unless --max-itemsets says otherwise.
inline constexpr std::uint64_t kMostItemsets = 10'000'000;

/// Where lines go: the file of -o, which appears whole or not at all, or the standard output.
class LineOutput {
 public:
  [[nodiscard]] static Result<LineOutput> make(Invocation& invocation);
  void write(std::string_view line);
  [[nodiscard]] Result<void> finish();

 private:
  explicit LineOutput(Invocation& invocation) : invocation_(&invocation) {}
  Invocation* invocation_;
  std::optional<AtomicFile> file_;
  Result<void> problem_ = {};
};

/// The names of a set as the file would write them: separated by blanks, or by commas with quotes where needed.
[[nodiscard]] std::string names_text(const patterns::Database& database, std::span<const patterns::Item> set,
                                     patterns::BasketFormat format);
[[nodiscard]] Json names_json(const patterns::Database& database, std::span<const patterns::Item> set);

}  // namespace gauze::cli
