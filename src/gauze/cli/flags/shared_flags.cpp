#include "gauze/cli/flags/shared_flags.h"

#include "gauze/cli/core/output_places.h"
#include "gauze/label/label_file.h"

namespace gauze::cli {

Flag epsilon_flag() {
  return {.name = "epsilon", .placeholder = "E", .help = "privacy loss, a decimal above 0; smaller is more private"};
}

Flag delta_flag() {
  return {.name = "delta", .placeholder = "D", .help = "probability that the epsilon bound may fail, below 1"};
}

Flag sensitivity_flag() {
  return {.name = "sensitivity",
          .placeholder = "S",
          .help = "how much one unit can change the result",
          .default_text = "1"};
}

Flag count_flag() {
  return {.name = "count", .placeholder = "N", .help = "how many to draw; each one is paid for", .default_text = "1"};
}

Flag adjacency_flag() {
  return {.name = "adjacency",
          .placeholder = "RELATION",
          .help = "which inputs count as neighbours",
          .default_text = "add-remove",
          .choices = all_words(kOneUnitWords)};
}

Flag neighbours_flag() {
  return {.name = "neighbours",
          .placeholder = "RELATION",
          .help = "which two states of the data the cost is about",
          .choices = all_words(kOneUnitWords)};
}

Flag output_flag() {
  return {.name = "output",
          .short_name = 'o',
          .placeholder = "OUT",
          .help = "write to OUT and its label to OUT.label.json, replacing what is there",
          .is_file = true,
          .makes = Makes::labelled_file,
          .or_stdout = true};
}

Flag ledger_flag() {
  return {.name = "ledger", .placeholder = "FILE", .help = "the ledger that keeps the budget", .is_file = true};
}

Flag analyst_flag() {
  return {.name = "analyst", .placeholder = "A", .help = "who asks; stands in the ledger beside the charge"};
}

Result<Neighbours> adjacency_of(const Invocation& invocation) { return invocation.value("adjacency", kOneUnitWords); }

}  // namespace gauze::cli
