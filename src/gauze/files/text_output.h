#pragma once

#include <filesystem>
#include <functional>
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
  using Sink = std::function<Result<void>(std::string_view)>;
  [[nodiscard]] static Result<TextOutput> create(const std::filesystem::path& target);
  /// Into another's hands instead of a file; `name` says how it is compressed.
  [[nodiscard]] static TextOutput into(Sink sink, std::string_view name);
  [[nodiscard]] Result<void> write(std::string_view text);
  [[nodiscard]] Result<void> commit();

 private:
  TextOutput() = default;
  /// Compresses whole pieces in parallel. The pieces do not depend on how the text was handed over.
  [[nodiscard]] Result<void> write_pieces(bool all);
  [[nodiscard]] Result<void> put(std::string_view bytes);

  std::optional<AtomicFile> file_;
  Sink sink_;
  Compression compression_ = Compression::none;
  std::string waiting_;
  bool began_ = false;  // a piece was written: nothing at all is no compressed file
};

}  // namespace gauze
