#include "gauze/collect/reports/internal/source_digest.h"

namespace gauze::collect::internal {
namespace {

constexpr std::size_t kEnough = 16'384;

}  // namespace

void BlocksDigest::put(std::span<const unsigned char> piece) {
  waiting_.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  if (waiting_.size() < kEnough) return;
  hash_.add(waiting_);
  waiting_.clear();
}

void BlocksDigest::add_between(std::span<const unsigned char> bytes) {
  if (bytes.empty()) return;
  if (between_ == 0) waiting_ += 'X';
  between_ += bytes.size();
  put(bytes);
}

void BlocksDigest::end_between() {
  if (between_ == 0) return;
  for (unsigned i = 0; i < 8; ++i) waiting_ += static_cast<char>(between_ >> (8 * i) & 255U);
  between_ = 0;
}

void BlocksDigest::add(std::span<const unsigned char> bytes, std::size_t from, std::size_t to,
                       const std::vector<BlockPlace>& blocks) {
  if (from < to) is_empty_ = false;
  for (const BlockPlace& block : blocks) {
    add_between(bytes.subspan(from, block.begin - from));
    end_between();
    waiting_ += 'B';
    put(bytes.subspan(block.begin + kBlockIdAt, kBlockIdBytes));
    put(bytes.subspan(block.end - kBlockCheckBytes, kBlockCheckBytes));
    from = block.end;
  }
  add_between(bytes.subspan(from, to - from));
}

std::string BlocksDigest::finish() {
  end_between();
  hash_.add(waiting_);
  return hash_.finish();
}

}  // namespace gauze::collect::internal
