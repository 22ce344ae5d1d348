#include "gauze/cli/noise/number_stream.h"

#include <utility>

#include "gauze/cli/core/output_places.h"

namespace gauze::cli {

Result<NumberStream> NumberStream::begin(Invocation& invocation, publish::Publication& publication, Json document,
                                         std::string_view key, PrivacyLabel label) {
  GAUZE_TRY_VOID(publication.open(label));
  NumberStream stream(invocation, publication, std::move(label));
  if (const auto output = invocation.optional_text("output"); output && *output != "-") {
    GAUZE_TRY(publish::LabelledOutput file, open_output(invocation, *output));
    stream.file_.push_back(std::move(file));
  }
  if (invocation.json()) {
    const std::string text = document.set(key, Json::array()).dump(stream.indent());
    stream.show(text.substr(0, text.rfind(']')));
  } else if (stream.file_.empty() && !invocation.quiet()) {
    invocation.err().write(stream.label_.to_text(invocation.columns()));
  }
  return stream;
}

bool NumberStream::is_seen() const {
  return invocation_->out_is_terminal() && (invocation_->json() || file_.empty());
}

Result<void> NumberStream::add(std::string_view lines) {
  if (!file_.empty()) {
    GAUZE_TRY_VOID(file_.front().write(lines));
  } else if (kept_.size() <= kLargestKept) {
    kept_ += lines;
  }
  if (invocation_->json()) {
    add_to_document(lines);
  } else if (file_.empty()) {
    show(lines);
  }
  return invocation_->out().failed() ? invocation_->out().flush() : Result<void>{};
}

void NumberStream::add_to_document(std::string_view lines) {
  const std::string_view separator = indent() == 0 ? "," : ", ";
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    if (!empty_) text += separator;
    text += lines.substr(0, end);
    lines.remove_prefix(end + 1);
    empty_ = false;
  }
  show(text);
}

void NumberStream::show(std::string_view text) {
  // An answer that can be given again is committed before it is seen: whoever stops reading half way can ask once more.
  const bool is_held = invocation_->has("request") && file_.empty() && kept_.size() <= kLargestKept;
  if (is_held) {
    held_ += text;
    return;
  }
  invocation_->out().write(std::exchange(held_, {}));
  invocation_->out().write(text);
}

Result<int> NumberStream::finish() {
  if (file_.empty()) publication_->keep_answer(kept_);
  GAUZE_TRY_VOID(gauze::cli::finish(*invocation_, *publication_, label_, file_));
  invocation_->out().write(held_);
  if (!file_.empty()) invocation_->note(wrote_with_label(*invocation_->optional_text("output")));
  if (invocation_->json()) {
    const std::string rest = Json::object({{"ledger", publication_->to_json()},
                                           {"label", label_.to_json()},
                                           {"warnings", to_json(invocation_->warnings())}})
                                 .dump(indent());
    invocation_->out().write("]," + rest.substr(1) + "\n");
  }
  return 0;
}

}  // namespace gauze::cli
