#include "gauze/text/utility/ranking_study.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "gauze/base/parallel.h"
#include "gauze/text/utility/document_features.h"
#include "gauze/text/utility/ranking_figures.h"

namespace gauze::text {
namespace {

constexpr std::size_t kQueriesAtOnce = 16;
constexpr int kScoreBits = 40;  // cosines that differ by less are equal but for rounding

/// Numbers of texts in the order of their first appearance.
class DistinctTexts {
 public:
  std::size_t number(const std::string& text) {
    const auto [place, is_new] = numbers_.emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return place->second;
  }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;  // views of the caller's strings
  std::vector<std::string> texts_;
};

double cosine(const double* a, const double* b, std::size_t n) {
  const double product = std::inner_product(a, a + n, b, 0.0);
  return std::ldexp(std::round(std::ldexp(product, kScoreBits)), -kScoreBits);
}

RankingStudy::Means mean_of(std::span<const RankingFigures> figures) {
  RankingStudy::Means means;
  for (const RankingFigures& one : figures) {
    means.map += one.average_precision;
    means.mrr += one.reciprocal_rank;
  }
  means.map /= static_cast<double>(figures.size());
  means.mrr /= static_cast<double>(figures.size());
  return means;
}

RankingStudy::Cell over(std::span<const RankingStudy::Means> repetitions) {
  std::vector<double> map;
  std::vector<double> mrr;
  for (const RankingStudy::Means& one : repetitions) {
    map.push_back(one.map);
    mrr.push_back(one.mrr);
  }
  return {over_repetitions(map), over_repetitions(mrr)};
}

}  // namespace

Result<RankingTask> RankingTask::make(const WordVectors& vectors, const SegmentationDictionary* dictionary,
                                      const SanitizePolicy& policy, std::span<const std::string> queries,
                                      std::span<const std::string> candidates,
                                      std::span<const std::string> relevance) {
  if (queries.size() != candidates.size() || queries.size() != relevance.size())
    return make_error(ErrorCode::bad_data, "there are {} queries, {} candidates and {} marks of relevance",
                      queries.size(), candidates.size(), relevance.size());
  if (queries.empty()) return make_error(ErrorCode::bad_data, "the table of pairs has no rows");
  DistinctTexts all_queries;
  DistinctTexts all_candidates;
  std::vector<std::vector<Pair>> by_query;
  std::vector<bool> answered;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (relevance[i] != "0" && relevance[i] != "1")
      return make_error(ErrorCode::bad_data, "row {} of the pairs: relevance must be 0 or 1", i + 1);
    const std::size_t query = all_queries.number(queries[i]);
    by_query.resize(all_queries.texts().size());
    answered.resize(by_query.size());
    by_query[query].push_back({all_candidates.number(candidates[i]), relevance[i] == "1"});
    if (relevance[i] == "1") answered[query] = true;
  }
  RankingTask task;
  task.rows = queries.size();
  std::vector<std::string> kept;
  for (std::size_t query = 0; query < by_query.size(); ++query) {
    if (!answered[query]) continue;
    kept.push_back(all_queries.texts()[query]);
    task.pairs.push_back(std::move(by_query[query]));
  }
  task.left_out = by_query.size() - kept.size();
  if (kept.empty()) return make_error(ErrorCode::bad_data, "no query has a relevant candidate");
  GAUZE_TRY(task.queries, TokenizedDocuments::make(vectors, dictionary, policy, kept, "queries"));
  GAUZE_TRY(task.candidates,
            TokenizedDocuments::make(vectors, dictionary, policy, all_candidates.texts(), "candidates"));
  return task;
}

Result<RankingStudy> RankingStudy::make(const WordVectors& vectors, const RankingTask& task, int repetitions) {
  if (repetitions < 1) return invalid_parameter("repetitions must be at least 1, but are {}", repetitions);
  RankingStudy study(vectors, task, repetitions);
  study.clean_queries_ = unit_means(task.queries.clean(), vectors);
  study.clean_candidates_ = unit_means(task.candidates.clean(), vectors);
  study.clean_ = study.rank(study.clean_queries_, study.clean_candidates_);
  std::vector<RankingFigures> figures;
  for (const auto& pairs : task.pairs) {
    std::size_t relevant = 0;
    for (const RankingTask::Pair& pair : pairs) relevant += pair.relevant ? 1 : 0;
    figures.push_back(random_order_figures(pairs.size(), relevant));
  }
  study.random_ = mean_of(figures);
  return study;
}

RankingStudy::Means RankingStudy::rank(std::span<const double> queries, std::span<const double> candidates) const {
  const std::size_t n = vectors_->dimensions();
  std::vector<RankingFigures> figures(task_->pairs.size());
  parallel_for(figures.size(), kQueriesAtOnce, [&](std::size_t begin, std::size_t end) {
    std::vector<double> scores;
    std::vector<bool> relevant;
    for (std::size_t q = begin; q < end; ++q) {
      scores.clear();
      relevant.clear();
      for (const RankingTask::Pair& pair : task_->pairs[q]) {
        scores.push_back(cosine(queries.data() + q * n, candidates.data() + pair.candidate * n, n));
        relevant.push_back(pair.relevant);
      }
      figures[q] = ranking_figures(scores, relevant);
    }
  });
  return mean_of(figures);
}

Result<RankingStudy::Outcome> RankingStudy::run(WordReplacer& replacer, std::uint64_t seed,
                                                Progress& progress) const {
  std::vector<Means> sanitized_clean;
  std::vector<Means> clean_sanitized;
  std::vector<Means> both;
  std::uint64_t unchanged = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(repetitions_); ++r) {
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY(const auto queries, task_->queries.sanitized(replacer, seed_of(seed, r, 0), progress));
    GAUZE_TRY(const auto candidates, task_->candidates.sanitized(replacer, seed_of(seed, r, 1), progress));
    unchanged += queries.unchanged + candidates.unchanged;
    const std::vector<double> query_means = unit_means(queries.bags, *vectors_);
    const std::vector<double> candidate_means = unit_means(candidates.bags, *vectors_);
    sanitized_clean.push_back(rank(query_means, clean_candidates_));
    clean_sanitized.push_back(rank(clean_queries_, candidate_means));
    both.push_back(rank(query_means, candidate_means));
    progress.advance();
  }
  Outcome outcome;
  outcome.clean_clean = over(std::span(&clean_, 1));
  outcome.sanitized_clean = over(sanitized_clean);
  outcome.clean_sanitized = over(clean_sanitized);
  outcome.sanitized_sanitized = over(both);
  const double tokens = std::max(1.0, static_cast<double>(task_->queries.tokens() + task_->candidates.tokens()));
  outcome.unchanged_share = (static_cast<double>(unchanged) / static_cast<double>(repetitions_) +
                             static_cast<double>(task_->queries.kept() + task_->candidates.kept())) /
                            tokens;
  outcome.masked_share = static_cast<double>(task_->queries.masked() + task_->candidates.masked()) / tokens;
  return outcome;
}

}  // namespace gauze::text
