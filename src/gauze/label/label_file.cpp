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

Result<PrivacyLabel> read_label_file(const std::filesystem::path& path) {
  GAUZE_TRY(const std::string text, read_file(path, kLargestLabel));
  return PrivacyLabel::parse(text);
}

}  // namespace gauze
