#include "gauze/text/attacks/hidden_markov_attack.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "gauze/base/parallel.h"

namespace gauze::text {
namespace {

/// What is known of a symbol from its own place alone.
struct Observation {
  enum class Kind { drawn, exact, nothing } kind = Kind::nothing;
  const double* column = nullptr;  ///< drawn: the emission of every word
  std::uint32_t symbol = 0;        ///< exact
};

/// A stretch of a document: the tokens that are to be seen, by their places.
struct Piece {
  std::size_t document = 0;
  bool is_first = true;
  std::vector<std::size_t> places = {};
};

/// out = in times the chance of what is seen, symbol by symbol; returns its sum.
double weigh(std::span<const double> in, const Observation& seen, std::span<double> out) {
  double sum = 0;
  switch (seen.kind) {
    case Observation::Kind::drawn:
      for (std::size_t x = 0; x + 1 < in.size(); ++x) sum += out[x] = in[x] * seen.column[x];
      out.back() = 0;  // what is no word is not drawn for
      break;
    case Observation::Kind::exact:
      sum = in[seen.symbol];
      std::fill(out.begin(), out.end(), 0);
      out[seen.symbol] = sum;
      break;
    case Observation::Kind::nothing:
      std::copy(in.begin(), in.end(), out.begin());
      sum = std::accumulate(in.begin(), in.end(), 0.0);
  }
  return sum;
}

void scale(std::span<double> message, double factor) {
  for (double& value : message) value *= factor;
}

/// Messages over all symbols of the language.
class ForwardBackward {
 public:
  explicit ForwardBackward(const PublicLanguage& language)
      : language_(language), symbols_(language.unigrams().size()), backward_(symbols_), work_(symbols_) {}

  /// The most probable word at every place of a piece.
  std::vector<std::uint32_t> run(std::vector<Observation>& seen, bool is_first) {
    forward_.resize(std::max(forward_.size(), seen.size() * symbols_));
    for (std::size_t t = 0; t < seen.size(); ++t) {
      if (t == 0) {
        begin(is_first);
      } else {
        step(forward(t - 1));
      }
      double sum = weigh(work_, seen[t], forward(t));
      if (!(sum > 0)) {  // it cannot have been printed
        seen[t].kind = Observation::Kind::nothing;
        sum = weigh(work_, seen[t], forward(t));
      }
      scale(forward(t), 1 / sum);
    }
    std::vector<std::uint32_t> guesses(seen.size());
    std::fill(backward_.begin(), backward_.end(), 1);
    for (std::size_t t = seen.size(); t-- > 0;) {
      guesses[t] = best(forward(t));
      if (t > 0) step_back(seen[t]);
    }
    return guesses;
  }

 private:
  [[nodiscard]] std::span<double> forward(std::size_t t) {
    return std::span(forward_).subspan(t * symbols_, symbols_);
  }

  /// The chances of the first symbol, into work_.
  void begin(bool is_first) {
    const std::uint32_t context = is_first ? language_.begin() : language_.nowhere();
    const double backoff = language_.backoff(context);
    for (std::size_t y = 0; y < symbols_; ++y) work_[y] = backoff * language_.unigrams()[y];
    for (const auto& [symbol, share] : language_.followers(context)) work_[symbol] += static_cast<double>(share);
  }

  /// The chances of the next symbol, into work_.
  void step(std::span<const double> from) {
    double unseen = 0;
    for (std::uint32_t x = 0; x < symbols_; ++x) unseen += from[x] * language_.backoff(x);
    for (std::uint32_t y = 0; y < symbols_; ++y) {
      double sum = unseen * language_.unigrams()[y];
      for (const auto& [symbol, share] : language_.leaders(y)) sum += from[symbol] * static_cast<double>(share);
      work_[y] = sum;
    }
  }

  /// From the message after a place, and what is seen there, to the message before it.
  void step_back(const Observation& seen) {
    weigh(backward_, seen, work_);
    double unseen = 0;
    double largest = 0;
    for (std::uint32_t y = 0; y < symbols_; ++y) unseen += work_[y] * language_.unigrams()[y];
    for (std::uint32_t x = 0; x < symbols_; ++x) {
      double sum = unseen * language_.backoff(x);
      for (const auto& [symbol, share] : language_.followers(x)) sum += work_[symbol] * static_cast<double>(share);
      backward_[x] = sum;
      largest = std::max(largest, sum);
    }
    scale(backward_, 1 / largest);
  }

  [[nodiscard]] std::uint32_t best(std::span<const double> message) const {
    double most = -1;
    std::uint32_t word = 0;
    for (std::uint32_t x = 0; x < language_.vocabulary(); ++x) {
      const double posterior = message[x] * backward_[x];
      if (posterior <= most) continue;
      most = posterior;
      word = x;
    }
    return word;
  }

  const PublicLanguage& language_;
  std::size_t symbols_;
  std::vector<double> forward_;  ///< a message for every place
  std::vector<double> backward_;
  std::vector<double> work_;
};

/// Pieces of at most so many places that hold something to guess.
std::vector<Piece> pieces_of(const AttackedText& text, std::size_t longest) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < text.documents.size(); ++i) {
    const auto& tokens = text.documents[i];
    Piece piece{.document = i};
    bool has_drawn = false;
    const auto finish = [&] {
      if (has_drawn) pieces.push_back(piece);
      piece.is_first = false;
      piece.places.clear();
      has_drawn = false;
    };
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t].sight == TokenSight::absent) continue;
      piece.places.push_back(t);
      has_drawn = has_drawn || tokens[t].sight == TokenSight::drawn;
      if (piece.places.size() == longest) finish();
    }
    finish();
  }
  return pieces;
}

/// Emissions of the words that some pieces show.
class Columns {
 public:
  Columns(const Emission& emission, std::size_t bytes)
      : emission_(emission), most_(std::max<std::size_t>(bytes / (emission.vocabulary() * sizeof(double)), 1)) {}

  /// Takes the words of a piece; false when they do not fit beside those that are there.
  bool add(const AttackedText& text, const Piece& piece) {
    const std::size_t before = seen_.size();
    for (const std::size_t t : piece.places) {
      const AttackedToken& token = text.documents[piece.document][t];
      if (token.sight == TokenSight::drawn && places_.try_emplace(token.seen, seen_.size()).second)
        seen_.push_back(token.seen);
    }
    if (before == 0 || seen_.size() <= most_) return true;
    for (std::size_t i = before; i < seen_.size(); ++i) places_.erase(seen_[i]);
    seen_.resize(before);
    return false;
  }
  Result<void> fill() {
    values_.resize(seen_.size() * emission_.vocabulary());
    return emission_.fill(seen_, values_);
  }
  [[nodiscard]] const double* of(std::uint32_t word) const {
    return values_.data() + places_.at(word) * emission_.vocabulary();
  }
  void clear() {
    seen_.clear();
    places_.clear();
  }

 private:
  const Emission& emission_;
  std::size_t most_;
  std::vector<std::uint32_t> seen_;
  std::unordered_map<std::uint32_t, std::size_t> places_;
  std::vector<double> values_;
};

std::vector<Observation> observations(const AttackedText& text, const Piece& piece, const Columns& columns,
                                      const PublicLanguage& language) {
  std::vector<Observation> seen;
  for (const std::size_t t : piece.places) {
    const AttackedToken& token = text.documents[piece.document][t];
    Observation one{.kind = Observation::Kind::exact};
    if (token.sight == TokenSight::drawn) {
      one.kind = Observation::Kind::drawn;
      one.column = columns.of(token.seen);
    } else {
      one.symbol = std::min(token.seen, language.other());
    }
    seen.push_back(one);
  }
  return seen;
}

}  // namespace

Result<Guesses> hidden_markov_attack(const AttackedText& text, const Emission& emission,
                                     const PublicLanguage& language, const HiddenMarkovOptions& options) {
  GAUZE_CHECK(language.vocabulary() == emission.vocabulary());
  const std::size_t message = language.unigrams().size() * sizeof(double);
  const std::vector<Piece> pieces = pieces_of(text, std::max<std::size_t>(options.message_bytes / message, 2));
  Guesses guesses;
  for (const auto& document : text.documents) guesses.emplace_back(document.size(), kNoWord);
  Progress* progress = options.progress;
  if (progress != nullptr) progress->begin("attacking words in context", pieces.size());
  Columns columns(emission, options.column_bytes);
  for (std::size_t first = 0; first < pieces.size();) {
    columns.clear();
    std::size_t last = first;
    while (last < pieces.size() && columns.add(text, pieces[last])) ++last;
    GAUZE_TRY_VOID(columns.fill());
    parallel_for(last - first, 4, [&](std::size_t begin, std::size_t end) {
      ForwardBackward model(language);
      for (std::size_t i = first + begin; i < first + end; ++i) {
        if (progress != nullptr && progress->stop_requested()) return;
        const Piece& piece = pieces[i];
        std::vector<Observation> seen = observations(text, piece, columns, language);
        const std::vector<std::uint32_t> words = model.run(seen, piece.is_first);
        for (std::size_t p = 0; p < words.size(); ++p)
          if (text.documents[piece.document][piece.places[p]].sight == TokenSight::drawn)
            guesses[piece.document][piece.places[p]] = words[p];
        if (progress != nullptr) progress->advance();
      }
    });
    if (progress != nullptr) GAUZE_TRY_VOID(progress->check());
    first = last;
  }
  return guesses;
}

}  // namespace gauze::text
