// text sanitize, text probabilities.
#include <algorithm>

#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/text/document_flags.h"
#include "gauze/cli/text/text_flags.h"
#include "gauze/files/text_output.h"
#include "gauze/text/job/text_job.h"
#include "gauze/text/statistics/mechanism_laws.h"

namespace gauze::cli {
namespace {

using namespace text;  // the vocabulary of this file

double percent(std::uint64_t part, std::uint64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
}

std::string ways_through(const SanitizeCounts& counts) {
  return fmt::format("({:.1f} % by the mechanism, {:.1f} % kept by a policy)",
                     percent(counts.unchanged, counts.tokens), percent(counts.kept, counts.tokens));
}

void print_counts(Invocation& invocation, const SanitizeCounts& counts, MechanismKind mechanism) {
  const auto share = [&](std::uint64_t part) { return percent(part, counts.tokens); };
  invocation.note(fmt::format(
      "{}, {}: {:.1f} % drawn, {:.1f} % masked or dropped, {:.1f} % kept; {:.1f} % are words that the vocabulary "
      "does not have",
      counted(counts.documents, "document"), counted(counts.tokens, "token"), share(counts.replaced),
      share(counts.masked), share(counts.kept), share(counts.unknown)));
  if (counts.simplified > 0)
    invocation.note(fmt::format(
        "{:.1f} % are Traditional Chinese words that the vocabulary has in Simplified characters alone: drawn for those",
        share(counts.simplified)));
  if (mechanism != MechanismKind::santext_plus)
    invocation.note(fmt::format("{:.1f} % of the tokens read as they did before {}",
                                share(counts.kept + counts.unchanged), ways_through(counts)));
  invocation.note("these counts are the owner's; the label has none of them");
}

/// Common words of santext+ are printed as they are: that is the method, and nobody may overlook it. What a policy keeps, too.
void warn_of_common_words(Invocation& invocation, const SanitizeCounts& counts, MechanismKind mechanism) {
  if (mechanism != MechanismKind::santext_plus) {
    if (counts.kept > 0)
      invocation.warn(Warning::of_privacy(
          "words_kept", fmt::format("{:.1f} % of the tokens are printed as they were, because a policy keeps them",
                                    percent(counts.kept, counts.tokens))));
    return;
  }
  invocation.warn(
      Warning::of_privacy("words_passed_through",
                          fmt::format("{:.1f} % OF THE TOKENS PASSED THROUGH AS THEY WERE {}",
                                      percent(counts.kept + counts.unchanged, counts.tokens), ways_through(counts))));
}

/// All that the flags say of the text and how it is sanitised; the dictionary must outlive the job.
Result<TextJob::Options> job_options(Invocation& invocation, const DocumentStream::Options& documents,
                                     const std::optional<SegmentationDictionary>& dictionary) {
  TextJob::Options options{.documents = documents, .shuffle = invocation.has("shuffle")};
  if (dictionary) options.dictionary = &*dictionary;
  GAUZE_TRY(options.policy, sanitize_policy(invocation));
  GAUZE_TRY(options.memory_bytes, memory_size(invocation));
  return options;
}

Result<SanitizeCounts> sanitized(Invocation& invocation, TextJob& job, const std::vector<std::string>& inputs,
                                 bool seeded, const TextSink& out) {
  if (!seeded) return job.release(inputs, out, invocation.progress());
  GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
  return job.simulate(inputs, static_cast<std::uint64_t>(seed), out, invocation.progress());
}

Result<int> run_sanitize(Invocation& invocation) {
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY_VOID(check_delimiter(invocation, {"column"}));
  GAUZE_TRY(DocumentStream::Options documents, document_options(invocation, invocation.optional_text("column")));
  // Lines of private text are not for messages of a release.
  documents.unnumbered_line = "some line (`gauze text attack` tells its owner which)";
  GAUZE_TRY(const std::vector<std::string> inputs, document_files(invocation.texts("file")));
  if (output == "-" && invocation.json())
    return make_error(ErrorCode::usage, "--json and -o - would both write to the standard output");
  if (invocation.has("shuffle") && documents.column)
    return make_error(ErrorCode::usage, "--shuffle is for documents that are lines: it does not go with --column");
  GAUZE_TRY(const RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(const std::optional<SegmentationDictionary> dictionary, segmentation_dictionary(invocation));
  GAUZE_TRY(TextJob::Options options, job_options(invocation, documents, dictionary));
  const TokenPolicy unknown = options.policy.unknown;
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  tell_misfit(invocation, vectors, options.policy.language);
  GAUZE_TRY(const MechanismOptions mechanism, mechanism_with_epsilon(invocation, vectors));
  GAUZE_TRY(TextJob job, TextJob::make(vectors, mechanism, std::move(options)));
  if (job.writes_utf8_instead())
    invocation.warn({"output_encoding", "latin-1 does not have all words of the vectors: the output is in UTF-8"});
  PrivacyLabel label = job.label();
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, random.is_seeded()));
  GAUZE_TRY_VOID(publication.open(label));
  GAUZE_TRY(publish::LabelledOutput written, open_output(invocation, output));
  TextOutput packed = TextOutput::into([&](std::string_view bytes) { return written.write(bytes); }, output);
  const TextSink out = [&](std::string_view bytes) { return packed.write(bytes); };
  GAUZE_TRY_VOID(written.write({}));  // a disk that takes nothing is found before a long input is waited for
  GAUZE_TRY(const SanitizeCounts counts, sanitized(invocation, job, inputs, random.is_seeded(), out));
  GAUZE_TRY_VOID(packed.commit());
  GAUZE_TRY_VOID(finish(invocation, publication, label, {&written, 1}));
  invocation.end_progress();
  tell_unknown(invocation, counts.unknown, counts.tokens, unknown);
  warn_of_common_words(invocation, counts, mechanism.kind);
  if (output == "-")
    invocation.warn(
        Warning::of_privacy("no_label", "a text on the standard output has no label: write a file to have one"));
  if (invocation.json()) {
    Json object = to_json(counts);
    object.set("label", label.to_json());
    invocation.print_json(object);
    return 0;
  }
  print_counts(invocation, counts, mechanism.kind);
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

Result<int> print_likeliest(Invocation& invocation, const OutputLaws& laws, const WordVectors& vectors) {
  GAUZE_TRY(const std::int64_t most, invocation.integer("top", 1));
  const std::vector<LikelyOutputs> rows = likeliest_outputs(laws, static_cast<std::size_t>(most));
  if (invocation.json()) {
    invocation.print_json(to_json(rows, vectors));
    return 0;
  }
  for (const LikelyOutputs& row : rows)
    for (std::size_t i = 0; i < row.outputs.size(); ++i)
      invocation.out().print("{}\t{}\t{:.6g}\n", vectors.word(row.word), vectors.word(row.outputs[i]), row.p[i]);
  return 0;
}

Result<int> run_probabilities(Invocation& invocation) {
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  GAUZE_TRY(const MechanismOptions options, mechanism_with_epsilon(invocation, vectors));
  GAUZE_TRY(const TextMechanism mechanism, TextMechanism::make(vectors, options));
  GAUZE_TRY(const std::vector<std::uint32_t> words, chosen_words(invocation, vectors));
  GAUZE_TRY(const OutputLaws laws, output_laws(mechanism, words));
  invocation.end_progress();
  if (invocation.has("top")) return print_likeliest(invocation, laws, vectors);
  if (invocation.json()) {
    invocation.print_json(to_json(laws, vectors));
    return 0;
  }
  for (std::size_t row = 0; row < laws.words.size(); ++row)
    for (std::size_t i = 0; i < laws.outputs.size(); ++i)
      if (laws.p[row][i] > 0)
        invocation.out().print("{}\t{}\t{:.6g}\n", vectors.word(laws.words[row]), vectors.word(laws.outputs[i]),
                               laws.p[row][i]);
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
      encoding_flag(),
      html_flag(),
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
           "stands for its files, no FILE or - is the standard input. The output has the encoding of the text: UTF-8, UTF-16, GB 18030 or "
           "(with --encoding) Latin-1. With --json: documents, tokens, replaced, kept, unknown, "
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
  probability_flags.push_back(
      {.name = "top", .placeholder = "N", .help = "of each word the N likeliest outputs, the likeliest first"});
  registry.add(
      {.name = "text probabilities",
       .group = "Text",
       .summary = "Show what a word becomes, and how often",
       .description =
           "The exact law of the output for chosen words, or for all of a small vocabulary, computed from the very weights "
           "that are drawn from. For dchi in one dimension and for two words. The vocabulary is public, and so is this. "
           "With --json: words (rows), outputs (columns; with --top a list for each word), P, log_P.",
       .examples = {{"gauze text probabilities --vectors glove.gvec --epsilon 3 --words film --limit 5000 --top 10",
                     "what film becomes"}},
       .flags = std::move(probability_flags),
       .run = run_probabilities});
}

}  // namespace gauze::cli
