#include "gauze/server/http/request_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::server {
namespace request_reader_test {

using State = RequestReader::State;

RequestReader reader(std::size_t header = 1'024, std::size_t body = 100) {
  return RequestReader({.header_bytes = header, .body_bytes = body});
}

/// The status with which these bytes fail; 0 when they do not.
int status_of(std::string_view bytes) {
  RequestReader some = reader();
  return some.put(bytes) == State::failed ? some.status() : 0;
}

TEST(RequestReader, ReadsARequestThatComesByteByByte) {
  RequestReader some = reader();
  const std::string bytes =
      "POST /v1/a%20b?x=1&y=%E5%B9%B4+2&x=3 HTTP/1.1\r\nHost: a\r\nAuthorization: bearer SECRET\r\n"
      "Content-Type: Application/JSON; charset=utf-8\r\nContent-Length: 5\r\n\r\nhello";
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    some.put(bytes.substr(i, 1));
    ASSERT_NE(some.state(), State::done) << i;
    ASSERT_NE(some.state(), State::failed) << i;
  }
  EXPECT_EQ(some.put(bytes.substr(bytes.size() - 1)), State::done);
  EXPECT_TRUE(some.keep_alive());
  const HttpRequest request = some.take();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/v1/a b");
  EXPECT_EQ(request.parameter("y"), "年 2");
  EXPECT_EQ(request.parameter("x"), std::nullopt) << "it stands there twice";
  EXPECT_EQ(request.content_type, "application/json");
  EXPECT_EQ(request.bearer, "SECRET");
  EXPECT_EQ(request.body, "hello");
  EXPECT_EQ(some.state(), State::empty);
}

TEST(RequestReader, KeepsWhatFollowsForTheNextRequest) {
  RequestReader some = reader();
  EXPECT_EQ(some.put("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET"),
            State::done);
  EXPECT_EQ(some.take().path, "/1");
  EXPECT_EQ(some.state(), State::done);
  EXPECT_FALSE(some.keep_alive());
  EXPECT_EQ(some.take().path, "/2");
  EXPECT_EQ(some.state(), State::header);
}

TEST(RequestReader, ReadsChunkedBodies) {
  RequestReader some = reader();
  EXPECT_EQ(
      some.put("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"),
      State::done);
  EXPECT_EQ(some.take().body, "abcde");
}

TEST(RequestReader, RefusesWhatProxiesAndServersReadDifferently) {
  EXPECT_EQ(
      status_of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
      400);
  EXPECT_EQ(
      status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
      400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\nhello"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), 400);
  EXPECT_NE(status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n"), 0);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400) << "no host";
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n"),
            400);
  EXPECT_EQ(status_of(std::string_view("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 31)), 400);
  EXPECT_EQ(status_of("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /%2 HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET http://elsewhere/ HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_NE(status_of("GET / HTTP/2.0\r\nHost: a\r\n\r\n"), 0);
  EXPECT_EQ(status_of("\x16\x03\x01 nonsense"), 400);
}

TEST(RequestReader, SaysWhichLimitWasReached) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(2'000, 'x') + "\r\n\r\n"), 431);
  EXPECT_EQ(status_of("GET /" + std::string(2'000, 'x')), 431) << "without an end of line";
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n"), 413) << "before the body";
  EXPECT_EQ(
      status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + std::string(101, 'x')),
      413);
  std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 100'000; ++i) many += "a: b\r\n";
  EXPECT_EQ(status_of(many), 431);
}

constexpr std::string_view kChunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

/// The status with which these bytes fail when they come in small pieces, and how many of them were taken until then.
std::pair<int, std::size_t> end_in_pieces(const std::string& bytes) {
  RequestReader some = reader();
  std::size_t taken = 0;
  while (taken < bytes.size() && some.state() != State::failed) {
    const std::string_view piece = std::string_view(bytes).substr(taken, 50);
    some.put(piece);
    taken += piece.size();
  }
  return {some.state() == State::failed ? some.status() : 0, taken};
}

TEST(RequestReader, KeepsNoMoreOfAChunkHeaderOrTrailerThanOfAHeader) {
  const std::string endless(100'000, 'x');
  const auto [extension, extension_bytes] = end_in_pieces(std::string(kChunked) + "1;" + endless);
  EXPECT_EQ(extension, 400);
  EXPECT_LT(extension_bytes, 1'300U);
  const auto [trailer, trailer_bytes] = end_in_pieces(std::string(kChunked) + "1\r\na\r\n0\r\nX: " + endless);
  EXPECT_EQ(trailer, 400);
  EXPECT_LT(trailer_bytes, 1'300U);
  std::string lines;
  while (lines.size() < 100'000) lines += "X: y\r\n";
  const auto [many, many_bytes] = end_in_pieces(std::string(kChunked) + "0\r\n" + lines);
  EXPECT_THAT(many, ::testing::AnyOf(400, 413));
  EXPECT_LT(many_bytes, 3'000U);
}

TEST(RequestReader, EndsAHeaderOfManyShortLinesThatComesInPieces) {
  std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
  while (many.size() < 100'000) many += "a: b\r\n";
  const auto [status, bytes] = end_in_pieces(many);
  EXPECT_EQ(status, 431);
  EXPECT_LT(bytes, 1'100U);
}

TEST(RequestReader, TinyChunksWithLargeExtensionsEndWithTheRequest) {
  std::string bytes(kChunked);
  for (int i = 0; i < 90; ++i) bytes += "1;" + std::string(900, 'x') + "\r\na\r\n";
  EXPECT_EQ(status_of(bytes + "0\r\n\r\n"), 413);
  const auto [status, taken] = end_in_pieces(bytes);
  EXPECT_EQ(status, 413);
  EXPECT_LT(taken, 3'300U);
}

TEST(RequestReader, ChunksOfMoreThanAFewBytesReachTheLimitOfTheBody) {
  std::string bytes(kChunked);
  for (int i = 0; i < 10; ++i) bytes += "a\r\n0123456789\r\n";
  RequestReader some = reader();
  EXPECT_EQ(some.put(bytes + "0\r\nX-Trailer: y\r\n\r\n"), State::done);
  EXPECT_EQ(some.take().body.size(), 100U);
}

TEST(RequestReader, SpeaksNoEncodingButChunked) {
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"), 501);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"),
            501);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n"), 0);
}

TEST(RequestReader, AHeaderLineThatGoesOnInTheNextIsNoRequest) {
  for (const std::string bytes :
       {"GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n\t2\r\n\r\n"}) {
    EXPECT_EQ(status_of(bytes), 400);
    RequestReader slow = reader();
    for (const char& c : bytes)
      if (slow.state() != State::failed) slow.put({&c, 1});
    EXPECT_EQ(slow.state(), State::failed);
  }
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n\r\n  a"), 0) << "in the body";
}

TEST(RequestReader, TellsOnceThatTheClientWaits) {
  RequestReader some = reader();
  some.put("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_TRUE(some.expects_continue());
  EXPECT_FALSE(some.expects_continue());
  EXPECT_EQ(some.put("abc"), State::done);
}

}  // namespace request_reader_test
}  // namespace gauze::server
