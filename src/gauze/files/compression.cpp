#include "gauze/files/compression.h"

#include <zlib.h>
#include <zstd.h>

#include <utility>
#include <vector>

namespace gauze {
namespace {

constexpr std::size_t kPackedBlock = std::size_t{1} << 17;

/// Reads compressed blocks; the two formats differ in how a block is unpacked.
class Decompressor : public ByteSource {
 public:
  Decompressor(std::unique_ptr<ByteSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)), input_(kPackedBlock) {}

  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    for (;;) {
      if (begin_ == end_ && !at_end_) {
        GAUZE_TRY(end_, source_->read(input_));
        begin_ = 0;
        at_end_ = end_ == 0;
      }
      GAUZE_TRY(const std::size_t got, unpack(block));
      if (got > 0) return got;
      if (at_end_) {
        if (!between_pieces_) return damaged();
        return 0;
      }
    }
  }

 protected:
  /// Unpacks from what is left of the input, and says whether a piece has just ended.
  [[nodiscard]] virtual Result<std::size_t> unpack(std::span<char> block) = 0;
  [[nodiscard]] tl::unexpected<Error> damaged() const {
    return make_error(ErrorCode::bad_data, "{}: the compressed file is damaged or cut off", name_);
  }

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> input_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  bool between_pieces_ = true;
};

class GzipDecompressor : public Decompressor {
 public:
  using Decompressor::Decompressor;
  ~GzipDecompressor() override {
    if (ready_) ::inflateEnd(&stream_);
  }

 private:
  [[nodiscard]] Result<std::size_t> unpack(std::span<char> block) override {
    if (begin_ == end_) return 0;
    if (!ready_) {
      constexpr int kGzipOnly = 16 + MAX_WBITS;
      if (::inflateInit2(&stream_, kGzipOnly) != Z_OK) return make_error(ErrorCode::internal, "zlib does not start");
      ready_ = true;
    }
    if (between_pieces_ && ::inflateReset(&stream_) != Z_OK) return damaged();
    between_pieces_ = false;
    stream_.next_in = reinterpret_cast<Bytef*>(&input_[begin_]);
    stream_.avail_in = static_cast<uInt>(end_ - begin_);
    const std::size_t room = std::min(block.size(), kPackedBlock);
    stream_.next_out = reinterpret_cast<Bytef*>(block.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    begin_ = end_ - stream_.avail_in;
    if (status == Z_STREAM_END) {
      between_pieces_ = true;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      return damaged();
    }
    return room - stream_.avail_out;
  }

  z_stream stream_{};
  bool ready_ = false;
};

class ZstdDecompressor : public Decompressor {
 public:
  using Decompressor::Decompressor;

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  [[nodiscard]] Result<std::size_t> unpack(std::span<char> block) override {
    // Also without further input: the context may hold text for which there was no room.
    ZSTD_inBuffer in{input_.data(), end_, begin_};
    ZSTD_outBuffer out{block.data(), block.size(), 0};
    if (begin_ == end_ && between_pieces_) return 0;
    const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(status) != 0) return damaged();
    begin_ = in.pos;
    between_pieces_ = status == 0;
    return out.pos;
  }

  std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
};

}  // namespace

Compression sniff_compression(std::string_view beginning) {
  if (beginning.starts_with("\x1F\x8B")) return Compression::gzip;
  if (beginning.starts_with("\x28\xB5\x2F\xFD")) return Compression::zstd;
  return Compression::none;
}

Compression compression_of_name(std::string_view name) {
  if (name.ends_with(".gz")) return Compression::gzip;
  if (name.ends_with(".zst")) return Compression::zstd;
  return Compression::none;
}

Result<std::unique_ptr<ByteSource>> decompress(std::unique_ptr<ByteSource> source, Compression compression,
                                               std::string name) {
  switch (compression) {
    case Compression::none:
      return source;
    case Compression::gzip:
      return std::make_unique<GzipDecompressor>(std::move(source), std::move(name));
    case Compression::zstd:
      return std::make_unique<ZstdDecompressor>(std::move(source), std::move(name));
  }
  return source;
}

Result<std::string> compress_piece(std::string_view text, Compression compression) {
  if (compression == Compression::none) return std::string(text);
  std::string packed;
  if (compression == Compression::zstd) {
    packed.resize(ZSTD_compressBound(text.size()));
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
    if (ZSTD_isError(size) != 0) return make_error(ErrorCode::internal, "zstd does not compress");
    packed.resize(size);
    return packed;
  }
  constexpr int kGzip = 16 + MAX_WBITS;
  constexpr int kMemory = 8;
  z_stream stream{};
  if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    return make_error(ErrorCode::internal, "zlib does not start");
  packed.resize(::deflateBound(&stream, text.size()));
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = ::deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  ::deflateEnd(&stream);
  if (status != Z_STREAM_END) return make_error(ErrorCode::internal, "zlib does not compress");
  return packed;
}

}  // namespace gauze
