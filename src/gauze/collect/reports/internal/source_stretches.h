#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"

namespace gauze::collect::internal {

/// Some bytes of a source, in a buffer of whoever works on them.
struct Stretch {
  std::size_t number = 0;                ///< 0, 1, 2, ... in the order of the source
  std::span<const unsigned char> bytes;  ///< the first `known` of them were at the end of the stretch before
  std::size_t known = 0;
  std::size_t begin = 0;    ///< what is before it needs no reading
  std::size_t decided = 0;  ///< what begins before it is this stretch's to read
  std::size_t rejected = 0;
  bool is_end = false;
  std::vector<char> buffer;
};

/// A source cut into stretches, which several threads take and work on at the same time. What does not end in one begins the next.
/// Files are read by several threads at once, too; the cuts are made in order.
class SourceStretches {
 public:
  /// So much that a thread seldom waits for another, and little enough to stay in the second cache of a core. Results do not depend on it.
  static constexpr std::size_t kStretchBytes = std::size_t{1} << 20U;
  /// The most that one stretch may leave to the next.
  static constexpr std::size_t kMostLeft = 65'536;

  /// Sets begin, decided and rejected of a stretch and returns from where on its bytes are left to the next. Called in order.
  using Cut = std::function<std::size_t(Stretch&)>;

  explicit SourceStretches(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  /// The first few thousand bytes, which the first stretch shows again. Before next().
  [[nodiscard]] Result<std::span<const char>> beginning();
  /// The next one, or false when there is none.
  [[nodiscard]] Result<bool> next(Stretch& stretch, const Cut& cut);
  /// There is none from now on.
  void stop();

 private:
  /// The bytes of a stretch that is numbered, behind the room for what the one before leaves. When it returns, that one was cut.
  [[nodiscard]] Result<std::size_t> read(const Stretch& stretch, std::span<char> room,
                                         std::unique_lock<std::mutex>& lock);
  void cut_behind_left(Stretch& stretch, std::size_t got, const Cut& cut);

  std::mutex mutex_;
  std::condition_variable was_cut_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> left_;
  std::size_t taken_ = 0;  // stretches that are being read, or were
  std::size_t cut_ = 0;    // the first of them that are cut
  bool is_ended_ = false;
};

}  // namespace gauze::collect::internal
