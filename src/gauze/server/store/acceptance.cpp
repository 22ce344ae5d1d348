#include "gauze/server/store/acceptance.h"

#include <algorithm>
#include <utility>

#include "gauze/base/utc_date.h"
#include "gauze/server/store/internal/row_bytes.h"

namespace gauze::server {

std::int64_t Acceptance::opens_at(std::uint32_t period, std::int64_t period_seconds,
                                  const AcceptanceWindow& window) const {
  return (std::int64_t{period} - window.periods_ahead) * period_seconds;
}

const AcceptanceWindow& Acceptance::window_of(std::uint32_t period, std::int64_t period_seconds) const {
  // The oldest window that was still in force when blocks of the period could come for the first time.
  for (std::size_t i = 0; i + 1 < history_.size(); ++i)
    if (opens_at(period, period_seconds, history_[i].window) < history_[i + 1].time) return history_[i].window;
  return history_.back().window;
}

std::int64_t Acceptance::closes_at(std::uint32_t period, std::int64_t period_seconds) const {
  return (std::int64_t{period} + window_of(period, period_seconds).periods_back + 1) * period_seconds;
}

std::int64_t Acceptance::closing_day(std::uint32_t period, std::int64_t period_seconds) const {
  return utc_day_of(closes_at(period, period_seconds) - 1) + 1;
}

Acceptance::Answer Acceptance::answer(std::uint32_t period, std::int64_t period_seconds, std::int64_t now) const {
  if (now < opens_at(period, period_seconds, window_of(period, period_seconds))) return Answer::not_yet;
  return now >= closes_at(period, period_seconds) ? Answer::expired : Answer::taken;
}

bool Acceptance::change(const AcceptanceWindow& window, std::int64_t now) {
  if (history_.back().window == window) return false;
  history_.push_back({.time = std::max(now, history_.back().time), .window = window});
  return true;
}

std::string Acceptance::encode() const {
  std::string out;
  for (const Since& since : history_) {
    internal::append_little(out, static_cast<std::uint64_t>(since.time), 8);
    internal::append_little(out, since.window.periods_back, 4);
    internal::append_little(out, since.window.periods_ahead, 4);
  }
  return out;
}

std::optional<Acceptance> Acceptance::decode(std::string_view bytes) {
  constexpr std::size_t kEntryBytes = 16;
  if (bytes.empty() || bytes.size() % kEntryBytes != 0) return std::nullopt;
  std::vector<Since> history;
  for (; !bytes.empty(); bytes.remove_prefix(kEntryBytes))
    history.push_back(
        {.time = static_cast<std::int64_t>(internal::read_little(bytes.substr(0, 8))),
         .window = {.periods_back = static_cast<std::uint32_t>(internal::read_little(bytes.substr(8, 4))),
                    .periods_ahead = static_cast<std::uint32_t>(internal::read_little(bytes.substr(12, 4)))}});
  return Acceptance(std::move(history));
}

}  // namespace gauze::server
