#include "gauze/files/https_client.h"

#include <curl/curl.h>

#include <charconv>
#include <mutex>

namespace gauze {
namespace {

/// libcurl wants to be started once in a process, before threads use it.
bool start_curl() {
  static const bool started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return started;
}

/// "127.0.0.1:8443": a server's place, for messages; nothing of path and query.
std::string place_of(std::string_view url) {
  const std::size_t begin = url.find("://");
  if (begin != std::string_view::npos) url.remove_prefix(begin + 3);
  return std::string(url.substr(0, url.find_first_of("/?")));
}

struct Received {
  std::string body = {};
  std::size_t most = 0;
  bool is_too_long = false;
};

std::size_t take(char* bytes, std::size_t size, std::size_t count, void* target) {
  auto& received = *static_cast<Received*>(target);
  if (received.body.size() + size * count > received.most) {
    received.is_too_long = true;
    return 0;
  }
  received.body.append(bytes, size * count);
  return size * count;
}

HttpsClient::Failure failure_of(CURLcode code, const std::string& place, bool is_too_long) {
  using Kind = HttpsClient::Failure::Kind;
  const auto told = [&](Kind kind, std::string_view why) {
    return HttpsClient::Failure{kind, {ErrorCode::io, fmt::format("{}: {}", place, why)}};
  };
  switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return told(Kind::certificate,
                  "the server's certificate does not verify: it is another server, another name, or "
                  "the certificate of its authority is not the one that was given");
    case CURLE_SSL_CACERT_BADFILE:
      return told(Kind::other, "the file of certificates to trust holds none");
    case CURLE_COULDNT_RESOLVE_HOST:
      return told(Kind::unreachable, "there is no host of that name");
    case CURLE_COULDNT_CONNECT:
      return told(Kind::unreachable, "nobody answers there");
    case CURLE_OPERATION_TIMEDOUT:
      return told(Kind::unreachable, "no answer in time");
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE:
      return told(Kind::unreachable, "the connection was ended before an answer came");
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return told(Kind::other, "this is no address: one begins with https://");
    case CURLE_WRITE_ERROR:
      return told(Kind::other, is_too_long ? "the answer is too long" : "the answer could not be kept");
    default:
      return told(Kind::other, fmt::format("the request failed: {}", curl_easy_strerror(code)));
  }
}

}  // namespace

class HttpsClient::Impl {
 public:
  explicit Impl(Options options) : options_(std::move(options)), handle_(curl_easy_init()) {}
  ~Impl() { curl_easy_cleanup(handle_); }

  tl::expected<Response, Failure> send(const Request& request) {
    if (handle_ == nullptr)
      return tl::unexpected<Failure>({Failure::Kind::other, {ErrorCode::internal, "libcurl does not start"}});
    curl_easy_reset(handle_);  // connections stay
    Received received{.most = options_.most_answer_bytes};
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "https");
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    const std::string ca = options_.ca.string();
    if (!ca.empty()) {
      set(CURLOPT_CAINFO, ca.c_str());
      set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    }
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_seconds * 1'000));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(options_.seconds * 1'000));
    set(CURLOPT_WRITEFUNCTION, &take);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&received));
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    if (request.method != "GET" || !request.body.empty()) {
      set(CURLOPT_POSTFIELDS, request.body.data() != nullptr ? request.body.data() : "");
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    curl_slist* headers = nullptr;
    const auto add = [&](const std::string& line) { headers = curl_slist_append(headers, line.c_str()); };
    add("Expect:");
    add(request.content_type.empty() ? "Content-Type:" : "Content-Type: " + request.content_type);
    if (!request.bearer.empty()) add("Authorization: Bearer " + request.bearer);
    set(CURLOPT_HTTPHEADER, headers);
    const CURLcode code = curl_easy_perform(handle_);
    curl_slist_free_all(headers);
    if (code != CURLE_OK)
      return tl::unexpected<Failure>(failure_of(code, place_of(request.url), received.is_too_long));
    Response response{.body = std::move(received.body)};
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &response.status);
    const char* type = nullptr;
    if (curl_easy_getinfo(handle_, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type != nullptr)
      response.content_type = type;
    curl_off_t wait = 0;
    if (curl_easy_getinfo(handle_, CURLINFO_RETRY_AFTER, &wait) == CURLE_OK && wait > 0) response.retry_after = wait;
    return response;
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(handle_, option, value);
  }

  Options options_;
  CURL* handle_;
};

HttpsClient::HttpsClient(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpsClient::HttpsClient(HttpsClient&&) noexcept = default;
HttpsClient& HttpsClient::operator=(HttpsClient&&) noexcept = default;
HttpsClient::~HttpsClient() = default;

Result<HttpsClient> HttpsClient::make(const Options& options) {
  std::error_code problem;
  if (!options.ca.empty() && !std::filesystem::is_regular_file(options.ca, problem))
    return make_error(ErrorCode::io, "there is no file of certificates '{}'", options.ca.string());
  if (!start_curl()) return make_error(ErrorCode::internal, "libcurl does not start");
  return HttpsClient(std::make_unique<Impl>(options));
}

tl::expected<HttpsClient::Response, HttpsClient::Failure> HttpsClient::send(const Request& request) {
  return impl_->send(request);
}

std::string url_escaped(std::string_view text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string out;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace gauze
