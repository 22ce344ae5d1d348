#include "gauze/text/documents/document_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace document_stream_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The file with every document between brackets.
Result<std::string> bracketed(const std::string& text, const DocumentStream::Options& options) {
  GAUZE_TRY(DocumentStream stream, DocumentStream::open(std::make_unique<TextSource>(text), "t", options));
  std::string result;
  for (;;) {
    GAUZE_TRY(std::vector<std::string> documents, stream.next());
    if (documents.empty()) break;
    for (std::string& one : documents) one = "[" + one + "]";
    result += stream.with(documents);
  }
  return result + stream.with({});
}

Result<std::string> bracketed(const std::string& text, std::optional<std::string> column,
                              std::size_t batch = 1 << 20) {
  DocumentStream::Options options;
  options.column = std::move(column);
  options.batch_bytes = batch;
  return bracketed(text, options);
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
  EXPECT_THAT(bracketed("ok\n\xFF\n", std::nullopt).error().message, HasSubstr("line 2"));
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

/// Refused, with a message that has these words.
void expect_refused(const std::string& text, const std::string& words) {
  for (const std::size_t batch : {0U, 1000U}) {
    const auto result = bracketed(text, "text", batch);
    ASSERT_FALSE(result) << text << " became " << *result;
    EXPECT_EQ(result.error().code, ErrorCode::bad_data);
    EXPECT_THAT(result.error().message, AllOf(HasSubstr(words), Not(HasSubstr("Zorro"))));
  }
}

// Lines of a text that are taken for records of their own would be printed, up to the first delimiter, as they are.
TEST(DocumentStream, NoLineOfAQuotedTextIsTakenForARecord) {
  expect_refused("id,text\n1,the nurse\n2,\"the doctor.\nZorro has cancer, she said.\nXenia has it, he said.",
                 "line 3 opens a quote that is never closed");
  expect_refused("id,text\n1,\"Hello\" he said\n2,\"the doctor\nZorro has cancer, she said\"\n",
                 "line 2 has text after a closing quote");
  expect_refused("text\n\"good\" Zorro\nbad\n", "line 2 has text after a closing quote");
  expect_refused("id\ttext\n1\t\"good\" Zorro\n0\t\"bad\n", "line 2 has text after a closing quote");
}

TEST(DocumentStream, NorBehindTheBeginningThatWasLookedAt) {
  std::string sound = "id,text\n";
  while (sound.size() < (1U << 20)) sound += "1,\"the nurse, the doctor\"\n";
  ASSERT_TRUE(bracketed(sound, "text"));
  expect_refused(sound + "2,\"the doctor.\nZorro has cancer, she said.\n", "never closed");
  expect_refused(sound + "2,\"the\" doctor.\nZorro has cancer, she said.\n", "text after a closing quote");
}

TEST(DocumentStream, AnApostropheMayBeAQuote) {
  const std::string words = "begins with a quote and may end in another line";
  expect_refused("id,text\n1,a\n2,'the doctor.\nZorro has cancer, she said'\n3,b\n", words);
  expect_refused("id,text\n1,a\n2, 'the doctor.\nZorro has cancer, she said", words);
  expect_refused("id,text\n1,'they said ''no''\nZorro has cancer, she said'\n2,a\n3,b\n4,c\n", words);
  EXPECT_EQ(*bracketed("id,text\n1,'a, b'\n2,'c\nd'\n", "text"), "id,text\n1,\"[a, b]\"\n2,\"[c\nd]\"\n");
  expect_refused("id,text\n1,'a'\n2,'b'\n3,\"the doctor.\n", "line 4");
  std::string single = "id,text\n";
  while (single.size() < (1U << 20)) single += "1,'the nurse, the doctor'\n";
  expect_refused(single + "2,\"the doctor.\nZorro has cancer, she said\"\n", words);
}

TEST(DocumentStream, AnApostropheMayBeginAText) {
  EXPECT_EQ(*bracketed("id,text\n1,\"a, b\"\n2,'tis good\n", "text"), "id,text\n1,\"[a, b]\"\n2,['tis good]\n");
  EXPECT_EQ(*bracketed("text\n'tis good\n", "text"), "text\n['tis good]\n") << "there is no other column";
  EXPECT_EQ(*bracketed("text\tid\n'tis good\t1\n", "text"), "text\tid\n['tis good]\t1\n");
  EXPECT_EQ(*bracketed("id,text\n1,'a'\n2,it's\n", "text"), "id,text\n1,['a']\n2,[it's]\n");
}

TEST(DocumentStream, ABackslashMayHideTheEndOfACell) {
  const std::string words = "has a cell that ends with a backslash";
  expect_refused("id,text\n1,\"5\\\"\nZorro has cancer, she said\"\n", words);
  expect_refused("id,text\n1,the doctor\\\nZorro\\, she said\n", words);
  EXPECT_EQ(*bracketed("id,text\n1,a\\\\\n2,\\b\n", "text"), "id,text\n1,[a\\\\]\n2,[\\b]\n");
}

// What is written can be read again: cells keep the quotes they need.
TEST(DocumentStream, CellsAreWrittenAsTheyCanBeRead) {
  const auto copied = [](const std::string& text, std::optional<char> delimiter) {
    DocumentStream::Options options;
    options.column = "text";
    options.delimiter = delimiter;
    auto stream = DocumentStream::open(std::make_unique<TextSource>(text), "t", options).value();
    const auto documents = stream.next().value();
    return stream.with(documents);
  };
  EXPECT_EQ(copied("\"id\",text\n1,'tis\n", {}), "id,text\n1,\"'tis\"\n");
  EXPECT_EQ(copied("id text\n1 \"\"\n2 a\n", ' '), "id text\n1 \"\"\n2 a\n");
  EXPECT_EQ(copied("text\n\"\"\na\n", {}), "text\n\"\"\na\n");
}

TEST(DocumentStream, TakesAGivenDelimiter) {
  DocumentStream::Options options;
  options.column = "text";
  EXPECT_EQ(bracketed("id#text\n1#a, b\n", options).error().code, ErrorCode::unknown_column);
  options.delimiter = '#';
  EXPECT_EQ(*bracketed("id#text\n1#a, b\n2#\"c#d\"\n", options), "id#text\n1#[a, b]\n2#\"[c#d]\"\n");
}

// Of a release the owner alone may know which line it is.
TEST(DocumentStream, TellsWhatIsWrongWithoutTheLine) {
  DocumentStream::Options options;
  options.column = "text";
  options.unnumbered_line = "some line";
  const auto message = [&](const std::string& text) { return bracketed(text, options).error().message; };
  EXPECT_EQ(message(""), "t: the file is empty");
  EXPECT_EQ(message("\n\n"), "t: the file is empty");
  EXPECT_EQ(message("{\"text\":5}\n"), "t: some line holds neither a string nor null under the key text");
  EXPECT_EQ(message("{\"text\":\"a\"\n"), "t: some line is no JSON object");
  EXPECT_EQ(message("id,text\n1,\"a"), "t: some line opens a quote that is never closed");
  EXPECT_EQ(message("id,text\n1,\xFF\n"), "t: some line is not text in UTF-8: mend it, or say which encoding it has");
  EXPECT_EQ(message("id,text\n1\n"), "t: some line has more or fewer cells than the first line");
  EXPECT_EQ(message("PAR1"), "t: Parquet is not read here: write it as CSV or JSON lines first");
  options.column.reset();
  EXPECT_EQ(message("a\n\xFF\n"), "t: some line is not text in UTF-8: mend it, or say which encoding it has");
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
      DocumentStream::open(std::make_unique<TextSource>(mark + "id,text\r\n"), "t", {.column = "text"});
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

// Values of other keys stay as they are; whether they could be converted does not matter.
TEST(DocumentStream, OtherKeysMayHoldAnything) {
  const std::string digits(5000, '7');
  std::vector<std::string> values = {
      "1e400",       "-1E+999999",         "0.1e-400", "-" + digits, digits + "." + digits,
      "\"\\ud83d\"", "[{\"text\":1e999}]", "-0.0"};
  values.push_back(std::string(200'000, '[') + std::string(200'000, ']'));
  for (const std::string& value : values)
    EXPECT_EQ(*bracketed("{\"n\":" + value + ",\"text\":\r\"a\"}\n", "text"),
              "{\"n\":" + value + ",\"text\":\r\"[a]\"}\n");
}

TEST(DocumentStream, RefusesWhatIsNoJson) {
  for (const char* value :
       {"01",     "1.",      ".5",          "+1",     "1e",         "1e+", "-", "--1",    "1-2", "1 2", "NaN",
        "1e400x", "\"\\x\"", "\"\\u12g4\"", "\"\t\"", "\"a\"\"b\"", "\"a", "[", "[1e400", "]",   "tru", ""})
    EXPECT_THAT(bracketed(std::string("{\"text\":\"a\",\"n\":") + value + "}\n", "text").error().message,
                HasSubstr("line 1 is no JSON object"))
        << value;
  EXPECT_EQ(bracketed("{\"text\":\"\\ud83d\"}\n", "text").error().code, ErrorCode::bad_data) << "half a character";
  EXPECT_EQ(bracketed("{\"text\":\"a\"}\n[1]\n", "text").error().code, ErrorCode::bad_data);
}

TEST(DocumentFiles, AreThoseThatPathsAndGlobsNameOrTheStandardInput) {
  const testing::TemporaryFolder folder;
  const std::string one = folder.file("b.txt", "1"), two = folder.file("a.txt", "2");
  EXPECT_THAT(*document_files({one, folder.file("*.txt")}), ::testing::ElementsAre(one, two, one));
  EXPECT_THAT(*document_files({}), ::testing::ElementsAre("-"));
  const std::string absent = folder.file("absent.txt");
  EXPECT_THAT(*document_files({absent}), ::testing::ElementsAre(absent))
      << "whoever opens it says that it is not there";
  EXPECT_EQ(read_documents(absent, {}).error().code, ErrorCode::io);
}

TEST(DocumentFiles, AreReadAtOnce) {
  const testing::TemporaryFolder folder;
  const std::string one = folder.file("1.csv", "id,t\n1,one\n2,\"two, 2\"\n");
  const std::string two = folder.file("2.csv", "t,id\nthree,3\n");
  EXPECT_THAT(*read_documents(folder.file("*.csv"), {.column = "t", .batch_bytes = 1}),
              ::testing::ElementsAre("one", "two, 2", "three"));
  EXPECT_THAT(*read_documents(two, {.column = "id"}), ::testing::ElementsAre("3"));
  EXPECT_EQ(read_documents(one, {.column = "u"}).error().code, ErrorCode::unknown_column);
  EXPECT_THAT(*read_documents(folder.file("e.txt", ""), {}), ::testing::IsEmpty());
}

}  // namespace document_stream_test
}  // namespace gauze::text
