#include "gauze/text/documents/line_shuffle.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace gauze::text {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

tl::unexpected<Error> cannot(std::string_view verb) {
  return make_error(ErrorCode::io, "cannot {} the temporary file of a shuffle: {}", verb,
                    std::generic_category().message(errno));
}

/// The bytes of a file as memory, for as long as this lives.
class Mapped {
 public:
  Mapped(int file, std::size_t size)
      : size_(size), bytes_(size == 0 ? nullptr : ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0)) {}
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  ~Mapped() {
    if (size_ > 0 && is_there()) ::munmap(bytes_, size_);
  }
  [[nodiscard]] bool is_there() const { return bytes_ != MAP_FAILED; }
  [[nodiscard]] std::string_view text() const { return {static_cast<const char*>(bytes_), size_}; }

 private:
  std::size_t size_;
  void* bytes_;
};

}  // namespace

LineShuffle::LineShuffle(ScratchFolder folder, int file, std::size_t memory)
    : folder_(std::move(folder)), file_(file), most_lines_(memory / sizeof(std::uint64_t)) {}

LineShuffle::LineShuffle(LineShuffle&& other) noexcept
    : folder_(std::move(other.folder_)),
      file_(std::exchange(other.file_, -1)),
      most_lines_(other.most_lines_),
      buffer_(std::move(other.buffer_)),
      size_(other.size_),
      line_is_open_(other.line_is_open_),
      starts_(std::move(other.starts_)) {}

LineShuffle::~LineShuffle() {
  if (file_ >= 0) ::close(file_);
}

Result<LineShuffle> LineShuffle::make(std::size_t memory) {
  GAUZE_TRY(ScratchFolder folder, ScratchFolder::make());
  const int file = ::open(folder.file("lines").c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return cannot("make");
  return LineShuffle(std::move(folder), file, memory);
}

Result<void> LineShuffle::add(std::string_view bytes) {
  for (std::size_t begin = 0; begin < bytes.size();) {
    if (!line_is_open_) {
      if (starts_.size() == most_lines_)
        return asking_for(
            "memory",
            invalid_parameter(
                "a shuffle of more than {} lines needs more than the memory it was given: allow more memory, or "
                "shuffle the file before",
                most_lines_));
      starts_.push_back(size_ + begin);
    }
    const std::size_t end = bytes.find('\n', begin);
    line_is_open_ = end == std::string_view::npos;
    begin = line_is_open_ ? bytes.size() : end + 1;
  }
  size_ += bytes.size();
  buffer_ += bytes;
  return buffer_.size() < kBlock ? Result<void>() : flush();
}

Result<void> LineShuffle::flush() {
  for (std::string_view rest = buffer_; !rest.empty();) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot("write");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
  return {};
}

Result<void> LineShuffle::write(RandomWords& random, const std::function<Result<void>(std::string_view)>& sink) {
  GAUZE_TRY_VOID(flush());
  const Mapped file(file_, size_);
  if (!file.is_there()) return cannot("read");
  const std::string_view text = file.text();
  std::string part;
  if (text.starts_with(kByteOrderMark)) {
    part = kByteOrderMark;
    starts_.front() += kByteOrderMark.size();
    if (starts_.front() == text.size()) starts_.clear();  // nothing but the mark
  }
  for (std::size_t left = starts_.size(); left > 0; --left) {
    // Fisher and Yates: each of the lines that are left is as likely to be next.
    std::swap(starts_[left - 1], starts_[random.below(left)]);
    const std::size_t begin = starts_[left - 1];
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    part += text.substr(begin, end - begin);
    part += '\n';
    if (part.size() < kBlock) continue;
    GAUZE_TRY_VOID(sink(part));
    part.clear();
  }
  return sink(part);
}

}  // namespace gauze::text
