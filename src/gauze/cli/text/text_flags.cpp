#include "gauze/cli/text/text_flags.h"

#include <algorithm>
#include <cmath>

#include "gauze/base/utf8.h"
#include "gauze/files/sha256.h"
#include "gauze/label/label_file.h"

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
  const bool one = epsilon == EpsilonFlag::one;
  return {{.name = "mechanism",
           .placeholder = "NAME",
           .help = "how words are replaced",
           .default_text = "santext",
           .choices = {"santext", "santext+", "tem", "dchi"}},
          {.name = "epsilon",
           .placeholder = one ? "E" : "E[,E...]",
           .help = one ? "privacy per unit of distance" : "privacy per unit of distance, one value or several",
           .required = true},
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

namespace {

/// Of every word of the vectors whether a public list, one word a line, has it; `bad_data` when it has none.
Result<std::vector<bool>> listed_words(Invocation& invocation, const std::string& path, const WordVectors& vectors) {
  GAUZE_TRY(const std::string text, invocation.read_input(path, std::size_t{1} << 30));
  if (find_invalid_utf8(text)) return make_error(ErrorCode::bad_data, "{} is not UTF-8", path);
  std::string_view left = text;
  if (left.starts_with("\xEF\xBB\xBF")) left.remove_prefix(3);
  std::vector<bool> listed(vectors.size());
  bool any = false;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const auto word = vectors.find(trimmed(left.substr(0, end)));
    left.remove_prefix(std::min(end + 1, left.size()));
    if (!word) continue;
    listed[*word] = true;
    any = true;
  }
  if (!any) return make_error(ErrorCode::bad_data, "{} has no word of the vectors", path);
  return listed;
}

}  // namespace

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
  GAUZE_TRY(const std::vector<bool> listed, listed_words(invocation, *list, vectors));
  return vectors.only(listed);
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

Result<void> TextMechanism::read_sensitive(Invocation& invocation, const WordVectors& vectors,
                                           SoftmaxMechanism::Options& options) {
  const auto frequencies = invocation.optional_text("frequencies");
  const auto sensitive = invocation.optional_text("sensitive");
  if (frequencies.has_value() == sensitive.has_value())
    return make_error(ErrorCode::usage,
                      "santext+ needs --frequencies FILE, a public list of words and counts (or --sensitive FILE)");
  GAUZE_TRY(list_sha256, sha256_of_file(frequencies ? *frequencies : *sensitive));
  if (sensitive) {
    if (invocation.has("w")) return make_error(ErrorCode::usage, "--w goes with --frequencies");
    GAUZE_TRY(options.sensitive, listed_words(invocation, *sensitive, vectors));
    return {};
  }
  GAUZE_TRY(w, invocation.rational("w"));
  GAUZE_TRY(const WordFrequencies counts, WordFrequencies::open(*frequencies, vectors));
  GAUZE_TRY(options.sensitive, counts.least_frequent(*w));
  expected_pass_through = counts.expected_pass_through(options.sensitive, options.p);
  return {};
}

Result<TextMechanism> text_mechanism(Invocation& invocation, const WordVectors& vectors) {
  GAUZE_TRY(const Rational epsilon, invocation.rational("epsilon"));
  return text_mechanism(invocation, vectors, epsilon);
}

Result<TextMechanism> text_mechanism(Invocation& invocation, const WordVectors& vectors, const Rational& epsilon) {
  TextMechanism result;
  GAUZE_TRY(result.name, invocation.text("mechanism"));
  for (const auto& [flag, mechanism] : {std::pair("gamma", "tem"),
                                        {"beta", "tem"},
                                        {"frequencies", "santext+"},
                                        {"sensitive", "santext+"},
                                        {"p", "santext+"},
                                        {"w", "santext+"}})
    if (invocation.has(flag) && result.name != mechanism)
      return make_error(ErrorCode::usage, "--{} goes with --mechanism {}", flag, mechanism);
  if (result.name == "dchi") {
    GAUZE_TRY(DchiMechanism mechanism, DchiMechanism::make(vectors, epsilon));
    result.dchi = std::make_unique<DchiMechanism>(std::move(mechanism));
    if (invocation.has("as-published")) result.published_dchi = std::make_unique<PublishedDchi>(*result.dchi);
    return result;
  }
  SoftmaxMechanism::Options options;
  options.epsilon = epsilon;
  options.kind = result.name == "tem"        ? SoftmaxKind::tem
                 : result.name == "santext+" ? SoftmaxKind::santext_plus
                                             : SoftmaxKind::santext;
  if (invocation.has("gamma")) {
    GAUZE_TRY(options.gamma, invocation.rational("gamma"));
  }
  if (invocation.has("beta")) {
    GAUZE_TRY(options.beta, invocation.rational("beta"));
  }
  if (options.kind == SoftmaxKind::santext_plus) {
    GAUZE_TRY(options.p, invocation.rational("p"));
    GAUZE_TRY_VOID(result.read_sensitive(invocation, vectors, options));
  }
  GAUZE_TRY(WordMetric metric, WordMetric::make(vectors));
  GAUZE_TRY(SoftmaxMechanism mechanism, SoftmaxMechanism::make(std::move(metric), options));
  result.softmax = std::make_unique<SoftmaxMechanism>(std::move(mechanism));
  if (invocation.has("as-published")) {
    std::optional<double> gamma;
    if (options.gamma) gamma = options.gamma->to_double();
    if (options.beta)
      gamma = PublishedSoftmax::published_gamma(epsilon.to_double(), options.beta->to_double(), vectors.size());
    result.published_softmax = std::make_unique<PublishedSoftmax>(*result.softmax, gamma);
  }
  return result;
}

std::unique_ptr<WordReplacer> TextMechanism::replacer(std::size_t memory_bytes) const {
  if (published_dchi) return std::make_unique<PublishedDchiReplacer>(*published_dchi);
  if (published_softmax) return std::make_unique<PublishedSoftmaxReplacer>(*published_softmax);
  if (dchi) return std::make_unique<DchiReplacer>(*dchi);
  return std::make_unique<SoftmaxReplacer>(*softmax, memory_bytes);
}

void TextMechanism::tell_sensitive(PrivacyLabel& label) const {
  label.parameters.set("p", softmax->p().to_decimal());
  label.parameters.set("epsilon0", softmax->epsilon0());
  label.parameters.set("sensitive_words", softmax->outputs().size());
  if (w) label.parameters.set("w", w->to_decimal());
  label.parameters.set(w ? "frequencies" : "sensitive", list_sha256);
  if (expected_pass_through) label.parameters.set("expected_pass_through", *expected_pass_through);
}

void TextMechanism::tell_published(PrivacyLabel& label, const WordVectors& vectors, const Rational& epsilon) const {
  label.warning = "as published: no guarantee can be proven for floating point";
  label.mechanism += ", as published";
  label.parameters = Json::object({{"claimed_epsilon", epsilon.to_decimal_up()},
                                   {"vectors", vectors.fingerprint()},
                                   {"vocabulary", vectors.size()}});
  label.definition = Definition::none;
  label.does_not_cover = {
      "the claim of epsilon times the distance: probabilities are rounded, and those of far words may be 0, so that an output "
      "can rule a word out",
      "layout: how many words there are, where they stand, their case, blanks, punctuation and invisible characters",
      "which words were masked, unknown or kept, and where"};
  if (published_softmax && published_softmax->gamma()) label.parameters.set("gamma", *published_softmax->gamma());
  if (name == "santext+") {
    tell_sensitive(label);
    label.does_not_cover.emplace_back("common words: they are printed as they are, except with probability p");
  }
}

PrivacyLabel TextMechanism::label(const WordVectors& vectors) const {
  PrivacyLabel label;
  label.mechanism = name;
  const Rational& epsilon = dchi ? dchi->epsilon() : softmax->epsilon();
  label.parameters = Json::object(
      {{"epsilon", epsilon.to_decimal_up()}, {"vectors", vectors.fingerprint()}, {"vocabulary", vectors.size()}});
  label.privacy_unit = "one word of a text, at its place";
  label.provenance["vocabulary"] = Provenance::public_knowledge;
  if (as_published()) {
    tell_published(label, vectors, epsilon);
    return label;
  }
  label.neighbours = Neighbours::any_two_inputs;
  label.definition = name == "santext+" ? Definition::umldp : Definition::metric;
  label.cost.epsilon = epsilon.to_decimal_up();
  if (dchi) {
    label.covers.emplace_back("the metric is the Euclidean distance of the word vectors");
  } else {
    label.parameters.set("granule", softmax->metric().granule());
    label.parameters.set("largest_distance", softmax->largest_distance());
    label.covers.emplace_back(
        "the metric is the Euclidean distance of the word vectors, rounded up to whole granules and cut "
        "at the largest distance; the log ratio is bounded by epsilon times it, plus 2^-39");
  }
  label.covers.emplace_back(
      name == "santext+"
          ? "two texts of the same layout that differ in sensitive words only: epsilon times the sum of the distances"
          : "two texts of the same layout: epsilon times the sum of the distances of their words");
  if (name == "santext+") {
    tell_sensitive(label);
    label.covers.emplace_back(
        "an output that is a sensitive word: ln(1/p) besides where one of the two inputs is a common word");
    label.does_not_cover.emplace_back("common words: they are printed as they are, except with probability p");
  }
  label.does_not_cover.insert(
      label.does_not_cover.end(),
      {"layout: how many words there are, where they stand, their case, blanks, punctuation and invisible characters",
       "which words were masked, unknown or kept, and where", "the same text sanitised again: costs add up"});
  return label;
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
