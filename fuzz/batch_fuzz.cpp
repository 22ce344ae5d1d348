// Any bytes are a batch or an error: the parts of one are the bytes again, and nothing that was not sealed opens.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gauze/collect/channel/batch.h"

using namespace gauze::collect;

namespace {

const SealingKey& key_of(Suite suite) {
  static const SealingKey p256 = SealingKey::generate(Suite::p256);
  static const SealingKey x25519 = SealingKey::generate(Suite::x25519);
  static const SealingKey sm = SealingKey::generate(Suite::sm);
  return suite == Suite::p256 ? p256 : suite == Suite::x25519 ? x25519 : sm;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto batch = parse_batch(bytes);
  if (!batch) return 0;
  std::string joined(batch->header);
  joined.append(batch->enc).append(batch->sealed);
  if (joined != bytes) std::abort();
  if (open_batch(key_of(batch->suite), *batch)) std::abort();
  // The same addressed to the key, so that all of opening is tried.
  const KeyId& id = key_of(batch->suite).public_key().id();
  for (std::size_t i = 0; i < id.size(); ++i) bytes[5 + i] = static_cast<char>(id[i]);
  if (open_batch(key_of(batch->suite), bytes)) std::abort();
  return 0;
}
