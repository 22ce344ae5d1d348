#include "gauze/text/documents/document_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::text {
namespace {

using testing::HasSubstr;

/// The file with every document between brackets.
Result<std::string> bracketed(const std::string& text, std::optional<std::string> column,
                              std::size_t batch = 1 << 20) {
  DocumentStream::Options options;
  options.column = std::move(column);
  options.batch_bytes = batch;
  GAUZE_TRY(DocumentStream stream, DocumentStream::open(std::make_unique<table::TextSource>(text), "t", options));
  std::string result;
  for (;;) {
    GAUZE_TRY(std::vector<std::string> documents, stream.next());
    if (documents.empty()) break;
    for (std::string& one : documents) one = "[" + one + "]";
    result += stream.with(documents);
  }
  return result + stream.with({});
}

TEST(DocumentStream, LinesKeepTheirEnds) {
  for (const std::size_t batch : {0U, 3U, 1000U}) {
    EXPECT_EQ(*bracketed("one\ntwo\r\n\nthree", {}, batch), "[one]\n[two]\r\n[]\n[three]");
    EXPECT_EQ(*bracketed("", {}, batch), "");
    EXPECT_EQ(*bracketed("\xEF\xBB\xBF"
                         "a\n",
                         {}, batch),
              "\xEF\xBB\xBF[a]\n");
  }
  EXPECT_THAT(bracketed("ok\n\xFF\n", {}).error().message, HasSubstr("line 2"));
}

TEST(DocumentStream, AColumnOfCsvOrTsv) {
  EXPECT_EQ(*bracketed("id,text\n1,\"a, b\"\n2,c\n", "text"), "id,text\n1,\"[a, b]\"\n2,[c]\n");
  EXPECT_EQ(*bracketed("label\tsentence\n1\tgood \"film\"\n0\tbad\n", "sentence", 0),
            "label\tsentence\n1\t\"[good \"\"film\"\"]\"\n0\t[bad]\n");
  EXPECT_EQ(*bracketed("id,text\n", "text"), "id,text\n");
  EXPECT_EQ(bracketed("id,text\n1,a\n", "words").error().code, ErrorCode::unknown_column);
  EXPECT_EQ(bracketed("id,text\n1\n", "text").error().code, ErrorCode::bad_data);
  EXPECT_EQ(bracketed("text,text\n1,a\n", "text").error().code, ErrorCode::unknown_column) << "which one?";
}

TEST(DocumentStream, ColumnsKeepMarkAndLineEnds) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::size_t batch : {0U, 1000U}) {
    EXPECT_EQ(*bracketed("id,text\r\n1,a\r\n2,\"b\r\nc\"\r\n", "text", batch),
              "id,text\r\n1,[a]\r\n2,\"[b\r\nc]\"\r\n");
    EXPECT_EQ(*bracketed("id,text\r1,a\r", "text", batch), "id,text\r1,[a]\r");
    EXPECT_EQ(*bracketed(mark + "\"text\",id\r\na,1\r\n", "text", batch), mark + "text,id\r\n[a],1\r\n");
    EXPECT_EQ(*bracketed(mark + "{\"text\":\"a\"}\r\n{\"text\":\"b\"}\n", "text", batch),
              mark + "{\"text\":\"[a]\"}\r\n{\"text\":\"[b]\"}\n");
  }
  const auto stream =
      DocumentStream::open(std::make_unique<table::TextSource>(mark + "id,text\r\n"), "t", {.column = "text"});
  ASSERT_TRUE(stream);
  EXPECT_EQ(stream->heading(), mark + "id,text\r\n");
  EXPECT_EQ(stream->names(), "id,text");
}

TEST(DocumentStream, AColumnOfJsonLines) {
  EXPECT_EQ(*bracketed("{\"text\":\"a\",\"n\":1}\n{\"n\":2,\"text\":null}\n", "text"),
            "{\"text\":\"[a]\",\"n\":1}\n{\"n\":2,\"text\":null}\n");
  const std::string kept =
      "{ \"big\" : 12345678901234567890123, \"o\":{\"text\":\"no\"}, \"x\":[{\"text\":1}], \"te\\u0078t\":";
  EXPECT_EQ(*bracketed(kept + "\"a \\\"b\" ,\"f\":1.00000000000000000001}\r\n", "text"),
            kept + "\"[a \\\"b]\" ,\"f\":1.00000000000000000001}\r\n")
      << "everything else stays to the byte";
  EXPECT_EQ(bracketed("{\"text\":\"a\",\"text\":\"b\"}\n", "text").error().code, ErrorCode::bad_data);
  EXPECT_EQ(bracketed("{\"n\":1}\n", "text").error().code, ErrorCode::unknown_column);
  EXPECT_EQ(bracketed("{\"text\":1}\n", "text").error().code, ErrorCode::bad_data);
  EXPECT_THAT(bracketed("{\"text\":\"a\"}\n{\n", "text").error().message, HasSubstr("line 2"));
}

}  // namespace
}  // namespace gauze::text
