#include "gauze/collect/channel/batch.h"

#include <algorithm>
#include <optional>

#include "gauze/collect/channel/internal/hpke.h"
#include "gauze/collect/channel/internal/sm_envelope.h"

namespace gauze::collect {
namespace {

using internal::Encapsulated;
using internal::HpkeContext;
using internal::Secret;

constexpr std::string_view kInfo = "gauze-batch-1";
constexpr std::size_t kSuiteAt = 4;
constexpr std::size_t kKeyAt = 5;
constexpr std::size_t kEncBytesAt = 13;

/// The schedule of all batches of a suite.
const HpkeContext& context_of(Suite suite) {
  static const HpkeContext p256(Suite::p256, kInfo);
  static const HpkeContext x25519(Suite::x25519, kInfo);
  return suite == Suite::p256 ? p256 : x25519;
}

tl::unexpected<Error> no_batch(std::string_view rule) {
  return make_error(ErrorCode::bad_data, "the batch is malformed: {}", rule);
}

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

std::string header_of(const SealingPublicKey& key, std::size_t enc_bytes) {
  std::string header(kBatchMagic);
  header += static_cast<char>(number_of(key.suite()));
  header.append(reinterpret_cast<const char*>(key.id().data()), key.id().size());
  header += static_cast<char>(enc_bytes & 0xff);
  header += static_cast<char>(enc_bytes >> 8);
  return header;
}

bool may_be_enc(Suite suite, std::size_t bytes) {
  return suite == Suite::sm ? bytes <= internal::kMostSmEncBytes : bytes == internal::public_key_bytes(suite);
}

std::optional<std::string> opened(const SealingKey& key, const Batch& batch) {
  if (batch.suite != key.suite() || batch.key != key.public_key().id()) return std::nullopt;
  if (batch.suite == Suite::sm) {
    const auto secret = internal::sm_decapsulate(key.pair(), batch.enc);
    return secret ? internal::sm_open(*secret, batch.header, batch.enc, batch.sealed) : std::nullopt;
  }
  const auto secret = internal::hpke_decapsulate(batch.suite, key.pair(), key.public_key().bytes(), batch.enc);
  return secret ? context_of(batch.suite).open(*secret, batch.header, batch.sealed) : std::nullopt;
}

}  // namespace

Result<Batch> parse_batch(std::string_view bytes) {
  if (bytes.size() < kBatchHeaderBytes || !bytes.starts_with(kBatchMagic)) return no_batch("it has no header");
  if (bytes.size() > kMostBatchBytes) return no_batch("it is too long");
  const auto suite = suite_of_number(byte_at(bytes, kSuiteAt));
  if (!suite) return no_batch("its suite is unknown");
  Batch batch;
  batch.suite = *suite;
  for (std::size_t i = 0; i < batch.key.size(); ++i) batch.key[i] = static_cast<unsigned char>(bytes[kKeyAt + i]);
  const std::size_t enc_bytes = byte_at(bytes, kEncBytesAt) | byte_at(bytes, kEncBytesAt + 1) << 8;
  const std::size_t tag_bytes = *suite == Suite::sm ? internal::kSmTagBytes : internal::kHpkeTagBytes;
  if (!may_be_enc(*suite, enc_bytes)) return no_batch("its enc has a wrong length");
  if (bytes.size() < kBatchHeaderBytes + enc_bytes + tag_bytes) return no_batch("it ends early");
  batch.header = bytes.substr(0, kBatchHeaderBytes);
  batch.enc = bytes.substr(kBatchHeaderBytes, enc_bytes);
  batch.sealed = bytes.substr(kBatchHeaderBytes + enc_bytes);
  return batch;
}

Result<std::string> seal_batch(const SealingPublicKey& key, std::string_view blocks) {
  constexpr std::size_t kMostOverhead = kBatchHeaderBytes + internal::kMostSmEncBytes + internal::kSmTagBytes;
  if (blocks.empty() || blocks.size() > kMostBatchBytes - kMostOverhead)
    return invalid_parameter("a batch has 1 to {} bytes of blocks, not {}", kMostBatchBytes - kMostOverhead,
                             blocks.size());
  const bool is_sm = key.suite() == Suite::sm;
  const auto made = is_sm ? internal::sm_encapsulate(key.parsed())
                          : internal::hpke_encapsulate(key.suite(), key.parsed(), key.bytes());
  if (!made) return make_error(ErrorCode::internal, "OpenSSL cannot encrypt to the key {}", key.id_hex());
  std::string batch = header_of(key, made->enc.size());
  const std::string sealed = is_sm ? internal::sm_seal(made->secret, batch, made->enc, blocks)
                                   : context_of(key.suite()).seal(made->secret, batch, blocks);
  return batch.append(made->enc).append(sealed);
}

Result<std::string> open_batch(const SealingKey& key, const Batch& batch) {
  auto text = opened(key, batch);
  if (!text)
    return make_error(ErrorCode::bad_data, "the batch does not open with the key {}", key.public_key().id_hex());
  return std::move(*text);
}

Result<std::string> open_batch(const SealingKey& key, std::string_view bytes) {
  GAUZE_TRY(const Batch batch, parse_batch(bytes));
  return open_batch(key, batch);
}

}  // namespace gauze::collect
