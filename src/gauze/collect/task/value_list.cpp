#include "gauze/collect/task/value_list.h"

#include <charconv>

#include "gauze/encoder/task_block.h"
#include "gauze/files/sha256.h"
#include "gauze/label/printable_text.h"

namespace gauze::collect {
namespace {

Result<std::uint32_t> checked_size(std::uint64_t size) {
  if (size < 2 || size > GAUZE_MOST_VALUES)
    return invalid_parameter("a field has between 2 and {} values, but here are {}", std::uint32_t{GAUZE_MOST_VALUES},
                             size);
  return static_cast<std::uint32_t>(size);
}

}  // namespace

Result<ValueList> ValueList::listed(std::vector<std::string> values) {
  ValueList list;
  GAUZE_TRY(list.size_, checked_size(values.size()));
  const auto listed = std::make_shared<Listed>();
  listed->texts = std::move(values);
  listed->places.reserve(list.size_);
  for (std::uint32_t i = 0; i < list.size_; ++i) {
    const std::string& text = listed->texts[i];
    if (text.empty()) return invalid_parameter("value {} of the field is empty", i + 1);
    if (!is_printable(text)) return invalid_parameter("value {} of the field has control characters", i + 1);
    if (!listed->places.emplace(text, i).second) return invalid_parameter("the value '{}' is listed twice", text);
  }
  list.listed_ = listed;
  return list;
}

Result<ValueList> ValueList::numbered(std::uint64_t count) {
  ValueList list;
  GAUZE_TRY(list.size_, checked_size(count));
  return list;
}

std::string ValueList::text(std::uint32_t value) const {
  return is_numbered() ? std::to_string(value) : listed_->texts[value];
}

std::optional<std::uint32_t> ValueList::find(std::string_view text) const {
  if (!is_numbered()) {
    const auto found = listed_->places.find(text);
    return found == listed_->places.end() ? std::nullopt : std::optional(found->second);
  }
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value >= size_) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return value;
}

std::string ValueList::sha256_bytes() const {
  Sha256 digest;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const std::string value = text(i);
    std::string length(4, '\0');
    for (std::size_t byte = 0; byte < 4; ++byte) length[byte] = static_cast<char>(value.size() >> (8 * byte) & 0xff);
    digest.add(length);
    digest.add(value);
  }
  const auto bytes = digest.finish_bytes();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace gauze::collect
