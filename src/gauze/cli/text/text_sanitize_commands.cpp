// text sanitize, text probabilities.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "gauze/base/utf8.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/tables/labelled_table.h"
#include "gauze/cli/text/document_flags.h"
#include "gauze/cli/text/text_flags.h"
#include "gauze/files/atomic_file.h"
#include "gauze/text/documents/document_stream.h"
#include "gauze/text/documents/line_shuffle.h"
#include "gauze/text/sanitize/text_sanitizer.h"

namespace gauze::cli {
namespace {

using namespace text;  // the vocabulary of this file

/// Which list stop words are from.
std::string stop_word_source(const Invocation& invocation, Language language) {
  if (invocation.has("stop-word-list")) return "a public list";
  return language == Language::english   ? "the English list of Gauze"
         : language == Language::chinese ? "the Chinese list of Gauze"
                                         : "the English and Chinese lists of Gauze";
}

/// Adds to the label how text was divided, and what policies print besides the mechanism's output.
void tell_policies(PrivacyLabel& label, const Invocation& invocation, const SanitizePolicy& policy) {
  const std::string stop_words = stop_word_source(invocation, policy.language);
  const auto keeps = [&](bool kept, const std::string& what) {
    if (kept) label.does_not_cover.emplace_back(fmt::format("{}: printed as they are", what));
  };
  label.parameters.set("language", to_string(policy.language));
  if (policy.stop_words != TokenPolicy::replace) label.parameters.set("stop_words", stop_words);
  keeps(policy.unknown == TokenPolicy::keep, "words that the vocabulary does not have");
  keeps(policy.numbers == TokenPolicy::keep, "numbers");
  keeps(policy.addresses == TokenPolicy::keep, "addresses and telephone numbers");
  keeps(policy.symbols == TokenPolicy::keep, "emoji and other symbols");
  keeps(policy.stop_words == TokenPolicy::keep, "stop words, " + stop_words);
  if (policy.unknown == TokenPolicy::replace)
    label.covers.emplace_back(
        "a word that the vocabulary does not have is taken for the word that is spelt most alike, and covered as that one");
}

Json counts_json(const SanitizeCounts& counts) {
  const double tokens = static_cast<double>(std::max<std::uint64_t>(counts.tokens, 1));
  return Json::object({{"documents", counts.documents},
                       {"tokens", counts.tokens},
                       {"replaced", counts.replaced},
                       {"kept", counts.kept},
                       {"unknown", counts.unknown},
                       {"masked", counts.masked},
                       {"pass_through_share", static_cast<double>(counts.kept + counts.unchanged) / tokens}});
}

void print_counts(Invocation& invocation, const SanitizeCounts& counts, const TextMechanism& mechanism) {
  const double tokens = static_cast<double>(std::max<std::uint64_t>(counts.tokens, 1));
  const auto share = [&](std::uint64_t part) { return 100 * static_cast<double>(part) / tokens; };
  invocation.note(fmt::format(
      "{} documents, {} tokens: {:.1f} % drawn, {:.1f} % masked or dropped, {:.1f} % kept; {:.1f} % are words that the vocabulary "
      "does not have",
      counts.documents, counts.tokens, share(counts.replaced), share(counts.masked), share(counts.kept),
      share(counts.unknown)));
  const double passed = share(counts.kept + counts.unchanged);
  const std::string how = fmt::format("({:.1f} % by the mechanism, {:.1f} % kept by a policy)",
                                      share(counts.unchanged), share(counts.kept));
  invocation.note(mechanism.name == "santext+"
                      ? fmt::format("{:.1f} % OF THE TOKENS PASSED THROUGH AS THEY WERE {}", passed, how)
                      : fmt::format("{:.1f} % of the tokens read as they did before {}", passed, how));
  invocation.note("these counts are the owner's; the label has none of them");
}

/// Tells progress how many bytes were read, and nobody where a packed file is damaged.
class CountedSource final : public ByteSource {
 public:
  CountedSource(std::unique_ptr<ByteSource> source, std::string name, Progress& progress)
      : source_(std::move(source)), name_(std::move(name)), progress_(progress) {}
  Result<std::size_t> read(std::span<char> block) override {
    const auto got = source_->read(block);
    if (!got && got.error().code == ErrorCode::bad_data)
      return make_error(ErrorCode::bad_data, "{}: the compressed file is damaged or cut off", name_);
    if (got) progress_.advance(*got);
    return got;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  Progress& progress_;
};

bool is_measured(const std::string& input) {
  return input != "-" && !input.ends_with(".gz") && !input.ends_with(".zst");
}

/// The bytes of all inputs; 0 when that is not known: standard input, compressed files.
std::uint64_t total_bytes(const std::vector<std::string>& inputs) {
  std::uint64_t total = 0;
  for (const std::string& input : inputs) {
    std::error_code error;
    const std::uint64_t size = is_measured(input) ? std::filesystem::file_size(input, error) : 0;
    if (size == 0 || error) return 0;
    total += size;
  }
  return total;
}

/// What the released text is, and what is promised about it.
PrivacyLabel text_label(const Invocation& invocation, const TextMechanism& mechanism, const WordVectors& vectors,
                        const SanitizePolicy& policy, const DocumentStream::Options& options) {
  PrivacyLabel label = mechanism.label(vectors);
  label.released.kind = "sanitised text";
  tell_policies(label, invocation, policy);
  if (options.column) {
    label.parameters.set("column", *options.column);
    label.does_not_cover.emplace_back("all other columns or keys: printed as they are");
  }
  const bool shuffled = invocation.has("shuffle");
  label.parameters.set("order", shuffled ? "random" : "that of the original");
  if (!shuffled)
    label.does_not_cover.emplace_back(
        "the order of the documents: it is that of the original, and links them to it and to other releases");
  return label;
}

/// One file after the other, with other words, into the sink.
Result<void> sanitize_files(Invocation& invocation, const std::vector<std::string>& inputs,
                            const DocumentStream::Options& options, TextSanitizer& sanitizer,
                            std::optional<std::uint64_t> seed, const publish::ByteSink& sink) {
  std::string names;       // of the columns of the first table; the others must have the same
  bool line_open = false;  // what was written does not end with a line
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& input = inputs[i];
    GAUZE_TRY(auto source, open_documents(input, &invocation.progress()));
    auto counted = std::make_unique<CountedSource>(std::move(source), input, invocation.progress());
    GAUZE_TRY(DocumentStream stream, DocumentStream::open(std::move(counted), input, options));
    if (i == 0) {
      names = stream.names();
    } else if (stream.names() != names && options.column) {
      return make_error(ErrorCode::usage, "{} has other columns than {}: sanitise them one by one", input, inputs[0]);
    }
    std::size_t size = 0;
    for (bool first = true; first || size > 0; first = false) {
      GAUZE_TRY(std::vector<std::string> documents, stream.next());
      size = documents.size();
      if (size > 0) GAUZE_TRY_VOID(sanitizer.run(documents, seed));
      std::string part = stream.with(documents);
      if (first && i > 0) part.erase(0, stream.heading().size());
      if (line_open && !part.empty() && first) part.insert(0, "\n");
      if (!part.empty()) line_open = part.back() != '\n';
      GAUZE_TRY_VOID(sink(part));
      GAUZE_TRY_VOID(invocation.progress().check());
    }
  }
  return {};
}

Result<int> run_sanitize(Invocation& invocation) {
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY_VOID(check_delimiter(invocation, {"column"}));
  GAUZE_TRY(DocumentStream::Options options, document_options(invocation, invocation.optional_text("column")));
  // Lines of private text are not for messages of a release.
  options.unnumbered_line = "some line (`gauze text attack` tells its owner which)";
  GAUZE_TRY(const std::vector<std::string> inputs, document_files(invocation.texts("file")));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  const bool shuffles = invocation.has("shuffle");
  if (shuffles && options.column)
    return make_error(ErrorCode::usage, "--shuffle is for documents that are lines: it does not go with --column");
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  std::optional<std::uint64_t> seed;
  if (random.is_seeded()) {
    GAUZE_TRY(const std::int64_t number, invocation.integer("seed", 0));
    seed = static_cast<std::uint64_t>(number);
  }
  GAUZE_TRY(const SanitizePolicy policy, sanitize_policy(invocation));
  GAUZE_TRY(const std::size_t memory, memory_size(invocation));
  GAUZE_TRY(const std::optional<SegmentationDictionary> dictionary, segmentation_dictionary(invocation));
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  tell_misfit(invocation, vectors, policy.language);
  GAUZE_TRY_VOID(vectors.check());  // what the label names is what is drawn from
  GAUZE_TRY(const TextMechanism mechanism, text_mechanism(invocation, vectors));
  const std::unique_ptr<WordReplacer> replacer = mechanism.replacer(memory);
  TextSanitizer sanitizer(vectors, *replacer, dictionary ? &*dictionary : nullptr, policy);
  PrivacyLabel label = text_label(invocation, mechanism, vectors, policy, options);
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, random.is_seeded()));
  GAUZE_TRY_VOID(publication.open(label));
  GAUZE_TRY(publish::LabelledOutput written, open_output(output));
  const publish::ByteSink out = [&](std::string_view bytes) { return written.write(bytes); };
  GAUZE_TRY_VOID(out({}));  // a disk that takes nothing is found before a long input is waited for

  invocation.progress().begin("sanitising text", total_bytes(inputs));
  const auto produce = [&](const publish::ByteSink& sink) {
    return sanitize_files(invocation, inputs, options, sanitizer, seed, sink);
  };
  const auto produce_shuffled = [&](const publish::ByteSink& sink) -> Result<void> {
    GAUZE_TRY(LineShuffle lines, LineShuffle::make(memory));
    GAUZE_TRY_VOID(produce([&](std::string_view part) { return lines.add(part); }));
    const auto write = [&](RandomWords& words) { return lines.write(words, sink); };
    return random.draw(write, write);
  };
  GAUZE_TRY_VOID(shuffles ? produce_shuffled(out) : produce(out));
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  invocation.end_progress();
  if (invocation.json()) {
    Json object = counts_json(sanitizer.counts());
    object.set("label", label.to_json());
    invocation.print_json(object);
    return 0;
  }
  print_counts(invocation, sanitizer.counts(), mechanism);
  if (output == "-") invocation.note("a text on the standard output has no label: write a file to have one");
  if (output != "-") invocation.note(wrote_with_label(output));
  return 0;
}

/// The words that are asked for, or all of a small vocabulary.
Result<std::vector<std::uint32_t>> chosen_words(const Invocation& invocation, const WordVectors& vectors) {
  constexpr std::size_t kMostRows = 2'000;
  if (invocation.has("words")) return named_words(invocation, vectors);
  std::vector<std::uint32_t> words;
  if (vectors.size() > kMostRows)
    return invalid_parameter(
        "{} words make a large matrix: choose rows with --words, or --limit the vocabulary to {}", vectors.size(),
        kMostRows);
  for (std::uint32_t i = 0; i < vectors.size(); ++i) words.push_back(i);
  return words;
}

Result<int> run_probabilities(Invocation& invocation) {
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  GAUZE_TRY(const TextMechanism mechanism, text_mechanism(invocation, vectors));
  GAUZE_TRY(const std::vector<std::uint32_t> words, chosen_words(invocation, vectors));
  // santext+ may print a common word as it is: its column is there, too.
  std::vector<std::uint32_t> outputs;
  if (mechanism.softmax) outputs.assign(mechanism.softmax->outputs().begin(), mechanism.softmax->outputs().end());
  if (mechanism.dchi)
    for (std::uint32_t i = 0; i < vectors.size(); ++i) outputs.push_back(i);
  const std::size_t drawn = outputs.size();
  for (const std::uint32_t word : words)
    if (mechanism.softmax && mechanism.softmax->may_stay(word)) outputs.push_back(word);
  Json rows = Json::array();
  Json columns = Json::array();
  Json all = Json::array();
  Json logs = Json::array();
  for (const std::uint32_t word : outputs) columns.push(std::string(vectors.word(word)));
  for (const std::uint32_t word : words) {
    rows.push(std::string(vectors.word(word)));
    std::vector<double> p(outputs.size(), 0);
    std::vector<double> log_p(outputs.size(), -std::numeric_limits<double>::infinity());
    if (mechanism.published_dchi)
      return make_error(ErrorCode::invalid_parameter, "dchi as published has no closed probabilities");
    if (mechanism.dchi) {
      const auto law = mechanism.dchi->law(word);
      if (!law)
        return make_error(ErrorCode::invalid_parameter,
                          "dchi has closed probabilities in one dimension and for two words only");
      p = *law;
      for (std::size_t i = 0; i < p.size(); ++i) log_p[i] = std::log(p[i]);
    } else {
      const SoftmaxMechanism::Law law =
          mechanism.published_softmax ? mechanism.published_softmax->law(word) : mechanism.softmax->law(word);
      std::copy(law.p.begin(), law.p.end(), p.begin());
      std::copy(law.log_p.begin(), law.log_p.end(), log_p.begin());
      for (std::size_t i = drawn; i < outputs.size() && law.stays; ++i) {
        if (outputs[i] != word) continue;
        p[i] = *law.stays;
        log_p[i] = std::log(*law.stays);
      }
    }
    Json row = Json::array();
    Json log_row = Json::array();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      row.push(p[i]);
      log_row.push(std::isfinite(log_p[i]) ? Json(log_p[i]) : Json());
      if (!invocation.json() && p[i] > 0)
        invocation.out().print("{}\t{}\t{:.6g}\n", vectors.word(word), vectors.word(outputs[i]), p[i]);
    }
    all.push(std::move(row));
    logs.push(std::move(log_row));
  }
  invocation.end_progress();
  if (invocation.json())
    invocation.print_json(Json::object({{"words", std::move(rows)},
                                        {"outputs", std::move(columns)},
                                        {"P", std::move(all)},
                                        {"log_P", std::move(logs)}}));
  return 0;
}

}  // namespace

void register_text_sanitize_commands(Registry& registry) {
  std::vector<Flag> flags = vector_flags();
  for (Flag& flag : mechanism_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : token_flags()) flags.push_back(std::move(flag));
  const std::vector<Flag> more = {
      {.name = "column", .placeholder = "COL", .help = "the column with the text, of CSV, TSV or JSON lines"},
      delimiter_flag(),
      {.name = "memory",
       .placeholder = "SIZE",
       .help = "for prepared rows of words; with --shuffle as much for the places of lines, 8 bytes each",
       .default_text = "1G"},
      {.name = "shuffle",
       .help =
           "write the lines in a random order, from which there is no way back; without it they keep theirs, which "
           "links them to the original"},
      seed_flag(),
      insecure_seed_flag(),
      {.name = "output",
       .short_name = 'o',
       .placeholder = "OUT",
       .help = "the text to publish, with OUT.label.json; - for the standard output",
       .required = true,
       .is_file = true,
       .makes = Makes::labelled_file,
       .or_stdout = true}};
  flags.insert(flags.end(), more.begin(), more.end());
  registry.add(
      {.name = "text sanitize",
       .group = "Text",
       .summary = "Replace the words of a text, each by chance and by its neighbours",
       .description =
           "Every word of the text is replaced by a word of a public vocabulary, nearer ones more often: metric differential "
           "privacy, epsilon times the distance of two words. Blanks, punctuation and case stay. Words that the vocabulary does "
           "not have, numbers and addresses are masked (***) unless told otherwise.\n\n"
           "santext draws by exp(-epsilon d / 2); santext+ leaves common words mostly as they are; tem cuts the distance; dchi adds "
           "noise to the vector and takes the nearest word. An epsilon means nothing without its vectors: look at `text "
           "probabilities` first.\n\n"
           "Files are read as one document a line, or with --column as CSV, TSV or JSON lines; .gz and .zst are unpacked, a glob "
           "stands for its files, no FILE or - is the standard input. With --json: documents, tokens, replaced, kept, unknown, "
           "masked, pass_through_share (the owner's), label.",
       .examples =
           {{"gauze text sanitize reviews.txt --vectors glove.gvec --epsilon 3 -o public.txt", "one review a line"},
            {"gauze text sanitize data.csv --column comment --vectors glove.gvec --mechanism dchi --epsilon 12 -o out.csv",
             "a column of a table"}},
       .positionals = {{.name = "file",
                        .help = "text, or a table with --column",
                        .optional = true,
                        .repeatable = true,
                        .is_file = true}},
       .flags = std::move(flags),
       .run = run_sanitize});
  std::vector<Flag> probability_flags = vector_flags();
  for (Flag& flag : mechanism_flags()) probability_flags.push_back(std::move(flag));
  probability_flags.push_back({.name = "words", .placeholder = "A,B", .help = "only these rows"});
  registry.add(
      {.name = "text probabilities",
       .group = "Text",
       .summary = "Show what a word becomes, and how often",
       .description =
           "The exact law of the output for chosen words, or for all of a small vocabulary, computed from the very weights "
           "that are drawn from. For dchi in one dimension and for two words. The vocabulary is public, and so is this. "
           "With --json: words (rows), outputs (columns), P, log_P.",
       .examples = {{"gauze text probabilities --vectors glove.gvec --epsilon 3 --words film --limit 5000 --json",
                     "what film becomes"}},
       .flags = std::move(probability_flags),
       .run = run_probabilities});
}

}  // namespace gauze::cli
