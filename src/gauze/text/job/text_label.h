#pragma once

#include "gauze/label/label.h"
#include "gauze/text/documents/document_stream.h"
#include "gauze/text/mechanisms/text_mechanism.h"
#include "gauze/text/sanitize/sanitize_policy.h"

namespace gauze::text {

/// Definition, metric, cost and what is promised for a text whose words a mechanism replaced. All of it is public: it follows
/// from vectors, parameters and public lists. As published: no guarantee, and why.
[[nodiscard]] PrivacyLabel mechanism_label(const TextMechanism& mechanism);

/// The same of sanitised documents, with how they were divided, what policies print besides the mechanism's output, the
/// columns around the text and the order of documents.
[[nodiscard]] PrivacyLabel text_label(const TextMechanism& mechanism, const SanitizePolicy& policy,
                                      const DocumentStream::Options& documents, bool shuffled);

}  // namespace gauze::text
