#include "gauze/accounting/profiles.h"

#include "gauze/base/words.h"

namespace gauze {

const std::vector<SpendingProfile>& spending_profiles() {
  static const std::vector<SpendingProfile> kAll = {
      {"basic", Rational(2), Rational(8), std::nullopt},
      {"finance", Rational(1, 4), Rational(2), Rational(1, 1'000'000)},
      {"government", Rational(1, 2), Rational(4), Rational(1, 100'000)},
      {"medical", Rational(1, 2), Rational(4), Rational(1, 100'000)},
      {"other", Rational(1), Rational(6), Rational(1, 10'000)},
  };
  return kAll;
}

Result<SpendingProfile> find_profile(std::string_view name) {
  std::vector<std::string> names;
  for (const SpendingProfile& one : spending_profiles()) {
    if (one.name == name) return one;
    names.emplace_back(one.name);
  }
  return tl::unexpected<Error>(wrong_word("the profile", names, name));
}

}  // namespace gauze
