// Files, and what gzip or zstd made of them, as byte sources.
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "gauze/text/vectors/internal/byte_reader.h"

namespace gauze::text::internal {
namespace {

class FileSource final : public table::ByteSource {
 public:
  FileSource(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { ::close(descriptor_); }

  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_, block.data(), block.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return make_error(ErrorCode::io, "cannot read {}: {}", name_, std::strerror(errno));
    }
  }

 private:
  int descriptor_;
  std::string name_;
};

/// Gives back bytes that were looked at, then goes on with the source.
class PrefixedSource final : public table::ByteSource {
 public:
  PrefixedSource(std::string prefix, std::unique_ptr<table::ByteSource> source)
      : prefix_(std::move(prefix)), source_(std::move(source)) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    if (taken_ == prefix_.size()) return source_->read(block);
    const std::size_t size = std::min(block.size(), prefix_.size() - taken_);
    std::memcpy(block.data(), prefix_.data() + taken_, size);
    taken_ += size;
    return size;
  }

 private:
  std::string prefix_;
  std::size_t taken_ = 0;
  std::unique_ptr<table::ByteSource> source_;
};

/// Unpacks gzip, also several members one after the other.
class GzipSource final : public table::ByteSource {
 public:
  GzipSource(std::unique_ptr<table::ByteSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)) {
    GAUZE_CHECK(inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK);
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    const std::size_t wanted = std::min<std::size_t>(block.size(), 1 << 30);
    stream_.next_out = reinterpret_cast<Bytef*>(block.data());
    stream_.avail_out = static_cast<uInt>(wanted);
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0) {
        GAUZE_TRY(const std::size_t got, source_->read(packed_));
        if (got == 0) {
          if (between_members_) return 0;
          return make_error(ErrorCode::bad_data, "{}, byte {} of the gzip file: it ends too early", name_, taken_);
        }
        taken_ += got;
        stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
        stream_.avail_in = static_cast<uInt>(got);
      }
      if (between_members_) {
        if (inflateReset(&stream_) != Z_OK) return damaged();
        between_members_ = false;
      }
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        between_members_ = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return damaged();
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> damaged() const {
    return make_error(ErrorCode::bad_data, "{}, byte {} of the gzip file: it is damaged", name_,
                      taken_ - stream_.avail_in);
  }

  std::unique_ptr<table::ByteSource> source_;
  std::string name_;
  std::array<char, 1 << 16> packed_{};
  std::uint64_t taken_ = 0;
  bool between_members_ = false;
  z_stream stream_{};
};

/// Unpacks zstd, also several frames one after the other.
class ZstdSource final : public table::ByteSource {
 public:
  ZstdSource(std::unique_ptr<table::ByteSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)), packed_(ZSTD_DStreamInSize()) {
    GAUZE_CHECK(context_ != nullptr);
  }

  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    ZSTD_outBuffer out{block.data(), block.size(), 0};
    while (out.pos == 0) {
      // Without further input, too, the context may hold text for which there was no room.
      if (in_.pos == in_.size && !holds_text_) {
        GAUZE_TRY(const std::size_t got, source_->read(packed_));
        if (got == 0 && between_frames_) return 0;
        if (got == 0)
          return make_error(ErrorCode::bad_data, "{}, byte {} of the zstd file: it ends too early", name_, taken_);
        taken_ += got;
        in_ = {packed_.data(), got, 0};
      }
      const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(status) != 0)
        return make_error(ErrorCode::bad_data, "{}, byte {} of the zstd file: it is damaged", name_,
                          taken_ - in_.size + in_.pos);
      between_frames_ = status == 0;
      holds_text_ = out.pos == out.size && !between_frames_;
    }
    return out.pos;
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::unique_ptr<table::ByteSource> source_;
  std::string name_;
  std::vector<char> packed_;
  std::uint64_t taken_ = 0;
  bool between_frames_ = true;
  bool holds_text_ = false;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
};

}  // namespace

Result<std::unique_ptr<table::ByteSource>> unpack(std::unique_ptr<table::ByteSource> source, std::string name) {
  std::string first(4, '\0');
  std::size_t have = 0;
  while (have < first.size()) {
    GAUZE_TRY(const std::size_t got, source->read(std::span(first).subspan(have)));
    if (got == 0) break;
    have += got;
  }
  first.resize(have);
  const bool gzip = first.starts_with("\x1F\x8B");
  const bool zstd = first == "\x28\xB5\x2F\xFD";
  auto whole = std::make_unique<PrefixedSource>(std::move(first), std::move(source));
  if (gzip) return std::make_unique<GzipSource>(std::move(whole), std::move(name));
  if (zstd) return std::make_unique<ZstdSource>(std::move(whole), std::move(name));
  return whole;
}

Result<std::unique_ptr<table::ByteSource>> open_bytes(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return make_error(ErrorCode::io, "cannot open {}: {}", path, std::strerror(errno));
  return unpack(std::make_unique<FileSource>(descriptor, path), path);
}

}  // namespace gauze::text::internal
