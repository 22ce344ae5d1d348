#include "gauze/schema/hierarchies/kinds/masking.h"

#include <algorithm>

#include "gauze/base/utf8.h"

namespace gauze::schema {
namespace {

constexpr std::uint32_t kMostCharacters = 1'000;

class Mask : public Generaliser {
 public:
  Mask(MaskSpec spec, std::size_t longest) : spec_(std::move(spec)), longest_(longest) {}

  [[nodiscard]] std::size_t levels() const override { return spec_.steps.size(); }
  [[nodiscard]] std::optional<std::string> only_value() const override {
    if (spec_.steps.back() >= longest_) return std::string(kEverything);
    return std::nullopt;
  }

  [[nodiscard]] bool generalise(std::string_view value, std::vector<std::string>& texts) const override {
    const std::size_t length = character_count(value);
    texts.resize(spec_.steps.size());
    for (std::size_t level = 0; level < texts.size(); ++level) {
      const std::size_t open = spec_.steps[level] >= longest_ ? 0 : longest_ - spec_.steps[level];
      texts[level] = open == 0 ? std::string(kEverything) : masked(value, length, open);
    }
    return true;
  }

 private:
  /// At most `open` characters at the far side stay; the text is as long as the longest value.
  [[nodiscard]] std::string masked(std::string_view value, std::size_t length, std::size_t open) const {
    const std::size_t kept = std::min(length, open);
    const std::string stars(longest_ - kept, '*');
    if (spec_.side == MaskSpec::Side::right) {
      return std::string(value.substr(0, character_offset(value, kept))) + stars;
    }
    return stars + std::string(value.substr(character_offset(value, length - kept)));
  }

  MaskSpec spec_;
  std::size_t longest_;
};

}  // namespace

Result<void> check(const MaskSpec& spec) {
  if (spec.steps.empty()) return invalid_parameter("mask: at least one step is needed");
  std::uint32_t before = 0;
  for (const std::uint32_t step : spec.steps) {
    if (step <= before || step > kMostCharacters) {
      return invalid_parameter("mask: steps must rise, from 1 to at most {}, but {} follows {}", kMostCharacters,
                               step, before);
    }
    before = step;
  }
  return {};
}

Result<std::unique_ptr<Generaliser>> make_generaliser(const MaskSpec& spec, std::span<const std::string> values) {
  GAUZE_TRY_VOID(check(spec));
  std::size_t longest = 0;
  for (const std::string& value : values) longest = std::max(longest, character_count(value));
  // Every masked text is as long as the longest value: one huge cell would make all of them huge.
  if (longest > kMostCharacters) {
    return make_error(ErrorCode::bad_data, "mask: the longest value has {} characters, at most {} can be masked",
                      longest, kMostCharacters);
  }
  return std::make_unique<Mask>(spec, longest);
}

}  // namespace gauze::schema
