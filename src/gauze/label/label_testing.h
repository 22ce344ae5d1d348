#pragma once
// A label with every field filled in, for the tests of this room and of those above it.

#include "gauze/label/label.h"

namespace gauze {

[[nodiscard]] inline PrivacyLabel full_label() {
  PrivacyLabel label;
  label.warning = "an example";
  label.released = {.kind = "noisy number", .count = 3, .file = "counts.csv", .sha256 = std::string(64, 'a')};
  label.mechanism = "laplace";
  label.parameters.set("epsilon", Json::number("0.10"))
      .set("sensitivity", 1)
      .set("columns", Json::array({1, "x", true}));
  label.privacy_unit = "one person";
  label.neighbours = Neighbours::add_remove;
  label.definition = Definition::approximate;
  label.cost = {.epsilon = "0.30", .delta = "1e-5", .rho = {}};
  label.covers = {"Every number in the file.", "Whoever sees all of them."};
  label.does_not_cover = {"The declared sensitivity: it is taken on trust."};
  label.provenance = {
      {"epsilon", Provenance::public_knowledge}, {"levels", Provenance::selected}, {"columns", Provenance::data}};
  label.budget = {.recorded = true, .dataset = "patients", .entry = "17"};
  label.commitments = {
      .input = std::string(64, 'b'), .policy = std::string(64, 'c'), .inputs = {{"orders", std::string(64, 'd')}}};
  label.producer = {.name = "gauze", .version = "0.1.0"};
  return label;
}

/// The smallest one that obeys the rules.
[[nodiscard]] inline PrivacyLabel plain_label() {
  PrivacyLabel label;
  label.released = {.kind = "noisy number", .count = 1, .file = {}, .sha256 = {}};
  label.mechanism = "laplace";
  label.privacy_unit = "one row";
  label.neighbours = Neighbours::add_remove;
  label.definition = Definition::pure;
  label.cost.epsilon = "1";
  return label;
}

}  // namespace gauze
