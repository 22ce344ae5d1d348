#include "gauze/text/attacks/public_language.h"

#include <algorithm>
#include <numeric>

#include "gauze/base/error.h"
#include "gauze/text/attacks/attacked_text.h"
#include "gauze/text/mechanisms/sensitive_words.h"

namespace gauze::text {
namespace {

struct CountedPair {
  std::uint32_t context;
  std::uint32_t symbol;
  std::uint64_t count;
};

/// In the order of contexts, then of symbols.
std::vector<CountedPair> count_pairs(const PublicLanguage& language,
                                     std::span<const std::vector<std::uint32_t>> documents) {
  std::vector<std::uint64_t> keys;
  for (const auto& document : documents) {
    std::uint32_t context = language.begin();
    for (const std::uint32_t word : document) {
      const std::uint32_t symbol = std::min(word, language.other());
      keys.push_back(std::uint64_t{context} << 32 | symbol);
      context = symbol;
    }
  }
  std::sort(keys.begin(), keys.end());
  std::vector<CountedPair> pairs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1])
      pairs.push_back({static_cast<std::uint32_t>(keys[i] >> 32), static_cast<std::uint32_t>(keys[i]), 0});
    ++pairs.back().count;
  }
  return pairs;
}

}  // namespace

std::vector<double> add_one_shares(std::span<const std::uint64_t> counts) {
  double sum = static_cast<double>(counts.size());
  for (const std::uint64_t count : counts) sum += static_cast<double>(count);
  std::vector<double> shares;
  shares.reserve(counts.size());
  for (const std::uint64_t count : counts) shares.push_back((static_cast<double>(count) + 1) / sum);
  return shares;
}

PublicLanguage PublicLanguage::learn(std::size_t vocabulary, std::span<const std::vector<std::uint32_t>> documents) {
  PublicLanguage language;
  const std::size_t symbols = vocabulary + 1;
  std::vector<std::uint64_t> counts(symbols);
  for (const auto& document : documents)
    for (const std::uint32_t word : document) ++counts[std::min<std::size_t>(word, vocabulary)];
  language.tokens_ = std::accumulate(counts.begin(), counts.end() - 1, std::uint64_t{0});
  language.unigrams_ = add_one_shares(counts);

  const std::vector<CountedPair> pairs = count_pairs(language, documents);
  language.backoffs_.assign(symbols + 2, 1);
  language.follower_starts_.assign(symbols + 3, 0);
  language.leader_starts_.assign(symbols + 1, 0);
  for (std::size_t first = 0; first < pairs.size();) {
    const std::uint32_t context = pairs[first].context;
    std::size_t last = first;
    double sum = 0;
    for (; last < pairs.size() && pairs[last].context == context; ++last)
      sum += static_cast<double>(pairs[last].count);
    const double caution = kCaution * static_cast<double>(last - first);
    for (std::size_t i = first; i < last; ++i) {
      const double share = static_cast<double>(pairs[i].count) / (sum + caution);
      language.followers_.push_back({pairs[i].symbol, static_cast<float>(share)});
      if (context < symbols) ++language.leader_starts_[pairs[i].symbol + 1];
    }
    language.backoffs_[context] = caution / (sum + caution);
    language.follower_starts_[context + 1] = last - first;
    first = last;
  }
  const auto add_up = [](std::vector<std::size_t>& starts) {
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
  };
  add_up(language.follower_starts_);
  add_up(language.leader_starts_);
  // Contexts ascend, so the leaders of each symbol do.
  language.leaders_.resize(language.leader_starts_.back());
  std::vector<std::size_t> next(language.leader_starts_.begin(), language.leader_starts_.end());
  for (std::size_t i = 0; i < pairs.size() && pairs[i].context < symbols; ++i)
    language.leaders_[next[pairs[i].symbol]++] = {pairs[i].context, language.followers_[i].share};
  return language;
}

PublicLanguage PublicLanguage::with_word_shares(std::span<const double> shares) const {
  GAUZE_CHECK(shares.size() == vocabulary());
  PublicLanguage other = *this;
  const double words = 1 - unigrams_.back();
  for (std::size_t y = 0; y < shares.size(); ++y) other.unigrams_[y] = shares[y] * words;
  return other;
}

std::vector<double> PublicLanguage::word_shares() const {
  std::vector<double> shares(unigrams_.begin(), unigrams_.end() - 1);
  for (double& share : shares) share /= 1 - unigrams_.back();
  return shares;
}

std::span<const PublicLanguage::Partner> PublicLanguage::followers(std::uint32_t context) const {
  const std::size_t first = follower_starts_[context];
  return std::span(followers_).subspan(first, follower_starts_[context + 1] - first);
}

std::span<const PublicLanguage::Partner> PublicLanguage::leaders(std::uint32_t symbol) const {
  const std::size_t first = leader_starts_[symbol];
  return std::span(leaders_).subspan(first, leader_starts_[symbol + 1] - first);
}

double PublicLanguage::probability(std::uint32_t symbol, std::uint32_t context) const {
  const auto seen = followers(context);
  const auto place = std::lower_bound(seen.begin(), seen.end(), symbol,
                                      [](const Partner& partner, std::uint32_t s) { return partner.symbol < s; });
  const double share = place != seen.end() && place->symbol == symbol ? static_cast<double>(place->share) : 0;
  return backoff(context) * unigrams_[symbol] + share;
}

Result<std::vector<double>> read_prior(const std::string& path, const WordVectors& vectors) {
  GAUZE_TRY(const WordFrequencies frequencies, WordFrequencies::open(path, vectors));
  const auto& counts = frequencies.counts();
  if (std::all_of(counts.begin(), counts.end(), [](std::uint64_t count) { return count == 0; }))
    return make_error(ErrorCode::bad_data, "{} has no word of the vocabulary", path);
  return add_one_shares(counts);
}

}  // namespace gauze::text
