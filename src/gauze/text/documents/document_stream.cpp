#include "gauze/text/documents/document_stream.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "gauze/base/utf8.h"
#include "gauze/text/documents/internal/document_form.h"
#include "gauze/text/vectors/internal/byte_reader.h"

namespace gauze::text {
namespace {

constexpr std::size_t kBeginning = std::size_t{1} << 18;
constexpr std::size_t kMostDocuments = 65'536;

class StandardInput final : public table::ByteSource {
 public:
  Result<std::size_t> read(std::span<char> block) override {
    for (;;) {
      const ::ssize_t got = ::read(STDIN_FILENO, block.data(), block.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return make_error(ErrorCode::io, "the standard input cannot be read");
    }
  }
};

/// What was read to find out the format, and then the rest.
class ResumedSource final : public table::ByteSource {
 public:
  ResumedSource(std::string beginning, internal::Source rest)
      : beginning_(std::move(beginning)), rest_(std::move(rest)) {}
  Result<std::size_t> read(std::span<char> block) override {
    if (place_ == beginning_.size()) return rest_->read(block);
    const std::size_t size = std::min(block.size(), beginning_.size() - place_);
    std::copy_n(beginning_.data() + place_, size, block.data());
    place_ += size;
    return size;
  }

 private:
  std::string beginning_;
  std::size_t place_ = 0;
  internal::Source rest_;
};

}  // namespace

DocumentStream::DocumentStream(std::unique_ptr<internal::DocumentForm> form, std::size_t batch_bytes)
    : form_(std::move(form)), batch_bytes_(batch_bytes) {}
DocumentStream::DocumentStream(DocumentStream&&) noexcept = default;
DocumentStream::~DocumentStream() = default;

Result<DocumentStream> DocumentStream::open(internal::Source source, std::string name, const Options& options) {
  if (!options.column)
    return DocumentStream(internal::make_line_form(std::move(source), std::move(name)), options.batch_bytes);
  std::string beginning(kBeginning, '\0');
  std::size_t size = 0;
  while (size < beginning.size()) {
    GAUZE_TRY(const std::size_t got, source->read(std::span(beginning).subspan(size)));
    if (got == 0) break;
    size += got;
  }
  const bool whole = size < beginning.size();
  beginning.resize(size);
  auto resumed = std::make_unique<ResumedSource>(beginning, std::move(source));
  std::string_view text = trimmed(beginning);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.starts_with('{'))
    return DocumentStream(internal::make_json_form(std::move(resumed), std::move(name), *options.column),
                          options.batch_bytes);
  GAUZE_TRY(auto form,
            internal::make_csv_form(std::move(resumed), std::move(name), *options.column, beginning, whole));
  return DocumentStream(std::move(form), options.batch_bytes);
}

Result<std::vector<std::string>> DocumentStream::next() {
  std::vector<std::string> documents;
  form_->begin_batch();
  std::size_t bytes = 0;
  std::string document;
  while (bytes <= batch_bytes_ && documents.size() < kMostDocuments) {
    GAUZE_TRY(const bool found, form_->next(document));
    if (!found) break;
    bytes += document.size();
    documents.push_back(std::move(document));
  }
  return documents;
}

std::string DocumentStream::heading() const { return form_->before(); }

std::string DocumentStream::with(const std::vector<std::string>& documents) {
  std::string text;
  if (!begun_) text = form_->before();
  begun_ = true;
  for (std::size_t i = 0; i < documents.size(); ++i) form_->append(text, i, documents[i]);
  return text;
}

Result<internal::Source> open_documents(const std::string& path) {
  if (path != "-") return internal::open_bytes(path);
  return internal::unpack(std::make_unique<StandardInput>(), "standard input");
}

}  // namespace gauze::text
