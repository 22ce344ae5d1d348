#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/compression.h"

namespace gauze {

/// Text on its way into a file that appears whole or not at all, compressed if its name ends in .gz or .zst; "-" is the
/// standard output, where text appears as it comes.
class TextOutput {
 public:
  [[nodiscard]] static Result<TextOutput> create(const std::filesystem::path& target);
  [[nodiscard]] Result<void> write(std::string_view text);
  [[nodiscard]] Result<void> commit();

 private:
  TextOutput() = default;
  /// Compresses whole pieces in parallel. The pieces do not depend on how the text was handed over.
  [[nodiscard]] Result<void> write_pieces(bool all);
  [[nodiscard]] Result<void> put(std::string_view bytes);

  std::optional<AtomicFile> file_;
  Compression compression_ = Compression::none;
  std::string waiting_;
};

}  // namespace gauze
