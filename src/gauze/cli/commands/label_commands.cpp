#include <filesystem>

#include "gauze/cli/commands/commands.h"
#include "gauze/cli/invocation.h"
#include "gauze/label/json_reader.h"
#include "gauze/label/label_file.h"

namespace gauze::cli {
namespace {

constexpr std::size_t kLargestDocument = 1U << 28;

/// A label, and the file it is said to belong to (none when it came inside a JSON result).
struct Found {
  PrivacyLabel label;
  std::string label_path;
  std::string file_path;
};

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

Result<Found> find_label(const Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("file"));
  Found found;
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

Result<int> run_show(Invocation& invocation) {
  GAUZE_TRY(const Found found, find_label(invocation));
  if (invocation.json()) {
    invocation.print_json(Json::object({{"label", found.label.to_json()}}));
  } else {
    invocation.out().write(found.label.to_text(invocation.columns()));
  }
  return 0;
}

Result<Found> find_and_check(const Invocation& invocation) {
  GAUZE_TRY(Found found, find_label(invocation));
  if (!found.file_path.empty()) {
    GAUZE_TRY_VOID(check_against_file(found.label, found.file_path));
  } else if (!found.label.released.sha256.empty()) {
    return make_error(ErrorCode::bad_data,
                      "the label belongs to the file '{0}'; put both side by side, named '{0}' and '{0}.label.json'",
                      found.label.released.file);
  }
  return found;
}

Result<int> run_check(Invocation& invocation) {
  const auto found = find_and_check(invocation);
  if (!found) {
    if (found.error().code == ErrorCode::bad_data) invocation.attach_to_error("matches", false);
    return tl::unexpected<Error>(found.error());
  }
  const bool has_file = !found->file_path.empty();
  if (invocation.json()) {
    invocation.print_json(Json::object({{"matches", true},
                                        {"label_file", found->label_path},
                                        {"file", has_file ? Json(found->file_path) : Json()},
                                        {"sha256", has_file ? Json(found->label.released.sha256) : Json()}}));
  } else if (has_file) {
    invocation.out().print("{} fits its label.\n", found->file_path);
  } else {
    invocation.out().print(
        "The label in {} is intact. It travels inside the output, so that there is no file to "
        "compare with.\n",
        found->label_path);
  }
  return 0;
}

Positional file_positional() {
  return {.name = "file", .help = "a released file, its label, or a result printed with --json", .is_file = true};
}

}  // namespace

void register_label_commands(Registry& registry) {
  registry.add({.name = "label show",
                .group = "Labels",
                .summary = "Say in plain words what a release guarantees",
                .description =
                    "Prints the privacy label of a release: what was released, under which guarantee, what it "
                    "covers and what it does not, and what it cost. With --json: {\"label\":{...}}.",
                .examples = {{"gauze label show counts.csv", "the label in counts.csv.label.json, in words"},
                             {"gauze label show counts.csv.label.json --json", "the same for programs"}},
                .positionals = {file_positional()},
                .run = run_show});
  registry.add({.name = "label check",
                .group = "Labels",
                .summary = "Check that a file is the one its label was written for",
                .description =
                    "Compares the SHA-256 of the file with the one in its label, and the label with its own "
                    "digest. Exits 1 when either does not fit. It finds damage and mix-ups; it cannot find a "
                    "forger who rewrote both file and label.",
                .examples = {{"gauze label check counts.csv", "exit status 0 when it fits, 1 when it does not"}},
                .positionals = {file_positional()},
                .run = run_check});
}

}  // namespace gauze::cli
