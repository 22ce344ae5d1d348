// Any bytes are a .gvec or an error, also when the checksums of header and index have been made to fit: whatever is
// opened can be read without leaving it.
#include <openssl/sha.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/text/vectors/internal/gvec_layout.h"

using namespace gauze::text::internal;

namespace {

void read_all(std::string_view bytes) {
  const auto storage = view_gvec(bytes, "x");
  if (!storage) return;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < (*storage)->size(); ++i) {
    for (const char c : (*storage)->word(i)) sum += static_cast<unsigned char>(c);
    for (const std::int32_t value : (*storage)->row(i)) sum += static_cast<std::uint32_t>(value);
    sum += (*storage)->word((*storage)->order[i]).size();
  }
  if (!check_vectors(**storage, "x") && sum == ~std::uint64_t{0}) std::abort();  // all of it was read
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint64_t> memory(size / 8 + 1);  // at a multiple of 8
  std::memcpy(memory.data(), data, size);
  char* const bytes = reinterpret_cast<char*>(memory.data());
  read_all({bytes, size});
  if (size < sizeof(GvecHeader)) return 0;
  GvecHeader header;
  std::memcpy(&header, bytes, sizeof(header));
  if (header.offsets_at <= header.vectors_at && header.vectors_at <= size) {
    SHA256(reinterpret_cast<const unsigned char*>(bytes) + header.offsets_at, header.vectors_at - header.offsets_at,
           header.index_digest.data());
  }
  SHA256(reinterpret_cast<const unsigned char*>(&header), offsetof(GvecHeader, fingerprint),
         header.fingerprint.data());
  std::memcpy(bytes, &header, sizeof(header));
  read_all({bytes, size});
  return 0;
}
