// Sockets, TLS and threads, by Boost.Asio: the only source that sees it. Its exceptions end here.
#include "gauze/server/http/http_server.h"

#include <openssl/ssl.h>
#include <sys/socket.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <condition_variable>

#include "gauze/server/http/internal/connection_limits.h"
#include "gauze/server/http/tls_settings.h"

namespace gauze::server {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using tcp = asio::ip::tcp;
using boost::system::error_code;
using State = RequestReader::State;

std::chrono::nanoseconds seconds(double number) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(number));
}

/// A fatal alert, "unexpected message", as a record of TLS: what a client without TLS is told.
constexpr std::string_view kAlert("\x15\x03\x01\x00\x02\x02\x0a", 7);
constexpr unsigned char kHandshakeRecord = 0x16;
/// How much of what is no good any more is read away, so that the client sees the answer and not a reset.
constexpr std::size_t kMostDrained = std::size_t{64} << 20U;

struct Counters {
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> handshakes{0};
  std::atomic<std::uint64_t> resumed{0};
  std::atomic<std::uint64_t> handshake_failures{0};
  std::atomic<std::uint64_t> requests{0};
  std::atomic<std::uint64_t> time_outs{0};
  std::atomic<std::uint64_t> malformed{0};
};

/// What connections share.
struct Shared {
  explicit Shared(const HttpLimits& at_first) : limits(at_first) {}

  internal::ConnectionLimits limits;
  Counters counters;
  std::atomic<bool> stopping{false};
};

struct Listener {
  ListenerOptions options;
  std::unique_ptr<tcp::acceptor> acceptor;
  std::unique_ptr<asio::thread_pool> workers;
  std::unique_ptr<asio::thread_pool> slow_workers;  ///< nothing without such
  std::mutex mutex;
  std::optional<TlsSettings> tls;

  [[nodiscard]] TlsSettings settings() {
    const std::lock_guard guard(mutex);
    return *tls;
  }
  [[nodiscard]] asio::thread_pool& pool_for(const HttpRequest& request) {
    const bool is_slow = slow_workers && options.is_slow(request);
    return is_slow ? *slow_workers : *workers;
  }
};

/// What is counted as one client: who has an IPv6 address has all of its network's.
std::string place_of(const asio::ip::address& address) {
  if (address.is_v4()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
  return asio::ip::address_v6(bytes).to_string() + "/64";
}

/// One connection, from the first byte to the last. Everything of it runs in its strand; only the handler runs elsewhere.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Shared& shared, Listener& listener, std::string address, bool is_loopback)
      : socket_(std::move(socket)),
        watch_(socket_.get_executor()),
        shared_(shared),
        listener_(listener),
        limits_(shared.limits.limits()),
        address_(std::move(address)),
        is_loopback_(is_loopback),
        reader_(limits_.request) {}
  ~Connection() { end(); }

  asio::awaitable<void> run() {
    const auto self = shared_from_this();  // as long as this runs
    const bool is_tls = co_await speaks_tls();
    if (!is_tls) co_return;
    const bool may = shared_.limits.shake_hands(address_, is_loopback_, listener_.options.reserved);
    if (!may) {
      ++shared_.counters.refused;
      co_return;
    }
    const TlsSettings settings = listener_.settings();
    ssl::context context(SSL_CTX_up_ref(settings.context()) == 1 ? settings.context() : nullptr);
    stream_.emplace(socket_, context);
    error_code error;
    set_deadline(limits_.header_seconds);
    co_await stream_->async_handshake(ssl::stream_base::server, asio::redirect_error(asio::use_awaitable, error));
    if (error) {
      ++shared_.counters.handshake_failures;
      co_return;
    }
    ++shared_.counters.handshakes;
    if (SSL_session_reused(stream_->native_handle()) == 1) ++shared_.counters.resumed;
    bool stays = true;
    while (stays) stays = co_await serve_one();
    if (!is_broken_) co_await close();
  }

  /// Whichever way run() ended: nothing waits any more, and the place is free for others at once.
  void end() {
    if (has_ended_) return;
    has_ended_ = true;
    ++deadline_;
    error_code ignored;
    watch_.cancel(ignored);
    socket_.close(ignored);
    shared_.limits.leave(address_);
  }

  [[nodiscard]] tcp::socket::executor_type executor() { return socket_.get_executor(); }

  /// For a server that stops: ends what waits for a request.
  void end_idle() {
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      if (self->is_idle_) self->socket_.cancel();
    });
  }
  void abort() {
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      error_code ignored;
      self->socket_.close(ignored);
    });
  }

 private:
  void set_deadline(double after) {
    timed_out_ = false;
    const std::size_t number = ++deadline_;
    watch_.expires_after(seconds(after));
    watch_.async_wait([self = shared_from_this(), number](error_code error) {
      if (error || number != self->deadline_) return;
      self->timed_out_ = true;
      self->socket_.cancel();
    });
  }

  /// Looks at the first byte without taking it.
  asio::awaitable<bool> speaks_tls() {
    error_code error;
    set_deadline(limits_.header_seconds);
    co_await socket_.async_wait(tcp::socket::wait_read, asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return false;
    unsigned char first = 0;
    if (::recv(socket_.native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT) != 1) co_return false;
    if (first == kHandshakeRecord) co_return true;
    ++shared_.counters.handshake_failures;
    co_await asio::async_write(socket_, asio::buffer(kAlert.data(), kAlert.size()),
                               asio::redirect_error(asio::use_awaitable, error));
    co_await drain(65'536);
    co_return false;
  }

  /// The next bytes into the reader; false when there are none.
  asio::awaitable<bool> read_more() {
    error_code error;
    const std::size_t got =
        co_await stream_->async_read_some(asio::buffer(bytes_), asio::redirect_error(asio::use_awaitable, error));
    if (error) {
      is_broken_ = !timed_out_ && error != asio::error::operation_aborted;
      co_return false;
    }
    arrived_ = std::chrono::steady_clock::now();
    reader_.put({bytes_.data(), got});
    co_return true;
  }

  /// Waits for a whole request; false when the connection ends without one.
  asio::awaitable<bool> receive() {
    State state = reader_.state();
    if (state == State::empty) {
      is_idle_ = true;
      set_deadline(limits_.idle_seconds);
      bool came = false;
      if (!shared_.stopping) came = co_await read_more();
      is_idle_ = false;
      if (!came) co_return false;
      state = reader_.state();
    }
    if (state == State::header) set_deadline(limits_.header_seconds);
    bool in_body = false;
    for (;;) {
      state = reader_.state();
      if (state == State::done || state == State::failed) co_return true;
      if (state == State::body && !in_body) {
        in_body = true;
        set_deadline(limits_.body_seconds);
      }
      if (reader_.expects_continue()) {
        outgoing_ = "HTTP/1.1 100 Continue\r\n\r\n";
        const bool told = co_await write();
        if (!told) co_return false;
        set_deadline(limits_.body_seconds);
      }
      const bool came = co_await read_more();
      if (came) continue;
      if (!timed_out_) co_return false;
      ++shared_.counters.time_outs;
      co_await refuse(408);
      co_return false;
    }
  }

  /// Sends outgoing_. Nothing is handed over by value and nothing temporary stands in a condition beside co_await: g++ 12 loses it.
  asio::awaitable<bool> write() {
    error_code error;
    set_deadline(limits_.write_seconds);
    co_await asio::async_write(*stream_, asio::buffer(outgoing_), asio::redirect_error(asio::use_awaitable, error));
    if (error) is_broken_ = true;
    co_return !error;
  }

  /// Answers what is no request, ends this side of the connection, and reads away what still comes.
  asio::awaitable<void> refuse(int status) {
    outgoing_ = serialize(refusal(status), true, false);
    const bool told = co_await write();
    if (!told) co_return;
    is_broken_ = true;
    co_await drain(kMostDrained);
  }

  asio::awaitable<void> drain(std::size_t most) {
    error_code error;
    socket_.shutdown(tcp::socket::shutdown_send, error);
    set_deadline(limits_.body_seconds);
    for (std::size_t drained = 0; !error && drained < most;)
      drained +=
          co_await socket_.async_read_some(asio::buffer(bytes_), asio::redirect_error(asio::use_awaitable, error));
  }

  asio::awaitable<bool> serve_one() {
    const bool came = co_await receive();
    if (!came) co_return false;
    if (reader_.state() == State::failed) {
      ++shared_.counters.malformed;
      co_await refuse(reader_.status());
      co_return false;
    }
    ++shared_.counters.requests;
    const bool client_stays = reader_.keep_alive();
    HttpRequest request = reader_.take();
    request.address = address_;
    request.is_loopback = is_loopback_;
    request.received = arrived_;
    const bool with_body = request.method != "HEAD";
    watch_.cancel();
    ++deadline_;
    asio::thread_pool& pool = listener_.pool_for(request);
    HttpResponse response = co_await asio::co_spawn(
        pool.get_executor(),
        [this, &request]() -> asio::awaitable<HttpResponse> { co_return listener_.options.handler(request); },
        asio::use_awaitable);
    const bool stays = client_stays && !response.closes && !shared_.stopping;
    outgoing_ = serialize(response, with_body, stays);
    const bool sent = co_await write();
    co_return sent&& stays;
  }

  asio::awaitable<void> close() {
    error_code error;
    set_deadline(1);
    co_await stream_->async_shutdown(asio::redirect_error(asio::use_awaitable, error));
  }

  tcp::socket socket_;
  asio::steady_timer watch_;
  Shared& shared_;
  Listener& listener_;
  HttpLimits limits_;
  std::string address_;
  bool is_loopback_;
  RequestReader reader_;
  std::optional<ssl::stream<tcp::socket&>> stream_;
  std::array<char, 16'384> bytes_{};
  std::string outgoing_;
  std::chrono::steady_clock::time_point arrived_ = {};  ///< the bytes that came last
  std::size_t deadline_ = 0;
  bool timed_out_ = false;
  bool is_idle_ = false;
  bool is_broken_ = false;
  bool has_ended_ = false;
};

}  // namespace

class HttpServer::Impl {
 public:
  explicit Impl(const HttpLimits& limits) : shared_(limits) {}
  ~Impl() { stop(0); }

  Result<void> open(std::vector<ListenerOptions> listeners) {
    for (ListenerOptions& options : listeners) {
      auto listener = std::make_unique<Listener>();
      GAUZE_TRY(TlsSettings tls, TlsSettings::make(options.certificate, options.key));
      listener->tls.emplace(std::move(tls));
      error_code error;
      const auto address = asio::ip::make_address(options.address, error);
      if (error) return invalid_parameter("{}: '{}' is no address", options.name, options.address);
      const tcp::endpoint place(address, options.port);
      listener->acceptor = std::make_unique<tcp::acceptor>(context_);
      listener->acceptor->open(place.protocol(), error);
      if (!error) listener->acceptor->set_option(tcp::acceptor::reuse_address(true), error);
      if (!error) listener->acceptor->bind(place, error);
      if (!error) listener->acceptor->listen(1024, error);
      if (error)
        return make_error(ErrorCode::io, "cannot listen on {}:{} for {}s: {}", options.address, options.port,
                          options.name, error.message());
      const tcp::endpoint bound = listener->acceptor->local_endpoint(error);
      // Who listens everywhere is found at home.
      std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
      if (address.is_unspecified()) host = address.is_v6() ? "localhost" : "127.0.0.1";
      addresses_.push_back(fmt::format("https://{}:{}", host, bound.port()));
      listener->workers = std::make_unique<asio::thread_pool>(options.workers);
      if (options.slow_workers > 0 && options.is_slow)
        listener->slow_workers = std::make_unique<asio::thread_pool>(options.slow_workers);
      listener->options = std::move(options);
      listeners_.push_back(std::move(listener));
    }
    for (const auto& listener : listeners_) asio::co_spawn(context_, accept_all(*listener), asio::detached);
    for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { context_.run(); });
    return {};
  }

  const std::vector<std::string>& addresses() const { return addresses_; }

  Figures figures() const {
    const Counters& from = shared_.counters;
    return {.connections = shared_.limits.open(),
            .accepted = from.accepted,
            .refused = from.refused,
            .handshakes = from.handshakes,
            .resumed = from.resumed,
            .handshake_failures = from.handshake_failures,
            .requests = from.requests,
            .time_outs = from.time_outs,
            .malformed = from.malformed};
  }

  Result<void> reload(const HttpLimits& limits) {
    std::vector<TlsSettings> made;
    for (const auto& listener : listeners_) {
      GAUZE_TRY(TlsSettings tls, TlsSettings::make(listener->options.certificate, listener->options.key));
      made.push_back(std::move(tls));
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
      const std::lock_guard guard(listeners_[i]->mutex);
      listeners_[i]->tls.emplace(std::move(made[i]));
    }
    shared_.limits.set(limits);
    return {};
  }

  void stop(double patience) {
    if (shared_.stopping.exchange(true)) return;
    asio::post(context_, [this] {
      for (const auto& listener : listeners_) {
        error_code ignored;
        listener->acceptor->close(ignored);
      }
    });
    for_all([](Connection& connection) { connection.end_idle(); });
    wait_until_empty(patience);
    for_all([](Connection& connection) { connection.abort(); });
    wait_until_empty(1);
    for (const auto& listener : listeners_) {
      listener->workers->join();
      if (listener->slow_workers) listener->slow_workers->join();
    }
    context_.stop();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  template <class Work>
  void for_all(Work work) {
    std::vector<std::shared_ptr<Connection>> here;
    {
      const std::lock_guard guard(mutex_);
      for (const auto& weak : connections_)
        if (auto connection = weak.second.lock()) here.push_back(std::move(connection));
    }
    for (const auto& connection : here) work(*connection);
  }

  void wait_until_empty(double patience) {
    std::unique_lock lock(mutex_);
    is_empty_.wait_for(lock, seconds(patience), [this] { return connections_.empty(); });
  }

  asio::awaitable<void> accept_all(Listener& listener) {
    for (;;) {
      error_code error;
      tcp::socket socket = co_await listener.acceptor->async_accept(asio::make_strand(context_),
                                                                    asio::redirect_error(asio::use_awaitable, error));
      if (shared_.stopping || error == asio::error::operation_aborted || error == asio::error::bad_descriptor)
        co_return;
      if (error) {  // out of descriptors: others must end first
        asio::steady_timer pause(context_, std::chrono::milliseconds(20));
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
        continue;
      }
      admit(std::move(socket), listener);
    }
  }

  void admit(tcp::socket socket, Listener& listener) {
    error_code error;
    const tcp::endpoint peer = socket.remote_endpoint(error);
    if (error) return;
    asio::ip::address client = peer.address();
    // A listener on [::] sees clients of IPv4 in a dress of IPv6.
    if (client.is_v6() && client.to_v6().is_v4_mapped())
      client = asio::ip::make_address_v4(asio::ip::v4_mapped, client.to_v6());
    const std::string address = place_of(client);
    const bool is_loopback = client.is_loopback();
    ++shared_.counters.accepted;
    if (!shared_.limits.enter(address, is_loopback, listener.options.reserved)) {
      ++shared_.counters.refused;
      return;
    }
    socket.set_option(tcp::no_delay(true), error);
    auto connection = std::make_shared<Connection>(std::move(socket), shared_, listener, address, is_loopback);
    const std::size_t number = next_++;
    {
      const std::lock_guard guard(mutex_);
      connections_.emplace(number, connection);
    }
    const auto executor = connection->executor();
    asio::co_spawn(
        executor, [connection]() mutable -> asio::awaitable<void> { return connection->run(); },
        [this, number, connection](std::exception_ptr) {
          connection->end();
          const std::lock_guard guard(mutex_);
          connections_.erase(number);
          if (connections_.empty()) is_empty_.notify_all();
        });
  }

  Shared shared_;
  asio::io_context context_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<std::string> addresses_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable is_empty_;
  std::unordered_map<std::size_t, std::weak_ptr<Connection>> connections_;
  std::atomic<std::size_t> next_{0};
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer::~HttpServer() = default;

Result<HttpServer> HttpServer::start(std::vector<ListenerOptions> listeners, const HttpLimits& limits) {
  auto impl = std::make_unique<Impl>(limits);
  GAUZE_TRY_VOID(impl->open(std::move(listeners)));
  return HttpServer(std::move(impl));
}

const std::vector<std::string>& HttpServer::addresses() const { return impl_->addresses(); }
HttpServer::Figures HttpServer::figures() const { return impl_->figures(); }
Result<void> HttpServer::reload(const HttpLimits& limits) { return impl_->reload(limits); }
void HttpServer::stop(double seconds) { impl_->stop(seconds); }

}  // namespace gauze::server
