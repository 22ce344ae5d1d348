#include "gauze/server/channel/sealing_keys.h"

#include <algorithm>
#include <charconv>

#include "gauze/base/utc_date.h"
#include "gauze/files/sha256.h"
#include "gauze/ledger/ledger.h"

namespace gauze::server {
namespace {

using collect::SealingKey;
using collect::Suite;

constexpr std::string_view kPrefix = "sealing/";
constexpr std::int64_t kOverlap = kSecondsPerDay;
constexpr std::size_t kPrivateBytes = 32;

/// "sealing/1/0011223344556677"
std::string name_of(const SealingKey& key) {
  return fmt::format("{}{}/{}", kPrefix, number_of(key.suite()), key.public_key().id_hex());
}

void put_time(std::string& bytes, std::int64_t time) {
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>((static_cast<std::uint64_t>(time) >> (8 * i)) & 0xffU);
}
std::int64_t get_time(std::string_view bytes, std::size_t at) {
  std::uint64_t time = 0;
  for (std::size_t i = 8; i-- > 0;) time = time << 8U | static_cast<unsigned char>(bytes[at + i]);
  return static_cast<std::int64_t>(time);
}

tl::unexpected<Error> damaged() {
  return make_error(ErrorCode::bad_data, "a sealing key in the file of keys is damaged");
}

}  // namespace

Result<std::unique_ptr<SealingKeys>> SealingKeys::open(KeyFile& keys, const Options& options, Clock clock) {
  std::unique_ptr<SealingKeys> made(new SealingKeys(keys, options, std::move(clock)));
  GAUZE_TRY_VOID(made->load());
  return made;
}

// A stored key: private part, when it was made, from when it is the active one, when it ends.
Result<void> SealingKeys::load() {
  for (const std::string& name : keys_.names(kPrefix)) {
    const auto found = keys_.get(name);
    if (!found) continue;
    const SecretBytes& stored = *found;
    const unsigned number = name.size() > kPrefix.size() ? static_cast<unsigned>(name[kPrefix.size()] - '0') : 0;
    const auto suite = collect::suite_of_number(number);
    if (!suite || stored.size() != kPrivateBytes + 24) return damaged();
    const SealingKey::PrivateBytes bytes(
        std::span<const unsigned char, kPrivateBytes>(stored.bytes().data(), kPrivateBytes));
    GAUZE_TRY(SealingKey key, SealingKey::from_private_bytes(*suite, bytes));
    if (name_of(key) != name) return damaged();
    auto held = std::make_unique<Held>(Held{.key = std::move(key)});
    held->made_at = get_time(stored.text(), kPrivateBytes);
    held->active_from = get_time(stored.text(), kPrivateBytes + 8);
    held->not_after = get_time(stored.text(), kPrivateBytes + 16);
    held->state = held->active_from > clock_() ? SealingState::pending : SealingState::active;
    held_.push_back(std::move(held));
  }
  return {};
}

Result<void> SealingKeys::store(const Held& held) {
  SecretBytes bytes(kPrivateBytes + 24);
  std::string times;
  for (const std::int64_t time : {held.made_at, held.active_from, held.not_after}) put_time(times, time);
  const auto secret = held.key.private_bytes().bytes();
  std::copy(secret.begin(), secret.end(), bytes.writable().begin());
  std::copy(times.begin(), times.end(), bytes.writable().begin() + kPrivateBytes);
  return keys_.put(name_of(held.key), bytes);
}

Result<SealingKeys::Held*> SealingKeys::make(Suite suite, SealingState state, std::int64_t active_from) {
  auto held = std::make_unique<Held>(Held{.key = SealingKey::generate(suite)});
  held->state = state;
  held->made_at = clock_();
  held->active_from = active_from;
  held->not_after = active_from + options_.rotation_seconds;
  GAUZE_TRY_VOID(store(*held));
  held_.push_back(std::move(held));
  return held_.back().get();
}

Result<void> SealingKeys::expire(std::size_t place, std::vector<Change>& changes) {
  const Held& old = *held_[place];
  GAUZE_TRY_VOID(keys_.remove(name_of(old.key)));
  changes.push_back({old.key.public_key().id_hex(), old.key.suite(), SealingState::expired});
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(place));
  return {};
}

Result<std::vector<SealingKeys::Change>> SealingKeys::rotate() {
  const std::unique_lock guard(mutex_);
  std::vector<Change> changes;
  const std::size_t before = held_.size();
  for (const Suite suite : collect::kSuites) {
    if (!offers(suite)) continue;
    GAUZE_TRY(const Held* fresh, make(suite, SealingState::active, clock_()));
    changes.push_back({fresh->key.public_key().id_hex(), suite, SealingState::active});
  }
  for (std::size_t place = before; place-- > 0;) GAUZE_TRY_VOID(expire(place, changes));
  return changes;
}

Result<std::vector<SealingKeys::Change>> SealingKeys::tick() {
  const std::unique_lock guard(mutex_);
  const std::int64_t now = clock_();
  std::vector<Change> changes;
  for (const auto& held : held_) {
    if (held->state != SealingState::pending || held->active_from > now) continue;
    held->state = SealingState::active;
    changes.push_back({held->key.public_key().id_hex(), held->key.suite(), SealingState::active});
  }
  for (const Suite suite : collect::kSuites) {
    const auto is_of = [&](const auto& held, SealingState state) {
      return held->key.suite() == suite && held->state == state;
    };
    // Of two active ones, after a take-over or a crash in the middle of a rotation, the younger stays.
    for (;;) {
      std::size_t oldest = held_.size();
      std::size_t active = 0;
      for (std::size_t i = 0; i < held_.size(); ++i) {
        if (!is_of(held_[i], SealingState::active)) continue;
        ++active;
        if (oldest == held_.size() || held_[i]->active_from < held_[oldest]->active_from) oldest = i;
      }
      if (active == 0 || (active == 1 && offers(suite) && held_[oldest]->not_after > now)) break;
      if (active == 1 && offers(suite)) {  // too old, and no successor was listed in time: the server was down
        GAUZE_TRY(const Held* fresh, make(suite, SealingState::active, now));
        changes.push_back({fresh->key.public_key().id_hex(), suite, SealingState::active});
      }
      GAUZE_TRY_VOID(expire(oldest, changes));
    }
    if (!offers(suite)) continue;
    const auto active =
        std::find_if(held_.begin(), held_.end(), [&](const auto& held) { return is_of(held, SealingState::active); });
    if (active == held_.end()) {
      GAUZE_TRY(const Held* fresh, make(suite, SealingState::active, now));
      changes.push_back({fresh->key.public_key().id_hex(), suite, SealingState::active});
      continue;
    }
    const std::int64_t ends = (*active)->not_after;
    const bool has_successor =
        std::any_of(held_.begin(), held_.end(), [&](const auto& held) { return is_of(held, SealingState::pending); });
    if (has_successor || now < ends - kOverlap) continue;
    GAUZE_TRY(const Held* next, make(suite, SealingState::pending, ends));
    changes.push_back({next->key.public_key().id_hex(), suite, SealingState::pending});
  }
  return changes;
}

Json SealingKeys::to_json() const {
  const std::shared_lock guard(mutex_);
  Json keys = Json::array();
  for (const auto& held : held_) {
    const auto& shown = held->key.public_key();
    keys.push(Json::object({{"id", shown.id_hex()},
                            {"suite", number_of(shown.suite())},
                            {"public_key", shown.base64url()},
                            {"state", word_of(kSealingStateWords, held->state)},
                            {"not_after", time_text(held->not_after)}}));
  }
  return Json::object({{"keys", std::move(keys)}});
}

SealingKeys::Opened SealingKeys::open(std::string_view bytes) const {
  const auto batch = collect::parse_batch(bytes);
  if (!batch) return {};
  const std::shared_lock guard(mutex_);
  for (const auto& held : held_) {
    if (held->key.public_key().id() != batch->key) continue;
    auto blocks = collect::open_batch(held->key, *batch);
    if (!blocks) return {};
    return {.outcome = Opening::opened, .blocks = std::move(*blocks)};
  }
  return {.outcome = Opening::key_expired};
}

}  // namespace gauze::server
