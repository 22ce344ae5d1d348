#include "gauze/learn/rows/row_encoder.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "gauze/base/utf8.h"

namespace gauze::learn {
namespace {

using FeatureKind = schema::LearnFeature::Kind;

std::uint32_t bits_of(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

/// Whether a decimal that no double holds is too large, not too small: from its digits and its exponent alone.
bool is_beyond(std::string_view text) {
  long exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (read.ec != std::errc()) return !digits.starts_with('-');
    text = text.substr(0, e);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const long magnitude = first < point ? static_cast<long>(point - first) : -static_cast<long>(first - point) + 1;
  return magnitude + exponent > 0;
}

}  // namespace

double number_of_cell(std::string_view trimmed, table::DecimalSign sign) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::string room;
  const auto plain = table::with_point(trimmed, sign, room);
  if (!plain) return kNone;
  std::string_view text = *plain;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.front() == '-' || text.front() == '+') return kNone;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ptr != text.data() + text.size() || read.ec == std::errc::invalid_argument) return kNone;
  if (read.ec == std::errc::result_out_of_range)
    value = is_beyond(text) ? std::numeric_limits<double>::infinity() : 0;
  return negative ? -value : value;
}

void TextCodes::add_spellings(const std::vector<schema::SameValues>& same) {
  for (const schema::SameValues& one : same) {
    const auto found = codes_.find(std::string_view(one.name));
    if (found == codes_.end()) continue;
    const std::uint32_t code = found->second;  // adding may move what was found
    for (const std::string& spelling : one.spellings) add(spelling, code);
  }
}

RowEncoder::RowEncoder(std::vector<schema::LearnFeature> features, InputEncoding encoding, table::DecimalSign sign,
                       const std::vector<std::string>& null_tokens)
    : features_(std::move(features)), encoding_(encoding), sign_(sign) {
  for (const schema::LearnFeature& feature : features_) {
    Rule rule;
    rule.kind = feature.kind;
    std::vector<std::string> tokens = null_tokens;
    tokens.insert(tokens.end(), feature.missing.begin(), feature.missing.end());
    rule.missing = table::MissingTokens(tokens);
    rule.size = static_cast<std::uint32_t>(feature.values.size());
    if (feature.kind == FeatureKind::numeric) {
      rule.low = feature.low.to_double();
      rule.high = feature.high.to_double();
      rule.indicator = feature.indicator;
      schema::NumberScale scale = feature.scale;
      if (encoding == InputEncoding::positions) scale = schema::NumberScale::unit;
      rule.start = rule.low;
      if (scale != schema::NumberScale::none) {
        const bool symmetric = scale == schema::NumberScale::symmetric;
        rule.start = symmetric ? -1 : 0;
        rule.factor = (Rational(symmetric ? 2 : 1) / (feature.high - feature.low)).to_double();
      }
    }
    for (std::uint32_t i = 0; i < rule.size; ++i) rule.codes.add(feature.values[i], i);
    rule.codes.add_spellings(feature.same);
    if (feature.kind == FeatureKind::numeric) {
      for (const schema::SameValues& one : feature.same) {
        for (const std::string& spelling : one.spellings)
          rule.numbers.add(spelling, static_cast<std::uint32_t>(rule.names.size()));
        rule.names.push_back(one.name);
      }
    }
    inputs_ += encoding == InputEncoding::positions ? 1 : feature.width();
    rules_.push_back(std::move(rule));
  }
}

std::vector<std::size_t> RowEncoder::inputs_of_features() const {
  std::vector<std::size_t> counts;
  for (const schema::LearnFeature& feature : features_)
    counts.push_back(encoding_ == InputEncoding::positions ? 1 : feature.width());
  return counts;
}

std::vector<std::string> RowEncoder::input_names() const {
  if (encoding_ == InputEncoding::expanded) {
    schema::LearnPolicy policy;
    policy.features = features_;
    return policy.inputs();
  }
  std::vector<std::string> names;
  for (const schema::LearnFeature& feature : features_) names.push_back(feature.name);
  return names;
}

std::uint32_t RowEncoder::code(std::size_t feature, std::string_view cell) const {
  const Rule& rule = rules_[feature];
  std::string_view text = trimmed(cell);
  const bool missing = rule.missing.contains(text);
  if (!missing && !rule.names.empty()) {
    const auto none = static_cast<std::uint32_t>(rule.names.size());
    if (const std::uint32_t name = rule.numbers.find(text, none); name != none) text = rule.names[name];
  }
  if (rule.kind != FeatureKind::numeric) return missing ? rule.size : rule.codes.find(text, rule.size);
  const double value = missing ? std::numeric_limits<double>::quiet_NaN() : number_of_cell(text, sign_);
  if (std::isnan(value)) return std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
  return bits_of(rule.start + rule.factor * (std::clamp(value, rule.low, rule.high) - rule.low));
}

void RowEncoder::encode(std::span<const std::uint32_t> codes, std::span<float> inputs) const {
  std::size_t at = 0;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const Rule& rule = rules_[i];
    const std::uint32_t code = codes[i];
    const bool positions = encoding_ == InputEncoding::positions;
    if (rule.kind == FeatureKind::numeric) {
      const auto number = std::bit_cast<float>(code);
      const bool missing = std::isnan(number);
      inputs[at++] = missing ? 0.0F : number;
      if (rule.indicator && !positions) inputs[at++] = missing ? 1.0F : 0.0F;
    } else if (positions || rule.kind == FeatureKind::ordered) {
      const double last = std::max<double>(rule.size - 1.0, 1.0);
      const double place = code / last;
      const bool known = code < rule.size;
      inputs[at++] = known ? static_cast<float>(positions ? place : 2 * place - 1) : 0.0F;
    } else {
      std::fill_n(inputs.begin() + static_cast<std::ptrdiff_t>(at), rule.size + 1, 0.0F);
      inputs[at + code] = 1.0F;
      at += rule.size + 1;
    }
  }
}

}  // namespace gauze::learn
