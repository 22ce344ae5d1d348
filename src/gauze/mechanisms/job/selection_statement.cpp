#include "gauze/mechanisms/job/selection_statement.h"

#include "gauze/label/unstated_unit.h"

namespace gauze {

PrivacyCost cost_of(const SelectionMechanism::Options& options, std::int64_t count, std::string unit) {
  PrivacyCost cost = PrivacyCost::of_epsilon(options.epsilon * Rational(count));
  cost.unit = std::move(unit);
  cost.neighbours = options.neighbours;
  return cost;
}

PrivacyLabel label_of(const SelectionMechanism::Options& options, const PrivacyCost& cost, std::int64_t count) {
  PrivacyLabel label;
  cost.put_into(label);
  label.released = {.kind = "private choice", .count = static_cast<std::uint64_t>(count), .file = {}, .sha256 = {}};
  label.mechanism = word_of(kSelectionWords, options.kind);
  label.parameters = Json::object({{"epsilon", Json::number(options.epsilon.to_decimal_up())},
                                   {"sensitivity", Json::number(options.sensitivity.to_decimal_up())},
                                   {"monotone", options.monotone}});
  label.privacy_unit = kUnstatedUnit;
  label.covers = {"which candidate was chosen, when no score changes by more than the stated sensitivity"};
  label.does_not_cover = {"whether the stated sensitivity is right", "the list of candidates and how many there are",
                          "other releases from the same data: their costs add up"};
  if (options.monotone) label.does_not_cover.emplace_back("whether the scores are monotone, as was stated");
  return label;
}

void mark_as_probabilities(PrivacyLabel& label) {
  label.warning = "INTERNAL, no guarantee: the probabilities are computed from the true scores";
  label.definition = Definition::internal;
  label.cost = {};
  label.covers.clear();
  label.does_not_cover = {"anything: do not let this output leave the house"};
}

Json to_json(const PartitionSelection& selection, const PartitionSelection::Options& options,
             std::optional<double> keep_probability) {
  return Json::object({{"threshold", Json::number(selection.threshold().to_decimal())},
                       {"keep_probability", keep_probability ? Json(*keep_probability) : Json()},
                       {"mechanism", word_of(kPartitionNoiseWords, options.noise)},
                       {"parameters", Json::object({{"epsilon", Json::number(options.epsilon.to_decimal_up())},
                                                    {"delta", Json::number(options.delta.to_decimal_up())},
                                                    {"max_partitions", options.max_partitions},
                                                    {"min_group", options.min_group}})}});
}

}  // namespace gauze
