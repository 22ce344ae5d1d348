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

/// What the label of a sanitised text says of how it was made.
struct LabelledText {
  MechanismKind mechanism = MechanismKind::santext;
  bool as_published = false;
  Rational epsilon;
  Language language = Language::automatic;
  bool strip_html = false;
  std::vector<std::pair<const NamedPolicy*, TokenPolicy>> policies = {};  ///< those that it tells
};
/// `bad_data` when it is the label of something else; `invalid_parameter` for lines in a random order, which nobody can put beside their
/// originals.
[[nodiscard]] Result<LabelledText> read_text_label(const PrivacyLabel& label);
/// Whether the text with this label was made by this mechanism, with these vectors and parameters: `invalid_parameter` names what
/// is different, with both values.
[[nodiscard]] Result<void> check_made_by(const PrivacyLabel& label, const TextMechanism& mechanism);

}  // namespace gauze::text
