#include <vector>

#include "gauze/base/utf8.h"
#include "gauze/text/documents/internal/document_form.h"
#include "gauze/text/documents/internal/line_reader.h"

namespace gauze::text::internal {
namespace {

class LineForm final : public DocumentForm {
 public:
  LineForm(Source source, SourceName name) : lines_(std::move(source), std::move(name)) {}

  Result<bool> next(std::string& document) override {
    TextLine line;
    GAUZE_TRY(const bool found, lines_.next(line));
    if (!found) return false;
    if (lines_.number() == 1 && line.text.starts_with(kByteOrderMark)) {
      line.text.erase(0, kByteOrderMark.size());
      mark_ = kByteOrderMark;
    }
    ends_.push_back(std::move(line.end));
    document = std::move(line.text);
    return true;
  }
  void begin_batch() override { ends_.clear(); }
  void append(std::string& text, std::size_t place, const std::string& document) override {
    text += document;
    text += ends_[place];
  }
  [[nodiscard]] std::string before() const override { return mark_; }

 private:
  LineReader lines_;
  std::vector<std::string> ends_;
  std::string mark_;
};

}  // namespace

std::unique_ptr<DocumentForm> make_line_form(Source source, SourceName name) {
  return std::make_unique<LineForm>(std::move(source), std::move(name));
}

}  // namespace gauze::text::internal
