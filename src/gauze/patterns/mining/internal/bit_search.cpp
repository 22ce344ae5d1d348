#include "gauze/patterns/mining/internal/bit_search.h"

namespace gauze::patterns::internal {
namespace {

constexpr std::uint64_t kBitWorkBetweenLooks = 1U << 16;

}  // namespace

void BitSearch::run(std::vector<std::uint32_t>& prefix, std::vector<std::uint32_t>& shared,
                    const std::vector<BitEntry>& entries, std::size_t first, std::size_t last,
                    std::vector<const std::uint64_t*> done) {
  prefix_ = &prefix;
  shared_ = &shared;
  done_ = std::move(done);
  work_.set_words(arrays_.words());
  for (std::size_t i = first; i < last && !limits_.stopped(); ++i) {
    visit(entries, i, 0);
    if (options_.kind != ItemsetKind::frequent) done_.push_back(entries[i].bits);
  }
}

void BitSearch::descend(const std::vector<BitEntry>& entries, std::size_t depth) {
  const std::size_t done_before = done_.size();
  for (std::size_t i = 0; i < entries.size() && !limits_.stopped(); ++i) {
    visit(entries, i, depth);
    if (options_.kind != ItemsetKind::frequent) done_.push_back(entries[i].bits);
  }
  done_.resize(done_before);
}

/// All sets that begin with the prefix and entry i. A closed set whose rows all hold an item that was done before was found from there,
/// with all that could grow from it.
void BitSearch::visit(const std::vector<BitEntry>& entries, std::size_t i, std::size_t depth) {
  looked_ += 1 + entries.size() - i + done_.size();
  if (looked_ > kBitWorkBetweenLooks) {
    looked_ = 0;
    limits_.look_at_clock();
    if (limits_.stopped()) return;
  }
  const BitEntry& one = entries[i];
  const bool all_kinds = options_.kind == ItemsetKind::frequent;
  if (!all_kinds)
    for (const std::uint64_t* const before : done_)
      if (work_.is_within(one.bits, before)) return;
  while (lists_.size() <= depth) lists_.push_back(std::make_unique<std::vector<BitEntry>>());
  std::vector<BitEntry>& next = *lists_[depth];
  next.clear();
  const BitArrays::Mark mark = arrays_.mark();
  const std::size_t shared_before = shared_->size();
  const bool deeper = options_.max_size == 0 || !all_kinds || prefix_->size() + 1 < options_.max_size;
  std::uint64_t* out = nullptr;
  for (std::size_t j = i + 1; deeper && j < entries.size(); ++j) {
    if (out == nullptr) out = arrays_.make();
    const std::uint64_t support = work_.intersect(one.bits, entries[j].bits, out);
    if (support == one.support) {
      shared_->push_back(entries[j].rank);
    } else if (support >= options_.min_count) {
      next.push_back({entries[j].rank, support, out});
      out = nullptr;
    }
  }
  prefix_->push_back(one.rank);
  receiver_.take(*prefix_, *shared_, one.support);
  if (!next.empty()) descend(next, depth + 1);
  prefix_->pop_back();
  shared_->resize(shared_before);
  arrays_.go_back(mark);
}

}  // namespace gauze::patterns::internal
