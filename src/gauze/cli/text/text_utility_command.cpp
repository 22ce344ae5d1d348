// text utility.
#include <algorithm>
#include <array>
#include <functional>

#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/text/document_flags.h"
#include "gauze/cli/text/text_flags.h"
#include "gauze/cli/text/utility_text.h"

namespace gauze::cli {
namespace {

using namespace text;  // the vocabulary of this file

constexpr std::array kClassificationFlags = {"train", "test",       "column", "test-column",
                                             "label", "test-label", "model",  "train-documents"};
constexpr std::array kRankingFlags = {"pairs", "query", "candidate", "relevant"};

/// What both kinds of study need, read and checked before any text is.
struct Setting {
  explicit Setting(WordVectors the_vectors) : vectors(std::move(the_vectors)) {}

  WordVectors vectors;
  std::vector<std::vector<TextMechanism>> mechanisms;  ///< of each kind that was asked for, an epsilon each
  SanitizePolicy policy;
  std::optional<SegmentationDictionary> dictionary;
  UtilityOptions options;

  [[nodiscard]] const SegmentationDictionary* divides_by() const { return dictionary ? &*dictionary : nullptr; }
};

Result<Setting> read_setting(Invocation& invocation) {
  UtilityOptions options;
  GAUZE_TRY(const std::int64_t repetitions, invocation.integer("repeat", 1, 10'000));
  options.repetitions = static_cast<int>(repetitions);
  GAUZE_TRY(options.memory_bytes, memory_size(invocation));
  GAUZE_TRY(options.seed, simulation_seed(invocation));
  GAUZE_TRY(WordVectors vectors, open_vectors(invocation));
  Setting setting(std::move(vectors));
  GAUZE_TRY(const std::vector<Rational> list, epsilons(invocation));
  GAUZE_TRY(const std::vector<MechanismOptions> kinds, several_mechanism_options(invocation, setting.vectors));
  for (const MechanismOptions& kind : kinds) {
    std::vector<TextMechanism>& curve = setting.mechanisms.emplace_back();
    for (const Rational& epsilon : list) {
      GAUZE_TRY(TextMechanism made, TextMechanism::make(setting.vectors, kind.at(epsilon)));
      curve.push_back(std::move(made));
    }
  }
  GAUZE_TRY(setting.policy, sanitize_policy(invocation));
  GAUZE_TRY(setting.dictionary, segmentation_dictionary(invocation));
  tell_misfit(invocation, setting.vectors, setting.policy.language);
  options.language = setting.policy.language;
  setting.options = options;
  return setting;
}

/// A required flag of one of the two kinds of study.
Result<std::string> needed(const Invocation& invocation, const char* flag) {
  if (auto value = invocation.optional_text(flag)) return *value;
  return make_error(
      ErrorCode::usage,
      "--{} is missing: either --train, --test, --column and --label, or --pairs, --query, --candidate and --relevant",
      flag);
}

/// Files are read once a column, which a pipe does not allow.
Result<std::string> needed_file(const Invocation& invocation, const char* flag) {
  auto path = needed(invocation, flag);
  if (path && std::string_view(*path) == "-")
    return make_error(ErrorCode::usage, "--{} is read more than once and cannot be -", flag);
  return path;
}

Result<std::vector<TextModel>> chosen_models(const Invocation& invocation) {
  GAUZE_TRY(const std::vector<std::string> names, invocation.list("model"));
  std::vector<TextModel> models;
  for (const std::string& name : names) {
    const auto model = name == "logistic"  ? std::optional(TextModel::logistic)
                       : name == "vectors" ? std::optional(TextModel::vectors)
                                           : std::nullopt;
    if (!model) return invalid_parameter("--model knows logistic and vectors, not {}", name);
    if (std::find(models.begin(), models.end(), *model) == models.end()) models.push_back(*model);
  }
  return models;
}

Result<ClassificationTask> read_task(Invocation& invocation, const Setting& setting) {
  GAUZE_TRY(const std::string train, needed_file(invocation, "train"));
  GAUZE_TRY(const std::string test, needed_file(invocation, "test"));
  GAUZE_TRY(const std::string column, needed(invocation, "column"));
  GAUZE_TRY(const std::string label, needed(invocation, "label"));
  GAUZE_TRY(std::vector<std::string> train_texts, read_documents(invocation, train, column));
  GAUZE_TRY(std::vector<std::string> train_labels, read_documents(invocation, train, label, false));
  GAUZE_TRY(const std::vector<std::string> test_texts,
            read_documents(invocation, test, invocation.optional_text("test-column").value_or(column)));
  GAUZE_TRY(const std::vector<std::string> test_labels,
            read_documents(invocation, test, invocation.optional_text("test-label").value_or(label), false));
  if (invocation.has("train-documents")) {
    GAUZE_TRY(const std::int64_t wanted, invocation.integer("train-documents", 1));
    thin_out(train_texts, static_cast<std::size_t>(wanted));
    thin_out(train_labels, static_cast<std::size_t>(wanted));
  }
  GAUZE_TRY_VOID(invocation.progress().check());
  GAUZE_TRY_VOID(tell_unknown_in(invocation, train_texts, setting.vectors, setting.divides_by(), setting.policy));
  GAUZE_TRY(TokenizedDocuments train_set, TokenizedDocuments::make(setting.vectors, setting.divides_by(),
                                                                   setting.policy, train_texts, "training set"));
  GAUZE_TRY(TokenizedDocuments test_set,
            TokenizedDocuments::make(setting.vectors, setting.divides_by(), setting.policy, test_texts, "test set"));
  return ClassificationTask::make(std::move(train_set), train_labels, std::move(test_set), test_labels);
}

/// One curve as it is; of several mechanisms each with its name.
template <class Curve>
Result<int> print_curves(Invocation& invocation, const Setting& setting,
                         const std::function<Result<Curve>(std::span<const TextMechanism>)>& curve_of) {
  Json curves = Json::array();
  std::string text;
  for (const std::vector<TextMechanism>& mechanisms : setting.mechanisms) {
    GAUZE_TRY(const Curve curve, curve_of(mechanisms));
    const std::string name(mechanisms.front().name());
    Json one = Json::object({{"mechanism", name}});
    const Json json = to_json(curve);
    for (const auto& [key, value] : *json.members()) one.set(key, value);
    curves.push(std::move(one));
    if (setting.mechanisms.size() > 1)
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", invocation.out_style().bold("mechanism " + name));
    text += utility_text(curve, invocation.out_style());
  }
  invocation.end_progress();
  if (invocation.json()) {
    Json object = curves.elements()->front();
    if (setting.mechanisms.size() > 1)
      object = Json::object({{"curves", std::move(curves)}, {"notice", kUtilityNotice}});
    invocation.print_json(object);
    return 0;
  }
  invocation.out().print("{}\n\n", invocation.out_style().red(kUtilityNotice));
  invocation.out().write(text);
  return 0;
}

Result<int> run_classification(Invocation& invocation) {
  GAUZE_TRY(const std::vector<TextModel> models, chosen_models(invocation));
  GAUZE_TRY(const Setting setting, read_setting(invocation));
  GAUZE_TRY(const ClassificationTask task, read_task(invocation, setting));
  if (task.unseen > 0)
    invocation.warn({"unseen_labels",
                     fmt::format("{} test texts have a label that no training text has: they count as wrong answers",
                                 task.unseen)});
  return print_curves<ClassificationCurve>(invocation, setting, [&](std::span<const TextMechanism> mechanisms) {
    return classification_curve(mechanisms, task, models, setting.options, invocation.progress());
  });
}

Result<int> run_ranking(Invocation& invocation) {
  GAUZE_TRY(const Setting setting, read_setting(invocation));
  GAUZE_TRY(const std::string file, needed_file(invocation, "pairs"));
  std::vector<std::vector<std::string>> columns;
  for (const char* flag : {"query", "candidate", "relevant"}) {
    GAUZE_TRY(const std::string column, needed(invocation, flag));
    GAUZE_TRY(std::vector<std::string> texts, read_documents(invocation, file, column));
    columns.push_back(std::move(texts));
  }
  GAUZE_TRY_VOID(invocation.progress().check());
  GAUZE_TRY_VOID(tell_unknown_in(invocation, columns[1], setting.vectors, setting.divides_by(), setting.policy));
  GAUZE_TRY(const RankingTask task, RankingTask::make(setting.vectors, setting.divides_by(), setting.policy,
                                                      columns[0], columns[1], columns[2]));
  if (task.left_out > 0)
    invocation.warn(
        {"queries_left_out", fmt::format("{} queries have no relevant candidate and are left out", task.left_out)});
  return print_curves<RankingCurve>(invocation, setting, [&](std::span<const TextMechanism> mechanisms) {
    return ranking_curve(mechanisms, task, setting.options, invocation.progress());
  });
}

Result<int> run_utility(Invocation& invocation) {
  const bool ranking =
      std::any_of(kRankingFlags.begin(), kRankingFlags.end(), [&](const char* flag) { return invocation.has(flag); });
  if (ranking) {
    for (const char* flag : kClassificationFlags)
      if (invocation.has(flag)) return make_error(ErrorCode::usage, "--{} does not go with --pairs", flag);
    return run_ranking(invocation);
  }
  return run_classification(invocation);
}

std::vector<Flag> utility_flags() {
  std::vector<Flag> flags = {
      {.name = "train", .placeholder = "FILE", .help = "texts with labels to learn from", .is_file = true},
      {.name = "test", .placeholder = "FILE", .help = "texts with labels to test on", .is_file = true},
      {.name = "column", .placeholder = "COL", .help = "the column with the text"},
      {.name = "test-column", .placeholder = "COL", .help = "the same in the test file, if it has another name"},
      {.name = "label", .placeholder = "COL", .help = "the column with the label, at most 50 different ones"},
      {.name = "test-label", .placeholder = "COL", .help = "the same in the test file, if it has another name"},
      {.name = "model",
       .placeholder = "A,B",
       .help = "logistic (words), vectors (the mean of word vectors that are trained, as in fastText)",
       .default_text = "logistic,vectors"},
      {.name = "train-documents", .placeholder = "N", .help = "learn from N texts only, evenly spaced over the file"},
      {.name = "pairs", .placeholder = "FILE", .help = "queries, candidates and their relevance", .is_file = true},
      {.name = "query", .placeholder = "COL", .help = "pairs: the column with the query"},
      {.name = "candidate", .placeholder = "COL", .help = "pairs: the column with the candidate"},
      {.name = "relevant", .placeholder = "COL", .help = "pairs: the column with 1 (relevant) or 0"},
      delimiter_flag(),
      encoding_flag(),
      html_flag()};
  for (Flag& flag : vector_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : mechanism_flags(EpsilonFlag::list)) {
    if (flag.name == "mechanism") {  // several, one curve each
      flag.placeholder = "A[,B...]";
      flag.help = "how words are replaced, one way or several: " + joined(flag.choices, ", ");
      flag.choices.clear();
    }
    flags.push_back(std::move(flag));
  }
  for (Flag& flag : token_flags()) flags.push_back(std::move(flag));
  const std::vector<Flag> more = {
      {.name = "repeat", .placeholder = "R", .help = "how often texts are sanitised anew", .default_text = "3"},
      simulation_seed_flag(),
      {.name = "memory", .placeholder = "SIZE", .help = "for prepared rows of words", .default_text = "1G"}};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

}  // namespace

void register_text_utility_command(Registry& registry) {
  registry.add(
      {.name = "text utility",
       .group = "Text",
       .summary = "Find out what sanitised texts are still good for",
       .description =
           "Trains classifiers on clean and on sanitised texts and tests each on clean and on sanitised ones, for every epsilon: "
           "four accuracies, beside that of always answering the most frequent label. `logistic` looks at the words of a text, "
           "`vectors` at the mean of their vectors, which are trained along, as fastText does; neither reads the order of words. A "
           "test label that no training text has counts as a wrong answer.\n\n"
           "With --pairs it ranks candidates for queries by the cosine of the means of their word vectors: mean average "
           "precision and mean reciprocal rank, ties averaged, beside what a random order is expected to give.\n\n"
           "--mechanism takes several (a,b): a curve each, on the same texts and seed.\n\n"
           "Texts are sanitised anew in every repetition; an interval holds the middle 95 % of the repetitions, and says nothing "
           "of other test texts. The output is INTERNAL: it compares with the clean texts.",
       .examples =
           {{"gauze text utility --train train.tsv --test dev.tsv --column sentence --label label --vectors glove.gvec "
             "--epsilon 1,2,4,8",
             "classifiers at four epsilons"},
            {"gauze text utility --pairs answers.csv --query question --candidate answer --relevant relevant --vectors "
             "glove.gvec --mechanism dchi --epsilon 10,20",
             "answers ranked for questions"}},
       .flags = utility_flags(),
       .run = run_utility});
}

}  // namespace gauze::cli
