#include "gauze/cli/text/text_flags.h"

#include <algorithm>

#include "gauze/base/joined.h"
#include "gauze/base/utf8.h"
#include "gauze/text/vectors/word_list.h"

namespace gauze::cli {

using namespace text;  // the vocabulary of this file

std::vector<Flag> vector_flags() {
  return {{.name = "vectors",
           .placeholder = "FILE",
           .help = "public word vectors: a .gvec, or GloVe, word2vec, fastText or wink files",
           .required = true,
           .is_file = true},
          {.name = "limit", .placeholder = "N", .help = "only the first N words of the vectors"},
          {.name = "vocabulary",
           .placeholder = "FILE",
           .help = "a public list of words, one a line: only these, where the vectors have them",
           .is_file = true}};
}

std::vector<Flag> mechanism_flags(EpsilonFlag epsilon) {
  const bool one = epsilon != EpsilonFlag::list;
  return {
      {.name = "mechanism",
       .placeholder = "NAME",
       .help = "how words are replaced",
       .default_text = "santext",
       .choices = all_words(kMechanismWords)},
      {.name = "epsilon",
       .placeholder = one ? "E" : "E[,E...]",
       .help = one ? "privacy per unit of distance" : "privacy per unit of distance, one value or several",
       .required = epsilon != EpsilonFlag::one_or_label},
      {.name = "gamma", .placeholder = "G", .help = "tem: the distance beyond which all words are alike"},
      {.name = "beta", .placeholder = "B", .help = "tem: instead of --gamma, the published choice for this beta"},
      {.name = "p",
       .placeholder = "P",
       .help = "santext+: how often a common word is replaced",
       .default_text = "0.3"},
      {.name = "w",
       .placeholder = "W",
       .help = "santext+: the share of words, the least frequent ones, that are sensitive",
       .default_text = "0.9"},
      {.name = "frequencies",
       .placeholder = "FILE",
       .help = "santext+: a public list of words and counts",
       .is_file = true},
      {.name = "sensitive",
       .placeholder = "FILE",
       .help = "santext+: instead of --frequencies and --w, a public list of the sensitive words, one a line",
       .is_file = true},
      {.name = "lambda",
       .placeholder = "L",
       .help = "mahalanobis: how much the covariance of the vocabulary counts, from 0 (not at all: dchi) to below 1",
       .default_text = "0.2"},
      {.name = "t",
       .placeholder = "T",
       .help = "vickrey: how much the second-nearest word is preferred, from 0 (never printed) to 1 (always)",
       .default_text = "0.5"},
      {.name = "set-size", .placeholder = "K", .help = "custext: words in an output set", .default_text = "20"},
      {.name = "as-published", .help = "the papers' arithmetic, in floating point; it has no guarantee"}};
}

Flag prior_flag() {
  return {
      .name = "prior",
      .placeholder = "FILE",
      .help =
          "a public list of words and counts: how often an attacker expects each word (one is added to every count)",
      .is_file = true};
}

Result<WordVectors> open_vectors(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("vectors"));
  WordVectors::Options options;
  if (invocation.has("limit")) {
    GAUZE_TRY(const std::int64_t limit, invocation.integer("limit", 1));
    options.limit = static_cast<std::uint64_t>(limit);
  }
  options.progress = &invocation.progress();
  GAUZE_TRY(WordVectors vectors, WordVectors::open(path, options));
  const auto list = invocation.optional_text("vocabulary");
  if (!list) return vectors;
  GAUZE_TRY(const std::string words, invocation.read_input(*list, std::size_t{1} << 30));
  GAUZE_TRY(const std::vector<bool> marked, marked_words(words, *list, vectors));
  return vectors.only(marked);
}

Result<std::vector<std::uint32_t>> named_words(const Invocation& invocation, const WordVectors& vectors) {
  std::vector<std::uint32_t> words;
  const auto list = invocation.optional_text("words");
  if (!list) return words;
  for (std::string_view left = *list; !left.empty();) {
    const std::string_view word = left.substr(0, left.find(','));
    left.remove_prefix(std::min(word.size() + 1, left.size()));
    const auto place = vectors.find(trimmed(word));
    if (!place) return invalid_parameter("{} is not in the vocabulary", word);
    if (std::find(words.begin(), words.end(), *place) == words.end()) words.push_back(*place);
  }
  if (words.empty()) return invalid_parameter("--words names no word");
  return words;
}

Result<std::vector<Rational>> epsilons(const Invocation& invocation) {
  GAUZE_TRY(std::vector<Rational> values, invocation.rationals("epsilon"));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

namespace {

/// --frequencies and --w, or --sensitive.
Result<SensitiveWords> sensitive_words(const Invocation& invocation, const WordVectors& vectors) {
  const auto frequencies = invocation.optional_text("frequencies");
  const auto sensitive = invocation.optional_text("sensitive");
  if (frequencies.has_value() == sensitive.has_value())
    return make_error(ErrorCode::usage,
                      "santext+ needs --frequencies FILE, a public list of words and counts (or --sensitive FILE)");
  if (sensitive) {
    if (invocation.has("w")) return make_error(ErrorCode::usage, "--w goes with --frequencies");
    return SensitiveWords::listed(*sensitive, vectors);
  }
  GAUZE_TRY(const Rational w, invocation.rational("w"));
  return SensitiveWords::least_frequent(*frequencies, w, vectors);
}

}  // namespace

namespace {

/// Flags that belong to one mechanism, when none of these is it.
Result<void> check_mechanism_flags(const Invocation& invocation, const std::vector<MechanismKind>& kinds) {
  for (const auto& [flag, mechanism] : {std::pair("gamma", MechanismKind::tem),
                                        {"beta", MechanismKind::tem},
                                        {"frequencies", MechanismKind::santext_plus},
                                        {"sensitive", MechanismKind::santext_plus},
                                        {"p", MechanismKind::santext_plus},
                                        {"w", MechanismKind::santext_plus},
                                        {"lambda", MechanismKind::mahalanobis},
                                        {"t", MechanismKind::vickrey},
                                        {"set-size", MechanismKind::custext}})
    if (invocation.has(flag) && std::find(kinds.begin(), kinds.end(), mechanism) == kinds.end())
      return make_error(ErrorCode::usage, "--{} goes with --mechanism {}", flag, to_string(mechanism));
  return {};
}

/// What the flags say of a mechanism of this kind.
Result<MechanismOptions> options_of(MechanismKind kind, const Invocation& invocation, const WordVectors& vectors) {
  MechanismOptions options;
  options.kind = kind;
  options.as_published = invocation.has("as-published");
  if (kind == MechanismKind::tem && invocation.has("gamma")) {
    GAUZE_TRY(options.gamma, invocation.rational("gamma"));
  }
  if (kind == MechanismKind::tem && invocation.has("beta")) {
    GAUZE_TRY(options.beta, invocation.rational("beta"));
  }
  GAUZE_TRY(options.lambda, invocation.rational("lambda"));
  GAUZE_TRY(options.t, invocation.rational("t"));
  GAUZE_TRY(const std::int64_t set_size, invocation.integer("set-size", 2, 1'000'000));
  options.set_size = static_cast<std::size_t>(set_size);
  if (kind == MechanismKind::santext_plus) {
    GAUZE_TRY(options.p, invocation.rational("p"));
    GAUZE_TRY(options.sensitive, sensitive_words(invocation, vectors));
  }
  return options;
}

}  // namespace

Result<MechanismOptions> mechanism_options(const Invocation& invocation, const WordVectors& vectors,
                                           const std::optional<LabelledText>& labelled) {
  GAUZE_TRY(MechanismKind kind, invocation.value("mechanism", kMechanismWords));
  if (labelled && !invocation.has("mechanism")) kind = labelled->mechanism;
  GAUZE_TRY_VOID(check_mechanism_flags(invocation, {kind}));
  GAUZE_TRY(MechanismOptions options, options_of(kind, invocation, vectors));
  options.as_published = options.as_published || (labelled && labelled->as_published);
  return options;
}

Result<std::vector<MechanismOptions>> several_mechanism_options(const Invocation& invocation,
                                                                const WordVectors& vectors) {
  GAUZE_TRY(const std::vector<std::string> names, invocation.list("mechanism"));
  std::vector<MechanismKind> kinds;
  for (const std::string& name : names) {
    const auto kind = value_of(kMechanismWords, name);
    if (!kind)
      return invalid_parameter("--mechanism is a list of {}, but one is {}", joined(all_words(kMechanismWords), ", "),
                               name);
    if (std::find(kinds.begin(), kinds.end(), *kind) == kinds.end()) kinds.push_back(*kind);
  }
  GAUZE_TRY_VOID(check_mechanism_flags(invocation, kinds));
  std::vector<MechanismOptions> all;
  for (const MechanismKind kind : kinds) {
    GAUZE_TRY(MechanismOptions options, options_of(kind, invocation, vectors));
    all.push_back(std::move(options));
  }
  return all;
}

Result<MechanismOptions> mechanism_with_epsilon(const Invocation& invocation, const WordVectors& vectors,
                                                const std::optional<LabelledText>& labelled) {
  GAUZE_TRY(const std::optional<Rational> given, invocation.optional_rational("epsilon"));
  if (!given && !labelled)
    return make_error(ErrorCode::usage,
                      "--epsilon is missing: only the label beside a sanitised text says it instead");
  GAUZE_TRY(const MechanismOptions options, mechanism_options(invocation, vectors, labelled));
  return options.at(given ? *given : labelled->epsilon);
}

Result<std::size_t> memory_size(const Invocation& invocation) {
  GAUZE_TRY(std::string word, invocation.text("memory"));
  std::uint64_t unit = 1;
  if (!word.empty() && (word.back() == 'M' || word.back() == 'G')) {
    unit = word.back() == 'M' ? std::uint64_t{1} << 20 : std::uint64_t{1} << 30;
    word.pop_back();
  }
  const auto number = Rational::parse(word);
  const auto bytes =
      number ? (*number * Rational(static_cast<std::int64_t>(unit))).floor().to_int64() : Result<std::int64_t>(0);
  if (!bytes || *bytes < (1 << 20) || *bytes > (std::int64_t{1} << 46))
    return invalid_parameter("--memory is a size such as 64M or 1G, at least 1M");
  return static_cast<std::size_t>(*bytes);
}

}  // namespace gauze::cli
