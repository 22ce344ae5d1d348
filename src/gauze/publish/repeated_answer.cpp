#include "gauze/publish/repeated_answer.h"

#include <fmt/core.h>

#include <filesystem>

#include "gauze/base/utf8.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/compression.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/label/label_file.h"
#include "gauze/publish/labelled_output.h"

namespace gauze::publish {
namespace {

/// Whether bytes that were written under one name are what the other name promises. What went to no file was plain text.
bool is_same_format(const std::string& one, const std::string& other) {
  const auto is_parquet = [](const std::string& name) { return name.ends_with(".parquet"); };
  return is_parquet(one) == is_parquet(other) && compression_of_name(one) == compression_of_name(other);
}

}  // namespace

std::optional<RepeatedAnswer> RepeatedAnswer::of(const Refusal& refusal) {
  if (!refusal.request || !refusal.request->is_committed()) return std::nullopt;
  return RepeatedAnswer(*refusal.request);
}

tl::unexpected<Error> RepeatedAnswer::lost(std::string_view why) const {
  const std::string& digest = record_.outcome.output_sha256;
  return make_error(ErrorCode::io,
                    "this request was answered before (entry {}), and its output {}: nothing is charged or drawn{}",
                    record_.entry, why, digest.empty() ? "" : "; its SHA-256 is " + digest);
}

Result<void> RepeatedAnswer::write_label_to(const std::string& output) const {
  GAUZE_TRY(PrivacyLabel label, PrivacyLabel::parse(record_.outcome.label));
  label.released.file = std::filesystem::path(output).filename().string();
  const std::string path = label_path_for(output);
  if (const auto there = read_label_file(path); there && there->released.sha256 == label.released.sha256) return {};
  return write_file(path, label.to_json().dump(2) + "\n");
}

Result<void> RepeatedAnswer::write_to(const std::string& output) const {
  const Outcome& outcome = record_.outcome;
  if (!outcome.answer || outcome.label.empty()) {
    const auto digest = sha256_of_file(output);
    if (!digest || *digest != outcome.output_sha256)
      return lost(fmt::format("is not in '{}', nor did the ledger keep it", output));
    return outcome.label.empty() ? Result<void>() : write_label_to(output);
  }
  GAUZE_TRY(PrivacyLabel label, PrivacyLabel::parse(outcome.label));
  const std::string& before = label.released.file;
  if (!is_same_format(before, output))
    return lost(
        fmt::format("was written as '{}', in another format than '{}'", before.empty() ? "-" : before, output));
  GAUZE_TRY(LabelledOutput file, LabelledOutput::create(output));
  GAUZE_TRY_VOID(file.write(*outcome.answer));
  return file.commit(label);
}

Result<std::string> RepeatedAnswer::text() const {
  const auto& answer = record_.outcome.answer;
  if (!answer) return lost("was not kept by the ledger");
  if (find_invalid_utf8(*answer)) return lost("is no text: it can be written to a file alone");
  return *answer;
}

Result<std::optional<PrivacyLabel>> RepeatedAnswer::label() const {
  if (record_.outcome.label.empty()) return std::nullopt;
  GAUZE_TRY(PrivacyLabel label, PrivacyLabel::parse(record_.outcome.label));
  return label;
}

Warning RepeatedAnswer::warning() const {
  const std::string& digest = record_.outcome.output_sha256;
  return Warning::of_privacy(
      "repeated_request",
      fmt::format(
          "this request was answered before (entry {}): nothing is charged or drawn, this is the same answer{}",
          record_.entry, digest.empty() ? "" : "; its output has the SHA-256 " + digest));
}

Result<Json> RepeatedAnswer::to_json(const std::optional<std::string>& answer) const {
  const Outcome& outcome = record_.outcome;
  Json label;
  if (!outcome.label.empty()) {
    GAUZE_TRY(label, read_json(outcome.label));
  }
  return Json::object({{"repeated", true},
                       {"entry", record_.entry},
                       {"output_sha256", outcome.output_sha256.empty() ? Json() : Json(outcome.output_sha256)},
                       {"answer", answer ? Json(*answer) : Json()},
                       {"label", std::move(label)}});
}

}  // namespace gauze::publish
