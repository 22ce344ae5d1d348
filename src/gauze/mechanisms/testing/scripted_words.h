#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/random/random_words.h"

namespace gauze::testing {

/// Words that a test chose, one after the other; asking for more than there are is a mistake of the test.
class ScriptedWords final : public RandomWords {
 public:
  explicit ScriptedWords(std::vector<std::uint64_t> words) : words_(std::move(words)) {}
  [[nodiscard]] std::size_t left() const {
    return position_ == nullptr ? words_.size() : static_cast<std::size_t>(end_ - position_);
  }

 private:
  void refill() override {
    GAUZE_CHECK(position_ == nullptr && !words_.empty());
    position_ = words_.data();
    end_ = position_ + words_.size();
  }
  std::vector<std::uint64_t> words_;
};

}  // namespace gauze::testing
