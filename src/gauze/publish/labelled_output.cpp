#include "gauze/publish/labelled_output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "gauze/files/file_descriptor.h"
#include "gauze/files/scratch_folder.h"
#include "gauze/label/label_file.h"
#include "gauze/publish/output_places.h"

namespace gauze::publish {

namespace fs = std::filesystem;

/// A folder beside the output, for a file under its own name; gone at the end, with whatever is left in it.
class LabelledOutput::Workshop {
 public:
  static Result<std::unique_ptr<Workshop>> make(const fs::path& output) {
    // Of what goes to the null device nothing is kept beside it either.
    const fs::path folder = is_null_device(output)     ? fs::temp_directory_path()
                            : output.has_parent_path() ? output.parent_path()
                                                       : fs::path(".");
    GAUZE_TRY(ScratchFolder made, ScratchFolder::make(folder));
    return std::make_unique<Workshop>(std::move(made), output.filename().string());
  }
  Workshop(ScratchFolder folder, const std::string& name) : folder_(std::move(folder)), file_(folder_.file(name)) {}
  [[nodiscard]] const fs::path& file() const { return file_; }

 private:
  ScratchFolder folder_;
  fs::path file_;
};

namespace {

constexpr std::size_t kMostShown = std::size_t{1} << 20U;

/// Holds others off who put an output into the same folder, as long as it lives. Where a folder cannot be locked nobody is held
/// off: the pair may then be mixed, which `label check` tells.
class LockedFolder {
 public:
  explicit LockedFolder(const fs::path& output)
      : folder_(::open(output.has_parent_path() ? output.parent_path().c_str() : ".",
                       O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_.number() < 0) return;
    while (::flock(folder_.number(), LOCK_EX) != 0 && errno == EINTR) continue;
  }
  /// Has the names that were put there on the disk, as far as the file system can: before a ledger records them.
  void settle() const {
    if (folder_.number() >= 0) static_cast<void>(::fsync(folder_.number()));
  }

 private:
  FileDescriptor folder_;  ///< the lock goes with it
};

}  // namespace

LabelledOutput::LabelledOutput(std::string target) : target_(std::move(target)) {}
LabelledOutput::LabelledOutput(LabelledOutput&&) noexcept = default;
LabelledOutput::~LabelledOutput() = default;

Result<LabelledOutput> LabelledOutput::create(const std::string& target, ByteSink standard_output) {
  LabelledOutput output(publish::is_standard_output(target) ? "-" : target);
  if (output.is_standard_output()) {
    GAUZE_CHECK(standard_output != nullptr);
    output.standard_output_ = std::move(standard_output);
    return output;
  }
  if (is_label_path(target))
    return invalid_parameter("the output must not be named '*.label.json', which is where its label goes");
  GAUZE_TRY_VOID(check_place(target));
  return output;
}

Result<void> LabelledOutput::try_place(const std::string& target) {
  if (publish::is_standard_output(target) || is_null_device(target)) return {};
  GAUZE_TRY_VOID(create(target));
  GAUZE_TRY_VOID(AtomicFile::create(target));
  return {};
}

Result<void> LabelledOutput::write(std::string_view bytes) {
  GAUZE_CHECK(workshop_ == nullptr);
  const bool is_kept_nowhere = is_standard_output() || is_null_device(target_);
  if (is_kept_nowhere && shown_.size() <= kMostShown) shown_ += bytes.substr(0, kMostShown + 1 - shown_.size());
  if (is_standard_output()) return standard_output_(bytes);
  if (!file_) {
    GAUZE_TRY(AtomicFile file, AtomicFile::create(target_));
    file_.emplace(std::move(file));
    digest_ = std::make_unique<Sha256>();
  }
  digest_->add(bytes);
  return file_->write(bytes);
}

Result<fs::path> LabelledOutput::path() {
  GAUZE_CHECK(!is_standard_output() && !file_);
  if (workshop_ == nullptr) {
    GAUZE_TRY(workshop_, Workshop::make(target_));
  }
  return workshop_->file();
}

Result<std::optional<std::string>> LabelledOutput::content(std::size_t most) {
  std::optional<std::string> bytes;
  if (workshop_ == nullptr && (is_standard_output() || is_null_device(target_))) {
    if (shown_.size() <= std::min(most, kMostShown)) bytes = shown_;
    return bytes;
  }
  if (workshop_ == nullptr) {
    GAUZE_TRY_VOID(write({}));
    GAUZE_TRY_VOID(file_->settle());
  }
  const fs::path path =
      workshop_ != nullptr ? workshop_->file() : fs::path(fmt::format("/proc/self/fd/{}", file_->descriptor()));
  std::error_code problem;
  if (const auto size = fs::file_size(path, problem); problem || size > most) return bytes;
  GAUZE_TRY(bytes, read_file(path, most));
  return bytes;
}

Result<void> LabelledOutput::settle() { return file_ ? file_->settle() : Result<void>(); }

Result<void> LabelledOutput::commit(PrivacyLabel& label) {
  GAUZE_TRY_VOID(label.check_rules());
  if (is_standard_output()) return {};
  if (workshop_ != nullptr) {
    GAUZE_TRY_VOID(bind_to_file(label, workshop_->file()));
  } else {
    GAUZE_TRY_VOID(write({}));  // an empty output is one, too
    label.released.file = fs::path(target_).filename().string();
    label.released.sha256 = digest_->finish();
  }
  if (is_null_device(target_)) {  // there is no file to bind it to
    label.released.file.clear();
    label.released.sha256.clear();
  }
  GAUZE_TRY_VOID(label.check_rules());
  return put(label);
}

Result<void> LabelledOutput::put(const PrivacyLabel& label) {
  const auto put_output = [&]() -> Result<void> {
    return workshop_ != nullptr ? put_in_place(workshop_->file(), target_) : file_->commit();
  };
  if (is_null_device(target_)) return workshop_ != nullptr ? Result<void>() : put_output();
  GAUZE_TRY_VOID(check_place(target_));
  const LockedFolder folder(target_);
  const fs::path label_path = label_path_for(target_);
  std::optional<std::string> previous;
  // Of a link there is nothing to keep: what it leads to is not ours to copy.
  if (std::error_code ignored; fs::is_regular_file(fs::symlink_status(label_path, ignored))) {
    if (auto text = read_file(label_path, kLargestLabel)) previous = std::move(*text);
  }
  GAUZE_TRY_VOID(write_file(label_path, label.to_json().dump(2) + "\n"));
  auto written = put_output();
  if (written) folder.settle();
  if (!written) {
    // The first failure is the one to report; whether the old label comes back cannot make it worse.
    std::error_code ignored;
    if (!previous || !write_file(label_path, *previous)) fs::remove(label_path, ignored);
  }
  return written;
}

}  // namespace gauze::publish
