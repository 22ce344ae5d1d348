#include "gauze/cli/patterns/mining_flags.h"

#include "gauze/cli/patterns/basket_flags.h"

namespace gauze::cli {

using namespace patterns;  // the vocabulary of this file

std::vector<Flag> mining_flags() {
  std::vector<Flag> flags = basket_threshold_flags();
  const std::vector<Flag> more = {
      {.name = "min-size", .placeholder = "N", .help = "only sets of at least so many items", .default_text = "1"},
      {.name = "max-size", .placeholder = "N", .help = "only sets of at most so many items"},
      {.name = "max-itemsets",
       .placeholder = "N",
       .help =
           "stop beyond so many sets; the result says that it is not complete. Default: 10 million where sets are "
           "listed, none where they are counted"},
      {.name = "time-limit", .placeholder = "SECONDS", .help = "stop after so much processor time; the same"},
      {.name = "intervals",
       .help = "where unknown marks leave it open: the smallest and largest figures that are possible"},
      {.name = "output",
       .short_name = 'o',
       .placeholder = "OUT",
       .help = "where what is found is written; - or none: the standard output",
       .is_file = true,
       .makes = Makes::file,
       .or_stdout = true}};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

Result<std::optional<std::uint64_t>> top_of(const Invocation& invocation) {
  std::optional<std::uint64_t> top;
  if (invocation.has("top")) {
    GAUZE_TRY(const std::int64_t wanted, invocation.integer("top", 1, 1'000'000'000));
    top = static_cast<std::uint64_t>(wanted);
  }
  return top;
}

Result<MiningOptions> mining_options(const Invocation& invocation, std::uint64_t rows, bool threshold_optional) {
  MiningOptions options;
  if (!threshold_optional || invocation.has("min-support") || invocation.has("min-count")) {
    GAUZE_TRY(const HidingThreshold threshold, basket_threshold(invocation, rows));
    options.min_count = threshold.count;
  }
  GAUZE_TRY(const std::int64_t least, invocation.integer("min-size", 1, 1'000'000));
  options.min_size = static_cast<std::size_t>(least);
  if (invocation.has("max-size")) {
    GAUZE_TRY(const std::int64_t size, invocation.integer("max-size", 1, 1'000'000));
    options.max_size = static_cast<std::size_t>(size);
    if (size < least) return invalid_parameter("--max-size must not be smaller than --min-size");
  }
  if (invocation.has("max-itemsets")) {
    GAUZE_TRY(const std::int64_t most, invocation.integer("max-itemsets", 1));
    options.max_itemsets = static_cast<std::uint64_t>(most);
  }
  if (invocation.has("time-limit")) {
    GAUZE_TRY(const Rational seconds, invocation.rational("time-limit"));
    if (!(seconds > 0)) return invalid_parameter("--time-limit must be positive");
    options.time_limit_seconds = seconds.to_double();
  }
  return options;
}

void warn_if_cut(Invocation& invocation, const MiningCounts& counts, const MiningOptions& options) {
  if (counts.stopped_by == "max-itemsets" && !invocation.has("max-itemsets"))
    invocation.warn({"stopped_by_limit",
                     fmt::format("stopped after {} sets: there are more than these; --max-itemsets N lists more, and "
                                 "--count-only says how many there are",
                                 *options.max_itemsets)});
  else if (counts.more_than_counted)
    invocation.warn({"more_than_counted",
                     fmt::format("there are more itemsets than can be counted: more than {}", kMostCounted)});
  else if (!counts.complete)
    invocation.warn(
        {"stopped_by_limit", fmt::format("stopped by --{}: there are more than these", counts.stopped_by)});
}

void mention_marks(Invocation& invocation, const Database& database) {
  if (database.has_marks() && !invocation.has("intervals"))
    invocation.warn({"marks_as_absent",
                     "the file has unknown marks; they count as absent, and --intervals says what they leave open"});
}

}  // namespace gauze::cli
