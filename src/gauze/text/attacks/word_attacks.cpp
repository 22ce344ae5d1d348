#include "gauze/text/attacks/word_attacks.h"

#include <algorithm>
#include <optional>

#include "gauze/base/parallel.h"

namespace gauze::text {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 20;  // of columns that are held at the same time

std::uint32_t most_probable(std::span<const double> prior) {
  return static_cast<std::uint32_t>(std::max_element(prior.begin(), prior.end()) - prior.begin());
}

/// Guesses of the shape of the text: guess(token) for what was drawn.
template <class Guess>
Guesses for_drawn(const AttackedText& text, const Guess& guess) {
  Guesses guesses(text.documents.size());
  for (std::size_t i = 0; i < text.documents.size(); ++i)
    for (const AttackedToken& token : text.documents[i])
      guesses[i].push_back(token.sight == TokenSight::drawn ? guess(token) : kNoWord);
  return guesses;
}

std::vector<std::uint32_t> different_words_seen(const AttackedText& text) {
  std::vector<std::uint32_t> seen;
  for (const auto& document : text.documents)
    for (const AttackedToken& token : document)
      if (token.sight == TokenSight::drawn) seen.push_back(token.seen);
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  return seen;
}

/// The most probable word between two printed ones.
class GapModel {
 public:
  explicit GapModel(const PublicLanguage& language) : language_(language), scores_(language.vocabulary()) {}

  /// `left` is a context of the language; `right` a symbol, or nothing where the document ends.
  std::uint32_t best(std::uint32_t left, std::optional<std::uint32_t> right) {
    const auto unigrams = language_.unigrams();
    const double backoff = language_.backoff(left);
    for (std::size_t x = 0; x < scores_.size(); ++x) scores_[x] = backoff * unigrams[x];
    for (const auto& [symbol, share] : language_.followers(left))
      if (symbol < scores_.size()) scores_[symbol] += static_cast<double>(share);
    if (right) multiply_by_next(*right);
    return most_probable(scores_);
  }

 private:
  void multiply_by_next(std::uint32_t right) {
    const double unigram = language_.unigrams()[right];
    auto leader = language_.leaders(right).begin();
    const auto end = language_.leaders(right).end();
    for (std::uint32_t x = 0; x < scores_.size(); ++x) {
      double next = language_.backoff(x) * unigram;
      if (leader != end && leader->symbol == x) next += static_cast<double>((leader++)->share);
      scores_[x] *= next;
    }
  }

  const PublicLanguage& language_;
  std::vector<double> scores_;
};

}  // namespace

Result<Guesses> bayes_attack(const AttackedText& text, const Emission& emission, std::span<const double> prior,
                             Progress* progress) {
  const std::size_t words = emission.vocabulary();
  GAUZE_CHECK(prior.size() == words);
  const std::vector<std::uint32_t> seen = different_words_seen(text);
  const std::uint32_t usual = most_probable(prior);
  std::vector<std::uint32_t> guess_for(words, usual);
  const std::size_t block = std::max<std::size_t>(kBlockBytes / (words * sizeof(double)), 1);
  std::vector<double> columns;
  if (progress != nullptr) progress->begin("attacking words one by one", seen.size());
  for (std::size_t first = 0; first < seen.size(); first += block) {
    const auto some = std::span(seen).subspan(first, std::min(block, seen.size() - first));
    columns.resize(some.size() * words);
    GAUZE_TRY_VOID(emission.fill(some, columns));
    parallel_for(some.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) {
        const double* column = columns.data() + c * words;
        double best = 0;
        for (std::uint32_t x = 0; x < words; ++x) {
          const double joint = prior[x] * column[x];
          if (joint <= best) continue;
          best = joint;
          guess_for[some[c]] = x;
        }
      }
    });
    if (progress == nullptr) continue;
    progress->advance(some.size());
    GAUZE_TRY_VOID(progress->check());
  }
  return for_drawn(text, [&](const AttackedToken& token) { return guess_for[token.seen]; });
}

Guesses mask_attack(const AttackedText& text, const PublicLanguage& language, Progress* progress) {
  Guesses guesses(text.documents.size());
  if (progress != nullptr) progress->begin("guessing hidden words", guesses.size());
  parallel_for(guesses.size(), 4, [&](std::size_t begin, std::size_t end) {
    GapModel model(language);
    for (std::size_t i = begin; i < end && (progress == nullptr || !progress->stop_requested()); ++i) {
      const auto& tokens = text.documents[i];
      guesses[i].assign(tokens.size(), kNoWord);
      std::uint32_t left = language.begin();
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        if (tokens[t].sight == TokenSight::absent) continue;
        std::size_t next = t + 1;
        while (next < tokens.size() && tokens[next].sight == TokenSight::absent) ++next;
        std::optional<std::uint32_t> right;
        if (next < tokens.size()) right = std::min(tokens[next].seen, language.other());
        if (tokens[t].sight == TokenSight::drawn) guesses[i][t] = model.best(left, right);
        left = std::min(tokens[t].seen, language.other());
      }
      if (progress != nullptr) progress->advance();
    }
  });
  return guesses;
}

Guesses as_read(const AttackedText& text) {
  return for_drawn(text, [](const AttackedToken& token) { return token.seen; });
}

Guesses always_guess(const AttackedText& text, std::span<const double> prior) {
  return for_drawn(text, [usual = most_probable(prior)](const AttackedToken&) { return usual; });
}

AttackScore score(const AttackedText& text, const Guesses& guesses) {
  AttackScore sum;
  for (std::size_t i = 0; i < text.documents.size(); ++i) {
    for (std::size_t t = 0; t < text.documents[i].size(); ++t) {
      const AttackedToken& token = text.documents[i][t];
      ++sum.tokens;
      if (token.sight == TokenSight::kept) ++sum.matches;
      if (token.sight != TokenSight::drawn) continue;
      ++sum.attacked;
      if (token.original == kNoWord || guesses[i][t] != token.original) continue;
      ++sum.recovered;
      ++sum.matches;
    }
  }
  return sum;
}

}  // namespace gauze::text
