#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace gauze::table {

/// Gives each different text a number, in the order of first sight. Texts are copied once and stay where they are.
class StringInterner {
 public:
  [[nodiscard]] std::uint32_t intern(std::string_view text) {
    if ((texts_.size() + 1) * 2 > slots_.size()) grow();
    const std::uint64_t hash = std::hash<std::string_view>{}(text);
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t place = hash & mask_;; place = (place + 1) & mask_) {
      Slot& slot = slots_[place];
      if (slot.number == kFree) {
        slot = {tag, static_cast<std::uint32_t>(texts_.size())};
        texts_.push_back(keep(text));
        return slot.number;
      }
      if (slot.tag == tag && texts_[slot.number] == text) return slot.number;
    }
  }

  [[nodiscard]] std::size_t size() const { return texts_.size(); }
  [[nodiscard]] std::string_view text(std::uint32_t number) const { return texts_[number]; }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number = kFree;
  };
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  static constexpr std::size_t kBlockBytes = 1U << 16;

  void grow() {
    std::vector<Slot> slots(slots_.empty() ? 16 : slots_.size() * 2);
    mask_ = slots.size() - 1;
    for (std::uint32_t number = 0; number < texts_.size(); ++number) {
      const std::uint64_t hash = std::hash<std::string_view>{}(texts_[number]);
      std::size_t place = hash & mask_;
      while (slots[place].number != kFree) place = (place + 1) & mask_;
      slots[place] = {static_cast<std::uint32_t>(hash >> 32), number};
    }
    slots_ = std::move(slots);
  }

  std::string_view keep(std::string_view text) {
    if (text.empty()) return {};
    if (text.size() > kBlockBytes / 4) {  // a long text has a block of its own
      blocks_.push_back(std::make_unique<char[]>(text.size()));
      std::memcpy(blocks_.back().get(), text.data(), text.size());
      return {blocks_.back().get(), text.size()};
    }
    if (text.size() > left_) {
      // Small columns are the rule, and a table may have thousands of them: the first block is a small one.
      left_ = next_block_;
      next_block_ = std::min(kBlockBytes, next_block_ * 4);
      left_ = std::max(left_, text.size());
      blocks_.push_back(std::make_unique<char[]>(left_));
      free_ = blocks_.back().get();
    }
    std::memcpy(free_, text.data(), text.size());
    const std::string_view kept(free_, text.size());
    free_ += text.size();
    left_ -= text.size();
    return kept;
  }

  std::vector<Slot> slots_;  // a power of two of them, at most half full
  std::size_t mask_ = 0;
  std::vector<std::string_view> texts_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  std::size_t left_ = 0;
  std::size_t next_block_ = 256;
};

}  // namespace gauze::table
