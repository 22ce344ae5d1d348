#include "gauze/text/job/text_job.h"

#include <algorithm>
#include <filesystem>

#include "gauze/files/standard_input.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"
#include "gauze/table/encoding.h"
#include "gauze/text/documents/line_shuffle.h"
#include "gauze/text/job/text_label.h"
#include "gauze/text/tokens/word_shape.h"

namespace gauze::text {
namespace {

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

bool is_measured(const std::string& file) { return file != "-" && !file.ends_with(".gz") && !file.ends_with(".zst"); }

/// The bytes of all files; 0 when that is not known: standard input, compressed files.
std::uint64_t total_bytes(std::span<const std::string> files) {
  std::uint64_t total = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const std::uint64_t size = is_measured(file) ? std::filesystem::file_size(file, error) : 0;
    if (size == 0 || error) return 0;
    total += size;
  }
  return total;
}

/// Whether the encoding has every word of the vocabulary, in small and large letters.
bool has_all_words(table::Encoding encoding, const WordVectors& vectors) {
  std::string all;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const std::string_view word = vectors.word(i);
    all.append(word).append(in_the_case_of("Aa", word)).append(in_the_case_of("AA", word));
  }
  return table::encode(all, encoding).has_value();
}

/// Text in UTF-8 on its way out, and the encoding that it came in.
using PartSink = std::function<Result<void>(std::string_view part, table::Encoding encoding)>;

/// The sources of one output, one after the other.
struct Sources {
  std::span<const std::string> names;
  std::uint64_t bytes = 0;  ///< of all; 0: not known
  std::function<Result<std::unique_ptr<ByteSource>>(std::size_t)> open;
};

}  // namespace

struct TextJob::State {
  State(TextMechanism the_mechanism, Options the_options)
      : mechanism(std::move(the_mechanism)),
        options(std::move(the_options)),
        label(text_label(mechanism, options.policy, options.documents, options.shuffle)),
        replacer(make_replacer(mechanism, options.memory_bytes)) {
    // Latin-1 is never found out, so that this is known before any text is read. The other encodings have all letters. Entities of
    // HTML may be any character.
    const auto named = table::parse_encoding(options.documents.encoding.value_or("utf-8"), {});
    utf8_instead = named && *named == table::Encoding::latin1 &&
                   (options.documents.strip_html || !has_all_words(*named, mechanism.vectors()));
  }

  [[nodiscard]] Result<void> write(const Sources& sources, TextSanitizer& sanitizer,
                                   std::optional<std::uint64_t> seed, const PartSink& sink, Progress& progress) const;
  [[nodiscard]] Result<void> encode(std::string_view part, table::Encoding encoding, const TextSink& sink) const;
  [[nodiscard]] Result<SanitizeCounts> run(const Sources& sources, std::optional<std::uint64_t> seed,
                                           const TextSink& sink, Progress& progress) const;
  [[nodiscard]] Result<SanitizeCounts> run(std::span<const std::string> files, std::optional<std::uint64_t> seed,
                                           const TextSink& sink, Progress& progress) const;

  TextMechanism mechanism;
  Options options;
  PrivacyLabel label;
  std::unique_ptr<WordReplacer> replacer;
  bool utf8_instead = false;
};

Result<void> TextJob::State::encode(std::string_view part, table::Encoding encoding, const TextSink& sink) const {
  if (utf8_instead) return sink(part);
  GAUZE_TRY(const std::string bytes, table::encode(part, encoding));
  return sink(bytes);
}

/// One source after the other, with other words, into the sink.
Result<void> TextJob::State::write(const Sources& sources, TextSanitizer& sanitizer,
                                   std::optional<std::uint64_t> seed, const PartSink& sink,
                                   Progress& progress) const {
  std::string names;                      // of the columns of the first table; the others must have the same
  auto encoding = table::Encoding::utf8;  // of the first, in which all is written
  bool line_open = false;                 // what was written does not end with a line
  for (std::size_t i = 0; i < sources.names.size(); ++i) {
    const std::string& name = sources.names[i];
    GAUZE_TRY(auto source, sources.open(i));
    auto counted = std::make_unique<CountedSource>(std::move(source), name, progress);
    GAUZE_TRY(DocumentStream stream, DocumentStream::open(std::move(counted), name, options.documents));
    if (i == 0) {
      names = stream.names();
      encoding = stream.encoding();
    } else if (stream.names() != names && options.documents.column) {
      return make_error(ErrorCode::usage, "{} has other columns than {}: sanitise them one by one", name,
                        sources.names[0]);
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
      GAUZE_TRY_VOID(sink(part, encoding));
      GAUZE_TRY_VOID(progress.check());
    }
  }
  return {};
}

Result<SanitizeCounts> TextJob::State::run(const Sources& sources, std::optional<std::uint64_t> seed,
                                           const TextSink& sink, Progress& progress) const {
  TextSanitizer sanitizer(mechanism.vectors(), *replacer, options.dictionary, options.policy);
  progress.begin("sanitising text", sources.bytes);
  if (!options.shuffle) {
    const PartSink out = [&](std::string_view part, table::Encoding encoding) {
      return encode(part, encoding, sink);
    };
    GAUZE_TRY_VOID(write(sources, sanitizer, seed, out, progress));
    return sanitizer.counts();
  }
  GAUZE_TRY(LineShuffle lines, LineShuffle::make(options.memory_bytes));
  auto encoding = table::Encoding::utf8;
  const PartSink add = [&](std::string_view part, table::Encoding of_part) {
    encoding = of_part;
    return lines.add(part);
  };
  GAUZE_TRY_VOID(write(sources, sanitizer, seed, add, progress));
  const TextSink out = [&](std::string_view part) { return encode(part, encoding, sink); };
  if (seed) {
    SeededRandom random(*seed);
    GAUZE_TRY_VOID(lines.write(random, out));
  } else {
    GAUZE_TRY_VOID(lines.write(SecureRandom::of_thread(), out));
  }
  return sanitizer.counts();
}

Result<SanitizeCounts> TextJob::State::run(std::span<const std::string> files, std::optional<std::uint64_t> seed,
                                           const TextSink& sink, Progress& progress) const {
  const auto open = [&](std::size_t i) { return open_input(files[i], &progress); };
  return run({.names = files, .bytes = total_bytes(files), .open = open}, seed, sink, progress);
}

TextJob::TextJob(std::unique_ptr<State> state) : state_(std::move(state)) {}
TextJob::TextJob(TextJob&&) noexcept = default;
TextJob::~TextJob() = default;

Result<TextJob> TextJob::make(const WordVectors& vectors, const MechanismOptions& mechanism, Options options) {
  if (options.shuffle && options.documents.column)
    return invalid_parameter("only documents that are lines can be shuffled, not those of a column");
  GAUZE_TRY_VOID(vectors.check());
  GAUZE_TRY(TextMechanism made, TextMechanism::make(vectors, mechanism));
  return TextJob(std::make_unique<State>(std::move(made), std::move(options)));
}

const TextMechanism& TextJob::mechanism() const { return state_->mechanism; }
const PrivacyLabel& TextJob::label() const { return state_->label; }
bool TextJob::writes_utf8_instead() const { return state_->utf8_instead; }

Result<SanitizeCounts> TextJob::release(std::span<const std::string> files, const TextSink& sink,
                                        Progress& progress) {
  return state_->run(files, std::nullopt, sink, progress);
}

Result<SanitizeCounts> TextJob::release(std::unique_ptr<ByteSource> source, const std::string& name,
                                        const TextSink& sink, Progress& progress) {
  const auto open = [&](std::size_t) -> Result<std::unique_ptr<ByteSource>> { return std::move(source); };
  return state_->run({.names = {&name, 1}, .open = open}, std::nullopt, sink, progress);
}

Result<SanitizeCounts> TextJob::simulate(std::span<const std::string> files, std::uint64_t seed, const TextSink& sink,
                                         Progress& progress) {
  return state_->run(files, seed, sink, progress);
}

double pass_through_share(const SanitizeCounts& counts) {
  const double tokens = static_cast<double>(std::max<std::uint64_t>(counts.tokens, 1));
  return static_cast<double>(counts.kept + counts.unchanged) / tokens;
}

Json to_json(const SanitizeCounts& counts) {
  return Json::object({{"documents", counts.documents},
                       {"tokens", counts.tokens},
                       {"replaced", counts.replaced},
                       {"kept", counts.kept},
                       {"unknown", counts.unknown},
                       {"masked", counts.masked},
                       {"simplified", counts.simplified},
                       {"pass_through_share", pass_through_share(counts)}});
}

}  // namespace gauze::text
