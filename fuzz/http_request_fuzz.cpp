// Any bytes, however they are cut, give the same requests and the same end; nothing beyond the limits is kept.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "gauze/server/http/request_reader.h"

using namespace gauze::server;

namespace {

constexpr RequestReader::Limits kLimits = {.header_bytes = 512, .body_bytes = 256};

struct Read {
  std::vector<std::string> requests;
  int status = 0;
  friend bool operator==(const Read&, const Read&) = default;
};

Read read(std::string_view bytes, std::size_t piece) {
  RequestReader reader(kLimits);
  Read found;
  const auto take_all = [&] {
    while (reader.state() == RequestReader::State::done) {
      HttpRequest request = reader.take();
      if (request.body.size() > kLimits.body_bytes || request.path.empty() || request.path.front() != '/')
        std::abort();
      std::string text = request.method + " " + request.path + " " + request.bearer + " " + request.content_type +
                         " " + request.body;
      for (const auto& [key, value] : request.query) text += "&" + key + "=" + value;
      found.requests.push_back(std::move(text));
    }
  };
  while (!bytes.empty() && reader.state() != RequestReader::State::failed) {
    reader.put(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    take_all();
  }
  if (reader.state() == RequestReader::State::failed) found.status = reader.status();
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Read whole = read(bytes, size == 0 ? 1 : size);
  const Read cut = read(bytes, 3);
  // Which of two limits is met first may depend on the cutting; what was a request does not.
  const std::size_t both = std::min(whole.requests.size(), cut.requests.size());
  for (std::size_t i = 0; i < both; ++i)
    if (whole.requests[i] != cut.requests[i]) std::abort();
  if (whole.status == 0 && cut.status == 0 && whole != cut) std::abort();
  return 0;
}
