#include "gauze/server/http/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "gauze/files/atomic_file.h"
#include "gauze/files/https_client.h"
#include "gauze/files/testing/folder.h"
#include "gauze/server/config/development_ca.h"

namespace gauze::server {
namespace http_server_test {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A server with one listener, and clients that speak to it in their own ways.
class HttpServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);  // as the command does: a write to a closed connection is an error
    const auto ca = DevelopmentCa::make("test");
    ASSERT_TRUE(ca);
    const auto made = ca->certify("server", {"localhost", "127.0.0.1"});
    ASSERT_TRUE(made);
    ASSERT_TRUE(write_file(folder_.path() / "ca.pem", ca->certificate()));
    ASSERT_TRUE(write_file(folder_.path() / "server.pem", made->certificate));
    ASSERT_TRUE(write_file(folder_.path() / "server.key", made->key));
  }

  ListenerOptions listener(HttpHandler handler) const {
    return {.name = "device",
            .address = "127.0.0.1",
            .port = 0,
            .certificate = folder_.path() / "server.pem",
            .key = folder_.path() / "server.key",
            .workers = 4,
            .handler = std::move(handler)};
  }
  void start(std::vector<ListenerOptions> listeners, HttpLimits limits) {
    auto server = HttpServer::start(std::move(listeners), limits);
    ASSERT_TRUE(server) << server.error().message;
    server_.emplace(std::move(*server));
    use(0);
  }
  void start(HttpHandler handler, HttpLimits limits = {}) { start({listener(std::move(handler))}, limits); }
  /// From now on clients go to this listener.
  void use(std::size_t number) {
    const std::string& url = server_->addresses()[number];
    port_ = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  }
  /// Waits for figures that a server reaches in its own time.
  template <class Condition>
  bool comes(Condition condition) const {
    for (int i = 0; i < 500 && !condition(server_->figures()); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return condition(server_->figures());
  }
  static HttpResponse echo(const HttpRequest& request) {
    return {.body = request.method + " " + request.path + " " + request.body};
  }

  HttpsClient client() { return *HttpsClient::make({.ca = folder_.path() / "ca.pem", .seconds = 10}); }
  std::string url(std::string_view path = "/") const { return fmt::format("https://127.0.0.1:{}{}", port_, path); }

  int connect_plainly(const char* from = "127.0.0.1") const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    ::inet_pton(AF_INET, from, &place.sin_addr);
    EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
    place.sin_port = htons(port_);
    ::inet_pton(AF_INET, "127.0.0.1", &place.sin_addr);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return socket;
  }

  /// A TLS connection that sends what it is told to.
  struct Raw {
    Raw(int connected, int least, int most, SSL_SESSION* session = nullptr) : socket(connected) {
      SSL_CTX_set_min_proto_version(context, least);
      SSL_CTX_set_max_proto_version(context, most);
      SSL_CTX_set_security_level(context, 0);
      SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0");
      tls = SSL_new(context);
      SSL_set_fd(tls, socket);
      if (session != nullptr) SSL_set_session(tls, session);
      is_open = SSL_connect(tls) == 1;
    }
    ~Raw() {
      SSL_shutdown(tls);
      SSL_free(tls);
      SSL_CTX_free(context);
      ::close(socket);
    }
    void send(std::string_view bytes) { SSL_write(tls, bytes.data(), static_cast<int>(bytes.size())); }
    /// Everything that comes until the end, or so many bytes.
    std::string receive(std::size_t enough = SIZE_MAX) {
      std::string all;
      char bytes[4096];
      while (all.size() < enough) {
        const int got = SSL_read(tls, bytes, sizeof bytes);
        if (got <= 0) break;
        all.append(bytes, static_cast<std::size_t>(got));
      }
      return all;
    }
    int socket;
    SSL_CTX* context = SSL_CTX_new(TLS_client_method());
    SSL* tls = nullptr;
    bool is_open = false;
  };
  Raw raw(int least = TLS1_2_VERSION, int most = TLS1_3_VERSION, SSL_SESSION* session = nullptr) const {
    return Raw(connect_plainly(), least, most, session);
  }

  Folder folder_;
  std::optional<HttpServer> server_;
  std::uint16_t port_ = 0;
};

TEST_F(HttpServerTest, AnswersOverAVerifiedCertificate) {
  start(echo);
  auto some = client();
  for (int i = 0; i < 3; ++i) {
    const auto response = some.send({.method = "POST", .url = url("/a"), .body = "text"});
    ASSERT_TRUE(response) << response.error().error.message;
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->body, "POST /a text");
  }
  EXPECT_EQ(server_->figures().handshakes, 1U) << "one connection serves all requests";
  EXPECT_EQ(server_->figures().requests, 3U);

  const auto foreign = DevelopmentCa::make("another");
  ASSERT_TRUE(write_file(folder_.path() / "foreign.pem", foreign->certificate()));
  auto stranger = *HttpsClient::make({.ca = folder_.path() / "foreign.pem"});
  const auto refused = stranger.send({.url = url()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, HttpsClient::Failure::Kind::certificate);
}

TEST_F(HttpServerTest, PlaintextGetsAnAlertAndNothingElse) {
  start(echo);
  const int socket = connect_plainly();
  const std::string_view request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  ASSERT_EQ(::send(socket, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  std::string all;
  char bytes[256];
  for (ssize_t got = 0; (got = ::recv(socket, bytes, sizeof bytes, 0)) > 0;)
    all.append(bytes, static_cast<std::size_t>(got));
  ::close(socket);
  EXPECT_EQ(all, std::string("\x15\x03\x01\x00\x02\x02\x0a", 7));
}

TEST_F(HttpServerTest, SpeaksOnlyPresentVersionsOfTls) {
  start(echo);
  EXPECT_FALSE(raw(TLS1_VERSION, TLS1_VERSION).is_open);
  EXPECT_FALSE(raw(TLS1_1_VERSION, TLS1_1_VERSION).is_open);
  EXPECT_TRUE(raw(TLS1_2_VERSION, TLS1_2_VERSION).is_open);
  Raw newest = raw(TLS1_3_VERSION, TLS1_3_VERSION);
  EXPECT_TRUE(newest.is_open);
  Raw older = raw(TLS1_2_VERSION, TLS1_2_VERSION);
  EXPECT_THAT(SSL_get_cipher_name(older.tls), StartsWith("ECDHE-"));
}

TEST_F(HttpServerTest, TicketsSaveAHandshake) {
  start(echo);
  SSL_SESSION* session = nullptr;
  {
    Raw first = raw(TLS1_2_VERSION, TLS1_2_VERSION);
    first.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(first.receive(), HasSubstr("200 OK"));
    session = SSL_get1_session(first.tls);
    ASSERT_EQ(SSL_SESSION_has_ticket(session), 1);
    ASSERT_EQ(SSL_SESSION_is_resumable(session), 1);
  }
  Raw second = raw(TLS1_2_VERSION, TLS1_2_VERSION, session);
  SSL_SESSION_free(session);
  ASSERT_TRUE(second.is_open);
  EXPECT_EQ(SSL_session_reused(second.tls), 1);
  second.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(second.receive(), HasSubstr("200 OK"));
  EXPECT_EQ(server_->figures().resumed, 1U);
}

TEST_F(HttpServerTest, AnswersRequestsThatComeTogetherInTheirOrder) {
  start(echo);
  Raw some = raw();
  some.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string all = some.receive();
  EXPECT_LT(all.find("GET /1"), all.find("GET /2"));
  EXPECT_THAT(all, EndsWith("GET /2 "));
}

TEST_F(HttpServerTest, ABodyBeyondTheLimitIsReadAwaySoThatTheAnswerIsSeen) {
  HttpLimits limits;
  limits.request.body_bytes = 1'000;
  start(echo, limits);
  Raw some = raw();
  some.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n");
  const std::string piece(100'000, 'x');
  for (int i = 0; i < 30; ++i) some.send(piece);
  EXPECT_THAT(some.receive(), StartsWith("HTTP/1.1 413 "));
  auto polite = client();
  const std::string large(3'000'000, 'x');
  const auto response = polite.send({.method = "POST", .url = url(), .body = large});
  ASSERT_TRUE(response) << response.error().error.message;
  EXPECT_EQ(response->status, 413);
}

TEST_F(HttpServerTest, ASlowHeaderAndASlowBodyEndWithTheirTime) {
  HttpLimits limits;
  limits.header_seconds = 0.4;
  limits.body_seconds = 0.4;
  start(echo, limits);
  Raw header = raw();
  header.send("GET / HT");
  EXPECT_THAT(header.receive(), StartsWith("HTTP/1.1 408 "));
  Raw body = raw();
  body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
  EXPECT_THAT(body.receive(), StartsWith("HTTP/1.1 408 "));
  EXPECT_EQ(server_->figures().time_outs, 2U);
  auto others = client();
  EXPECT_TRUE(others.send({.url = url()}));
}

TEST_F(HttpServerTest, ConnectionsOfOneAddressAreLimited) {
  HttpLimits limits;
  limits.connections_per_address = 2;
  start(echo, limits);
  {
    Raw first = raw();
    Raw second = raw();
    EXPECT_TRUE(first.is_open && second.is_open);
    EXPECT_FALSE(raw().is_open);
    EXPECT_EQ(server_->figures().refused, 1U);
  }
  for (int i = 0; i < 100 && server_->figures().connections > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(raw().is_open) << "when the others are gone there is room again";
}

TEST_F(HttpServerTest, ConnectionsThatSayNothingSpendNoHandshakes) {
  HttpLimits limits;
  limits.handshakes_per_second = 10;
  start(echo, limits);
  std::vector<int> silent;
  for (int i = 0; i < 100; ++i) silent.push_back(connect_plainly());
  ASSERT_TRUE(comes([](const HttpServer::Figures& figures) { return figures.accepted == 100; }));
  EXPECT_EQ(server_->figures().refused, 0U);
  EXPECT_TRUE(raw().is_open);
  for (const int socket : silent) ::close(socket);
}

TEST_F(HttpServerTest, OneAddressCannotSpendTheHandshakesOfOthers) {
  HttpLimits limits;
  limits.handshakes_per_second = 40;
  start(echo, limits);
  for (int round = 0; round < 3; ++round) {
    std::vector<int> many;
    for (int i = 0; i < 80; ++i) {
      many.push_back(connect_plainly());
      ::send(many.back(), "\x16", 1, MSG_NOSIGNAL);
    }
    EXPECT_TRUE(Raw(connect_plainly("127.0.0.2"), TLS1_2_VERSION, TLS1_3_VERSION).is_open);
    for (const int socket : many) ::close(socket);
  }
  EXPECT_TRUE(comes([](const HttpServer::Figures& figures) { return figures.refused > 0; }));
}

TEST_F(HttpServerTest, AConnectionThatEndsBeforeTlsMakesRoomAtOnce) {
  HttpLimits limits;
  limits.connections_per_address = 2;
  limits.header_seconds = 3'600;
  limits.body_seconds = 3'600;
  start(echo, limits);
  std::uint64_t accepted = 0;
  for (const std::string_view first : {std::string_view(), std::string_view("G"), std::string_view("\x16")}) {
    for (int i = 0; i < 2; ++i) {
      const int socket = connect_plainly();
      ::send(socket, first.data(), first.size(), MSG_NOSIGNAL);
      ::close(socket);
    }
    accepted += 2;
    EXPECT_TRUE(comes([accepted](const HttpServer::Figures& figures) {
      return figures.accepted == accepted && figures.connections == 0;
    })) << first;
  }
  EXPECT_TRUE(raw().is_open);
}

TEST_F(HttpServerTest, ACrowdOfDevicesLeavesRoomForReservedListeners) {
  HttpLimits limits;
  limits.connections = 16;
  std::vector<ListenerOptions> two = {listener(echo), listener(echo)};
  two[1].reserved = true;
  start(std::move(two), limits);
  std::vector<int> crowd;
  for (int i = 0; i < 40; ++i) crowd.push_back(connect_plainly());
  ASSERT_TRUE(comes([](const HttpServer::Figures& figures) { return figures.accepted == 40; }));
  EXPECT_EQ(server_->figures().connections, 14U);
  EXPECT_FALSE(raw().is_open);
  use(1);
  EXPECT_TRUE(raw().is_open);
  for (const int socket : crowd) ::close(socket);
}

TEST_F(HttpServerTest, ARequestKnowsWhenItCame) {
  std::atomic<bool> may_end{false};
  std::mutex mutex;
  std::vector<std::chrono::steady_clock::time_point> received;
  ListenerOptions one = listener([&](const HttpRequest& request) {
    while (!may_end) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::lock_guard guard(mutex);
    received.push_back(request.received);
    return HttpResponse{};
  });
  one.workers = 1;
  start({std::move(one)}, {});
  Raw first = raw();
  Raw second = raw();
  const auto begun = std::chrono::steady_clock::now();
  for (Raw* some : {&first, &second}) some->send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(comes([](const HttpServer::Figures& figures) { return figures.requests == 2; }));
  const auto both_came = std::chrono::steady_clock::now();
  may_end = true;
  EXPECT_THAT(first.receive(), HasSubstr("200 OK"));
  EXPECT_THAT(second.receive(), HasSubstr("200 OK"));
  const std::lock_guard guard(mutex);
  ASSERT_EQ(received.size(), 2U);
  for (const auto& time : received) {
    EXPECT_GE(time, begun);
    EXPECT_LE(time, both_came) << "one of them had to wait for the other, which changes nothing";
  }
}

TEST_F(HttpServerTest, SlowRequestsDoNotLetOthersWait) {
  std::atomic<bool> may_end{false};
  ListenerOptions one = listener([&](const HttpRequest& request) {
    for (int i = 0; i < 2'000 && request.path == "/slow" && !may_end; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return HttpResponse{.body = may_end ? "late" : "early"};
  });
  one.workers = 1;
  one.slow_workers = 1;
  one.is_slow = [](const HttpRequest& request) { return request.path == "/slow"; };
  start({std::move(one)}, {});
  Raw slow = raw();
  Raw slower = raw();
  for (Raw* some : {&slow, &slower}) some->send("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(comes([](const HttpServer::Figures& figures) { return figures.requests == 2; }));
  auto quick = client();
  const auto response = quick.send({.url = url("/quick")});
  may_end = true;
  ASSERT_TRUE(response) << response.error().error.message;
  EXPECT_EQ(response->body, "early");
  EXPECT_THAT(slow.receive(), EndsWith("late"));
  EXPECT_THAT(slower.receive(), EndsWith("late"));
}

TEST_F(HttpServerTest, StoppingAnswersWhatWasReceived) {
  std::atomic<bool> begun{false};
  start([&](const HttpRequest&) {
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return HttpResponse{.body = "finished"};
  });
  Raw idle = raw();
  Raw busy = raw();
  busy.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  while (!begun) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::thread stopper([this] { server_->stop(10); });
  const std::string answer = busy.receive();
  stopper.join();
  EXPECT_THAT(answer, EndsWith("finished"));
  EXPECT_THAT(answer, HasSubstr("Connection: close"));
  EXPECT_EQ(idle.receive(), "");
  auto late = client();
  EXPECT_FALSE(late.send({.url = url()}));
}

TEST_F(HttpServerTest, ReloadingTakesANewCertificateOrLeavesTheOldOne) {
  start(echo);
  ASSERT_TRUE(write_file(folder_.path() / "server.pem", "no certificate"));
  EXPECT_FALSE(server_->reload({}));
  auto some = client();
  EXPECT_TRUE(some.send({.url = url()}));
  const auto ca = DevelopmentCa::make("newer");
  const auto made = ca->certify("server", {"127.0.0.1"});
  ASSERT_TRUE(write_file(folder_.path() / "server.pem", made->certificate));
  ASSERT_TRUE(write_file(folder_.path() / "server.key", made->key));
  ASSERT_TRUE(server_->reload({}));
  EXPECT_FALSE(client().send({.url = url()})) << "it shows a certificate of another authority now";
}

TEST_F(HttpServerTest, AnAddressInUseIsAnError) {
  start(echo);
  const auto again = HttpServer::start({{.name = "device",
                                         .address = "127.0.0.1",
                                         .port = port_,
                                         .certificate = folder_.path() / "server.pem",
                                         .key = folder_.path() / "server.key",
                                         .workers = 1,
                                         .handler = echo}},
                                       {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::io);
}

}  // namespace http_server_test
}  // namespace gauze::server
