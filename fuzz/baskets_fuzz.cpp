// Any bytes give transactions whose rows are in order and whose cells lie in their lines, or an error; what is mined from
// small ones agrees with itself; and a release of them reads back as it was meant and can be undone.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/mining/miner.h"

namespace {

using namespace gauze::patterns;

void check_rows(const BasketFile& file) {
  const Database& database = file.database();
  for (std::size_t r = 0; r < database.rows(); ++r) {
    const auto row = database.row(r);
    if (std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) != row.end()) std::abort();
    for (const Item item : row)
      if (item >= database.names.size()) std::abort();
    for (const BasketCell& cell : file.cells(r)) {
      if (cell.begin < cell.line_begin || cell.end > cell.line_end || cell.begin > cell.end) std::abort();
      if (cell.begin == cell.end && cell.kind != BasketCell::Kind::none) std::abort();
    }
  }
}

void check_mining(const Database& database) {
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
}

/// Changes that follow from the bytes.
void check_release(const BasketFile& file, const std::string& bytes, std::uint64_t seed) {
  const Database& database = file.database();
  std::vector<Edit> edits;
  for (std::size_t r = 0; r < database.rows(); ++r) {
    if (file.format() == BasketFormat::matrix && file.cells(r).empty()) continue;
    for (Item item = 0; item < database.names.size(); ++item) {
      seed = seed * 6364136223846793005 + 1442695040888963407;
      if ((seed >> 60) > 4) continue;
      const auto row = database.row(r);
      const auto marks = database.marks_of(r);
      if (std::binary_search(row.begin(), row.end(), item))
        edits.push_back({r, item, (seed >> 40) % 2 == 0 ? Operation::mark : Operation::remove});
      else if (!std::binary_search(marks.begin(), marks.end(), item))
        edits.push_back({r, item, Operation::decoy});
    }
  }
  const bool anonymous = file.format() != BasketFormat::matrix && (seed >> 50) % 2 == 0;
  const auto release = write_release(file, edits, anonymous ? MarkStyle::anonymous : MarkStyle::anchored);
  if (!release && file.encodes_back()) std::abort();
  if (!release) return;
  const auto back = restore(release->bytes, release->marks, file.reading());
  if (!back || *back != bytes) std::abort();
  const auto read = BasketFile::parse(release->bytes, file.reading());
  if (!read || read->database().rows() != database.rows()) std::abort();
  std::size_t taken = 0;
  for (const Edit& edit : edits) taken += edit.operation == Operation::decoy ? 0 : 1;
  if (read->database().items.size() + taken != database.items.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::optional<BasketFormat> format;
  if (data[0] % 5 < 4) format = static_cast<BasketFormat>(data[0] % 5);
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto file = BasketFile::parse(bytes, format);
  if (!file) {
    if (file.error().message.empty()) std::abort();
    return 0;
  }
  check_rows(*file);
  if (file->database().names.size() > 12 || file->database().rows() > 200) return 0;
  check_mining(file->database());
  check_release(*file, bytes, data[0] * 0x9e3779b97f4a7c15 + size);
  return 0;
}
