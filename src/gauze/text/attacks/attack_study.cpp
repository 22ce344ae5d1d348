#include "gauze/text/attacks/attack_study.h"

#include <algorithm>
#include <memory>

#include "gauze/statistics/estimate.h"
#include "gauze/text/attacks/hidden_markov_attack.h"
#include "gauze/text/statistics/mechanism_laws.h"

namespace gauze::text {
namespace {

constexpr std::size_t kRowMemory = std::size_t{256} << 20;

/// Clean documents and what is seen of them: simulated, or given.
Result<AttackedText> read_text(const TextMechanism& mechanism, const AttackReader& reader,
                               const AttackRequest& request) {
  if (request.clean.empty()) return make_error(ErrorCode::bad_data, "there is no document to attack");
  const std::size_t all = request.clean.size();
  const auto clean = request.clean.first(std::min(all, request.most_documents.value_or(all)));
  if (!request.sanitized) return reader.simulate(clean, *make_replacer(mechanism, kRowMemory), request.seed);
  if (request.sanitized->size() != all)
    return make_error(ErrorCode::bad_data, "the clean text has {} documents, {} has {}", all, request.sanitized_name,
                      request.sanitized->size());
  return reader.align(clean, request.sanitized->first(clean.size()));
}

Result<PublicLanguage> learn_public(const AttackReader& reader, std::size_t vocabulary,
                                    const AttackRequest& request) {
  if (!request.public_documents) return PublicLanguage::learn(vocabulary, {});
  GAUZE_TRY(const auto words, reader.words_of(*request.public_documents));
  PublicLanguage language = PublicLanguage::learn(vocabulary, words);
  if (language.tokens() == 0)
    return make_error(ErrorCode::bad_data, "{} has no word of the vocabulary: nothing can be learnt from it",
                      request.public_name);
  return language;
}

/// How the attackers know what words become: by the law of what was drawn from, or from draws of their own.
Result<std::unique_ptr<Emission>> emission_of(const TextMechanism& mechanism, const AttackRequest& request,
                                              AttackReport& report, Progress& progress) {
  std::unique_ptr<Emission> emission;
  report.exact = true;
  if (mechanism.softmax() && !mechanism.as_published()) {
    GAUZE_TRY(emission, SoftmaxEmission::make(*mechanism.softmax(), &progress));
    return emission;
  }
  if (auto law = closed_law(mechanism)) {
    emission = std::make_unique<LawEmission>(mechanism.vectors().size(), *std::move(law));
    return emission;
  }
  report.exact = false;
  report.runs = request.runs;
  // Another seed than that of the text: the attacker does not know its draws.
  GAUZE_TRY(emission, SimulatedEmission::make(mechanism.vectors().size(), dchi_draws(mechanism),
                                              {.runs = request.runs, .seed = ~request.seed}, &progress));
  return emission;
}

Json outcome_json(const AttackOutcome& outcome) {
  const AttackScore& score = outcome.score;
  Json object = Json::object({{"recovered", score.recovered}, {"recovery", Json()}});
  if (score.attacked > 0) {
    const auto share = estimate_share(static_cast<double>(score.recovered), static_cast<double>(score.attacked));
    object.set("recovery", gauze::to_json(share));
  }
  const double tokens = static_cast<double>(score.tokens);
  const double matches = static_cast<double>(score.matches);
  object.set("token_recovery", tokens > 0 ? Json(matches / tokens) : Json());
  object.set("privacy", tokens > 0 ? Json((tokens - matches) / tokens) : Json());
  if (outcome.name == to_string(AttackKind::mask)) object.set("model", kMaskModel);
  return object;
}

Json outcomes_json(const std::vector<AttackOutcome>& outcomes) {
  Json object = Json::object();
  for (const AttackOutcome& outcome : outcomes) object.set(outcome.name, outcome_json(outcome));
  return object;
}

}  // namespace

Result<AttackReport> run_attacks(const TextMechanism& mechanism, const SegmentationDictionary* dictionary,
                                 const SanitizePolicy& policy, const AttackRequest& request, Progress& progress) {
  const WordVectors& vectors = mechanism.vectors();
  const AttackReader reader(vectors, dictionary, policy);
  AttackReport report{.mechanism = std::string(mechanism.name()),
                      .as_published = mechanism.as_published(),
                      .epsilon = mechanism.epsilon(),
                      .language = policy.language,
                      .vocabulary = vectors.size()};
  GAUZE_TRY(const AttackedText text, read_text(mechanism, reader, request));
  report.all_documents = request.clean.size();
  report.documents = text.documents.size();
  report.unaligned_documents = text.unaligned_documents;
  GAUZE_TRY(PublicLanguage language, learn_public(reader, vectors.size(), request));
  report.public_tokens = language.tokens();
  report.prior = request.prior ? "list" : language.tokens() > 0 ? "public" : "uniform";
  const std::vector<double> prior = request.prior ? *request.prior : language.word_shares();
  if (request.prior) language = language.with_word_shares(prior);
  std::unique_ptr<Emission> emission;
  for (const AttackKind kind : request.attacks) {
    Guesses guesses;
    if (kind != AttackKind::mask && !emission) {
      GAUZE_TRY(emission, emission_of(mechanism, request, report, progress));
    }
    if (kind == AttackKind::bayes) {
      GAUZE_TRY(guesses, bayes_attack(text, *emission, prior, &progress));
    } else if (kind == AttackKind::hmm) {
      GAUZE_TRY(guesses, hidden_markov_attack(text, *emission, language, {.progress = &progress}));
    } else {
      guesses = mask_attack(text, language, &progress);
      GAUZE_TRY_VOID(progress.check());
    }
    report.attacks.push_back({std::string(to_string(kind)), score(text, guesses)});
  }
  report.baselines = {{"as_read", score(text, as_read(text))}, {"prior", score(text, always_guess(text, prior))}};
  return report;
}

Json to_json(const AttackReport& report) {
  return Json::object({{"documents", report.documents},
                       {"tokens", report.counts().tokens},
                       {"attacked", report.counts().attacked},
                       {"unaligned_documents", report.unaligned_documents},
                       {"vocabulary", report.vocabulary},
                       {"mechanism", report.mechanism},
                       {"as_published", report.as_published},
                       {"epsilon", Json::number(report.epsilon.to_decimal())},
                       {"language", to_string(report.language)},
                       {"exact", report.exact ? Json(*report.exact) : Json()},
                       {"runs", report.runs ? Json(*report.runs) : Json()},
                       {"prior", report.prior},
                       {"public_tokens", report.public_tokens},
                       {"baselines", outcomes_json(report.baselines)},
                       {"attacks", outcomes_json(report.attacks)},
                       {"notice", kAttackNotice}});
}

}  // namespace gauze::text
