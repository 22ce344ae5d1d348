// text attack.
#include <algorithm>
#include <array>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/text/document_flags.h"
#include "gauze/cli/text/text_figures.h"
#include "gauze/statistics/estimate.h"
#include "gauze/text/attacks/hidden_markov_attack.h"

namespace gauze::cli {
namespace {

using namespace text;  // the vocabulary of this file

constexpr std::array<std::string_view, 3> kAttacks = {"bayes", "hmm", "mask"};
constexpr std::string_view kNotice = "INTERNAL: compares with the clean text, not to be published";
constexpr std::string_view kMaskModel = "n-gram model, not BERT";

/// An attack, or a baseline, and how it fared.
struct Outcome {
  std::string name;
  AttackScore score;
  [[nodiscard]] double recovery() const {
    return static_cast<double>(score.recovered) / static_cast<double>(score.attacked);
  }
};

struct AttackResult {
  AttackedText text;
  Language language = Language::automatic;  ///< whose rules divided the texts
  std::size_t all_documents = 0;            ///< of the input, before --documents
  std::uint64_t public_tokens = 0;
  std::string prior;
  std::optional<bool> exact;          ///< whether what words become was known exactly; nothing when nobody asked
  std::optional<std::uint64_t> runs;  ///< from which it was estimated
  std::vector<Outcome> attacks;
  std::vector<Outcome> baselines;
};

/// The attacks that are asked for, or all that are possible; in the order of kAttacks.
Result<std::vector<std::string>> chosen_attacks(Invocation& invocation) {
  const bool has_public = invocation.has("public");
  if (invocation.has("public-column") && !has_public)
    return make_error(ErrorCode::usage, "--public-column goes with --public");
  std::vector<std::string> asked;
  if (invocation.has("attack")) {
    GAUZE_TRY(asked, invocation.list("attack"));
    for (const std::string& name : asked) {
      if (std::find(kAttacks.begin(), kAttacks.end(), name) == kAttacks.end())
        return make_error(ErrorCode::usage, "--attack is a list of bayes, hmm and mask");
      if (name != "bayes" && !has_public)
        return make_error(ErrorCode::usage, "--attack {} needs --public FILE: text to learn a language from", name);
    }
  } else {
    asked.assign(kAttacks.begin(), has_public ? kAttacks.end() : kAttacks.begin() + 1);
    if (!has_public) invocation.note("hmm and mask are left out: they need --public FILE");
  }
  std::vector<std::string> chosen;
  for (const std::string_view name : kAttacks)
    if (std::find(asked.begin(), asked.end(), name) != asked.end()) chosen.emplace_back(name);
  return chosen;
}

/// Clean documents and what is seen of them: simulated, or read from --sanitized.
Result<void> read_text(Invocation& invocation, const AttackReader& reader, const TextMechanism& mechanism,
                       std::uint64_t seed, AttackResult& result) {
  const auto column = invocation.optional_text("column");
  GAUZE_TRY(const std::int64_t most, invocation.integer("documents", 0));
  std::vector<std::string> clean;
  for (const std::string& path : invocation.texts("file")) {
    GAUZE_TRY(std::vector<std::string> some, read_documents(invocation, path, column));
    std::move(some.begin(), some.end(), std::back_inserter(clean));
  }
  if (clean.empty()) return make_error(ErrorCode::bad_data, "there is no document to attack");
  result.all_documents = clean.size();
  const std::size_t count = most == 0 ? clean.size() : std::min(clean.size(), static_cast<std::size_t>(most));
  if (const auto path = invocation.optional_text("sanitized")) {
    GAUZE_TRY(std::vector<std::string> sanitised, read_documents(invocation, *path, column));
    if (sanitised.size() != clean.size())
      return make_error(ErrorCode::bad_data, "the clean text has {} documents, --sanitized has {}", clean.size(),
                        sanitised.size());
    GAUZE_TRY(result.text, reader.align(std::span(clean).first(count), std::span(sanitised).first(count)));
    return {};
  }
  constexpr std::size_t kMemory = std::size_t{256} << 20;
  GAUZE_TRY(result.text, reader.simulate(std::span(clean).first(count), *mechanism.replacer(kMemory), seed));
  return {};
}

Result<PublicLanguage> read_public(Invocation& invocation, const AttackReader& reader, std::size_t vocabulary) {
  const auto path = invocation.optional_text("public");
  if (!path) return PublicLanguage::learn(vocabulary, {});
  GAUZE_TRY(const std::vector<std::string> documents,
            read_documents(invocation, *path, invocation.optional_text("public-column")));
  GAUZE_TRY(const auto words, reader.words_of(documents));
  PublicLanguage language = PublicLanguage::learn(vocabulary, words);
  if (language.tokens() == 0)
    return make_error(ErrorCode::bad_data, "{} has no word of the vocabulary: nothing can be learnt from it", *path);
  return language;
}

/// How the attackers know what words become: by the law of what was drawn from, or from draws of their own.
Result<std::unique_ptr<Emission>> emission_of(Invocation& invocation, const TextMechanism& mechanism,
                                              std::size_t vocabulary, std::uint64_t seed, AttackResult& result) {
  std::unique_ptr<Emission> emission;
  result.exact = true;
  if (mechanism.softmax && !mechanism.as_published()) {
    GAUZE_TRY(emission, SoftmaxEmission::make(*mechanism.softmax, &invocation.progress()));
    return emission;
  }
  if (auto law = closed_law(mechanism)) {
    emission = std::make_unique<LawEmission>(vocabulary, *std::move(law));
    return emission;
  }
  GAUZE_TRY(const std::int64_t runs, invocation.integer("runs", 1));
  result.exact = false;
  result.runs = static_cast<std::uint64_t>(runs);
  // Another seed than that of the text: the attacker does not know its draws.
  GAUZE_TRY(emission, SimulatedEmission::make(vocabulary, dchi_draws(mechanism),
                                              {.runs = *result.runs, .seed = ~seed}, &invocation.progress()));
  return emission;
}

Result<AttackResult> attack(Invocation& invocation, const WordVectors& vectors, const TextMechanism& mechanism,
                            std::span<const std::string> names) {
  GAUZE_TRY(const SanitizePolicy policy, sanitize_policy(invocation));
  GAUZE_TRY(const std::optional<SegmentationDictionary> dictionary, segmentation_dictionary(invocation));
  GAUZE_TRY(const std::uint64_t seed, simulation_seed(invocation));
  const AttackReader reader(vectors, dictionary ? &*dictionary : nullptr, policy);
  tell_misfit(invocation, vectors, policy.language);
  AttackResult result;
  result.language = policy.language;
  GAUZE_TRY_VOID(read_text(invocation, reader, mechanism, seed, result));
  GAUZE_TRY(PublicLanguage language, read_public(invocation, reader, vectors.size()));
  result.public_tokens = language.tokens();
  result.prior = language.tokens() > 0 ? "public" : "uniform";
  std::vector<double> prior = language.word_shares();
  if (const auto path = invocation.optional_text("prior")) {
    GAUZE_TRY(prior, read_prior(*path, vectors));
    language = language.with_word_shares(prior);
    result.prior = "list";
  }
  Progress& progress = invocation.progress();
  std::unique_ptr<Emission> emission;
  for (const std::string& name : names) {
    Guesses guesses;
    if (name != "mask" && !emission) {
      GAUZE_TRY(emission, emission_of(invocation, mechanism, vectors.size(), seed, result));
    }
    if (name == "bayes") {
      GAUZE_TRY(guesses, bayes_attack(result.text, *emission, prior, &progress));
    } else if (name == "hmm") {
      GAUZE_TRY(guesses, hidden_markov_attack(result.text, *emission, language, {.progress = &progress}));
    } else {
      guesses = mask_attack(result.text, language, &progress);
      GAUZE_TRY_VOID(progress.check());
    }
    result.attacks.push_back({name, score(result.text, guesses)});
  }
  result.baselines = {{"as_read", score(result.text, as_read(result.text))},
                      {"prior", score(result.text, always_guess(result.text, prior))}};
  return result;
}

Json outcome_json(const Outcome& outcome) {
  const AttackScore& score = outcome.score;
  Json object = Json::object({{"recovered", score.recovered}, {"recovery", Json()}});
  if (score.attacked > 0) {
    const auto share = estimate_share(static_cast<double>(score.recovered), static_cast<double>(score.attacked));
    object.set("recovery", to_json(share));
  }
  const double tokens = static_cast<double>(score.tokens);
  const double matches = static_cast<double>(score.matches);
  object.set("token_recovery", tokens > 0 ? Json(matches / tokens) : Json());
  object.set("privacy", tokens > 0 ? Json((tokens - matches) / tokens) : Json());
  if (outcome.name == "mask") object.set("model", kMaskModel);
  return object;
}

Json outcomes_json(const std::vector<Outcome>& outcomes) {
  Json object = Json::object();
  for (const Outcome& outcome : outcomes) object.set(outcome.name, outcome_json(outcome));
  return object;
}

void print_outcome(Invocation& invocation, const Outcome& outcome, std::string_view remark) {
  const AttackScore& score = outcome.score;
  const auto share = estimate_share(static_cast<double>(score.recovered), static_cast<double>(score.attacked));
  const double all = static_cast<double>(score.matches) / static_cast<double>(score.tokens);
  std::string line = fmt::format("{:<8} {:>9} {:>9.1f} % {:>6.1f} to {:>5.1f} % {:>9.1f} % {:>9.1f} %  {}",
                                 outcome.name, score.recovered, 100 * share.mean, 100 * share.low, 100 * share.high,
                                 100 * all, 100 - 100 * all, remark);
  line.erase(line.find_last_not_of(' ') + 1);
  invocation.out().print("{}\n", line);
}

/// Which attack recovers most, whether reading does better, and what the mask attack would have said.
std::string verdict(const AttackResult& result) {
  const auto most =
      std::max_element(result.attacks.begin(), result.attacks.end(),
                       [](const Outcome& a, const Outcome& b) { return a.score.recovered < b.score.recovered; });
  std::string text =
      fmt::format("{} recovers most, {:.1f} % of the attacked words.", most->name, 100 * most->recovery());
  const Outcome& printed = result.baselines.front();
  if (printed.score.recovered > most->score.recovered)
    text += fmt::format(" As printed more are right ({:.1f} %): what the attackers assume or estimate fits badly.",
                        100 * printed.recovery());
  const Outcome& last = result.attacks.back();
  if (last.name == "mask" && last.score.recovered < most->score.recovered)
    text += fmt::format(" mask alone ({:.1f} %) understates the leak: it does not look at the printed word.",
                        100 * last.recovery());
  return text;
}

void print_result(Invocation& invocation, const AttackResult& result, const TextMechanism& mechanism,
                  const std::string& epsilon, std::size_t vocabulary) {
  const AttackScore& counts = result.baselines.front().score;
  const std::size_t read = result.text.documents.size() + result.text.unaligned_documents;
  auto& out = invocation.out();
  out.print("{}\n\n", invocation.out_style().red(std::string(kNotice)));
  out.print("{} documents, {} tokens: {} drawn by {} with epsilon {} from {} words\n", result.text.documents.size(),
            counts.tokens, counts.attacked, mechanism.name + (mechanism.as_published() ? " as published" : ""),
            epsilon, vocabulary);
  if (read < result.all_documents)
    out.print("the first {} of {} documents; --documents 0 is all\n", read, result.all_documents);
  if (result.text.unaligned_documents > 0)
    out.print("{} documents left out: clean and sanitised tokens do not pair up\n", result.text.unaligned_documents);
  out.print("prior: {}\n", result.prior == "public" ? fmt::format("the public text, {} words", result.public_tokens)
                           : result.prior == "uniform" ? "all words alike"
                                                       : "the list of --prior");
  if (result.exact)
    out.print("law: {}\n", *result.exact ? "exact" : fmt::format("estimated, {} draws of each word", *result.runs));
  if (counts.attacked == 0) {
    out.print("no word was drawn: there is nothing to attack\n");
    return;
  }
  out.print("\n{:<8} {:>9} {:>11} {:>17} {:>11} {:>11}\n", "attack", "recovered", "of drawn", "95 % interval",
            "all tokens", "privacy");
  for (const Outcome& outcome : result.attacks)
    print_outcome(invocation, outcome, outcome.name == "mask" ? kMaskModel : "");
  for (const Outcome& outcome : result.baselines) print_outcome(invocation, outcome, "baseline");
  out.print("\n{}\n", verdict(result));
}

Result<int> run_attack(Invocation& invocation) {
  GAUZE_TRY(const std::vector<std::string> names, chosen_attacks(invocation));
  GAUZE_TRY_VOID(check_delimiter(invocation, {"column", "public-column"}));
  GAUZE_TRY(const std::string mechanism_name, invocation.text("mechanism"));
  if (invocation.has("runs") && mechanism_name != "dchi")
    return make_error(ErrorCode::usage, "--runs goes with --mechanism dchi: the others have a closed law");
  GAUZE_TRY(const Rational epsilon, invocation.rational("epsilon"));
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  GAUZE_TRY(const TextMechanism mechanism, text_mechanism(invocation, vectors));
  GAUZE_TRY(const AttackResult result, attack(invocation, vectors, mechanism, names));
  invocation.end_progress();
  if (!invocation.json()) {
    print_result(invocation, result, mechanism, epsilon.to_decimal(), vectors.size());
    return 0;
  }
  const AttackScore& counts = result.baselines.front().score;
  invocation.print_json(Json::object({{"documents", result.text.documents.size()},
                                      {"tokens", counts.tokens},
                                      {"attacked", counts.attacked},
                                      {"unaligned_documents", result.text.unaligned_documents},
                                      {"vocabulary", vectors.size()},
                                      {"mechanism", mechanism.name},
                                      {"as_published", mechanism.as_published()},
                                      {"epsilon", Json::number(epsilon.to_decimal())},
                                      {"language", to_string(result.language)},
                                      {"exact", result.exact ? Json(*result.exact) : Json()},
                                      {"runs", result.runs ? Json(*result.runs) : Json()},
                                      {"prior", result.prior},
                                      {"public_tokens", result.public_tokens},
                                      {"baselines", outcomes_json(result.baselines)},
                                      {"attacks", outcomes_json(result.attacks)},
                                      {"notice", kNotice}}));
  return 0;
}

}  // namespace

void register_text_attack_command(Registry& registry) {
  std::vector<Flag> flags = vector_flags();
  for (Flag& flag : mechanism_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : token_flags()) flags.push_back(std::move(flag));
  const std::vector<Flag> more = {
      {.name = "column", .placeholder = "COL", .help = "the column with the text, of CSV, TSV or JSON lines"},
      delimiter_flag(),
      {.name = "attack", .placeholder = "LIST", .help = "of bayes, hmm and mask; without it all that are possible"},
      {.name = "sanitized",
       .placeholder = "FILE",
       .help = "attack this text, made from FILE with the same flags, instead of a simulated one",
       .is_file = true},
      {.name = "public",
       .placeholder = "FILE",
       .help = "public text of the same kind, from which attackers learn a language",
       .is_file = true},
      prior_flag(),
      {.name = "public-column", .placeholder = "COL", .help = "the column of --public with the text"},
      {.name = "documents",
       .placeholder = "N",
       .help = "attack the first N documents; 0: all",
       .default_text = "500"},
      {.name = "runs",
       .placeholder = "R",
       .help =
           "dchi, where there is no closed form: draws for each word of the vocabulary, to estimate what it becomes",
       .default_text = "100"},
      simulation_seed_flag()};
  flags.insert(flags.end(), more.begin(), more.end());
  registry.add(
      {.name = "text attack",
       .group = "Text",
       .summary = "Measure how many words an attacker recovers",
       .description =
           "Sanitises the clean text by simulation (or takes --sanitized) and attacks it with what anybody may know: the "
           "mechanism, epsilon and the vocabulary.\n\n"
           "bayes guesses the most probable original of each printed word, exactly. hmm does so in context: a Markov chain "
           "learnt from --public, forward and backward. mask hides the printed word and guesses it from its neighbours; it is the "
           "attack of the papers with an n-gram model instead of BERT, and understates the leak. Words are beforehand as probable "
           "as --prior says, else as in --public, else all alike; which follow which is learnt from --public.\n\n"
           "bayes and hmm know the law of the mechanism exactly, as published, too. dchi has one in one dimension and for two "
           "words; else every word of the vocabulary is drawn --runs times, and the output says so.\n\n"
           "Only words that were drawn are attacked; masked ones count as never recovered, kept ones as read. Every figure "
           "compares with the clean text: the output is INTERNAL. With --json: documents, tokens, attacked, "
           "unaligned_documents, vocabulary, mechanism, epsilon, language, exact, runs, prior, public_tokens, baselines, attacks, "
           "notice.",
       .examples =
           {{"gauze text attack reviews.txt --vectors glove.gvec --epsilon 3 --public other.txt",
             "three attacks on a simulated release"},
            {"gauze text attack reviews.txt --sanitized public.txt --vectors glove.gvec --epsilon 3 --attack bayes",
             "on the text that would be published"}},
       .positionals = {{.name = "file",
                        .help = "the clean text, or a table with --column",
                        .repeatable = true,
                        .is_file = true}},
       .flags = std::move(flags),
       .run = run_attack});
}

}  // namespace gauze::cli
