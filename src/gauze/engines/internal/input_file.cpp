#include "gauze/engines/internal/input_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "gauze/base/ascii.h"
#include "gauze/base/utf8.h"

namespace gauze::engines {
namespace {

using table::FileFormat;

constexpr std::size_t kSampleBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestFirstLine = std::size_t{64} << 20;

/// Copies what comes through a pipe into a file that can be read twice.
Result<FileDescriptor> spool(const FileDescriptor& pipe, const std::filesystem::path& temporary,
                             const std::string& name) {
  GAUZE_TRY(FileDescriptor file, open_nameless(temporary));
  FileSource source(pipe, name);
  std::vector<char> block(std::size_t{1} << 18);
  for (;;) {
    GAUZE_TRY(const std::size_t got, source.read(block));
    if (got == 0) return file;
    GAUZE_TRY_VOID(write_all(file, {block.data(), got}, "a temporary file"));
  }
}

bool is_regular(const FileDescriptor& file) {
  struct stat status {};
  return ::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode);
}

/// Keeps the source that a decoder reads from alive with it.
class DecodedSource : public ByteSource {
 public:
  DecodedSource(std::unique_ptr<ByteSource> bytes, std::unique_ptr<ByteSource> text)
      : bytes_(std::move(bytes)), text_(std::move(text)) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override { return text_->read(block); }

 private:
  std::unique_ptr<ByteSource> bytes_;
  std::unique_ptr<ByteSource> text_;
};

bool named_as_csv(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  return path.ends_with(".csv") || path.ends_with(".tsv") || path.ends_with(".txt");
}

/// Whether a name ends so, in small or capital letters.
bool ends_with(std::string_view name, std::string_view extension) {
  if (name.size() < extension.size()) return false;
  name.remove_prefix(name.size() - extension.size());
  return std::equal(name.begin(), name.end(), extension.begin(), [](char a, char b) { return ascii_lower(a) == b; });
}

Compression take_compression(std::string_view& name) {
  for (const auto& [extension, compression] :
       {std::pair<std::string_view, Compression>{".gz", Compression::gzip}, {".zst", Compression::zstd}}) {
    if (!ends_with(name, extension)) continue;
    name.remove_suffix(extension.size());
    return compression;
  }
  return Compression::none;
}

FileFormat format_of_name(std::string_view name) {
  for (const std::string_view extension : {".jsonl", ".ndjson", ".json"})
    if (ends_with(name, extension)) return FileFormat::json_lines;
  return ends_with(name, ".parquet") || ends_with(name, ".pq") ? FileFormat::parquet : FileFormat::csv;
}

}  // namespace

std::uint64_t InputFile::byte_count() const {
  struct stat status {};
  return ::fstat(descriptor_.number(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

Result<void> InputFile::open_bytes(const std::string& path, const std::filesystem::path& temporary) {
  if (path == "-") {
    name_ = "the standard input";
    GAUZE_TRY(descriptor_, spool(FileDescriptor(STDIN_FILENO), temporary, name_));
    return {};
  }
  name_ = fmt::format("'{}'", path);
  GAUZE_TRY(descriptor_, open_for_reading(path));
  if (is_regular(descriptor_)) return {};
  GAUZE_TRY(descriptor_, spool(descriptor_, temporary, name_));
  return {};
}

Result<InputFile> InputFile::open_declared(const std::string& path, const std::filesystem::path& temporary,
                                           const std::optional<std::string>& encoding) {
  InputFile file;
  std::string_view name = path;
  file.compression_ = take_compression(name);
  file.format_ = format_of_name(name);
  file.bad_bytes_ = table::BadBytes::mark;
  GAUZE_TRY_VOID(file.open_bytes(path, temporary));
  if (file.format_ == FileFormat::parquet) {
    if (file.compression_ == Compression::none) return file;
    return make_error(ErrorCode::bad_data, "{}: Parquet is compressed inside; unpack the file", file.name_);
  }
  GAUZE_TRY(file.encoding_, table::parse_encoding(encoding.value_or("utf-8"), kByteOrderMark));
  if (file.encoding_ == table::Encoding::utf16le || file.encoding_ == table::Encoding::utf16be)
    return invalid_parameter(
        "UTF-16 is not read for a release: one record with an odd number of bytes would change how all others are read; "
        "write the file as UTF-8");
  return file;
}

Result<InputFile> InputFile::open(const std::string& path, const std::filesystem::path& temporary,
                                  const std::optional<std::string>& encoding) {
  InputFile file;
  GAUZE_TRY_VOID(file.open_bytes(path, temporary));
  GAUZE_TRY_VOID(file.find_encoding(encoding));
  if (file.format_ == FileFormat::parquet) return file;
  GAUZE_TRY_VOID(file.read_beginning());
  GAUZE_TRY_VOID(file.find_format(path));
  return file;
}

Result<std::unique_ptr<ByteSource>> InputFile::bytes(const ByteWitness& witness) const {
  std::unique_ptr<ByteSource> file = std::make_unique<FileSource>(descriptor_, name_);
  if (witness) file = std::make_unique<WitnessedSource>(std::move(file), witness);
  return decompress(std::move(file), compression_, name_);
}

Result<std::unique_ptr<ByteSource>> InputFile::text(const ByteWitness& witness) const {
  GAUZE_TRY(auto raw, bytes(witness));
  GAUZE_TRY(auto decoded, table::decode(*raw, encoding_, name_, bad_bytes_));
  return std::make_unique<DecodedSource>(std::move(raw), std::move(decoded));
}

Result<std::string> InputFile::first_line(std::size_t longest) const {
  // Byte by byte: a source of compressed bytes must not come upon damage that lies behind the line. In all encodings but
  // UTF-16 the bytes of line ends are no part of other characters.
  GAUZE_TRY(const auto source, bytes());
  std::string line;
  bool content = false;
  for (char one = '\0';;) {
    GAUZE_TRY(const std::size_t got, source->read(std::span(&one, 1)));
    if (got == 0) break;
    line += one;
    const bool ends = one == '\n' || one == '\r';
    content |= !ends && one != ' ' && one != '\t';
    if (line.size() > longest)
      return make_error(ErrorCode::bad_data, "{}: the line of names is longer than {} KiB", name_, longest >> 10);
    if (!ends) continue;
    if (!content) {
      line.clear();
      continue;
    }
    if (one == '\r')
      if (const auto next = source->read(std::span(&one, 1)); next && *next == 1 && one == '\n') line += one;
    break;
  }
  if (!content) return std::string();
  TextSource raw(line);
  GAUZE_TRY(const auto decoded, table::decode(raw, encoding_, name_, bad_bytes_));
  std::string text(4 * line.size() + 4, '\0');
  GAUZE_TRY(const std::size_t size, read_fully(*decoded, text));
  text.resize(size);
  return text;
}

Result<void> InputFile::find_encoding(const std::optional<std::string>& given) {
  std::string sample(kSampleBytes, '\0');
  FileSource raw(descriptor_, name_);
  GAUZE_TRY(std::size_t size, read_fully(raw, std::span(sample).first(16)));
  const std::string_view magic = std::string_view(sample).substr(0, size);
  if (magic.starts_with("PAR1")) {
    format_ = FileFormat::parquet;
    return {};
  }
  compression_ = sniff_compression(magic);
  GAUZE_TRY(const auto source, bytes());
  GAUZE_TRY(size, read_fully(*source, sample));
  sample.resize(size);
  if (given) {
    GAUZE_TRY(encoding_, table::parse_encoding(*given, sample));
    return {};
  }
  const auto found = table::sniff_encoding(sample);
  if (const auto damage = table::find_damage(sample); !found && damage) {
    const auto line = 1 + std::count(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(*damage), '\n');
    return asking_for(
        "encoding",
        make_error(
            ErrorCode::bad_data,
            "{}: its text is UTF-8 but for bytes such as those in line {}: mend them, or say which encoding it "
            "has",
            name_, line));
  }
  if (!found) {
    return make_error(ErrorCode::bad_data,
                      "{}: its text is neither UTF-8 nor plainly GB 18030 or Latin-1; say which encoding it has",
                      name_);
  }
  encoding_ = *found;
  return {};
}

Result<void> InputFile::read_beginning() {
  GAUZE_TRY(const auto source, text());
  while (!whole_ && beginning_.size() < kLongestFirstLine) {
    const std::size_t before = beginning_.size();
    beginning_.resize(std::max(kSampleBytes, before * 2));
    GAUZE_TRY(const std::size_t got, read_fully(*source, std::span(beginning_).subspan(before)));
    beginning_.resize(before + got);
    char one = '\0';
    GAUZE_TRY(const std::size_t more, source->read(std::span(&one, 1)));
    whole_ = more == 0;
    if (more != 0) beginning_ += one;
    if (beginning_.find_first_of("\n\r") != std::string::npos) break;
  }
  if (whole_) return {};
  const std::size_t last = beginning_.find_last_of("\n\r");
  if (last != std::string::npos) beginning_.resize(last + 1);
  return {};
}

Result<void> InputFile::find_format(const std::string& path) {
  const std::size_t first = beginning_.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || named_as_csv(path)) return {};
  if (beginning_[first] == '{') format_ = FileFormat::json_lines;
  const std::size_t second = beginning_.find_first_not_of(" \t\r\n", first + 1);
  if (beginning_[first] == '[' && second != std::string::npos && beginning_[second] == '{') {
    return make_error(ErrorCode::bad_data, "{}: is one JSON array; Gauze reads JSON lines, one object a line", name_);
  }
  return {};
}

}  // namespace gauze::engines
