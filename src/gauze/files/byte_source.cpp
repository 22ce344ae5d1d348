#include "gauze/files/byte_source.h"

namespace gauze {

Result<std::size_t> read_fully(ByteSource& source, std::span<char> block) {
  std::size_t size = 0;
  while (size < block.size()) {
    GAUZE_TRY(const std::size_t got, source.read(block.subspan(size)));
    if (got == 0) break;
    size += got;
  }
  return size;
}

}  // namespace gauze
