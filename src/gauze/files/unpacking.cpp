#include "gauze/files/unpacking.h"

#include <utility>

#include "gauze/files/compression.h"
#include "gauze/files/file_descriptor.h"

namespace gauze {
namespace {

/// The bytes of a file that is closed with the source.
class OpenedFile final : public ByteSource {
 public:
  OpenedFile(FileDescriptor file, const std::string& name) : file_(std::move(file)), source_(file_, name) {}
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override { return source_.read(block); }
  [[nodiscard]] std::optional<Claim> claim(std::size_t size) override { return source_.claim(size); }

 private:
  FileDescriptor file_;
  FileSource source_;
};

/// Gives back bytes that were looked at, then goes on with the source.
class PrefixedSource final : public ByteSource {
 public:
  PrefixedSource(std::string prefix, std::unique_ptr<ByteSource> source)
      : prefix_(std::move(prefix)), source_(std::move(source)) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    if (taken_ == prefix_.size()) return source_->read(block);
    const std::size_t size = std::min(block.size(), prefix_.size() - taken_);
    std::memcpy(block.data(), prefix_.data() + taken_, size);
    taken_ += size;
    return size;
  }
  [[nodiscard]] std::optional<Claim> claim(std::size_t size) override {
    return taken_ == prefix_.size() ? source_->claim(size) : std::nullopt;
  }

 private:
  std::string prefix_;
  std::size_t taken_ = 0;
  std::unique_ptr<ByteSource> source_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> unpack(std::unique_ptr<ByteSource> source, std::string name) {
  std::string first(4, '\0');
  GAUZE_TRY(const std::size_t have, read_fully(*source, first));
  first.resize(have);
  const Compression compression = sniff_compression(first);
  return decompress(std::make_unique<PrefixedSource>(std::move(first), std::move(source)), compression,
                    std::move(name));
}

Result<std::unique_ptr<ByteSource>> open_unpacked(const std::string& path) {
  GAUZE_TRY(FileDescriptor file, open_for_reading(path));
  return unpack(std::make_unique<OpenedFile>(std::move(file), path), path);
}

Result<std::string> unpacked_bytes(std::string bytes, const std::string& name, std::size_t most) {
  const Compression compression = sniff_compression(bytes);
  if (compression == Compression::none) return bytes;
  GAUZE_TRY(const auto source, decompress(std::make_unique<TextSource>(bytes), compression, name));
  std::string text;
  for (std::size_t size = std::size_t{1} << 20U;; size = text.size()) {
    const std::size_t before = text.size();
    text.resize(before + size);
    GAUZE_TRY(const std::size_t got, read_fully(*source, std::span(text).subspan(before)));
    text.resize(before + got);
    if (text.size() > most) return make_error(ErrorCode::bad_data, "{} holds more than {} bytes", name, most);
    if (got < size) return text;
  }
}

}  // namespace gauze
