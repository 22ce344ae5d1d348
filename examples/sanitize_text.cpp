// Words of a text replaced by others, nearer ones more often, and the label of what came out.
#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "gauze/text/job/text_job.h"

namespace {

using namespace gauze;

/// Public word vectors from a file: in earnest those of GloVe or fastText.
Result<text::WordVectors> tiny_vectors() {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "gauze_tiny_vectors.txt";
  std::ofstream(path) << "flu 0 0\ncold 0.5 0\nfever 1 0.5\ncalm 6 5\nhappy 6 6\n";
  auto vectors = text::WordVectors::open(path.string());
  std::filesystem::remove(path);
  return vectors;
}

Result<void> sanitise() {
  GAUZE_TRY(const text::WordVectors vectors, tiny_vectors());
  const text::MechanismOptions mechanism{.kind = text::MechanismKind::santext, .epsilon = 2};
  GAUZE_TRY(text::TextJob job, text::TextJob::make(vectors, mechanism, {}));

  const text::TextSink print = [](std::string_view part) -> Result<void> {
    fmt::print("{}", part);
    return {};
  };
  Progress progress;
  auto notes = std::make_unique<TextSource>("Flu, then fever.\nMrs Zorro is happy\n");
  GAUZE_TRY(const text::SanitizeCounts counts, job.release(std::move(notes), "the notes", print, progress));
  fmt::print("{} words drawn, {} masked\n", counts.replaced, counts.masked);  // for the owner alone
  fmt::print("{}", job.label().to_text());
  return {};
}

}  // namespace

int main() {
  const auto done = sanitise();
  if (done) return 0;
  fmt::print(stderr, "{}\n", done.error().message);
  return 1;
}
