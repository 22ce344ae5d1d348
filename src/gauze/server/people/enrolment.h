#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/server/keys/secret_bytes.h"

namespace gauze::server {

/// A device to this curator: a keyed digest of its credential, under a key that is not the store's.
using DeviceId = std::array<unsigned char, 32>;

/// Who may report: tokens that admit a number of devices until a day, and the credentials they were turned into.
///
/// A file of its own: reports lie elsewhere, under other keys, and hold nothing of it. A device that enrols again is a new unit.
/// Thread safety : all members may be called from any thread; enrolments that come together share one wait for the disk.
class Enrolment {
 public:
  using Clock = std::function<std::int64_t()>;
  static constexpr std::uint64_t kMostDevices = 100'000'000;

  [[nodiscard]] static Result<std::unique_ptr<Enrolment>> open(const std::filesystem::path& place, SecretBytes key,
                                                               Clock clock);
  ~Enrolment();

  /// A token for so many devices until that second: 43 characters. Only its digest is kept.
  [[nodiscard]] Result<std::string> make_token(std::uint64_t devices, std::int64_t until);
  /// A credential for one more device, on the disk: 43 characters. `not_authorised` for a token that is used up, expired or unknown.
  [[nodiscard]] Result<std::string> enrol(const std::string& token);

  /// The device with that credential, if it enrolled here.
  [[nodiscard]] std::optional<DeviceId> find(std::string_view credential) const;
  [[nodiscard]] std::uint64_t devices() const;

 private:
  class Impl;
  explicit Enrolment(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gauze::server
