#include "gauze/cli/label/found_label.h"

#include <filesystem>

#include "gauze/files/json_reader.h"
#include "gauze/label/label_file.h"

namespace gauze::cli {
namespace {

constexpr std::size_t kLargestDocument = 1U << 28;

/// A label by itself, or the one inside a result printed with --json.
Result<PrivacyLabel> label_in_document(const std::string& text, const std::string& path) {
  const auto document = read_json(text);
  if (!document && path == "-") {
    return make_error(ErrorCode::bad_data, "stdin is neither a label nor a result printed with --json");
  }
  if (!document) {
    return make_error(ErrorCode::bad_data, "'{}' has no label beside it ('{}') and is none itself", path,
                      label_path_for(path).string());
  }
  const Json* inside = document->find("label");
  return PrivacyLabel::from_json(inside != nullptr ? *inside : *document);
}

}  // namespace

Result<FoundLabel> find_label(const Invocation& invocation, const std::string& path) {
  FoundLabel found;
  std::error_code ignored;
  if (is_label_path(path)) {
    found.label_path = path;
    found.file_path = output_path_for(path).string();
  } else if (path != "-" && std::filesystem::exists(label_path_for(path), ignored)) {
    found.label_path = label_path_for(path).string();
    found.file_path = path;
  } else {
    GAUZE_TRY(const std::string text, invocation.read_input(path, kLargestDocument));
    GAUZE_TRY(found.label, label_in_document(text, path));
    found.label_path = path;
    return found;
  }
  GAUZE_TRY(found.label, read_label_file(found.label_path));
  return found;
}

}  // namespace gauze::cli
