// The only source that sees Beast's parser.
#include "gauze/server/http/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <optional>

namespace gauze::server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The text with %XX decoded; nothing for a broken escape or a NUL.
std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = digit_of(text[i + 1]);
      const int low = digit_of(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_blank) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    out += c;
  }
  return out;
}

bool read_query(std::string_view text, HttpRequest& request) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    auto name = decoded(pair.substr(0, equals), true);
    auto value = decoded(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!name || !value) return false;
    request.query.emplace_back(std::move(*name), std::move(*value));
  }
  return true;
}

bool read_target(std::string_view target, HttpRequest& request) {
  if (target.empty() || target.front() != '/') return false;
  target = target.substr(0, target.find('#'));
  const std::size_t question = target.find('?');
  auto path = decoded(target.substr(0, question), false);
  if (!path) return false;
  request.path = std::move(*path);
  return question == std::string_view::npos || read_query(target.substr(question + 1), request);
}

/// Looks through the bytes of a header as they come, for what the parser lets pass: a line that goes on in the next one, which others read as
/// a line of its own, and a header whose lines are each short but without end.
class HeaderScan {
 public:
  /// Of the bytes that the parser has not taken yet: those that were not looked at. Ends behind the empty line.
  void read(std::string_view waiting) {
    for (; ahead_ < waiting.size() && !is_whole_; ++ahead_) {
      const char c = waiting[ahead_];
      ++bytes_;
      if (at_line_ && (c == ' ' || c == '\t')) has_fold_ = true;
      if (at_line_ && c == '\r') continue;
      is_whole_ = at_line_ && c == '\n';
      at_line_ = c == '\n';
    }
  }
  void taken(std::size_t bytes) { ahead_ -= std::min(ahead_, bytes); }

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool has_fold() const { return has_fold_; }

 private:
  std::size_t ahead_ = 0;  ///< looked at, not taken
  std::size_t bytes_ = 0;
  bool at_line_ = false;  ///< nothing but perhaps a CR stands in this line
  bool is_whole_ = false;
  bool has_fold_ = false;
};

int status_of(const beast::error_code& error) {
  if (error == http::error::body_limit) return 413;
  if (error == http::error::header_limit) return 431;
  if (error == http::error::bad_version) return 505;
  return 400;
}

}  // namespace

class RequestReader::Parser {
 public:
  explicit Parser(const Limits& limits) : limits_(limits) { begin(); }

  State put(std::string_view bytes) {
    waiting_.append(bytes);
    return advance();
  }

  State advance() {
    while (state_ != State::done && state_ != State::failed && !waiting_.empty()) {
      if (state_ == State::empty) state_ = State::header;
      if (state_ == State::header) {
        scan_.read(waiting_);
        if (scan_.bytes() > limits_.header_bytes) return fail(431);
        if (scan_.has_fold()) return fail(400);
      }
      beast::error_code error;
      const std::size_t used = parser_->put(boost::asio::const_buffer(waiting_.data(), waiting_.size()), error);
      waiting_.erase(0, used);
      scan_.taken(used);
      bytes_ += used;
      if (parser_->is_header_done() && state_ == State::header) {
        state_ = State::body;
        if (!read_header()) return state_;
      }
      if (error && error != http::error::need_more) return fail(status_of(error));
      if (bytes_ > most_bytes()) return fail(413);
      // Of a body that is not whole only the beginning of a chunk's header or the trailer waits.
      if (error && waiting_.size() > limits_.header_bytes) return fail(state_ == State::header ? 431 : 400);
      if (error) return state_;
      if (parser_->is_done()) state_ = State::done;
    }
    return state_;
  }

  State state() const { return state_; }
  int status() const { return status_; }
  bool keep_alive() const { return state_ == State::done && parser_->get().keep_alive(); }

  bool expects_continue() {
    const bool expects = expects_continue_ && state_ == State::body;
    if (expects) expects_continue_ = false;
    return expects;
  }

  HttpRequest take() {
    request_.body = std::move(parser_->get().body());
    HttpRequest whole = std::move(request_);
    begin();
    advance();
    return whole;
  }

 private:
  void begin() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
    parser_->body_limit(limits_.body_bytes);
    parser_->eager(true);
    request_ = {};
    scan_ = {};
    bytes_ = 0;
    state_ = State::empty;
    expects_continue_ = false;
  }

  /// Of one request with all that is no content: chunks may cost as much again as what they hold, and a trailer a header.
  std::size_t most_bytes() const { return 2 * (limits_.header_bytes + limits_.body_bytes); }

  State fail(int status) {
    status_ = status;
    waiting_ = {};
    return state_ = State::failed;
  }

  bool read_header() {
    const auto& header = parser_->get();
    if (header.version() != 11 && header.version() != 10) return refuse(505);
    if (!read_target(view_of(header.target()), request_)) return refuse(400);
    if (header.count(http::field::transfer_encoding) > 0 &&
        (header.count(http::field::content_length) > 0 || header.version() == 10))
      return refuse(400);
    const auto encodings = header.count(http::field::transfer_encoding);
    if (encodings > 1) return refuse(501);
    if (encodings == 1 && lower(view_of(header[http::field::transfer_encoding])) != "chunked") return refuse(501);
    if (header.count(http::field::host) > 1 || header.count(http::field::authorization) > 1) return refuse(400);
    if (header.version() == 11 && header.count(http::field::host) == 0) return refuse(400);
    request_.method = std::string(view_of(header.method_string()));
    const std::string_view type = view_of(header[http::field::content_type]);
    request_.content_type = lower(type.substr(0, type.find(';')));
    while (!request_.content_type.empty() && request_.content_type.back() == ' ') request_.content_type.pop_back();
    const std::string_view authorization = view_of(header[http::field::authorization]);
    if (lower(authorization.substr(0, 7)) == "bearer ") request_.bearer = authorization.substr(7);
    expects_continue_ = lower(view_of(header[http::field::expect])) == "100-continue";
    return true;
  }
  bool refuse(int status) {
    fail(status);
    return false;
  }

  Limits limits_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::string waiting_;  ///< what came and was not parsed
  HeaderScan scan_;
  std::size_t bytes_ = 0;  ///< of this request, parsed
  HttpRequest request_;
  State state_ = State::empty;
  int status_ = 400;
  bool expects_continue_ = false;
};

RequestReader::RequestReader(const Limits& limits) : parser_(std::make_unique<Parser>(limits)) {}
RequestReader::RequestReader(RequestReader&&) noexcept = default;
RequestReader::~RequestReader() = default;
RequestReader::State RequestReader::put(std::string_view bytes) { return parser_->put(bytes); }
RequestReader::State RequestReader::state() const { return parser_->state(); }
int RequestReader::status() const { return parser_->status(); }
bool RequestReader::expects_continue() { return parser_->expects_continue(); }
bool RequestReader::keep_alive() const { return parser_->keep_alive(); }
HttpRequest RequestReader::take() { return parser_->take(); }

}  // namespace gauze::server
