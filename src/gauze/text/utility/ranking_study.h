#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/text/utility/repetitions.h"
#include "gauze/text/utility/tokenized_documents.h"

namespace gauze::text {

/// Queries and the candidates that answer them or do not. Equal texts are one document, which is sanitised once a
/// repetition: a query with its candidates in several rows, a candidate of several queries.
struct RankingTask {
  struct Pair {
    std::size_t candidate = 0;  ///< its number among `candidates`
    bool relevant = false;
  };
  TokenizedDocuments queries;            ///< those with a relevant candidate, in the order of the table
  TokenizedDocuments candidates;         ///< all, in the order of the table
  std::vector<std::vector<Pair>> pairs;  ///< a query each
  std::size_t rows = 0;                  ///< of the table
  std::size_t left_out = 0;              ///< queries without a relevant candidate

  /// A row is a query, a candidate and whether it is relevant: 1 or 0. Refuses (`bad_data`) columns of different length, an
  /// empty table, another mark than 0 and 1, and a table where nothing is relevant. Rows are counted from 1.
  [[nodiscard]] static Result<RankingTask> make(const WordVectors& vectors, const SegmentationDictionary* dictionary,
                                                const SanitizePolicy& policy, std::span<const std::string> queries,
                                                std::span<const std::string> candidates,
                                                std::span<const std::string> relevance);
};

/// How well candidates are ranked for queries when either side, or both, are sanitised: the similarity experiment of
/// Feyisetan et al. (2020). The score of a pair is the cosine of the means of their word vectors, 0 where a text has no
/// known word; scores that agree in 40 binary digits tie, and ties are averaged (ranking_figures.h).
///
/// Compares with the clean texts: for the owner's eyes. The result does not depend on the number of threads.
class RankingStudy {
 public:
  struct Means {
    double map = 0;  ///< mean average precision
    double mrr = 0;  ///< mean reciprocal rank
  };
  struct Cell {
    RepeatedFigure map;
    RepeatedFigure mrr;
  };
  /// Named by what the queries are, then by what the candidates are.
  struct Outcome {
    Cell clean_clean;  ///< the same whatever is drawn
    Cell sanitized_clean;
    Cell clean_sanitized;
    Cell sanitized_sanitized;
    double unchanged_share = 0;  ///< of all tokens, those that read as before: drawn as themselves, or kept
    double masked_share = 0;     ///< of all tokens, those that are masked or dropped
  };

  /// Vectors and task must outlive the study.
  [[nodiscard]] static Result<RankingStudy> make(const WordVectors& vectors, const RankingTask& task,
                                                 int repetitions);
  /// Sanitises with this mechanism, all draws from this seed; `progress` advances by one a repetition.
  [[nodiscard]] Result<Outcome> run(WordReplacer& replacer, std::uint64_t seed, Progress& progress) const;

  /// What a random order of each query's candidates is expected to give, exactly.
  [[nodiscard]] const Means& random() const { return random_; }

 private:
  RankingStudy(const WordVectors& vectors, const RankingTask& task, int repetitions)
      : vectors_(&vectors), task_(&task), repetitions_(repetitions) {}
  [[nodiscard]] Means rank(std::span<const double> queries, std::span<const double> candidates) const;

  const WordVectors* vectors_;
  const RankingTask* task_;
  int repetitions_;
  std::vector<double> clean_queries_;  ///< unit vectors, one after the other
  std::vector<double> clean_candidates_;
  Means random_;
  Means clean_;
};

}  // namespace gauze::text
