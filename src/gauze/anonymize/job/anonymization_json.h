#pragma once
// What the room has found, for programs (docs/formats/json-output.md). All of it is the owner's.

#include <string>

#include "gauze/anonymize/inspect/inspection.h"
#include "gauze/anonymize/job/anonymization.h"
#include "gauze/anonymize/job/verification.h"
#include "gauze/files/json.h"

namespace gauze::anonymize {

/// Of `anonymize`, but for its times and its label.
[[nodiscard]] Json to_json(const TableRecords& table, const schema::Policy& policy, const Anonymization& result);
/// Of `check`; `comparison` says in words what t, delta and beta compare a class with.
[[nodiscard]] Json to_json(const Verification& found, const std::string& comparison);
/// Of `inspect`.
[[nodiscard]] Json to_json(const Inspection& found);

}  // namespace gauze::anonymize
