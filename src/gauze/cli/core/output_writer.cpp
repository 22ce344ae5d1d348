#include "gauze/cli/core/output_writer.h"

namespace gauze::cli {
namespace {

constexpr std::size_t kBufferBytes = 1U << 16;

}  // namespace

void OutputWriter::write(std::string_view text) {
  if (failed()) return;
  buffer_ += text;
  if (buffer_.size() < kBufferBytes) return;
  if (progress_ != nullptr && progress_->stop_requested()) {
    outcome_ = {.written = false, .reader_gone = false, .reason = "interrupted"};
  }
  hand_over();
}

Result<void> OutputWriter::flush() {
  hand_over();
  if (failed()) return make_error(ErrorCode::io, "cannot write the results to stdout: {}", outcome_.reason);
  return {};
}

void OutputWriter::hand_over() {
  if (!buffer_.empty() && !failed()) {
    outcome_ = sink_.write(buffer_);
    begun_ = begun_ || outcome_.written;
  }
  buffer_.clear();
}

std::string Style::paint(std::string_view code, std::string_view text) const {
  return enabled ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

}  // namespace gauze::cli
