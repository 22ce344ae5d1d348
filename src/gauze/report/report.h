#pragma once

#include <string>
#include <string_view>

namespace gauze {

/// A self-contained HTML page that shows the document: one file that asks the network for nothing.
///
/// The document is the JSON text of docs/formats/evaluation.md, as Json::dump writes it. It is embedded as data: no
/// value in it can end the element that holds it or run as code, whatever it is, and the page's own policy forbids
/// every script but the one it came with. The page is as private as its document; it adds nothing to it.
///
/// Thread safety: may be called concurrently.
[[nodiscard]] std::string render_report(std::string_view document_json);

}  // namespace gauze
