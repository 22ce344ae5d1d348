#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::query {

/// The tokens of a statement, as PostgreSQL's scanner cuts it: PostgreSQL tells where an expression begins, these where it ends.
class Tokens {
 public:
  /// Refuses what is too long, too nested or no text.
  [[nodiscard]] static Result<Tokens> scan(std::string_view sql);

  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  [[nodiscard]] const std::vector<TextSpan>& all() const { return tokens_; }
  /// The token that begins there, or the first behind it.
  [[nodiscard]] std::size_t at(std::size_t offset) const;
  [[nodiscard]] std::string_view text(std::size_t token) const {
    return token < tokens_.size() ? sql_.substr(tokens_[token].offset, tokens_[token].length) : std::string_view();
  }
  [[nodiscard]] std::size_t end_of(std::size_t token) const;
  /// Whether the token is this word, in any case.
  [[nodiscard]] bool is(std::size_t token, std::string_view word) const;
  /// The bracket that closes the one at `token`; the last token when there is none.
  [[nodiscard]] std::size_t closing(std::size_t token) const;

 private:
  explicit Tokens(std::string_view sql) : sql_(sql) {}
  std::string_view sql_;
  std::vector<TextSpan> tokens_;
};

}  // namespace gauze::query
