#pragma once

#include <gmpxx.h>
#include <mpfr.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "gauze/encoder/draw_report.h"
#include "gauze/encoder/gauze_encoder.h"
#include "gauze/encoder/task_block.h"

// Task blocks, laws and costs for the tests of the encoder, made from the documents alone: not by the code that makes tasks, and not by
// the one that charges for them.
namespace gauze::encoder_testing {

/// A number of 200 binary digits.
class Real {
 public:
  Real() { mpfr_init2(value_, 200); }
  explicit Real(double value) : Real() { mpfr_set_d(value_, value, MPFR_RNDN); }
  explicit Real(const mpz_class& value) : Real() { mpfr_set_z(value_, value.get_mpz_t(), MPFR_RNDN); }
  Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  friend Real operator+(Real a, const Real& b) { return mpfr_add(a.value_, a.value_, b.value_, MPFR_RNDN), a; }
  friend Real operator-(Real a, const Real& b) { return mpfr_sub(a.value_, a.value_, b.value_, MPFR_RNDN), a; }
  friend Real operator*(Real a, const Real& b) { return mpfr_mul(a.value_, a.value_, b.value_, MPFR_RNDN), a; }
  friend Real operator/(Real a, const Real& b) { return mpfr_div(a.value_, a.value_, b.value_, MPFR_RNDN), a; }
  friend bool operator<=(const Real& a, const Real& b) { return mpfr_lessequal_p(a.value_, b.value_) != 0; }
  friend Real exp(Real a) { return mpfr_exp(a.value_, a.value_, MPFR_RNDN), a; }
  friend Real log(Real a) { return mpfr_log(a.value_, a.value_, MPFR_RNDN), a; }
  [[nodiscard]] mpz_class floor() const { return rounded(MPFR_RNDD); }
  [[nodiscard]] mpz_class ceil() const { return rounded(MPFR_RNDU); }
  [[nodiscard]] double value() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  [[nodiscard]] mpz_class rounded(mpfr_rnd_t rounding) const {
    mpz_class whole;
    mpfr_get_z(whole.get_mpz_t(), value_, rounding);
    return whole;
  }
  mpfr_t value_;
};

inline mpz_class whole(std::uint64_t value) {
  static_assert(sizeof(unsigned long) == sizeof value);
  return mpz_class(static_cast<unsigned long>(value));
}
inline std::uint64_t word(const mpz_class& value) { return mpz_get_ui(value.get_mpz_t()); }
inline mpz_class power_of_two(unsigned digits) { return mpz_class(1) << digits; }

/// Epsilon in 1e-9 as a number.
inline Real epsilon_of(std::uint64_t nano) { return Real(whole(nano)) / Real(1e9); }

/// What a law costs in 1e-9, exactly: ln(A / B), or ln(T1 (2^64 - T0) / (T0 (2^64 - T1))), or its own epsilon.
inline Real exact_cost_nano(unsigned char mechanism, const std::array<std::uint64_t, 3>& law) {
  if (mechanism == GAUZE_SHE || mechanism == GAUZE_LAPLACE) return Real(whole(law[0]));
  const bool is_bits = mechanism == GAUZE_THE || mechanism == GAUZE_SUE || mechanism == GAUZE_OUE;
  const mpz_class first = whole(law[0]);
  const mpz_class second = whole(law[1]);
  const mpz_class all = power_of_two(64);
  const mpz_class above = is_bits ? mpz_class(first * (all - second)) : first;
  const mpz_class below = is_bits ? mpz_class(second * (all - first)) : second;
  return log(Real(above) / Real(below)) * Real(1e9);
}

/// The fields of a task block, honest or not.
struct BlockFields {
  std::uint32_t magic = GAUZE_TASK_MAGIC;
  std::uint16_t version = GAUZE_TASK_VERSION;
  unsigned char mechanism = GAUZE_DE;
  unsigned char flags = 0;
  std::uint32_t size = 0;
  std::uint32_t parameter = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::array<std::uint64_t, 3> law = {};
  std::uint64_t claimed_nano = 0;
  std::uint64_t period_seconds = 86'400;
  std::uint64_t window_seconds = 0;
  std::uint64_t window_nano = GAUZE_NO_LIMIT;
  std::uint64_t lifetime_nano = GAUZE_NO_LIMIT;
  std::uint32_t reports = 0;
};

using Block = std::array<unsigned char, GAUZE_TASK_BLOCK>;

/// CRC-32C, bit by bit.
inline std::uint32_t checksum_of(std::span<const unsigned char> bytes) {
  std::uint32_t rest = 0xFFFFFFFF;
  for (const unsigned char byte : bytes) {
    rest ^= byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ ((rest & 1) != 0 ? 0x82F63B78 : 0);
  }
  return ~rest;
}

inline void put(Block& block, std::size_t at, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i, number >>= 8) block[at + i] = static_cast<unsigned char>(number);
}

inline void sign(Block& block) { put(block, 252, checksum_of(std::span(block).first(252)), 4); }

inline Block block_of(const BlockFields& fields) {
  Block block = {};
  put(block, 0, fields.magic, 4);
  put(block, 4, fields.version, 2);
  put(block, 6, fields.mechanism, 1);
  put(block, 7, fields.flags, 1);
  put(block, 8, fields.size, 4);
  put(block, 12, fields.parameter, 4);
  put(block, 16, static_cast<std::uint64_t>(fields.low), 8);
  put(block, 24, static_cast<std::uint64_t>(fields.high), 8);
  for (std::size_t i = 0; i < 3; ++i) put(block, 32 + 8 * i, fields.law[i], 8);
  put(block, 56, fields.claimed_nano, 8);
  put(block, 64, fields.period_seconds, 8);
  put(block, 72, fields.window_seconds, 8);
  put(block, 80, fields.window_nano, 8);
  put(block, 88, fields.lifetime_nano, 8);
  put(block, 96, fields.reports, 4);
  for (std::size_t i = 100; i < 228; ++i) block[i] = static_cast<unsigned char>(7 * i);
  sign(block);
  return block;
}

inline constexpr std::array<unsigned char, 13> kMechanisms = {
    GAUZE_DE, GAUZE_SHE, GAUZE_THE,   GAUZE_SUE,       GAUZE_OUE,    GAUZE_BLH,    GAUZE_OLH,
    GAUZE_HR, GAUZE_SS,  GAUZE_DUCHI, GAUZE_PIECEWISE, GAUZE_HYBRID, GAUZE_LAPLACE};

inline bool is_mean(unsigned char mechanism) { return mechanism >= GAUZE_DUCHI; }
inline bool is_bits(unsigned char mechanism) { return mechanism >= GAUZE_THE && mechanism <= GAUZE_OUE; }

/// The law that the documents give for an epsilon in 1e-9; `the` with theta = 0.7.
inline std::array<std::uint64_t, 3> honest_law(unsigned char mechanism, std::uint64_t nano) {
  const Real epsilon = (Real(whole(nano)) - Real(0.5)) / Real(1e9);
  const Real all(power_of_two(64));
  const Real one(1);
  if (mechanism == GAUZE_SHE || mechanism == GAUZE_LAPLACE) return {nano, 0, 0};
  if (mechanism == GAUZE_SUE) {
    const Real s = exp(epsilon / Real(2));
    const mpz_class t1 = (all * s / (s + one)).floor();
    return {word(t1), word(power_of_two(64) - t1), 0};
  }
  if (mechanism == GAUZE_OUE) return {word(power_of_two(63)), word((all / (exp(epsilon) + one)).ceil()), 0};
  if (mechanism == GAUZE_THE)
    return {word((all * (one - exp(epsilon * Real(-0.15)) / Real(2))).floor()),
            word((all * exp(epsilon * Real(-0.35)) / Real(2)).ceil()), 0};
  const std::uint64_t a = word((Real(power_of_two(32)) * exp(epsilon)).floor());
  const std::uint64_t branch =
      mechanism == GAUZE_HYBRID ? word((all * (one - exp(epsilon / Real(-2)))).floor()) : std::uint64_t{0};
  return {a, std::uint64_t{1} << 32, branch};
}

/// An honest task: `size` values, or numbers from -2 to -2 + size; the parameter g, w, K or the window as given.
inline BlockFields honest_fields(unsigned char mechanism, std::uint64_t nano, std::uint32_t size,
                                 std::uint32_t parameter = 0) {
  BlockFields fields{.mechanism = mechanism, .parameter = parameter, .law = honest_law(mechanism, nano)};
  fields.claimed_nano = nano;
  if (is_mean(mechanism)) {
    fields.low = -2;
    fields.high = fields.low + size;
  } else {
    fields.size = size;
  }
  if (mechanism == GAUZE_BLH) fields.parameter = 2;
  if (mechanism == GAUZE_HR)
    for (fields.parameter = 1; fields.parameter <= size;) fields.parameter *= 2;
  const bool needs_one = mechanism == GAUZE_OLH || mechanism == GAUZE_SS;
  if (needs_one && parameter == 0) fields.parameter = mechanism == GAUZE_OLH ? 2 : (size + 2) / 3;
  if ((mechanism == GAUZE_PIECEWISE || mechanism == GAUZE_HYBRID) && parameter == 0)
    fields.parameter = static_cast<std::uint32_t>(
        word((Real(65'536) / (exp(epsilon_of(nano) / Real(2)) + Real(1)) + Real(0.5)).floor()));
  return fields;
}

inline int load(gauze_task& task, const BlockFields& fields) {
  const Block block = block_of(fields);
  return gauze_task_load(&task, block.data(), block.size());
}

inline gauze_task loaded(const BlockFields& fields) {
  gauze_task task;
  if (load(task, fields) != GAUZE_OK) throw std::runtime_error("an honest task is refused");
  return task;
}

inline gauze_value category(std::int64_t number) { return {0, number, nullptr, 0}; }
inline gauze_value number(std::int64_t units) { return {1, units, nullptr, 0}; }

/// Random bytes that are written down beforehand: one text a call, in order. Fails when a call asks for another number of bytes than its
/// text has, or when there is none left.
class ScriptedBytes {
 public:
  void add(std::uint64_t value, std::size_t bytes) {
    std::string text(bytes, '\0');
    for (std::size_t i = 0; i < bytes && i < 8; ++i) text[i] = static_cast<char>(value >> (8 * i));
    calls_.push_back(std::move(text));
  }
  /// A number that is drawn below a bound; nothing where there is but one.
  void add_below(std::uint64_t value, std::uint64_t bound) {
    if (bound > 1) add(value, (static_cast<std::size_t>(std::bit_width(bound - 1)) + 7) / 8);
  }
  void add_text(std::string text) { calls_.push_back(std::move(text)); }
  void rewind() { next_ = 0; }
  void truncate(std::size_t calls) {
    calls_.resize(calls);
    rewind();
  }
  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  [[nodiscard]] bool is_used_up() const { return next_ == calls_.size(); }

  static int call(void* context, unsigned char* out, std::size_t size) {
    auto& self = *static_cast<ScriptedBytes*>(context);
    if (self.next_ >= self.calls_.size() || self.calls_[self.next_].size() != size) return 1;
    std::memcpy(out, self.calls_[self.next_++].data(), size);
    return 0;
  }

 private:
  std::vector<std::string> calls_;
  std::size_t next_ = 0;
};

/// Random bytes from a seed; remembers how many were asked for at each call, and fails at call number `fails_at`.
class SeededBytes {
 public:
  explicit SeededBytes(std::uint64_t seed, std::size_t fails_at = SIZE_MAX) : random_(seed), fails_at_(fails_at) {}
  [[nodiscard]] const std::vector<std::size_t>& sizes() const { return sizes_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  void keep_sizes() { keeps_ = true; }

  static int call(void* context, unsigned char* out, std::size_t size) {
    auto& self = *static_cast<SeededBytes*>(context);
    self.bytes_ += size;
    if (self.keeps_) self.sizes_.push_back(size);
    if (self.calls_++ >= self.fails_at_) return -1;
    for (std::size_t i = 0; i < size; i += 8) {
      const std::uint64_t drawn = self.random_();
      std::memcpy(out + i, &drawn, std::min<std::size_t>(8, size - i));
    }
    return 0;
  }

 private:
  std::mt19937_64 random_;
  std::size_t fails_at_;
  std::size_t calls_ = 0;
  std::size_t bytes_ = 0;
  bool keeps_ = false;
  std::vector<std::size_t> sizes_;
};

/// A payload with guards on both sides.
class GuardedPayload {
 public:
  explicit GuardedPayload(std::size_t size) : bytes_(size + 2 * kGuard, kMark), size_(size) {}
  [[nodiscard]] unsigned char* data() { return bytes_.data() + kGuard; }
  [[nodiscard]] std::string text() const { return {reinterpret_cast<const char*>(bytes_.data()) + kGuard, size_}; }
  [[nodiscard]] bool is_intact() const {
    for (std::size_t i = 0; i < kGuard; ++i)
      if (bytes_[i] != kMark || bytes_[kGuard + size_ + i] != kMark) return false;
    return true;
  }

 private:
  static constexpr std::size_t kGuard = 64;
  static constexpr unsigned char kMark = 0xC3;
  std::vector<unsigned char> bytes_;
  std::size_t size_;
};

}  // namespace gauze::encoder_testing
