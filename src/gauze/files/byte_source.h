#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "gauze/base/error.h"

namespace gauze {

/// Bytes that come one block after the other: a file, what a decompressor or a decoder makes of one, a text.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills the block, which is not empty, from its front and returns how many bytes it got; 0 only at the end.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> block) = 0;

  /// Fills a block of the size that was claimed, from its front, and returns how many bytes it got: fewer only at the end. May be called
  /// in any thread, beside others, while the source lives.
  using Claim = std::function<Result<std::size_t>(std::span<char> block)>;
  /// Passes over the next bytes, to be read by whoever has the claim; nothing where bytes come only one after the other.
  [[nodiscard]] virtual std::optional<Claim> claim(std::size_t size) {
    static_cast<void>(size);
    return std::nullopt;
  }
};

/// Is shown bytes as they are read, in order: what it makes of them is about those bytes and no others.
using ByteWitness = std::function<void(std::string_view)>;

/// The bytes of another source, each shown to a witness once.
class WitnessedSource : public ByteSource {
 public:
  WitnessedSource(std::unique_ptr<ByteSource> source, ByteWitness witness)
      : source_(std::move(source)), witness_(std::move(witness)) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    GAUZE_TRY(const std::size_t got, source_->read(block));
    witness_(std::string_view(block.data(), got));
    return got;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  ByteWitness witness_;
};

/// Reads until the block is full or the source ends.
[[nodiscard]] Result<std::size_t> read_fully(ByteSource& source, std::span<char> block);

/// A text in memory.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : rest_(text) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    const std::size_t size = std::min(block.size(), rest_.size());
    std::memcpy(block.data(), rest_.data(), size);
    rest_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view rest_;
};

}  // namespace gauze
