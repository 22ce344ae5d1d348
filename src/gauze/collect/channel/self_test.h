#pragma once

#include "gauze/base/error.h"

namespace gauze::collect {

/// Known answers of everything that opens batches: SM3, SM4, HPKE with both curves (the vectors of RFC 9180's test suite), a batch of suite
/// 3 that another implementation made, and that a changed bit is found. For whoever starts a curator: `internal` when this machine's OpenSSL
/// gives other answers. Takes a few milliseconds.
[[nodiscard]] Result<void> self_test();

}  // namespace gauze::collect
