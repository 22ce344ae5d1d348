// text vectors import|info|nearest.
#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/text/text_flags.h"

namespace gauze::cli {
namespace {

using namespace text;  // the vocabulary of this file

Result<WordVectors> read_vectors(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("input"));
  WordVectors::Options options;
  options.progress = &invocation.progress();
  if (invocation.has("limit")) {
    GAUZE_TRY(const std::int64_t limit, invocation.integer("limit", 1));
    options.limit = static_cast<std::uint64_t>(limit);
  }
  GAUZE_TRY(const std::string format, invocation.text("format"));
  options.format = parse_vector_format(format);
  return WordVectors::open(path, options);
}

void print_vectors(Invocation& invocation, const WordVectors& vectors) {
  const auto line = [&](std::string_view name, const std::string& text) {
    invocation.out().print("{} {}\n", invocation.out_style().bold(fmt::format("{:<12}", name)), text);
  };
  line("words", fmt::format("{}", vectors.size()));
  line("dimensions", fmt::format("{}", vectors.dimensions()));
  line("grid", fmt::format("2^-{}", vectors.scale_bits()));
  line("longest", fmt::format("{:.4g}", vectors.largest_norm()));
  if (vectors.duplicates() > 0) line("dropped", counted(vectors.duplicates(), "word") + " that were there before");
  line("fingerprint", vectors.fingerprint());
}

Result<int> run_import(Invocation& invocation) {
  if (!invocation.has("output")) return make_error(ErrorCode::usage, "import needs -o OUT.gvec");
  const std::string output = *invocation.optional_text("output");
  GAUZE_TRY(const WordVectors vectors, read_vectors(invocation));
  GAUZE_TRY_VOID(vectors.write(output));
  invocation.end_progress();
  if (invocation.json()) {
    invocation.print_json(to_json(vectors));
    return 0;
  }
  print_vectors(invocation, vectors);
  invocation.note(fmt::format("wrote {}", output));
  return 0;
}

Result<int> run_info(Invocation& invocation) {
  GAUZE_TRY(const WordVectors vectors, read_vectors(invocation));
  if (invocation.has("check")) GAUZE_TRY_VOID(vectors.check());
  invocation.end_progress();
  if (invocation.json())
    invocation.print_json(to_json(vectors));
  else
    print_vectors(invocation, vectors);
  return 0;
}

Result<int> run_nearest(Invocation& invocation) {
  GAUZE_TRY(const std::string word, invocation.text("input"));
  if (!invocation.has("vectors")) return make_error(ErrorCode::usage, "nearest needs --vectors FILE");
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  GAUZE_TRY(const std::int64_t count, invocation.integer("count", 1, 1'000'000));
  const auto place = vectors.find(word);
  if (!place) return invalid_parameter("the word is not in the vocabulary");
  const auto neighbours = vectors.nearest(*place, static_cast<std::size_t>(count));
  invocation.end_progress();
  Json list = Json::array();
  for (const WordVectors::Neighbour& one : neighbours) {
    if (invocation.json())
      list.push(Json::object({{"word", std::string(vectors.word(one.word))}, {"distance", one.distance}}));
    else
      invocation.out().print("{:.6f} {}\n", one.distance, vectors.word(one.word));
  }
  if (invocation.json())
    invocation.print_json(Json::object({{"word", std::string(vectors.word(*place))}, {"nearest", std::move(list)}}));
  return 0;
}

Result<int> run_vectors(Invocation& invocation) {
  GAUZE_TRY(const std::string action, invocation.text("action"));
  const bool nearest = action == "nearest";
  for (const auto& [flag, belongs] : {std::pair("output", action == "import"),
                                      {"check", action == "info"},
                                      {"vectors", nearest},
                                      {"count", nearest},
                                      {"vocabulary", nearest},
                                      {"format", !nearest}})
    if (invocation.has(flag) && !belongs)
      return make_error(ErrorCode::usage, "--{} does not go with 'text vectors {}'", flag, action);
  if (nearest) return run_nearest(invocation);
  return action == "import" ? run_import(invocation) : run_info(invocation);
}

}  // namespace

void register_text_vectors_command(Registry& registry) {
  registry.add(
      {.name = "text vectors",
       .group = "Text",
       .summary = "Convert public word vectors, show them, find nearest words",
       .description =
           "import reads GloVe text, word2vec text or binary, fastText text or binary, or the JSON of wink-embeddings, gzip or "
           "not, and writes a .gvec: fixed-point vectors that are mapped into memory, with checksums "
           "(docs/formats/vectors.md). Commands that take --vectors read the raw files, too, but slower. info shows words, "
           "dimensions, the grid of the coordinates, the longest vector and the fingerprint that labels name. nearest lists "
           "the words closest to a word, by exact distance.\n\n"
           "With --json: words, dimensions, scale_bits, largest_norm, duplicates, fingerprint; nearest: word, nearest (word, "
           "distance).",
       .examples = {{"gauze text vectors import glove.6B.100d.txt.gz -o glove.gvec --limit 50000",
                     "the 50,000 most frequent words of GloVe"},
                    {"gauze text vectors info glove.gvec --check", "and compare every byte with its checksum"},
                    {"gauze text vectors nearest film --vectors glove.gvec", "what film may turn into"}},
       .positionals = {{.name = "action", .help = "what to do", .choices = {"import", "info", "nearest"}},
                       {.name = "input", .help = "a file of word vectors; for nearest a word", .is_file = true}},
       .flags = {{.name = "limit", .placeholder = "N", .help = "only the first N words"},
                 {.name = "format",
                  .placeholder = "FORMAT",
                  .help = "how the file is written, instead of finding it out",
                  .default_text = "auto",
                  .choices = {"auto", "glove", "word2vec", "fasttext", "word2vec-binary", "fasttext-binary", "wink",
                              "gvec"}},
                 {.name = "vocabulary",
                  .placeholder = "FILE",
                  .help = "nearest: only words of this public list, one a line",
                  .is_file = true},
                 {.name = "check", .help = "info: read everything and compare it with the checksums"},
                 {.name = "vectors", .placeholder = "FILE", .help = "nearest: the vectors", .is_file = true},
                 {.name = "count", .placeholder = "K", .help = "nearest: how many words", .default_text = "10"},
                 {.name = "output",
                  .short_name = 'o',
                  .placeholder = "OUT",
                  .help = "import: the .gvec to write",
                  .is_file = true,
                  .makes = Makes::file}},
       .run = run_vectors});
}

}  // namespace gauze::cli
