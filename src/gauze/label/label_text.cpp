// The label in a few plain sentences, for people who are no privacy researchers.
#include <fmt/core.h>

#include "gauze/base/joined.h"
#include "gauze/label/label.h"
#include "gauze/label/printable_text.h"
#include "gauze/label/version.h"

namespace gauze {
namespace {

/// "noisy number" -> "noisy numbers", "table of noisy counts" -> "tables of noisy counts".
std::string plural(std::string_view kind) {
  const auto of = kind.find(" of ");
  std::string head(kind.substr(0, of));
  const std::string tail(of == std::string_view::npos ? "" : kind.substr(of));
  const auto ends = [&](std::string_view suffix) { return head.ends_with(suffix); };
  if (ends("s") || ends("x") || ends("ch") || ends("sh")) return head + "es" + tail;
  if (ends("y") && head.size() > 1 &&
      std::string_view("aeiou").find(head[head.size() - 2]) == std::string_view::npos) {
    head.back() = 'i';
    return head + "es" + tail;
  }
  return head + "s" + tail;
}

std::string released_sentence(const PrivacyLabel& label) {
  const auto& released = label.released;
  std::string what = released.kind;
  if (released.count) what = fmt::format("{} {}", *released.count, *released.count == 1 ? what : plural(what));
  if (!released.file.empty()) what += fmt::format(", in the file {}", released.file);
  if (label.mechanism.empty()) return fmt::format("Released: {}.", what);
  return fmt::format("Released: {}. Mechanism: {}.", what, label.mechanism);
}

std::string neighbours_words(Neighbours neighbours) {
  switch (neighbours) {
    case Neighbours::add_remove:
      return " (neighbours: one unit added or removed)";
    case Neighbours::replace_one:
      return " (neighbours: one unit replaced by another; the number of units is public)";
    case Neighbours::any_two_inputs:
      return " (neighbours: any two inputs)";
    case Neighbours::not_applicable:
      return "";
  }
  return "";
}

std::string definition_words(const PrivacyLabel& label) {
  const std::string epsilon = label.cost.epsilon.value_or("");
  switch (label.definition) {
    case Definition::pure:
      return fmt::format("pure differential privacy with epsilon {}", epsilon);
    case Definition::approximate:
      return fmt::format("approximate differential privacy with epsilon {} and delta {}", epsilon,
                         label.cost.delta.value_or(""));
    case Definition::zcdp:
      return fmt::format("zero-concentrated differential privacy with rho {}", label.cost.rho.value_or(""));
    case Definition::renyi:
      return fmt::format("Renyi differential privacy with epsilon {} at order {}",
                         label.cost.renyi_epsilon.value_or(""), label.cost.renyi_order.value_or(""));
    case Definition::gaussian:
      return fmt::format("Gaussian differential privacy with mu {}", label.cost.mu.value_or(""));
    case Definition::metric:
      return fmt::format("metric differential privacy with epsilon {} per unit of distance between two inputs",
                         epsilon);
    case Definition::umldp:
      return fmt::format(
          "utility-optimised metric local privacy with epsilon {} per unit of distance, for the inputs "
          "declared sensitive",
          epsilon);
    case Definition::k_anonymity:
      return "k-anonymity, which is a property of the table and no differential privacy";
    case Definition::pattern_hiding:
      return "pattern hiding, which is a property of the output and no differential privacy";
    case Definition::none:
    case Definition::internal:
      break;
  }
  return "none";
}

std::string budget_sentence(const PrivacyLabel::Budget& budget) {
  if (budget.recorded) {
    return fmt::format("Budget: recorded in the ledger for the dataset {} as entry {}.", budget.dataset,
                       budget.entry);
  }
  return "Budget: not recorded. Whoever adds up what has been spent on this data must count this release.";
}

std::string choices_sentence(const PrivacyLabel& label) {
  std::string by_origin;
  for (const Provenance origin : {Provenance::public_knowledge, Provenance::selected, Provenance::data}) {
    std::string names;
    for (const auto& [choice, from] : label.provenance) {
      if (from == origin) names += (names.empty() ? "" : ", ") + choice;
    }
    if (names.empty()) continue;
    if (!by_origin.empty()) by_origin += "; ";
    by_origin += origin == Provenance::public_knowledge ? "public: "
                 : origin == Provenance::selected       ? "selected within the budget: "
                                                        : "chosen on this data: ";
    by_origin += names;
  }
  return by_origin.empty() ? "" : fmt::format("Choices: {}.", by_origin);
}

std::string commitment_sentence(const PrivacyLabel::Commitments& commitments) {
  if (!commitments.any()) return "";
  std::vector<std::string> names;
  for (const auto& [name, commitment] : commitments.inputs) names.push_back(name);
  const std::string inputs = names.empty() ? "input" : fmt::format("inputs ({})", enumerated(names));
  const bool has_input = commitments.input || !names.empty();
  return fmt::format("Bound to the {} by a commitment that only the holder of its key can check.",
                     !commitments.policy ? inputs
                     : !has_input        ? "policy"
                                         : inputs + " and the policy");
}

}  // namespace

std::string PrivacyLabel::to_text(int width) const {
  std::string out;
  const auto paragraph = [&](const std::string& text, int indent = 0) {
    if (!text.empty()) out += wrap_text(text, width, indent) + "\n";
  };
  if (warning) paragraph(fmt::format("WARNING: {}", *warning));
  paragraph(released_sentence(*this));
  const bool promises = definition != Definition::none && definition != Definition::internal;
  paragraph(fmt::format("Guarantee: {}{}.{}", definition_words(*this), promises ? neighbours_words(neighbours) : "",
                        promises && !privacy_unit.empty() ? fmt::format(" The unit is {}.", privacy_unit) : ""));
  if (const auto means = meaning()) paragraph("Meaning: " + means->text + ".");
  for (const auto& sentence : covers) paragraph("Covered: " + sentence, 2);
  for (const auto& sentence : does_not_cover) paragraph("Not covered: " + sentence, 2);
  paragraph(choices_sentence(*this));
  if (promises) paragraph(budget_sentence(budget));
  paragraph(commitment_sentence(commitments));
  paragraph(fmt::format("Made by {} {}.", producer.name, producer.version.empty() ? version() : producer.version));
  return out;
}

}  // namespace gauze
