#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/base/words.h"
#include "gauze/server/http/http_server.h"

namespace gauze::server {

enum class Role { analyst, admin };
inline constexpr Words<Role, 2> kRoleWords = {{{Role::analyst, "analyst"}, {Role::admin, "admin"}}};

/// Somebody with a token: the configuration holds only its digest.
struct Person {
  std::string name;
  Role role = Role::analyst;
  std::string token_sha256;  ///< 64 hexadecimal digits
};

struct ListenerPlace {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;
  std::filesystem::path certificate;
  std::filesystem::path key;
};

/// Where the key-encryption key comes from: exactly one of them.
struct KeySource {
  std::filesystem::path file = {};
  std::filesystem::path passphrase_file = {};
  std::string credential = {};         ///< of systemd, by its name
  std::optional<int> descriptor = {};  ///< an open file
};

/// What a credential, or an address without one, may ask for within a minute.
struct RequestLimits {
  std::uint64_t requests_per_credential = 600;
  std::uint64_t reports_per_credential = 6'000;
  std::uint64_t enrolments_per_address = 600;
  bool spares_loopback =
      false;  ///< none of these for 127.0.0.0/8 and ::1, nor connections an address and handshakes a second
};

/// Everything in `curator.yaml` (docs/formats/curator-config.md). Relative paths start at its folder.
struct CuratorConfig {
  std::filesystem::path place;   ///< of the configuration itself
  std::string name = "curator";  ///< by which merged states tell curators apart
  std::filesystem::path folder;  ///< store, ledger, records, keys
  ListenerPlace device;
  ListenerPlace analyst;
  ListenerPlace admin;
  KeySource key;
  std::optional<KeySource> previous_key;  ///< while the file of keys is still wrapped by it
  std::vector<Person> people;
  bool sm = false;
  std::int64_t key_rotation_seconds = 90 * 86'400;
  std::int64_t retention_ceiling_days = 366;
  std::uint32_t periods_back = 7;
  std::uint32_t periods_ahead = 1;
  double answer_step_seconds = 0.25;
  Rational least_query_epsilon = Rational(1, 1'000);
  std::string profile;    ///< a ceiling for every query; empty: none
  std::string deviation;  ///< why one above the ceiling is let through
  std::uint64_t least_free_bytes = std::uint64_t{256} << 20U;
  HttpLimits http;
  RequestLimits requests;
};

/// Reads it. Total: any bytes give a configuration or an error with its line.
[[nodiscard]] Result<CuratorConfig> parse_curator_config(std::string_view yaml, const std::filesystem::path& place);
[[nodiscard]] Result<CuratorConfig> read_curator_config(const std::filesystem::path& place);

/// The whole file with a comment for every key, as `--init` writes it.
[[nodiscard]] std::string curator_config_text(const CuratorConfig& config);

/// What runs: its addresses, left in the folder by the server and found there by the verbs.
struct RunningCurator {
  std::string device;
  std::string analyst;
  std::string admin;
  std::int64_t pid = 0;
};
[[nodiscard]] std::filesystem::path running_file(const CuratorConfig& config);

}  // namespace gauze::server
