#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gauze::server {

/// Of which periods blocks are taken: so many before the present one, so many after it.
struct AcceptanceWindow {
  std::uint32_t periods_back = 7;
  std::uint32_t periods_ahead = 1;
  friend bool operator==(const AcceptanceWindow&, const AcceptanceWindow&) = default;
};

/// When blocks of a period are taken, under all windows that a store has had.
///
/// A period keeps the window under which its first blocks could come. So the day on which it is closed never moves, and the index of that
/// day knows every block of it: a window that is made wider opens no period again.
class Acceptance {
 public:
  struct Since {
    std::int64_t time = 0;
    AcceptanceWindow window;
    friend bool operator==(const Since&, const Since&) = default;
  };
  /// One entry at least, oldest first.
  explicit Acceptance(std::vector<Since> history) : history_(std::move(history)) {}

  enum class Answer { taken, not_yet, expired };
  [[nodiscard]] Answer answer(std::uint32_t period, std::int64_t period_seconds, std::int64_t now) const;
  /// The first moment at which blocks of the period are refused.
  [[nodiscard]] std::int64_t closes_at(std::uint32_t period, std::int64_t period_seconds) const;
  /// The first UTC day at whose beginning they are refused: their ids are kept until then.
  [[nodiscard]] std::int64_t closing_day(std::uint32_t period, std::int64_t period_seconds) const;

  [[nodiscard]] std::span<const Since> history() const { return history_; }
  /// Takes note of another window from now on; false when it is the present one.
  bool change(const AcceptanceWindow& window, std::int64_t now);

  [[nodiscard]] std::string encode() const;
  /// Nothing when it is damaged.
  [[nodiscard]] static std::optional<Acceptance> decode(std::string_view bytes);

 private:
  [[nodiscard]] const AcceptanceWindow& window_of(std::uint32_t period, std::int64_t period_seconds) const;
  [[nodiscard]] std::int64_t opens_at(std::uint32_t period, std::int64_t period_seconds,
                                      const AcceptanceWindow& window) const;

  std::vector<Since> history_;
};

}  // namespace gauze::server
