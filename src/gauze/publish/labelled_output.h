#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/label/label.h"

namespace gauze::publish {

/// Where bytes go that are written piece by piece.
using ByteSink = std::function<Result<void>(std::string_view)>;

/// One output on its way out: OUT and OUT.label.json, which appear together at commit(), or not at all.
///
/// The label comes first, so that nothing leaves without one; a failure leaves both as they were. A symbolic link is
/// replaced, not followed; permissions are kept. The null device keeps neither output nor label. The standard output takes
/// bytes as they come and has no file of a label. Several processes that write to one place take turns, where the file system
/// has locks. A process that is killed between its two renames leaves its label beside the earlier output, which `label check`
/// tells.
class LabelledOutput {
 public:
  /// Refuses what is named like a label, and what an AtomicFile refuses. `standard_output` takes what goes to `-`.
  [[nodiscard]] static Result<LabelledOutput> create(const std::string& target, ByteSink standard_output = {});
  /// Whether something can be put there, found out by making a file beside the place and taking it away again: before anybody
  /// is charged, not after.
  [[nodiscard]] static Result<void> try_place(const std::string& target);
  LabelledOutput(LabelledOutput&&) noexcept;
  LabelledOutput& operator=(LabelledOutput&&) = delete;
  ~LabelledOutput();

  [[nodiscard]] bool is_standard_output() const { return target_ == "-"; }
  [[nodiscard]] const std::string& target() const { return target_; }

  /// The next bytes of the output.
  [[nodiscard]] Result<void> write(std::string_view bytes);
  /// Instead of write(): a path beside the output's place, with the same name, for writers that make a file themselves.
  /// Not for the standard output.
  [[nodiscard]] Result<std::filesystem::path> path();

  /// All that was written, if it is no more than `most` bytes; `most` is at most 1 MiB for the standard output.
  [[nodiscard]] Result<std::optional<std::string>> content(std::size_t most);

  /// Has what was written on the disk, so that commit() does not fail for want of room; for outputs that are no good without
  /// another file.
  [[nodiscard]] Result<void> settle();
  /// Binds the label to all that was written, and puts both in their places.
  [[nodiscard]] Result<void> commit(PrivacyLabel& label);

 private:
  class Workshop;
  explicit LabelledOutput(std::string target);
  [[nodiscard]] Result<void> put(const PrivacyLabel& label);

  std::string target_;
  ByteSink standard_output_;
  std::string shown_;               ///< the first bytes that went there, or to the null device
  std::optional<AtomicFile> file_;  ///< what write() writes
  std::unique_ptr<Sha256> digest_;
  std::unique_ptr<Workshop> workshop_;  ///< where path() lies
};

}  // namespace gauze::publish
