#include "gauze/cli/text/statistics_flags.h"

#include <algorithm>

#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/text/document_flags.h"
#include "gauze/text/attacks/public_language.h"

namespace gauze::cli {

using namespace text;  // the vocabulary of this file

std::vector<Flag> statistics_flags() {
  return {
      prior_flag(),
      {.name = "eta",
       .placeholder = "ETA",
       .help = "the chance from which on an output counts in S and S*",
       .default_text = "0.01"},
      {.name = "runs",
       .placeholder = "R",
       .help = "of the mechanism, in which different outputs are counted",
       .default_text = "100"},
      {.name = "sample",
       .placeholder = "N",
       .help =
           "dchi, where there is no closed form: words that are looked at, spread over the vocabulary; without it all "
           "words of up to 2,000, else 200"},
      {.name = "draws",
       .placeholder = "D",
       .help = "dchi, where there is no closed form: how often each of these words is drawn, at least --runs times; "
               "without it 1,000 times"},
      simulation_seed_flag()};
}

std::vector<Flag> own_text_flags() {
  std::vector<Flag> flags = {
      {.name = "text",
       .placeholder = "FILE",
       .help = "a text of your own: those of its words that are likeliest to stay are listed, for your eyes only",
       .is_file = true},
      {.name = "column", .placeholder = "COL", .help = "the column of --text with the text"},
      delimiter_flag(),
      encoding_flag(),
      html_flag()};
  for (Flag& flag : language_flags()) flags.push_back(std::move(flag));
  return flags;
}

namespace {

/// The words of --text.
Result<std::optional<std::vector<WordCount>>> own_words(Invocation& invocation, const WordVectors& vectors) {
  const auto path = invocation.optional_text("text");
  if (!path) {
    for (const Flag& flag : own_text_flags())
      if (invocation.has(flag.name)) return make_error(ErrorCode::usage, "--{} goes with --text FILE", flag.name);
    return std::nullopt;
  }
  GAUZE_TRY_VOID(check_delimiter(invocation, {"column"}));
  GAUZE_TRY(const Language language, invocation.value("language", kLanguageWords));
  GAUZE_TRY(const std::optional<SegmentationDictionary> dictionary, segmentation_dictionary(invocation));
  GAUZE_TRY(const std::vector<std::string> documents,
            read_documents(invocation, *path, invocation.optional_text("column")));
  GAUZE_TRY(TextWords words, words_of_text(vectors, dictionary ? &*dictionary : nullptr, language, documents));
  tell_unknown(invocation, words.unknown, words.unknown + words.known_tokens(), TokenPolicy::mask);
  if (words.known.empty()) return make_error(ErrorCode::bad_data, "{} has no word of the vectors", *path);
  return std::move(words.known);
}

}  // namespace

Result<FiguresRequest> figures_request(Invocation& invocation, const WordVectors& vectors) {
  FiguresRequest request;
  SamplingOptions& options = request.options;
  GAUZE_TRY(const Rational eta, invocation.rational("eta"));
  options.figures.eta = eta.to_double();
  GAUZE_TRY(const std::int64_t runs, invocation.integer("runs", 1, StatisticsOptions::kMostRuns));
  options.figures.runs = static_cast<std::uint64_t>(runs);
  GAUZE_TRY(const MechanismKind mechanism, invocation.value("mechanism", kMechanismWords));
  for (const char* const flag : {"sample", "draws"})
    if (invocation.has(flag) && !adds_noise(mechanism))
      return make_error(ErrorCode::usage,
                        "--{} goes with --mechanism dchi, mahalanobis or vickrey: {} is computed, not drawn", flag,
                        to_string(mechanism));
  if (invocation.has("sample")) {
    GAUZE_TRY(const std::int64_t count, invocation.integer("sample", 1));
    request.sample = static_cast<std::size_t>(count);
  }
  options.draws = std::max(options.draws, options.figures.runs);
  if (invocation.has("draws")) {
    GAUZE_TRY(const std::int64_t draws,
              invocation.integer("draws", std::max<std::int64_t>(runs, 2), SamplingOptions::kMostDraws));
    options.draws = static_cast<std::uint64_t>(draws);
  }
  GAUZE_TRY(options.seed, simulation_seed(invocation));
  if (const auto path = invocation.optional_text("prior")) {
    GAUZE_TRY(request.prior, read_prior(*path, vectors));
  }
  GAUZE_TRY_VOID(check_options(options.figures));
  GAUZE_TRY(request.own_words, own_words(invocation, vectors));
  return request;
}

}  // namespace gauze::cli
