#include "gauze/collect/reports/state_file.h"

#include <algorithm>
#include <concepts>
#include <cstring>

#include "gauze/files/sha256.h"

namespace gauze::collect {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kDigestBytes = 32;

template <std::integral T>
void put(std::string& out, T value) {
  char bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 255U);
  out.append(bytes, sizeof(T));
}

int value_of(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

std::string bytes_of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(value_of(hex[i]) << 4 | value_of(hex[i + 1]));
  return bytes;
}

std::string digest_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  const auto digest = hash.finish_bytes();
  return {digest.begin(), digest.end()};
}

/// Takes numbers off the front; what is not there is zero, and noted.
class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  template <std::integral T>
  T take() {
    std::uint64_t value = 0;
    const std::string_view bytes = take_bytes(sizeof(T));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return static_cast<T>(value);
  }
  std::string_view take_bytes(std::size_t size) {
    if (rest_.size() < size) {
      is_short_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  [[nodiscard]] bool is_short() const { return is_short_; }

 private:
  std::string_view rest_;
  bool is_short_ = false;
};

/// Everything behind the header, whose sizes are held against what is left before anything is made of them.
bool read_sources(Reader& in, Aggregate& out) {
  const auto count = in.take<std::uint32_t>();
  if (count > in.left() / kDigestBytes) return false;
  out.sources.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) out.sources.push_back(to_hex(in.take_bytes(kDigestBytes)));
  return std::adjacent_find(out.sources.begin(), out.sources.end(), std::greater_equal<>()) == out.sources.end();
}

bool read_periods(Reader& in, Aggregate& out) {
  const auto count = in.take<std::uint32_t>();
  const std::size_t part_bytes = 8 + 8 * out.cells;
  const std::size_t period_bytes = 4 + out.parts * part_bytes;
  if (count > most_periods(out.parts, out.cells) || in.left() != count * period_bytes) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto period = in.take<std::uint32_t>();
    if (!out.periods.empty() && out.periods.rbegin()->first >= period) return false;
    std::uint64_t reports = 0;
    std::vector<PartCounts> parts(out.parts);
    for (PartCounts& part : parts) {
      part.reports = in.take<std::uint64_t>();
      reports |= part.reports;
      part.cells.resize(out.cells);
      for (std::int64_t& cell : part.cells) cell = in.take<std::int64_t>();
    }
    if (reports == 0 || reports >> 62U != 0) return false;
    out.periods.emplace(period, std::move(parts));
  }
  return !in.is_short();
}

}  // namespace

std::string encode_state(const Aggregate& aggregate) {
  std::string out(kStateMagic);
  put(out, kVersion);
  out.append(aggregate.task.begin(), aggregate.task.end());
  put(out, static_cast<std::uint32_t>(aggregate.parts));
  put(out, static_cast<std::uint32_t>(aggregate.cells));
  const RejectedReports& rejected = aggregate.rejected;
  for (const std::uint64_t count : {rejected.malformed, rejected.damaged, rejected.unknown_task,
                                    rejected.parameter_mismatch, rejected.out_of_range, aggregate.duplicates})
    put(out, count);
  put(out, static_cast<std::uint32_t>(aggregate.sources.size()));
  for (const std::string& source : aggregate.sources) out += bytes_of_hex(source);
  put(out, static_cast<std::uint32_t>(aggregate.periods.size()));
  for (const auto& [period, parts] : aggregate.periods) {
    put(out, period);
    for (const PartCounts& part : parts) {
      put(out, part.reports);
      for (const std::int64_t cell : part.cells) put(out, cell);
    }
  }
  return out + digest_of(out);
}

Result<Aggregate> decode_state(std::string_view bytes, const std::string& name) {
  const auto wrong = [&](std::string_view what) { return make_error(ErrorCode::bad_data, "{}: {}", name, what); };
  if (!bytes.starts_with(kStateMagic)) return wrong("this is no state of a collection");
  if (bytes.size() < kStateMagic.size() + kDigestBytes ||
      digest_of(bytes.substr(0, bytes.size() - kDigestBytes)) != bytes.substr(bytes.size() - kDigestBytes))
    return wrong("the state is damaged or cut off");
  Reader in(bytes.substr(kStateMagic.size(), bytes.size() - kStateMagic.size() - kDigestBytes));
  if (in.take<std::uint32_t>() != kVersion) return wrong("the state has a version that this program does not know");
  Aggregate out;
  const std::string_view task = in.take_bytes(out.task.size());
  std::copy(task.begin(), task.end(), out.task.begin());
  out.parts = in.take<std::uint32_t>();
  out.cells = in.take<std::uint32_t>();
  RejectedReports& rejected = out.rejected;
  for (std::uint64_t* count : {&rejected.malformed, &rejected.damaged, &rejected.unknown_task,
                               &rejected.parameter_mismatch, &rejected.out_of_range, &out.duplicates})
    *count = in.take<std::uint64_t>();
  if (in.is_short() || out.parts < 1 || out.parts > 2 || out.cells < 1 ||
      out.cells > kMostCountBytes / sizeof(std::int64_t) / out.parts || !read_sources(in, out) ||
      !read_periods(in, out))
    return wrong("the state does not keep the rules of its format");
  return out;
}

}  // namespace gauze::collect
