// text attack.
#include <algorithm>
#include <filesystem>

#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/text/document_flags.h"
#include "gauze/cli/text/text_flags.h"
#include "gauze/files/find_files.h"
#include "gauze/label/label_file.h"
#include "gauze/statistics/estimate.h"
#include "gauze/text/attacks/attack_study.h"
#include "gauze/text/sanitize/stop_words.h"

namespace gauze::cli {
namespace {

using namespace text;  // the vocabulary of this file

/// The attacks that are asked for, or all that are possible; each once, in the order of AttackKind.
Result<std::vector<AttackKind>> chosen_attacks(Invocation& invocation) {
  const bool has_public = invocation.has("public");
  if (invocation.has("public-column") && !has_public)
    return make_error(ErrorCode::usage, "--public-column goes with --public");
  if (!invocation.has("attack")) {
    if (has_public) return std::vector{AttackKind::bayes, AttackKind::hmm, AttackKind::mask};
    invocation.warn({"attacks_left_out", "hmm and mask are left out: they need --public FILE"});
    return std::vector{AttackKind::bayes};
  }
  GAUZE_TRY(const std::vector<std::string> names, invocation.list("attack"));
  std::vector<AttackKind> asked;
  for (const std::string& name : names) {
    const auto kind = value_of(kAttackWords, name);
    if (!kind) return make_error(ErrorCode::usage, "--attack is a list of bayes, hmm and mask");
    if (*kind != AttackKind::bayes && !has_public)
      return make_error(ErrorCode::usage, "--attack {} needs --public FILE: text to learn a language from", name);
    asked.push_back(*kind);
  }
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  return asked;
}

/// What the attacked and the attackers have read.
struct AttackTexts {
  std::vector<std::string> clean;
  std::optional<std::vector<std::string>> sanitized;
  std::optional<std::vector<std::string>> known;  ///< of --public
};

/// Whether the texts are HTML: the label of what was made of them says so, too.
Result<bool> strips_html(const Invocation& invocation, const std::optional<LabelledText>& labelled) {
  GAUZE_TRY(const DocumentStream::Options options, document_options(invocation, std::nullopt));
  if (!labelled) return options.strip_html;
  if (invocation.has("html") && options.strip_html != labelled->strip_html)
    return invalid_parameter("--sanitized: its label says that HTML was {}stripped, --html says otherwise",
                             labelled->strip_html ? "" : "not ");
  return labelled->strip_html;
}

Result<AttackTexts> read_texts(const Invocation& invocation, bool strip_html) {
  AttackTexts texts;
  const auto column = invocation.optional_text("column");
  for (const std::string& path : invocation.texts("file")) {
    GAUZE_TRY(std::vector<std::string> some, read_documents(invocation, path, column, strip_html));
    std::move(some.begin(), some.end(), std::back_inserter(texts.clean));
  }
  if (const auto path = invocation.optional_text("sanitized")) {
    GAUZE_TRY(texts.sanitized, read_documents(invocation, *path, column, false));
  }
  if (const auto path = invocation.optional_text("public")) {
    GAUZE_TRY(texts.known, read_documents(invocation, *path, invocation.optional_text("public-column"), strip_html));
  }
  return texts;
}

/// What is wrong with a label, and where it was found.
template <class T>
Result<T> in_sanitized(Result<T> result) {
  if (!result) result.error().message.insert(0, "--sanitized: ");
  return result;
}

/// The label beside the text of --sanitized, if there is one.
Result<std::optional<PrivacyLabel>> label_of_sanitized(const Invocation& invocation) {
  const auto path = invocation.optional_text("sanitized");
  std::error_code ignored;
  if (path && *path != "-") GAUZE_TRY_VOID(find_files(*path));
  if (!path || !std::filesystem::exists(label_path_for(*path), ignored)) return std::nullopt;
  GAUZE_TRY(PrivacyLabel label, read_label_file(label_path_for(*path)));
  GAUZE_TRY_VOID(check_against_file(label, *path));
  return label;
}

/// The policy of the flags, with what the label says where no flag does.
Result<SanitizePolicy> attacked_policy(Invocation& invocation, const std::optional<LabelledText>& labelled) {
  GAUZE_TRY(SanitizePolicy policy, sanitize_policy(invocation));
  if (!labelled) return policy;
  if (invocation.has("language") && policy.language != labelled->language)
    return invalid_parameter("--sanitized: its label says language {}, not {}", to_string(labelled->language),
                             to_string(policy.language));
  policy.language = labelled->language;
  for (const auto& [named, said] : labelled->policies) {
    TokenPolicy& here = policy.*named->policy;
    if (invocation.has(named->flag) && here != said)
      return invalid_parameter("--sanitized: its label says {} {}, not {}", named->flag,
                               word_of(kTokenPolicyWords, said), word_of(kTokenPolicyWords, here));
    here = said;
  }
  if (!invocation.has("stop-word-list")) use_common_stop_words(policy);
  return policy;
}

Result<text::AttackReport> attack(Invocation& invocation, const TextMechanism& mechanism,
                                  const SanitizePolicy& policy, bool strip_html, std::vector<AttackKind> attacks) {
  GAUZE_TRY(const std::optional<SegmentationDictionary> dictionary, segmentation_dictionary(invocation));
  AttackRequest request{.attacks = std::move(attacks), .sanitized_name = "--sanitized"};
  GAUZE_TRY(request.seed, simulation_seed(invocation));
  GAUZE_TRY(const std::int64_t runs, invocation.integer("runs", 1));
  request.runs = static_cast<std::uint64_t>(runs);
  tell_misfit(invocation, mechanism.vectors(), policy.language);
  GAUZE_TRY(const std::int64_t most, invocation.integer("documents", 0));
  if (most > 0) request.most_documents = static_cast<std::size_t>(most);
  GAUZE_TRY(const AttackTexts texts, read_texts(invocation, strip_html));
  const SegmentationDictionary* const divides_by = dictionary ? &*dictionary : nullptr;
  GAUZE_TRY_VOID(tell_unknown_in(invocation, texts.clean, mechanism.vectors(), divides_by, policy));
  request.clean = texts.clean;
  if (texts.sanitized) request.sanitized = *texts.sanitized;
  if (texts.known) {
    request.public_documents = *texts.known;
    request.public_name = *invocation.optional_text("public");
  }
  if (const auto path = invocation.optional_text("prior")) {
    GAUZE_TRY(request.prior, read_prior(*path, mechanism.vectors()));
  }
  return run_attacks(mechanism, divides_by, policy, request, invocation.progress());
}

void print_outcome(Invocation& invocation, const AttackOutcome& outcome, std::string_view remark) {
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
std::string verdict(const text::AttackReport& result) {
  const auto most = std::max_element(
      result.attacks.begin(), result.attacks.end(),
      [](const AttackOutcome& a, const AttackOutcome& b) { return a.score.recovered < b.score.recovered; });
  std::string text =
      fmt::format("{} recovers most, {:.1f} % of the attacked words.", most->name, 100 * most->recovery());
  const AttackOutcome& printed = result.baselines.front();
  if (printed.score.recovered > most->score.recovered)
    text += fmt::format(" As printed more are right ({:.1f} %): what the attackers assume or estimate fits badly.",
                        100 * printed.recovery());
  const AttackOutcome& last = result.attacks.back();
  if (last.name == "mask" && last.score.recovered < most->score.recovered)
    text += fmt::format(" mask alone ({:.1f} %) understates the leak: it does not look at the printed word.",
                        100 * last.recovery());
  return text;
}

void print_result(Invocation& invocation, const text::AttackReport& result) {
  const AttackScore& counts = result.counts();
  const std::size_t read = result.documents + result.unaligned_documents;
  auto& out = invocation.out();
  out.print("{}\n\n", invocation.out_style().red(std::string(kAttackNotice)));
  out.print("{}, {}: {} drawn by {} with epsilon {} from {}\n", counted(result.documents, "document"),
            counted(counts.tokens, "token"), counts.attacked,
            result.mechanism + (result.as_published ? " as published" : ""), result.epsilon.to_decimal(),
            counted(result.vocabulary, "word"));
  if (read < result.all_documents)
    out.print("the first {} of {} documents; --documents 0 is all\n", read, result.all_documents);
  if (result.unaligned_documents > 0)
    out.print("{} left out: clean and sanitised tokens do not pair up\n",
              counted(result.unaligned_documents, "document"));
  out.print("prior: {}\n", result.prior == "public"
                               ? fmt::format("the public text, {}", counted(result.public_tokens, "word"))
                           : result.prior == "uniform" ? "all words alike"
                                                       : "the list of --prior");
  if (result.exact)
    out.print("law: {}\n",
              *result.exact ? "exact" : fmt::format("estimated, {} of each word", counted(*result.runs, "draw")));
  if (counts.attacked == 0) {
    out.print("no word was drawn: there is nothing to attack\n");
    return;
  }
  out.print("\n{:<8} {:>9} {:>11} {:>17} {:>11} {:>11}\n", "attack", "recovered", "of drawn", "95 % interval",
            "all tokens", "privacy");
  for (const AttackOutcome& outcome : result.attacks)
    print_outcome(invocation, outcome, outcome.name == "mask" ? kMaskModel : "");
  for (const AttackOutcome& outcome : result.baselines) print_outcome(invocation, outcome, "baseline");
  out.print("\n{}\n", verdict(result));
}

Result<int> run_attack(Invocation& invocation) {
  GAUZE_TRY(const std::vector<AttackKind> attacks, chosen_attacks(invocation));
  GAUZE_TRY_VOID(check_delimiter(invocation, {"column", "public-column"}));
  GAUZE_TRY(const std::optional<PrivacyLabel> label, label_of_sanitized(invocation));
  std::optional<LabelledText> labelled;
  if (label) {
    GAUZE_TRY(labelled, in_sanitized(read_text_label(*label)));
  }
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  GAUZE_TRY(const MechanismOptions options, mechanism_with_epsilon(invocation, vectors, labelled));
  if (invocation.has("runs") && !adds_noise(options.kind))
    return make_error(ErrorCode::usage,
                      "--runs goes with --mechanism dchi, mahalanobis or vickrey: the others have a closed law");
  GAUZE_TRY(const TextMechanism mechanism, TextMechanism::make(vectors, options));
  if (label) GAUZE_TRY_VOID(in_sanitized(check_made_by(*label, mechanism)));
  GAUZE_TRY(const SanitizePolicy policy, attacked_policy(invocation, labelled));
  GAUZE_TRY(const bool strip_html, strips_html(invocation, labelled));
  GAUZE_TRY(const text::AttackReport report, attack(invocation, mechanism, policy, strip_html, attacks));
  invocation.end_progress();
  if (invocation.json())
    invocation.print_json(to_json(report));
  else
    print_result(invocation, report);
  return 0;
}

}  // namespace

void register_text_attack_command(Registry& registry) {
  std::vector<Flag> flags = vector_flags();
  for (Flag& flag : mechanism_flags(EpsilonFlag::one_or_label)) flags.push_back(std::move(flag));
  for (Flag& flag : token_flags()) flags.push_back(std::move(flag));
  const std::vector<Flag> more = {
      {.name = "column", .placeholder = "COL", .help = "the column with the text, of CSV, TSV or JSON lines"},
      delimiter_flag(),
      encoding_flag(),
      html_flag(),
      {.name = "attack", .placeholder = "LIST", .help = "of bayes, hmm and mask; without it all that are possible"},
      {.name = "sanitized",
       .placeholder = "FILE",
       .help =
           "attack this text, made from FILE, instead of a simulated one; the label beside it says mechanism, epsilon and "
           "language, and flags that say something else are refused",
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
       .examples = {{"gauze text attack reviews.txt --vectors glove.gvec --epsilon 3 --public other.txt",
                     "three attacks on a simulated release"},
                    {"gauze text attack reviews.txt --sanitized public.txt --vectors glove.gvec --attack bayes",
                     "on the text that would be published"}},
       .positionals = {{.name = "file",
                        .help = "the clean text, or a table with --column",
                        .repeatable = true,
                        .is_file = true}},
       .flags = std::move(flags),
       .run = run_attack});
}

}  // namespace gauze::cli
