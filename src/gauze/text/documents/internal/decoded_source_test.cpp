#include "gauze/text/documents/internal/decoded_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/base/utf8.h"
#include "gauze/text/documents/document_stream.h"

namespace gauze::text {
namespace decoded_source_test {

using table::Encoding;
using ::testing::HasSubstr;

const std::string kChinese = "今天的电影很好看，我们都喜欢。\n明天再去医院。\n";

/// Bytes that outlive the source.
class Bytes final : public ByteSource {
 public:
  explicit Bytes(std::string text) : text_(std::move(text)), source_(text_) {}
  Result<std::size_t> read(std::span<char> block) override { return source_.read(block); }

 private:
  std::string text_;
  TextSource source_;
};

class DecodedDocuments : public ::testing::Test {
 protected:
  /// Everything that is read, written back in the encoding it came in; or the message of the refusal.
  std::string round(const std::string& bytes, DocumentStream::Options options = {}) {
    auto stream = DocumentStream::open(std::make_unique<Bytes>(bytes), "t", options);
    if (!stream) return stream.error().message;
    std::string text;
    for (bool more = true; more;) {
      auto documents = stream->next();
      if (!documents) return documents.error().message;
      more = !documents->empty();
      for (const std::string& document : *documents) EXPECT_FALSE(find_invalid_utf8(document));
      read_.insert(read_.end(), documents->begin(), documents->end());
      text += stream->with(*documents);
    }
    encoding_ = stream->encoding();
    return *table::encode(text, encoding_);
  }
  std::vector<std::string> read_;
  Encoding encoding_ = Encoding::utf8;
};

TEST_F(DecodedDocuments, AreWrittenBackAsTheyCame) {
  const std::string gb = *table::encode(kChinese, Encoding::gb18030);
  EXPECT_EQ(round(gb), gb);
  EXPECT_EQ(encoding_, Encoding::gb18030);
  EXPECT_EQ(read_[1], "明天再去医院。");
  for (const Encoding wide : {Encoding::utf16le, Encoding::utf16be}) {
    const std::string marked = *table::encode(std::string(kByteOrderMark) + kChinese, wide);
    EXPECT_EQ(round(marked), marked) << "with its mark";
    EXPECT_EQ(encoding_, wide);
  }
  EXPECT_EQ(round(kChinese), kChinese);
  EXPECT_EQ(round(std::string(kByteOrderMark) + kChinese), std::string(kByteOrderMark) + kChinese);
  const std::string table = *table::encode("编号,文本\n1,今天的电影很好看\n", Encoding::gb18030);
  EXPECT_EQ(round(table, {.column = "文本"}), table);
}

TEST_F(DecodedDocuments, AreReadAsTheirOwnerSays) {
  EXPECT_EQ(round("caf\xE9\n", {.encoding = "latin-1"}), "caf\xE9\n");
  EXPECT_EQ(read_.at(0), "café");
  EXPECT_THAT(round(kChinese, {.encoding = "klingon"}), HasSubstr("encoding must be"));
}

TEST_F(DecodedDocuments, ThatAreDamagedAreRefusedWithTheirLine) {
  EXPECT_EQ(round("caf\xE9\n"), "t: line 1 is not text in UTF-8: mend it, or say which encoding it has");
  EXPECT_THAT(round(kChinese + "\xFF\n"), HasSubstr("line 3 is not text in UTF-8"));
  const std::string gb = *table::encode(kChinese, Encoding::gb18030);
  EXPECT_THAT(round(gb + "\xB5\n", {.encoding = "gb18030"}), HasSubstr("line 3 is not text in gb18030"));
  EXPECT_THAT(round(gb, {.encoding = "utf-8"}), HasSubstr("line 1 is not text in UTF-8"));
}

TEST_F(DecodedDocuments, MayBeginWithALotOfAscii) {
  // The encoding is found out of the beginning, which says nothing here: the line is named, and its owner says the rest.
  const std::string text = std::string(1 << 19, 'a') + "\n" + *table::encode(kChinese, Encoding::gb18030);
  EXPECT_THAT(round(text), HasSubstr("line 2 is not text in UTF-8"));
  EXPECT_EQ(round(text, {.encoding = "gb18030"}), text);
}

}  // namespace decoded_source_test
}  // namespace gauze::text
