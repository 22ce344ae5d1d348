#pragma once
// Parts of task documents and blocks that both kinds of tasks have.

#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/rational.h"
#include "gauze/collect/task/device_task.h"
#include "gauze/collect/task/number_field.h"

namespace gauze::collect::internal {

template <class... Args>
[[nodiscard]] tl::unexpected<Error> broken(fmt::format_string<Args...> format, Args&&... args) {
  return make_error(ErrorCode::bad_data, "the task: {}", fmt::format(format, std::forward<Args>(args)...));
}

/// Reads members of one object of the document; the first mistake stays.
class Members {
 public:
  Members(const Json* object, std::string place) : object_(object), place_(std::move(place)) {}

  /// A text; null and absent are empty.
  [[nodiscard]] Result<std::string> text(std::string_view name) const;
  [[nodiscard]] Result<bool> flag(std::string_view name) const;
  /// A number; nothing when null or absent.
  [[nodiscard]] Result<std::optional<Rational>> number(std::string_view name) const;
  [[nodiscard]] Result<std::optional<std::uint64_t>> count(std::string_view name, Rational unit = Rational(1)) const;
  [[nodiscard]] Result<std::optional<std::int64_t>> duration(std::string_view name) const;
  [[nodiscard]] Members object(std::string_view name) const { return {find(name), place_ + std::string(name) + "."}; }
  [[nodiscard]] const Json* find(std::string_view name) const {
    return object_ == nullptr || object_->members() == nullptr ? nullptr : object_->find(name);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> wrong(std::string_view name, std::string_view what) const;

  const Json* object_;
  std::string place_;
};

/// `format`, `version`, `name`, `state`, `missing`: how every document begins.
[[nodiscard]] Json opening_json(const TaskTerms& terms);
/// What an organisation says, appended in its order.
void put_organisation(Json& document, const TaskTerms& terms);
[[nodiscard]] Result<void> read_opening(const Members& document, TaskTerms& terms);
[[nodiscard]] Result<void> read_organisation(const Members& document, TaskTerms& terms);
[[nodiscard]] Result<NumberField> read_number_field(const Members& field, bool squares);
[[nodiscard]] Json number_json(const NumberField& field);

/// Everything that is written must be what `expected` holds; `hash`, `block`, `warnings` and `label` may stand beside it.
[[nodiscard]] Result<void> compare_documents(const Json& read, const Json& expected);

[[nodiscard]] Json text_or_null(const std::string& text);
[[nodiscard]] Json nano_or_null(const std::optional<std::uint64_t>& nano);
[[nodiscard]] Json duration_or_null(const std::optional<std::int64_t>& seconds);
[[nodiscard]] std::string digest_bytes(std::string_view text);

/// A task block that is being written.
class BlockWriter {
 public:
  /// With magic, version, the digests of statement and document, and what terms give.
  BlockWriter(std::size_t bytes, unsigned char mechanism, const TaskTerms& terms, const Statement& statement,
              const Json& document);
  void put(std::size_t at, std::uint64_t number, std::size_t bytes);
  void put_digest(std::size_t at, const std::string& digest) { block_.replace(at, digest.size(), digest); }
  /// With the checksum at its end.
  [[nodiscard]] std::string finish();

 private:
  std::string block_;
};

}  // namespace gauze::collect::internal
