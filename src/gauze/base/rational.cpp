#include "gauze/base/rational.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "gauze/base/ascii.h"

namespace gauze {
namespace {

constexpr int kMaxDigits = 400;
constexpr int kMaxPowerOfTen = 400;

/// The pieces of a decimal: sign, digits without the point, and the power of ten they are multiplied with.
struct DecimalText {
  bool negative = false;
  std::string digits;
  int power_of_ten = 0;
};

tl::unexpected<Error> not_a_decimal() {
  return invalid_parameter("a number must be a plain or scientific decimal such as 12, 0.5 or 1e-5");
}

Result<int> parse_exponent(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return not_a_decimal();
  int value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return not_a_decimal();
    if (value <= kMaxPowerOfTen) value = 10 * value + (c - '0');
  }
  if (value > kMaxPowerOfTen) {
    return invalid_parameter("a power of ten must lie between -{0} and {0}", kMaxPowerOfTen);
  }
  return negative ? -value : value;
}

Result<DecimalText> split_decimal(std::string_view text) {
  DecimalText result;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    result.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    GAUZE_TRY(result.power_of_ten, parse_exponent(text.substr(e + 1)));
    text = text.substr(0, e);
  }
  bool point = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
    } else if (is_digit(c)) {
      if (result.digits.size() == kMaxDigits) {
        return invalid_parameter("a number must have at most {} digits", kMaxDigits);
      }
      result.digits += c;
      if (point) --result.power_of_ten;
    } else {
      return not_a_decimal();
    }
  }
  if (result.digits.empty()) return not_a_decimal();
  return result;
}

void set_int64(mpz_ptr target, std::int64_t value) {
  static_assert(sizeof(long) == sizeof(std::int64_t), "Gauze is built for 64-bit systems");
  mpz_set_si(target, value);
}

/// Multiplies by ten to the power, which may be negative.
void scale_by_power_of_ten(mpq_ptr value, int power) {
  mpz_t ten;
  mpz_init(ten);
  mpz_ui_pow_ui(ten, 10, static_cast<unsigned long>(std::abs(power)));
  if (power >= 0) {
    mpz_mul(mpq_numref(value), mpq_numref(value), ten);
  } else {
    mpz_mul(mpq_denref(value), mpq_denref(value), ten);
  }
  mpz_clear(ten);
  mpq_canonicalize(value);
}

}  // namespace

Rational::Rational(double value) : Rational() {
  if (std::isfinite(value)) {
    mpq_set_d(value_, value);
  } else {
    defined_ = false;
  }
}

Rational::Rational(std::int64_t value) : Rational() { set_int64(mpq_numref(value_), value); }

Rational::Rational(std::int64_t numerator, std::int64_t denominator) : Rational() {
  if (denominator == 0) {
    defined_ = false;
    return;
  }
  set_int64(mpq_numref(value_), numerator);
  set_int64(mpq_denref(value_), denominator);
  mpq_canonicalize(value_);
}

Rational::Rational(const Rational& other) : Rational() { *this = other; }
Rational::Rational(Rational&& other) noexcept : Rational() { *this = std::move(other); }

Rational& Rational::operator=(const Rational& other) {
  mpq_set(value_, other.value_);
  defined_ = other.defined_;
  return *this;
}

Rational& Rational::operator=(Rational&& other) noexcept {
  mpq_swap(value_, other.value_);
  std::swap(defined_, other.defined_);
  return *this;
}

Result<Rational> Rational::parse(std::string_view text) {
  GAUZE_TRY(const DecimalText decimal, split_decimal(text));
  Rational result;
  mpz_set_str(mpq_numref(result.value_), decimal.digits.c_str(), 10);
  if (decimal.negative) mpq_neg(result.value_, result.value_);
  scale_by_power_of_ten(result.value_, decimal.power_of_ten);
  return result;
}

Rational Rational::power_of_two(int exponent) {
  GAUZE_CHECK(std::abs(exponent) <= 100'000);
  Rational result(1);
  if (exponent >= 0) {
    mpq_mul_2exp(result.value_, result.value_, static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpq_div_2exp(result.value_, result.value_, static_cast<mp_bitcnt_t>(-exponent));
  }
  return result;
}

Rational Rational::from_gmp(mpq_srcptr value) {
  Rational result;
  mpq_set(result.value_, value);
  return result;
}

Rational& Rational::operator+=(const Rational& other) {
  mpq_add(value_, value_, other.value_);
  defined_ = defined_ && other.defined_;
  return *this;
}

Rational& Rational::operator-=(const Rational& other) {
  mpq_sub(value_, value_, other.value_);
  defined_ = defined_ && other.defined_;
  return *this;
}

Rational& Rational::operator*=(const Rational& other) {
  mpq_mul(value_, value_, other.value_);
  defined_ = defined_ && other.defined_;
  return *this;
}

Rational& Rational::operator/=(const Rational& other) {
  defined_ = defined_ && other.defined_ && other.sign() != 0;
  if (other.sign() != 0) mpq_div(value_, value_, other.value_);
  return *this;
}

std::partial_ordering operator<=>(const Rational& a, const Rational& b) {
  if (!a.defined_ || !b.defined_) return std::partial_ordering::unordered;
  return mpq_cmp(a.value_, b.value_) <=> 0;
}

Rational Rational::floor() const {
  Rational result;
  mpz_fdiv_q(mpq_numref(result.value_), mpq_numref(value_), mpq_denref(value_));
  result.defined_ = defined_;
  return result;
}

Rational Rational::ceil() const { return -(-*this).floor(); }

int Rational::floor_log2() const {
  GAUZE_CHECK(defined_ && sign() != 0);
  const auto bits = [](mpz_srcptr z) { return static_cast<int>(mpz_sizeinbase(z, 2)); };
  const int estimate = bits(mpq_numref(value_)) - bits(mpq_denref(value_));
  const Rational magnitude = sign() < 0 ? -*this : *this;
  return magnitude < power_of_two(estimate) ? estimate - 1 : estimate;
}

double Rational::to_double_down() const {
  if (!defined_) return std::numeric_limits<double>::quiet_NaN();
  const double truncated = mpq_get_d(value_);  // towards zero
  if (std::isinf(truncated)) return truncated > 0 ? std::numeric_limits<double>::max() : truncated;
  if (Rational(truncated) <= *this) return truncated;
  return std::nextafter(truncated, -std::numeric_limits<double>::infinity());
}

double Rational::to_double_up() const { return 0.0 - (-*this).to_double_down(); }  // 0.0 - 0.0 is not -0.0

double Rational::to_double() const {
  if (!defined_) return std::numeric_limits<double>::quiet_NaN();
  const double down = to_double_down();
  const double up = to_double_up();
  if (down == up || std::isinf(up)) return down;
  if (std::isinf(down)) return up;
  const Rational twice = *this + *this;
  const Rational middle = Rational(down) + Rational(up);
  if (twice < middle) return down;
  if (twice > middle) return up;
  return std::bit_cast<std::uint64_t>(down) % 2 == 0 ? down : up;  // of two neighbours one is even, subnormals too
}

Result<std::int64_t> Rational::to_int64() const {
  if (!is_integer() || !mpz_fits_slong_p(mpq_numref(value_))) {
    return invalid_parameter("the number must be an integer of at most 63 bits");
  }
  return static_cast<std::int64_t>(mpz_get_si(mpq_numref(value_)));
}

std::string Rational::to_decimal(int digits) const {
  if (!defined_) return "undefined";
  // A fraction is a finite decimal iff its denominator is 2^a 5^b; it then has max(a, b) decimals.
  mpz_t rest, five;
  mpz_init_set(rest, mpq_denref(value_));
  mpz_init_set_ui(five, 5);
  const auto twos = static_cast<int>(mpz_scan1(rest, 0));
  mpz_tdiv_q_2exp(rest, rest, static_cast<mp_bitcnt_t>(twos));
  const auto fives = static_cast<int>(mpz_remove(rest, rest, five));
  const bool finite = mpz_cmp_ui(rest, 1) == 0;
  mpz_clear(five);
  mpz_clear(rest);
  const int decimals = std::max(twos, fives);
  if (!finite || decimals > digits + kMaxPowerOfTen) return fmt::format("{}", to_double());

  Rational scaled = sign() < 0 ? -*this : *this;
  scale_by_power_of_ten(scaled.value_, decimals);
  char* raw = mpz_get_str(nullptr, 10, mpq_numref(scaled.value_));
  std::string text(raw);
  void (*release)(void*, std::size_t) = nullptr;
  mp_get_memory_functions(nullptr, nullptr, &release);
  release(raw, text.size() + 1);
  // Whole numbers may end in zeros that are not significant.
  const auto significant = text.find_last_not_of('0') + 1;
  if (static_cast<int>(decimals == 0 ? significant : text.size()) > digits) return fmt::format("{}", to_double());
  if (decimals > digits || static_cast<int>(text.size()) > digits) {  // 1e-300 rather than three hundred zeros
    const int exponent = static_cast<int>(text.size()) - 1 - decimals;
    text.resize(significant);
    if (text.size() > 1) text.insert(1, ".");
    text += fmt::format("e{}", exponent);
  } else if (decimals > 0) {
    if (static_cast<int>(text.size()) <= decimals) {
      text.insert(0, static_cast<std::size_t>(decimals) + 1 - text.size(), '0');
    }
    text.insert(text.size() - static_cast<std::size_t>(decimals), ".");
  }
  if (sign() < 0) text.insert(0, "-");
  return text;
}

std::string Rational::to_decimal_up(int digits) const {
  std::string text = to_decimal(digits);
  if (!defined_) return text;
  // The shortest decimal of a double may lie on either side of it, so the text itself is compared.
  for (double above = to_double_up(); std::isfinite(above);
       above = std::nextafter(above, std::numeric_limits<double>::infinity())) {
    const auto read = parse(text);
    if (read && *read >= *this) return text;
    text = fmt::format("{}", above);
  }
  return text;
}

}  // namespace gauze
