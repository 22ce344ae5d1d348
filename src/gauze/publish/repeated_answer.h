#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/label/label.h"
#include "gauze/label/warning.h"
#include "gauze/ledger/balance.h"

namespace gauze::publish {

/// The answer to a request that was answered before: what the ledger kept of it is given out once more. Nothing is charged and
/// nothing is drawn, so that asking again tells nothing new.
class RepeatedAnswer {
 public:
  /// None unless the refusal is one of a request whose release is recorded.
  [[nodiscard]] static std::optional<RepeatedAnswer> of(const Refusal& refusal);

  /// Puts output and label where they are wanted. An output that the ledger did not keep must lie there already, with its digest;
  /// only its label is then written, where it is missing. `io` says what became of an output that cannot be given again: lost, or
  /// written in another format than the name of the file asks for.
  [[nodiscard]] Result<void> write_to(const std::string& output) const;
  /// The output as text, for what goes to no file: `io` where it was not kept, or is no text.
  [[nodiscard]] Result<std::string> text() const;

  /// None where the request was committed by hand.
  [[nodiscard]] Result<std::optional<PrivacyLabel>> label() const;
  /// That it is the same answer, and under which entry it was charged.
  [[nodiscard]] Warning warning() const;
  /// {"repeated","entry","output_sha256","answer","label"}; the answer is null unless it is given here.
  [[nodiscard]] Result<Json> to_json(const std::optional<std::string>& answer) const;

 private:
  explicit RepeatedAnswer(RequestRecord record) : record_(std::move(record)) {}
  [[nodiscard]] Result<void> write_label_to(const std::string& output) const;
  [[nodiscard]] tl::unexpected<Error> lost(std::string_view why) const;

  RequestRecord record_;
};

}  // namespace gauze::publish
