#pragma once
// Curves of utility with figures that are easy to find again, for the tests of what is made of them.

#include "gauze/text/utility/utility_curves.h"

namespace gauze::text {

inline ClassificationStudy::Cell accuracy(double mean, double low, double high) {
  return {.accuracy = {mean, low, high}, .balanced_accuracy = {mean / 2, low / 2, high / 2}};
}

struct ExampleCurves {
  ExampleCurves() {
    task.labels = {"no", "yes"};
    task.majority = 1;
    task.majority_accuracy = 0.625;
    task.unseen = 3;
    ClassificationStudy::Outcome outcome;
    outcome.models = {{.clean_clean = accuracy(0.75, 0.75, 0.75),
                       .sanitized_clean = accuracy(0.5, 0.25, 0.75),
                       .clean_sanitized = accuracy(0.375, 0.25, 0.5),
                       .sanitized_sanitized = accuracy(0.25, 0.125, 0.375)}};
    outcome.unchanged_share = 0.5;
    outcome.masked_share = 0.125;
    classification.epsilons = {*Rational::parse("0.1")};
    classification.outcomes = {outcome};

    pairs.rows = 12;
    pairs.left_out = 2;
    RankingStudy::Outcome ranked;
    ranked.clean_clean = {.map = {1, 1, 1}, .mrr = {0.875, 0.875, 0.875}};
    ranked.sanitized_clean = {.map = {0.5, 0.25, 0.75}, .mrr = {0.625, 0.5, 0.75}};
    ranking.epsilons = {Rational(2)};
    ranking.outcomes = {ranked};
  }

  ClassificationTask task;
  ClassificationCurve classification{.task = task, .models = {TextModel::vectors}, .repetitions = 4};
  RankingTask pairs;
  RankingCurve ranking{.task = pairs, .random = {.map = 0.25, .mrr = 0.375}, .repetitions = 1};
};

}  // namespace gauze::text
