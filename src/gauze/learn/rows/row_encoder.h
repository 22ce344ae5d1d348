#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gauze/schema/learning/learn_policy.h"
#include "gauze/table/decimal_sign.h"
#include "gauze/table/missing_tokens.h"

namespace gauze::learn {

/// How features become inputs.
enum class InputEncoding {
  expanded,   ///< an input a listed value, scaled numbers, indicators: INTERFACE of `learn`
  positions,  ///< as published: one input a feature, its place in the list or between its bounds, from 0 to 1
};
inline constexpr Words<InputEncoding, 2> kInputEncodingWords = {
    {{InputEncoding::expanded, "expanded"}, {InputEncoding::positions, "positions"}}};

/// Texts and their codes, found by a view.
class TextCodes {
 public:
  void add(std::string text, std::uint32_t code) { codes_.emplace(std::move(text), code); }
  /// Other spellings of the texts that are there, with their codes. One of a text that is not there stays unknown.
  void add_spellings(const std::vector<schema::SameValues>& same);
  /// `otherwise` for a text that is not there.
  [[nodiscard]] std::uint32_t find(std::string_view text, std::uint32_t otherwise) const {
    const auto found = codes_.find(text);
    return found == codes_.end() ? otherwise : found->second;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> codes_;
};

/// A cell as a number: total. NaN where it is none; infinities and what is beyond a double as infinities.
[[nodiscard]] double number_of_cell(std::string_view trimmed, table::DecimalSign sign);

/// Cells of features as codes, and codes as inputs, by public rules alone: every text has a code, every code finite inputs.
/// Thread safety: const members may be called concurrently.
class RowEncoder {
 public:
  RowEncoder(std::vector<schema::LearnFeature> features, InputEncoding encoding, table::DecimalSign sign,
             const std::vector<std::string>& null_tokens);

  [[nodiscard]] const std::vector<schema::LearnFeature>& features() const { return features_; }
  [[nodiscard]] std::size_t inputs() const { return inputs_; }
  /// Consecutive inputs of each feature.
  [[nodiscard]] std::vector<std::size_t> inputs_of_features() const;
  [[nodiscard]] std::vector<std::string> input_names() const;

  /// A cell as it is kept: the place of a value in its list (its length: none of them), or the bits of a scaled number.
  [[nodiscard]] std::uint32_t code(std::size_t feature, std::string_view cell) const;
  /// What a cell counts as that nobody can read.
  [[nodiscard]] std::uint32_t unreadable(std::size_t feature) const { return code(feature, {}); }
  /// `codes` has one entry a feature, `inputs` inputs() places.
  void encode(std::span<const std::uint32_t> codes, std::span<float> inputs) const;

 private:
  struct Rule {
    schema::LearnFeature::Kind kind = schema::LearnFeature::Kind::numeric;
    double low = 0;
    double high = 1;
    double factor = 1;  ///< scaled = start + factor * (x - low)
    double start = 0;
    bool indicator = false;
    std::uint32_t size = 0;  ///< of the list
    table::MissingTokens missing;
    TextCodes codes;
    TextCodes numbers;  ///< numeric: spellings, with their place among the names
    std::vector<std::string> names;
  };
  std::vector<schema::LearnFeature> features_;
  InputEncoding encoding_;
  table::DecimalSign sign_;
  std::vector<Rule> rules_;
  std::size_t inputs_ = 0;
};

}  // namespace gauze::learn
