// safetensors: the length of a header in JSON, the header, then numbers.
#include <bit>
#include <cmath>
#include <cstring>

#include "gauze/files/json_reader.h"
#include "gauze/learn/model/model_file.h"

namespace gauze::learn {
namespace {

constexpr std::uint64_t kLongestHeader = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 28;
static_assert(std::endian::native == std::endian::little);

/// A whole number that is not negative and not above the limit.
std::optional<std::uint64_t> count_of(const Json& value, std::uint64_t most) {
  if (kind_of(value) != JsonKind::number) return std::nullopt;
  const auto number = Rational::parse(value.text());
  if (!number || !number->is_integer() || number->sign() < 0 || *number > Rational(static_cast<std::int64_t>(most)))
    return std::nullopt;
  return static_cast<std::uint64_t>(*number->to_int64());
}

Result<StoredTensor> read_tensor(const Json& entry, std::string_view data, std::uint64_t& expected) {
  const Json* type = entry.find("dtype");
  const Json* shape = entry.find("shape");
  const Json* offsets = entry.find("data_offsets");
  if (type == nullptr || kind_of(*type) != JsonKind::string || type->text() != "F32")
    return no_model("an array is not of type F32");
  if (shape == nullptr || shape->elements() == nullptr || shape->elements()->size() > 8)
    return no_model("an array has no shape");
  StoredTensor tensor;
  std::uint64_t size = 1;
  for (const Json& dimension : *shape->elements()) {
    const auto count = count_of(dimension, kMostNumbers);
    if (!count) return no_model("an array has an impossible shape");
    tensor.shape.push_back(*count);
    size *= *count;
    if (size > kMostNumbers) return no_model("an array is too large");
  }
  if (offsets == nullptr || offsets->elements() == nullptr || offsets->elements()->size() != 2)
    return no_model("an array has no place");
  const auto begin = count_of(offsets->elements()->at(0), data.size());
  const auto end = count_of(offsets->elements()->at(1), data.size());
  if (!begin || !end || *end - *begin != size * sizeof(float) || *begin > *end)
    return no_model("an array lies where the file does not have it");
  if (*begin != expected) return no_model("arrays overlap, or leave gaps");
  expected = *end;
  tensor.values.resize(size);
  if (size != 0) std::memcpy(tensor.values.data(), data.data() + *begin, size * sizeof(float));
  for (const float value : tensor.values)
    if (!std::isfinite(value)) return no_model("a number is not finite");
  return tensor;
}

}  // namespace

std::string TensorFile::to_bytes() const {
  Json header = Json::object({{"__metadata__", metadata}});
  std::uint64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    Json shape = Json::array();
    for (const std::size_t dimension : tensor.shape) shape.push(dimension);
    const std::uint64_t end = at + tensor.values.size() * sizeof(float);
    header.set(name, Json::object({{"dtype", "F32"},
                                   {"shape", std::move(shape)},
                                   {"data_offsets", Json::array({Json(at), Json(end)})}}));
    at = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string bytes(8, '\0');
  const std::uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, 8);
  bytes += text;
  for (const auto& [name, tensor] : tensors)
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(float));
  return bytes;
}

Result<TensorFile> TensorFile::parse(std::string_view bytes) {
  if (bytes.size() < 8) return no_model("it is too short");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  if (length > kLongestHeader || length > bytes.size() - 8) return no_model("its header is longer than the file");
  const std::string_view data = bytes.substr(8 + length);
  const auto header = read_json(bytes.substr(8, length));
  if (!header || header->members() == nullptr) return no_model("its header is no JSON");
  TensorFile file;
  // Arrays are read in the order in which they lie, so that every byte belongs to one of them.
  std::map<std::uint64_t, const Json::Member*> by_place;
  for (const Json::Member& member : *header->members()) {
    if (member.first == "__metadata__") {
      if (member.second.members() == nullptr) return no_model("its metadata are no map");
      file.metadata = member.second;
      continue;
    }
    const Json* offsets = member.second.find("data_offsets");
    const auto begin = offsets == nullptr || offsets->elements() == nullptr || offsets->elements()->empty()
                           ? std::nullopt
                           : count_of(offsets->elements()->front(), data.size());
    if (!begin || !by_place.emplace(*begin, &member).second) return no_model("an array has no place of its own");
  }
  std::uint64_t expected = 0;
  for (const auto& [place, member] : by_place) {
    GAUZE_TRY(StoredTensor tensor, read_tensor(member->second, data, expected));
    file.tensors.emplace(member->first, std::move(tensor));
  }
  if (expected != data.size()) return no_model("bytes belong to no array");
  return file;
}

}  // namespace gauze::learn
