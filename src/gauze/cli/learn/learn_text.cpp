#include "gauze/cli/learn/learn_text.h"

#include <algorithm>
#include <cmath>

#include "gauze/base/joined.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/ledger/charge_of_cost.h"

namespace gauze::cli {
namespace {

using learn::SamplingKind;
using learn::TrainingPlan;

class Lines {
 public:
  explicit Lines(Invocation& invocation) : invocation_(&invocation) {}
  void add(std::string_view name, const std::string& text) {
    invocation_->out().print("{} {}\n", invocation_->out_style().bold(fmt::format("{:<10}", name)), text);
  }

 private:
  Invocation* invocation_;
};

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1'000'000) return "less than 1 MB";
  return fmt::format("about {} MB", bytes / 1'000'000);
}

/// Six digits, never below the value.
std::string short_up(const Rational& value) {
  const double magnitude = std::floor(std::log10(value.to_double_up()));
  return value.to_decimal_up(std::clamp(5 - static_cast<int>(magnitude), 0, 30));
}

std::string guarantee_text(const TrainingPlan& plan) {
  if (!plan.is_private()) return "none: no noise, no clipping";
  std::string text = fmt::format("epsilon {}, delta {}; {}, neighbours {}", short_up(plan.claimed_epsilon),
                                 plan.delta.to_decimal(), plan.unit, to_string(plan.neighbours));
  return text;
}

void print_recipe(Lines& lines, const TrainingPlan& plan) {
  lines.add("model",
            fmt::format("{}, {} inputs, {}, {} weights", learn::kind_word(plan), plan.inputs,
                        plan.outputs == 1 ? "one number" : fmt::format("{} classes", plan.outputs), plan.weights));
  lines.add("guarantee", guarantee_text(plan));
  std::string sampling =
      fmt::format("{} steps, {} of {} declared rows in each", plan.steps, plan.batch, plan.declared);
  if (plan.sampling == SamplingKind::poisson) sampling += " on average, by a coin each";
  if (plan.sampling == SamplingKind::full) sampling = fmt::format("{} steps, everybody in each", plan.steps);
  lines.add("sampling", sampling);
  if (plan.is_private())
    lines.add("noise",
              fmt::format("sigma {} times the clip of {}{}", short_up(plan.sigma), plan.options.clip.to_decimal(),
                          plan.options.adaptive ? " at first, which adapts" : ""));
  if (plan.holdout_epsilon)
    lines.add("hold-out", fmt::format("a share of {} of the rows, measured at epsilon {}",
                                      plan.options.holdout->to_decimal(), plan.holdout_epsilon->to_decimal()));
}

}  // namespace

std::string interval_text(const std::optional<Estimate>& estimate) {
  if (!estimate) return "-";
  return fmt::format("{:.4f} ({:.4f} to {:.4f})", estimate->mean, estimate->low, estimate->high);
}

void print_training_plan(Invocation& invocation, const TrainingPlan& plan, const std::optional<learn::PlanFit>& fit) {
  Lines lines(invocation);
  print_recipe(lines, plan);
  if (plan.is_private() && plan.training_epsilon.lower)
    lines.add("accounting",
              fmt::format("at delta {} the steps cost an epsilon between {:.6g} and {:.6g}", plan.delta.to_decimal(),
                          *plan.training_epsilon.lower, plan.training_epsilon.upper));
  lines.add("work", fmt::format("{:.3g} operations, {} of memory", plan.operations, bytes_text(plan.memory)));
  if (!fit) return;
  std::string text = fit->ok ? "fits: " : "does not fit: ";
  if (!fit->charge.is_null()) text += "charges " + figures_text(fit->charge) + "; ";
  text += "left " + figures_text(fit->left);
  if (!fit->ok) text += "; " + fit->reason;
  lines.add("ledger", text);
  if (!fit->ok)
    lines.add("suited", fit->suited.empty() ? "no accountant would take it under this total"
                                            : "a dataset with " + joined(fit->suited, ", "));
}

void print_trained(Invocation& invocation, const TrainingPlan& plan, const learn::TrainedModel& trained,
                   const publish::Publication& publication) {
  Lines lines(invocation);
  print_recipe(lines, plan);
  if (trained.holdout) {
    const auto& held = *trained.holdout;
    lines.add("accuracy", interval_text(held.figures.accuracy) + " on the hold-out, noise included");
    if (held.majority.accuracy)
      lines.add("majority", fmt::format("{:.4f} for always saying the commonest class", *held.majority.accuracy));
  }
  lines.add("budget", publication.text() + (publication.is_charged() ? "" : " (--ledger FILE --dataset NAME)"));
}

void print_self_check(Invocation& invocation, const std::vector<learn::LayerCheck>& checks,
                      const learn::StepCheck& step) {
  TextTable table;
  table.add({"layer", "norms", "gradients", "same bits", ""});
  for (const learn::LayerCheck& check : checks)
    table.add({check.layer, fmt::format("{:.1e}", check.ghost_vs_materialised),
               fmt::format("{:.1e}", check.finite_difference), check.position_invariant ? "yes" : "no",
               check.ok() ? "ok" : "WRONG"});
  invocation.out().write(table.text(invocation.out_style()));
  invocation.out().print("noise   {}\nmargin  {}\n", step.noise_ok ? "ok" : "WRONG", step.margin_ok ? "ok" : "WRONG");
}

}  // namespace gauze::cli
