#include "gauze/label/label_file.h"

#include <optional>
#include <system_error>

#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"

namespace gauze {
namespace {

constexpr std::string_view kSuffix = ".label.json";

}  // namespace

std::filesystem::path label_path_for(const std::filesystem::path& output) {
  return std::filesystem::path(output.string() + std::string(kSuffix));
}

bool is_label_path(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.size() > kSuffix.size() && name.ends_with(kSuffix);
}

std::filesystem::path output_path_for(const std::filesystem::path& label_path) {
  const std::string text = label_path.string();
  return is_label_path(label_path) ? std::filesystem::path(text.substr(0, text.size() - kSuffix.size())) : label_path;
}

void bind_to_bytes(PrivacyLabel& label, const std::filesystem::path& output, std::string_view bytes) {
  label.released.file = output.filename().string();
  label.released.sha256 = sha256_hex(bytes);
}

Result<void> bind_to_file(PrivacyLabel& label, const std::filesystem::path& output) {
  GAUZE_TRY(label.released.sha256, sha256_of_file(output));
  label.released.file = output.filename().string();
  return {};
}

Result<void> check_against_file(const PrivacyLabel& label, const std::filesystem::path& output) {
  if (label.released.sha256.empty()) {
    return make_error(ErrorCode::bad_data,
                      "the label is not bound to a file, so that none can be checked against it");
  }
  GAUZE_TRY(const std::string actual, sha256_of_file(output));
  if (actual != label.released.sha256) {
    return make_error(
        ErrorCode::bad_data,
        "'{}' is not the file its label was written for: it was changed, or the label belongs to another",
        output.string());
  }
  return {};
}

LabelledFile::LabelledFile(std::filesystem::path output, AtomicFile file)
    : output_(std::move(output)), file_(std::move(file)), digest_(std::make_unique<Sha256>()) {}
LabelledFile::LabelledFile(LabelledFile&&) noexcept = default;
LabelledFile::~LabelledFile() = default;

Result<LabelledFile> LabelledFile::create(const std::filesystem::path& output) {
  if (is_label_path(output)) {
    return invalid_parameter("the output must not be named '*{}', which is where its label goes", kSuffix);
  }
  GAUZE_TRY(AtomicFile file, AtomicFile::create(output));
  return LabelledFile(output, std::move(file));
}

Result<void> LabelledFile::write(std::string_view bytes) {
  digest_->add(bytes);
  return file_.write(bytes);
}

Result<void> LabelledFile::commit(PrivacyLabel& label) {
  label.released.file = output_.filename().string();
  label.released.sha256 = digest_->finish();
  GAUZE_TRY_VOID(label.check_rules());
  if (is_null_device(output_)) return file_.commit();  // nothing is left that a label could lie beside
  const auto label_path = label_path_for(output_);
  std::optional<std::string> previous;
  // Of a link there is nothing to keep: what it leads to is not ours to copy.
  if (std::error_code ignored;
      std::filesystem::is_regular_file(std::filesystem::symlink_status(label_path, ignored))) {
    if (auto text = read_file(label_path, kLargestLabel)) previous = std::move(*text);
  }
  GAUZE_TRY(AtomicFile label_file, AtomicFile::create(label_path));
  GAUZE_TRY_VOID(label_file.write(label.to_json().dump(2) + "\n"));
  GAUZE_TRY_VOID(label_file.commit());
  auto written = file_.commit();
  if (!written) {
    // The first failure is the one to report; whether the old label comes back cannot make it worse.
    std::error_code ignored;
    if (!previous || !write_file(label_path, *previous)) std::filesystem::remove(label_path, ignored);
  }
  return written;
}

Result<void> write_with_label(const std::filesystem::path& output, std::string_view bytes, PrivacyLabel label) {
  GAUZE_TRY(LabelledFile file, LabelledFile::create(output));
  GAUZE_TRY_VOID(file.write(bytes));
  return file.commit(label);
}

Result<PrivacyLabel> read_label_file(const std::filesystem::path& path) {
  GAUZE_TRY(const std::string text, read_file(path, kLargestLabel));
  return PrivacyLabel::parse(text);
}

}  // namespace gauze
