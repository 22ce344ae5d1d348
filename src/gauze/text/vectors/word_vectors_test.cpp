#include "gauze/text/vectors/word_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <limits>

#include "gauze/text/testing/small_vocabularies.h"
#include "gauze/text/vectors/internal/subwords.h"
#include "gauze/text/vectors/word_form.h"

namespace gauze::text {
namespace word_vectors_test {

using testing::bytes_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::random_words;
using testing::TemporaryFolder;
using testing::words_at;

std::string gzip(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()) + 100, '\0');
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

Result<WordVectors> read(const std::string& bytes, const WordVectors::Options& options = {}) {
  return WordVectors::read(std::make_unique<TextSource>(bytes), "v.txt", options);
}

std::vector<std::string> words_of(const WordVectors& vectors) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < vectors.size(); ++i) words.emplace_back(vectors.word(i));
  return words;
}

double value(const WordVectors& vectors, std::size_t i, std::size_t d) {
  return std::ldexp(vectors.fixed_row(i)[d], -vectors.scale_bits());
}

/// The file is refused as damaged, with these words in the message.
void expect_refused(const std::string& bytes, const std::string& message) {
  const auto vectors = read(bytes);
  ASSERT_FALSE(vectors) << message;
  EXPECT_EQ(vectors.error().code, ErrorCode::bad_data);
  EXPECT_THAT(vectors.error().message, HasSubstr(message));
  EXPECT_THAT(vectors.error().message, HasSubstr("v.txt"));
}

TEST(GloveText, IsReadFromTheRight) {
  const WordVectors vectors = read("the 0.5 -1.25\n. . . 0.25 2\nat name@domain.com 1e-1 +3\r\n1990 1 2\n").value();
  EXPECT_THAT(words_of(vectors), ElementsAre("the", ". . .", "at name@domain.com", "1990"));
  EXPECT_EQ(vectors.dimensions(), 2U);
  EXPECT_EQ(value(vectors, 0, 1), -1.25);
  EXPECT_NEAR(value(vectors, 2, 0), 0.1, 1e-6);
  EXPECT_EQ(value(vectors, 3, 0), 1);
}

TEST(GloveText, TakesWhatIsTooSmallForZero) {
  const WordVectors vectors = read("the 1e-400 2\nof -1e-999999 1e-310\n").value();
  EXPECT_EQ(value(vectors, 0, 0), 0);
  EXPECT_EQ(value(vectors, 1, 0), 0);
  EXPECT_EQ(value(vectors, 1, 1), 0);
}

TEST(GloveText, RefusesDamageWithTheLine) {
  expect_refused("", "empty");
  expect_refused("the 1 2\nof 1\n", "line 2");
  expect_refused("the 1 2\nof 1 2 3\n", "line 2: has more than 2 values");
  expect_refused("the 1 2\nof 1 nan\n", "line 2: a value is not a finite number");
  expect_refused("the 1 2\nof 1 -inf\n", "line 2: a value is not a finite number");
  expect_refused("the 1 2\nof 1 1e999\n", "line 2: a value is not a finite number");
  expect_refused("the 1 2\nof 1 1e39\n", "line 2: a value is not a finite number");
  expect_refused("the 1 2\nof 1 -1e400\n", "line 2: a value is not a finite number");
  expect_refused("the 1 2\nof 1 2x\n", "line 2");
  expect_refused("the 1 2\n\nof 1 2\n", "line 2: is empty");
  expect_refused("the 1 2\n1 2\n", "line 2");
  expect_refused("the 1 2\n\xFF\xFE 1 2\n", "line 2: the word is not UTF-8");
  expect_refused("the\n", "line 1: has no values");
  expect_refused("the 1e8 2\n", "longer than 2^25");
  expect_refused("x" + std::string(70'000, 'y') + " 1 2\n", "line 1: a word is longer");
  expect_refused(std::string((1 << 24) + (1 << 20), 'y'), "line 1: is longer");
}

TEST(Word2vecText, NeedsAsManyWordsAsItsHeaderSays) {
  EXPECT_THAT(words_of(read("2 3\nthe 1 2 3\nof 1 2 3 \n").value()), ElementsAre("the", "of"));
  expect_refused("3 3\nthe 1 2 3\nof 1 2 3\n", "line 4: the file ends after 2 of 3 words");
  expect_refused("1 3\nthe 1 2 3\nof 1 2 3\n", "line 3: there are more words");
  expect_refused("999999999999999 3\nthe 1 2 3\n", "ends after 1 of 999999999999999");
  expect_refused("2 3\nthe 1 2 3\nof 1 2\n", "line 3");
}

TEST(Word2vecText, RefusesAbsurdDimensions) {
  const auto vectors = read("1 99999999\nthe 1\n", {.format = VectorFormat::word2vec_text});
  ASSERT_FALSE(vectors);
  EXPECT_THAT(vectors.error().message, HasSubstr("line 1: says 99999999 dimensions"));
  EXPECT_FALSE(read("1 99999999\nthe 1\n"));
}

std::string binary_row(const std::string& word, const std::vector<float>& values) {
  std::string bytes = word + " ";
  for (const float v : values) bytes += bytes_of(v);
  return bytes;
}

TEST(Word2vecBinary, IsReadWithAndWithoutLineEnds) {
  for (const std::string end : {"", "\n"}) {
    const std::string bytes =
        "2 3\n" + binary_row("the", {0.5, -0.25, 1e-7F}) + end + binary_row("of", {1, 2, 3}) + end;
    const WordVectors vectors = read(bytes).value();
    EXPECT_THAT(words_of(vectors), ElementsAre("the", "of"));
    EXPECT_EQ(value(vectors, 0, 1), -0.25);
    EXPECT_EQ(value(vectors, 1, 2), 3);
  }
}

TEST(Word2vecBinary, RefusesDamageWithTheByte) {
  const std::string good = "2 3\n" + binary_row("the", {0.5, -0.25, 1e-7F}) + binary_row("of", {1, 2, 3});
  expect_refused(good.substr(0, good.size() - 1), "byte 34: the file ends too early");
  expect_refused(good + "x", "byte 35: there is more");
  expect_refused("2 3\n" + binary_row("the", {0.5, std::numeric_limits<float>::quiet_NaN(), 1e-7F}), "byte 20");
  expect_refused("3 3\n" + good.substr(4), "the file ends after 2 of 3 words");
}

std::string fasttext_model(const std::vector<std::string>& words, std::int32_t buckets, bool quantised = false) {
  std::string bytes = bytes_of(793712314) + bytes_of(12);
  for (const std::int32_t setting : {2, 5, 5, 1, 5, 1, 2, 2, buckets, 2, 3, 100}) bytes += bytes_of(setting);
  bytes += bytes_of(1e-4);
  const auto count = static_cast<std::int32_t>(words.size());
  bytes +=
      bytes_of(count + 1) + bytes_of(count) + bytes_of(1) + bytes_of(std::int64_t{100}) + bytes_of(std::int64_t{-1});
  for (const std::string& word : words) bytes += word + '\0' + bytes_of(std::int64_t{7}) + '\0';
  bytes += "__label__x" + std::string(1, '\0') + bytes_of(std::int64_t{7}) + '\1';
  bytes += quantised ? '\1' : '\0';
  bytes += bytes_of(std::int64_t{count + buckets}) + bytes_of(std::int64_t{2});
  for (std::int32_t row = 0; row < count + buckets; ++row) bytes += bytes_of(float(row)) + bytes_of(float(row) / 2);
  return bytes;
}

TEST(FastTextBinary, AveragesAWordWithItsNgrams) {
  const WordVectors vectors = read(fasttext_model({"</s>", "ab"}, 5)).value();
  EXPECT_THAT(words_of(vectors), ElementsAre("</s>", "ab"));
  EXPECT_EQ(value(vectors, 0, 0), 0);  // no n-grams: its own row
  // "<ab>" has the pieces <a <ab ab ab> b>; single characters are too short.
  double sum = 1;
  for (const std::string piece : {"<a", "<ab", "ab", "ab>", "b>"}) {
    std::uint32_t hash = 2166136261U;
    for (const char c : piece) hash = (hash ^ static_cast<std::uint32_t>(c)) * 16777619U;
    sum += 2 + hash % 5;
  }
  EXPECT_NEAR(value(vectors, 1, 0), sum / 6, 1e-6);
  EXPECT_NEAR(value(vectors, 1, 1), sum / 12, 1e-6);
  EXPECT_EQ(internal::subword_buckets("é", 1, 2, 1000).size(), 3U);  // <é, é, é>: characters, not bytes
}

TEST(FastTextBinary, RefusesWhatItCannotRead) {
  const std::string good = fasttext_model({"</s>", "ab"}, 5);
  expect_refused(good.substr(0, 100), "ends");
  expect_refused(good.substr(0, good.size() - 4), "the file ends too early");
  EXPECT_EQ(read(fasttext_model({"a"}, 5, true)).error().code, ErrorCode::unsupported);
  std::string mixed = good;
  mixed[4] = 99;
  expect_refused(mixed, "version 99");
}

TEST(WinkJson, IsReadInTheOrderOfItsPlaces) {
  const std::string json =
      R"({"precision":8,"l2NormIndex":2,"wordIndex":3,"size":3,"dimensions":2,"words":["the","of","7"],)"
      R"("vectors":{"7":[1,2,2.236,2],"the":[0.5,-0.25,0.559,0],"o\u0066":[-1,0,1,1]},"unkVector":[0,0,0,-1]})";
  const WordVectors vectors = read(json).value();
  EXPECT_THAT(words_of(vectors), ElementsAre("the", "of", "7"));
  EXPECT_EQ(value(vectors, 0, 1), -0.25);
  EXPECT_THAT(words_of(read(json, {.limit = 2}).value()), ElementsAre("the", "of"));
}

TEST(WinkJson, RefusesDamageWithTheByte) {
  const auto wink = [](const std::string& vectors) { return R"({"dimensions":2,"vectors":)" + vectors + "}"; };
  expect_refused(wink(R"({"a":[1,2,3,0],"b":[1,2,0]})"), "byte");
  expect_refused(wink(R"({"a":[1,2,3,0)"), "this is not JSON");
  expect_refused(wink(R"({"a":[1,"x",3,0]})"), "a value is not a number");
  expect_refused(wink(R"({"a":[1,1e999,3,0]})"), "byte");
  expect_refused(wink(R"({"a":[1,2,3,0],"b":[1,2,3,0]})"), "the same place");
  expect_refused(wink(R"({"a":[1,2,3,0.5]})"), "the place of a word");
  expect_refused(wink(R"({"a":{"b":1}})"), "an object where a vector");
  expect_refused(wink("{}"), "there is no vector in it");
  expect_refused(R"({"dimensions":-1})", "cannot be");
  expect_refused("{", "this is not JSON");
}

TEST(WordVectors, UnpackGzipAlsoInSeveralPieces) {
  const std::string text = "the 0.5 1\nof 1 2\n";
  EXPECT_THAT(words_of(read(gzip(text)).value()), ElementsAre("the", "of"));
  EXPECT_THAT(words_of(read(gzip("the 0.5 1\n") + gzip("of 1 2\n")).value()), ElementsAre("the", "of"));
  const std::string packed = gzip(text);
  expect_refused(packed.substr(0, packed.size() - 3), "the compressed file is damaged or cut off");
  std::string damaged = packed;
  damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1);
  expect_refused(damaged, "the compressed file is damaged or cut off");
}

TEST(WordVectors, KeepTheFirstOfWordsThatAreEqualInNormalForm) {
  const WordVectors vectors = read("cafe\u0301 1 2\ncaf\u00e9 3 4\nx 5 6\nx 7 8\n").value();
  EXPECT_THAT(words_of(vectors), ElementsAre("caf\u00e9", "x"));
  EXPECT_EQ(vectors.duplicates(), 2U);
  EXPECT_EQ(value(vectors, 0, 0), 1);
  EXPECT_EQ(vectors.find("cafe\u0301"), 0U);
  EXPECT_EQ(vectors.find("caf\u00e9"), 0U);
  EXPECT_EQ(vectors.find("cafe"), std::nullopt);
  EXPECT_EQ(vectors.find("\xFF"), std::nullopt);
}

TEST(WordVectors, TakeOnlyTheFirstWordsWhenLimited) {
  EXPECT_THAT(words_of(read("a 1 2\na 1 2\nb 3 4\nc nan\n", {.limit = 2}).value()), ElementsAre("a", "b"));
  EXPECT_EQ(read("9 2\na 1 2\nb 3 4\n", {.limit = 1}).value().size(), 1U);
  EXPECT_EQ(read(fasttext_model({"</s>", "ab"}, 5), {.limit = 1}).value().size(), 1U);
}

TEST(WordVectors, MayHaveOneWordOnly) {
  const WordVectors vectors = read("one 0 0 0\n").value();
  EXPECT_EQ(vectors.size(), 1U);
  EXPECT_TRUE(vectors.nearest(0, 5).empty());
}

TEST(WordVectors, PutVectorsOnTheFinestGridOnWhichDoublesAreExact) {
  EXPECT_EQ(words_at({{0.5F}, {-1}}).scale_bits(), 24);
  EXPECT_EQ(words_at({{3.5F}, {-1}}).scale_bits(), 23);
  EXPECT_EQ(words_at({{12.0F}, {-1}}).scale_bits(), 21);
  EXPECT_EQ(words_at({{3e7F}, {-1}}).scale_bits(), 0);
  for (const double spread : {1e-6, 0.3, 5.0, 1e5}) {
    const WordVectors vectors = random_words(50, 100, spread, 7);
    for (std::size_t i = 0; i < vectors.size(); ++i) EXPECT_LE(vectors.squared_norm(i), std::uint64_t{1} << 50);
    EXPECT_LE(vectors.largest_norm(), std::ldexp(1.0, 25 - vectors.scale_bits()));
  }
}

TEST(WordVectors, FindTheNearestWordsExactly) {
  const WordVectors vectors = words_at({{0, 0}, {3, 4}, {0, 1}, {0, -1}, {0.5F, 0}});
  const auto nearest = vectors.nearest(0, 3);
  ASSERT_EQ(nearest.size(), 3U);
  EXPECT_EQ(nearest[0].word, 4U);
  EXPECT_EQ(nearest[1].word, 2U);  // as near as w3, and before it
  EXPECT_EQ(nearest[2].word, 3U);
  EXPECT_EQ(nearest[2].distance, 1);
  EXPECT_EQ(vectors.nearest(0, 99).back().distance, 5);
}

TEST(GvecFile, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  const WordVectors vectors = random_words(500, 33, 2.0, 5);
  ASSERT_TRUE(vectors.write(folder.file("v.gvec")));
  const WordVectors again = WordVectors::open(folder.file("v.gvec")).value();
  ASSERT_EQ(again.size(), vectors.size());
  EXPECT_EQ(words_of(again), words_of(vectors));
  EXPECT_EQ(again.scale_bits(), vectors.scale_bits());
  EXPECT_EQ(again.fingerprint(), vectors.fingerprint());
  EXPECT_EQ(again.fingerprint().size(), 64U);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    EXPECT_TRUE(std::equal(again.fixed_row(i).begin(), again.fixed_row(i).end(), vectors.fixed_row(i).begin()));
    EXPECT_EQ(again.squared_norm(i), vectors.squared_norm(i));
    EXPECT_EQ(again.find(vectors.word(i)), i);
  }
  EXPECT_TRUE(again.check());
}

TEST(GvecFile, KeepsItsGridWhenLimited) {
  const TemporaryFolder folder;
  const WordVectors vectors = words_at({{0.5F, 0.25F}, {1, 0}, {100, 0}});
  ASSERT_TRUE(vectors.write(folder.file("v.gvec")));
  const WordVectors first = WordVectors::open(folder.file("v.gvec"), {.limit = 2}).value();
  EXPECT_THAT(words_of(first), ElementsAre("w0", "w1"));
  EXPECT_EQ(first.scale_bits(), vectors.scale_bits());
  EXPECT_EQ(first.find("w1"), 1U);
  EXPECT_EQ(first.find("w2"), std::nullopt);
  EXPECT_NE(first.fingerprint(), vectors.fingerprint());
  EXPECT_TRUE(first.check());
  ASSERT_TRUE(first.write(folder.file("w.gvec")));
  EXPECT_EQ(WordVectors::open(folder.file("w.gvec")).value().fingerprint(), first.fingerprint());
}

std::string bytes_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(GvecFile, IsRefusedWhenAnyByteIsChanged) {
  const TemporaryFolder folder;
  ASSERT_TRUE(random_words(20, 3, 1.0, 6).write(folder.file("v.gvec")));
  const std::string good = bytes_in(folder.file("v.gvec"));
  std::size_t at_open = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    const auto vectors = WordVectors::open(folder.file("x.gvec", changed));
    at_open += !vectors;
    EXPECT_TRUE(!vectors || !vectors->check()) << "byte " << i;
    EXPECT_TRUE(vectors || vectors.error().code == ErrorCode::bad_data);
  }
  EXPECT_EQ(at_open, good.size() - 20 * 3 * 4);  // all but the vectors themselves
  for (const std::size_t size : {std::size_t{8}, std::size_t{100}, std::size_t{300}, good.size() - 1}) {
    EXPECT_FALSE(WordVectors::open(folder.file("x.gvec", good.substr(0, size))));
  }
  EXPECT_FALSE(WordVectors::open(folder.file("x.gvec", good + "x")));
}

TEST(GvecFile, LeavesNothingBehindWhenTheInputIsDamaged) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read("the 1 2\nof 1\n"));
  EXPECT_FALSE(words_at({{1.0F}}).write(folder.file("no/such/folder.gvec")));
  EXPECT_EQ(WordVectors::open(folder.file("absent")).error().code, ErrorCode::io);
  EXPECT_TRUE(folder.empty());
}

TEST(WordForm, IsNfc) {
  EXPECT_EQ(normal_form("plain").value(), "plain");
  EXPECT_EQ(normal_form("e\u0301").value(), "\u00e9");
  EXPECT_EQ(normal_form("\u4e2d\u6587").value(), "\u4e2d\u6587");
  EXPECT_FALSE(normal_form("\xC3"));
}

}  // namespace word_vectors_test
}  // namespace gauze::text
