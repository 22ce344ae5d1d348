#pragma once
// Batches as devices send them: `GZB1`, suite u8, id of the key 8 bytes, length of enc u16, enc, sealed text (docs/formats/reports.md). The
// text is blocks of reports, one after the other.

#include <cstddef>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/collect/channel/sealing_key.h"
#include "gauze/collect/channel/suite.h"

namespace gauze::collect {

inline constexpr std::string_view kBatchMagic = "GZB1";
inline constexpr std::size_t kBatchHeaderBytes = 15;
/// A curator takes far less; beyond this nothing is sealed and nothing is one.
inline constexpr std::size_t kMostBatchBytes = std::size_t{16} << 20;

/// The parts of a batch, as views into it.
struct Batch {
  Suite suite = Suite::p256;
  KeyId key{};
  std::string_view header;  ///< authenticated with the text
  std::string_view enc;
  std::string_view sealed;
};

/// Total: any bytes give parts or `bad_data`. That parts were found says nothing of who made them.
[[nodiscard]] Result<Batch> parse_batch(std::string_view bytes);

/// Seals blocks to a key, each time differently. `invalid_parameter` for none at all and for more than kMostBatchBytes.
///
/// Guarantee      : whoever has not the private key learns the length of the blocks and the key's id; a batch in which a bit was changed
///                  does not open. It does not say who sealed it, and an old batch opens as well as a new one: that is for whoever counts.
/// Not covered    : a private key that becomes known opens what was sealed to it before.
[[nodiscard]] Result<std::string> seal_batch(const SealingPublicKey& key, std::string_view blocks);

/// The blocks again. One error, `bad_data`, for whatever does not open: another key, another suite, a changed bit.
[[nodiscard]] Result<std::string> open_batch(const SealingKey& key, const Batch& batch);
[[nodiscard]] Result<std::string> open_batch(const SealingKey& key, std::string_view bytes);

}  // namespace gauze::collect
