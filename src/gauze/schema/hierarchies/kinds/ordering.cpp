#include "gauze/schema/hierarchies/kinds/ordering.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "gauze/base/rational.h"

namespace gauze::schema {
namespace {

constexpr std::uint32_t kLargestFanout = 1'000'000;

class Order : public Generaliser {
 public:
  Order(std::vector<std::string> values, std::uint32_t fanout, table::DecimalSign decimal) {
    for (std::size_t i = 0; i < values.size(); ++i) places_.emplace(values[i], i);
    for (std::size_t size = fanout; size < values.size(); size *= fanout) {
      sizes_.push_back(size);
      std::vector<std::string>& labels = labels_.emplace_back();
      for (std::size_t begin = 0; begin < values.size(); begin += size) {
        const std::size_t last = std::min(begin + size, values.size()) - 1;
        labels.push_back(begin == last
                             ? values[begin]
                             : fmt::format("[{}{}{}]", values[begin], table::range_separator(decimal), values[last]));
      }
    }
  }

  [[nodiscard]] std::size_t levels() const override { return sizes_.size(); }
  [[nodiscard]] std::optional<std::string> only_value() const override { return std::nullopt; }
  [[nodiscard]] bool lists_values() const override { return true; }
  [[nodiscard]] bool generalise(std::string_view value, std::vector<std::string>& texts) const override {
    const auto place = places_.find(std::string(value));
    if (place == places_.end()) return false;
    texts.resize(sizes_.size());
    for (std::size_t level = 0; level < sizes_.size(); ++level) {
      texts[level] = labels_[level][place->second / sizes_[level]];
    }
    return true;
  }

 private:
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::size_t> sizes_;  // values in a group, of each level
  std::vector<std::vector<std::string>> labels_;
};

}  // namespace

std::vector<std::uint32_t> natural_order(std::span<const std::string> values, table::DecimalSign decimal) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Rational> numbers;
  numbers.reserve(values.size());
  for (const std::string& value : values) {
    auto number = table::parse_number(value, decimal);
    if (!number) break;
    numbers.push_back(*std::move(number));
  }
  if (numbers.size() == values.size()) {
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto compared = numbers[a] <=> numbers[b];
      return compared == 0 ? values[a] < values[b] : compared < 0;
    });
  } else {
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  }
  return order;
}

Result<void> check(const OrderSpec& spec) {
  if (spec.fanout < 2 || spec.fanout > kLargestFanout) {
    return invalid_parameter("order: fanout must lie between 2 and {}, but is {}", kLargestFanout, spec.fanout);
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& value : spec.values) {
    if (!seen.insert(value).second) return invalid_parameter("order: '{}' is listed twice", value);
  }
  return {};
}

Result<std::unique_ptr<Generaliser>> make_generaliser(const OrderSpec& spec, std::span<const std::string> values,
                                                      table::DecimalSign decimal) {
  GAUZE_TRY_VOID(check(spec));
  if (!spec.values.empty()) return std::make_unique<Order>(spec.values, spec.fanout, decimal);
  std::vector<std::string> ordered;
  ordered.reserve(values.size());
  for (const std::uint32_t place : natural_order(values, decimal)) ordered.push_back(values[place]);
  return std::make_unique<Order>(std::move(ordered), spec.fanout, decimal);
}

}  // namespace gauze::schema
