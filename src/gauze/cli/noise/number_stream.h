#pragma once

#include <optional>
#include <string_view>

#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/publishing.h"

namespace gauze::cli {

/// Takes numbers to where a command line wants them while they are drawn, so that memory does not grow with them: one a line
/// to -o or to stdout, and with --json as the last key but the label of a document on stdout.
///
/// A file appears whole, with its label, at finish(). What goes to stdout goes as it comes: the label is on its way to stderr
/// before the first number, so that a run that is stopped has said what it cost.
class NumberStream {
 public:
  /// `document` is what stands before the numbers, which are an array of the name `key`.
  [[nodiscard]] static Result<NumberStream> begin(Invocation& invocation, publish::Publication& publication,
                                                  Json document, std::string_view key, PrivacyLabel label);

  /// Whether the numbers are seen on a terminal as they come: then there is no place for a bar beside them.
  [[nodiscard]] bool is_seen() const;
  /// Whole lines, one number each.
  [[nodiscard]] Result<void> add(std::string_view lines);
  [[nodiscard]] Result<int> finish();

 private:
  NumberStream(Invocation& invocation, publish::Publication& publication, PrivacyLabel label)
      : invocation_(&invocation), label_(std::move(label)), publication_(&publication) {}
  void add_to_document(std::string_view lines);
  /// To stdout: at once, or after the commit where the answer is kept for a request.
  void show(std::string_view text);
  [[nodiscard]] int indent() const { return invocation_->out_is_terminal() ? 2 : 0; }

  Invocation* invocation_;
  PrivacyLabel label_;
  publish::Publication* publication_;
  std::vector<publish::LabelledOutput> file_;  ///< one, or none
  std::string kept_;                           ///< without a file: the first lines, for a request that is asked again
  std::string held_;                           ///< what is to be shown after the commit
  bool empty_ = true;
};

}  // namespace gauze::cli
