#include "gauze/schema/hierarchies/kinds/intervals.h"

#include <algorithm>

namespace gauze::schema {
namespace {

constexpr std::size_t kMostIntervals = 100'000;
constexpr int kLabelDigits = 1000;  // more than Rational::parse reads: labels of different bounds differ

class Intervals : public Generaliser {
 public:
  Intervals(const IntervalsSpec& spec, table::DecimalSign decimal) : bounds_(spec.bounds.front()), decimal_(decimal) {
    for (const std::vector<Rational>& level : spec.bounds) {
      labels_.push_back(interval_labels(level, decimal));
      // Which interval of this level each of the finest lies in.
      std::vector<std::size_t> places;
      std::size_t place = 0;
      for (std::size_t finest = 0; finest + 1 < bounds_.size(); ++finest) {
        while (place + 2 < level.size() && level[place + 1] <= bounds_[finest]) ++place;
        places.push_back(place);
      }
      places_.push_back(std::move(places));
    }
  }

  [[nodiscard]] std::size_t levels() const override { return labels_.size(); }
  [[nodiscard]] std::optional<std::string> only_value() const override {
    if (labels_.back().size() == 1) return labels_.back().front();
    return std::nullopt;
  }

  [[nodiscard]] bool generalise(std::string_view value, std::vector<std::string>& texts) const override {
    const auto number = table::parse_number(value, decimal_);
    if (!number || *number < bounds_.front() || *number > bounds_.back()) return false;
    const auto above = std::upper_bound(bounds_.begin(), bounds_.end(), *number);
    const std::size_t found = static_cast<std::size_t>(above - bounds_.begin()) - 1;
    const std::size_t finest = std::min(found, bounds_.size() - 2);  // the last interval is closed
    texts.resize(labels_.size());
    for (std::size_t level = 0; level < labels_.size(); ++level)
      texts[level] = labels_[level][places_[level][finest]];
    return true;
  }

 private:
  std::vector<Rational> bounds_;  // of the finest level
  table::DecimalSign decimal_;
  std::vector<std::vector<std::string>> labels_;
  std::vector<std::vector<std::size_t>> places_;
};

Result<void> check_level(const std::vector<Rational>& level, std::size_t number) {
  if (level.size() < 2) return invalid_parameter("intervals: level {} needs at least two bounds", number);
  if (level.size() - 1 > kMostIntervals) {
    return invalid_parameter("intervals: level {} has more than {} intervals", number, kMostIntervals);
  }
  for (std::size_t i = 1; i < level.size(); ++i) {
    if (!(level[i - 1] < level[i])) {
      return invalid_parameter("intervals: the bounds of level {} must rise, but {} follows {}", number,
                               level[i].to_decimal(), level[i - 1].to_decimal());
    }
  }
  return {};
}

}  // namespace

Result<void> check(const IntervalsSpec& spec) {
  if (spec.bounds.empty()) return invalid_parameter("intervals: at least one list of bounds is needed");
  for (std::size_t i = 0; i < spec.bounds.size(); ++i) {
    const std::vector<Rational>& level = spec.bounds[i];
    GAUZE_TRY_VOID(check_level(level, i + 1));
    if (i == 0) continue;
    const std::vector<Rational>& below = spec.bounds[i - 1];
    if (level.front() != below.front() || level.back() != below.back()) {
      return invalid_parameter("intervals: level {} must begin and end as level {} does, with {} and {}", i + 1, i,
                               below.front().to_decimal(), below.back().to_decimal());
    }
    for (const Rational& bound : level) {
      if (!std::binary_search(below.begin(), below.end(), bound)) {
        return invalid_parameter("intervals: levels are not nested: {} is a bound of level {} but not of level {}",
                                 bound.to_decimal(), i + 1, i);
      }
    }
  }
  return {};
}

Result<IntervalsSpec> bounds_of(const WidthsSpec& spec) {
  if (!(spec.from < spec.to)) {
    return invalid_parameter("intervals: from must be smaller than to, but they are {} and {}",
                             spec.from.to_decimal(), spec.to.to_decimal());
  }
  std::vector<Rational> widths = {spec.width};
  widths.insert(widths.end(), spec.then.begin(), spec.then.end());
  IntervalsSpec result;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (!(widths[i] > 0)) {
      return invalid_parameter("intervals: a width must be positive, but is {}", widths[i].to_decimal());
    }
    if (i > 0 && (!(widths[i] / widths[i - 1]).is_integer() || widths[i] == widths[i - 1])) {
      return invalid_parameter("intervals: each width must be a multiple of the one before, but {} follows {}",
                               widths[i].to_decimal(), widths[i - 1].to_decimal());
    }
    if ((spec.to - spec.from) / widths[i] > static_cast<std::int64_t>(kMostIntervals)) {
      return invalid_parameter("intervals: the width {} makes more than {} intervals", widths[i].to_decimal(),
                               kMostIntervals);
    }
    std::vector<Rational>& level = result.bounds.emplace_back();
    for (Rational bound = spec.from; bound < spec.to; bound += widths[i]) level.push_back(bound);
    level.push_back(spec.to);
  }
  return result;
}

std::vector<std::string> interval_labels(const std::vector<Rational>& bounds, table::DecimalSign decimal) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    labels.push_back(fmt::format(
        "[{}{}{}{}", table::with_sign(bounds[i].to_decimal(kLabelDigits), decimal), table::range_separator(decimal),
        table::with_sign(bounds[i + 1].to_decimal(kLabelDigits), decimal), i + 2 == bounds.size() ? ']' : ')'));
  }
  return labels;
}

Result<std::unique_ptr<Generaliser>> make_generaliser(const IntervalsSpec& spec, table::DecimalSign decimal) {
  GAUZE_TRY_VOID(check(spec));
  return std::make_unique<Intervals>(spec, decimal);
}

}  // namespace gauze::schema
