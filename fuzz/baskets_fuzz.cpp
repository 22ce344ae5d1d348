// Any bytes give transactions whose rows are in order and whose tokens lie in their lines, or an error; and what is mined
// from small ones agrees with itself.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/mining/miner.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gauze::patterns;
  if (size == 0) return 0;
  std::optional<BasketFormat> format;
  if (data[0] % 4 < 3) format = static_cast<BasketFormat>(data[0] % 4);
  const auto file = BasketFile::parse(std::string(reinterpret_cast<const char*>(data + 1), size - 1), format);
  if (!file) {
    if (file.error().message.empty()) std::abort();
    return 0;
  }
  const Database& database = file->database();
  for (std::size_t r = 0; r < database.rows(); ++r) {
    const auto row = database.row(r);
    if (std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) != row.end()) std::abort();
    for (const Item item : row)
      if (item >= database.names.size()) std::abort();
    for (const auto& token : file->tokens(r))
      if (token.begin < file->line(r).first || token.end > file->line(r).second || token.begin >= token.end)
        std::abort();
  }
  if (database.names.size() > 12 || database.rows() > 200) return 0;
  gauze::Progress progress;
  MiningOptions options;
  options.min_count = 2;
  std::uint64_t listed = 0;
  const auto mined = mine_itemsets(
      database, options,
      [&](std::span<const Item>, std::uint64_t) {
        ++listed;
        return true;
      },
      progress);
  if (!mined || mined->itemsets != listed) std::abort();
  if (count_itemsets(database, options, progress)->itemsets != listed) std::abort();
  return 0;
}
