#include "gauze/text/documents/document_stream.h"

#include <algorithm>

#include "gauze/base/utf8.h"
#include "gauze/files/find_files.h"
#include "gauze/files/standard_input.h"
#include "gauze/text/documents/html_text.h"
#include "gauze/text/documents/internal/decoded_source.h"
#include "gauze/text/vectors/internal/byte_reader.h"

namespace gauze::text {
namespace {

constexpr std::size_t kBeginning = std::size_t{1} << 18;
constexpr std::size_t kMostDocuments = 65'536;

}  // namespace

DocumentStream::DocumentStream(std::unique_ptr<internal::DocumentForm> form, table::Encoding encoding,
                               const Options& options)
    : form_(std::move(form)),
      encoding_(encoding),
      batch_bytes_(options.batch_bytes),
      strip_html_(options.strip_html) {}
DocumentStream::DocumentStream(DocumentStream&&) noexcept = default;
DocumentStream::~DocumentStream() = default;

Result<DocumentStream> DocumentStream::open(internal::Source bytes, std::string name, const Options& options) {
  GAUZE_TRY(auto decoded, internal::decode_source(std::move(bytes), name, options.encoding));
  auto& [source, encoding] = decoded;
  internal::SourceName called{std::move(name), options.unnumbered_line, encoding};
  if (!options.column)
    return DocumentStream(internal::make_line_form(std::move(source), std::move(called)), encoding, options);
  std::string beginning(kBeginning, '\0');
  GAUZE_TRY(const std::size_t size, read_fully(*source, beginning));
  const bool whole = size < beginning.size();
  beginning.resize(size);
  if (beginning.starts_with("PAR1"))
    return make_error(ErrorCode::bad_data, "{}: Parquet is not read here: write it as CSV or JSON lines first",
                      called.name);
  std::string mark;
  if (beginning.starts_with(kByteOrderMark)) {
    mark = kByteOrderMark;
    beginning.erase(0, mark.size());
  }
  auto resumed = std::make_unique<internal::ResumedSource>(beginning, std::move(source));
  std::unique_ptr<internal::DocumentForm> form;
  if (trimmed(beginning).starts_with('{')) {
    form = internal::make_json_form(std::move(resumed), std::move(called), *options.column);
  } else {
    const internal::CsvLayout layout{*options.column, options.delimiter};
    GAUZE_TRY(form, internal::make_csv_form(std::move(resumed), std::move(called), layout, beginning, whole));
  }
  DocumentStream stream(std::move(form), encoding, options);
  stream.mark_ = std::move(mark);
  return stream;
}

Result<std::vector<std::string>> DocumentStream::next() {
  std::vector<std::string> documents;
  form_->begin_batch();
  std::size_t bytes = 0;
  std::string document;
  while (bytes <= batch_bytes_ && documents.size() < kMostDocuments) {
    GAUZE_TRY(const bool found, form_->next(document));
    if (!found) break;
    if (strip_html_) document = text_of_html(document);
    bytes += document.size();
    documents.push_back(std::move(document));
  }
  return documents;
}

std::string DocumentStream::heading() const { return mark_ + form_->before(); }

std::string DocumentStream::names() const {
  std::string line = form_->before();
  line.erase(std::min(line.find_last_not_of("\r\n") + 1, line.size()));
  return line;
}

std::string DocumentStream::with(const std::vector<std::string>& documents) {
  std::string text;
  if (!begun_) text = heading();
  begun_ = true;
  for (std::size_t i = 0; i < documents.size(); ++i) form_->append(text, i, documents[i]);
  return text;
}

Result<std::vector<std::string>> document_files(const std::vector<std::string>& sources) {
  std::vector<std::string> files;
  for (const std::string& source : sources) {
    GAUZE_TRY(const std::vector<std::string> found, find_files(source));
    files.insert(files.end(), found.begin(), found.end());
  }
  if (files.empty()) files.emplace_back("-");
  return files;
}

Result<std::vector<std::string>> read_documents(const std::string& source, const DocumentStream::Options& options) {
  GAUZE_TRY(const std::vector<std::string> files, document_files({source}));
  std::vector<std::string> all;
  for (const std::string& file : files) {
    GAUZE_TRY(auto bytes, open_input(file));
    GAUZE_TRY(DocumentStream stream, DocumentStream::open(std::move(bytes), file, options));
    for (bool more = true; more;) {
      GAUZE_TRY(std::vector<std::string> documents, stream.next());
      more = !documents.empty();
      std::move(documents.begin(), documents.end(), std::back_inserter(all));
    }
  }
  return all;
}

}  // namespace gauze::text
