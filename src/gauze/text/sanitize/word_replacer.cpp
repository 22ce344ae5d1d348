#include "gauze/text/sanitize/word_replacer.h"

#include <algorithm>
#include <unordered_map>

#include "gauze/base/parallel.h"

namespace gauze::text {
namespace {

/// Documents that are worked on together: of a batch of many short ones some, of a few long ones one.
std::size_t at_once(std::size_t documents) { return documents / 64 + 1; }

}  // namespace

Result<void> SoftmaxReplacer::prepare(std::span<const DocumentWords> documents) {
  std::unordered_map<std::uint32_t, std::uint64_t> counts;
  for (const DocumentWords& one : documents)
    for (const std::uint32_t word : one.words) ++counts[word];
  // The most frequent first: they are worth a row most when not all fit.
  std::vector<std::uint32_t> words;
  words.reserve(counts.size());
  for (const auto& [word, count] : counts) words.push_back(word);
  std::sort(words.begin(), words.end(),
            [&](std::uint32_t a, std::uint32_t b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  GAUZE_TRY_VOID(rows_.prepare(words));
  return {};
}

Result<void> SoftmaxReplacer::release(std::span<DocumentWords> documents) {
  GAUZE_TRY_VOID(prepare(documents));
  parallel_for(documents.size(), at_once(documents.size()), [&](std::size_t begin, std::size_t end) {
    SecureRandom& random = SecureRandom::of_thread();
    for (std::size_t i = begin; i < end; ++i) {
      documents[i].replacements.clear();
      for (const std::uint32_t word : documents[i].words)
        documents[i].replacements.push_back(rows_.release(word, random));
    }
  });
  return {};
}

Result<void> SoftmaxReplacer::simulate(std::span<DocumentWords> documents, std::uint64_t seed) {
  GAUZE_TRY_VOID(prepare(documents));
  parallel_for(documents.size(), at_once(documents.size()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      SeededRandom random(seed, documents[i].stream);
      documents[i].replacements.clear();
      for (const std::uint32_t word : documents[i].words)
        documents[i].replacements.push_back(rows_.simulate(word, random));
    }
  });
  return {};
}

template <class Mechanism>
Result<void> BatchReplacer<Mechanism>::release(std::span<DocumentWords> documents) {
  parallel_for(documents.size(), at_once(documents.size()), [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> words;
    for (std::size_t i = begin; i < end; ++i)
      words.insert(words.end(), documents[i].words.begin(), documents[i].words.end());
    std::vector<std::uint32_t> drawn(words.size());
    mechanism_.release(words, SecureRandom::of_thread(), drawn);
    auto next = drawn.begin();
    for (std::size_t i = begin; i < end; ++i) {
      const auto size = static_cast<std::ptrdiff_t>(documents[i].words.size());
      documents[i].replacements.assign(next, next + size);
      next += size;
    }
  });
  return {};
}

template <class Mechanism>
Result<void> BatchReplacer<Mechanism>::simulate(std::span<DocumentWords> documents, std::uint64_t seed) {
  parallel_for(documents.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      SeededRandom random(seed, documents[i].stream);
      documents[i].replacements.resize(documents[i].words.size());
      mechanism_.simulate(documents[i].words, random, documents[i].replacements);
    }
  });
  return {};
}

template class BatchReplacer<DchiMechanism>;
template class BatchReplacer<PublishedDchi>;
template class BatchReplacer<CustextMechanism>;

void PublishedSoftmaxReplacer::pick(std::span<DocumentWords> documents, const Drawn& drawn) const {
  struct Place {
    std::uint32_t word;
    std::uint32_t document;
    std::uint32_t position;
  };
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < documents.size(); ++i) {
    documents[i].replacements.resize(documents[i].words.size());
    for (std::uint32_t j = 0; j < documents[i].words.size(); ++j) places.push_back({documents[i].words[j], i, j});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.word < b.word; });
  std::vector<std::size_t> starts;  // of the places of each word
  for (std::size_t i = 0; i < places.size(); ++i)
    if (i == 0 || places[i].word != places[i - 1].word) starts.push_back(i);
  starts.push_back(places.size());
  parallel_for(starts.size() - 1, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t w = begin; w < end; ++w) {
      const std::uint32_t word = places[starts[w]].word;
      const std::vector<double> sums = mechanism_.running_sums(word);
      for (std::size_t i = starts[w]; i < starts[w + 1]; ++i) {
        const Place& place = places[i];
        documents[place.document].replacements[place.position] =
            mechanism_.pick(word, sums, drawn[place.document][place.position]);
      }
    }
  });
}

Result<void> PublishedSoftmaxReplacer::release(std::span<DocumentWords> documents) {
  Drawn drawn(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i)
    for (std::size_t j = 0; j < documents[i].words.size(); ++j)
      drawn[i].push_back(PublishedSoftmax::release(SecureRandom::of_thread()));
  pick(documents, drawn);
  return {};
}

Result<void> PublishedSoftmaxReplacer::simulate(std::span<DocumentWords> documents, std::uint64_t seed) {
  Drawn drawn(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    SeededRandom random(seed, documents[i].stream);
    for (std::size_t j = 0; j < documents[i].words.size(); ++j)
      drawn[i].push_back(PublishedSoftmax::simulate(random));
  }
  pick(documents, drawn);
  return {};
}

std::unique_ptr<WordReplacer> make_replacer(const TextMechanism& mechanism, std::size_t memory_bytes) {
  if (mechanism.published_dchi()) return std::make_unique<PublishedDchiReplacer>(*mechanism.published_dchi());
  if (mechanism.published_softmax())
    return std::make_unique<PublishedSoftmaxReplacer>(*mechanism.published_softmax());
  if (mechanism.custext()) return std::make_unique<CustextReplacer>(*mechanism.custext());
  if (mechanism.dchi()) return std::make_unique<DchiReplacer>(*mechanism.dchi());
  return std::make_unique<SoftmaxReplacer>(*mechanism.softmax(), memory_bytes);
}

}  // namespace gauze::text
