#pragma once

#include <optional>

#include "gauze/files/byte_source.h"
#include "gauze/label/label.h"
#include "gauze/learn/model/model_file.h"
#include "gauze/learn/plan/training_plan.h"
#include "gauze/learn/score/figures.h"
#include "gauze/learn/step/training_run.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/declared_source.h"

namespace gauze::learn {

/// Noisy figures of the units that were kept apart.
struct HoldoutFigures {
  Confusion confusion = {};  ///< noisy; may be negative
  FigureEstimates figures = {};
  Majority majority = {};
  double noise_scale = 0;
};

struct TrainedModel {
  ModelFile file;
  std::optional<HoldoutFigures> holdout = {};
};

/// The columns that training reads, for a source that is opened by names alone.
[[nodiscard]] std::vector<table::DeclaredColumn> training_columns(const schema::LearnPolicy& policy);
/// Reads them by total rules.
[[nodiscard]] Result<LearningRows> read_training_rows(table::DeclaredSource& source, const schema::Policy& policy,
                                                      InputEncoding encoding, const ByteWitness& witness,
                                                      Progress& progress);

/// A model as its file describes it.
[[nodiscard]] ModelDescription describe(const TrainingPlan& plan, const schema::Policy& policy);

/// Reads, trains and, with a hold-out, measures. Fails for no reason that rows could be.
[[nodiscard]] Result<TrainedModel> train_model(const TrainingPlan& plan, const schema::Policy& policy,
                                               const LearningRows& rows, SecureStreams& streams, RunRequest request,
                                               const StateSink& sink, Progress& progress);
[[nodiscard]] Result<TrainedModel> simulate_model(const TrainingPlan& plan, const schema::Policy& policy,
                                                  const LearningRows& rows, SeededStreams& streams,
                                                  RunRequest request, const StateSink& sink, Progress& progress);

/// What a model, or a checkpoint of its training, promises. Nothing in it depends on rows. `assumption`: what is taken for granted
/// about the file that was read (DeclaredSource), if anything is.
[[nodiscard]] PrivacyLabel training_label(const TrainingPlan& plan, const schema::Policy& policy,
                                          const PrivacyCost& cost, const std::string& assumption = {},
                                          std::string_view kind = "trained model");

/// What `train` prints for programs, but for ledger, warnings and label.
[[nodiscard]] Json training_json(const TrainingPlan& plan, const std::optional<HoldoutFigures>& holdout);

/// "logistic", "mlp", ...
[[nodiscard]] std::string_view kind_word(const TrainingPlan& plan);

}  // namespace gauze::learn
