#include "gauze/text/job/text_label.h"

#include <fmt/format.h>

#include "gauze/text/sanitize/word_lookup.h"

namespace gauze::text {
namespace {

constexpr const char* kSanitisedText = "sanitised text";
constexpr const char* kRandomOrder = "random";
constexpr const char* kStripped = "stripped";
constexpr std::string_view kPublishedSuffix = ", as published";
constexpr const char* kLayout =
    "layout: how many words there are, where they stand, their case, blanks, punctuation and invisible characters, "
    "the encoding";
constexpr const char* kWhichWords = "which words were masked, unknown or kept, and where";
constexpr const char* kCommonWords = "common words: they are printed as they are, except with probability p";

/// Of santext+: p, and what is sensitive.
void tell_sensitive(PrivacyLabel& label, const TextMechanism& mechanism) {
  const SoftmaxMechanism& softmax = *mechanism.softmax();
  const SensitiveWords& sensitive = *mechanism.options().sensitive;
  label.parameters.set("p", softmax.p().to_decimal());
  label.parameters.set("epsilon0", softmax.epsilon0());
  label.parameters.set("sensitive_words", softmax.outputs().size());
  if (sensitive.w) label.parameters.set("w", sensitive.w->to_decimal());
  label.parameters.set(sensitive.w ? "frequencies" : "sensitive", sensitive.list_sha256);
  if (sensitive.frequencies)
    label.parameters.set("expected_pass_through",
                         sensitive.frequencies->expected_pass_through(sensitive.marked, softmax.p()));
}

void tell_published(PrivacyLabel& label, const TextMechanism& mechanism) {
  label.warning = "as published: no guarantee can be proven for floating point";
  label.mechanism += kPublishedSuffix;
  label.parameters = Json::object({{"claimed_epsilon", mechanism.epsilon().to_decimal_up()},
                                   {"vectors", mechanism.vectors().fingerprint()},
                                   {"vocabulary", mechanism.vectors().size()}});
  label.definition = Definition::none;
  label.does_not_cover = {
      "the claim of epsilon times the distance: probabilities are rounded, and those of far words may be 0, so that an output "
      "can rule a word out",
      kLayout, kWhichWords};
  const PublishedSoftmax* softmax = mechanism.published_softmax();
  if (softmax && softmax->gamma()) label.parameters.set("gamma", *softmax->gamma());
  if (mechanism.kind() == MechanismKind::santext_plus) {
    tell_sensitive(label, mechanism);
    label.does_not_cover.emplace_back(kCommonWords);
  }
}

/// Which list stop words are from.
std::string stop_word_source(const SanitizePolicy& policy) {
  if (policy.own_stop_words) return "a public list";
  return policy.language == Language::english   ? "the English list of Gauze"
         : policy.language == Language::chinese ? "the Chinese list of Gauze"
                                                : "the English and Chinese lists of Gauze";
}

void tell_policies(PrivacyLabel& label, const SanitizePolicy& policy, const WordVectors& vectors) {
  const std::string stop_words = stop_word_source(policy);
  const auto keeps = [&](TokenPolicy kind, const std::string& what) {
    if (kind == TokenPolicy::keep) label.does_not_cover.emplace_back(fmt::format("{}: printed as they are", what));
  };
  label.parameters.set("language", to_string(policy.language));
  for (const NamedPolicy& one : kTokenPolicies)
    label.parameters.set(one.parameter, word_of(kTokenPolicyWords, policy.*one.policy));
  if (policy.stop_words != TokenPolicy::replace) label.parameters.set("stop_words", stop_words);
  keeps(policy.unknown, "words that the vocabulary does not have");
  keeps(policy.numbers, "numbers");
  keeps(policy.addresses, "addresses and telephone numbers");
  keeps(policy.symbols, "symbols (emoji, signs of currencies and arithmetic, others)");
  keeps(policy.stop_words, "stop words, " + stop_words);
  if (policy.language != Language::english && has_words_of(vectors, Language::chinese))
    label.covers.emplace_back(
        "a Traditional Chinese word that the vocabulary does not have is taken for its form in Simplified characters, and covered as that "
        "one");
  if (policy.unknown == TokenPolicy::replace)
    label.covers.emplace_back(
        "a word that the vocabulary does not have is taken for the word that is spelt most alike, and covered as that one");
}

/// Of dchi, mahalanobis and vickrey: the metric, and what is printed.
void tell_noise(PrivacyLabel& label, const TextMechanism& mechanism) {
  if (mechanism.kind() == MechanismKind::mahalanobis) {
    label.parameters.set("lambda", mechanism.options().lambda.to_decimal());
    label.covers.emplace_back(
        "the metric is the Mahalanobis distance of the word vectors, by lambda times the covariance of the vocabulary and 1 - lambda times the "
        "identity; it is not the Euclidean distance");
    return;
  }
  label.covers.emplace_back("the metric is the Euclidean distance of the word vectors");
  if (mechanism.kind() != MechanismKind::vickrey) return;
  label.parameters.set("t", mechanism.options().t.to_decimal());
  label.covers.emplace_back("the second-nearest word is printed by a coin that depends on the noised vector alone");
}

}  // namespace

PrivacyLabel mechanism_label(const TextMechanism& mechanism) {
  const bool plus = mechanism.kind() == MechanismKind::santext_plus;
  PrivacyLabel label;
  label.mechanism = mechanism.name();
  label.parameters = Json::object({{"epsilon", mechanism.epsilon().to_decimal_up()},
                                   {"vectors", mechanism.vectors().fingerprint()},
                                   {"vocabulary", mechanism.vectors().size()}});
  label.privacy_unit = "one word of a text, at its place";
  label.provenance["vocabulary"] = Provenance::public_knowledge;
  if (mechanism.as_published()) {
    tell_published(label, mechanism);
    return label;
  }
  label.neighbours = Neighbours::any_two_inputs;
  label.definition = plus ? Definition::umldp : Definition::metric;
  label.cost.epsilon = mechanism.epsilon().to_decimal_up();
  if (mechanism.custext()) {
    label.parameters.set("set_size", mechanism.options().set_size);
    label.parameters.set("output_sets", mechanism.custext()->sets().count());
    label.covers.emplace_back(
        "the metric is 1 between words of one output set and infinite between others: the log ratio is bounded by epsilon, plus 2^-39, within a "
        "set");
    label.does_not_cover.emplace_back(
        "words of different output sets: every printed word says which set its word is of");
  } else if (mechanism.dchi()) {
    tell_noise(label, mechanism);
  } else {
    label.parameters.set("granule", mechanism.softmax()->metric().granule());
    label.parameters.set("largest_distance", mechanism.softmax()->largest_distance());
    label.covers.emplace_back(
        "the metric is the Euclidean distance of the word vectors, rounded up to whole granules and cut "
        "at the largest distance; the log ratio is bounded by epsilon times it, plus 2^-39");
  }
  label.covers.emplace_back(
      plus
          ? "two texts of the same layout that differ in sensitive words only: epsilon times the sum of the distances"
      : mechanism.custext()
          ? "two texts of the same layout whose words are of the same output sets place by place: epsilon for each word that differs"
          : "two texts of the same layout: epsilon times the sum of the distances of their words");
  if (plus) {
    tell_sensitive(label, mechanism);
    label.covers.emplace_back(
        "an output that is a sensitive word: ln(1/p) besides where one of the two inputs is a common word");
    label.does_not_cover.emplace_back(kCommonWords);
  }
  label.does_not_cover.insert(label.does_not_cover.end(),
                              {kLayout, kWhichWords, "the same text sanitised again: costs add up"});
  return label;
}

PrivacyLabel text_label(const TextMechanism& mechanism, const SanitizePolicy& policy,
                        const DocumentStream::Options& documents, bool shuffled) {
  PrivacyLabel label = mechanism_label(mechanism);
  label.released.kind = kSanitisedText;
  tell_policies(label, policy, mechanism.vectors());
  if (documents.column) {
    label.parameters.set("column", *documents.column);
    label.does_not_cover.emplace_back("all other columns or keys: printed as they are");
  }
  if (documents.strip_html) label.parameters.set("html", kStripped);
  label.parameters.set("order", shuffled ? kRandomOrder : "that of the original");
  if (!shuffled)
    label.does_not_cover.emplace_back(
        "the order of the documents: it is that of the original, and links them to it and to other releases");
  return label;
}

namespace {

/// A parameter as text, for comparisons; what is no text as JSON.
std::string text_of(const Json* value) {
  if (value == nullptr) return "none";
  return value->text().empty() ? value->dump() : std::string(value->text());
}

}  // namespace

Result<LabelledText> read_text_label(const PrivacyLabel& label) {
  const auto other = [] {
    return make_error(ErrorCode::bad_data, "the label is not that of a text that was sanitised by Gauze");
  };
  LabelledText text;
  std::string_view name = label.mechanism;
  text.as_published = name.ends_with(kPublishedSuffix);
  if (text.as_published) name.remove_suffix(kPublishedSuffix.size());
  const auto kind = value_of(kMechanismWords, name);
  const auto language = value_of(kLanguageWords, text_of(label.parameters.find("language")));
  const auto epsilon =
      Rational::parse(text_of(label.parameters.find(text.as_published ? "claimed_epsilon" : "epsilon")));
  if (label.released.kind != kSanitisedText || !kind || !language || !epsilon) return other();
  if (text_of(label.parameters.find("order")) == kRandomOrder)
    return invalid_parameter(
        "its label says that the lines are in a random order: they cannot be paired with those of the clean text");
  text.mechanism = *kind;
  text.language = *language;
  text.epsilon = *epsilon;
  text.strip_html = text_of(label.parameters.find("html")) == kStripped;
  for (const NamedPolicy& one : kTokenPolicies) {
    const Json* said = label.parameters.find(one.parameter);
    if (said == nullptr) continue;  // of a label made before they were told
    const auto policy = value_of(kTokenPolicyWords, text_of(said));
    if (!policy) return other();
    text.policies.emplace_back(&one, *policy);
  }
  return text;
}

Result<void> check_made_by(const PrivacyLabel& label, const TextMechanism& mechanism) {
  const PrivacyLabel made = mechanism_label(mechanism);
  if (made.mechanism != label.mechanism)
    return invalid_parameter("its label says mechanism {}, not {}", label.mechanism, made.mechanism);
  for (const auto& [key, value] : *made.parameters.members()) {
    const std::string said = text_of(label.parameters.find(key));
    if (const std::string is = text_of(&value); said != is)
      return invalid_parameter("its label says {} {}, not {}", key, said, is);
  }
  return {};
}

}  // namespace gauze::text
