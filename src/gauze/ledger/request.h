#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "gauze/base/error.h"

namespace gauze {

/// The name a caller gives to a request on one dataset, so that asking twice is not charged, and never drawn, twice.
struct RequestId {
  std::string id;      ///< 1 to 200 bytes of printable text
  std::string digest;  ///< SHA-256 of all that was asked, in 64 hexadecimal digits; of nothing private
};

/// What a release gave out. Label and answer are kept beside the entry that records it, which holds their digests.
struct Outcome {
  std::string label = {};                  ///< the label's text; empty: none
  std::string output_sha256 = {};          ///< of the output, in 64 hexadecimal digits; empty: none
  std::optional<std::string> answer = {};  ///< the output itself, where it is to be given again
};

/// The largest label and the largest answer that are kept, in bytes.
inline constexpr std::size_t kLargestKept = 1U << 20U;

/// A request that the ledger knows.
struct RequestRecord {
  std::string digest;
  std::int64_t entry = 0;         ///< the charge: a reservation, or a spend
  std::int64_t committed_by = 0;  ///< the entry that records the release, a spend its own; 0: not finished
  Outcome outcome;                ///< of a finished one

  [[nodiscard]] bool is_committed() const { return committed_by != 0; }
};

/// `invalid_parameter` names the rule that an id or a digest breaks.
[[nodiscard]] Result<void> check_request(const RequestId& request);
/// Whether the ledger can keep it: digests are digests, the label is UTF-8 text, neither is too large.
[[nodiscard]] Result<void> check_outcome(const Outcome& outcome);

}  // namespace gauze
