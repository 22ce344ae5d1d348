#include "gauze/files/text_output.h"

#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "gauze/base/parallel.h"
#include "gauze/files/file_descriptor.h"

namespace gauze {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{1} << 20;

}  // namespace

Result<TextOutput> TextOutput::create(const std::filesystem::path& target) {
  TextOutput output;
  if (target == "-") return output;
  output.compression_ = compression_of_name(target.string());
  GAUZE_TRY(AtomicFile file, AtomicFile::create(target));
  output.file_.emplace(std::move(file));
  return output;
}

TextOutput TextOutput::into(Sink sink, std::string_view name) {
  TextOutput output;
  output.sink_ = std::move(sink);
  output.compression_ = compression_of_name(name);
  return output;
}

Result<void> TextOutput::put(std::string_view bytes) {
  if (sink_) return sink_(bytes);
  if (file_) return file_->write(bytes);
  return write_all(FileDescriptor(STDOUT_FILENO), bytes, "the standard output");
}

Result<void> TextOutput::write(std::string_view text) {
  if (compression_ == Compression::none) return put(text);
  waiting_ += text;
  return waiting_.size() < 16 * kPackedBytes ? Result<void>{} : write_pieces(false);
}

Result<void> TextOutput::write_pieces(bool all) {
  std::size_t count = all ? (waiting_.size() + kPackedBytes - 1) / kPackedBytes : waiting_.size() / kPackedBytes;
  if (all && !began_) count = std::max<std::size_t>(count, 1);
  began_ = began_ || count > 0;
  std::vector<Result<std::string>> pieces(count);
  parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      pieces[i] = compress_piece(std::string_view(waiting_).substr(i * kPackedBytes, kPackedBytes), compression_);
  });
  for (auto& piece : pieces) {
    GAUZE_TRY(const std::string bytes, std::move(piece));
    GAUZE_TRY_VOID(put(bytes));
  }
  waiting_.erase(0, std::min(waiting_.size(), count * kPackedBytes));
  return {};
}

Result<void> TextOutput::commit() {
  if (compression_ != Compression::none) GAUZE_TRY_VOID(write_pieces(true));
  return file_ ? file_->commit() : Result<void>{};
}

}  // namespace gauze
