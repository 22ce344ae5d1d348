// Any bytes are a key file or none, and what is read is written back as the same bytes. The bytes are also tried with the checksum that
// belongs to them.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gauze/files/sha256.h"
#include "gauze/server/keys/internal/key_file_format.h"

namespace {

void read_back(std::string_view bytes) {
  const auto content = gauze::server::internal::decode_key_file(bytes);
  if (content && gauze::server::internal::encode_key_file(*content) != bytes) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  read_back(bytes);
  gauze::Sha256 hash;
  hash.add(bytes);
  const auto digest = hash.finish_bytes();
  read_back(bytes.append(digest.begin(), digest.end()));
  return 0;
}
